"""Reads and writes the operands of instructions, for a thread."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tests.lint.scheduling.arithmetic import float_bits
from tests.lint.scheduling.memory import Memory
from tests.lint.scheduling.program import NotRunnableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.lint.scheduling.memory import Copy
    from tests.lint.scheduling.program import Program, Statement

WARP: Final = 32
_SPACES: Final = ("shared", "global", "const", "local", "param")
_ADDRESS: Final = re.compile(r"([\w%$]+)(?:\+(-?\w+))?").fullmatch


class Thread:
    """A thread: its registers, where it is, and why it waits."""

    def __init__(self, number: int) -> None:
        self.number, self.row = number, 0
        self.bits: dict[str, int] = {}
        self.stored: list[tuple[int, int]] = []
        self.is_done = False
        self.waiting: tuple[object, ...] | None = None
        self.open: list[Copy] = []
        self.groups: dict[bool, list[list[Copy]]] = {True: [], False: []}

    @property
    def is_ready(self) -> bool:
        """Whether it can continue."""
        return not self.is_done and self.waiting is None


class Operands:
    """The program of a block, its memory, and what its threads read from special registers."""

    def __init__(self, program: Program) -> None:
        self.program, self.memory = program, Memory()
        first, second, third = program.shape
        self.threads = [Thread(each) for each in range(first * second * third)]
        self._special = {
            "%ntid.x": first, "%ntid.y": second, "%ntid.z": third,
            "%nctaid.x": 1, "%nctaid.y": 1, "%nctaid.z": 1, "WARP_SZ": WARP,
            "%ctaid.x": 0, "%ctaid.y": 0, "%ctaid.z": 0, "%clock": 0, "%globaltimer": 0,
        }  # fmt: skip

    def value(self, thread: Thread, text: str, width: int) -> int:
        """Returns an operand."""
        text = text.strip()
        if text.startswith("!"):
            return 1 - self.value(thread, text[1:], 1)
        if text in thread.bits:
            return thread.bits[text]
        if text in self.program.addresses:
            return self.program.addresses[text]
        if text.startswith("%") or text == "WARP_SZ":
            return self._special_value(thread, text)
        name, plus, offset = text.partition("+")
        if plus and name.strip() in self.program.addresses:
            return self.program.addresses[name.strip()] + int(offset, 0)
        return self._number(text, width)

    def _number(self, text: str, width: int) -> int:
        if text[:2].lower() in ("0f", "0d"):
            return int(f"0x{text[2:]}", 0)
        if re.fullmatch(r"-?\d+\.\d+", text):
            return float_bits(text, width)
        if re.fullmatch(r"-?\d\w*", text):
            return int(text.removesuffix("U"), 0) & (1 << width) - 1
        if re.fullmatch(r"[%$\w]+", text):
            return 0  # a register that nothing has written
        raise NotRunnableError(text)

    def reader(self, thread: Thread) -> Callable[[str, int], int]:
        """Returns a function that returns an operand of a width."""
        return lambda text, width: self.value(thread, text, width)

    def _special_value(self, thread: Thread, name: str) -> int:
        if name in self._special:
            return self._special[name]
        first, second, _ = self.program.shape
        number = thread.number
        lane = number % WARP
        places = {
            "%tid.x": number % first, "%tid.y": number // first % second,
            "%tid.z": number // first // second, "%laneid": lane, "%warpid": number // WARP,
            "%lanemask_lt": (1 << lane) - 1, "%lanemask_eq": 1 << lane,
        }  # fmt: skip
        if name not in places:
            if re.fullmatch(r"%[a-z]+\d*", name):
                return 0
            raise NotRunnableError(name)
        return places[name]

    def write(self, thread: Thread, register: str, value: int) -> None:
        """Writes a register, unless it is `_`."""
        if register != "_":
            register = register.partition("|")[0].strip()
            thread.bits[register] = value & (1 << self._width(register)) - 1

    def _width(self, register: str) -> int:
        widths = self.program.widths
        found = widths.get(register) or widths.get(register.rstrip("0123456789"))
        if found is None:
            raise NotRunnableError(register)
        return found

    def address(self, thread: Thread, text: str) -> int:
        """Returns the address in brackets."""
        match = _ADDRESS(text.strip("[] ").replace(" ", ""))
        if match is None:
            raise NotRunnableError(text)
        return self.value(thread, match[1], 64) + int(match[2] or "0", 0)

    def place_of(self, thread: Thread, statement: Statement, text: str) -> tuple[bool, int]:
        """Returns the place in memory that an operand of an instruction names."""
        space = next(
            (it for it in _SPACES if any(m.split(":")[0] == f".{it}" for m in statement.modifiers)),
            "",
        )
        return self.memory.place(self.address(thread, text), space)
