"""Names in the lines before a place: how near they are, and whether their values are unread."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.syntax.dotted import opcode_of
from ptx_ls.syntax.labels import after_labels
from ptx_ls.syntax.names import names_in

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis

_MAX_LINES_AWAY: Final = 48
"""Maximum number of lines before the place to read."""
_MAX_LINE_LENGTH: Final = 1000


@dataclass(slots=True)
class Recent:
    """Names, each with how near it is: 0 for the nearest.

    `unread`: the names that were written and not read since.
    """

    used: dict[str, int] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)

    def order(self, name: str, *, is_result: bool) -> str:
        """Returns the sort key of a name; "" if it was not used nearby.

        An unread value is the likeliest to be read, and the least likely to be overwritten.
        """
        nearness = self.used.get(name)
        if nearness is None:
            return ""
        rank = 0 if name in self.unread else 1 if name in self.written else 2
        return f"{(2 - rank) if is_result else rank}{nearness:04}"


def recent_names(analysis: Analysis, line: int) -> Recent:
    """Returns the names in the lines of the function right before a line."""
    first = max(analysis.document.located_on(line).first_line, line - _MAX_LINES_AWAY)
    found = Recent()
    read: set[str] = set()
    for text in reversed(analysis.document.lines[first:line]):
        if len(text) >= _MAX_LINE_LENGTH:
            continue
        results = results_of(text)
        found.unread |= results - read - found.written
        found.written |= results
        for name in names_in(text):
            found.used.setdefault(name, len(found.used))
            if name not in results:
                read.add(name)
    return found


def results_of(text: str) -> set[str]:
    """Returns the names that the instructions on a line write to."""
    found: set[str] = set()
    for statement in text.split(";")[:-1]:
        code = after_labels(statement.lstrip("{} \t"))
        opcode = opcode_of(code)
        if writes(opcode.partition(".")[0]):
            found.update(names_in(operands_of(code.partition(opcode)[2])[0]))
    return found


def operands_of(text: str) -> tuple[str, str]:
    """Returns the first one of some operands, which may be a vector, and the rest."""
    begin = text.find("{")
    comma = text.find(",")
    end = text.find("}") + 1 if 0 <= begin < comma else comma
    return (text[:end], text[end:]) if end > 0 else (text, "")


@lru_cache(maxsize=256)
def writes(opcode: str) -> bool:
    """Whether the first operand of an opcode is a result."""
    instruction = isa.database().instruction(opcode)
    if instruction is None:
        return False
    rows = next((form.operands for form in instruction.forms if form.operands), ())
    return bool(rows) and rows[0].role in ("write", "readwrite")
