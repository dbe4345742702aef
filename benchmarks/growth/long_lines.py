"""Series on one line, and of statements over many lines."""

from __future__ import annotations

from benchmarks.growth.series import (
    END,
    HEADER,
    KERNEL,
    Series,
    in_kernel,
    in_module,
    listed,
    numbered,
    plain,
)

_ADD = "add.s32 %r1, %r2, 1"


def _one_line(n: int) -> str:
    """Makes a whole module without a line end."""
    functions = numbered(f".func f#() {{ .reg .b32 %r<4>; {_ADD}; ret; }} ", n)
    return HEADER.replace("\n", "  ") + functions


def _within(name: str, pattern: str, before: str, after: str) -> Series:
    """Returns a series of repetitions within one statement of a kernel."""
    return plain(name, pattern, f"{HEADER}{KERNEL}\t{before}", f"{after}\n{END}")


def _nested(name: str, opening: str, closing: str, before: str, after: str) -> Series:
    """Returns a series of nested brackets around a number in one statement of a kernel."""

    def make(n: int) -> str:
        statement = before + opening * n + "1" + closing * n + after
        return f"{HEADER}{KERNEL}\t{statement}\n{END}"

    return Series(name, make)


_STATEMENTS = (
    in_kernel("empty statements on a line", ";"),
    in_kernel("guards on a line", " @%p1"),
    in_kernel("operands without comma on a line", "add %r1 %r2; "),
    in_kernel("instructions on a line", f"{_ADD}; "),
    in_kernel("guarded instructions on a line", f"@%p1 {_ADD}; "),
    in_kernel("instructions without `;` on a line", f"{_ADD} "),
    in_kernel("undeclared registers on a line", "add.s32 %a#, %r1, 1; "),
    in_kernel("wrong types on a line", "add.s32 %r1, %rd2, 1; "),
    in_kernel("unknown opcodes on a line", "foo; "),
    in_kernel("labels on a line", "L#: "),
    in_kernel("branches on a line", "bra L#; "),
    in_kernel("branches to the next label on a line", "@%p1 bra L#; L#: "),
    in_kernel("unread results on a line", "mov.b32 %r1, 1; "),
    in_kernel("declarations on a line", ".reg .b32 %x#; "),
    in_kernel("ranges on a line", ".reg .b32 %x#<9>; "),
    in_kernel("locations on a line", ".loc 1 1 1 "),
    in_kernel("pragmas on a line", '.pragma "nounroll"; '),
    in_kernel("blocks on a line", "{}"),
    in_kernel("opening braces on a line", "{ "),
    in_kernel("closing braces on a line", "}"),
    in_module("files on a line", '.file 1 "a.cu" '),
    in_module("versions on a line", ".version 8.5 "),
    in_module("targets on a line", ".target sm_90 "),
    in_module("variables on a line", ".global .b32 v; "),
    in_module("data on a line", ".b8 1 "),
    in_module("functions on a line", ".func g() {ret;} "),
    in_module("kernels on a line", ".entry k2() {} "),
    in_module("blocks outside of functions on a line", "{ ret; } "),
    in_module("sections on a line", ".section .debug_info { .b8 1 } "),
    Series("a module of one line", _one_line),
)
_TOKENS = (
    in_kernel("opening parentheses on a line", "("),
    in_kernel("opening brackets on a line", "["),
    in_kernel("commas on a line", ","),
    in_kernel("dots on a line", "."),
    in_kernel("colons on a line", ":"),
    in_kernel("backslashes on a line", "\\"),
    in_kernel("quotes on a line", '"'),
    in_kernel("comments on a line", "/* # */ "),
    in_kernel("opened comments on a line", "/*"),
    in_kernel("blanks on a line", "  "),
    in_kernel("tabs on a line", "\t"),
    in_kernel("letters that are not ASCII on a line", "é"),
    in_kernel("characters that are not ASCII on a line", "😀"),
    in_kernel("numbers on a line", "# "),
    in_kernel("registers on a line", "%r1 "),
    in_kernel("words on a line", "x "),
    in_module("a comment on a line", " word", before="//", after="\n"),
    in_module("a block comment on a line", "a ", before="/* ", after=" */\n"),
)
_LISTS = (
    _nested("nested parentheses", "(", ")", "mov.u32 %r1, ", ";"),
    _nested("nested sums", "(1+", ")", "mov.u32 %r1, ", ";"),
    _nested("nested vectors", "{", "}", "mov.b64 %rd1, ", ";"),
    _nested("nested addresses", "[", "]", "ld.global.u32 %r1, ", ";"),
    _within("signs of an operand", "-", "mov.u32 %r1, ", "1;"),
    listed("operands of an instruction", "%r1", f"{HEADER}{KERNEL}\tadd.s32 ", f";\n{END}"),
    _within("arguments of a call without parameters", "%r1, ", "call f, (", "%r1);"),
    _within("undeclared targets of a branch", "L, ", "B: .branchtargets ", "L;"),
    listed("modifiers of an instruction", ".foo#", f"{HEADER}{KERNEL}\tadd", f" %r1;\n{END}", ""),
    _within("one modifier of an instruction", ".x", "add", " %r1;"),
    listed("elements of a vector", "%r1", f"{HEADER}{KERNEL}\tmov.b64 %rd1, {{", f"}};\n{END}"),
    in_module("values on a line", "1,", before=".global .b8 v[] = {", after="1};\n"),
    in_module("values that are names", "a,", before=".global .b64 v[] = {", after="a};\n"),
    in_module("parameters on a line", ".param .b32 a, ", ".func f(", ".param .b32 a) {}\n"),
)
_OVER_LINES = (
    _within("operands on several lines", "%r1,\n", "add.s32 %r1, ", "1;"),
    _within("words on several lines", "a\n", "", ""),
    _within("opened brackets on several lines", "(\n", "mov.u32 %r1, ", ";"),
    in_module("values on several lines", "1,\n", before=".global .b8 v[] = {", after="1};\n"),
)
SERIES: tuple[Series, ...] = (*_STATEMENTS, *_TOKENS, *_LISTS, *_OVER_LINES)
