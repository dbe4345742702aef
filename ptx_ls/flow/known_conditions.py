"""The conditions that are known to hold, or not to hold, at a place on a path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.compared_numbers import can_hold
from ptx_ls.flow.conditions import ALWAYS
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.flow.compared_numbers import Condition, Literal

_MAX_KNOWN: Final = 8
"""Number of conditions that are known at a time."""


class Known(NamedTuple):
    """The conditions that are known to hold, or not to hold, at a place on a path."""

    facts: tuple[Literal, ...] = ()

    def of(self, condition: Condition) -> bool | None:
        """Returns whether a condition holds, or None."""
        return next((holds for each, holds in self.facts if each == condition), None)

    def adding(self, condition: Condition, *, holds: bool) -> Known | None:
        """Returns this with another fact; None if it contradicts one of these."""
        known = True if condition == ALWAYS else self.of(condition)
        if known is not None:
            return self if known is holds else None
        facts = (*self.facts, (condition, holds))[-_MAX_KNOWN:]
        compared = () if isinstance(condition, int) else condition[2:]
        if not all(can_hold(facts, each) for each in compared if isinstance(each, int)):
            return None
        return Known(facts)

    def adding_all(self, facts: Iterable[Literal]) -> Known | None:
        """Returns this with other facts; None if one contradicts others."""
        known: Known | None = self
        for condition, holds in facts:
            known = known.adding(condition, holds=holds) if known is not None else None
        return known

    def without(self, codes: Iterable[int]) -> Known:
        """Returns this without the facts about some registers."""
        written = {*codes}
        return Known(tuple(each for each in self.facts if written.isdisjoint(_codes(each[0]))))

    @property
    def has_predicate(self) -> bool:
        """Whether one of the facts is about a predicate, which a branch may contradict."""
        return any(isinstance(condition, int) for condition, _ in self.facts)

    @property
    def codes(self) -> set[int]:
        """The registers that the facts are about."""
        return {code for condition, _ in self.facts for code in _codes(condition)}


def _codes(condition: Condition) -> Iterator[int]:
    if isinstance(condition, int):
        yield condition
    else:
        yield from (term for term in condition[2:] if isinstance(term, int))
