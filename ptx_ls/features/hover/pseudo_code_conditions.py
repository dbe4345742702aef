"""How an instruction in a document is seen by the conditions of pseudo-code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.execution.variant import Variant
from ptx_ls.semantics.instructions.operands import SPECIAL
from ptx_ls.syntax.names import NAME_PATTERN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.semantics.analysis import JudgedInstruction
    from ptx_ls.syntax.operands import OperandSyntax

_NAME: Final = re.compile(rf"\[\s*{NAME_PATTERN}\s*(?:\+\s*0\s*)?\]", re.ASCII).fullmatch
_SELECTOR: Final = re.compile(r"\.[bh]\d+$").search


def variant_of(judged: JudgedInstruction, operands: Mapping[str, str]) -> Variant:
    """An instruction as it is written. `operands`: their texts, by the manual's names."""
    verdict = judged.verdict
    if verdict is None:
        return Variant(None, {}, judged.modifiers, operands)
    specs = verdict.operand_specs

    def looks(kind: str, name: str) -> bool:
        return any(
            spec is not None and spec.name == name and _looks(kind, operand, judged)
            for operand, spec in zip(judged.operands, specs, strict=False)
        )

    slots = {**verdict.slots, **_selectors(judged)}
    return Variant(verdict.form, slots, judged.modifiers, operands, looks)


def _selectors(judged: JudgedInstruction) -> dict[str, str]:
    """The selectors after operands (`.b0`), by slot."""
    verdict = judged.verdict
    if verdict is None or verdict.form is None:
        return {}
    found = {}
    for operand, spec in zip(judged.operands, verdict.operand_specs, strict=False):
        if spec is None or spec.row.selector < 0:
            continue
        match = _SELECTOR(operand.text.strip())
        if match:
            found[verdict.form.row.slots[spec.row.selector].name] = match[0]
    return found


def _looks(kind: str, operand: OperandSyntax, judged: JudgedInstruction) -> bool:
    facts = judged.facts
    known = facts[operand.identifier] if 0 <= operand.identifier < len(facts) else None
    if kind == "negated":
        return operand.text.lstrip().startswith("-")
    if kind == "name":
        is_parameter = any(text.startswith(".param") for text in judged.modifiers)
        return is_parameter and _NAME(operand.text) is not None
    if kind == "special":
        return known is not None and known.kind == SPECIAL
    if kind == "vector":
        is_vector = known is not None and known.vector_size > 1 and known.kind != SPECIAL
        return operand.text.startswith("{") or is_vector
    if known is None or known.kind == SPECIAL:
        return False
    if kind == "predicate":
        return known.type == ".pred"
    if kind == "address":
        return known.space not in ("", ".reg") or known.kind in ("kernel", "device function")
    types = isa.database().type_facts
    own = types.get(known.type, (0, ""))[0]
    instruction_types = [text for text in judged.modifiers if text in types]
    return own > max((types[text][0] for text in instruction_types[-1:]), default=0)
