def twice(a):
    return a + a
