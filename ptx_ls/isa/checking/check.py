"""Judges a whole instruction: finds its form, then says what is wrong with it.

Every form whose slots take the modifiers is tried. The first without a violation is chosen, else
the one whose violations cost the least. If no form takes the modifiers, `isa.diagnosis` says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ptx_ls.isa.checking import flatten
from ptx_ls.isa.checking.attempts import FormTrial, attempts
from ptx_ls.isa.checking.gates import check_gates
from ptx_ls.isa.checking.match import Placement, place
from ptx_ls.isa.checking.nearest import forms_lacking, forms_of
from ptx_ls.isa.checking.scalar_check import spec_type
from ptx_ls.isa.checking.verdict import OF_MODIFIERS, Context, Verdict, Violation, ViolationKind
from ptx_ls.isa.model import Form, Instruction, OperandSpec
from ptx_ls.isa.notation.expression import ExpressionScope
from ptx_ls.isa.notation.table import OperandRow
from ptx_ls.isa.operand import Operand, OperandKind
from ptx_ls.source.named_tuple import NamedTuple

_COSTS = {
    ViolationKind.OPERAND_COUNT: 40,
    ViolationKind.ILLEGAL_MODIFIER: 25,
    ViolationKind.MISSING_MODIFIER: 25,
    ViolationKind.VERSION: 1,
    ViolationKind.TARGET: 1,
    ViolationKind.REMOVED: 1,
}
_DEFAULT_COST = 10
_LENIENT_COST = 0.01


class Written(NamedTuple):
    """An instruction as it is written, and the version and targets of its module."""

    instruction: Instruction
    modifiers: Sequence[str]
    operands: Sequence[Operand]
    context: Context


class FormMatch(NamedTuple):
    """An instruction compared with the forms of its opcode.

    Attributes:
        verdict: the verdict of the best form that takes all modifiers; None if no form does.
        skipped: the indices of modifiers that are repeated harmlessly.
        surplus: lenient violations by these modifiers, and by others that ptxas ignores.
    """

    verdict: Verdict | None
    skipped: frozenset[int]
    surplus: list[Violation]

    @property
    def has_legal_modifiers(self) -> bool:
        """Whether some form allows the modifiers together, so that only operands can be wrong."""
        if self.verdict is None:
            return False
        return all(one.lenient or one.kind not in OF_MODIFIERS for one in self.verdict.violations)


def check(
    instruction: Instruction,
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    context: Context,
) -> Verdict:
    """Judges `opcode.modifiers operands` in the module that `context` describes. Never raises.

    A module newer than the data gets no error: unknown parts may be legal there.
    """
    verdict, skipped, surplus = read_once(instruction, modifiers, operands, context)
    if verdict is None:
        from ptx_ls.isa.diagnosis.mismatch import describe_mismatch

        verdict = describe_mismatch(instruction, modifiers, operands, skipped)
    violations = (*verdict.violations, *surplus)
    if is_newer(instruction, context):
        violations = tuple(violation for violation in violations if violation.lenient)
    return Verdict(verdict.form, verdict.slots, violations, verdict.operand_specs)


def is_legal(
    instruction: Instruction,
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    context: Context,
) -> bool:
    """Whether `check` accepts the instruction; faster, because it does not look for a reason."""
    verdict, _, _ = read_once(instruction, modifiers, operands, context)
    is_accepted = verdict is not None and verdict.is_accepted
    return is_accepted or is_newer(instruction, context)


def is_newer(instruction: Instruction, context: Context) -> bool:
    """Whether the module is newer than the data, so that any instruction in it may be legal."""
    return context.version is not None and context.version > instruction.tables.newest_version


def read(
    instruction: Instruction,
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    context: Context,
) -> FormMatch:
    """Finds the forms that take the modifiers, and judges the operands against them.

    Keeps what it finds for a correct instruction, as it is the same in other contexts.
    """
    fit = _first_fit(instruction, tuple(modifiers), tuple(operands))
    if fit is not None and not check_gates(fit.form.row, fit.scope, context):
        return FormMatch(fit.verdict, frozenset(), [])
    return read_once(instruction, modifiers, operands, context)


def read_once(
    instruction: Instruction,
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    context: Context,
) -> FormMatch:
    """Does what `read` does, for an instruction that is probably wrong: keeps nothing."""
    again = repeated(instruction, modifiers)
    skipped = frozenset(index for index, _ in again)
    surplus = [violation for _, violation in again]
    complete = complete_forms(instruction, modifiers, skipped)
    if complete:
        return FormMatch(_judge(complete, modifiers, operands, context), skipped, surplus)
    ignored = _ignored(instruction, modifiers, skipped)
    if ignored and _sizes_agree([modifiers[index] for index in ignored], operands):
        complete = [
            (form, placement)
            for form, placement in complete_forms(instruction, modifiers, skipped.union(ignored))
            if _passes_over(instruction, form, modifiers, ignored)
        ]
    if not complete:
        return FormMatch(None, skipped, surplus)
    surplus += [
        Violation(
            ViolationKind.UNKNOWN_MODIFIER, ("modifier", index), modifiers[index], lenient=True
        )
        for index in ignored
    ]
    return FormMatch(_judge(complete, modifiers, operands, context), skipped, surplus)


class _Fit(NamedTuple):
    """A form that an instruction matches, in each context that passes the gates of the form."""

    form: Form
    scope: ExpressionScope
    verdict: Verdict


@lru_cache(maxsize=4096)
def _first_fit(
    instruction: Instruction, modifiers: tuple[str, ...], operands: tuple[Operand, ...]
) -> _Fit | None:
    """Returns the first form that an instruction matches, whatever the context; None for none."""
    if repeated(instruction, modifiers):
        return None
    for form, placement in complete_forms(instruction, modifiers, frozenset()):
        for attempt in attempts(form, placement, modifiers, operands):
            if not attempt.violations:
                verdict = _verdict(form, placement, attempt, [])
                return _Fit(form, attempt.scope, verdict)
    return None


def complete_forms(
    instruction: Instruction, modifiers: Sequence[str], skipped: frozenset[int]
) -> list[tuple[Form, Placement]]:
    """Returns the forms that take all modifiers except those at the indices `skipped`."""
    wanted = [each for index, each in enumerate(modifiers) if index not in skipped]
    (takers,) = forms_lacking(instruction, wanted, 0)
    placed = ((form, place(form.row, modifiers, skipped, explain=False)) for form in takers)
    return [(form, placement) for form, placement in placed if placement.is_complete]


def _ignored(
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
        if _passes_over(instruction, form, modifiers, leftover):
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


def _passes_over(
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


def _sizes_agree(ignored: Sequence[str], operands: Sequence[Operand]) -> bool:
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


def _judge(
    candidates: Sequence[tuple[Form, Placement]],
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    context: Context,
) -> Verdict:
    """Returns the best verdict on the operands as written, or else as `flatten` gathers them."""
    verdict = _best(candidates, modifiers, operands, context)
    if verdict.is_accepted or any(each.kind in _GATED for each in verdict.violations):
        return verdict
    index = flatten.incomplete_address(candidates[0][0].row, operands)
    if index is None:
        return verdict
    gathered = _best(candidates, modifiers, flatten.gather(operands, index), context)
    return flatten.spread(gathered, operands, index) if gathered.is_accepted else verdict


_GATED = frozenset({ViolationKind.VERSION, ViolationKind.TARGET, ViolationKind.REMOVED})


def _best(
    candidates: Sequence[tuple[Form, Placement]],
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    context: Context,
) -> Verdict:
    best: tuple[Form, Placement, FormTrial, list[Violation]] | None = None
    best_cost = 0.0
    for form, placement in candidates:
        for attempt in attempts(form, placement, modifiers, operands):
            violations = attempt.violations
            if attempt.is_bound:
                violations = [*violations, *check_gates(form.row, attempt.scope, context)]
            cost = sum(map(_cost, violations))
            if best is None or cost < best_cost:
                best, best_cost = (form, placement, attempt, violations), cost
            if cost == 0:
                return _verdict(form, placement, attempt, violations)
    return Verdict() if best is None else _verdict(*best)


def _cost(violation: Violation) -> float:
    if violation.lenient:
        return _LENIENT_COST
    return _COSTS.get(violation.kind, _DEFAULT_COST)


def _verdict(
    form: Form, placement: Placement, attempt: FormTrial, violations: list[Violation]
) -> Verdict:
    slots = form.by_slot(placement.values)
    specs = tuple([resolve(row, attempt.scope) for row in attempt.rows])
    return Verdict(form, slots, tuple(violations), specs)


def resolve(row: OperandRow, scope: ExpressionScope) -> OperandSpec:
    """Returns the specification of an operand, with types resolved for the written modifiers."""
    return OperandSpec(row, tuple(spec_type(spec, scope) for spec in row.specs))
