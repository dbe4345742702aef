"""Fixes that change the modifiers of an instruction, and trials of changed instructions.

A violation names what is legal in its place (see `isa.diagnosis`), so fixes of an error need no
trial; for other violations, a few modifiers are tried with the operands as written.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import on_row
from ptx_ls.isa.checking.nearest import MAX_MODIFIERS
from ptx_ls.lint.rule import Applicability, Repair, SpanEdit
from ptx_ls.syntax.tokens import TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa import Context
    from ptx_ls.lint.rule import RuleContext
    from ptx_ls.semantics.problems.instructions import InstructionMismatch

_DIAGNOSED: Final = frozenset(
    {
        isa.ViolationKind.ILLEGAL_MODIFIER,
        isa.ViolationKind.MISSING_MODIFIER,
        isa.ViolationKind.UNKNOWN_MODIFIER,
    }
)
"""Violations for which the diagnosis knows whether a single change helps."""
MAX_FIXES: Final = 5
"""Maximum number of fixes offered for one diagnostic."""


def is_legal(
    mismatch: InstructionMismatch,
    context: RuleContext,
    *,
    modifiers: Sequence[str] | None = None,
    operands: Sequence[isa.Operand] | None = None,
) -> bool:
    """Whether the instruction is legal with other modifiers or other operands."""
    opcode, written = isa.split_modifiers(mismatch.opcode)
    changed = written if modifiers is None else tuple(modifiers)
    given = mismatch.operands if operands is None else tuple(operands)
    return len(changed) <= MAX_MODIFIERS and _is_legal(opcode, changed, given, context.isa_context)


@lru_cache(maxsize=4096)
def _is_legal(
    opcode: str, modifiers: tuple[str, ...], operands: tuple[isa.Operand, ...], context: Context
) -> bool:
    instruction = isa.database().instruction(opcode)
    return instruction is not None and isa.is_legal(instruction, modifiers, operands, context)


def verdict_on(
    mismatch: InstructionMismatch,
    context: RuleContext,
    *,
    modifiers: Sequence[str] | None = None,
    operands: Sequence[isa.Operand] | None = None,
) -> isa.Verdict | None:
    """Returns the verdict on the instruction with other modifiers or other operands."""
    opcode, written = isa.split_modifiers(mismatch.opcode)
    instruction = isa.database().instruction(opcode)
    if instruction is None:
        return None
    changed = written if modifiers is None else modifiers
    given = mismatch.operands if operands is None else operands
    return isa.check(instruction, changed, given, context.isa_context)


def synchronised(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that adds `.sync` and a mask of all lanes, if that is legal."""
    opcode, modifiers = isa.split_modifiers(mismatch.opcode)
    mask = isa.Operand(isa.OperandKind.INTEGER, value=-1)
    operands = (*mismatch.operands, mask)
    if not is_legal(mismatch, context, modifiers=(".sync", *modifiers), operands=operands):
        return ()
    line, column = mismatch.opcode_end
    stop = context.lines[line].find(";", column) if line < len(context.lines) else -1
    if stop < 0:
        return ()
    text = opcode + "".join((".sync", *modifiers))
    edits = (
        SpanEdit(mismatch.opcode_start, mismatch.opcode_end, text),
        SpanEdit(*on_row(line, stop, stop), ", -1"),
    )
    return (Repair(f"Write `{text}` with `-1`, the mask of all lanes", edits),)


def may_be_certain(wanted: Sequence[str]) -> bool:
    """Whether inserting one of these may be more than a guess."""
    return len(wanted) == 1 and wanted[0] not in TYPES


def insertions(
    mismatch: InstructionMismatch, wanted: Sequence[str], context: RuleContext
) -> tuple[Repair, ...]:
    """Returns fixes that insert one of the modifiers in its place.

    A fix is certain if it is the only choice, does not insert a type, and the written modifiers
    are probably correct.
    """
    opcode, modifiers = isa.split_modifiers(mismatch.opcode)
    instruction = isa.database().instruction(opcode)
    if instruction is None or len(modifiers) > MAX_MODIFIERS:
        return ()
    violation = mismatch.violation
    if not violation.is_mended and violation.kind in _DIAGNOSED and not violation.lenient:
        return ()
    from ptx_ls.isa.diagnosis.insertion import inserted  # rarely needed

    operands, isa_context = mismatch.operands, context.isa_context
    found: list[Repair] = []
    for modifier in wanted[:MAX_FIXES]:
        changed = inserted(instruction, modifiers, modifier, operands, isa_context)
        if changed:
            found.append(with_modifiers(mismatch, changed, f"Insert `{modifier}`"))
    is_only = found and may_be_certain(wanted)
    if is_only and not _may_be_wrong(mismatch, modifiers, wanted[0], context):
        return (found[0]._replace(applicability=Applicability.CERTAIN),)
    return tuple(found)


def completions(
    mismatch: InstructionMismatch, missing: Sequence[str], context: RuleContext
) -> tuple[Repair, ...]:
    """Returns a fix that inserts several modifiers, each in its place."""
    from ptx_ls.isa.diagnosis.insertion import completed  # rarely needed

    opcode, modifiers = isa.split_modifiers(mismatch.opcode)
    instruction = isa.database().instruction(opcode)
    if instruction is None or len(modifiers) + len(missing) > MAX_MODIFIERS:
        return ()
    found = completed(instruction, modifiers, missing, mismatch.operands, context.isa_context)
    return (with_modifiers(mismatch, found),) if found else ()


def _may_be_wrong(
    mismatch: InstructionMismatch, modifiers: tuple[str, ...], missing: str, context: RuleContext
) -> bool:
    """Whether the instruction is legal if one modifier is removed or replaced."""
    others = {index: {(), (missing,)} for index in range(len(modifiers))}
    for index, value in _of_other_forms(mismatch.opcode, missing):
        others[index].add((value,))
    return any(
        is_legal(mismatch, context, modifiers=_with(modifiers, index, *other))
        for index, choices in others.items()
        for other in choices
    )


def _of_other_forms(text: str, missing: str) -> Iterator[tuple[int, str]]:
    """Yields the index of a written modifier, and one that may replace it in another form.

    The other form has neither the written nor the missing modifier. For example, `membar.async` may
    lack `.proxy`, but `membar.gl` may also be meant.
    """
    opcode, modifiers = isa.split_modifiers(text)
    instruction = isa.database().instruction(opcode)
    for form in instruction.forms if instruction is not None else ():
        accepted = form.row.accepts
        odd = [index for index, each in enumerate(modifiers) if each not in accepted]
        if missing not in accepted and len(odd) == 1:
            yield from ((odd[0], value) for value in accepted)


def with_modifiers(
    mismatch: InstructionMismatch,
    modifiers: Sequence[str],
    title: str = "",
    applicability: Applicability = Applicability.GUESS,
) -> Repair:
    """Returns a fix that gives an instruction other modifiers; by default its title shows them."""
    text = isa.split_modifiers(mismatch.opcode)[0] + "".join(modifiers)
    edit = SpanEdit(mismatch.opcode_start, mismatch.opcode_end, text)
    return Repair(title or f"Write `{text}`", (edit,), applicability)


def exchanged(
    mismatch: InstructionMismatch, index: int, modifier: str, context: RuleContext
) -> tuple[Repair, ...]:
    """Returns a fix that replaces the modifier at an index, if that is legal."""
    modifiers = isa.split_modifiers(mismatch.opcode)[1]
    changed = _with(modifiers, index, modifier)
    if not is_legal(mismatch, context, modifiers=changed):
        return ()
    return (with_modifiers(mismatch, changed, f"Replace `{modifiers[index]}` with `{modifier}`"),)


def replacements(
    mismatch: InstructionMismatch, wanted: Sequence[str], context: RuleContext
) -> tuple[Repair, ...]:
    """Returns fixes that replace the modifier that the mismatch names."""
    return tuple(
        Repair(f"Replace with `{other}`", (SpanEdit(mismatch.start, mismatch.end, other),))
        for other in wanted[:MAX_FIXES]
        if _mends(mismatch, replaced(mismatch, other), context)
    )


def _mends(mismatch: InstructionMismatch, changed: Sequence[str], context: RuleContext) -> bool:
    """Whether a change makes the instruction legal."""
    violation = mismatch.violation
    is_open = violation.lenient or violation.kind not in _DIAGNOSED
    return violation.is_mended or (is_open and is_legal(mismatch, context, modifiers=changed))


def removal(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that removes the modifier that the mismatch names, if the rest is legal."""
    violation = mismatch.violation
    if not violation.removable:
        if not violation.lenient:
            return ()
        if not is_legal(mismatch, context, modifiers=replaced(mismatch)):
            return ()
    edit = SpanEdit(mismatch.start, mismatch.end, "")
    return (Repair(f"Remove `{violation.found}`", (edit,)),)


def replaced(mismatch: InstructionMismatch, *others: str) -> tuple[str, ...]:
    """Returns the modifiers with `others` in place of the one that the mismatch names, if any."""
    modifiers = isa.split_modifiers(mismatch.opcode)[1]
    kind, *numbers = mismatch.violation.part
    if kind != "modifier":
        return modifiers
    return _with(modifiers, int(numbers[0]), *others)


def _with(modifiers: tuple[str, ...], index: int, *others: str) -> tuple[str, ...]:
    return (*modifiers[:index], *others, *modifiers[index + 1 :])
