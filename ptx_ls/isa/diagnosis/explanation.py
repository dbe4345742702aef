"""Finds the one cause of the violations of an instruction, and what is legal in its place.

Of all single changes of modifiers that make the instruction legal (see `remedies`), the one that
fixes the most likely mistake determines which modifier is to blame. If no single change helps, the
violations against the nearest form are reported, without those that follow from others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ptx_ls.isa.checking.check import FormMatch, Written, check, is_legal, is_newer
from ptx_ls.isa.checking.match import canonical_order, place
from ptx_ls.isa.checking.nearest import MAX_MODIFIERS, forms_lacking
from ptx_ls.isa.checking.verdict import GATES, OF_MODIFIERS, Verdict, Violation, ViolationKind
from ptx_ls.isa.diagnosis.insertion import completed
from ptx_ls.isa.diagnosis.likelihood import (
    DOUBT_OF_OTHER_PLACE,
    Suspect,
    likeliest,
    ranked,
    stands_for,
    suspects,
)
from ptx_ls.isa.diagnosis.mismatch import conflict, describe_mismatch, n_unfit
from ptx_ls.isa.diagnosis.remedies import RemedySearch
from ptx_ls.isa.diagnosis.swapped_operands import swapped_operands
from ptx_ls.isa.operand import Operand

_OF_OPERANDS: Final = frozenset(
    {
        ViolationKind.OPERAND_KIND,
        ViolationKind.OPERAND_TYPE,
        ViolationKind.OPERAND_WIDTH,
        ViolationKind.VECTOR_SIZE,
        ViolationKind.STATE_SPACE,
    }
)
_MODIFIER_MAY_MEND: Final = frozenset({ViolationKind.OPERAND_COUNT, ViolationKind.VECTOR_SIZE})
_SIZES: Final = (".v2", ".v4", ".v8")


def explain(written: Written, reading: FormMatch) -> Verdict:
    """Returns the verdict of `check`; violations that one change would fix are merged into one.

    `reading`: the result of `read` for the instruction. Never raises.
    """
    instruction, modifiers, operands, context = written
    verdict, skipped, surplus = reading
    if len(modifiers) > MAX_MODIFIERS or is_newer(instruction, context):
        return check(instruction, modifiers, operands, context)
    if verdict is not None:
        violations = _one_for_each_part((*verdict.violations, *surplus))
        causes = _of_one_cause(written, violations, verdict, skipped)
        return verdict._replace(violations=causes)
    found = _wrong_order(written) or _of_modifiers(written, ())
    if found is not None and _is_mended_by_insertion(found):
        return found._replace(violations=(*surplus, *found.violations))
    verdict = describe_mismatch(instruction, modifiers, operands, skipped)
    if found is not None and not _is_incomplete(written, verdict, found):
        return found._replace(violations=(*surplus, *found.violations))
    violations = _one_for_each_part((*verdict.violations, *surplus))
    return verdict._replace(violations=_first_of_each_kind(violations))


def _is_incomplete(written: Written, verdict: Verdict, other: Verdict) -> bool:
    """Whether modifiers are probably missing, although a single change helps: see `other`.

    The form of `verdict` takes all written modifiers. Either that of `other` does not take the
    operands, or the missing modifiers make the instruction legal, and leave no choice.
    """
    if not _only_lacks(verdict) or not _fits(verdict, written.operands):
        return False
    if any(one.is_mended or one.removable for one in other.violations):
        return _is_clear(written, verdict)
    return not _fits(other, written.operands)


def _is_mended_by_insertion(verdict: Verdict) -> bool:
    """Whether one more modifier makes the instruction legal, so that no other form is nearer."""
    missing = ViolationKind.MISSING_MODIFIER
    return any(one.kind is missing and one.is_mended for one in verdict.violations)


def _is_clear(written: Written, verdict: Verdict) -> bool:
    """Whether the missing modifiers make the instruction legal, and leave no choice."""
    missing = [one.expected for one in verdict.violations if not one.lenient]
    added = [value for value, *others in missing if not others]
    return len(added) == len(missing) and bool(
        completed(written.instruction, written.modifiers, added, written.operands, written.context)
    )


def _fits(verdict: Verdict, operands: Sequence[Operand]) -> bool:
    """Whether the form takes as many operands as are written."""
    return verdict.form is not None and n_unfit(verdict.form, operands) == 0


def _only_lacks(verdict: Verdict) -> bool:
    """Whether the form takes all written modifiers, and needs more."""
    missing = ViolationKind.MISSING_MODIFIER
    return all(one.kind is missing for one in verdict.violations if not one.lenient)


def _of_one_cause(
    written: Written,
    violations: tuple[Violation, ...],
    verdict: Verdict,
    skipped: frozenset[int],
) -> tuple[Violation, ...]:
    """Returns the violations of a form that takes the modifiers, or their common cause."""
    wrong = [one for one in violations if not one.lenient]
    if not wrong:
        return violations
    if any(one.kind in OF_MODIFIERS for one in wrong):
        surplus = _surplus_result(written)
        if surplus is not None:
            return (surplus,)
        found = _of_modifiers(written, wrong)
        if found is None or _is_beside_the_cause(found, wrong):
            return _first_of_each_kind(violations)
        lenient = [one for one in violations if one.lenient and one.kind not in OF_MODIFIERS]
        return *lenient, *found.violations
    n_wrong = sum(one.kind in _OF_OPERANDS and not one.lenient for one in verdict.violations)
    if n_wrong > 1:
        return _of_operands(written, violations, skipped)
    if not _MODIFIER_MAY_MEND.isdisjoint(one.kind for one in wrong):
        return _of_number(written, violations)
    return violations


def _is_beside_the_cause(found: Verdict, wrong: Sequence[Violation]) -> bool:
    """Whether a modifier that would not make the instruction legal is found to be missing.

    The nearest form lacks another modifier, and says why.
    """
    missing = [one for one in wrong if one.kind is ViolationKind.MISSING_MODIFIER]
    (other,) = found.violations
    return (
        other.kind is ViolationKind.MISSING_MODIFIER
        and not other.is_mended
        and bool(missing)
        and all(set(one.expected).isdisjoint(other.expected) for one in missing)
    )


def _surplus_result(written: Written) -> Violation | None:
    """Returns the violation of a destination that the instruction does not have, as for `red`.

    A form with another modifier may take as many operands as are written.
    """
    instruction, modifiers, operands, context = written
    if len(operands) < 2 or not is_legal(instruction, modifiers, operands[1:], context):  # noqa: PLR2004
        return None
    n_operands = len(operands)
    expected = (str(n_operands - 1),)
    return Violation(ViolationKind.OPERAND_COUNT, ("opcode",), str(n_operands), expected)


def _of_modifiers(written: Written, wrong: Sequence[Violation]) -> Verdict | None:
    """Returns a verdict on the modifier to blame; None if no single change helps."""
    found = _suspects(written)
    best = likeliest(found)
    if best is None:
        return None
    partners = _partners(written.modifiers, best, found)
    form, edit = best.remedy.form, best.remedy.edit
    values = edit.values(written.modifiers)
    slots = form.by_slot(values)
    return Verdict(form, slots, (_violation(written, best, partners, wrong),))


def _suspects(written: Written) -> list[Suspect]:
    """Finds what may be to blame: first among changes to similar modifiers, then among all."""
    instruction, modifiers = written.instruction, written.modifiers
    search = RemedySearch(*written)
    found = search.remedies(lambda modifier, slot: stands_for(instruction, modifier, slot))
    of_alike = suspects(instruction, modifiers, found)
    best = likeliest(of_alike)
    if best is not None and best.doubt < DOUBT_OF_OTHER_PLACE:
        is_known = best.position is None or modifiers[best.position] in instruction.known
        if is_known or best.expected:
            return of_alike
    found += search.remedies(
        lambda modifier, slot: not stands_for(instruction, modifier, slot), only_replaced=True
    )
    return suspects(instruction, modifiers, found)


def _of_operands(
    written: Written, violations: tuple[Violation, ...], skipped: frozenset[int]
) -> tuple[Violation, ...]:
    """Replaces violations with one about swapped operands or a modifier, if it explains them."""
    wrong = [one for one in violations if one.kind in _OF_OPERANDS and not one.lenient]
    places = sorted({one.part[1] for one in wrong if len(one.part) > 1})
    others = tuple(one for one in violations if one not in wrong)
    swapped = swapped_operands(written, places, skipped)
    if swapped is not None:
        first, second = swapped
        note = f"operands {first + 1} and {second + 1} are swapped"
        return *others, Violation(ViolationKind.OPERAND_KIND, ("operand", first), note=note)
    found = _suspects(written)
    best = likeliest([one for one in found if one.makes_legal and one.position is not None])
    if best is None or best.position is None:
        return violations
    without_gates = tuple(one for one in others if one.kind not in GATES or one.lenient)
    return *without_gates, _misfit(written, best)


def _of_number(written: Written, violations: tuple[Violation, ...]) -> tuple[Violation, ...]:
    """Returns the violation by a wrong vector size or a missing modifier, if the sizes disagree.

    With too many operands, a modifier that would allow them is missing.
    """
    found = _suspects(written)
    legal = [one for one in found if one.makes_legal]
    missing = [one for one in legal if one.position is None]
    sizes = [
        one
        for one in legal
        if one.position is not None and written.modifiers[one.position] in _SIZES
    ]
    is_gated = any(one.kind in GATES and not one.lenient for one in violations)
    if is_gated and sizes:
        return (_misfit(written, sizes[0]),)
    if missing and any(map(_is_too_many, violations)):
        return (_violation(written, missing[0], (), ()),)
    return violations


def _is_too_many(violation: Violation) -> bool:
    """Whether there are more operands than the form takes."""
    if violation.kind is not ViolationKind.OPERAND_COUNT or violation.part[0] != "opcode":
        return False
    most = violation.expected[0].rpartition(" ")[2] if violation.expected else ""
    return most.isdecimal() and int(violation.found) > int(most)


def _misfit(written: Written, best: Suspect) -> Violation:
    """Returns the violation by a modifier that is legal, but not with these operands."""
    assert best.position is not None  # noqa: S101  only changes of a modifier are asked for
    found = written.modifiers[best.position]
    kind, note = ViolationKind.ILLEGAL_MODIFIER, f"`{found}` does not fit the operands"
    if found in written.instruction.tables.type_facts:
        kind, note = ViolationKind.OPERAND_TYPE, ""
    elif found in _SIZES:
        kind, note = ViolationKind.VECTOR_SIZE, ""
    expected = ranked(written.instruction, written.modifiers, best)
    return Violation(
        kind, ("modifier", best.position), found, expected, note=note,
        is_mended=best.makes_legal, removable=best.is_removable,
    )  # fmt: skip


def _violation(
    written: Written, best: Suspect, partners: Sequence[str], wrong: Sequence[Violation]
) -> Violation:
    """Returns the violation of the modifier that is to blame, or of the missing one."""
    expected = ranked(written.instruction, written.modifiers, best)
    if best.position is None:
        notes = (
            one.note
            for one in wrong
            if one.kind is ViolationKind.MISSING_MODIFIER
            and not set(expected).isdisjoint(one.expected)
        )
        return Violation(
            ViolationKind.MISSING_MODIFIER, ("opcode",), expected=expected,
            note=next(notes, ""), is_mended=best.makes_legal,
        )  # fmt: skip
    found = written.modifiers[best.position]
    kind = ViolationKind.ILLEGAL_MODIFIER
    if found not in written.instruction.known:
        kind = ViolationKind.UNKNOWN_MODIFIER
    elif best.is_removable and found in written.modifiers[: best.position]:
        kind = ViolationKind.DUPLICATE_MODIFIER
    own = [one for one in wrong if one.note and one.part == ("modifier", best.position)]
    note = own[0].note if own else ""
    if not (own or best.expected) and len(wrong) == 1:
        note = wrong[0].note  # says why the blamed modifier does not fit the other one
    if own and own[0].expected and set(expected).isdisjoint(own[0].expected):
        return own[0]  # of another kind, such as integers, the note would not be true
    if partners and not best.expected and kind is ViolationKind.ILLEGAL_MODIFIER:
        note = conflict(partners)
    return Violation(
        kind, ("modifier", best.position), found, expected, note=note,
        is_mended=best.makes_legal, removable=best.is_removable,
    )  # fmt: skip


def _partners(modifiers: Sequence[str], best: Suspect, found: Sequence[Suspect]) -> tuple[str, ...]:
    """Returns modifiers in conflict with the blamed one: removing any of them would also help."""
    return tuple(
        modifiers[one.position]
        for one in found
        if one.is_removable and one.position is not None and one.position != best.position
    )


def _wrong_order(written: Written) -> Verdict | None:
    """Returns the verdict on modifiers that are only in the wrong order; None if more is wrong.

    ptxas accepts most orders, but not all.
    """
    instruction, modifiers = written.instruction, written.modifiers
    (takers,) = forms_lacking(instruction, modifiers, 0)
    for form in takers:
        placement = place(form.row, modifiers, frozenset())
        if placement.leftover or placement.missing:
            continue
        in_order = [modifiers[index] for index in canonical_order(placement)]
        if check(instruction, in_order, written.operands, written.context).violations:
            continue
        slots = form.by_slot(placement.values)
        moved, kind = placement.out_of_order[0], ViolationKind.MODIFIER_ORDER
        violation = Violation(kind, ("modifier", moved), modifiers[moved], ("".join(in_order),))
        return Verdict(form, slots, (violation,))
    return None


def _one_for_each_part(violations: tuple[Violation, ...]) -> tuple[Violation, ...]:
    """Returns one violation for each operand and modifier, a lenient one only if all are lenient.

    For a vector, this is the violation by the first wrong element.
    """
    if len(violations) == 1:
        return violations
    wrong = {one.part for one in violations if not one.lenient and len(one.part) > 1}
    seen: set[object] = set()
    kept: list[Violation] = []
    for one in violations:
        alike = (one.part[:2], one.lenient) if len(one.part) > 2 else one.part  # noqa: PLR2004
        is_seen = one.part in seen or alike in seen
        if (one.lenient and one.part in wrong) or (len(one.part) > 1 and is_seen):
            continue
        seen |= {one.part, alike}
        kept.append(one)
    return tuple(kept)


def _first_of_each_kind(violations: tuple[Violation, ...]) -> tuple[Violation, ...]:
    """Returns violations by wrong modifiers, else by the first missing one, and lenient ones."""
    order = ViolationKind.MODIFIER_ORDER
    wrong = [one for one in violations if one.kind in OF_MODIFIERS and not one.lenient]
    missing = [one for one in wrong if one.kind is ViolationKind.MISSING_MODIFIER]
    surplus = [one for one in wrong if one not in missing and one.kind is not order]
    if surplus:
        wrong = surplus
    elif missing:
        wrong = missing[:1]
    lenient = [one for one in violations if one.lenient]
    return *lenient, *wrong
