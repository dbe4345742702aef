"""Completion of directives, and of what follows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import describe_symbol
from ptx_ls.features.complete_item import CompletionItem, ItemKind

if TYPE_CHECKING:
    from ptx_ls.features.typing_place import TypingPlace

STATEMENTS: Final = frozenset({".version", ".target", ".address_size", ".pragma", ".file", ".loc"})
_SPACES: Final = (".global", ".shared", ".const", ".local", ".param")
_DECLARING: Final = frozenset({".reg", *_SPACES})
_HEADS: Final = frozenset({".entry", ".func", ".visible", ".extern", ".weak", ".common"})


def documentation(kind: str, name: str) -> str | None:
    """Markdown on a directive, type, state space or target that completion offered."""
    return describe_symbol.target(name) if kind == "target" else describe_symbol.dotted(name)


def statements(place: TypingPlace, *, in_function: bool) -> list[CompletionItem]:
    """Directives that may begin a statement, in a function or outside of any."""
    database = isa.database()
    scope = "body" if in_function else "module"
    items = [
        _item(place, name, ItemKind.DIRECTIVE, directive.summary, "1")
        for name, directive in database.directives.items()
        if scope in directive.scopes
    ]
    named = {item.label for item in items}
    spaces = (".reg", ".param", ".shared", ".local") if in_function else _SPACES[:3]
    for name in spaces:
        if name not in named:
            space = database.state_spaces.get(name)
            items.append(
                _item(place, name, ItemKind.STATE_SPACE, space.summary if space else "", "1")
            )
    return items


def inside(place: TypingPlace) -> list[CompletionItem]:
    """What may follow the directive that begins the statement."""
    if place.first == ".target":
        return _targets(place)
    if place.first == ".version":
        return _versions(place)
    if place.first == ".address_size":
        return [_item(place, size, ItemKind.VALUE, "", "0") for size in ("32", "64")]
    if place.first == ".pragma":
        return _pragmas(place)
    if place.first in _DECLARING and not place.inside:
        return _types(place)
    if place.first in _HEADS and place.inside == "(":
        return _parameters(place)
    if place.first in _HEADS:
        return _after_head(place)
    return _types(place) if place.inside == "(" else []


def _item(place: TypingPlace, name: str, kind: ItemKind, detail: str, rank: str) -> CompletionItem:
    category = "target" if kind is ItemKind.TARGET else "directive"
    return CompletionItem(
        name,
        kind,
        place.range,
        name,
        detail=detail,
        sort=f"{rank}{name}",
        data=f"{category} {name}",
    )


def _targets(place: TypingPlace) -> list[CompletionItem]:
    items = []
    for name, info in isa.database().targets.items():
        digits = "".join(filter(str.isdigit, name))
        rank = f"0{999 - int(digits):03}" if digits else "1"
        items.append(_item(place, name, ItemKind.TARGET, info.architecture or info.summary, rank))
    return items


def _versions(place: TypingPlace) -> list[CompletionItem]:
    newest_first = reversed(list(isa.database().versions.values()))
    return [
        CompletionItem(
            info.name, ItemKind.VALUE, place.range, info.name, detail=info.release, sort=f"{n:03}"
        )
        for n, info in enumerate(newest_first)
    ]


def _pragmas(place: TypingPlace) -> list[CompletionItem]:
    return [
        CompletionItem(
            name,
            ItemKind.VALUE,
            place.range,
            f'"{name}"',
            detail=pragma.summary,
            documentation=pragma.doc,
            sort=name,
            filter=f'"{name}"',
        )
        for name, pragma in isa.database().pragmas.items()
    ]


def _types(place: TypingPlace) -> list[CompletionItem]:
    is_register = place.first == ".reg"
    items = [
        _item(place, name, ItemKind.TYPE, info.summary, "0")
        for name, info in isa.database().types.items()
        if (info.is_register if is_register else info.is_fundamental)
    ]
    items += [_item(place, name, ItemKind.DIRECTIVE, "vector", "1") for name in (".v2", ".v4")]
    if not is_register:
        items.append(_item(place, ".align", ItemKind.DIRECTIVE, "alignment in bytes", "1"))
    return items


def _parameters(place: TypingPlace) -> list[CompletionItem]:
    if place.previous in ("(", ","):
        return [_item(place, name, ItemKind.STATE_SPACE, "", "0") for name in (".param", ".reg")]
    items = _types(place)
    return [*items, _item(place, ".ptr", ItemKind.DIRECTIVE, "a pointer", "1")]


def _after_head(place: TypingPlace) -> list[CompletionItem]:
    database = isa.database()
    items = [
        _item(place, name, ItemKind.DIRECTIVE, directive.summary, "0")
        for name, directive in database.directives.items()
        if "header" in directive.scopes
    ]
    if place.previous in (".visible", ".extern", ".weak", ".common"):
        names = (".entry", ".func", *_SPACES[:3])
        items = [_item(place, name, ItemKind.DIRECTIVE, "", "0") for name in names]
    return items
