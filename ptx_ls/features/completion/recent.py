"""Names used in the lines before a place: how near, and whether their values wait to be read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.syntax.names import NAME_CHARACTERS, names_in

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis

_MAX_LINES_AWAY: Final = 24
"""Lines that are looked at."""
_MAX_LINE_LENGTH: Final = 1000
_STATEMENT: Final = re.compile(
    rf"(?:^|[;{{}}:])\s*(?:@!?{NAME_CHARACTERS}\s+)?"
    r"(?P<opcode>[a-z]\w*)[\w.:]*\s+(?P<result>[^,;]*)(?=[^;]*;)",
    re.ASCII,
).finditer


@dataclass(slots=True)
class Recent:
    """Names with how near they are, 0 for the nearest.

    `unread` are those that were written and not read since: their values are waiting to be used.
    """

    used: dict[str, int] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)

    def order(self, name: str, *, is_result: bool) -> str:
        """What sorts a name among others: "" if it was not used near.

        A value that waits is the likeliest to be read, and the least likely to be overwritten.
        """
        nearness = self.used.get(name)
        if nearness is None:
            return ""
        rank = 0 if name in self.unread else 1 if name in self.written else 2
        return f"{(2 - rank) if is_result else rank}{nearness:04}"


def recent_names(analysis: Analysis, line: int) -> Recent:
    """The names in the lines of the function right before a line."""
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
    """The names that the instructions of a line write."""
    found: set[str] = set()
    for match in _STATEMENT(text):
        if _writes(match["opcode"]):
            found.update(names_in(match["result"]))
    return found


@lru_cache(maxsize=256)
def _writes(opcode: str) -> bool:
    """Whether the first operand of an opcode is a result."""
    instruction = isa.database().instruction(opcode)
    if instruction is None:
        return False
    rows = next((form.operands for form in instruction.forms if form.operands), ())
    return bool(rows) and rows[0].role in ("write", "readwrite")
