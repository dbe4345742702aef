"""Interfaces: the parts of functions that the rest of the module depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.semantics.declarations.shared_calls import Held
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.symbols.region import DirectiveStatement, RegionFacts
    from ptx_ls.semantics.symbols.symbols import Symbol

_FOR_OTHERS: Final = frozenset(
    {".version", ".target", ".address_size", ".alias", ".file", ".metadata_section"}
)
"""Directives that affect other functions."""
_NO_NAMES: Final[frozenset[str]] = frozenset()


class Calls(NamedTuple):
    """The names that a function calls, and other facts about it that the call graph needs.

    `opcodes`: instructions that matter to its callers. `kept`, `takes_constants` and `by_hand`: as
    in `CallGraph`, for this function. `held`: the variables in .shared that it uses.
    `is_of_threads`: as in `KnownFunction`; false for kernels.
    """

    callees: frozenset[str] = frozenset()
    opcodes: frozenset[str] = frozenset()
    has_indirect: bool = False
    kept: frozenset[tuple[str, int]] = frozenset()
    takes_constants: bool = False
    by_hand: frozenset[str] = frozenset()
    held: Held = Held()
    is_of_threads: bool = False


class Interface(NamedTuple):
    """The part of a function that the rest of the module depends on.

    `exports`, `function`, `doubtful` and `has_section` are as in `RegionFacts`, but parameters have
    no places and texts. `directives`: the directives that affect other functions, without places.
    `labels`: the names of the labels in debug data.
    """

    exports: tuple[Symbol, ...]
    function: Symbol | None
    doubtful: frozenset[str]
    directives: tuple[DirectiveStatement, ...]
    has_section: bool
    labels: frozenset[str]
    calls: Calls


def _to_others(symbol: Symbol) -> Symbol:
    """Returns a symbol without the places and texts of its parameters."""
    if not symbol.parameters and not symbol.returns:
        return symbol
    return symbol._replace(
        parameters=tuple(map(_bare, symbol.parameters)), returns=tuple(map(_bare, symbol.returns))
    )


def _bare(parameter: Symbol) -> Symbol:
    return parameter._replace(start=FUNCTION_START, end=FUNCTION_START, text="")


def interface_of(
    facts: RegionFacts, directives: Iterable[DirectiveStatement], calls: Calls
) -> Interface:
    """Returns the interface of a function.

    `facts`: the declarations outside of its body, or all declarations if it is debug data.
    `directives`: the directives of the whole function.
    """
    labels = _NO_NAMES
    if facts.has_section:
        labels = facts.label_names
    exports = tuple(map(_to_others, facts.exports))
    function = facts.function and _to_others(facts.function)
    return Interface(
        exports,
        next((each for each in exports if each == function), function),
        frozenset(facts.doubtful) if facts.doubtful else _NO_NAMES,
        tuple(
            [
                each._replace(start=FUNCTION_START, end=FUNCTION_START)
                for each in directives
                if each.name in _FOR_OTHERS
            ]
        ),
        facts.has_section,
        labels,
        calls,
    )
