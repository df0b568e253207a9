"""`if __name__ == "__main__"` in the script that is run."""

import jax
import jax.numpy as jnp
from tools import area, total


def main():
    total(jnp.ones(2))
    import late  # expect: PJ004/error

    return late, total(jnp.ones(2))


if __name__ == "__main__":
    main()
