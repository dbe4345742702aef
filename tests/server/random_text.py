"""A text as an editor keeps it, and edits of it that a seed decides: careful, careless, hostile."""

from __future__ import annotations

from random import Random
from typing import Final

from ptx_ls.source.columns import ColumnUnit, to_units
from ptx_ls.source.lines import content_length, split_lines
from tests.server.client import Message

Place = tuple[int, int]
"""A line and a column in code points."""

_TYPED: Final = (*"abru%.,;:()[]{}<>|@!_$ \t01289=-+\"'/*\\#é😀\0", "\n", "\r\n", "\r", "f32")
_BREAKING: Final = ("{", "}", '"', "/*", "*/", "//", "(", ")", "\\", ";", "}\n}", "\n{", '"\n')
_STATEMENTS: Final = (
    "\tadd.s32 \t%r1, %r2, %r3;\n",
    "\tmov.f32 \t%f1, 0f3F800000;\n",
    "\t@%p1 bra \t$L__BB0_2;\n",
    "$L__BB0_2:\n",
    "\tld.param.u64 \t%rd1, [kernel_param_0];\n",
    "\t.reg .b32 \t%r<99>;\n",
    ".version 8.5\n.target sm_90a\n.address_size 64\n",
    ".visible .entry pasted(.param .u64 p)\n{\n\t.reg .pred %p<2>;\n\tret;\n}\n",
    ".func (.reg .b32 r) callee(.reg .b32 a)\n{\n\tmov.b32 r, a;\n\tret;\n}\n",
    "\t{ .reg .b32 inner; mov.b32 inner, %tid.x; } // 😀\r\n",
    '\t.loc 1 3 7, function_name $L__info, inlined_at 1 2 3\n.file 1 "a.cu"\n',
    ".global .align 4 .b8 table[4] = {1, 2, 3, 4};\r",
    "\tmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4},\n",
    "\twgmma.fence.sync.aligned;\n\tcp.async.wait_all;\n",
    "\tadd.s32 \t%r1, %undeclared, %r3; // ptx-ls: ignore[undeclared-register] reason\n",
    "// ptx-ls: ignore-file[undeclared-register]\n",
    "// ptx-ls: ignore-function\r\n",
    "// ptx-ls: ignore-start[syntax-error]\n/* ptx-ls: ignore-end */ ",
)
_MOST_UNDONE: Final = 200
_LARGE: Final = 20_000  # lines; a whole new text of more is a slow edit, and no other one


class RandomText:
    """The text of an open document, and random changes of it.

    Attributes:
        lines: the present text, with line ends.
    """

    def __init__(self, text: str, unit: ColumnUnit) -> None:
        self.lines = split_lines(text)
        self._original = text
        self._unit = unit
        self._undo: list[tuple[int, int, str]] = []

    @property
    def text(self) -> str:
        """The present text."""
        return "".join(self.lines)

    def place(self, random: Random) -> Place:
        """Returns a place of the text, most often in a line that says something."""
        line = random.randrange(len(self.lines))
        for _ in range(3):
            if self.lines[line].strip():
                break
            line = random.randrange(len(self.lines))
        return line, random.randint(0, content_length(self.lines[line]))

    def sent(self, place: Place) -> Message:
        """Returns a place as it is sent."""
        line, column = place
        return {"line": line, "character": to_units(self.lines[line], column, self._unit)}

    def change(self, random: Random) -> list[Message]:
        """Changes the text, and returns the changes that a client sends: one or some."""
        kind = random.random()
        if kind < 0.04:
            return [self._replace_all(random)]
        if kind < 0.12:
            return [self._change_once(random) for _ in range(random.randint(2, 5))]
        return [self._change_once(random)]

    def _replace_all(self, random: Random) -> Message:
        if len(self.lines) > _LARGE:
            return self._change_once(random)
        if random.random() < 0.5:
            text = self._original
        else:
            lines = list(self.lines)
            first = random.randrange(len(lines))
            lines[first : first + random.randint(0, 5)] = [random.choice(_STATEMENTS)]
            text = "".join(lines)
        self._undo.clear()
        self.lines = split_lines(text)
        return {"text": text}

    def _change_once(self, random: Random) -> Message:
        kind = random.random()
        start = self.place(random)
        if kind < 0.40:
            return self._edit(start, start, random.choice(_TYPED))
        if kind < 0.55:
            line, column = start
            count = min(random.randint(1, 4), content_length(self.lines[line]) - column)
            return self._edit(start, (line, column + count), "")
        if kind < 0.65:
            line = start[0]
            text = "".join(random.choices(_STATEMENTS, k=random.randint(1, 4)))
            return self._edit((line, 0), (line, 0), text)
        if kind < 0.73:
            last = min(len(self.lines) - 1, start[0] + random.randint(1, 12))
            return self._edit((start[0], 0), (last, 0), "")
        if kind < 0.78:
            other = self._near(random, start)
            return self._edit(min(start, other), max(start, other), random.choice(_TYPED))
        if kind < 0.86 or not self._undo:
            return self._edit(start, start, random.choice(_BREAKING))
        return self._take_back()

    def _near(self, random: Random, place: Place) -> Place:
        line = min(len(self.lines) - 1, max(0, place[0] + random.randint(-3, 3)))
        return line, random.randint(0, content_length(self.lines[line]))

    def _take_back(self) -> Message:
        first, count, text = self._undo.pop()
        if first + count < len(self.lines):
            end = (first + count, 0)
        else:
            end = (len(self.lines) - 1, content_length(self.lines[-1]))
        change = self._edit((first, 0), end, text)
        self._undo.pop()
        return change

    def _edit(self, start: Place, end: Place, new: str) -> Message:
        change = {"range": {"start": self.sent(start), "end": self.sent(end)}, "text": new}
        # One line more on both sides: a line feed may join a carriage return there.
        first, stop = max(0, start[0] - 1), min(len(self.lines), end[0] + 2)
        old = self.lines[first:stop]
        before = "".join(self.lines[first : start[0]]) + self.lines[start[0]][: start[1]]
        after = self.lines[end[0]][end[1] :] + "".join(self.lines[end[0] + 1 : stop])
        lines = split_lines(before + new + after)
        if stop < len(self.lines) and not lines[-1]:
            lines.pop()
        self.lines[first:stop] = lines
        self._undo.append((first, len(lines), "".join(old)))
        del self._undo[:-_MOST_UNDONE]
        return change
