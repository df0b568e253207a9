"""numpy: its classes."""

from __future__ import annotations

from collections.abc import Mapping

PREFIX = "numpy."
NDARRAY = "numpy.ndarray"
BOOL = "numpy.bool_"
NUMBER = "numpy.number"

CLASSES: Mapping[str, str] = {
    "numpy.ndarray": "collections.abc.Collection",
    "numpy.generic": "",
    "numpy.bool_": "numpy.generic collections.abc.Hashable",
    "numpy.number": "numpy.generic numbers.Number",
    "numpy.integer": "numpy.number numbers.Integral",
    "numpy.signedinteger": "numpy.integer",
    "numpy.unsignedinteger": "numpy.integer",
    "numpy.inexact": "numpy.number numbers.Complex",
    "numpy.floating": "numpy.inexact numbers.Real",
    "numpy.complexfloating": "numpy.inexact",
    "numpy.int8": "numpy.signedinteger collections.abc.Hashable",
    "numpy.int16": "numpy.signedinteger collections.abc.Hashable",
    "numpy.int32": "numpy.signedinteger collections.abc.Hashable",
    "numpy.int64": "numpy.signedinteger collections.abc.Hashable",
    "numpy.uint8": "numpy.unsignedinteger collections.abc.Hashable",
    "numpy.uint16": "numpy.unsignedinteger collections.abc.Hashable",
    "numpy.uint32": "numpy.unsignedinteger collections.abc.Hashable",
    "numpy.uint64": "numpy.unsignedinteger collections.abc.Hashable",
    "numpy.float16": "numpy.floating collections.abc.Hashable",
    "numpy.float32": "numpy.floating collections.abc.Hashable",
    "numpy.float64": "numpy.floating builtins.float",
    "numpy.complex64": "numpy.complexfloating collections.abc.Hashable",
    "numpy.complex128": "numpy.complexfloating builtins.complex",
    "numpy.character": "numpy.generic",
    "numpy.str_": "numpy.character builtins.str",
    "numpy.bytes_": "numpy.character builtins.bytes",
    "numpy.datetime64": "numpy.generic collections.abc.Hashable",
    "numpy.timedelta64": "numpy.signedinteger collections.abc.Hashable",
}
"""The bases of each class, and the abstract classes that it counts as an instance of."""

ALIASES: Mapping[str, str] = {
    "numpy.bool": "numpy.bool_",
    "numpy.single": "numpy.float32",
    "numpy.double": "numpy.float64",
}
"""Other names of classes."""

NOT_TRACEABLE = {
    *("numpy.character", "numpy.str_", "numpy.bytes_", "numpy.datetime64", "numpy.timedelta64"),
}
"""Classes of which jit takes no object, unless it is static."""

ARRAY_LIKE = "numpy.typing.ArrayLike"
"""The name of a union of which nobody knows all members."""
