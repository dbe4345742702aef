"""Plain register banks, whose registers need not be looked up one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.semantics.symbols.symbols import Facts, SymbolKind
from ptx_ls.syntax.normalize import canonical_word

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region import RegionFacts


def plain_banks(
    facts: RegionFacts, first_instruction: FunctionPosition
) -> tuple[dict[str, Facts], tuple[tuple[str, int], ...]]:
    """Returns the facts of each plain register bank, and the ranges that declare them.

    A bank is plain if a single range, or a single name without digits, declares all of it, in the
    function's outermost scope and before any instruction.
    """
    banks: dict[str, Facts] = {}
    ranges: list[tuple[str, int]] = []
    odd: set[str] = set()
    known: set[str] = set()  # names that inline assembly declares again and again
    for symbol in facts.declared:
        name = symbol.name
        if not name.startswith("%") or name in known:
            continue
        key = canonical_word(symbol.name + "0" if symbol.count else symbol.name)
        is_own = facts.scope.find(symbol.name + "0" * bool(symbol.count)) is symbol
        is_plain = symbol.kind is SymbolKind.REGISTER and not any(map(str.isdigit, symbol.name))
        if key in banks or not (is_own and is_plain and symbol.start < first_instruction):
            odd.add(key)
            if not symbol.count:
                known.add(name)
        elif symbol.count:
            ranges.append((symbol.name, symbol.count))
        if key not in banks:
            banks[key] = symbol.facts
    plain = {key: bank for key, bank in banks.items() if key not in odd}
    return plain, tuple(pair for pair in ranges if canonical_word(pair[0] + "0") in plain)
