"""What PJ001 and PJ002 share: the consequences of a decorator stack, and what they say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plum_jit_lint.events import DecoratorStack
from plum_jit_lint.findings import Finding, Message, Place, Related, Severity


@dataclass(frozen=True, slots=True)
class Consequence:
    """What comes of the order of two decorators, and what to do about it."""

    severity: Severity
    text: Message
    advice: str


def decorator_finding(
    event: DecoratorStack,
    code: str,
    name: str,
    order: str,
    consequences: Sequence[Consequence],
    related: tuple[Related, ...] = (),
) -> Finding:
    """A finding that tells all consequences, and what to do about the gravest. `order` is the
    beginning of the sentence."""
    gravest = max(consequences, key=lambda one: one.severity)
    text: list[str | Place] = [order]
    for number, one in enumerate(consequences):
        text += ["; " if number else "", *one.text]
    text.append(f". {gravest.advice}.")
    place, function = event.stack[-1], str(event.function)
    return Finding(code, name, gravest.severity, tuple(text), place, function, related)


def untraceable(event: DecoratorStack) -> Iterator[Consequence]:
    """What comes of parameters that jit cannot trace. Everything that is no array is static for
    `equinox.filter_jit`."""
    if event.statics.non_arrays:
        return
    positional = sum(parameter.position is not None for parameter in event.parameters)
    for parameter in event.parameters:
        if parameter.traceable is False and event.statics.is_static(parameter, positional) is False:
            which = f"every call that passes `{parameter.name}`"
            sentence = (
                f"`{parameter.name}: {parameter.annotation}` cannot be traced and is not "
                f"static: {which if parameter.optional else 'every call'} raises TypeError"
            )
            yield Consequence(
                Severity.WARNING if parameter.optional else Severity.ERROR,
                (sentence,),
                f"Make `{parameter.name}` static, or jit a helper that does not take it",
            )
