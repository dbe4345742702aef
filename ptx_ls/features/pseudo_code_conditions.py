"""Which variants of an opcode a line of its pseudo-code is for."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.semantics.operands import SPECIAL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.semantics.analysis import JudgedInstruction
    from ptx_ls.syntax.operands import OperandSyntax

_TYPE: Final = re.compile(r"\.(?:[busf]|bf|tf|u?e\dm)\d+\w*").fullmatch
_FLOAT: Final = re.compile(r"\.(?:f|bf|tf|u?e\dm)\d").match
_PACKED: Final = re.compile(r"\.\w*?x\d").fullmatch
_LOOKS: Final = ("vector", "address", "wide", "name")
_NAME: Final = re.compile(r"\[\s*[A-Za-z_$%][\w$]*\s*(?:\+\s*0\s*)?\]").fullmatch


class Variant:
    """An instruction as conditions see it. `operands`: what is written, by the manual's names."""

    def __init__(self, judged: JudgedInstruction, operands: Mapping[str, str]) -> None:
        self.judged, self.operands = judged, operands
        self.modifiers = judged.modifiers
        self.slots: Mapping[str, str] = judged.verdict.slots if judged.verdict is not None else {}
        self.types = [text for text in self.modifiers if _TYPE(text)]

    @property
    def is_float(self) -> bool:
        """Whether it computes with floats."""
        return any(map(_FLOAT, self.types))

    def named(self, name: str) -> str | None:
        """What stands in a slot, "" for nothing; None if no slot has the name.

        `dtype` is the first type where the form has no slot of that name.
        """
        form = self.judged.verdict.form if self.judged.verdict is not None else None
        if form is None or all(slot.name != name for slot in form.slots):
            return self.types[0] if name == "dtype" and self.types else None
        return self.slots.get(name, "")

    def can_be(self, modifier: str) -> bool:
        """Whether it is a modifier of the form, and not only the name of a slot."""
        form = self.judged.verdict.form if self.judged.verdict is not None else None
        return form is not None and any(modifier in slot.values for slot in form.slots)

    @cached_property
    def syntaxes(self) -> dict[str, OperandSyntax]:
        """The operands by the manual's names."""
        specs = self.judged.verdict.operand_specs if self.judged.verdict is not None else ()
        both = zip(self.judged.operands, specs, strict=False)
        return {spec.name: operand for operand, spec in both if spec is not None}


def holds(test: str, variant: Variant) -> bool:
    """Whether all that is joined by "and" holds; of each, one of what is joined by "or" will do."""
    return all(
        any(_is_true(item.strip(), variant) for item in term.split(" or "))
        for term in test.strip().split(" and ")
    )


def _is_true(item: str, variant: Variant) -> bool:
    if item.startswith("no "):
        return not _is_true(item[3:], variant)
    if item.startswith("."):
        return _is_written(item, variant)
    kind, _, name = item.partition(" ")
    if kind in _LOOKS and name:
        operand = variant.syntaxes.get(name)
        return operand is not None and _looks(kind, operand, variant)
    match item:
        case "float":
            return variant.is_float
        case "packed":
            return any(map(_PACKED, variant.types))
        case "signed":
            return any(text.startswith(".s") for text in variant.types)
        case "unsigned":
            return not any(text.startswith(".s") for text in variant.types)
        case _:
            return item in variant.operands


def _is_written(name: str, variant: Variant) -> bool:
    """Whether a modifier is there, all of `.red.and`, or anything in the slot of that name."""
    if name in variant.modifiers or (variant.named(name[1:]) and not variant.can_be(name)):
        return True
    parts = [f".{part}" for part in name[1:].split(".")]
    return all(part in variant.modifiers for part in parts)


def _looks(kind: str, operand: OperandSyntax, variant: Variant) -> bool:
    facts = variant.judged.facts
    known = facts[operand.identifier] if 0 <= operand.identifier < len(facts) else None
    if kind == "name":
        is_parameter = any(text.startswith(".param") for text in variant.modifiers)
        return is_parameter and _NAME(operand.text) is not None
    if kind == "vector":
        is_vector = known is not None and known.vector_size > 1 and known.kind != SPECIAL
        return operand.text.startswith("{") or is_vector
    if known is None or known.kind == SPECIAL:
        return False
    if kind == "address":
        return known.space not in ("", ".reg") or known.kind in ("kernel", "device function")
    types = isa.database().type_facts
    own = types.get(known.type, (0, ""))[0]
    return own > max((types.get(text, (0, ""))[0] for text in variant.types[-1:]), default=0)
