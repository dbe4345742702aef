"""Renames a symbol, or says why it cannot be renamed.

A range `%r<10>` is renamed with all of its registers. One register of it is split out and declared
by itself; renamed to an unused register of the range, it joins the range again. A renaming that
would change the meaning of another name is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at, statements_on
from ptx_ls.features.actions.action import line_end, margin
from ptx_ls.features.cursor import At, cursor
from ptx_ls.features.rename.rename_conflicts import conflict
from ptx_ls.features.rename.rename_into_range import joined_range, own_declaration
from ptx_ls.semantics.symbols.references.name_lists import names_in
from ptx_ls.semantics.symbols.references.name_search import Sought
from ptx_ls.semantics.symbols.references.occurrences import sought
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position, Range
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.names import is_name
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.features.cursor import Cursor
    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol

_RESERVED: Final = frozenset({"WARP_SZ", "_", "function_name", "inlined_at"})
_LINKED: Final = (".visible", ".weak", ".extern", ".common")


class RefusalError(Exception):
    """A symbol cannot be renamed; the message says why, for the user."""


@dataclass(frozen=True, slots=True)
class Renamable:
    """A name that can be renamed: its place at the cursor, and the search for its other places."""

    range: Range
    name: str
    wanted: Sought


@dataclass(frozen=True, slots=True)
class Replacement:
    """New text for a range of the document."""

    range: Range
    text: str


def prepare(analysis: Analysis, position: Position) -> Renamable | None:
    """Returns the name at a position with its meaning; None without a word there.

    Raises:
        RefusalError: if it cannot be renamed.
    """
    under = cursor(analysis, position)
    if under is None or under.at not in (At.NAME, At.OPCODE, At.MODIFIER, At.DOTTED, At.WORD):
        return None
    if under.at is not At.NAME:
        raise RefusalError(f"`{under.text}` is a PTX keyword")
    declared = analysis.lookup(under.text, under.range.start)
    if declared is None:
        raise RefusalError(_undeclared(analysis, under))
    if under.text in _RESERVED:
        raise RefusalError(f"`{under.text}` is reserved")
    return Renamable(under.range, under.text, sought(analysis, declared, under.text))


def check(analysis: Analysis, asked: Renamable, new: str, places: Sequence[Range]) -> None:
    """Checks whether the name can become `new`; `places` are all that refer to it.

    Raises:
        RefusalError: if it cannot.
    """
    wanted = asked.wanted
    if is_name(new) is None or new == "$":
        raise RefusalError(f"`{new}` is not an identifier")
    if new in _RESERVED or analysis.special_register(new) is not None:
        what = "reserved" if new in _RESERVED else "a special register"
        raise RefusalError(f"`{new}` is {what}")
    if wanted.is_bank and new[-1].isdecimal():
        raise RefusalError("the name of a range cannot end with a digit: a number follows it")
    listed = _range_of_labels(analysis, wanted)
    if listed is not None:
        raise RefusalError(f"line {listed.start.line + 1} lists it in a range of labels")
    joined = joined_range(analysis, wanted, new)
    found = conflict(analysis, wanted, new, places, joined)
    if found is not None:
        raise RefusalError(found)


def replacements(
    analysis: Analysis, asked: Renamable, new: str, places: Sequence[Range]
) -> Iterator[Replacement]:
    """Yields the edits that replace the name at all `places`, and its declaration if need be."""
    wanted = asked.wanted
    lines = analysis.document.lines
    is_split = _is_split(wanted)
    is_joined = joined_range(analysis, wanted, new) is not None
    undeclared = own_declaration(analysis, wanted) if is_joined else None
    if undeclared is not None:
        yield Replacement(undeclared, "")
    if is_split:
        yield _new_declaration(analysis, wanted.declared, new)
    for place in places:
        if (is_split or is_joined) and place == wanted.declared.range:
            continue
        digits = ""
        if wanted.is_bank:
            written = lines[place.start.line][place.start.column : place.end.column]
            digits = written[len(wanted.name) :]
        yield Replacement(place, new + digits)


def needs_confirmation(asked: Renamable) -> str:
    """Returns why the user should confirm, as others may use the name; "" if they cannot."""
    symbol = asked.wanted.declared.symbol
    if not asked.wanted.is_module:
        return ""
    if symbol.linkage in _LINKED:
        return f"`{symbol.name}` is `{symbol.linkage}`: other modules may use it"
    if symbol.kind is SymbolKind.KERNEL:
        return f"`{symbol.name}` is a kernel: the host launches it by its name"
    return ""


def _undeclared(analysis: Analysis, under: Cursor) -> str:
    if analysis.special_register(under.text) is not None:
        return f"`{under.text}` is a special register"
    if under.statement.record.kind is Kind.FUNCTION_DECLARATION:
        return f"`{under.text}` names a parameter of a prototype, which nothing refers to"
    return f"`{under.text}` is not declared"


def _is_split(wanted: Sought) -> bool:
    return bool(wanted.declared.symbol.count) and not wanted.is_bank


def _new_declaration(analysis: Analysis, declared: LocatedSymbol, new: str) -> Replacement:
    """Returns a declaration of the register `new`, to insert after the declaration of the range."""
    symbol = declared.symbol
    statement = statement_at(analysis.document, declared.range.start)
    place = statement.end if statement is not None else declared.range.end
    vector = f" .v{symbol.vector_size}" if symbol.vector_size > 1 else ""
    text = f".reg{vector} {symbol.type} {new};"
    lines = analysis.document.lines
    begin = statement.start if statement is not None else place
    indentation = margin(lines[begin.line])
    if begin.column == len(indentation) and not lines[place.line][place.column :].strip():
        text = f"{line_end(analysis.document, place.line)}{indentation}{text}"
    else:
        text = f" {text}"
    return Replacement(Range(place, place), text)


def _range_of_labels(analysis: Analysis, wanted: Sought) -> Range | None:
    """Returns the place of a range with the label, such as `L<3>`, in a list of branch targets."""
    name = wanted.name
    stem = name.rstrip("0123456789")
    if wanted.declared.symbol.kind is not SymbolKind.LABEL or stem == name:
        return None
    document = analysis.document
    for start, chunk in document.functions[wanted.declared.region].chunks():
        if "<" in chunk.text and stem in chunk.text:
            for line, text in enumerate(chunk.lines, start.line):
                if "<" in text and stem in text:
                    found = _place_in_list(document, line, name, stem)
                    if found is not None:
                        return found
    return None


def _place_in_list(document: Document, line: int, name: str, stem: str) -> Range | None:
    """Returns the place where a directive on a line lists `name` as one of a range of labels."""
    for statement in statements_on(document, line):
        if statement.record.kind is not Kind.DIRECTIVE:
            continue
        for each in names_in(statement):
            if each.name == stem and decimal(name[len(stem) :]) < each.size:
                return each.range
    return None
