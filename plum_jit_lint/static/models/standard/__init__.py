"""The standard library."""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.static.models.common import Handler
from plum_jit_lint.static.models.standard import (
    iterables,
    loading,
    objects,
    paths,
    running,
    scalars,
    types,
    wrappers,
)

HANDLERS: Mapping[str, Handler] = {
    **wrappers.HANDLERS,
    **scalars.HANDLERS,
    **types.HANDLERS,
    **running.HANDLERS,
    **iterables.HANDLERS,
    **objects.HANDLERS,
    **loading.HANDLERS,
    **paths.HANDLERS,
}
