"""A definition has `jit` above `dispatch`: dispatch sees tracers, and every wrapper of the function
shares one trace cache.

## Why it hurts

The jit wraps the whole dispatched function. Its arguments arrive as tracers, which match
`jax.Array` and nothing narrower, and its trace cache is keyed on the one function that all
definitions register on: a second `@jit @dispatch` definition finds the traces of the first. The
name stands for a jitted callable, which has no `.dispatch`, `.methods` or `.invoke`.

It is a `warning`, and an `error` where a consequence is known:

- a parameter annotated `int`, `float`, `bool`, `complex`, a numpy scalar or `np.ndarray` that is
  not static: a tracer never matches it, so the call raises `NotFoundLookupError`, or silently runs
  a wider overload (a union that also holds `jax.Array`, `object` and the like do match);
- a parameter that jit cannot trace (`str`) and that is not static: `TypeError`;
- a method that returns a traced array where its annotation (`-> float`) is something that plum
  cannot convert one to: `TypeError`;
- `@jit` above `@F.dispatch` on a definition of another name than `F`: the method itself is not
  jitted, and the jit wraps all of `F` under a name that nobody calls;
- a later overload of the same name without `jit`: the name is bound to the plain function, and
  the jit is lost;
- static arguments that the first registered method does not have: `ValueError` at decoration.

## Bad

```python
import jax
from plum import dispatch


@jax.jit
@dispatch
def scale(a: jax.Array, by: int):
    return a * by
```

## Good

Turn the two around, or jit the caller:

```python
import jax
from plum import dispatch


@dispatch
def scale(a: jax.Array, by: int):
    return a * by


@jax.jit
def scaled(a):
    return scale(a, 3)
```

## How to silence it

`# noqa: PJ002` on the line of the first decorator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plum_jit_lint.events import DecoratorStack, MethodParameter, Registered, Timeline
from plum_jit_lint.findings import Finding, Related, Role, Severity
from plum_jit_lint.rules._decorators import Consequence, decorator_finding, untraceable

CODE = "PJ002"
NAME = "dispatch-inside-jit"

_TURN_ROUND = "Put dispatch on top, or jit the caller"

_SHARED_CACHE = Consequence(
    Severity.WARNING,
    ("dispatch sees tracers, and every wrapper of the function shares one trace cache",),
    _TURN_ROUND,
)


def judge(events: Timeline) -> Iterator[Finding]:
    """Findings for definitions with `jit` above `dispatch`."""
    registrations = [event for event in events if isinstance(event, Registered)]
    for position, event in enumerate(events):
        if not isinstance(event, DecoratorStack) or event.outer != "jit":
            continue
        consequences = [*untraceable(event), *_never_matched(event, registrations)]
        consequences.extend(_bound_wrongly(event))
        related: tuple[Related, ...] = ()
        lost = _loses_jit(event, events[position + 1 :])
        if lost is not None:
            consequences.append(_loss(event, lost))
            sentence = f"`{event.binds}` is bound to the plain function here"
            related = (Related(Role.DEFINITION, lost.stack[-1], sentence),)
        order = f"`{event.function}` has `{event.jit}` above dispatch: "
        yield decorator_finding(event, CODE, NAME, order, consequences or [_SHARED_CACHE], related)


def _loss(event: DecoratorStack, lost: Registered) -> Consequence:
    surely = lost.when <= event.when
    verb = "binds" if surely else "may bind"
    return Consequence(
        Severity.ERROR if surely else Severity.WARNING,
        ("the overload at ", lost.stack[-1], f" {verb} the name without jit: the jit is lost"),
        "Jit the caller instead of the overloads",
    )


def _never_matched(
    event: DecoratorStack, registrations: Sequence[Registered]
) -> Iterator[Consequence]:
    """Parameters that plum dispatches on and that a tracer never matches."""
    positional = sum(parameter.position is not None for parameter in event.parameters)
    for parameter in event.parameters:
        if not (parameter.becomes_tracer and parameter.admits_tracer is False):
            continue
        if (
            parameter.position is None
            or event.statics.is_static(parameter, positional) is not False
        ):
            continue
        wider = _wider_overload(event, registrations)
        outcome = (
            f"silently runs `{wider.method.label}`"
            if wider is not None
            else "raises NotFoundLookupError"
        )
        calls = f"a call that passes `{parameter.name}`" if parameter.optional else "every call"
        sentence = (
            f"a tracer never matches `{parameter.name}: {parameter.annotation}`, so {calls} "
            f"{outcome}"
        )
        yield Consequence(
            Severity.WARNING if parameter.optional else Severity.ERROR, (sentence,), _TURN_ROUND
        )


def _wider_overload(
    event: DecoratorStack, registrations: Sequence[Registered]
) -> Registered | None:
    """An overload that takes tracers where this one does not."""
    count = sum(parameter.position is not None for parameter in event.parameters)
    for other in registrations:
        positional = [p for p in other.parameters if p.position is not None]
        same = other.function == event.function and len(positional) == count
        if same and all(map(_takes_tracer, positional)):
            return other
    return None


def _takes_tracer(parameter: MethodParameter) -> bool:
    return parameter.admits_tracer is not False or not parameter.becomes_tracer


def _bound_wrongly(event: DecoratorStack) -> Iterator[Consequence]:
    if event.returns_wrong:
        yield Consequence(
            Severity.ERROR,
            (f"plum cannot convert the traced result to `{event.returns}`: TypeError",),
            "Say that it returns a `jax.Array`, or jit the caller",
        )
    if event.binds != event.function.name:
        sentence = (
            f"the method itself is not jitted: the jit wraps all of `{event.function}` under the "
            f"name `{event.binds}`"
        )
        yield Consequence(Severity.ERROR, (sentence,), _TURN_ROUND)
    if event.first_parameters is not None:
        missing = list(_missing_statics(event, event.first_parameters))
        if missing:
            sentence = (
                f"the first registered method has no parameter {' or '.join(missing)} to be "
                "static: ValueError at decoration"
            )
            yield Consequence(Severity.ERROR, (sentence,), _TURN_ROUND)


def _missing_statics(event: DecoratorStack, parameters: Sequence[str]) -> Iterator[str]:
    """Static arguments that a signature lacks. `*args` takes any number, `**kwargs` any name."""
    names = {parameter.lstrip("*=") for parameter in parameters}
    variadic = [parameter for parameter in parameters if parameter.startswith("*")]
    if not any(parameter.startswith("**") for parameter in variadic):
        yield from (f"`{name}`" for name in event.statics.names if name not in names)
    if not any(not parameter.startswith("**") for parameter in variadic):
        count = sum(not parameter.startswith(("*", "=")) for parameter in parameters)
        yield from (str(n) for n in event.statics.numbers if not -count <= n < count)


def _loses_jit(event: DecoratorStack, later: Timeline) -> Registered | None:
    """The overload that binds the name of a jitted definition anew, without jit."""
    if event.binds != event.function.name:
        return None
    last: Registered | None = None
    for other in later:
        if isinstance(other, Registered) and other.function == event.function:
            same_name = (other.binds, other.scope) == (event.binds, event.scope)
            last = other if same_name else last
    if last is None or last.jitted or last.stack[-1] == event.stack[-1]:
        return None
    return last
