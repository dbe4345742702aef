"""Lines for other tools: `# 1 "file"` of a preprocessor, and `@@DWARF` of the first PTX.

Sources: PTX ISA, "Syntax", and of version 1.4 "Debugging Directives"; ptxas passes over line
markers and reads nothing else behind `#`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.mismatch_module import BadLine, LineFault
from ptx_ls.semantics.operands import number
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import is_marker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa import Context
    from ptx_ls.semantics.region import RegionFacts
    from ptx_ls.semantics.region_text import Found, RegionText

_DWARF: Final = "@@DWARF"
_SECTION_SINCE: Final = (2, 0)
"""From this version on, `.section` says what `@@DWARF` said."""
_COMMENT: Final = re.compile(r"//.*+|/\*.*?\*/").sub
_FIRST: Final = re.compile(r"@@DWARF[ \t]*+(?P<word>\S*+)").match
_SECTION: Final = ".section"
_NUMBER: Final = r"-?(?:0[xX][\da-fA-F]++|\d++)U?(?![\w$.])"
_DATA: Final = re.compile(
    rf"@@DWARF[ \t]++(?P<type>\.\w++)[ \t]++"
    rf"(?:(?P<numbers>{_NUMBER}(?:[ \t]*+,[ \t]*+{_NUMBER})*)|(?P<label>[.A-Za-z_$%][\w$]*+))"
    rf"[ \t]*+(?:@@DWARF.*+)?",
    re.ASCII,
).fullmatch
"""Data all of which stands on its line; ptxas reads on behind the end of one."""
_TYPES: Final = frozenset({".byte", ".4byte", ".quad", ".b8", ".b16", ".b32", ".b64"})
_BITS: Final = {".byte": 8, ".b8": 8, ".b16": 16}
_LOW: Final = 32
"""ptxas looks at so many bits of a number."""


def check_foreign_lines(
    text: RegionText, facts: RegionFacts, context: Context
) -> Iterator[BadLine]:
    """Lines of a region that other tools were meant to read, and ptxas does not pass over."""
    has_section = False
    for found in text.statements(text.lines_of(text.holding(Kind.LINE))):
        if found.record.kind is not Kind.LINE:
            continue
        line = found.text.rstrip()
        if line.startswith("#"):
            if is_marker(line) is None:
                yield _bad(LineFault.MARKER, line, found)
            continue
        fault = _fault(line, found, facts, context, has_section=has_section)
        has_section = has_section or ".section" in line
        if fault is not None:
            yield _bad(fault, line, found)


def _fault(
    line: str, found: Found, facts: RegionFacts, context: Context, *, has_section: bool
) -> LineFault | None:
    """What is wrong with a line of `@@DWARF`."""
    if facts.scope_at(found.start) is not facts.module_scope:
        return LineFault.BODY
    if context.version is not None and context.version >= _SECTION_SINCE:
        return LineFault.REMOVED
    line = _COMMENT(" ", line).rstrip()
    first = _FIRST(line)
    word = first["word"] if first is not None else ""
    if word not in ("", _SECTION, *_TYPES):
        return LineFault.DATA
    match = _DATA(line)
    if match is None:
        return None
    bits = _BITS.get(match["type"])
    if bits is not None:
        if match["numbers"] is None:
            return LineFault.DATA
        if not all(_fits(each, bits) for each in match["numbers"].split(",")):
            return LineFault.RANGE
    return None if has_section else LineFault.NO_SECTION


def _fits(written: str, bits: int) -> bool:
    value = number(written.strip().lstrip("-"))
    if not isinstance(value, int):
        return True
    if "-" in written:
        return value <= 1 << (bits - 1)
    return value % (1 << _LOW) < 1 << bits


def _bad(fault: LineFault, line: str, found: Found) -> BadLine:
    word = line.split(maxsplit=1)[0]
    if fault is LineFault.DATA or word == "#":
        word = line
    end = found.start[0], found.start[1] + len(word)
    return BadLine(word, fault, found.start, end)
