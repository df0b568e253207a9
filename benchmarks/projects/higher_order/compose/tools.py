def compose(*functions):
    def composed(a):
        for function in functions:
            a = function(a)
        return a

    return composed
