def names():
    return ["extension"]


def activate():
    import extension

    return extension
