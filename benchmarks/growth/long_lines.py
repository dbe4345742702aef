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
    in_kernel("empty statements on one line", ";"),
    in_kernel("guards on one line", " @%p1"),
    in_kernel("operands without commas on one line", "add %r1 %r2; "),
    in_kernel("instructions on one line", f"{_ADD}; "),
    in_kernel("guarded instructions on one line", f"@%p1 {_ADD}; "),
    in_kernel("instructions without `;` on one line", f"{_ADD} "),
    in_kernel("undeclared registers on one line", "add.s32 %a#, %r1, 1; "),
    in_kernel("wrong types on one line", "add.s32 %r1, %rd2, 1; "),
    in_kernel("unknown opcodes on one line", "foo; "),
    in_kernel("labels on one line", "L#: "),
    in_kernel("branches on one line", "bra L#; "),
    in_kernel("branches to the next label on one line", "@%p1 bra L#; L#: "),
    in_kernel("unread results on one line", "mov.b32 %r1, 1; "),
    in_kernel("declarations on one line", ".reg .b32 %x#; "),
    in_kernel("register banks on one line", ".reg .b32 %x#<9>; "),
    in_kernel("locations on one line", ".loc 1 1 1 "),
    in_kernel("pragmas on one line", '.pragma "nounroll"; '),
    in_kernel("blocks on one line", "{}"),
    in_kernel("opening braces on one line", "{ "),
    in_kernel("closing braces on one line", "}"),
    in_module("`.file` directives on one line", '.file 1 "a.cu" '),
    in_module("`.version` directives on one line", ".version 8.5 "),
    in_module("`.target` directives on one line", ".target sm_90 "),
    in_module("variables on one line", ".global .b32 v; "),
    in_module("`.b8` data on one line", ".b8 1 "),
    in_module("functions on one line", ".func g() {ret;} "),
    in_module("kernels on one line", ".entry k2() {} "),
    in_module("blocks outside of functions on one line", "{ ret; } "),
    in_module("sections on one line", ".section .debug_info { .b8 1 } "),
    Series("a module on one line", _one_line),
)
_TOKENS = (
    in_kernel("opening parentheses on one line", "("),
    in_kernel("opening brackets on one line", "["),
    in_kernel("commas on one line", ","),
    in_kernel("dots on one line", "."),
    in_kernel("colons on one line", ":"),
    in_kernel("backslashes on one line", "\\"),
    in_kernel("quotes on one line", '"'),
    in_kernel("block comments on one line", "/* # */ "),
    in_kernel("`/*` on one line", "/*"),
    in_kernel("spaces on one line", "  "),
    in_kernel("tabs on one line", "\t"),
    in_kernel("letters that are not ASCII on one line", "é"),
    in_kernel("characters that are not ASCII on one line", "😀"),
    in_kernel("numbers on one line", "# "),
    in_kernel("registers on one line", "%r1 "),
    in_kernel("words on one line", "x "),
    in_module("one long comment", " word", before="//", after="\n"),
    in_module("one long block comment", "a ", before="/* ", after=" */\n"),
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
    _within("repetitions of one modifier", ".x", "add", " %r1;"),
    listed("elements of a vector", "%r1", f"{HEADER}{KERNEL}\tmov.b64 %rd1, {{", f"}};\n{END}"),
    in_module("initial values on one line", "1,", before=".global .b8 v[] = {", after="1};\n"),
    in_module("names as initial values", "a,", before=".global .b64 v[] = {", after="a};\n"),
    in_module("parameters on one line", ".param .b32 a, ", ".func f(", ".param .b32 a) {}\n"),
)
_OVER_LINES = (
    _within("operands, one per line", "%r1,\n", "add.s32 %r1, ", "1;"),
    _within("words, one per line", "a\n", "", ""),
    _within("opening parentheses, one per line", "(\n", "mov.u32 %r1, ", ";"),
    in_module("initial values, one per line", "1,\n", before=".global .b8 v[] = {", after="1};\n"),
)
SERIES: tuple[Series, ...] = (*_STATEMENTS, *_TOKENS, *_LISTS, *_OVER_LINES)
