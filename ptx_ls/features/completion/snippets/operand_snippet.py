"""Instructions as snippets, with a placeholder for each operand, named as in the manual."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.completion.complete_constant import values_of
from ptx_ls.features.completion.ranking.usual_spellings import usual_spellings
from ptx_ls.features.completion.snippets.snippet import stop
from ptx_ls.features.completion.typing_place import CLOSING_BRACKETS
from ptx_ls.isa.candidates import Candidate, candidates
from ptx_ls.isa.checking.filling import Filler, constraints_of
from ptx_ls.isa.checking.scalar_check import spec_count
from ptx_ls.syntax.dotted import modifiers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.isa import Context, Form, Instruction
    from ptx_ls.isa.notation.table import ModifierSlot, OperandRow, SpecRow

_COMMON: Final = (".b32", ".s32", ".u32", ".f32", ".b64", ".u64", ".f64")
"""Types, the most frequent first."""
_MAX_ELEMENTS: Final = 16
"""A vector with more elements has one placeholder for all of them."""
_UNKNOWN: Final = isa.Operand(isa.OperandKind.UNKNOWN)


@lru_cache(maxsize=1024)
def of_opcode(opcode: str, context: Context, near: str = "") -> str:
    """Returns a snippet for an opcode with modifiers that are legal in a module, or "".

    `near`: an instruction of the module with this opcode, whose modifiers are preferred; next come
    the most frequent ones. Modifiers with alternatives are placeholders.
    """
    instruction = isa.database().instruction(opcode)
    if instruction is None:
        return ""
    for spelling in (near, *usual_spellings(opcode)) if near else usual_spellings(opcode):
        found = _spelled(instruction, tuple(modifiers_of(spelling)), context)
        if found:
            return f"{opcode}{found}"
    return _first_form(instruction, opcode, context)


def _spelled(instruction: Instruction, modifiers: tuple[str, ...], context: Context) -> str:
    """Returns modifiers and operands; "" if the module cannot have the modifiers."""
    for candidate in candidates(instruction, modifiers, (), context):
        if candidate.is_complete and not candidate.requires:
            slots = zip(candidate.form.slots, candidate.values, strict=False)
            rows = _required(instruction, modifiers, candidate, context)
            written = "".join(_modifier(slot, value) for slot, value in slots)
            return f"{written}{_operands(candidate, rows)};"
    return ""


def _first_form(instruction: Instruction, opcode: str, context: Context) -> str:
    """Returns a snippet for the first legal form without optional modifiers; "" if none is."""
    found = [each for each in candidates(instruction, (), (), context) if not each.requires]
    if not found:
        return ""
    best = min(found, key=_rarity)
    values = _likely(best.form, best.values, context)
    modifiers = "".join(
        _modifier(slot, value) for slot, value in zip(best.form.slots, values, strict=False)
    )
    rows = [row for row in best.form.operands if not row.optional]
    return f"{opcode}{modifiers}{_operands(best._replace(values=values), rows)};"


@lru_cache(maxsize=1024)
def of_operands(opcode: str, modifiers: tuple[str, ...], context: Context) -> str:
    """Returns the operands after modifiers, ` d, a, b;`; "" if modifiers are missing."""
    instruction = isa.database().instruction(opcode)
    if instruction is None:
        return ""
    for candidate in candidates(instruction, modifiers, (), context):
        if candidate.is_complete:
            rows = _required(instruction, modifiers, candidate, context)
            return f"{_operands(candidate, rows)};"
    return ""


def _required(
    instruction: Instruction, modifiers: Sequence[str], candidate: Candidate, context: Context
) -> list[OperandRow]:
    """Returns the operands that are required: a modifier may require an optional operand."""
    always = [row for row in candidate.form.operands if not row.optional]
    for count in range(len(always), len(candidate.form.operands) + 1):
        verdict = isa.check(instruction, modifiers, [_UNKNOWN] * count, context)
        if verdict.is_accepted and verdict.form is candidate.form:
            return [spec.row for spec in verdict.operand_specs if spec is not None]
    return always


def _rarity(candidate: Candidate) -> tuple[bool, bool]:
    return bool(candidate.form.row.deprecated), ".pred" in candidate.values


def _likely(form: Form, values: Sequence[str], context: Context) -> tuple[str, ...]:
    """Replaces types that come first in the data with more frequent types that are also legal."""
    filler = Filler(form, constraints_of(form, context))
    found = list(values)
    for number, slot in enumerate(form.slots):
        for common in _common(slot, context) if values[number] in form.types else ():
            tried = [*found[:number], common, *found[number + 1 :]]
            if common in slot.values and filler.filled(tried) == tried:
                found = tried
                break
    return tuple(found)


def _common(slot: ModifierSlot, context: Context) -> tuple[str, ...]:
    """Returns the types to try for a slot: for addresses, the type of the module's address size."""
    is_address = set(slot.values) == {".u32", ".u64"}
    return (f".u{context.address_size}",) if is_address else _COMMON


def _modifier(slot: ModifierSlot, value: str) -> str:
    is_open = len(slot.values) > 1 and bool(value)
    return f".{stop(value[1:])}" if is_open else value


def _operands(candidate: Candidate, rows: Sequence[OperandRow]) -> str:
    texts = [_operand(row, candidate) for row in rows]
    return f" {', '.join(texts)}" if texts else ""


def _operand(row: OperandRow, candidate: Candidate) -> str:
    """Returns one operand: `«d»`, `[«a»]`, `{«d0», «d1»}`."""
    if row.parts:
        opening = next((sign for sign in row.syntax if sign in CLOSING_BRACKETS), "[")
        parts = [_operand(part, candidate) for part in row.parts if not part.optional]
        return f"{opening}{', '.join(parts)}{CLOSING_BRACKETS[opening]}"
    spec = next((each for each in row.specs if "lenient" not in each.flags), None)
    text = _value(_as_name(row.name), spec, candidate, values_of(row))
    if row.pair and not row.pair_optional:
        text += f"|{stop(_as_name(row.pair))}"
    return text


def _as_name(operand: str) -> str:
    """Returns the manual's name of an operand as a name of PTX: `cp-size` would be a difference."""
    return operand.replace("-", "_")


def _value(name: str, spec: SpecRow | None, candidate: Candidate, values: Sequence[float]) -> str:
    if spec is None:
        return stop(name)
    if spec.kind == "addr":
        return f"[{stop(name)}]"
    if spec.kind == "imm" and len(values) == 1:
        return str(values[0])
    if spec.kind == "list":
        return f"({stop(name)})"
    if spec.kind == "pack":
        return f"{{{stop(f'{name}0')}, {stop(f'{name}1')}}}"
    if spec.kind != "vec":
        return stop(name)
    count = spec_count(spec, candidate.scope)
    if count <= 1 and "braces" not in spec.flags:
        return stop(name)
    names = [f"{name}{n}" for n in range(count)] if count <= _MAX_ELEMENTS else [name]
    return f"{{{', '.join(map(stop, names))}}}"
