import bottom


def second(a):
    return third(a) + 1


def third(a):
    return bottom.fourth(a) + 1
