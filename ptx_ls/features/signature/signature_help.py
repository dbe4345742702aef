"""Signature help: the operands or arguments of a statement, and the one at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.features.completion.complete_directive import STATEMENTS
from ptx_ls.features.completion.typing_place import typing_place
from ptx_ls.features.signature import signature_call, signature_directive, signature_instruction
from ptx_ls.features.signature.signature_item import SignatureHelp
from ptx_ls.syntax import tokens

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position


def signature_help(analysis: Analysis, position: Position) -> SignatureHelp | None:
    """Returns the signatures of the statement at a position; None if it has no operands."""
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
        whole = signature_call.whole_statement(place, statement)
        found = signature_call.signatures(analysis, place, statement, whole)
        if found:
            return SignatureHelp(tuple(found))
    return signature_instruction.signatures(analysis, place, statement)
