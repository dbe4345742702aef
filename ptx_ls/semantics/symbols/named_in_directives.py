"""Finds undeclared names in `.alias`, `.branchtargets` and `.calltargets`.

Source: PTX ISA, "Control Flow Directives" and "Linking Directives".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.problems.instructions import Undeclared
from ptx_ls.semantics.symbols.label_lists import count_after
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
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
_FUNCTIONS: Final = (".alias", ".calltargets")


def check_names(facts: RegionFacts, module: ModuleFacts, region: int) -> Iterator[Undeclared]:
    """Yields undeclared labels and functions in a function's directives."""
    for directive in facts.directives:
        is_label = directive.name == _LABELS
        if not is_label and directive.name not in _FUNCTIONS:
            continue
        for name, start, end in _names(directive):
            if is_label:
                symbol = facts.scope_at(directive.start).lookup(name)
            else:
                symbol = module.lookup(name, region, directive.start)
            if symbol is None or (is_label and symbol.kind not in _MARKS):
                elsewhere = _elsewhere(facts, name)
                yield Undeclared(
                    name,
                    start,
                    end,
                    "label" if is_label else "",
                    elsewhere or module.lookup(name),
                    is_near=elsewhere is not None,
                )


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
