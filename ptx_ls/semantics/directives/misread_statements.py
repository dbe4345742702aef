"""Finds words that are the cause of a syntax error in what looks like an instruction.

Declarations without a dot, labels without a colon, and statements of other languages begin so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import on_row
from ptx_ls.semantics.problems.instructions import BadSyntax, UnknownOpcode
from ptx_ls.syntax import tokens
from ptx_ls.syntax.dotted import modifiers_of, opcode_of
from ptx_ls.syntax.names import is_name, names_in

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
    errors: Iterable[BadSyntax], text: RegionText, facts: RegionFacts, context: isa.Context
) -> Iterator[BadSyntax | UnknownOpcode]:
    """Yields the syntax errors, some of them after the misread word that is their cause."""
    version = context.version
    is_newer = version is not None and version > isa.database().newest_version
    for error in errors:
        found = None if error.is_rest else _undotted(error)
        if found is None and error.lacks_semicolon and not error.is_rest:
            found = _label(error, text, facts)
        elif found is None and not error.is_rest and not is_newer:
            found = _foreign(error, facts)
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


def _foreign(error: BadSyntax, facts: RegionFacts) -> UnknownOpcode | None:
    """Returns the word that begins the statement of an error, if it is not an opcode of PTX."""
    row, begin = error.statement[0]
    if facts.function is None or facts.scope_at(error.start) is facts.module_scope:
        return None
    if row != error.start[0] or begin < error.first_column:
        return None
    text = error.before[begin - error.first_column :]
    written = opcode_of(text)
    opcode = written.partition(".")[0]
    if not is_name(opcode) or opcode in isa.database().keywords:
        return None
    before, _, rest = text.partition(written)
    start = begin + len(before)
    place = on_row(row, start, start + len(opcode))
    is_label = opcode == written and opcode_of(rest).partition(".")[0] in isa.database().keywords
    return UnknownOpcode(opcode, *place, tuple(modifiers_of(written)), is_label)


def _branches(name: str, text: RegionText) -> set[str]:
    """Returns the targets of the branches in lines that contain `name`."""
    if names_in(name) != [name]:
        return set()
    statements = text.statements(text.lines_with(name, text.with_opcodes((_BRANCH,))))
    return {name for found in statements for name in names_in(found.text)[-1:]} - {_BRANCH}
