"""Makes statements from the forms of the database: text for ptxas, operands for our check."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from certify.oracle import FEW_REGISTERS, REGISTERS_PER_TYPE
from ptx_ls.isa import Form, Instruction, Operand, OperandKind
from ptx_ls.isa.expression import Scope, evaluate
from ptx_ls.isa.spec_check import spec_count, spec_type
from ptx_ls.isa.table import OperandRow, SpecRow

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
_DIGIT_CLASS = re.compile(r"\[(\d)-(\d)\]")


@dataclass(frozen=True, slots=True)
class Written:
    """An operand as text and as our check sees it."""

    text: str
    operand: Operand


@dataclass(frozen=True, slots=True)
class Statement:
    """One instruction."""

    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[Written, ...]
    form: str = ""
    cause: str = ""
    """What was changed, for a mutation."""

    def __str__(self) -> str:
        operands = ", ".join(written.text for written in self.operands)
        return f"{self.opcode}{''.join(self.modifiers)} {operands}".strip() + ";"

    @property
    def values(self) -> tuple[Operand, ...]:
        """The operands for our check."""
        return tuple(written.operand for written in self.operands)


@dataclass
class Registers:
    """Hands out registers, a new one each time."""

    next_number: dict[str, int] = field(default_factory=dict)

    def take(self, name: str) -> Written:
        """A register declared with that type (no dot)."""
        number = self.next_number.get(name, 0) + 1
        last = FEW_REGISTERS if name in ("pred", "b128") else REGISTERS_PER_TYPE
        self.next_number[name] = number if number < last - 1 else 0
        kind = OperandKind.REGISTER
        return Written(f"{name}_{number}", Operand(kind, "." + name, text=f"{name}_{number}"))


def integer(value: int) -> Written:
    """An integer literal."""
    return Written(str(value), Operand(OperandKind.INTEGER, value=value, text=str(value)))


def real(text: str) -> Written:
    """A floating-point literal."""
    return Written(text, Operand(OperandKind.FLOAT, text=text))


def register_name(type_: str, scope: Scope) -> str:
    """The register type to declare for a value of `type_`."""
    bits, class_ = scope.types.get(type_, (32, "bits"))
    own = _REGISTER_OF.get(class_, {}).get(bits)
    if own:
        return own
    return f"b{max(8, bits)}"


def vector(parts: Sequence[Written]) -> Written:
    """A vector expression."""
    text = "{" + ", ".join(part.text for part in parts) + "}"
    elements = tuple(part.operand for part in parts)
    return Written(text, Operand(OperandKind.VECTOR, elements=elements, text=text))


def address(parts: Sequence[Written]) -> Written:
    """An address operand."""
    text = "[" + ", ".join(part.text for part in parts) + "]"
    elements = tuple(part.operand for part in parts)
    return Written(text, Operand(OperandKind.ADDRESS, elements=elements, text=text))


class Generator:
    """Statements of one instruction."""

    def __init__(self, instruction: Instruction, seed: int) -> None:
        self.instruction = instruction
        self.random = random.Random(seed)  # noqa: S311  not for secrets

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def statements(self, form: Form, limit: int, *, variants: int = 2) -> Iterator[Statement]:
        """Up to `limit` combinations of the form's modifiers, each with some operand variants."""
        for values in self._combinations(form, limit):
            modifiers = tuple(value for value in values[: form.row.n_modifier_slots] if value)
            for variant in range(variants):
                statement = self._with_operands(form, values, modifiers, plain=variant == 0)
                if statement is not None:
                    yield statement

    def _combinations(self, form: Form, limit: int) -> Iterator[list[str]]:
        slots = form.row.slots
        options = [(("", *slot.values) if slot.optional else slot.values) for slot in slots]
        total = 1
        for option in options:
            total *= len(option)
        if total <= limit:
            yield from map(list, product(*options))
            return
        seen = set()
        for attempt in range(limit * 6):
            density = self.random.choice((0.15, 0.3, 0.6))
            values = [
                self.random.choice(slot.values)
                if not slot.optional or self.random.random() < density
                else ""
                for slot in slots
            ]
            key = tuple(values)
            if key in seen:
                continue
            scope = Scope(values, form.types, form.row.tables)
            broken = any(
                not rule.needs_operands and not evaluate(rule.test, scope)
                for rule in form.row.rules
            )
            if broken and attempt % 3:
                continue
            seen.add(key)
            yield values
            if len(seen) >= limit:
                return

    def _with_operands(
        self, form: Form, values: list[str], modifiers: tuple[str, ...], *, plain: bool
    ) -> Statement | None:
        scope = Scope(values, form.types, form.row.tables)
        registers = Registers()
        rows = self._choose_operands(form, values, plain=plain)
        operands = tuple(self._operand(row, scope, registers, values, plain=plain) for row in rows)
        return Statement(form.opcode, modifiers, operands, form.id)

    def _choose_operands(self, form: Form, values: list[str], *, plain: bool) -> list[OperandRow]:
        """Which optional operands to write: those that the rules want, else chance."""
        rows = list(form.row.operands)
        places = [*rows, *(part for row in rows for part in row.parts)]
        optional = [row for row in places if row.optional]
        chosen: list[list[OperandRow]] = []
        for picks in product((False, True), repeat=len(optional)):
            left_out = {row.name for row, kept in zip(optional, picks, strict=True) if not kept}
            kept_rows = [
                row._replace(parts=tuple(part for part in row.parts if part.name not in left_out))
                for row in rows
                if not row.optional or row.name not in left_out
            ]
            unknown = Operand(OperandKind.UNKNOWN)
            present = {row.name: unknown for row in places if row.name not in left_out}
            scope = Scope(values, form.types, form.row.tables, present)
            presence = [rule for rule in form.row.rules if "?" in rule.text]
            if all(evaluate(rule.test, scope) for rule in presence):
                chosen.append(kept_rows)
        if not chosen:
            return rows
        return chosen[0] if plain else self.random.choice(chosen)

    def _operand(
        self,
        row: OperandRow,
        scope: Scope,
        registers: Registers,
        values: list[str],
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
        operand, text = written.operand, written.text
        if row.pair and (not row.pair_optional or (not plain and self._chance(0.5))):
            other = registers.take("pred")
            operand = replace(operand, paired=other.operand)
            text = f"{text}|{other.text}"
        if row.negation and not plain and operand.kind is OperandKind.REGISTER:
            operand = replace(operand, negation=row.negation)
            text = row.negation + text
        if row.selector >= 0 and values[row.selector]:
            selector = _DIGIT_CLASS.sub(self._digit, values[row.selector])
            operand = replace(operand, selector=selector)
            text += selector
        return Written(text, operand)

    def _digit(self, found: re.Match[str]) -> str:
        return str(self.random.randint(int(found[1]), int(found[2])))

    @staticmethod
    def _is_usual(spec: SpecRow, scope: Scope) -> bool:
        """False for what is known to be rejected: constants of packed and of 16-bit float types."""
        type_ = spec_type(spec, scope)
        class_ = scope.types.get(type_, (0, ""))[1]
        no_constant = class_ in ("half", "alternate", "predicate") or "x" in type_
        return "lenient" not in spec.flags and not (spec.kind == "imm" and no_constant)

    def _spec(self, spec: SpecRow, scope: Scope, registers: Registers) -> Written:
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

    def _vector(self, spec: SpecRow, type_: str, scope: Scope, registers: Registers) -> Written:
        count = spec_count(spec, scope)
        name = register_name(type_ or ".b32", scope)
        if count == 1 and "braces" not in spec.flags:
            if "imm" in spec.flags and self._chance(0.2):
                return self._immediate(spec, type_, scope)
            return registers.take(name)
        return vector([registers.take(name) for _ in range(count)])

    def _pack(self, type_: str, scope: Scope, registers: Registers) -> Written:
        bits = scope.types.get(type_, (32, ""))[0]
        counts = [count for count in (2, 4) if bits // count >= _BYTE]
        count = self.random.choice(counts)
        return vector([registers.take(f"b{bits // count}") for _ in range(count)])

    def _immediate(self, spec: SpecRow, type_: str, scope: Scope) -> Written:
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
        name = (space or (spec.words[0] if spec.words else "")).partition("::")[0]
        if name == ".param" or (name in _VARIABLES and self._chance(0.3)):
            return symbol(_VARIABLES[name], name)
        return registers.take("b64")

    def _symbol(self, spec: SpecRow, type_: str, scope: Scope) -> Written:
        if spec.kind == "sreg":
            bits = scope.types.get(type_, (32, ""))[0]
            name, register_type = (
                ("%clock64", ".u64") if bits == _DOUBLE_WORD else ("%tid.x", ".u32")
            )
            kind = OperandKind.SPECIAL_REGISTER
            return Written(name, Operand(kind, register_type, text=name))
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


def symbol(name: str, space: str) -> Written:
    """A name."""
    return Written(name, Operand(OperandKind.NAME, space=space, text=name))
