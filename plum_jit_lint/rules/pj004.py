"""A method is added to a dispatched function, or one is redefined, after a jitted function that
reaches it, through any number of calls, was called.

## Why it hurts

While JAX traces the outer function, plum chooses the methods of every dispatched function that
is called on the way, and those choices become part of the compiled code. A method that is
registered later is silently ignored there, however deep the call is: jitting the dispatched
function or its methods as well does not help, nor does `inline=True`. The same holds for
`lax.scan`, `lax.cond`, `lax.while_loop` and other transforms that keep the trace of their body,
with no jit at all.

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


@jax.jit
def total(a):
    return 12 * area(a)


total(jnp.ones(2))


@dispatch
def area(a: jax.Array):
    return a * 3
```

## Good

Register everything before the first jitted call:

```python
import jax
import jax.numpy as jnp
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 2


@dispatch
def area(a: jax.Array):
    return a * 3


@jax.jit
def total(a):
    return 12 * area(a)


total(jnp.ones(2))
```

Where a registration has to come late, `jax.clear_caches()` right after it, or `clear_cache()` of
every jitted function on the way from the call down to the dispatched function, makes the next
call trace anew.

## How to silence it

`# noqa: PJ004` on the line of the finding, which is the first decorator of the late definition,
or the import or call through which it happens.
"""

from __future__ import annotations

from collections.abc import Iterator

from plum_jit_lint.events import Timeline
from plum_jit_lint.findings import Finding
from plum_jit_lint.rules._late_finding import late_finding
from plum_jit_lint.rules._staleness import stale_registrations

CODE = "PJ004"
NAME = "registered-after-traced-by-caller"


def judge(events: Timeline) -> Iterator[Finding]:
    """Findings for registrations after a caller of the function was traced."""
    for stale in stale_registrations(events):
        if not stale.direct:
            yield late_finding(stale, CODE, NAME)
