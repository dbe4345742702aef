"""Finds which comparisons hold before and after an instruction that writes registers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ptx_ls.flow.conditions import copies, limit, meanings, with_copy

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ptx_ls.flow.compared_numbers import Literal
    from ptx_ls.flow.conditions import Copy, Meaning
    from ptx_ls.flow.known_conditions import Known
    from ptx_ls.flow.registers.register_chain import Write
    from ptx_ls.flow.registers.register_uses import RegisterUses
    from ptx_ls.flow.registers.use_index import UseIndex
    from ptx_ls.semantics.symbols.region_text import Found


class NamedUses(Protocol):
    """The parts of `FunctionFlow` that say which instruction and register a use is of."""

    @property
    def uses(self) -> RegisterUses:
        """All uses of registers in the function."""

    @property
    def index(self) -> UseIndex:
        """Finds uses by instruction."""

    def statement(self, use: int) -> Found:
        """Returns the instruction of a use."""

    def name_of(self, use: int) -> str:
        """Returns the name of the register of a use."""


class WriteComparisons:
    """The comparisons that instructions of one function make or copy, each read once."""

    def __init__(self, flow: NamedUses) -> None:
        self._flow = flow
        self._meanings: dict[int, Mapping[int, Meaning]] = {}
        self._copies: dict[int, tuple[Copy, ...]] = {}
        self._limits: dict[int, tuple[Literal, ...]] = {}

    def meanings_of(self, write: Write) -> Mapping[int, Meaning]:
        """Returns what each predicate that an instruction writes means."""
        if write.use not in self._meanings:
            statement = self._flow.statement(write.use)
            self._meanings[write.use] = meanings(statement, self._names_in(write))
        return self._meanings[write.use]

    def copies_of(self, write: Write) -> tuple[Copy, ...]:
        """Returns which registers an instruction may copy."""
        if write.use not in self._copies:
            statement = self._flow.statement(write.use)
            self._copies[write.use] = copies(statement, self._names_in(write))
        return self._copies[write.use]

    def limits_of(self, write: Write) -> tuple[Literal, ...]:
        """Returns what surely holds of the result of an instruction."""
        if write.use not in self._limits:
            found = limit(self._flow.statement(write.use), self._names_in(write))
            self._limits[write.use] = () if found is None else (found,)
        return self._limits[write.use]

    def _names_in(self, write: Write) -> dict[str, int]:
        flow = self._flow
        return {
            flow.name_of(each): flow.uses.codes[each] for each in flow.index.statement(write.use)
        }


def before_copy(left: Known, compared: Iterable[Literal], copy: Copy) -> Known | None:
    """Returns what is known before a copy after which some comparisons hold, or do not."""
    facts = () if copy.condition is None else (copy.condition,)
    case = left.adding_all(facts)
    for condition, holds in compared:
        if case is None or isinstance(condition, int):
            continue
        before = with_copy(condition, copy)
        if isinstance(before, bool):
            case = case if before is holds else None
        elif before is not None:
            case = case.adding(before, holds=holds)
    return case
