"""Shapes and dtypes of arrays: what JAX's functions, methods and operators make of them.

An axis of unknown size is `None`; without a shape not even the number of axes is known. Nothing
is claimed where the rule is not simple.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from plum_jit_lint.knowledge import jax
from plum_jit_lint.static.interpreter import literals
from plum_jit_lint.static.interpreter.values import (
    ELLIPSIS,
    NONE,
    SLICE,
    TOP,
    WHOLE,
    Arguments,
    SequenceValue,
    Symbol,
    Typed,
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
        case Typed(ScalarArg(_, str() as text)):
            return DEFAULTS.get(text) or NAMES.get(text)
    return None


def kind_of_number(argument: ScalarArg) -> str | None:
    """`bool`, `int`, `float` or `complex` for a Python number, else `None`."""
    name = argument.cls.name.removeprefix("builtins.")
    return name if name in KINDS else None


def promoted(sides: Sequence[Value]) -> str | None:
    """The dtype of an operation on arrays and Python numbers, which do not widen an array."""
    arguments = [side.argument if isinstance(side, Typed) else None for side in sides]
    arrays = [one.dtype for one in arguments if isinstance(one, ArrayArg)]
    numbers = [kind_of_number(one) for one in arguments if isinstance(one, ScalarArg)]
    if len(arrays) + len(numbers) != len(sides) or None in numbers or not arrays:
        return None
    result = arrays[0]
    for other in arrays[1:]:
        result = wider(result, other)
    kind = kind_of(result)
    if kind is None or result is None:
        return None
    highest = max([kind, *(n for n in numbers if n)], key=KINDS.index)
    if highest == kind:
        return result
    return "complex128" if (result, highest) == ("float64", "complex") else DEFAULTS[highest]


def wider(a: str | None, b: str | None) -> str | None:
    """The dtype of an operation on arrays of two dtypes; `None` where it is not known."""
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


def shape_of(value: Value) -> Shape | None:
    """The shape of an array or number; `None` where it is not known."""
    match value:
        case Typed(ArrayArg(_, shape)):
            return shape
        case Typed(ScalarArg(cls)) if cls.name.removeprefix("builtins.") in KINDS:
            return ()
    return None


def broadcast(values: Sequence[Value]) -> Shape | None:
    """The shape of an operation on all of them."""
    result: Shape = ()
    for value in values:
        shape = shape_of(value)
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
    if isinstance(value, SequenceValue):
        sizes = [literals.literal(one) for one in value.items]
        return tuple(n if isinstance(n, int) else None for n in sizes) if value.complete else None
    size = literals.literal(value)
    is_number = isinstance(value, Typed) and isinstance(value.argument, ScalarArg)
    return (size if isinstance(size, int) else None,) if is_number else None


def without_axis(value: Value) -> Value:
    """One element along the first axis."""
    match value:
        case Typed(ArrayArg(traced, shape, dtype)):
            return Typed(ArrayArg(traced, shape[1:] if shape else None, dtype))
    return value


def with_axis(value: Value, size: int | None) -> Value:
    """As many of them along a new first axis."""
    match value:
        case Typed(ArrayArg(traced, shape, dtype)):
            return Typed(ArrayArg(traced, None if shape is None else (size, *shape), dtype))
        case SequenceValue():
            return SequenceValue(
                value.kind, [with_axis(one, size) for one in value.items], value.complete
            )
    return value


def length(value: Value) -> int | None:
    """The size of the first axis."""
    match value:
        case Typed(ArrayArg(_, shape)) if shape:
            return shape[0]
        case SequenceValue(items=items) if items:
            return next((n for n in map(length, items) if n is not None), None)
    return None


def indexed(array: ArrayArg, index: Sequence[Value]) -> Value:
    """`array[index]`."""
    if len(index) == 1 and isinstance(index[0], SequenceValue) and index[0].kind == "tuple":
        index = index[0].items
    return Typed(ArrayArg(array.traced, _indexed(array.shape, index), array.dtype))


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
        case Typed(ScalarArg(cls)):
            return cls.name == "builtins.int"
        case Typed(ArrayArg(_, (), dtype)):
            return kind_of(dtype) == "int"
    return False


def reduced(shape: Shape | None, arguments: Arguments, first: int) -> Shape | None:
    """The shape after a reduction, whose `axis` is the argument at `first` or of that name; `None`
    where it is not known."""
    axis = arguments.get(first, "axis")
    if "keepdims" in arguments.keywords or shape is None:
        return None
    if axis is None or axis == NONE:
        return ()
    members = axis.items if isinstance(axis, SequenceValue) and axis.complete else [axis]
    axes = [literals.literal(one) for one in members]
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
            return Typed(ArrayArg(traced, None if shape is None else shape[::-1], dtype))
        case "mT":
            turned = (*shape[:-2], shape[-1], shape[-2]) if shape and len(shape) > 1 else None
            return Typed(ArrayArg(traced, turned, dtype))
        case "real" | "imag":
            return Typed(ArrayArg(traced, shape, part_of(dtype)))
        case "ndim":
            return scalar("int", None if shape is None else len(shape))
        case "size":
            return scalar("int", _size(shape))
        case "nbytes" | "itemsize":
            return scalar("int")
        case "shape" if shape is not None:
            return SequenceValue("tuple", [scalar("int", size) for size in shape])
        case "shape":
            return SequenceValue("tuple", [scalar("int")], complete=False, uniform=True)
        case "dtype" | "sharding" | "device" | "weak_type":
            return Symbol(f"{jax.NUMPY}{dtype}") if name == "dtype" and dtype else TOP
    return None


ATTRIBUTES = {
    *("T", "addressable_data", "addressable_shards", "all", "any", "argmax", "argmin"),
    *("argpartition", "argsort", "astype", "at", "aval", "aval_mutable_qdd", "block_until_ready"),
    *("byteswap", "choose", "clip", "clone", "committed", "compress", "conj", "conjugate"),
    *("copy", "copy_to_host_async", "cumprod", "cumsum", "cur_qdd", "delete", "device"),
    *("device_buffer", "device_buffers", "devices", "diagonal", "dimension_as_value", "dot"),
    *("dtype", "flat", "flatten", "format", "full_lower", "get_const", "get_referent"),
    *("global_shards", "imag", "is_deleted", "is_fully_addressable", "is_fully_replicated"),
    *("is_ready", "item", "itemsize", "layout", "mT", "max", "mean", "min", "mutable_qdd"),
    *("nbytes", "ndim", "nonzero", "on_device_size_in_bytes", "parent", "platform", "prod"),
    *("ptp", "ravel", "real", "repeat", "reshape", "round", "searchsorted", "shape", "sharding"),
    *("size", "sort", "squeeze", "std", "sum", "swapaxes", "take", "to_concrete_value"),
    *("to_device", "tobytes", "tolist", "trace", "traceback", "transpose"),
    *("unsafe_buffer_pointer", "val", "value", "var", "view", "weak_type"),
}
"""What arrays and tracers have, in one version of JAX or another."""


def has(name: str) -> bool | None:
    """Whether arrays have an attribute."""
    if name in ("shape", "dtype", "ndim", "size", "T", "astype", "reshape"):
        return True
    return None if name in ATTRIBUTES or name.startswith("_") else False


def part_of(dtype: str | None) -> str | None:
    """The dtype of the real part, and of the imaginary one."""
    return {"complex64": "float32", "complex128": "float64"}.get(dtype or "", dtype)


REDUCTIONS = {
    *("sum", "prod", "max", "min", "amax", "amin", "mean", "std", "var", "median", "any", "all"),
    *("argmax", "argmin", "nansum", "nanmean", "nanmax", "nanmin", "count_nonzero", "logsumexp"),
}
FLOAT_REDUCTIONS = {"mean", "std", "var", "median", "nanmean", "logsumexp"}
SAME = {"conj", "conjugate", "copy", "block_until_ready", "round", "sort"}


def method(array: ArrayArg, name: str, arguments: Arguments) -> Value:
    """`array.name(...)`."""
    traced, shape, dtype = array.traced, array.shape, array.dtype
    if name in ("item", "tolist"):
        return TOP
    if name in REDUCTIONS:
        return Typed(ArrayArg(traced, reduced(shape, arguments, 0), of_reduction(name, dtype)))
    if name == "astype":
        return Typed(ArrayArg(traced, shape, dtype_of(arguments.get(0, "dtype"))))
    if name in ("ravel", "flatten"):
        return Typed(ArrayArg(traced, (_size(shape),), dtype))
    if name == "reshape":
        given = arguments.positional
        wanted = given[0] if len(given) == 1 else SequenceValue("tuple", given)
        return Typed(ArrayArg(traced, _reshaped(shape, written_shape(wanted)), dtype))
    if name == "transpose" and not arguments.positional:
        return Typed(ArrayArg(traced, None if shape is None else shape[::-1], dtype))
    if name in SAME and not arguments.keywords:
        return Typed(ArrayArg(traced, shape, dtype))
    if name == "cumsum" and not arguments.values():
        counted = "int32" if dtype == "bool" else dtype
        return Typed(ArrayArg(traced, shape if shape and len(shape) == 1 else None, counted))
    if name == "clip":
        sides = [Typed(array), *(one for one in arguments.values() if one != NONE)]
        return Typed(ArrayArg(traced, broadcast(sides), promoted(sides)))
    return Typed(ArrayArg(traced))


def of_reduction(name: str, dtype: str | None) -> str | None:
    """The dtype that the reduction `name` gives; `None` where it is not known."""
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
    sides = [side.argument for side in (left, right) if isinstance(side, Typed)]
    arrays = [side for side in sides if isinstance(side, ArrayArg)]
    if not arrays:
        return None
    traced = any(side.traced for side in arrays)
    if operator == "@":
        return Typed(ArrayArg(traced, _product(left, right), promoted([left, right])))
    shape = broadcast([left, right])
    if operator in COMPARING:
        return Typed(ArrayArg(traced, shape, "bool"))
    dtype = promoted([left, right])
    if operator == "/" and kind_of(dtype) in ("int", "bool"):
        dtype = "float32"
    if operator in ("**", "<<", ">>", "//", "%", "-", "*") and dtype == "bool":
        dtype = None
    return Typed(ArrayArg(traced, shape, dtype))


def _product(left: Value, right: Value) -> Shape | None:
    a, b = shape_of(left), shape_of(right)
    if not a or not b or len(a) > 2 or len(b) > 2:
        return None
    return (*a[:-1], *(b[1:] if len(b) == 2 else ()))
