"""Completion in declarations: types, alignment, `.ptr`, attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.completion.complete_item import CompletionItem, ItemKind, keyword
from ptx_ls.syntax import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.isa.reference import PtxType
    from ptx_ls.syntax.tokens import Token

_COMMON: Final = (".b32", ".b64", ".pred", ".f32", ".b16", ".f64", ".u32", ".s32", ".u64", ".b8")
"""Frequently declared types, in order; the others follow."""
_POINTED: Final = (".global", ".shared", ".const", ".local")
_REFERENCES: Final = (".texref", ".samplerref", ".surfref")
"""Words other than a state space that may follow `.ptr`."""
_OPAQUE_SPACES: Final = frozenset({".global", ".param"})


def variable(place: TypingPlace, words: Sequence[str]) -> list[CompletionItem]:
    """Completes a declaration of variables or registers; `words`: those before, without linkage."""
    if place.inside.endswith("("):
        return [keyword(place, name) for name in (".managed", ".unified")]
    if _has_type(place.before) or place.inside:
        return []
    space = next((word for word in words if word in tokens.SPACES or word == ".reg"), "")
    if not space:
        return [keyword(place, name) for name in (*_POINTED, ".reg")]
    if place.previous in (".align", "<"):
        return []
    items = _types(place, space)
    if space != ".reg" and ".align" not in words:
        items.append(keyword(place, ".align", rank="00"))
    if space == ".global":
        items.append(keyword(place, ".attribute"))
    return items


def parameter(place: TypingPlace) -> list[CompletionItem]:
    """Completes a parameter in the head of a function or a prototype."""
    before = _of_parameter(place.before)
    if not before:
        is_kernel = any(token.string == ".entry" for token in place.before)
        return [
            keyword(place, name) for name in (".param", ".reg") if not is_kernel or name != ".reg"
        ]
    if place.previous == ".align":
        return []
    words = [token.string for token in before]
    if ".ptr" in words:
        items = [keyword(place, ".align")] if ".align" not in words[words.index(".ptr") :] else []
        if place.previous == ".ptr":
            items += [keyword(place, name) for name in (*_POINTED, *_REFERENCES)]
        return items
    if _has_type(before):
        return [keyword(place, ".ptr")] if before[-1].type is tokens.TYPE else []
    items = _types(place, words[0])
    return [*items, keyword(place, ".align")] if words[0] == ".param" else items


def _of_parameter(before: Sequence[Token]) -> list[Token]:
    """Returns the tokens of the parameter being typed."""
    found: list[Token] = []
    for token in before:
        if token.string in ("(", ","):
            found = []
        else:
            found.append(token)
    return found


def _has_type(before: Sequence[Token]) -> bool:
    return any(token.type is tokens.TYPE for token in before)


def _types(place: TypingPlace, space: str) -> list[CompletionItem]:
    has_vector = place.previous in tokens.VECTORS
    items = [
        _type(place, name, info)
        for name, info in isa.database().types.items()
        if _may_declare(info, space)
    ]
    if not has_vector:
        items += [keyword(place, name, detail="vector", rank="2") for name in (".v2", ".v4")]
    return items


def _may_declare(info: PtxType, space: str) -> bool:
    if info.type_class == "opaque":
        return space in _OPAQUE_SPACES
    if space == ".reg":
        return info.is_register
    return info.is_fundamental and info.type_class != "predicate"


def _type(place: TypingPlace, name: str, info: PtxType) -> CompletionItem:
    order = _COMMON.index(name) if name in _COMMON else len(_COMMON)
    return CompletionItem(
        name,
        ItemKind.TYPE,
        place.range,
        name,
        detail=info.summary,
        sort=f"0{order:02}{name}",
        data=f"directive {name}",
    )
