"""Finds modifiers that ptxas ignores in an instruction: repeated ones, and others in some forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ptx_ls.isa.checking.match import place
from ptx_ls.isa.checking.nearest import forms_of
from ptx_ls.isa.checking.verdict import Violation, ViolationKind
from ptx_ls.isa.model import Form, Instruction
from ptx_ls.isa.operand import Operand, OperandKind


def ignored_modifiers(
    instruction: Instruction, modifiers: Sequence[str], skipped: frozenset[int]
) -> list[int]:
    """Returns the indices of modifiers that ptxas ignores, so that some form takes the others."""
    candidates = (1 << len(instruction.forms)) - 1
    for index, modifier in enumerate(modifiers):
        if index not in skipped:
            candidates &= _tolerant_forms(instruction, modifier)
            if not candidates:
                return []
    for form in forms_of(instruction, candidates):
        placement = place(form.row, modifiers, skipped)
        leftover = placement.leftover
        if placement.missing or placement.out_of_order or not leftover:
            continue
        if passes_over(instruction, form, modifiers, leftover):
            return leftover
    return []


@lru_cache(maxsize=4096)
def _tolerant_forms(instruction: Instruction, modifier: str) -> int:
    """Returns the forms that have a place for a modifier or may ignore it: bit `n` is form `n`."""
    found = instruction.forms_with.get(modifier, 0)
    for number, form in enumerate(instruction.forms):
        if _may_be_ignored(modifier, _ignored_words(instruction, form)):
            found |= 1 << number
    return found


def passes_over(
    instruction: Instruction, form: Form, modifiers: Sequence[str], indices: Sequence[int]
) -> bool:
    """Whether ptxas ignores these modifiers in this form."""
    ignored = _ignored_words(instruction, form)
    types = instruction.tables.type_facts
    return all(_is_ignored(modifiers[index:], ignored, types) for index in indices)


@lru_cache(maxsize=1024)
def _ignored_words(instruction: Instruction, form: Form) -> frozenset[str]:
    """Returns the modifiers that ptxas ignores in a form, in the notation of docs/isa-format.md."""
    ignored = instruction.ignored | form.row.ignored
    foreign = instruction.tables.ignored_types[".pred" in ignored]
    kept = {name for name in foreign if ignored.isdisjoint((f"{name}$", f"!{name}"))}
    return ignored | (kept - form.row.accepts.keys())


def _may_be_ignored(modifier: str, ignored: frozenset[str]) -> bool:
    return modifier in ignored or f"{modifier}$" in ignored


_VECTORS = {".v2": 2, ".v4": 4, ".v8": 8}


def sizes_agree(ignored: Sequence[str], operands: Sequence[Operand]) -> bool:
    """Whether ptxas ignores `.v4`: it does if every vector has four elements."""
    sizes = {_VECTORS[modifier] for modifier in ignored if modifier in _VECTORS}
    vectors = [operand for operand in operands if operand.kind is OperandKind.VECTOR]
    if not sizes:
        return True
    return bool(vectors) and all({len(vector.elements)} >= sizes for vector in vectors)


_SCALE_TYPES = (".ue8m0", ".ue4m3")
"""The types of scale factors, which follow the types of the matrices as a separate list."""


def _is_ignored(
    modifiers: Sequence[str], ignored: frozenset[str], types: Mapping[str, tuple[int, str]]
) -> bool:
    """Whether ptxas ignores the first modifier: in any place, or (`.s4$`) as an extra last type.

    Because ptxas only counts types, a type before others is also extra, if all are equally wide:
    each of the others then takes the place of the one before it.
    """
    if modifiers[0] in ignored:
        return True
    if f"{modifiers[0]}$" not in ignored:
        return False
    later = [each for each in modifiers[1:] if each in types and each not in _SCALE_TYPES]
    while later and f"{later[-1]}$" in ignored:
        later.pop()
    own_width = types.get(modifiers[0], (0, ""))[0]
    return all(types[each][0] == own_width for each in later)


def repeated(instruction: Instruction, modifiers: Sequence[str]) -> list[tuple[int, Violation]]:
    """Returns the repetitions that ptxas accepts, such as `.sync.sync`, with their indices."""
    repeatable = instruction.tables.repeatable
    if len(set(modifiers)) == len(modifiers) or repeatable.isdisjoint(modifiers):
        return []
    first = {modifier: index for index, modifier in reversed([*enumerate(modifiers)])}
    return [
        (
            index,
            Violation(
                ViolationKind.DUPLICATE_MODIFIER, ("modifier", index), modifier, lenient=True
            ),
        )
        for index, modifier in enumerate(modifiers)
        if modifier in repeatable and first[modifier] < index
    ]
