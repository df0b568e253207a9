from plum import dispatch

RULES = []


def rule(function):
    RULES.append(function)
    return function


def install():
    for function in RULES:
        dispatch(function)
