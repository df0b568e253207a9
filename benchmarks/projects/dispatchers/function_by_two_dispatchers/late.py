import jax
from plum import dispatch
import app


@app.area.dispatch
def area(a: jax.Array):
    return a * 3


@dispatch
def area(a: jax.Array):
    return a * 4
