"""Makes statements from the forms of the database."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import product

from certify.statements import (
    Registers,
    Statement,
    Written,
    address,
    integer,
    real,
    shifted,
    special,
    symbol,
    vector,
)
from ptx_ls.isa import Form, Instruction, Operand, OperandKind
from ptx_ls.isa.checking.scalar_check import spec_count, spec_type
from ptx_ls.isa.notation.expression import evaluate
from ptx_ls.isa.notation.expression_functions import INSPECTION_NAMES
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import FormRule, OperandRow, SpecRow

_VARIABLES = {
    ".global": "global_variable",
    ".const": "const_variable",
    ".shared": "shared_variable",
    ".local": "local_variable",
    ".param": "kernel_parameter",
}
_REGISTER_OF = {
    "float": {32: "f32", 64: "f64"},
    "predicate": {1: "pred"},
}
_BYTE = 8
_DOUBLE_WORD = 64
_OFFSET = 16
_OFFSET_SHARE = 0.1
_DIGIT_CLASS = re.compile(r"\[(\d)-(\d)\]")


def register_name(type_: str, scope: ExpressionScope) -> str:
    """The register type to declare for a value of `type_`."""
    bits, class_ = scope.types.get(type_, (32, "bits"))
    own = _REGISTER_OF.get(class_, {}).get(bits)
    if own:
        return own
    return f"b{max(8, bits)}"


def _is_about_presence(rule: FormRule) -> bool:
    """True for a rule about which operands are written, and not about what they are."""
    return "?" in rule.text and not _INSPECTION.search(rule.text)


def _settled(rules: Sequence[FormRule], scope: ExpressionScope) -> dict[str, bool]:
    """Which operands are there, where a rule `?operand <=> modifiers` says so."""
    found = {}
    for rule in rules:
        operator, *sides = rule.test
        if operator == "<=>" and sides[0][0] == "?" and rule.text.count("?") == 1:
            found[sides[0][1]] = bool(evaluate(sides[1], scope))
    return found


_EITHER = (False, True)
_INSPECTION = re.compile(rf"\b(?:{'|'.join(INSPECTION_NAMES)})\(")


class Generator:
    """Statements of one instruction."""

    def __init__(self, instruction: Instruction, seed: int) -> None:
        self.instruction = instruction
        self.random = random.Random(seed)  # noqa: S311  not for secrets

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def statement(self, form: Form, values: Sequence[str], *, plain: bool) -> Statement:
        """The form with these slot values; `plain` takes the first of everything, else chance."""
        modifiers = tuple(value for value in values[: form.row.n_modifier_slots] if value)
        scope = form.scope(values)
        registers = Registers()
        rows = self._choose_operands(form, values, plain=plain)
        operands = tuple(self._operand(row, scope, registers, values, plain=plain) for row in rows)
        if form.opcode == "call":
            operands = _with_fitting_callee(operands)
        return Statement(form.opcode, modifiers, operands, form.id)

    def _choose_operands(
        self, form: Form, values: Sequence[str], *, plain: bool
    ) -> list[OperandRow]:
        """Which optional operands to write: those that the rules want, else chance."""
        rows = list(form.row.operands)
        places = [*rows, *(part for row in rows for part in row.parts)]
        optional = [row for row in places if row.optional]
        presence = [rule for rule in form.row.rules if _is_about_presence(rule)]
        settled = _settled(presence, form.scope(values))
        chosen: list[list[OperandRow]] = []
        options = [(settled[row.name],) if row.name in settled else _EITHER for row in optional]
        for picks in product(*options):
            left_out = {row.name for row, kept in zip(optional, picks, strict=True) if not kept}
            kept_rows = [
                row._replace(parts=tuple(part for part in row.parts if part.name not in left_out))
                for row in rows
                if not row.optional or row.name not in left_out
            ]
            unknown = Operand(OperandKind.UNKNOWN)
            present = {row.name: unknown for row in places if row.name not in left_out}
            scope = form.scope(values, present)
            if all(evaluate(rule.test, scope) for rule in presence):
                chosen.append(kept_rows)
        if not chosen:
            return rows
        return chosen[0] if plain else self.random.choice(chosen)

    def _operand(
        self,
        row: OperandRow,
        scope: ExpressionScope,
        registers: Registers,
        values: Sequence[str],
        *,
        plain: bool,
    ) -> Written:
        if row.parts:
            parts = [self._spec(part.specs[0], scope, registers) for part in row.parts]
            written = address(parts)
        else:
            specs = [spec for spec in row.specs if self._is_usual(spec, scope)] or row.specs
            selected = row.selector >= 0 and values[row.selector]  # of registers only
            spec = specs[0] if plain or selected else self.random.choice(specs)
            written = self._spec(spec, scope, registers)
            if selected and written.operand.kind is OperandKind.ADDRESS:
                # `.unified` of a variable is decided by its declaration
                written = address([registers.take("b64")])
        operand, text = written.operand, written.text
        if row.pair and (not row.pair_optional or (not plain and self._chance(0.5))):
            other = registers.take("pred")
            operand = operand._replace(paired=other.operand)
            text = f"{text}|{other.text}"
        if row.negation and not plain and operand.kind is OperandKind.REGISTER:
            operand = operand._replace(negation=row.negation)
            text = row.negation + text
        if row.selector >= 0 and values[row.selector]:
            selector = _DIGIT_CLASS.sub(self._digit, values[row.selector])
            operand = operand._replace(selector=selector)
            text += selector
        return Written(text, operand)

    def _digit(self, found: re.Match[str]) -> str:
        return str(self.random.randint(int(found[1]), int(found[2])))

    @staticmethod
    def _is_usual(spec: SpecRow, scope: ExpressionScope) -> bool:
        """False for what is known to be rejected: constants of packed and of 16-bit float types."""
        type_ = spec_type(spec, scope)
        class_ = scope.types.get(type_, (0, ""))[1]
        no_constant = class_ in ("half", "alternate", "predicate") or "x" in type_
        return "lenient" not in spec.flags and not (spec.kind == "imm" and no_constant)

    def _spec(self, spec: SpecRow, scope: ExpressionScope, registers: Registers) -> Written:
        type_ = spec_type(spec, scope)
        match spec.kind:
            case "reg":
                made = registers.take(register_name(type_ or ".b32", scope))
            case "imm":
                made = self._immediate(spec, type_, scope)
            case "vec":
                made = self._vector(spec, type_, scope, registers)
            case "pack":
                made = self._pack(type_, scope, registers)
            case "addr":
                made = address([self._base(spec, type_, registers)])
            case _:
                made = self._symbol(spec, type_, scope)
        return made

    def _vector(
        self, spec: SpecRow, type_: str, scope: ExpressionScope, registers: Registers
    ) -> Written:
        count = spec_count(spec, scope)
        name = register_name(type_ or ".b32", scope)
        if count == 1 and "braces" not in spec.flags:
            if "imm" in spec.flags and self._chance(0.2):
                return self._immediate(spec, type_, scope)
            return registers.take(name)
        return vector([registers.take(name) for _ in range(count)])

    def _pack(self, type_: str, scope: ExpressionScope, registers: Registers) -> Written:
        bits = scope.types.get(type_, (32, ""))[0]
        counts = [count for count in (2, 4) if bits // count >= _BYTE]
        count = self.random.choice(counts)
        return vector([registers.take(f"b{bits // count}") for _ in range(count)])

    def _immediate(self, spec: SpecRow, type_: str, scope: ExpressionScope) -> Written:
        class_ = scope.types.get(type_, (0, ""))[1]
        if class_ == "float":
            return real(self.random.choice(("1.5", "0f3F800000", "0d3FF0000000000000")))
        if spec.choices:
            value = self.random.choice(spec.choices)
            return integer(value) if isinstance(value, int) else real(str(value))
        if spec.low is not None and spec.high is not None:
            multiple = spec.multiple
            low = -(-spec.low // multiple) * multiple
            high = spec.high // multiple * multiple
            return integer(self.random.choice((low, high)))
        return integer(self.random.choice((1, 2, 7)) * spec.multiple)

    def _base(self, spec: SpecRow, space: str, registers: Registers) -> Written:
        full = space or (spec.words[0] if spec.words else "")
        name = full.partition("::")[0]
        is_stored_to = name == ".param" and self.instruction.opcode == "st"
        if full == ".param::func" or is_stored_to:  # parameters of kernels are only read
            base = symbol("local_parameter", name)
        elif name == ".param" or (name in _VARIABLES and self._chance(0.3)):
            base = symbol(_VARIABLES[name], name)
        else:
            base = registers.take("b64")
        return shifted(base, _OFFSET) if self._chance(_OFFSET_SHARE) else base

    def _symbol(self, spec: SpecRow, type_: str, scope: ExpressionScope) -> Written:
        if spec.kind == "sreg":
            bits = scope.types.get(type_, (32, ""))[0]
            return special("%clock64" if bits == _DOUBLE_WORD else "%tid.x")
        if spec.kind == "list":
            return Written("(b32_1)", Operand(OperandKind.LIST))
        word = spec.words[0] if spec.words else ""
        names = {
            "label": "Label",
            "function": "device_function",
            "kernel": "other_kernel",
            "branchtargets": "Targets",
            "prototype": "Prototype",
        }
        if type_ in (".texref", ".samplerref", ".surfref"):
            text = {".texref": "texture", ".samplerref": "sampler", ".surfref": "surface"}[type_]
            return Written(text, Operand(OperandKind.NAME, type_, space=".global", text=text))
        if word in names:
            return symbol(names[word], word)
        return symbol("global_variable", ".global")


def _with_fitting_callee(operands: tuple[Written, ...]) -> tuple[Written, ...]:
    """A call whose function and prototype have the result and the parameters it writes."""
    lists = {index for index, each in enumerate(operands) if each.operand.kind is OperandKind.LIST}
    suffix = {
        (True, True): "",
        (True, False): "_out",
        (False, True): "_in",
        (False, False): "_bare",
    }
    wanted = suffix[0 in lists, bool(lists - {0})]
    return tuple(
        symbol(each.text + wanted, each.operand.space)
        if each.text in ("device_function", "Prototype")
        else each
        for each in operands
    )
