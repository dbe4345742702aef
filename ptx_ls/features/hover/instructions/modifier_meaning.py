"""The meaning of each modifier in the form of its instruction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.handbook.wording.phrases import uncapitalised
from ptx_ls.isa.checking.match import place

if TYPE_CHECKING:
    from ptx_ls.isa import Instruction
    from ptx_ls.semantics.analysis import JudgedInstruction

_PLAIN_SLOT: Final = "type"
"""The slot whose own text adds nothing to the text of its value."""
_WITHOUT_C: Final = "wgmma"
"""An opcode whose product has no matrix C."""


def slots_of(judged: JudgedInstruction) -> list[str]:
    """Returns the slot that each modifier fills in the form in use; "" for none."""
    names = [""] * len(judged.modifiers)
    if judged.form is not None:
        placement = place(judged.form.row, judged.modifiers, frozenset())
        for slot, index in zip(judged.form.slots, placement.filled_by, strict=False):
            if index >= 0:
                names[index] = slot.name
    return names


def is_in_name(judged: JudgedInstruction, number: int) -> bool:
    """Whether a modifier is part of the name of the form in use, as `.wait_group` of `cp.async`.

    ptxas reads the opcode and these modifiers as one word. Nothing may replace them.
    """
    if judged.form is None or number >= len(judged.modifiers):
        return False
    slot = slots_of(judged)[number]
    head = judged.form.slots[: judged.form.row.head]
    is_required = any(each.name == slot and not each.optional for each in head)
    return is_required and judged.modifiers[number] == f".{slot}"


def meaning_of(found: Instruction, text: str, slot: str) -> str:
    """Returns the meaning of a modifier: its purpose in a slot, and the type that it names."""
    database = isa.database()
    known = database.types.get(text)
    doc = found.modifier_doc(text, slot)
    if known is None:
        space = database.state_spaces.get(text)
        sizes = sizes_of(text, found.opcode)
        if sizes:
            return f"{doc} Here {sizes}".lstrip()
        return doc or (space.summary if space is not None else "")
    is_own = text in found.prose.modifiers or slot + text in found.prose.modifiers
    if is_own or not doc or slot == _PLAIN_SLOT:
        return doc if is_own else known.summary
    return doc if doc == known.summary else with_type(doc, known.summary)


def with_type(doc: str, summary: str) -> str:
    """Returns "Type of the result (32-bit signed integer)." for the texts on a slot and a type."""
    first, *rest = doc.split(". ", 1)
    named = f"{first.rstrip('.')} ({uncapitalised(summary.rstrip('.'))})."
    return " ".join([named, *rest])


def sizes_of(text: str, opcode: str = "") -> str:
    """Returns the sizes of the matrices of a product of shape `.m16n8k16`; "" for other texts."""
    shape = text.removeprefix(".m").replace("n", "k").split("k")
    if len(shape) != len("mnk") or not all(map(str.isdigit, shape)):
        return ""
    m, n, k = shape
    sums = f"D is {m}x{n}" if opcode == _WITHOUT_C else f"C and D are {m}x{n}"
    return f"A is {m}x{k}, B is {k}x{n}, {sums}."
