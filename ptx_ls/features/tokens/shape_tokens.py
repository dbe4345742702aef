"""Tokens of plain instructions from their shape: of most, the words say all without being lexed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.features.operand_traits import NameTraits
from ptx_ls.features.tokens.statement_tokens import default_kind, opcode_parts
from ptx_ls.features.tokens.token_kinds import TokenKind
from ptx_ls.features.tokens.token_patterns import words_of
from ptx_ls.syntax.normalize import canonical_word

if TYPE_CHECKING:
    from ptx_ls.features.operand_traits import ShapeTraits
    from ptx_ls.features.tokens.token_patterns import Open
    from ptx_ls.syntax.record import Shape

_NUMBER: Final = re.compile(
    r"\d++U?|0[xX][0-9a-fA-F]++U?|0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}", re.ASCII
).fullmatch
_MAX_LENGTH: Final = 500
_NUMBER_TOKEN: Final = (int(TokenKind.NUMBER), 0, 0, -1)
_MODIFIER_TOKEN: Final = (int(TokenKind.MODIFIER), 0, 0, -1)
_REGISTER: Final = int(TokenKind.REGISTER)
_OPCODE: Final = int(TokenKind.OPCODE)
_PLAIN: Final = NameTraits()


def shape_tokens(
    shape: Shape, line: str, traits: ShapeTraits
) -> tuple[list[Open], tuple[str, ...]] | None:
    """The tokens of a line without a comment, as `statement_tokens` has them, and their names.

    None where more has to be known than words, and that there is no error.
    """
    if shape.gaps or shape.has_gap or "/" in line or '"' in line or len(line) > _MAX_LENGTH:
        return None
    words = words_of(line)
    parts = opcode_parts(shape.opcode)
    first = 1 if shape.guard else 0
    behind = first + len(parts)
    if "".join(words[first:behind]) != shape.opcode:
        return None
    tokens: list[Open] = []
    names: list[str] = []
    known = traits.names
    by_use = int(default_kind(traits))
    is_named = False
    for word in [*words[:first], *words[behind:]]:
        initial = word[0]
        if initial == ".":
            if not is_named or "(" in line:  # a type there is no selector
                return None
            is_named = False
            tokens.append(_MODIFIER_TOKEN)
        elif initial.isdigit():
            if "{" in line or not _NUMBER(word):
                return None
            is_named = False
            tokens.append(_NUMBER_TOKEN)
        else:
            number = len(names)
            always, by_type = known[number] if number < len(known) else _PLAIN
            is_register = initial == "%" or (not number and first)
            kind = _REGISTER if is_register else by_use
            tokens.append((kind, int(always), int(by_type), number))
            names.append(canonical_word(word) if initial == "%" else "")
            is_named = True
    opcode: list[Open] = [(int(kind), 0, 0, -1) for _, _, kind in parts]
    opcode[0] = (_OPCODE, int(traits.opcode), 0, -1)
    tokens[first:first] = opcode
    return tokens, tuple(names)
