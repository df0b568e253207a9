import first


def helper(a):
    return first.area(a)
