from plum import dispatch


@dispatch
def stack(parts: list):
    return parts[0] * 3
