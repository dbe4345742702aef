"""The uses of a label, and the calls and addresses of a function.

Searches a bounded number of lines, so the cost does not depend on the size of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at, statements_on
from ptx_ls.semantics.symbols.references.name_lists import names_in
from ptx_ls.source import Position
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.names import has_name
from ptx_ls.syntax.parsing.instruction_parts import opcode_parts
from ptx_ls.syntax.record import FUNCTION_HEADS, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.statement import Statement

_MAX_LABEL_LINES: Final = 20_000
_MAX_CALL_LINES: Final = 20_000
_MAX_USES: Final = 6
_MAX_LINES_ABOVE: Final = 3
"""Maximum number of lines between a list of targets and its label."""
_CALL: Final = "call"
_ALIAS: Final = ".alias"
_LIST: Final = ".branchtargets"


def branches(analysis: Analysis, name: str, position: Position) -> list[int]:
    """Returns the first few lines of the function that name a label, except the label's own."""
    located = analysis.document.located_on(position.line)
    start = max(located.first_line, position.line - _MAX_LABEL_LINES)
    stop = min(located.stop_line, position.line + _MAX_LABEL_LINES)
    found = []
    for line in _lines_with(analysis, name, range(start, stop)):
        if line != position.line:
            found.append(line)
            if len(found) > _MAX_USES:
                break
    return found


def lists_with(analysis: Analysis, line: int) -> str:
    """Returns the name of the list of branch targets that a line is part of; "" if it is not."""
    statements = statements_on(analysis.document, line)
    if not any(it.text.startswith(_LIST) for it in statements):
        return ""
    for above in range(line, max(line - _MAX_LINES_ABOVE, -1), -1):
        for statement in reversed(list(statements_on(analysis.document, above))):
            if statement.record.kind is Kind.LABEL and statement.start.line <= line:
                return statement.text.partition(":")[0].strip()
    return ""


class FunctionUses(NamedTuple):
    """The first few places that name a function.

    `calls`: the functions that call it, each with the lines of the calls. `addresses`: the lines
    that take its address, including initial values and lists of targets. `is_all`: whether the
    whole document was searched.
    """

    calls: tuple[tuple[str, list[int]], ...]
    addresses: list[int]
    alias_of: str
    aliases: list[str]
    is_all: bool


def function_uses(analysis: Analysis, name: str, position: Position) -> FunctionUses:
    """Returns the places around a position that name a function, except its own heads."""
    last = len(analysis.document.lines)
    start, stop = (
        max(0, position.line - _MAX_CALL_LINES),
        min(last, position.line + _MAX_CALL_LINES),
    )
    calls: dict[str, list[int]] = {}
    addresses: list[int] = []
    aliases: list[str] = []
    alias_of = ""
    n_found = 0
    is_all = (start, stop) == (0, last)
    for line in _lines_with(analysis, name, range(start, stop)):
        column = analysis.document.lines[line].index(name)
        statement = statement_at(analysis.document, Position(line, column))
        if statement is None or statement.record.kind in FUNCTION_HEADS:
            continue
        if n_found == _MAX_USES:
            is_all = False
            break
        caller = _caller(analysis, statement)
        if caller:
            lines = calls.setdefault(caller, [])
            if statement.start.line not in lines:
                lines.append(statement.start.line)
        elif statement.text.startswith(_ALIAS):
            names = [each.name for each in names_in(statement)]
            alias_of = names[-1] if names[:1] == [name] else alias_of
            aliases += names[:1] if names[1:] == [name] else []
        elif _is_address(analysis, name, Position(line, column)):
            addresses.append(line)
        else:
            continue
        n_found += 1
    return FunctionUses(tuple(calls.items()), addresses, alias_of, aliases, is_all)


def _caller(analysis: Analysis, statement: Statement) -> str:
    """Returns the function that contains a call; "" for any other statement."""
    if not statement.is_instruction:
        return ""
    parts = opcode_parts(statement.parsed.tree)
    caller = analysis.function_at(statement.start)
    return caller.symbol.name if parts and parts[0][0] == _CALL and caller is not None else ""


def _is_address(analysis: Analysis, name: str, position: Position) -> bool:
    """Whether the name at a position refers to a function, not to a symbol that hides it."""
    declared = analysis.lookup(name, position)
    return declared is not None and declared.symbol.is_function


def _lines_with(analysis: Analysis, name: str, numbers: range) -> Iterator[int]:
    """Yields the lines that contain a name outside of line comments."""
    lines = analysis.document.lines
    for line in numbers:
        text = lines[line]
        if name in text and has_name(text.partition("//")[0], name):
            yield line
