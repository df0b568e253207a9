from boxes import Bag
from plum import dispatch


@dispatch
def open_box(b: Bag):
    return b.content * 3
