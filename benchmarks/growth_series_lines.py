"""Texts that grow on one line: what a file can repeat there, and statements over lines.

Each series takes a number of characters and gives a module of about that many. They are made to
measure how time and memory grow; `tests/lint/test_growth_on_a_line.py` counts steps on some.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable


_HEADER: Final = ".version 8.5\n.target sm_90\n.address_size 64\n"
_REGISTERS: Final = ".reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n"


def _in_kernel(unit: str, first: str = "", last: str = "") -> Callable[[int], str]:
    """A series that repeats a text in the body of a kernel, between two others."""
    head, tail = f"{_HEADER}.visible .entry k() {{\n{_REGISTERS}{first}", f"{last}\nret;\n}}\n"
    return lambda size: head + unit * max(1, size // len(unit)) + tail


def _in_module(unit: str, first: str = "", last: str = "") -> Callable[[int], str]:
    """A series that repeats a text outside of functions."""
    return lambda size: _HEADER + first + unit * max(1, size // len(unit)) + last + "\n"


def _numbered(before: str, after: str) -> Callable[[int], str]:
    """A series that repeats a statement of a kernel with another number each time."""

    def text(size: int) -> str:
        count = max(1, size // (len(before) + len(after) + 4))
        body = "".join([f"{before}{number}{after}" for number in range(count)])
        return _in_kernel(body)(len(body))

    return text


def _nested(opening: str, closing: str, first: str, last: str) -> Callable[[int], str]:
    """A series that nests brackets in an operand of a kernel's instruction."""

    def text(size: int) -> str:
        count = size // (len(opening) + len(closing))
        return _in_kernel(opening * count + "1" + closing * count, first, last)(1)

    return text


SERIES: Final[dict[str, Callable[[int], str]]] = {
    "empty statements on a line": _in_kernel(";"),
    "guards on a line": _in_kernel(" @%p1"),
    "operands without comma on a line": _in_kernel("add %r1 %r2; "),
    "instructions on a line": _in_kernel("add.s32 %r1, %r2, 1; "),
    "guarded instructions on a line": _in_kernel("@%p1 add.s32 %r1, %r2, 1; "),
    "instructions without `;` on a line": _in_kernel("add.s32 %r1, %r2, 1 "),
    "undeclared registers on a line": _numbered("add.s32 %a", ", %r1, 1; "),
    "wrong types on a line": _in_kernel("add.s32 %r1, %rd2, 1; "),
    "unknown opcodes on a line": _in_kernel("foo; "),
    "labels on a line": _numbered("L", ": "),
    "branches on a line": _numbered("bra L", "; "),
    "declarations on a line": _numbered(".reg .b32 %x", "; "),
    "ranges on a line": _numbered(".reg .b32 %x", "<9>; "),
    "blocks on a line": _in_kernel("{}"),
    "opening braces on a line": _in_kernel("{ "),
    "closing braces on a line": _in_kernel("}"),
    "opening parentheses on a line": _in_kernel("("),
    "opening brackets on a line": _in_kernel("["),
    "commas on a line": _in_kernel(","),
    "dots on a line": _in_kernel("."),
    "colons on a line": _in_kernel(":"),
    "backslashes on a line": _in_kernel("\\"),
    "quotes on a line": _in_kernel('"'),
    "comments on a line": _in_kernel("/* a */ "),
    "opened comments on a line": _in_kernel("/*"),
    "blanks on a line": _in_kernel(" "),
    "characters that are no ASCII on a line": _in_kernel("é"),
    "numbers on a line": _in_kernel("1 "),
    "registers on a line": _in_kernel("%r1 "),
    "words on a line": _in_kernel("a "),
    "locations on a line": _in_kernel(".loc 1 1 1 "),
    "files on a line": _in_module('.file 1 "a.cu" '),
    "pragmas on a line": _in_kernel('.pragma "nounroll"; '),
    "versions on a line": _in_module(".version 8.5 "),
    "targets on a line": _in_module(".target sm_90 "),
    "variables on a line": _in_module(".global .b32 v; "),
    "data on a line": _in_module(".b8 1 "),
    "functions on a line": _in_module(".func g() {ret;} "),
    "kernels on a line": _in_module(".entry k2() {} "),
    "blocks outside of functions on a line": _in_module("{ ret; } "),
    "sections on a line": _in_module(".section .debug_info { .b8 1 } "),
    "nested parentheses": _nested("(", ")", "mov.u32 %r1, ", ";"),
    "nested sums": _nested("(1+", ")", "mov.u32 %r1, ", ";"),
    "nested vectors": _nested("{", "}", "mov.b64 %rd1, ", ";"),
    "nested blocks": _nested("{", "}", "", ""),
    "signs before a number": _in_kernel("-", "mov.u32 %r1, ", "1;"),
    "operands of an instruction": _in_kernel("%r1, ", "add.s32 %r1, ", "1;"),
    "arguments of a call": _in_kernel("%r1, ", "call f, (", "%r1);"),
    "operands over lines": _in_kernel("%r1,\n", "add.s32 %r1, ", "1;"),
    "a statement over lines": _in_kernel("a\n"),
    "an opcode": _in_kernel("a", "", " %r1;"),
    "modifiers": _in_kernel(".x", "add", " %r1;"),
    "a name": _in_kernel("a", "bra ", ";"),
    "a number": _in_kernel("1", "mov.u32 %r1, ", ";"),
    "a string": _in_kernel("a", '.pragma "', '";'),
    "a comment on a line": _in_kernel("a ", "/* ", " */"),
    "a comment over lines": _in_kernel("a\n", "/* ", " */"),
    "values on a line": _in_module("1,", ".global .b8 v[] = {", "1};"),
    "values over lines": _in_module("1,\n", ".global .b8 v[] = {", "1};"),
    "values that are names": _in_module("a,", ".global .b64 v[] = {", "a};"),
    "parameters on a line": _in_module(".param .b32 a, ", ".func f(", ".param .b32 a) {}"),
    "targets of a branch": _in_kernel("L, ", "B: .branchtargets ", "L;"),
    "opened brackets over lines": _in_kernel("(\n", "mov.u32 %r1, ", ";"),
}
"""Name of a series, and its text for a number of characters."""
