"""Says in a sentence what a variant of an instruction does, from the headlines in the ISA data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.wording.phrases import code, quantity
from ptx_ls.isa import database
from ptx_ls.isa.articles import with_indefinite
from ptx_ls.isa.execution.variant import holds
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.isa import Instruction
    from ptx_ls.isa.execution.variant import Variant

_PLACEHOLDER: Final = re.compile(r"\{(?:(\w+) )?([\w:-]+)\}")
_COUNTS: Final = {
    ".v2": "two", ".v4": "four", ".v8": "eight", ".x2": "two", ".x4": "four", ".x8": "eight",
    ".x16": "16", ".x32": "32", ".x64": "64", ".x128": "128",
}  # fmt: skip
_GENERIC: Final = {
    "from": "from a generic address",
    "to": "to a generic address",
    "at": "at a generic address",
}
_PREPOSITIONS: Final = {"from": "from", "to": "to", "at": "in"}
_VECTOR: Final = "vec"
"""The slot whose modifier may be absent, which means one value."""
_TWO_SPACES: Final = "  "
"""Is left by a placeholder for a modifier that is required and missing."""


class Headline(NamedTuple):
    """The effect of a variant in words, and the slots whose modifiers the text explains."""

    text: str
    explained: frozenset[str]


def headline(found: Instruction, variant: Variant, operands: Mapping[str, str]) -> Headline:
    """Returns what a variant does, or the summaries of its opcode and form if the data has none.

    `operands` maps the manual's names of the operands to what is written.
    """
    form = variant.form
    summary = form.summary if form is not None else ""
    for template, condition in found.prose.headlines if form is not None else ():
        if not condition or holds(condition, variant):
            text = _PLACEHOLDER.sub(
                lambda match: _text(match, found, variant, operands), template
            ).rstrip()
            if _TWO_SPACES in text:
                continue
            named = _PLACEHOLDER.findall(template)
            explained = {slot for kind, slot in named if kind in ("meaning", "covers")}
            return Headline(text, frozenset(explained))
    return Headline(" ".join(filter(None, (found.prose.summary, summary))), frozenset())


def _space_of(variant: Variant) -> str:
    """Returns the state space among the modifiers; a form with a single one has no slot for it."""
    spaces = database().state_spaces
    return next((modifier for modifier in variant.modifiers if modifier in spaces), "")


def _text(
    match: re.Match[str], found: Instruction, variant: Variant, operands: Mapping[str, str]
) -> str:
    """Returns the text for a placeholder."""
    kind, slot = match.groups()
    if slot == "form" and variant.form is not None:
        return variant.form.summary
    value = variant.named(slot) or ""
    match kind:
        case "operand":
            return quantity(operands.get(slot, slot))
        case "covers":
            return ""
        case "count":
            return _COUNTS.get(value, "one") if value or slot == _VECTOR else ""
        case "values":
            return "values" if value in _COUNTS else "value"
        case "meaning":
            return found.modifier_doc(value, slot)
        case "from" | "to" | "at":
            space = value or _space_of(variant)
            return f"{_PREPOSITIONS[kind]} {code(space)} memory" if space else _GENERIC[kind]
        case _:
            return _modifier(kind, value) if value else ""


def _modifier(kind: str, value: str) -> str:
    """Returns a modifier: as it is, after an article, or the type of the parts of a packed type."""
    if kind == "element":
        return code(value.partition("x")[0])
    return with_indefinite(code(value)) if kind == "a" else code(value)
