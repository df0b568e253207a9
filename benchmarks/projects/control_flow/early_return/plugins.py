def activate(wanted):
    if not wanted:
        return
    import late  # noqa: F401
