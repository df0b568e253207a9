def fit(step, a, rounds=2):
    for _ in range(rounds):
        a = step(a)
    return a
