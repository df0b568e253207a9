def use(name):
    match name:
        case "fast":
            import fast  # noqa: F401
        case "slow":
            import slow  # noqa: F401
