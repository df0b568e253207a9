from numbers_ import Big, Huge, Small
from plum import add_promotion_rule

add_promotion_rule(Small, Big, Huge)
