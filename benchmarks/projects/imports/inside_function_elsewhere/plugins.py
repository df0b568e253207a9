def activate():
    import extension

    return extension
