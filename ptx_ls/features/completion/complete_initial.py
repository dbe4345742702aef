"""Completion of initial values of variables: names whose addresses the linker knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.completion.complete_item import CompletionItem, ItemKind
from ptx_ls.features.completion.offer import MAX_OFFERED_SYMBOLS, matching
from ptx_ls.isa import database
from ptx_ls.semantics.symbols.symbols import SymbolKind

if TYPE_CHECKING:
    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.semantics.analysis import Analysis

_SPACES: Final = (".global", ".const")
"""State spaces in which variables may have initial values, and to which these may point."""
_GENERIC: Final = "generic"
_POINTER_BITS: Final = 32
_INTEGERS: Final = ("bits", "unsigned", "signed")


def is_value(place: TypingPlace) -> bool:
    """Whether an initial value is being typed."""
    return any(token.string == "=" for token in place.before)


def values(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    """Completes names as initial values of the variable that the statement declares."""
    words = [token.string for token in place.before]
    types = database().types
    found_types = [types[word] for word in words if word in types]
    holds_pointers = (
        bool(found_types)
        and found_types[-1].type_class in _INTEGERS
        and found_types[-1].bits >= _POINTER_BITS
    )
    if not holds_pointers or place.word[:1].isdigit() or not set(_SPACES) & set(words):
        return []
    is_generic = place.inside.endswith("(") and words[-2:-1] == [_GENERIC]
    found = [
        item
        for is_function in ((False,) if is_generic else (False, True))
        for item in _names(analysis, place, is_function=is_function)
    ]
    if not is_generic:
        found.append(
            CompletionItem(
                _GENERIC,
                ItemKind.VALUE,
                place.range,
                _GENERIC,
                detail="generic address of a variable",
                sort=f"0{_GENERIC}",
                template=f"{_GENERIC}(«variable»)" if place.is_open else "",
            )
        )
    return found


def _names(analysis: Analysis, place: TypingPlace, *, is_function: bool) -> list[CompletionItem]:
    items = []
    for name in matching(analysis, place.word, MAX_OFFERED_SYMBOLS, is_function=is_function):
        declared = analysis.module_symbol(name)
        symbol = declared.symbol if declared is not None else None
        if symbol is None or not (is_function or symbol.space in _SPACES):
            continue
        is_variable = symbol.kind is SymbolKind.VARIABLE
        items.append(
            CompletionItem(
                name,
                ItemKind.VARIABLE if is_variable else ItemKind.FUNCTION,
                place.range,
                name,
                detail=" ".join(part for part in (symbol.space, symbol.type) if part)
                or symbol.kind.value,
                sort=f"{int(is_function) + 1}{name}",
                data=f"symbol {name}",
            )
        )
    return items
