"""Signature help: what a statement takes, and which of it is at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.features import signature_call, signature_directive, signature_instruction
from ptx_ls.features.complete_directive import STATEMENTS
from ptx_ls.features.signature_item import SignatureHelp
from ptx_ls.features.typing_place import TypingPlace, typing_place
from ptx_ls.syntax import tokens
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position
    from ptx_ls.syntax.tokens import Token

_ENDS = (";", "{", "}")


def signature_help(analysis: Analysis, position: Position) -> SignatureHelp | None:
    """What may stand at a position; None outside of what takes operands or arguments."""
    place = typing_place(analysis.document, position)
    if place is None:
        return None
    statement = place.before[place.guard :]
    if not statement:
        return None
    is_instruction = statement[0].type is tokens.WORD and place.first not in STATEMENTS
    if not is_instruction:
        return signature_directive.signatures(place.before)
    if statement[0].string.partition(".")[0] == "call":
        whole = _whole(place, statement)
        found = signature_call.signatures(analysis, place, statement, whole)
        if found:
            return SignatureHelp(tuple(found))
    return signature_instruction.signatures(analysis, place, statement)


def _whole(place: TypingPlace, statement: Sequence[Token]) -> list[Token]:
    """The tokens of the statement, those behind the cursor on its line included."""
    found = list(statement)
    for token in tokenize(place.word + place.behind):
        if token.type is tokens.ENDMARKER or token.string in _ENDS:
            break
        found.append(token)
    return found
