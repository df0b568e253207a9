def switch_on():
    from .work import late

    return late
