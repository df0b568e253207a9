"""Whether an array has the dtype and the shape that a jaxtyping annotation asks for."""

from __future__ import annotations

import re

from plum_jit_lint.static.types.answers import all_of
from plum_jit_lint.static.types.hints import ArrayArg, JaxtypedHint, Shape

_KINDS = {
    "bool": "Bool",
    **{f"int{bits}": "Int" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": "UInt" for bits in (8, 16, 32, 64)},
    **dict.fromkeys(("float16", "float32", "float64", "bfloat16"), "Float"),
    **{f"complex{bits}": "Complex" for bits in (64, 128)},
}

_FAMILIES = {
    "Integer": {"Int", "UInt"},
    "Real": {"Int", "UInt", "Float"},
    "Inexact": {"Float", "Complex"},
    "Num": {"Int", "UInt", "Float", "Complex"},
    **{kind: {kind} for kind in ("Bool", "Int", "UInt", "Float", "Complex", "Key")},
}

_PLAIN_DIMENSION = re.compile(r"(?:[A-Za-z]\w*=)?(#?)(\d+|[A-Za-z]\w*)")


def fits(hint: JaxtypedHint, argument: ArrayArg) -> bool | None:
    """Whether dtype and shape of an array are those of the annotation, as far as they are known."""
    dtype = _dtype_fits(hint.dtype, argument.dtype)
    return all_of((dtype, _shape_fits(hint.shape, argument.shape)))


def _dtype_fits(wanted: str, dtype: str | None) -> bool | None:
    if wanted == "Shaped":
        return True
    kind = _KINDS.get(dtype or "")
    if kind is None:
        return None
    if wanted in _FAMILIES:
        return kind in _FAMILIES[wanted]
    return wanted.lower() == dtype if wanted.lower() in _KINDS else None


def _shape_fits(spec: str, shape: Shape | None) -> bool | None:
    dimensions = spec.split()
    variadic = [i for i, d in enumerate(dimensions) if d == "..." or d.startswith("*")]
    if len(variadic) > 1:
        return None
    if variadic and len(dimensions) == 1:
        return True
    if shape is None:
        return None
    if variadic:
        if len(shape) < len(dimensions) - 1:
            return False
        (start,) = variadic
        stop = start + len(shape) - (len(dimensions) - 1)
        dimensions = dimensions[:start] + dimensions[start + 1 :]
        shape = shape[:start] + shape[stop:]
    if len(shape) != len(dimensions):
        return False
    sizes: dict[str, int] = {}
    return all_of(_size_fits(d, n, sizes) for d, n in zip(dimensions, shape, strict=True))


def _size_fits(dimension: str, size: int | None, sizes: dict[str, int]) -> bool | None:
    """`sizes` holds what the names stand for so far."""
    if dimension.startswith("_"):
        return True
    plain = _PLAIN_DIMENSION.fullmatch(dimension)
    if plain is None:
        return None
    broadcast, wanted = plain.groups()
    if size is None:
        return None if broadcast or wanted.isdigit() or wanted in sizes else True
    if broadcast and size == 1:
        return True
    return size == (int(wanted) if wanted.isdigit() else sizes.setdefault(wanted, size))
