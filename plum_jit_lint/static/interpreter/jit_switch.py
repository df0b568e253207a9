"""JAX's switch for jit: what it may be set to, by the branch that ran."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plum_jit_lint.events import SURELY, PathCondition, exclude_each_other, implied_by


@dataclass(frozen=True, slots=True)
class Setting:
    """What was written to a setting and in which branches, the latest last: each time the values
    that it may be."""

    written: tuple[tuple[PathCondition, frozenset[bool | None]], ...]

    def set(self, when: PathCondition, values: frozenset[bool | None]) -> Setting:
        """The setting after it was set to one of `values` in some branches."""
        stays = [one for one in self.written if not when <= one[0]]
        return Setting((*stays, (when, values)))

    def values(self, path: PathCondition) -> frozenset[bool | None]:
        """What it may be in a branch."""
        found: frozenset[bool | None] = frozenset()
        later: list[PathCondition] = []
        for when, values in reversed(self.written):
            if exclude_each_other(when, path) or implied_by(later, path | when):
                continue
            found |= values
            later.append(when)
            if when <= path:
                break
        return found


_NOT_HELD = Setting(((SURELY, frozenset({None})),))
_ON = Setting(((SURELY, frozenset({False})),))


@dataclass(frozen=True, slots=True)
class JitSwitch:
    """Whether jit is switched off: by a context manager (`held`, `None` outside of any), and
    otherwise by the configuration."""

    held: Setting = _NOT_HELD
    configured: Setting = _ON

    def hold(self, when: PathCondition, off: frozenset[bool | None]) -> JitSwitch:
        """In a context manager that switches jit off or on."""
        return replace(self, held=self.held.set(when, off))

    def configure(self, when: PathCondition, off: frozenset[bool | None]) -> JitSwitch:
        """After the configuration has been changed."""
        return replace(self, configured=self.configured.set(when, off))

    def is_off(self, path: PathCondition) -> bool | None:
        """Whether jit is off in a branch, `None` where it may be."""
        values = self.held.values(path)
        if None in values:
            values = (values - {None}) | self.configured.values(path)
        return next(iter(values)) if len(values) == 1 else None
