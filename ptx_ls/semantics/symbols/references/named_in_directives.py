"""Finds names in `.alias`, `.branchtargets` and `.calltargets` that mean nothing or a wrong thing.

Source: PTX ISA, "Control Flow Directives" and "Linking Directives".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.problems.instructions import Undeclared
from ptx_ls.semantics.symbols.label_lists import count_after
from ptx_ls.semantics.symbols.symbols import FUNCTION_KINDS, Symbol, SymbolKind
from ptx_ls.syntax.tokens import REG, WORD, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import DirectiveStatement, RegionFacts

_LABELS: Final = ".branchtargets"
_MARKS: Final = (SymbolKind.LABEL, SymbolKind.BRANCH_TARGETS)
"""Kinds of symbols that a branch target may be: labels, and labels of lists of labels."""
_MAX_NAMES_OF_RANGE: Final = 1000
"""Maximum number of names of a range to look up."""
_CALLEES: Final = ".calltargets"
_ALIAS: Final = ".alias"
_LISTS: Final = (_LABELS, _CALLEES, _ALIAS)


def check_names(facts: RegionFacts, module: ModuleFacts, region: int) -> Iterator[Undeclared]:
    """Yields names in a function's directives that are not declared, or no label or function."""
    for directive in facts.directives:
        if directive.name not in _LISTS:
            continue
        scope = facts.scope_at(directive.start)
        for name, start, end in _names(directive):
            local = scope.lookup(name) if directive.name != _ALIAS else None
            if directive.name == _LABELS:
                wants, symbol, kinds = "label", local, _MARKS
            else:
                symbol = local or module.lookup(name, region, directive.start)
                wants = "function" if symbol is not None and directive.name == _CALLEES else ""
                kinds = FUNCTION_KINDS
            if symbol is not None and (symbol.kind in kinds or not wants):
                continue
            elsewhere = local if wants == "function" else _elsewhere(facts, name)
            other = elsewhere or module.lookup(name)
            yield Undeclared(name, start, end, wants, other, is_near=elsewhere is not None)


def _names(
    directive: DirectiveStatement,
) -> Iterator[tuple[str, FunctionPosition, FunctionPosition]]:
    """Yields names with their places, `L0`, `L1` and `L2` for `L<3>`."""
    stream = list(tokenize(directive.text))
    for number, token in enumerate(stream):
        if token.type not in (WORD, REG):
            continue
        start, end = token.placed(directive.start)
        count = count_after(stream, number)
        if count is not None:
            for index in range(min(count, _MAX_NAMES_OF_RANGE)):
                yield f"{token.string}{index}", start, end
        elif stream[number + 1].string != "<":
            yield token.string, start, end


def _elsewhere(facts: RegionFacts, name: str) -> Symbol | None:
    return next(iter(facts.named.spelled(name)), None)
