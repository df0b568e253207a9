"""The vocabulary that both observers speak, in the order in which things happen.

A *timeline* is a sequence of events of one run of a program. The static observer writes it
down from sources, the runtime observer from a live process; the rules read it and know of
neither.

Uncertainty is part of the vocabulary. Every event carries the conditions under which it
happens: pairs of a branch id, which stands for a place where the program branches, and the branch
that is taken there. An event without conditions surely happens. Two events whose conditions name
different branches of one id never happen in the same run. The runtime observer has no conditions
to tell.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from plum_jit_lint.findings import Place

Stack: TypeAlias = tuple[Place, ...]
"""Where something happens: the root module's line, the import or call there, ..., own place."""

PathCondition: TypeAlias = frozenset[tuple[int, int]]
"""`(branch id, branch)` pairs that all have to hold, the branches being 0 and 1; empty means:
surely."""

SURELY: PathCondition = frozenset()


def exclude_each_other(a: PathCondition, b: PathCondition) -> bool:
    """Whether no run takes both: at some branch id `a` takes another branch than `b`."""
    taken = dict(a)
    return any(taken.get(branch_id, branch) != branch for branch_id, branch in b)


def implied_by(ways: Iterable[PathCondition], when: PathCondition) -> bool:
    """Whether every run that takes `when` takes one of `ways`.

    The branches are 0 and 1. Two ways that differ at one branch id only, where each takes another
    branch, are one way without that id.
    """
    known = {way for way in ways if not exclude_each_other(way, when)}
    grew = True
    while grew:
        merged = {
            a - {(branch_id, 0)}
            for a in known
            for branch_id, branch in a
            if branch == 0 and (a - {(branch_id, 0)}) | {(branch_id, 1)} in known
        }
        grew = not merged <= known
        known |= merged
    return any(way <= when for way in known)


@dataclass(frozen=True, slots=True)
class FunctionId:
    """A dispatched function as plum identifies it: by dispatcher and name, in a class body by
    dispatcher, owner class and name. The module does not count
    (`docs/facts.md#a-function-is-a-dispatcher-and-a-name`)."""

    dispatcher: str
    owner: str | None
    name: str

    def __str__(self) -> str:
        if self.owner is None:
            return self.name
        return f"{self.owner.rsplit('.', 1)[-1]}.{self.name}"


@dataclass(frozen=True, slots=True)
class MethodParameter:
    """One parameter of a method.

    `position` counts from 0 and is `None` for a keyword-only parameter or `**kwargs`.
    `annotation` is the source text, `None` where there is none.
    `traceable`: whether jit takes a value of this type as an argument that is not static;
    `becomes_tracer`: whether such a value arrives as one traced array, as numbers and arrays do;
    `admits_tracer`: whether plum matches a traced array with it. `None`: not known.
    `optional`: a call may leave it out (a default, `*args`).
    """

    name: str
    position: int | None
    annotation: str | None
    traceable: bool | None
    becomes_tracer: bool
    admits_tracer: bool | None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Statics:
    """The static arguments of a jit.

    `known` is false where the source does not tell them; `non_arrays` is set where everything
    that is no array is static by itself (`equinox.filter_jit`).
    """

    names: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    known: bool = True
    non_arrays: bool = False

    def is_static(self, parameter: MethodParameter, positional: int) -> bool | None:
        """Whether `parameter` is static, of a function with `positional` positional parameters."""
        numbers = {n + positional if n < 0 else n for n in self.numbers}
        if parameter.name in self.names or parameter.position in numbers:
            return True
        return False if self.known else None


@dataclass(frozen=True, slots=True)
class Method:
    """One method of a dispatched function: `label` as a reader would write it (`f(a: Array)`),
    the `place` of its definition, and what tells it from another that is made there."""

    label: str
    place: Place | None
    identity: Hashable = field(default=None, repr=False)

    def is_same(self, other: object) -> bool:
        """Whether both are one method, wherever each was registered."""
        if isinstance(other, Method) and None not in (self.identity, other.identity):
            return self.identity == other.identity
        return self == other


@dataclass(frozen=True, slots=True)
class DecoratorStack:
    """A definition whose decorators hold both a jit and a registration.

    `outer` says which of the two is on top. `jit` is the jit's qualified name (`jax.jit`).
    `binds` is the name that the definition binds in `scope`. `first_parameters` are the
    parameters of the function's first definition, which is what a jit above dispatch reads
    `static_argnames` against; `None` where it is not known. `string_annotations`: some
    annotation of the method is a string when plum reads it (quoted, or by the `annotations`
    future import). `returns_wrong`: the method returns a traced array, and plum cannot convert
    one to the type that `returns` names.
    """

    stack: Stack
    when: PathCondition
    function: FunctionId
    binds: str
    scope: str
    outer: Literal["dispatch", "jit"]
    jit: str
    statics: Statics
    parameters: tuple[MethodParameter, ...]
    first_parameters: tuple[str, ...] | None
    string_annotations: bool
    returns: str | None
    returns_wrong: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One call on the way from a traced function down to a dispatched one: the place of the
    call, and the name of the function that makes it."""

    place: Place
    caller: str


NoMethod: TypeAlias = Literal["ambiguous", "none"]
"""What plum says where it chooses no method."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen while tracing, and so is part of the compiled code.

    `arguments` describes the abstract arguments (`(Array, int)`); `held` is the method, or that
    there was none or more than one, where the program caught that; `None` when it is not known.
    `chain` leads from the traced function to the call.
    """

    function: FunctionId
    arguments: str
    held: Method | NoMethod | None
    chain: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Displaced:
    """A held choice that a registration changes: what plum would choose just after it.

    `retrace_choice` is the method that a retrace would take instead, or that none or more than one
    would match. `sure` is false where types or branches leave it open, and `why` says it where
    that can be told. Where it is what is held, plum chooses that again, and `sure` says that it
    does so whatever was there before.
    """

    entry: int
    choice: Choice
    retrace_choice: Method | NoMethod
    sure: bool
    why: str = ""

    @property
    def restores(self) -> bool:
        """Whether plum chooses again what is held."""
        if isinstance(self.retrace_choice, Method):
            return self.retrace_choice.is_same(self.choice.held)
        return self.retrace_choice == self.choice.held


@dataclass(frozen=True, slots=True)
class Registered:
    """A method was added to a dispatched function, or one was redefined.

    `binds` is the name that the definition binds in `scope`, `None` where it binds none;
    `jitted` says whether that name now stands for a jitted callable.
    """

    stack: Stack
    when: PathCondition
    function: FunctionId
    method: Method
    parameters: tuple[MethodParameter, ...]
    binds: str | None
    scope: str
    jitted: bool
    displaced: tuple[Displaced, ...] = ()


@dataclass(frozen=True, slots=True)
class Traced:
    """A trace was made and kept: a trace entry is filled.

    `callable` names what was traced; `function` is set when that is a dispatched function
    itself (also through `partial`, `vmap`, `grad`, `checkpoint`, another jit wrapper).
    `outermost` is false for a trace inside another trace. `choices` are all choices in the
    compiled code, those of inner traces made on the way included; `inner` are the entries that
    were taken from the cache instead of being traced again. `frozen`: no clearing reaches it
    (`.lower().compile()`). `in_context`: a setting that holds for a while only is part of its
    key, so it is used again under that setting only (`with jax.default_device(...)`). `traces_of`
    is equal for the traces that one cache keeps of one function, `None` where it is not known.
    """

    entry: int
    stack: Stack
    when: PathCondition
    callable: str
    definition: Place | None
    function: FunctionId | None
    outermost: bool
    choices: tuple[Choice, ...]
    inner: tuple[int, ...] = ()
    frozen: bool = False
    in_context: bool = False
    traces_of: Hashable = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Used:
    """A kept trace was used again, directly or (`outermost` false) inside another trace."""

    entry: int
    stack: Stack
    when: PathCondition
    outermost: bool


@dataclass(frozen=True, slots=True)
class Cleared:
    """Kept traces are gone: `entries`, or all but the frozen ones when that is `None`."""

    stack: Stack
    when: PathCondition
    entries: tuple[int, ...] | None


Event: TypeAlias = DecoratorStack | Registered | Traced | Used | Cleared
Timeline: TypeAlias = tuple[Event, ...]
