def extend():
    import step3_rules

    return step3_rules
