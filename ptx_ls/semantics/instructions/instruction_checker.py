"""Verdicts of the ISA on instructions; a shape is judged once for the same facts of its names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.isa import OperandKind, Violation, ViolationKind
from ptx_ls.isa.checking.gates import check_availability
from ptx_ls.isa.reference import find_special_register
from ptx_ls.semantics.directives.availability import Availability
from ptx_ls.semantics.instructions.checks.addresses import narrow_addresses, wide_accesses
from ptx_ls.semantics.instructions.operands import (
    SPECIAL,
    misuse,
    misused_element,
    misused_nesting,
    misused_offset,
    to_operand,
)
from ptx_ls.semantics.instructions.verdicts import BankCache, InstructionVerdict
from ptx_ls.semantics.symbols.symbols import Facts
from ptx_ls.syntax.operands import GROUPS, OperandForm

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ptx_ls.isa import Instruction, Operand, Part
    from ptx_ls.isa.notation.table import OperandRow
    from ptx_ls.isa.reference import SpecialRegister
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.record import Arguments, Shape


_NOTHING = InstructionVerdict()


class InstructionChecker:
    """Judges the instructions of a module; not thread-safe.

    `is_generated`: whether a compiler wrote the module; if so, unusual orders of modifiers that
    ptxas accepts are not reported.
    """

    __slots__ = (
        "_bank_caches",
        "_database",
        "_is_generated",
        "_keywords",
        "_misused",
        "_numeric",
        "_operands",
        "_special",
        "_verdicts",
        "availability",
        "context",
        "demanding",
    )

    def __init__(self, context: isa.Context, *, is_generated: bool = False) -> None:
        self.context = context
        self.demanding: dict[str, tuple[str, ...]] = {}
        """The special registers found so far that require directives, each with its directives."""
        self._is_generated = is_generated
        self.availability = Availability(context)
        self._database = isa.database()
        self._verdicts: dict[tuple[object, ...], InstructionVerdict] = {}
        self._operands: dict[Operand, Operand] = {}
        self._misused: dict[Arguments, tuple[Violation, ...]] = {}
        self._special: dict[str, Facts | None] = {}
        self._numeric: dict[str, bool] = {}
        self._bank_caches: dict[frozenset[tuple[str, Facts]], BankCache] = {}
        self._keywords = self._database.keywords

    def bank_cache(self, banks: Mapping[str, Facts]) -> BankCache:
        """Returns the cache for functions with these register banks."""
        return self._bank_caches.setdefault(frozenset(banks.items()), BankCache())

    def shape(self, shape: Shape, facts: tuple[Facts, ...]) -> InstructionVerdict:
        """Returns the verdict on a shape whose identifiers have these facts."""
        key = (shape, facts)
        found = self._verdicts.get(key)
        if found is None:
            found = self._verdicts[key] = self._judge(shape, shape.operands, facts, values=False)
        return found

    def written(
        self, shape: Shape, operands: Sequence[OperandSyntax], facts: tuple[Facts, ...]
    ) -> InstructionVerdict:
        """Returns the verdict on a statement of a shape, with the numbers in the statement."""
        key = (shape, facts, tuple(operand.text for operand in operands))
        found = self._verdicts.get(key)
        if found is None:
            found = self._verdicts[key] = self._judge(shape, operands, facts, values=True)
        return found

    def _judge(
        self,
        shape: Shape,
        written: Sequence[OperandSyntax],
        facts: tuple[Facts, ...],
        *,
        values: bool,
    ) -> InstructionVerdict:
        opcode, modifiers = isa.split_modifiers(shape.opcode)
        instruction = self._database.instruction(opcode)
        own = (*self._misuses(shape.read), *self._shut(facts))
        if instruction is None:
            return InstructionVerdict(own) if own else _NOTHING
        given = [to_operand(operand, facts, values=values) for operand in written]
        reading = isa.read(instruction, modifiers, given, self.context)
        is_open = not values and reading.has_legal_modifiers
        if is_open and any(map(_has_number, given)) and self._is_numeric(instruction):
            return InstructionVerdict(needs_numbers=True)
        verdict = isa.diagnose(instruction, modifiers, given, self.context, reading)
        form = verdict.form.syntax if verdict.form else ""
        violations = verdict.violations
        if not violations:
            narrow = narrow_addresses(opcode, modifiers, given, self.context)
            violations = (*narrow, *wide_accesses(opcode, modifiers, given))
        if self._is_generated:
            violations = tuple(one for one in violations if not _is_style(one))
        if own and violations:
            violations = tuple(one for one in violations if not _follows(one, own))
        own = (*own, *self._splits(shape, verdict))
        kept = tuple([self._shared(one) for one in given]) if violations or own else ()
        return InstructionVerdict((*violations, *own), form, operands=kept)

    def _shared(self, operand: Operand) -> Operand:
        """Returns one object for equal operands, because a file has few distinct operands."""
        return self._operands.setdefault(operand, operand)

    def _misuses(self, arguments: Arguments) -> tuple[Violation, ...]:
        """Returns the violations in operands that no instruction allows, such as `1+%r2`."""
        found = self._misused.get(arguments)
        if found is None:
            found = self._misused[arguments] = tuple(_misuses(arguments))
        return found

    def _splits(self, shape: Shape, verdict: isa.Verdict) -> Iterator[Violation]:
        """Yields the violations of spaces in a name that ptxas reads as one word."""
        version = self.context.version
        is_newer = version is not None and version > self._database.newest_version
        if is_newer or not shape.gaps:
            return
        opcode, modifiers = isa.split_modifiers(shape.opcode)
        name = opcode + "".join(modifiers[: verdict.n_joined])
        for gap in shape.gaps:
            if gap < verdict.n_joined:
                place: Part = ("modifier", gap)
                yield Violation(ViolationKind.SPLIT_OPCODE, place, modifiers[gap], (name,))

    def _shut(self, facts: tuple[Facts, ...]) -> tuple[Violation, ...]:
        """Returns the violations of special registers that the version or target does not have."""
        return tuple(
            violation._replace(part=("identifier", index))
            for index, known in enumerate(facts)
            if known.kind == SPECIAL
            for violation in self._gated(known.name.partition(".")[0])
        )

    def _gated(self, name: str) -> list[Violation]:
        register = self._special_register(name)
        return check_availability(register.gates, self.context) if register is not None else []

    def _is_numeric(self, instruction: Instruction) -> bool:
        """Whether a form of the instruction limits the value of an operand."""
        opcode = instruction.opcode
        if opcode not in self._numeric:
            self._numeric[opcode] = any(
                _limits(operand) for form in instruction.forms for operand in form.operands
            )
        return self._numeric[opcode]

    def is_known(self, opcode: str) -> bool:
        """Whether the ISA has the opcode, or may have it in a version newer than the database."""
        if opcode in self._keywords:
            return True
        version = self.context.version
        return version is not None and version > self._database.newest_version

    def special(self, name: str, full: str) -> Facts | None:
        """Returns the facts of a special register, or None. `full` includes the component."""
        if full not in self._special:
            self._special[full] = self._find_special(name, full)
        return self._special[full]

    def _find_special(self, name: str, full: str) -> Facts | None:
        register = self._special_register(name)
        if register is None:
            return None
        if register.requires:
            self.demanding[name] = register.requires
        vector_size = 4 if register.dimensions else 1
        narrowest, widest = register.types[0][1], register.types[-1][1]
        return Facts(SPECIAL, widest, narrowest, vector_size, full)

    def _special_register(self, name: str) -> SpecialRegister | None:
        return find_special_register(self._database.special_registers, name)


def checker_among(
    checkers: dict[object, InstructionChecker], context: isa.Context, *, is_generated: bool
) -> InstructionChecker:
    """Returns the checker for modules with a context; makes it if there is none yet."""
    key = context, is_generated
    if key not in checkers:
        checkers[key] = InstructionChecker(context, is_generated=is_generated)
    return checkers[key]


def _follows(violation: Violation, own: Iterable[Violation]) -> bool:
    """Whether a violation is only a consequence of a malformed operand."""
    is_count = violation.kind is ViolationKind.OPERAND_COUNT
    return any(
        violation.part[:2] == one.part[:2] or (is_count and one.kind is ViolationKind.OPERAND_KIND)
        for one in own
    )


def _misuses(arguments: Arguments) -> Iterator[Violation]:
    for index, operand in enumerate(arguments.operands):
        place: Part = ("operand", index)
        if operand.text.startswith("+") and operand.form in (*GROUPS, OperandForm.SINK):
            note = "`+` can only precede a number"
            yield Violation(ViolationKind.OPERAND_KIND, place, operand.text, note=note)
        if operand.form not in GROUPS:
            note = misuse(operand)
            if note:
                yield Violation(ViolationKind.OPERAND_KIND, place, operand.text, note=note)
            continue
        for number, part in enumerate(operand.elements):
            note = _misused(part, within=operand.form)
            if note:
                place = ("operand", index, number)
                yield Violation(ViolationKind.OPERAND_KIND, place, part.text, note=note)


def _misused(part: OperandSyntax, *, within: OperandForm) -> str:
    """Returns a note on a misused operand or part of one; "" if there is none."""
    note = misuse(part, is_part=True) or misused_nesting(part, within)
    if not note and within is OperandForm.LIST and _selects(part):
        note = "an argument of a call must be a whole register or variable"
    is_address = within is OperandForm.ADDRESS
    note = note or (misused_offset(part) if is_address else misused_element(part))
    if note or part.form not in GROUPS:
        return note
    return next(filter(None, (_misused(it, within=part.form) for it in part.elements)), "")


def _selects(part: OperandSyntax) -> bool:
    """Whether an operand is a vector element, but not of a special register."""
    if part.form is not OperandForm.IDENTIFIER or not part.selector:
        return False
    name = part.text.partition(".")[0]
    return find_special_register(isa.database().special_registers, name) is None


def _is_style(violation: Violation) -> bool:
    return violation.lenient and violation.kind is ViolationKind.MODIFIER_ORDER


def _has_number(operand: Operand) -> bool:
    if operand.kind in (OperandKind.INTEGER, OperandKind.FLOAT):
        return True
    return any(map(_has_number, operand.elements))


def _limits(operand: OperandRow) -> bool:
    return any(
        spec.low is not None or spec.high is not None or spec.multiple > 1 or spec.choices
        for spec in operand.specs
    ) or any(map(_limits, operand.parts))
