from plum import dispatch


def extends(function):
    return dispatch(function)
