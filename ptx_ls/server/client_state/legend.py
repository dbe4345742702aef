"""The names of semantic token types and modifiers, which `initialize` returns.

A type has a name of our own if the client lists that, else a standard name. Importing this module
imports nothing that can read PTX.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.features.tokens.token_kinds import TokenKind, TokenTrait

if TYPE_CHECKING:
    from collections.abc import Sequence

_TYPES: Final[dict[TokenKind, tuple[str, types.SemanticTokenTypes]]] = {
    TokenKind.OPCODE: ("opcode", types.SemanticTokenTypes.Keyword),
    TokenKind.MODIFIER: ("modifier", types.SemanticTokenTypes.Modifier),
    TokenKind.TYPE: ("type", types.SemanticTokenTypes.Type),
    TokenKind.STATE_SPACE: ("stateSpace", types.SemanticTokenTypes.Namespace),
    TokenKind.DIRECTIVE: ("directive", types.SemanticTokenTypes.Macro),
    TokenKind.REGISTER: ("register", types.SemanticTokenTypes.Variable),
    TokenKind.SPECIAL_REGISTER: ("specialRegister", types.SemanticTokenTypes.EnumMember),
    TokenKind.LABEL: ("label", types.SemanticTokenTypes.Function),
    TokenKind.KERNEL: ("kernel", types.SemanticTokenTypes.Function),
    TokenKind.FUNCTION: ("function", types.SemanticTokenTypes.Function),
    TokenKind.PARAMETER: ("parameter", types.SemanticTokenTypes.Parameter),
    TokenKind.VARIABLE: ("variable", types.SemanticTokenTypes.Variable),
    TokenKind.CONSTANT: ("enumMember", types.SemanticTokenTypes.EnumMember),
    TokenKind.NUMBER: ("number", types.SemanticTokenTypes.Number),
    TokenKind.STRING: ("string", types.SemanticTokenTypes.String),
    TokenKind.COMMENT: ("comment", types.SemanticTokenTypes.Comment),
}
OWN_TYPES: Final = {
    own: standard.value for own, standard in _TYPES.values() if own != standard.value
}
"""Our own names, each with the standard name for editors that do not list it."""
STANDARD_MODIFIERS: Final = {
    TokenTrait.DECLARATION: types.SemanticTokenModifiers.Declaration,
    TokenTrait.DEFINITION: types.SemanticTokenModifiers.Definition,
    TokenTrait.READONLY: types.SemanticTokenModifiers.Readonly,
    TokenTrait.DEPRECATED: types.SemanticTokenModifiers.Deprecated,
    TokenTrait.WRITTEN: types.SemanticTokenModifiers.Modification,
    TokenTrait.PREDEFINED: types.SemanticTokenModifiers.DefaultLibrary,
}


def semantic_tokens_of(
    able: types.ClientCapabilities,
) -> types.SemanticTokensClientCapabilities | None:
    """Returns the capabilities of a client for semantic tokens."""
    found = get_capability(able, "text_document.semantic_tokens")
    return found if isinstance(found, types.SemanticTokensClientCapabilities) else None


def legend(able: types.SemanticTokensClientCapabilities | None) -> types.SemanticTokensLegend:
    """Returns the names of types and modifiers. Several types may have the same standard name."""
    listed: Sequence[str] = able.token_types if able is not None else ()
    names = [own if own in listed else standard.value for own, standard in _TYPES.values()]
    return types.SemanticTokensLegend(names, [modifier_name(trait) for trait in TokenTrait])


def traits_for(able: types.SemanticTokensClientCapabilities | None) -> int:
    """Returns the traits to send as token modifiers, as a bit mask.

    If the client lists modifiers, standard ones that it does not list are left out. Others are
    always included, because users of editors such as Neovim can colour them.
    """
    listed: Sequence[str] = able.token_modifiers if able is not None else ()
    found = 0
    for trait in TokenTrait:
        if (
            not listed
            or trait not in STANDARD_MODIFIERS
            or STANDARD_MODIFIERS[trait].value in listed
        ):
            found |= trait
    return found


def modifier_name(trait: TokenTrait) -> str:
    """Returns the name of the token modifier for a trait."""
    standard = STANDARD_MODIFIERS.get(trait)
    if standard is not None:
        return standard.value
    first, *others = str(trait.name).lower().split("_")
    return first + "".join(map(str.capitalize, others))
