def mean(a):
    return a.sum() / a.size
