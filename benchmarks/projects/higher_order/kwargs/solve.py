def solve(a, **options):
    return apply(a, **options)


def apply(a, function, scale=2):
    return scale * function(a)
