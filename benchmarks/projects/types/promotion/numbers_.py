from plum import add_conversion_method, add_promotion_rule


class Small:
    def __init__(self, value):
        self.value = value


class Big(Small):
    pass


class Huge(Small):
    pass


add_conversion_method(Small, Big, lambda s: Big(s.value * 2))
add_conversion_method(Small, Huge, lambda s: Huge(s.value * 3))
add_conversion_method(Big, Huge, lambda s: Huge(s.value * 3))
add_promotion_rule(Small, Big, Big)
