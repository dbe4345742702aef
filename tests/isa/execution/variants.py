"""Every legal combination of modifiers of the instructions that can be executed, with operands."""

import itertools
import random
from collections.abc import Iterator
from typing import NamedTuple

from ptx_ls import isa
from ptx_ls.isa.checking.verdict import Context
from ptx_ls.isa.execution import Program, find_program
from ptx_ls.isa.execution.formats import value_type
from ptx_ls.isa.model import Form
from ptx_ls.isa.operand import Operand, OperandKind

_BOUNDARIES = (0, 1, 2, 3, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF)
_FLOATS = {
    "f16": (0, 0x8000, 1, 0x3FF, 0x400, 0x3C00, 0xBC00, 0x7BFF, 0x7C00, 0xFC00, 0x7E01, 0x3800),
    "bf16": (0, 0x8000, 1, 0x7F, 0x80, 0x3F80, 0xBF80, 0x7F7F, 0x7F80, 0xFF80, 0x7FC1, 0x3F00),
    "f32": (
        0, 0x80000000, 1, 0x007FFFFF, 0x00800000, 0x80800000, 0x3F800000, 0xBF800000, 0x3F7FFFFF,
        0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00001, 0x3F000000, 0x3FC00000, 0x4F000000,
        0x437F8000, 0xBE99999A, 0x5F000000, 0x477FF000, 0x43E80000, 0x3F801000, 0x33000000,
    ),
    "f64": (
        0, 1 << 63, 1, (1 << 52) - 1, 1 << 52, 0x3FF0000000000000, 0xBFF0000000000000,
        0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000001,
        0x3FE0000000000000, 0x41E0000000000000, 0x380FFFFFE0000000, 0x380FFFFFFFFFFFFF,
        0x36A0000000000000, 0x47EFFFFFF0000000, 0x43E0000000000000,
    ),
}  # fmt: skip


class Case(NamedTuple):
    """An instruction, how it is executed, and what its operands are."""

    opcode: str
    form: Form
    modifiers: tuple[str, ...]
    slots: dict[str, str]
    selectors: dict[str, str]
    program: Program | None
    operands: tuple[str, ...]
    """Those that are written, the second of a pair among them."""

    @property
    def is_legal(self) -> bool:
        """Whether ptxas takes these modifiers with any operands."""
        instruction = isa.database().instruction(self.opcode)
        assert instruction is not None
        n = sum(not row.optional for row in self.form.operands)
        counts = {n, len(self.form.operands)}
        operands = [[Operand(OperandKind.UNKNOWN)] * it for it in counts]
        verdicts = [isa.check(instruction, self.modifiers, it, Context()) for it in operands]
        return any(it.form is self.form and it.is_accepted for it in verdicts)

    def type_of(self, operand: str) -> str:
        """The type of an operand, without its dot."""
        assert self.program is not None
        return self.program.types[operand][0].lstrip(".")

    @property
    def sources(self) -> list[str]:
        """The operands that are read."""
        return [row.name for row in self.form.operands if row.role != "write"]


def executable_opcodes() -> list[str]:
    """The opcodes whose pseudo-code is a program."""
    database = isa.database()
    found = ((name, database.instruction(name)) for name in sorted(database.opcodes))
    return [name for name, it in found if it is not None and not it.prose.not_computable]


def cases(opcode: str, seed: int = 0) -> Iterator[Case]:
    """Every combination of modifiers that is legal; of selectors one for each, in turn."""
    instruction = isa.database().instruction(opcode)
    assert instruction is not None
    chance = random.Random(seed)  # noqa: S311  a repeatable choice
    for form in instruction.forms:
        slots, n = form.row.slots, form.row.n_modifier_slots
        choices = [((("",) if it.optional else ()) + it.values) for it in slots]
        for values in itertools.product(*choices[:n]):
            chosen = [chance.choice(each) for each in choices[n:]]
            selectors = {
                slot.name: _written(value, chance)
                for slot, value in zip(slots[n:], chosen, strict=True)
                if value
            }
            modifiers = tuple(filter(None, values))
            registers = _registers(form, 4 if ".v4" in modifiers else 2, chance)
            program = find_program(
                opcode, modifiers, tuple(registers.items()), tuple(selectors.items())
            )
            named = {it.name: value for it, value in zip(slots, values, strict=False) if value}
            yield Case(opcode, form, modifiers, named, selectors, program, tuple(registers))


def _written(pattern: str, chance: random.Random) -> str:
    """A selector of a pattern such as `.h[0-3][0-3]`."""
    text = pattern
    while "[" in text:
        head, _, rest = text.partition("[")
        bounds, _, tail = rest.partition("]")
        text = head + str(chance.randint(int(bounds[0]), int(bounds[2]))) + tail
    return text


def _registers(form: Form, size: int, chance: random.Random) -> dict[str, int]:
    """The operands, and how many registers are in their braces; 0 without braces."""
    found = {}
    for row in form.operands:
        found[row.name] = size if row.specs[0].kind in ("pack", "vec") else 0
        if row.pair and (not row.pair_optional or chance.random() < 0.5):
            found[row.pair] = 0
    return found


def bits_of(type_name: str, chance: random.Random) -> int:
    """Bits for an operand: a boundary or anything."""
    type_ = value_type(type_name or "u32")
    assert type_ is not None
    total = 0
    for place in range(type_.n_parts):
        total |= _part(type_.element, type_.bits, chance) << place * type_.stride
    return total


def _part(name: str, bits: int, chance: random.Random) -> int:
    kind = chance.random()
    if name in _FLOATS:
        boundaries = _FLOATS[name]
        if kind < 0.6:
            return chance.choice(boundaries)
        if kind < 0.8:  # near to a boundary
            return (chance.choice(boundaries) + chance.randint(-2, 2)) & (1 << bits) - 1
        return chance.getrandbits(bits)
    if kind < 0.5:
        value = chance.choice(_BOUNDARIES) * chance.choice((1, -1))
        return (value if chance.random() < 0.5 else (1 << bits - 1) + value) & (1 << bits) - 1
    return chance.getrandbits(bits)
