"""Selects the pitfalls of an opcode that concern a variant.

Source: the manual's notes, in the words of each opcode's data.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.execution.variant import holds
from ptx_ls.syntax.dotted import modifiers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.isa import Instruction
    from ptx_ls.isa.execution.variant import Variant
    from ptx_ls.semantics.analysis import JudgedInstruction

_SPAN: Final = r"`\.[^` ]*`"
_LIST: Final = rf"{_SPAN}(?:(?:, | and | or |, or ){_SPAN})*"
_LACK: Final = rf"(?i:without|takes|write|use|needs?|ask) (?:an earlier |one of )?{_LIST}"
_ABSENT: Final = re.compile(_LACK).findall
_WITHOUT_ABSENT: Final = re.compile(_LACK).sub
_LEADING: Final = re.compile(_LIST).match
_SPANS: Final = re.compile(r"`([^`]*)`").findall


def relevant_pitfalls(judged: JudgedInstruction, variant: Variant) -> list[str]:
    """Returns the pitfalls about a variant; the page of the opcode has those about all variants."""
    found = judged.instruction
    if found is None:
        return []
    written = frozenset(judged.modifiers)
    about: list[str] = []
    for text, condition in zip(found.prose.pitfalls, found.prose.pitfall_conditions, strict=True):
        is_about = (
            holds(condition, variant) if condition else _is_about(text, found, variant, written)
        )
        if is_about:
            about.append(text)
    return about


def _is_about(pitfall: str, found: Instruction, variant: Variant, written: frozenset[str]) -> bool:
    """Whether a pitfall without a condition is about a variant, by the modifiers that it names."""
    named, absent = _subjects(pitfall, found.opcode)
    if absent and not _lacks(variant, absent, written):
        return False
    return any(each <= written for each in named) if named else bool(absent)


def _lacks(variant: Variant, absent: Sequence[frozenset[str]], written: frozenset[str]) -> bool:
    """Whether none of these modifiers is written, but one could be."""
    is_written = any(each <= written for each in absent)
    return not is_written and any(all(map(variant.can_be, each)) for each in absent)


Named = tuple[frozenset[str], ...]


def _subjects(pitfall: str, opcode: str) -> tuple[Named, Named]:
    """Returns the modifiers that a pitfall is about: those present, and those missing.

    "`.tf32` operands are ..." is about `.tf32`; "without `.sat`" and "takes `.acquire`"
    are about variants that could have it and do not.
    """
    absent = [each for phrase in _ABSENT(pitfall) for each in _named(phrase, opcode)]
    rest = _WITHOUT_ABSENT("", pitfall)
    leading = _LEADING(rest)
    named = _named(leading[0] if leading is not None else rest, opcode)
    spaces = isa.database().state_spaces.keys()
    return tuple(each for each in named if not each <= spaces) or tuple(named), tuple(absent)


def _named(text: str, opcode: str) -> list[frozenset[str]]:
    """Returns the modifiers in each `.a.b` or `opcode.a.b` of a text; omits other opcodes."""
    words = (word.partition(".") for span in _SPANS(text) for word in span.split())
    return [
        frozenset(modifiers_of(f".{modifiers}"))
        for head, _, modifiers in words
        if head in ("", opcode) and modifiers[:1].isalpha()
    ]
