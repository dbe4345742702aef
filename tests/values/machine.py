"""Executes kernels for one thread, with the executable semantics of their instructions."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.isa.execution import evaluate
from tests.support.straight_line import NotComputableError, _specs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_STATEMENT: Final = re.compile(
    r"(?:@(?P<not>!?)(?P<guard>%p\d+) )?"
    r"(?P<opcode>\w+)(?P<modifiers>[.:\w]*)(?: (?P<operands>.*))?;"
).fullmatch
_OPERAND: Final = re.compile(r"\{[^}]*\}|\[[^\]]*\]|[^,{}\[\]]+").findall
WIDTHS: Final = {"%p": 1, "%rs": 16, "%r": 32, "%rd": 64}
WINDOW: Final = 0x7F00_0000_0000
"""The generic address of the start of .shared."""


class MachineStatement(NamedTuple):
    """An instruction, read once."""

    guard: str
    is_negated: bool
    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[str, ...]


@lru_cache(maxsize=1 << 14)
def decoded(line: str) -> MachineStatement:
    """Returns the parts of a line with one instruction."""
    match = _STATEMENT(line.strip())
    if match is None:
        raise NotComputableError(line)
    operands = tuple(each.strip() for each in _OPERAND(match["operands"] or "") if each.strip())
    modifiers = tuple(re.findall(r"\.[\w:]+", match["modifiers"]))
    return MachineStatement(
        match["guard"] or "", bool(match["not"]), match["opcode"], modifiers, operands
    )


@lru_cache(maxsize=1 << 12)
def _names(opcode: str, modifiers: tuple[str, ...], n_operands: int) -> list[tuple[str, str, str]]:
    """Returns the name, the role and the type of each operand."""
    found = _specs(opcode, list(modifiers), n_operands)
    return [(spec.name, spec.role, spec.type) for spec in found]


def width_of(register: str) -> int:
    """The number of bits of a register, by its name."""
    return WIDTHS[register.rstrip("0123456789")]


class Machine:
    """A thread that executes the lines of a kernel.

    `bits` has the values of registers, special registers, parameters and addresses of variables.
    """

    def __init__(self, lines: Sequence[str], bits: Mapping[str, int]) -> None:
        self._lines = [line.strip() for line in lines]
        self.bits = dict(bits)
        self._labels = {
            line.removesuffix(":"): row for row, line in enumerate(self._lines) if line[-1:] == ":"
        }

    def run(
        self,
        first: int,
        before: Callable[[int, bool], None],
        after: Callable[[int], None],
        max_steps: int,
    ) -> bool:
        """Executes from a row on, and returns whether the thread exits within a number of lines.

        `before` is called before each instruction, with its row and whether its guard lets it run,
        and `after` after one that ran.
        """
        row = first
        for _ in range(max_steps):
            line = self._lines[row]
            if not line.endswith(";"):
                if line == "}":
                    return True
                row += 1
                continue
            statement = decoded(line)
            is_run = not statement.guard or self.bits[statement.guard] != statement.is_negated
            before(row, is_run)
            if is_run:
                if statement.opcode in ("ret", "exit"):
                    return True
                if statement.opcode == "bra":
                    row = self._labels[statement.operands[0]]
                    continue
                self._execute(statement)
                after(row)
            row += 1
        return False

    def _execute(self, statement: MachineStatement) -> None:
        opcode, modifiers, operands = statement.opcode, statement.modifiers, statement.operands
        target = operands[0]
        if opcode == "ld":
            self._write(target, self.bits[operands[1].strip("[]")])
        elif opcode == "cvta":
            moved = -WINDOW if ".to" in modifiers else WINDOW
            self._write(target, self._value(operands[1], 64) + moved)
        elif opcode == "mov" and "{" in target + operands[-1]:
            self._move_parts(target, operands[1])
        elif opcode == "setp" and "|" in target:
            raise NotComputableError(opcode)
        else:
            names = _names(opcode, modifiers, len(operands))
            given = {
                name: None if role == "write" else self._value(text, _type_width(type_))
                for (name, role, type_), text in zip(names, operands, strict=True)
            }
            outcome = evaluate(opcode, modifiers, given)
            if outcome is None:
                raise NotComputableError(opcode)
            result = outcome.results[names[0][0]]
            assert isinstance(result, int)
            type_ = names[0][2]
            if opcode == "cvt" and type_.startswith(".s"):
                sign = result >> _type_width(type_) - 1 & 1
                result -= sign << _type_width(type_)
            self._write(target, result)

    def _move_parts(self, target: str, source: str) -> None:
        if target.startswith("{"):
            parts = [each.strip() for each in target.strip("{}").split(",")]
            whole = self._value(source, 64)
            for part in parts:
                self._write(part, whole)
                whole >>= width_of(part)
            return
        parts = [each.strip() for each in source.strip("{}").split(",")]
        size = width_of(target) // len(parts)
        whole = sum(
            (self._value(part, size) & (1 << size) - 1) << size * number
            for number, part in enumerate(parts)
        )
        self._write(target, whole)

    def _write(self, register: str, value: int) -> None:
        self.bits[register] = value & (1 << width_of(register)) - 1

    def _value(self, text: str, width: int) -> int:
        if text.startswith("!"):
            return 1 - self.bits[text[1:]]
        name, plus, offset = text.partition("+")
        if name in self.bits:
            return self.bits[name] + (int(offset, 0) if plus else 0)
        return int(text, 0) & (1 << width) - 1


def _type_width(type_: str) -> int:
    """Returns the number of bits of a type; an operand without one is a word."""
    return 1 if type_ == ".pred" else int(re.sub(r"\D", "", type_) or 32)
