from bodies import Speed
from plum import dispatch


@dispatch
def energy(m: Speed):
    return m.value * 3
