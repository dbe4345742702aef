"""Finds declarations without a dot and labels without a colon, which look like instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import on_row
from ptx_ls.semantics.problems.instructions import BadSyntax, UnknownOpcode
from ptx_ls.syntax import tokens
from ptx_ls.syntax.names import names_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText

_BRANCH: Final = "bra"


def declares(word: str) -> bool:
    """Whether a word that is not an opcode would begin a declaration if it had a dot."""
    directive = f".{word}"
    is_opening = directive == ".reg" or directive in tokens.SPACES
    return is_opening and word not in isa.database().keywords


def with_misread(
    errors: Iterable[BadSyntax], text: RegionText, facts: RegionFacts
) -> Iterator[BadSyntax | UnknownOpcode]:
    """Yields the syntax errors, some of them after the misread word that is their cause."""
    for error in errors:
        found = None if error.is_rest else _undotted(error)
        if found is None and error.lacks_semicolon and not error.is_rest:
            found = _label(error, text, facts)
        if found is not None:
            yield found
        yield error if found is None else error._replace(is_rest=True)


def _undotted(error: BadSyntax) -> UnknownOpcode | None:
    """Returns the word that lacks its dot, if that is the cause of an error."""
    line, first = error.start[0], error.first_column
    begin = error.statement[0]
    if begin[0] == line:
        first = max(first, begin[1])
    before = error.before[first - error.first_column :]
    word, *rest = before.split(maxsplit=1) or [""]
    if not declares(word) or not all(text.startswith(".") for text in rest):
        return None
    start = first + len(before) - len(before.lstrip())
    return UnknownOpcode(word, *on_row(line, start, start + len(word)))


def _label(error: BadSyntax, text: RegionText, facts: RegionFacts) -> UnknownOpcode | None:
    """Returns the label without its colon, alone on its line, that an instruction branches to."""
    name = error.before.strip()
    if facts.scope_at(error.start).lookup(name) is not None or name not in _branches(name, text):
        return None
    end = error.last_column
    return UnknownOpcode(name, *on_row(error.start[0], end - len(name), end), is_label=True)


def _branches(name: str, text: RegionText) -> set[str]:
    """Returns the targets of the branches in lines that contain `name`."""
    if names_in(name) != [name]:
        return set()
    statements = text.statements(text.lines_with(name, text.with_opcodes((_BRANCH,))))
    return {name for found in statements for name in names_in(found.text)[-1:]} - {_BRANCH}
