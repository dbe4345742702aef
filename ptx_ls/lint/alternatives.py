"""What an instruction could be instead: changes of its modifiers that leave nothing wrong.

Each is judged with the operands as they are written, under the module's version and target.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.match import canonical_order, place
from ptx_ls.lint.rule import Applicability, Edit, Repair
from ptx_ls.semantics.culprit import MOST_MODIFIERS, siblings
from ptx_ls.syntax.tokens import SPACES, TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.isa import Context
    from ptx_ls.lint.rule import Surroundings
    from ptx_ls.semantics.mismatch import InstructionMismatch

MOST: Final = 5
"""Fixes offered for one diagnostic."""


def is_legal(mismatch: InstructionMismatch, modifiers: Sequence[str], context: Context) -> bool:
    """Whether the instruction is legal with these modifiers, its operands left as they are."""
    if len(modifiers) > MOST_MODIFIERS:
        return False
    opcode = isa.split_modifiers(mismatch.opcode)[0]
    return _is_legal(opcode, tuple(modifiers), mismatch.operands, context)


@lru_cache(maxsize=4096)
def _is_legal(
    opcode: str, modifiers: tuple[str, ...], operands: tuple[isa.Operand, ...], context: Context
) -> bool:
    instruction = isa.database().instruction(opcode)
    if instruction is None:
        return False
    return isa.check(instruction, modifiers, operands, context).is_accepted


def synchronised(mismatch: InstructionMismatch, surroundings: Surroundings) -> tuple[Repair, ...]:
    """A fix that adds `.sync` and a mask of all lanes, if that makes the instruction legal."""
    opcode, modifiers = isa.split_modifiers(mismatch.opcode)
    mask = isa.Operand(isa.OperandKind.INTEGER, value=-1)
    operands = (*mismatch.operands, mask)
    if not _is_legal(opcode, (".sync", *modifiers), operands, surroundings.context):
        return ()
    line, column = mismatch.opcode_end
    stop = surroundings.lines[line].find(";", column) if line < len(surroundings.lines) else -1
    if stop < 0:
        return ()
    text = opcode + "".join((".sync", *modifiers))
    edits = (
        Edit(mismatch.opcode_start, mismatch.opcode_end, text),
        Edit((line, stop), (line, stop), ", -1"),
    )
    return (Repair(f"Write `{text}` with a mask of all lanes", edits),)


def additions(
    mismatch: InstructionMismatch, surroundings: Surroundings
) -> tuple[tuple[str, ...], tuple[Repair, ...]]:
    """Modifiers one of which makes the instruction legal if it is added, and fixes that add it."""
    opcode, modifiers = isa.split_modifiers(mismatch.opcode)
    instruction = isa.database().instruction(opcode)
    if instruction is None:
        return (), ()
    known = {value: None for form in instruction.forms for value in form.row.accepts}
    legal = tuple(
        value
        for value in known
        if value not in modifiers
        and _inserted(mismatch, opcode, modifiers, value, surroundings.context)
    )
    return legal, insertions(mismatch, legal, surroundings)


def insertions(
    mismatch: InstructionMismatch, wanted: Iterable[str], surroundings: Surroundings
) -> tuple[Repair, ...]:
    """Fixes that put one of the modifiers in its place.

    Certain if it is the only choice, no type, and if no modifier that is there may be the mistake.
    """
    opcode, modifiers = isa.split_modifiers(mismatch.opcode)
    found: list[tuple[str, str]] = []
    n_choices = 0
    for modifier in wanted:
        n_choices += 1
        changed = _inserted(mismatch, opcode, modifiers, modifier, surroundings.context)
        if changed:
            found.append((modifier, opcode + "".join(changed)))
    is_only = (
        len(found) == 1 == n_choices
        and found[0][0] not in TYPES
        and not _may_be_wrong(mismatch, modifiers, found[0][0], surroundings.context)
    )
    return tuple(
        Repair(
            f"Insert `{modifier}`",
            (Edit(mismatch.opcode_start, mismatch.opcode_end, text),),
            Applicability.CERTAIN if is_only else Applicability.GUESS,
        )
        for modifier, text in found[:MOST]
    )


def _may_be_wrong(
    mismatch: InstructionMismatch, modifiers: tuple[str, ...], missing: str, context: Context
) -> bool:
    """Whether the instruction is legal without a modifier that it has, or with another for it."""
    return any(
        is_legal(mismatch, (*modifiers[:index], *other, *modifiers[index + 1 :]), context)
        for index in range(len(modifiers))
        for other in ((), (missing,))
    )


def _inserted(
    mismatch: InstructionMismatch,
    opcode: str,
    modifiers: tuple[str, ...],
    modifier: str,
    context: Context,
) -> tuple[str, ...]:
    """The modifiers with another one, in the manual's order if possible; empty if none is legal."""
    legal = [
        changed
        for index in range(len(modifiers) + 1)
        if is_legal(
            mismatch, changed := (*modifiers[:index], modifier, *modifiers[index:]), context
        )
    ]
    in_order = (changed for changed in legal if _is_canonical(opcode, changed))
    return next(in_order, legal[0] if legal else ())


def _is_canonical(opcode: str, modifiers: tuple[str, ...]) -> bool:
    instruction = isa.database().instruction(opcode)
    if instruction is None:
        return False
    placements = (place(form.row, modifiers, frozenset()) for form in instruction.forms)
    return any(
        placement.is_complete and canonical_order(placement) == sorted(canonical_order(placement))
        for placement in placements
    )


def replacements(
    mismatch: InstructionMismatch, wanted: Iterable[str], surroundings: Surroundings
) -> tuple[Repair, ...]:
    """Fixes that put another modifier in place of the one that the mismatch names."""
    found = []
    for other in wanted:
        if is_legal(mismatch, replaced(mismatch, other), surroundings.context):
            edit = Edit(mismatch.start, mismatch.end, other)
            found.append(Repair(f"Replace by `{other}`", (edit,)))
    return tuple(found[:MOST])


def expected(mismatch: InstructionMismatch, surroundings: Surroundings) -> tuple[str, ...]:
    """What may stand in place of the modifier that the mismatch names; () if nothing has to.

    First what stands in its place elsewhere, then anything, as far as it is legal here.
    """
    opcode, found = isa.split_modifiers(mismatch.opcode)[0], mismatch.violation.found
    instruction = isa.database().instruction(opcode)
    known = mismatch.violation.expected
    if instruction is None:
        return known
    own = set(siblings(instruction, found))
    is_known = any(found in form.row.accepts for form in instruction.forms)
    alike = tuple(dict.fromkeys((*siblings(instruction, found), *known)))
    for context in (surroundings.context, isa.Context()):  # gates aside, if nothing else helps
        legal = [one for one in alike if is_legal(mismatch, replaced(mismatch, one), context)]
        if preferred := tuple(one for one in legal if one in own):
            return preferred
        if is_known and is_legal(mismatch, replaced(mismatch, ""), context):
            return ()
        for kind in (SPACES, TYPES):
            if found in kind and (of_kind := tuple(one for one in legal if one in kind)):
                return of_kind
        if legal:
            return tuple(legal)
    if is_known:
        return tuple(one for one in known if one in own)
    kinds = (kind for kind in (SPACES, TYPES) if found in kind)
    return next((tuple(one for one in known if one in kind) for kind in kinds), known)


def removal(mismatch: InstructionMismatch, surroundings: Surroundings) -> tuple[Repair, ...]:
    """A fix that removes the modifier that the mismatch names, if the rest is legal."""
    if not is_legal(mismatch, replaced(mismatch, ""), surroundings.context):
        return ()
    edit = Edit(mismatch.start, mismatch.end, "")
    return (Repair(f"Remove `{mismatch.violation.found}`", (edit,)),)


def replaced(mismatch: InstructionMismatch, other: str) -> tuple[str, ...]:
    """The modifiers with another one in place of the one that the mismatch names; "": with none."""
    modifiers = isa.split_modifiers(mismatch.opcode)[1]
    kind, *numbers = mismatch.violation.part
    if kind != "modifier":
        return modifiers
    index = int(numbers[0])
    return (*modifiers[:index], *([other] if other else []), *modifiers[index + 1 :])
