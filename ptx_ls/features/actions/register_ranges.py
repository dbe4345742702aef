"""Between `.reg .b32 %r<4>;` and the names of its registers one by one.

Source: PTX ISA, "Parameterized Variable Names".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.document.statements import statement_at
from ptx_ls.features.actions.action import Action, ActionKind, edit_once
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.source import Range
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.literals import INTEGER, integer
from ptx_ls.syntax.names import NAME_CHARACTERS
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.statement import Statement

_MAX_LISTED_NAMES: Final = 64
"""Names that are worth a list."""
_DECLARATOR: Final = rf"{NAME_CHARACTERS}(?:\s*+<\s*+(?:{INTEGER})\s*+>)?"
_DECLARATION: Final = re.compile(
    r"(?P<head>\.reg(?:\s++\.\w++(?:\s++\d++)?)+)\s++"
    rf"(?P<names>{_DECLARATOR}(?:\s*+,\s*+{_DECLARATOR})*)\s*+;",
    re.ASCII,
).fullmatch
_NAME: Final = re.compile(rf"({NAME_CHARACTERS})(?:\s*+<\s*+({INTEGER})\s*+>)?", re.ASCII).finditer
_NUMBERED: Final = re.compile(r"(.*\D)(0|[1-9]\d{0,8})", re.ASCII).fullmatch


class RegisterName(NamedTuple):
    """A name in a declaration; `count` is N of `%r<N>`, None for a single name."""

    name: str
    count: int | None  # type: ignore[assignment]  # hides tuple.count, which nobody needs

    def __str__(self) -> str:
        return self.name if self.count is None else f"{self.name}<{self.count}>"


def read_registers(text: str) -> tuple[str, list[RegisterName]] | None:
    """`.reg` with its type, and the names behind it; None for anything else, or with comments."""
    match = _DECLARATION(text)
    if match is None:
        return None
    names = [
        RegisterName(it[1], integer(it[2]) if it[2] is not None else None)
        for it in _NAME(match["names"])
    ]
    return " ".join(match["head"].split()), names


def actions(analysis: Analysis, selection: Range) -> Iterator[Action]:
    """Ways to write the declaration of registers at the cursor."""
    statement = statement_at(analysis.document, selection.start)
    if statement is None or statement.record.kind is not Kind.DECLARATION:
        return
    read = read_registers(statement.text)
    is_local = analysis.function_at(statement.start) is not None
    if read is None or not is_local or has_duplicates(analysis, statement):
        return
    head, names = read
    yield from _expansion(statement, head, names)
    contracted = _contracted(names)
    if contracted != names and not _is_taken(analysis, statement, contracted, names):
        shown = ", ".join(f"`{it}`" for it in contracted if it not in names)
        yield _rewrite(statement, f"Contract to {shown}", f"{head} {_listed(contracted)};")


def _expansion(statement: Statement, head: str, names: list[RegisterName]) -> Iterator[Action]:
    ranges = [it for it in names if it.count]
    if not ranges:
        return
    title = f"Expand {', '.join(f'`{it}`' for it in ranges)} to single names"
    n_names = sum(it.count or 0 for it in ranges)
    if n_names > _MAX_LISTED_NAMES:
        reason = f"{n_names:,} names are too many to list"
        yield Action(title, ActionKind.REWRITE, list, disabled=reason)
        return
    single = [
        each
        for it in names
        for each in (
            [RegisterName(f"{it.name}{number}", None) for number in range(it.count)]
            if it.count
            else [it]
        )
    ]
    yield _rewrite(statement, title, f"{head} {_listed(single)};")


def _rewrite(statement: Statement, title: str, text: str) -> Action:
    place = Range(statement.start, statement.end)
    return Action(title, ActionKind.REWRITE, edit_once(place, text))


def _listed(names: list[RegisterName]) -> str:
    return ", ".join(map(str, names))


def _contracted(names: list[RegisterName]) -> list[RegisterName]:
    """The names with each run `%r0`, `%r1`, ... as a range, where the first of them stood."""
    numbers: dict[str, set[int]] = {}
    for name, count in names:
        match = _NUMBERED(name) if count is None else None
        if match is not None:
            numbers.setdefault(match[1], set()).add(decimal(match[2]))
    known = {it.name for it in names if it.count is not None}
    whole = {
        stem: len(found)
        for stem, found in numbers.items()
        if len(found) > 1 and max(found) == len(found) - 1 and stem not in known
    }
    result: list[RegisterName] = []
    for each in names:
        match = _NUMBERED(each.name) if each.count is None else None
        if match is None or match[1] not in whole:
            result.append(each)
        elif RegisterName(match[1], whole[match[1]]) not in result:
            result.append(RegisterName(match[1], whole[match[1]]))
    return result


def _is_taken(
    analysis: Analysis, statement: Statement, new: list[RegisterName], old: list[RegisterName]
) -> bool:
    """Whether the scope has a range already that a new one would be declared beside."""
    ranges = analysis.scope_at(statement.start).ranges
    return any(it.name in ranges for it in new if it not in old)


def has_duplicates(analysis: Analysis, statement: Statement) -> bool:
    """Whether a name of the function around a statement is declared twice in its scope."""
    facts = region_facts(analysis.document.leaf(analysis.region_at(statement.start)))
    return bool(facts.duplicates)
