"""What the functions of `jax.numpy`, `jax.random` and the like return."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from plum_jit_lint.limits import DEEPEST_VALUE, MOST_OF_A_TREE
from plum_jit_lint.static.interpreter import arrays, literals
from plum_jit_lint.static.interpreter.arrays import (
    DEFAULTS,
    REDUCTIONS,
    broadcast,
    dtype_of,
    kind_of,
    kind_of_number,
    method,
    of_reduction,
    operated,
    part_of,
    promoted,
    reduced,
    shape_of,
    wider,
    written_shape,
)
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    SequenceValue,
    Typed,
    Value,
    scalar,
)
from plum_jit_lint.static.types.hints import ArrayArg, ScalarArg, Shape

FLOATING = {
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "exp", "exp2"),
    *("expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "deg2rad", "rad2deg", "sigmoid"),
    *("softplus", "softmax", "gelu", "silu", "rsqrt", "erf", "logistic", "rint"),
}
SAME_OF_ARRAY = {
    *("negative", "positive", "square", "sign", "floor", "ceil", "conj", "conjugate", "cumsum"),
    *("sort", "flip", "roll", "nan_to_num", "relu", "copy", "ones_like", "zeros_like", "trunc"),
    *("stop_gradient", "fliplr", "flipud", "round", "full_like", "empty_like"),
}
PAIRWISE = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "power": "**"} | {
    "true_divide": "/",
    "maximum": "+",
    "minimum": "+",
    "matmul": "@",
    "mod": "%",
    **dict.fromkeys(("greater", "less", "equal", "not_equal", "greater_equal"), "<"),
    **dict.fromkeys(("less_equal", "logical_and", "logical_or", "logical_xor"), "<"),
}
TESTS = {"isfinite", "isnan", "isinf", "logical_not", "signbit", "isreal"}
FILLED = {"ones", "zeros", "empty", "full"}
SAMPLES = {"normal": "float32", "uniform": "float32", "randint": "int32", "bernoulli": "bool"}


def _made(path: str, arguments: Arguments) -> Value:
    """What a function of `jax.numpy`, `jax.random` and the like returns."""
    name = path.rpartition(".")[2]
    known = (v.argument for v in arguments.values() if isinstance(v, Typed))
    traced = any(isinstance(a, ArrayArg) and a.traced for a in known)
    shape, dtype = None, None
    rule = _rule(path, name)
    if rule is not None and not arguments.open:
        shape, dtype = rule(name, arguments)
    asked = arguments.keywords.get("dtype") or _asked_by_position(path, name, arguments)
    if asked is not None and asked != NONE:
        dtype = dtype_of(asked)
    return Typed(ArrayArg(traced, shape, dtype))


DTYPE_POSITION = {
    **dict.fromkeys(("ones_like", "zeros_like", "empty_like"), 1),
    **dict.fromkeys(("full_like", "cumsum", "sum", "prod", "mean", "std", "var"), 2),
    **dict.fromkeys(("nansum", "nanmean"), 2),
    "eye": 3,
    "identity": 1,
}
SAMPLED_DTYPE_POSITION = {"normal": 2, "uniform": 2, "randint": 4}


def _asked_by_position(path: str, name: str, arguments: Arguments) -> Value | None:
    """The dtype among the positional arguments of functions of which another one decides else."""
    table = {"jax.numpy": DTYPE_POSITION, "jax.random": SAMPLED_DTYPE_POSITION}
    position = table.get(path.rpartition(".")[0], {}).get(name)
    return None if position is None else arguments.get(position)


Found = tuple[Shape | None, str | None]


def _rule(path: str, name: str) -> Callable[[str, Arguments], Found] | None:
    if path.startswith("jax.random."):
        return _sampled if name in SAMPLES else None
    if path in OTHERWISE:
        return OTHERWISE[path]
    for names, rule in RULES:
        if name in names:
            return rule
    return None


def _sampled(name: str, arguments: Arguments) -> Found:
    position = {"bernoulli": 2}.get(name, 1)
    shape = arguments.get(position, "shape")
    if shape is None:
        return (() if name in ("normal", "uniform") else None), SAMPLES[name]
    return written_shape(shape), SAMPLES[name]


def _filled(name: str, arguments: Arguments) -> Found:
    shape = written_shape(arguments.get(0, "shape"))
    given = arguments.get(2 if name == "full" else 1, "dtype")
    if given is not None and given != NONE:
        return shape, dtype_of(given)
    if name != "full":
        return shape, "float32"
    return shape, _literal_array(arguments.get(1, "fill_value") or TOP)[1]


def _literal(name: str, arguments: Arguments) -> Found:
    given = arguments.get(0, "object", "a") or TOP
    asked = arguments.get(1, "dtype")
    shape, dtype = _literal_array(given)
    if name.startswith("atleast_"):
        return _with_axes(shape, int(name[8])), dtype
    least = arguments.get(4, "ndmin")
    if least is not None:
        count = literals.literal(least)
        shape = _with_axes(shape, count) if isinstance(count, int) else None
    return shape, dtype if asked is None or asked == NONE else dtype_of(asked)


def _with_axes(shape: Shape | None, count: int) -> Shape | None:
    """At least `count` axes: what is missing is put before the others."""
    return None if shape is None else (*(1,) * (count - len(shape)), *shape)


def _literal_array(value: Value, depth: int = DEEPEST_VALUE, room: int = MOST_OF_A_TREE) -> Found:
    """What `jnp.array` makes of numbers, arrays, and lists of them, whose members share the
    `room`."""
    match value:
        case Typed(ArrayArg(_, shape, dtype)):
            return shape, dtype
        case Typed(ScalarArg() as number):
            kind = kind_of_number(number)
            return ((), DEFAULTS[kind]) if kind else (None, None)
        case SequenceValue("tuple" | "list", items) if value.complete and items:
            if not depth or len(items) > room:
                return None, None
            inner = [_literal_array(one, depth - 1, room // len(items)) for one in items]
            shapes = {shape for shape, _ in inner}
            dtype = inner[0][1]
            for _, other in inner[1:]:
                dtype = wider(dtype, other)
            shape = shapes.pop() if len(shapes) == 1 else None
            return (None if shape is None else (len(items), *shape)), dtype
    return None, None


def _range(name: str, arguments: Arguments) -> Found:
    if name in ("linspace", "logspace", "geomspace"):
        given = arguments.get(2, "num")
        count = 50 if given is None else literals.literal(given)
        one = all(shape_of(v) == () for v in arguments.positional[:2])
        return ((count if isinstance(count, int) else None,) if one else None), "float32"
    kinds = [
        _literal_array(one)[1]
        for one in arguments.positional
        if isinstance(one, Typed | SequenceValue)
    ]
    bounds = [literals.literal(one) for one in arguments.positional]
    known = [n for n in bounds if isinstance(n, int)]
    count = len(range(*known)) if known and len(known) == len(bounds) else None
    dtype: str | None = kinds[0] if kinds and len(kinds) == len(bounds) else None
    for other in kinds[1:]:
        dtype = wider(dtype, other)
    return (count,), dtype


def _eye(name: str, arguments: Arguments) -> Found:
    rows = arguments.get(0, "N", "n") or TOP
    columns = (arguments.get(1, "M") if name == "eye" else None) or NONE
    sizes = map(literals.literal, (rows, rows if columns == NONE else columns))
    return tuple(one if isinstance(one, int) else None for one in sizes), "float32"


def _reduction(name: str, arguments: Arguments) -> Found:
    shape, dtype = _literal_array(arguments.get(0, "a") or TOP)
    return reduced(shape, arguments, 1), of_reduction(name, dtype)


def _floating(name: str, arguments: Arguments) -> Found:
    shape, dtype = _literal_array(arguments.get(0) or TOP)
    return shape, "float32" if kind_of(dtype) in ("int", "bool") else dtype


def _same(name: str, arguments: Arguments) -> Found:
    shape, dtype = _same_shape(name, arguments)
    return shape, "int32" if dtype == "bool" and name in ("cumsum", "square") else dtype


def _same_shape(name: str, arguments: Arguments) -> Found:
    if name in ("cumsum", "roll", "sort", "flip") and "axis" not in arguments.keywords:
        shape, dtype = _literal_array(arguments.get(0) or TOP)
        return (shape if shape and len(shape) == 1 else None), dtype
    return _literal_array(arguments.get(0) or TOP)


def _clipped(name: str, arguments: Arguments) -> Found:
    names = (("arr", "a"), ("min", "a_min"), ("max", "a_max"))
    given = [arguments.get(position, *several) for position, several in enumerate(names)]
    sides = [one for one in given if one is not None and one != NONE]
    return broadcast(sides), promoted(sides)


def _tested(name: str, arguments: Arguments) -> Found:
    return _literal_array(arguments.get(0) or TOP)[0], "bool"


def _pairwise(name: str, arguments: Arguments) -> Found:
    if len(arguments.positional) != 2:
        return None, None
    result = operated(PAIRWISE[name], *arguments.positional)
    known = result.argument if isinstance(result, Typed) else None
    return (known.shape, known.dtype) if isinstance(known, ArrayArg) else (None, None)


def _absolute(name: str, arguments: Arguments) -> Found:
    shape, dtype = _literal_array(arguments.get(0) or TOP)
    return shape, part_of(dtype)


def _where(name: str, arguments: Arguments) -> Found:
    if len(arguments.positional) != 3:
        return None, None
    return broadcast(arguments.positional), promoted(arguments.positional[1:])


def _stacked(name: str, arguments: Arguments) -> Found:
    shape, dtype = _literal_array(arguments.get(0, "arrays") or TOP)
    if arguments.get(1, "axis") is not None:
        return (None if shape is None else (None,) * len(shape)), dtype
    return shape, dtype


def _expanded(name: str, arguments: Arguments) -> Found:
    shape, dtype = _literal_array(arguments.get(0, "a") or TOP)
    axis = literals.literal(arguments.get(1, "axis") or TOP)
    if shape is None or not isinstance(axis, int) or not -len(shape) - 1 <= axis <= len(shape):
        return None, dtype
    at = axis % (len(shape) + 1)
    return (*shape[:at], 1, *shape[at:]), dtype


def _concatenated(name: str, arguments: Arguments) -> Found:
    parts = arguments.get(0, "arrays")
    inner = [_literal_array(one) for one in parts.items] if isinstance(parts, SequenceValue) else []
    dtype = inner[0][1] if inner else None
    for _, other in inner[1:]:
        dtype = wider(dtype, other)
    counts = {None if shape is None else len(shape) for shape, _ in inner}
    count = counts.pop() if len(counts) == 1 else None
    if name == "hstack" and count == 0:
        count = 1
    return (None if count is None else (None,) * count), dtype


def _shaped_anew(name: str, arguments: Arguments) -> Found:
    given = arguments.get(0) or TOP
    if not isinstance(given, Typed) or not isinstance(given.argument, ArrayArg):
        return None, None
    turned = method(given.argument, name, arguments.after(1))
    assert isinstance(turned, Typed)
    known = turned.argument
    return (known.shape, known.dtype) if isinstance(known, ArrayArg) else (None, None)


RULES: tuple[tuple[set[str], Callable[[str, Arguments], Found]], ...] = (
    (FILLED, _filled),
    ({"array", "asarray", "atleast_1d", "atleast_2d"}, _literal),
    ({"arange", "linspace", "logspace", "geomspace"}, _range),
    ({"eye", "identity"}, _eye),
    (REDUCTIONS, _reduction),
    (FLOATING, _floating),
    (SAME_OF_ARRAY, _same),
    ({"clip"}, _clipped),
    (TESTS, _tested),
    (set(PAIRWISE), _pairwise),
    ({"abs", "absolute", "real", "imag"}, _absolute),
    ({"where"}, _where),
    ({"stack"}, _stacked),
    ({"expand_dims"}, _expanded),
    ({"concatenate", "hstack"}, _concatenated),
    ({"reshape", "ravel", "transpose"}, _shaped_anew),
)
OTHERWISE: Mapping[str, Callable[[str, Arguments], Found]] = {
    "jax.nn.identity": _same,
    "jax.lax.max": lambda name, arguments: _pairwise("maximum", arguments),
    "jax.lax.min": lambda name, arguments: _pairwise("minimum", arguments),
}
"""Functions that are others than those of their name in `jax.numpy`."""


ARRAY_MAKERS = (
    "jax.numpy.",
    "jax.random.",
    "jax.lax.",
    "jax.nn.",
    "jax.scipy.",
    "jax.ops.",
    "quaxed.numpy.",
)


NOT_ARRAYS = {"shape", "ndim", "size", "dtype", "result_type", "iinfo", "finfo", "issubdtype"}


def _of_array(name: str, arguments: Arguments) -> Value:
    """`jnp.ndim(x)` and the like."""
    if name == "issubdtype":
        return scalar("bool")
    given = arguments.get(0, "a")
    if name not in ("shape", "ndim", "size") or not isinstance(given, Typed):
        return TOP
    if isinstance(given.argument, ArrayArg) and len(arguments.positional) < 2:
        return arrays.attribute(given.argument, name) or TOP
    return TOP


def result(path: str, arguments: Arguments) -> Value | None:
    """What a function of arrays returns, `None` for what is none."""
    if not path.startswith(ARRAY_MAKERS):
        return None
    name = path.rpartition(".")[2]
    return _of_array(name, arguments) if name in NOT_ARRAYS else _made(path, arguments)
