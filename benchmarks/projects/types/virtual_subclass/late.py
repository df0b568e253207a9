from kinds import Sized
from plum import dispatch


@dispatch
def measure(b: Sized):
    return b.content * 3
