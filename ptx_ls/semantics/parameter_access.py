"""Parameters used against their direction: an input that is stored to, a result that is loaded.

Source: PTX ISA, "Function Parameters", as ptxas applies it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.mismatch import BadAccess
from ptx_ls.syntax.places import shifted
from ptx_ls.syntax.record import Record, Run, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.region import RegionFacts
    from ptx_ls.semantics.region_text import Found, RegionText
    from ptx_ls.semantics.symbols import Symbol

_STORE: Final = "st.param"
_LOAD: Final = "ld.param"
_BASE: Final = re.compile(r"\[\s*+([%A-Za-z_$][\w$]*+)", re.ASCII).search


def check_parameter_access(text: RegionText, facts: RegionFacts) -> Iterator[BadAccess]:
    """Stores to inputs and loads from results of a region's function."""
    function = facts.function
    if function is None:
        return
    opcodes = tuple(
        opcode
        for opcode, symbols in ((_STORE, function.parameters), (_LOAD, function.returns))
        if symbols
    )
    if not any(shape.opcode.startswith(opcodes) for shape in text.shapes):
        return
    guilty = {read for read in text.distinct if _uses(read, opcodes)}
    for found in text.statements(text.lines_of(guilty)):
        if isinstance(found.record, Shape) and found.record.opcode.startswith(opcodes):
            is_store = found.record.opcode.startswith(_STORE)
            wrong = function.parameters if is_store else function.returns
            yield from _check(found, facts, wrong, is_store=is_store)


def _uses(read: Record, opcodes: tuple[str, ...]) -> bool:
    if isinstance(read, Run):
        return any(_uses(each, opcodes) for each in read.records)
    return isinstance(read, Shape) and read.opcode.startswith(opcodes)


def _check(
    found: Found, facts: RegionFacts, wrong: tuple[Symbol, ...], *, is_store: bool
) -> Iterator[BadAccess]:
    match = _BASE(found.text)
    if match is None:
        return
    symbol = facts.scope_at(found.start).lookup(match[1], found.start)
    if symbol is None or not any(symbol is each for each in wrong):
        return
    before = found.text[: match.start(1)].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    start = shifted((len(before) - 1, len(before[-1])), found.start)
    yield BadAccess(symbol, is_store, start, (start[0], start[1] + len(match[1])))
