"""The calls that are being run, one in another, and what each of them holds."""

from __future__ import annotations

from dataclasses import dataclass, field

from plum_jit_lint.events import Step
from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter.values import FunctionValue, Scope, Value


@dataclass(slots=True)
class CallFrame:
    """A call of a function, or the statements of a module, which have no `function`.

    `name` is what its own calls are said to be made by. `place` is where it was called, and
    `step` the same for the chain of calls in a trace; the program that is checked has neither.
    """

    name: str
    scopes: list[Scope]
    """The scope of the body, and those inside it that are being run: classes, comprehensions."""
    function: FunctionValue | None = None
    place: Place | None = None
    step: Step | None = None
    returned: list[Value] = field(default_factory=list)
    yielded: list[Value] = field(default_factory=list)
    temporaries: list[Value] = field(default_factory=list)
    """What the statement that is being run has made, and nobody else holds yet."""
