"""A method is added to a dispatched function, or one is redefined, after the function itself was
called through jit.

## Why it hurts

plum chooses a method when Python runs. JAX runs Python once, while it traces, and keeps the
result under the identity of the traced function, which here is the dispatched function itself.
The next call, even through a new `jax.jit(...)` of it, finds the old trace: the new method is
silently ignored for arguments of the kinds that were traced before, and used for others. Neither
library says anything.

The finding is an `error` where the new method surely changes a choice that was compiled in, and
a `warning` where it may: argument types that the source does not tell, a branch that may not
run, a function that nothing is seen to call. A method for types that were never traced, or one
that loses against the compiled one, is not reported.

## Bad

```python
import jax
import jax.numpy as jnp
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 2


jax.jit(area)(jnp.ones(2))


@dispatch
def area(a: jax.Array):
    return a * 3
```

## Good

Register everything before the first jitted call, or clear JAX's caches after a late registration:

```python
import jax
import jax.numpy as jnp
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 2


jax.jit(area)(jnp.ones(2))


@dispatch
def area(a: jax.Array):
    return a * 3


jax.clear_caches()
jax.jit(area)(jnp.ones(2))
```

## How to silence it

`# noqa: PJ003` on the line of the finding, which is the first decorator of the late definition.
"""

from __future__ import annotations

from collections.abc import Iterator

from plum_jit_lint.events import Timeline
from plum_jit_lint.findings import Finding
from plum_jit_lint.rules._late_finding import late_finding
from plum_jit_lint.rules._staleness import stale_registrations

CODE = "PJ003"
NAME = "registered-after-jitted-use"


def judge(events: Timeline) -> Iterator[Finding]:
    """Findings for registrations after the function itself was traced."""
    for stale in stale_registrations(events):
        if stale.direct:
            yield late_finding(stale, CODE, NAME)
