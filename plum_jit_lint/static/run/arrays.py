"""Shapes and dtypes of arrays: what JAX's functions, methods and operators make of them.

An axis of unknown size is `None`; without a shape not even the number of axes is known. Nothing
is claimed where the rule is not simple.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from plum_jit_lint.static.run import operators
from plum_jit_lint.static.run.values import (
    ELLIPSIS,
    NONE,
    SLICE,
    UNKNOWN,
    WHOLE,
    Arguments,
    Data,
    Items,
    Symbol,
    Value,
    scalar,
)
from plum_jit_lint.static.types.hints import ArrayArg, ScalarArg, Shape

# -- dtypes ----------------------------------------------------------------------------------

DEFAULTS = {"bool": "bool", "int": "int32", "float": "float32", "complex": "complex64"}
KINDS = ("bool", "int", "float", "complex")
NAMES = {
    "bool_": "bool",
    **{name: name for name in ("bool", "int8", "int16", "int32", "int64", "bfloat16")},
    **{f"uint{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{name: name for name in ("float16", "float32", "float64", "complex64", "complex128")},
    "float_": "float32",
    "int_": "int32",
}


def kind_of(dtype: str | None) -> str | None:
    """`float` of `float32`; `None` for what does not mix simply."""
    name = (dtype or "").rstrip("0123456789")
    return name if name in KINDS else None


def dtype_of(value: Value | None) -> str | None:
    """The dtype that `dtype=value` asks for."""
    match value:
        case Symbol(path):
            owner, _, name = path.rpartition(".")
            return DEFAULTS.get(name) if owner == "builtins" else NAMES.get(name)
        case Data(ScalarArg(_, str() as text)):
            return DEFAULTS.get(text) or NAMES.get(text)
    return None


def _kind_of_number(argument: ScalarArg) -> str | None:
    name = argument.cls.name.removeprefix("builtins.")
    return name if name in KINDS else None


def promoted(sides: Sequence[Value]) -> str | None:
    """The dtype of an operation on arrays and Python numbers, which do not widen an array."""
    arguments = [side.argument if isinstance(side, Data) else None for side in sides]
    arrays = [one.dtype for one in arguments if isinstance(one, ArrayArg)]
    numbers = [_kind_of_number(one) for one in arguments if isinstance(one, ScalarArg)]
    if len(arrays) + len(numbers) != len(sides) or None in numbers or not arrays:
        return None
    result = arrays[0]
    for other in arrays[1:]:
        result = _wider(result, other)
    kind = kind_of(result)
    if kind is None or result is None:
        return None
    highest = max([kind, *(n for n in numbers if n)], key=KINDS.index)
    if highest == kind:
        return result
    return "complex128" if (result, highest) == ("float64", "complex") else DEFAULTS[highest]


def _wider(a: str | None, b: str | None) -> str | None:
    if a == b:
        return a
    kinds = (kind_of(a), kind_of(b))
    if a is None or b is None or None in kinds:
        return None
    if kinds[0] == kinds[1]:
        return max(a, b, key=lambda name: int(name.lstrip("abcdefghijklmnopqrstuvwxyz")))
    low, high = sorted((a, b), key=lambda name: KINDS.index(kind_of(name) or ""))
    return "complex128" if (low, high) == ("float64", "complex64") else high


# -- shapes ----------------------------------------------------------------------------------


def _shape_of(value: Value) -> Shape | None:
    match value:
        case Data(ArrayArg(_, shape)):
            return shape
        case Data(ScalarArg(cls)) if cls.name.removeprefix("builtins.") in KINDS:
            return ()
    return None


def broadcast(values: Sequence[Value]) -> Shape | None:
    """The shape of an operation on all of them."""
    result: Shape = ()
    for value in values:
        shape = _shape_of(value)
        if shape is None:
            return None
        longest = max(len(result), len(shape))
        a, b = (1,) * (longest - len(result)) + result, (1,) * (longest - len(shape)) + shape
        result = tuple(
            n if m == 1 else m if n == 1 or n == m else (m or n) for m, n in zip(a, b, strict=True)
        )
    return result


def written_shape(value: Value | None) -> Shape | None:
    """The shape that an argument `shape=value` says."""
    if value is None:
        return None
    if isinstance(value, Items):
        sizes = [operators.literal(one) for one in value.items]
        return tuple(n if isinstance(n, int) else None for n in sizes) if value.complete else None
    size = operators.literal(value)
    is_number = isinstance(value, Data) and isinstance(value.argument, ScalarArg)
    return (size if isinstance(size, int) else None,) if is_number else None


def without_axis(value: Value) -> Value:
    """One element along the first axis."""
    match value:
        case Data(ArrayArg(traced, shape, dtype)):
            return Data(ArrayArg(traced, shape[1:] if shape else None, dtype))
    return value


def with_axis(value: Value, size: int | None) -> Value:
    """As many of them along a new first axis."""
    match value:
        case Data(ArrayArg(traced, shape, dtype)):
            return Data(ArrayArg(traced, None if shape is None else (size, *shape), dtype))
        case Items():
            return Items(value.kind, [with_axis(one, size) for one in value.items], value.complete)
    return value


def length(value: Value) -> int | None:
    """The size of the first axis."""
    match value:
        case Data(ArrayArg(_, shape)) if shape:
            return shape[0]
        case Items(items=items) if items:
            return next((n for n in map(length, items) if n is not None), None)
    return None


def indexed(array: ArrayArg, index: Sequence[Value]) -> Value:
    """`array[index]`."""
    if len(index) == 1 and isinstance(index[0], Items) and index[0].kind == "tuple":
        index = index[0].items
    return Data(ArrayArg(array.traced, _indexed(array.shape, index), array.dtype))


def _indexed(shape: Shape | None, index: Sequence[Value]) -> Shape | None:
    if shape is None:
        return None
    taken = sum(one not in (NONE, ELLIPSIS) for one in index)
    if taken > len(shape):
        return None
    left = list(shape)
    found: list[int | None] = []
    for one in index:
        if one == NONE:
            found.append(1)
        elif one == ELLIPSIS:
            rest = len(shape) - taken
            found += left[:rest]
            del left[:rest]
        elif one == WHOLE:
            found.append(left.pop(0))
        elif one == SLICE:
            found.append(None)
            left.pop(0)
        elif _is_position(one):
            left.pop(0)
        else:
            return None
    return (*found, *left)


def _is_position(value: Value) -> bool:
    match value:
        case Data(ScalarArg(cls)):
            return cls.name == "builtins.int"
        case Data(ArrayArg(_, (), dtype)):
            return kind_of(dtype) == "int"
    return False


def _reduced(shape: Shape | None, arguments: Arguments, first: int) -> Shape | None:
    axis = arguments.get(first, "axis")
    if "keepdims" in arguments.keywords or shape is None:
        return None
    if axis is None or axis == NONE:
        return ()
    members = axis.items if isinstance(axis, Items) and axis.complete else [axis]
    axes = [operators.literal(one) for one in members]
    gone = {n + len(shape) if n < 0 else n for n in axes if isinstance(n, int)}
    if len(gone) != len(axes):
        return None
    return tuple(size for number, size in enumerate(shape) if number not in gone)


def _reshaped(shape: Shape | None, wanted: Shape | None) -> Shape | None:
    """A size of -1 takes what is left."""
    if wanted is None or -1 not in wanted:
        return wanted
    size = _size(shape)
    others = _size(tuple(n for n in wanted if n != -1))
    left = size // others if size is not None and others else None
    return tuple(left if n == -1 else n for n in wanted)


def _size(shape: Shape | None) -> int | None:
    known = [n for n in shape or () if n is not None]
    return math.prod(known) if shape is not None and len(known) == len(shape) else None


# -- attributes and methods ------------------------------------------------------------------


def attribute(array: ArrayArg, name: str) -> Value | None:
    """`array.name`, where it is no method."""
    traced, shape, dtype = array.traced, array.shape, array.dtype
    match name:
        case "T":
            return Data(ArrayArg(traced, None if shape is None else shape[::-1], dtype))
        case "mT":
            turned = (*shape[:-2], shape[-1], shape[-2]) if shape and len(shape) > 1 else None
            return Data(ArrayArg(traced, turned, dtype))
        case "real" | "imag":
            return Data(ArrayArg(traced, shape, _part_of(dtype)))
        case "ndim":
            return scalar("int", None if shape is None else len(shape))
        case "size":
            return scalar("int", _size(shape))
        case "nbytes" | "itemsize":
            return scalar("int")
        case "shape" if shape is not None:
            return Items("tuple", [scalar("int", size) for size in shape])
        case "shape":
            return Items("tuple", [scalar("int")], complete=False, alike=True)
        case "dtype" | "sharding" | "device" | "weak_type":
            return Symbol(f"jax.numpy.{dtype}") if name == "dtype" and dtype else UNKNOWN
    return None


def _part_of(dtype: str | None) -> str | None:
    return {"complex64": "float32", "complex128": "float64"}.get(dtype or "", dtype)


REDUCTIONS = {
    *("sum", "prod", "max", "min", "amax", "amin", "mean", "std", "var", "median", "any", "all"),
    *("argmax", "argmin", "nansum", "nanmean", "nanmax", "nanmin", "count_nonzero", "logsumexp"),
}
FLOAT_REDUCTIONS = {"mean", "std", "var", "median", "nanmean", "logsumexp"}
SAME = {"conj", "conjugate", "copy", "block_until_ready", "clip", "round", "cumsum", "sort"}


def method(array: ArrayArg, name: str, arguments: Arguments) -> Value:
    """`array.name(...)`."""
    traced, shape, dtype = array.traced, array.shape, array.dtype
    if name in ("item", "tolist"):
        return UNKNOWN
    if name in REDUCTIONS:
        return Data(ArrayArg(traced, _reduced(shape, arguments, 0), _of_reduction(name, dtype)))
    if name == "astype":
        return Data(ArrayArg(traced, shape, dtype_of(arguments.get(0, "dtype"))))
    if name in ("ravel", "flatten"):
        return Data(ArrayArg(traced, (_size(shape),), dtype))
    if name == "reshape":
        given = arguments.positional
        wanted = given[0] if len(given) == 1 else Items("tuple", given)
        return Data(ArrayArg(traced, _reshaped(shape, written_shape(wanted)), dtype))
    if name == "transpose" and not arguments.positional:
        return Data(ArrayArg(traced, None if shape is None else shape[::-1], dtype))
    if name in SAME and not arguments.keywords:
        return Data(ArrayArg(traced, shape, dtype))
    return Data(ArrayArg(traced))


def _of_reduction(name: str, dtype: str | None) -> str | None:
    kind = kind_of(dtype)
    if name in ("any", "all"):
        return "bool"
    if name in ("argmax", "argmin", "count_nonzero"):
        return "int32"
    if name in FLOAT_REDUCTIONS:
        return dtype if kind == "float" else "float32" if kind in ("int", "bool") else None
    if name in ("max", "min", "amax", "amin", "nanmax", "nanmin"):
        return dtype
    return dtype if kind in ("float", "complex") else "int32" if kind else None


# -- operators -------------------------------------------------------------------------------

COMPARING = ("<", "<=", ">", ">=", "==", "!=")


def operated(operator: str, left: Value, right: Value) -> Value | None:
    """`left operator right` where one of them is an array."""
    sides = [side.argument for side in (left, right) if isinstance(side, Data)]
    arrays = [side for side in sides if isinstance(side, ArrayArg)]
    if not arrays:
        return None
    traced = any(side.traced for side in arrays)
    if operator == "@":
        return Data(ArrayArg(traced, _product(left, right), promoted([left, right])))
    shape = broadcast([left, right])
    if operator in COMPARING:
        return Data(ArrayArg(traced, shape, "bool"))
    dtype = promoted([left, right])
    if operator == "/" and kind_of(dtype) in ("int", "bool"):
        dtype = "float32"
    if operator in ("**", "<<", ">>", "//", "%", "-", "*") and dtype == "bool":
        dtype = None
    return Data(ArrayArg(traced, shape, dtype))


def _product(left: Value, right: Value) -> Shape | None:
    a, b = _shape_of(left), _shape_of(right)
    if not a or not b or len(a) > 2 or len(b) > 2:
        return None
    return (*a[:-1], *(b[1:] if len(b) == 2 else ()))


# -- functions -------------------------------------------------------------------------------

FLOATING = {
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "exp", "exp2"),
    *("expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "deg2rad", "rad2deg", "sigmoid"),
    *("softplus", "softmax", "gelu", "silu", "rsqrt", "erf", "logistic"),
}
SAME_OF_ARRAY = {
    *("negative", "positive", "square", "sign", "floor", "ceil", "conj", "conjugate", "cumsum"),
    *("sort", "flip", "roll", "nan_to_num", "relu", "copy", "ones_like", "zeros_like", "clip"),
    *("stop_gradient", "fliplr", "flipud", "round", "rint", "full_like", "empty_like"),
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


def made(path: str, arguments: Arguments) -> Value:
    """What a function of `jax.numpy`, `jax.random` and the like returns."""
    name = path.rpartition(".")[2]
    known = (v.argument for v in arguments.values() if isinstance(v, Data))
    traced = any(isinstance(a, ArrayArg) and a.traced for a in known)
    shape, dtype = None, None
    rule = _rule(path, name)
    if rule is not None and not arguments.open:
        shape, dtype = rule(name, arguments)
    asked = arguments.keywords.get("dtype")
    if asked is not None and asked != NONE:
        dtype = dtype_of(asked)
    return Data(ArrayArg(traced, shape, dtype))


Found = tuple[Shape | None, str | None]


def _rule(path: str, name: str) -> Callable[[str, Arguments], Found] | None:
    if path.startswith("jax.random."):
        return _sampled if name in SAMPLES else None
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
    return shape, _literal_array(arguments.get(1, "fill_value") or UNKNOWN)[1]


def _literal(name: str, arguments: Arguments) -> Found:
    given = arguments.get(0, "object", "a") or UNKNOWN
    asked = arguments.get(1, "dtype")
    shape, dtype = _literal_array(given)
    if name.startswith("atleast_"):
        count = int(name[8])
        return (shape if shape is not None and len(shape) >= count else None), dtype
    return shape, dtype if asked is None or asked == NONE else dtype_of(asked)


def _literal_array(value: Value) -> Found:
    """What `jnp.array` makes of numbers, arrays, and lists of them."""
    match value:
        case Data(ArrayArg(_, shape, dtype)):
            return shape, dtype
        case Data(ScalarArg() as number):
            kind = _kind_of_number(number)
            return ((), DEFAULTS[kind]) if kind else (None, None)
        case Items(items=items) if value.complete and items and value.kind != "set":
            inner = [_literal_array(one) for one in items]
            shapes = {shape for shape, _ in inner}
            dtype = inner[0][1]
            for _, other in inner[1:]:
                dtype = _wider(dtype, other)
            shape = shapes.pop() if len(shapes) == 1 else None
            return (None if shape is None else (len(items), *shape)), dtype
    return None, None


def _range(name: str, arguments: Arguments) -> Found:
    if name in ("linspace", "logspace", "geomspace"):
        given = arguments.get(2, "num")
        count = 50 if given is None else operators.literal(given)
        one = all(_shape_of(v) == () for v in arguments.positional[:2])
        return ((count if isinstance(count, int) else None,) if one else None), "float32"
    kinds = [
        _literal_array(one)[1] for one in arguments.positional if isinstance(one, Data | Items)
    ]
    bounds = [operators.literal(one) for one in arguments.positional]
    known = [n for n in bounds if isinstance(n, int)]
    count = len(range(*known)) if known and len(known) == len(bounds) else None
    dtype: str | None = kinds[0] if kinds and len(kinds) == len(bounds) else None
    for other in kinds[1:]:
        dtype = _wider(dtype, other)
    return (count,), dtype


def _eye(name: str, arguments: Arguments) -> Found:
    size = operators.literal(arguments.get(0, "N", "n") or UNKNOWN)
    known = size if isinstance(size, int) else None
    return ((known, known), "float32") if len(arguments.positional) == 1 else (None, None)


def _reduction(name: str, arguments: Arguments) -> Found:
    shape, dtype = _literal_array(arguments.get(0, "a") or UNKNOWN)
    return _reduced(shape, arguments, 1), _of_reduction(name, dtype)


def _floating(name: str, arguments: Arguments) -> Found:
    shape, dtype = _literal_array(arguments.get(0) or UNKNOWN)
    return shape, "float32" if kind_of(dtype) in ("int", "bool") else dtype


def _same(name: str, arguments: Arguments) -> Found:
    if name in ("cumsum", "roll", "sort", "flip") and "axis" not in arguments.keywords:
        shape, dtype = _literal_array(arguments.get(0) or UNKNOWN)
        return (shape if shape and len(shape) == 1 else None), dtype
    return _literal_array(arguments.get(0) or UNKNOWN)


def _tested(name: str, arguments: Arguments) -> Found:
    return _literal_array(arguments.get(0) or UNKNOWN)[0], "bool"


def _pairwise(name: str, arguments: Arguments) -> Found:
    if len(arguments.positional) != 2:
        return None, None
    result = operated(PAIRWISE[name], *arguments.positional)
    known = result.argument if isinstance(result, Data) else None
    return (known.shape, known.dtype) if isinstance(known, ArrayArg) else (None, None)


def _absolute(name: str, arguments: Arguments) -> Found:
    shape, dtype = _literal_array(arguments.get(0) or UNKNOWN)
    return shape, _part_of(dtype)


def _where(name: str, arguments: Arguments) -> Found:
    if len(arguments.positional) != 3:
        return None, None
    return broadcast(arguments.positional), promoted(arguments.positional[1:])


def _stacked(name: str, arguments: Arguments) -> Found:
    shape, dtype = _literal_array(arguments.get(0, "arrays") or UNKNOWN)
    if arguments.get(1, "axis") is not None:
        return (None if shape is None else (None,) * len(shape)), dtype
    return shape, dtype


def _concatenated(name: str, arguments: Arguments) -> Found:
    parts = arguments.get(0, "arrays")
    inner = [_literal_array(one) for one in parts.items] if isinstance(parts, Items) else []
    dtype = inner[0][1] if inner else None
    for _, other in inner[1:]:
        dtype = _wider(dtype, other)
    counts = {None if shape is None else len(shape) for shape, _ in inner}
    count = counts.pop() if len(counts) == 1 else None
    return (None if count is None else (None,) * count), dtype


def _shaped_anew(name: str, arguments: Arguments) -> Found:
    given = arguments.get(0) or UNKNOWN
    if not isinstance(given, Data) or not isinstance(given.argument, ArrayArg):
        return None, None
    turned = method(given.argument, name, arguments.after(1))
    assert isinstance(turned, Data)
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
    (TESTS, _tested),
    (set(PAIRWISE), _pairwise),
    ({"abs", "absolute", "real", "imag"}, _absolute),
    ({"where"}, _where),
    ({"stack"}, _stacked),
    ({"concatenate", "hstack"}, _concatenated),
    ({"reshape", "ravel", "transpose"}, _shaped_anew),
)
