"""Converts `.reg .b32 %r<4>;` to a list of its registers, and back.

Source: PTX ISA, "Parameterized Variable Names".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.features.actions.action import Action, ActionKind, edit_once
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.source import Range
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.offsets import along
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.written.register_declarations import RegisterName, declared_registers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.statement import Statement

_MAX_LISTED_NAMES: Final = 64
"""Maximum number of names that are listed one by one."""
_DIGITS: Final = "0123456789"


def actions(analysis: Analysis, selection: Range) -> Iterator[Action]:
    """Yields other spellings of the register declaration at the cursor."""
    statement = statement_at(analysis.document, selection.start)
    if statement is None or statement.record.kind is not Kind.DECLARATION:
        return
    read = declared_registers(statement.text)
    is_local = analysis.function_at(statement.start) is not None
    if read is None or not is_local or has_duplicates(analysis, statement):
        return
    head, names = read
    yield from _expansion(analysis, statement, head, names)
    contracted = _contracted(names)
    if contracted != names and not _is_taken(analysis, statement, contracted, names):
        shown = ", ".join(f"`{it}`" for it in contracted if it not in names)
        yield _rewrite(statement, f"Contract to {shown}", f"{head} {_listed(contracted)};")


def _expansion(
    analysis: Analysis, statement: Statement, head: str, names: list[RegisterName]
) -> Iterator[Action]:
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
            [RegisterName(f"{it.name}{number}") for number in range(it.count)] if it.count else [it]
        )
    ]
    known = _declared_around(analysis, statement)
    taken = next((it.name for it in single if it not in names and it.name in known), "")
    if taken:
        reason = f"`{taken}` is declared separately"
        yield Action(title, ActionKind.REWRITE, list, disabled=reason)
        return
    yield _rewrite(statement, title, f"{head} {_listed(single)};")


def _declared_around(analysis: Analysis, statement: Statement) -> set[str]:
    """Returns the names that the scope of a statement declares, except ranges."""
    facts = region_facts(analysis.document.leaf(analysis.region_at(statement.start)))
    scope, function = analysis.scope_at(statement.start), facts.function
    found = {
        symbol.name
        for symbol in facts.symbols
        if not symbol.count and facts.scope_at(along(symbol.start, 1)) is scope
    }
    if function is not None and scope is facts.scope:
        found.update(symbol.name for symbol in (*function.returns, *function.parameters))
    return found


def _rewrite(statement: Statement, title: str, text: str) -> Action:
    place = Range(statement.start, statement.end)
    return Action(title, ActionKind.REWRITE, edit_once(place, text))


def _listed(names: list[RegisterName]) -> str:
    return ", ".join(map(str, names))


def _contracted(names: list[RegisterName]) -> list[RegisterName]:
    """Returns the names with each run `%r0`, `%r1`, ... as a range, in place of its first name."""
    numbers: dict[str, set[int]] = {}
    for stem, number in map(_numbered, names):
        if number is not None:
            numbers.setdefault(stem, set()).add(number)
    known = {it.name for it in names if it.count is not None}
    whole = {
        stem: RegisterName(stem, len(found))
        for stem, found in numbers.items()
        if len(found) > 1 and max(found) == len(found) - 1 and stem not in known
    }
    stems = ((each, *_numbered(each)) for each in names)
    contracted = (each if number is None else whole.get(stem, each) for each, stem, number in stems)
    return list(dict.fromkeys(contracted))


def _numbered(register: RegisterName) -> tuple[str, int | None]:
    """Returns the stem of a register's name, and the number after it; None if there is none."""
    stem = register.name.rstrip(_DIGITS)
    digits = register.name[len(stem) :]
    is_numbered = digits and register.count is None and str(decimal(digits)) == digits
    return stem, decimal(digits) if is_numbered else None


def _is_taken(
    analysis: Analysis, statement: Statement, new: list[RegisterName], old: list[RegisterName]
) -> bool:
    """Whether the scope already has a range with the name of a new range."""
    ranges = analysis.scope_at(statement.start).ranges
    return any(it.name in ranges for it in new if it not in old)


def has_duplicates(analysis: Analysis, statement: Statement) -> bool:
    """Whether a name of the function around a statement is declared twice in its scope."""
    facts = region_facts(analysis.document.leaf(analysis.region_at(statement.start)))
    return bool(facts.duplicates)
