"""Executes instructions: computes register contents after an instruction from those before it.

`evaluate` takes an opcode and its modifiers, `program_of` the result of `isa.check` for an
instruction. Both follow the pseudo-code in the data files, which is also what a hover shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from ptx_ls.isa.checking.check import check, complete_forms
from ptx_ls.isa.checking.ignored_modifiers import repeated
from ptx_ls.isa.checking.verdict import Context, Verdict
from ptx_ls.isa.database import database
from ptx_ls.isa.execution.formats import value_type
from ptx_ls.isa.execution.interpreter import Lane
from ptx_ls.isa.execution.parser import PseudoCodeError
from ptx_ls.isa.execution.specialize import specialized
from ptx_ls.isa.execution.tree import For, Statement
from ptx_ls.isa.execution.values import OperandStorage, UndeterminedError
from ptx_ls.isa.execution.variant import Variant, lines_of
from ptx_ls.isa.model import Form, Instruction, OperandSpec
from ptx_ls.isa.operand import Operand, OperandKind
from ptx_ls.source.named_tuple import NamedTuple

Bits = int | Sequence[int | None] | None
"""The bits of a register, or of each register in braces; None for a destination."""
_UNTYPED: Final = "u32"
"""The type of an operand that has none, such as the table of `lop3`."""


class Outcome(NamedTuple):
    """The results of an instruction."""

    results: Mapping[str, int | Sequence[int]]
    """The bits of each destination, or of each register of it, by the manual's name."""
    carry: bool
    """The value of `CC.CF` afterwards."""
    is_exact: bool
    """False if the manual allows other results: for approximations, and the bits of most NaNs."""


class Program(NamedTuple):
    """The statements of one variant of an instruction, and the types of its operands."""

    statements: tuple[Statement, ...]
    types: Mapping[str, tuple[str, bool]]
    """The type of each operand, and whether registers in braces are parts of one such value."""

    def run(
        self,
        operands: Mapping[str, Bits],
        *,
        carry: bool = False,
        lanes: Mapping[int, Mapping[str, Bits]] | None = None,
        lane: int = 0,
    ) -> Outcome | None:
        """Executes the program for one lane; returns None if its result is not determined.

        `operands`: bits by the manual's names. `lanes`: the operands of every lane that executes
        the instruction, by number, including this one; `shfl`, `vote`, `match` and `redux` need it.
        """
        executing = Lane(self._places(operands), _known(operands), number=lane, carry=carry)
        for number, others in (lanes or {}).items():
            if number != lane:
                other = Lane(self._places(others), _known(others), number=number)
                executing.lanes = {**executing.lanes, number: other}
        try:
            executing.run(self.statements)
        except UndeterminedError:
            return None
        return Outcome(executing.results, bool(executing.values["CC.CF"]), executing.is_exact)

    def _places(self, operands: Mapping[str, Bits]) -> dict[str, OperandStorage]:
        places = {}
        for name, (type_name, is_joined) in self.types.items():
            type_ = value_type(type_name or _UNTYPED)
            if type_ is not None:
                given = operands.get(name)
                registers = len(given) if isinstance(given, Sequence) else 0
                places[name] = OperandStorage(type_, registers, is_joined)
        return places


def _known(operands: Mapping[str, Bits]) -> dict[str, int | Sequence[int]]:
    found: dict[str, int | Sequence[int]] = {}
    for name, bits in operands.items():
        if isinstance(bits, int):
            found[name] = bits
        elif bits is not None and None not in bits:
            found[name] = [it for it in bits if it is not None]
    return found


def assembled(lines: Iterable[tuple[str, tuple[Statement, ...]]]) -> tuple[Statement, ...]:
    """Returns the statements of lines; more indented lines are the body of the loop before."""
    found: list[Statement] = []
    depth = ""
    for indentation, statements in lines:
        if len(indentation) > len(depth) and found and isinstance(found[-1], For):
            last = found[-1]
            found[-1] = last._replace(body=(*last.body, *statements))
        else:
            depth = indentation
            found += statements
    return tuple(found)


def program_of(
    instruction: Instruction, variant: Variant, specs: Iterable[OperandSpec | None]
) -> Program | None:
    """Returns the program of a variant; None if it is described in words only."""
    if instruction.prose.not_computable:
        return None
    lines = lines_of(instruction.prose.semantics, variant)
    if any(line.in_words for line in lines):
        return None
    try:
        statements = assembled((line.indentation, specialized(line, variant)) for line in lines)
    except PseudoCodeError:
        return None
    types: dict[str, tuple[str, bool]] = {}
    for spec in specs:
        if spec is None:
            continue
        types[spec.name] = (spec.type, "pack" in spec.kinds)
        if spec.pair:
            types[spec.pair] = (".pred", False)
    return Program(statements, types) if statements else None


def evaluate(
    opcode: str,
    modifiers: Sequence[str],
    operands: Mapping[str, Bits],
    *,
    carry: bool = False,
    selectors: Mapping[str, str] | None = None,
) -> Outcome | None:
    """Executes an instruction on known operands; returns None if the result is not certain.

    `operands`: bits by the manual's names, or None for a destination; required destinations may be
    omitted: `evaluate("add", (".s32",), {"a": 1, "b": 2})`. A predicate is 0 or 1. Registers in
    braces are a sequence, also for a destination: `{"d": (None, None), "a": 7}`. `carry`: the value
    of `CC.CF` before. `selectors`: those after operands, by slot: `{"asel": ".b0"}`.
    """
    shape = tuple(
        (name, len(bits) if isinstance(bits, Sequence) else 0) for name, bits in operands.items()
    )
    chosen = tuple((selectors or {}).items())
    program = find_program(opcode, tuple(modifiers), shape, chosen)
    return program.run(operands, carry=carry) if program is not None else None


@lru_cache(maxsize=1 << 12)
def find_program(
    opcode: str,
    modifiers: tuple[str, ...],
    shape: tuple[tuple[str, int], ...],
    selectors: tuple[tuple[str, str], ...] = (),
) -> Program | None:
    """Returns the program of an instruction by the names and register counts of its operands."""
    instruction = database().instruction(opcode)
    if instruction is None:
        return None
    registers = dict(shape)
    skipped = frozenset(index for index, _ in repeated(instruction, modifiers))
    for form, _ in complete_forms(instruction, modifiers, skipped):
        verdict = _verdict(instruction, form, modifiers, registers, dict(selectors))
        if verdict is not None:
            slots = {**verdict.slots, **dict(selectors)}
            names = {*registers, *(spec.name for spec in verdict.operand_specs if spec)}
            variant = Variant(verdict.form, slots, modifiers, names, _looks(registers))
            return program_of(instruction, variant, verdict.operand_specs)
    return None


def _looks(registers: Mapping[str, int]) -> Callable[[str, str], bool]:
    return lambda kind, name: kind == "vector" and registers.get(name, 0) > 0


def _verdict(
    instruction: Instruction,
    form: Form,
    modifiers: Sequence[str],
    registers: Mapping[str, int],
    selectors: Mapping[str, str],
) -> Verdict | None:
    """Returns the verdict on operands of unknown kinds; None if this form does not take them."""
    operands, left = [], set(registers)
    for row in form.operands:
        if row.name not in registers:
            if row.optional:
                continue
            if row.role != "write":
                return None
        left -= {row.name, row.pair}
        selector = selectors.get(form.row.slots[row.selector].name, "") if row.selector >= 0 else ""
        n = registers.get(row.name, 0)
        unknown = Operand(OperandKind.UNKNOWN, selector=selector)
        elements = (unknown,) * n
        operands.append(Operand(OperandKind.VECTOR, elements=elements) if n else unknown)
    verdict = check(instruction, modifiers, operands, Context())
    return verdict if not left and verdict.form is form and verdict.is_accepted else None
