import jax


class Shape:
    def __init__(self, side):
        self.side = side


def as_tree(cls):
    jax.tree_util.register_pytree_node(cls, lambda s: ((s.side,), None), lambda _, c: cls(*c))
    return cls
