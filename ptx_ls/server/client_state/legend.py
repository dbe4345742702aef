"""The names of semantic token types and modifiers, which `initialize` returns.

A type has a name of our own if the client lists that, else a standard name. Importing this module
imports nothing that can read PTX, and no types of LSP, as `initialize` must not wait for these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.tokens.token_kinds import TokenKind, TokenTrait

if TYPE_CHECKING:
    from collections.abc import Sequence

_TYPES: Final[dict[TokenKind, tuple[str, str]]] = {
    TokenKind.OPCODE: ("opcode", "keyword"),
    TokenKind.MODIFIER: ("modifier", "modifier"),
    TokenKind.TYPE: ("type", "type"),
    TokenKind.STATE_SPACE: ("stateSpace", "namespace"),
    TokenKind.DIRECTIVE: ("directive", "macro"),
    TokenKind.REGISTER: ("register", "variable"),
    TokenKind.SPECIAL_REGISTER: ("specialRegister", "enumMember"),
    TokenKind.LABEL: ("label", "function"),
    TokenKind.KERNEL: ("kernel", "function"),
    TokenKind.FUNCTION: ("function", "function"),
    TokenKind.PARAMETER: ("parameter", "parameter"),
    TokenKind.VARIABLE: ("variable", "variable"),
    TokenKind.CONSTANT: ("enumMember", "enumMember"),
    TokenKind.NUMBER: ("number", "number"),
    TokenKind.STRING: ("string", "string"),
    TokenKind.COMMENT: ("comment", "comment"),
}
OWN_TYPES: Final = {own: standard for own, standard in _TYPES.values() if own != standard}
"""Our own names, each with the standard name for editors that do not list it."""
STANDARD_MODIFIERS: Final = {
    TokenTrait.DECLARATION: "declaration",
    TokenTrait.DEFINITION: "definition",
    TokenTrait.READONLY: "readonly",
    TokenTrait.DEPRECATED: "deprecated",
    TokenTrait.WRITTEN: "modification",
    TokenTrait.PREDEFINED: "defaultLibrary",
}


def legend(listed: Sequence[str]) -> dict[str, list[str]]:
    """Returns the legend of semantic tokens for a client that lists some types, as JSON.

    Several types may have the same standard name.
    """
    names = [own if own in listed else standard for own, standard in _TYPES.values()]
    return {"tokenTypes": names, "tokenModifiers": [modifier_name(trait) for trait in TokenTrait]}


def traits_for(listed: Sequence[str]) -> int:
    """Returns the traits to send to a client that lists some token modifiers, as a bit mask.

    If the client lists modifiers, standard ones that it does not list are left out. Others are
    always included, because users of editors such as Neovim can colour them.
    """
    found = 0
    for trait in TokenTrait:
        if not listed or trait not in STANDARD_MODIFIERS or STANDARD_MODIFIERS[trait] in listed:
            found |= trait
    return found


def modifier_name(trait: TokenTrait) -> str:
    """Returns the name of the token modifier for a trait."""
    standard = STANDARD_MODIFIERS.get(trait)
    if standard is not None:
        return standard
    first, *others = str(trait.name).lower().split("_")
    return first + "".join(map(str.capitalize, others))
