"""What plum would choose, asked without plum: its own types, its pending methods as well.

plum resolves pending methods at the next call. Resolving them earlier pins classes that are defined
again before it (`docs/facts.md#a-method-waits-for-the-next-call`), so the methods are read off to
one side and `plum_jit_lint.dispatch.resolution` orders them, with plum's own answers about types.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from copy import copy
from typing import Any, TypeAlias

from plum import Function
from plum._signature import Signature as PlumSignature
from plum._signature import append_default_args

from plum_jit_lint.dispatch.resolution import Registration, Signature
from plum_jit_lint.limits import MOST_WRAPPERS_OF_METHOD
from plum_jit_lint.runtime.matching import HeldHint
from plum_jit_lint.runtime.methods import identity

Pending: TypeAlias = tuple[Callable[..., Any], PlumSignature | None, int | None]


class Unresolved(Exception):
    """A pending method whose annotations name what is not there yet."""


def resolved(function: Function) -> list[Registration[HeldHint]]:
    """The methods that plum has resolved, in plum's order."""
    return [_registration(m.implementation, [m.signature]) for m in function._resolver.methods]


def pending(one: Pending) -> Registration[HeldHint]:
    """A method that waits in plum's pending list. `Unresolved` when its types are not there yet."""
    method, signature, precedence = one
    try:
        if signature is None:
            with _annotations_kept(method), _without_remarks(method):
                signature = PlumSignature.from_callable(method, precedence=precedence or 0)
                signatures = append_default_args(signature, method)
        else:
            signatures = append_default_args(copy(signature), method)
    except Exception as error:
        raise Unresolved(str(error)) from error
    return _registration(method, signatures)


def may_read_otherwise(one: Pending) -> bool:
    """Whether a pending method may read otherwise later: it has annotations that are strings."""
    method, signature, _ = one
    annotations = getattr(method, "__annotations__", {})
    return signature is None and any(isinstance(one, str) for one in annotations.values())


def _registration(
    method: Callable[..., Any], signatures: list[PlumSignature]
) -> Registration[HeldHint]:
    return Registration(tuple(map(_signature, signatures)), identity(method))


def _signature(signature: PlumSignature) -> Signature[HeldHint]:
    varargs = HeldHint(signature.varargs) if signature.has_varargs else None
    return Signature(tuple(map(HeldHint, signature.types)), varargs, signature.precedence)


def _without_remarks(method: Any) -> contextlib.AbstractContextManager[object]:
    """plum has a remark about most uses of `Annotated`, which it is going to make by itself. Only
    then is it left out here: what the program sees of its own warnings hangs on it."""
    hints = getattr(method, "__annotations__", {}).values()
    if any("Annotated" in (hint if isinstance(hint, str) else repr(hint)) for hint in hints):
        return warnings.catch_warnings(action="ignore")
    return contextlib.nullcontext()


@contextlib.contextmanager
def _annotations_kept(method: Any) -> Iterator[None]:
    """plum replaces string annotations in place; here they are put back."""
    kept = []
    for _ in range(MOST_WRAPPERS_OF_METHOD):
        annotations = getattr(method, "__annotations__", None)
        if isinstance(annotations, dict):
            kept.append((annotations, dict(annotations)))
        method = getattr(method, "__wrapped__", None)
        if method is None:
            break
    try:
        yield
    finally:
        for annotations, old in kept:
            if annotations != old or list(map(id, annotations.values())) != list(
                map(id, old.values())
            ):
                annotations.clear()
                annotations.update(old)
