"""Series of white space, comments, nesting, long tokens, and text that is not PTX."""

from __future__ import annotations

from benchmarks.growth.series import (
    END,
    HEADER,
    KERNEL,
    Series,
    in_kernel,
    in_module,
    listed,
    plain,
)

_ADD = "add.s32 %r1, %r2, %r3;"


def _nested(opening: str, closing: str, before: str, after: str) -> Series:
    def make(n: int) -> str:
        return before + opening * n + closing * n + after

    return Series(f"nested {opening.strip()}", make)


def _nested_blocks(n: int) -> str:
    """Makes nested blocks, with each brace on its own line."""
    return HEADER + KERNEL + "\t{\n" * n + "\t}\n" * n + END


def _crlf(n: int) -> str:
    return (HEADER + KERNEL + f"\t{_ADD}\n" * n + END).replace("\n", "\r\n")


def _cr(n: int) -> str:
    return (HEADER + KERNEL + f"\t{_ADD}\n" * n + END).replace("\n", "\r")


_EXPRESSION = HEADER + ".global .s64 v = "

SERIES: tuple[Series, ...] = (
    plain("empty lines", "\n", HEADER),
    in_kernel("empty lines in a body", "\n"),
    in_kernel("lines of spaces", "        \n"),
    in_kernel("lines of tabs", "\t\t\n"),
    in_kernel("form feeds", "\f\n"),
    plain("carriage returns", "\r", HEADER),
    Series("lines that end in CRLF", _crlf),
    Series("lines that end in CR", _cr),
    in_module("comments", "// comment #\n"),
    in_kernel("comments in a body", "\t// comment #\n"),
    in_kernel("comments after instructions", f"\t{_ADD} // comment #\n"),
    in_kernel("block comments", "\t/* comment # */\n"),
    in_kernel("block comments in instructions", "\tadd.s32 /* # */ %r1, %r2, %r3;\n"),
    in_kernel("block comments on several lines", "\t/* comment\n\t# */\n"),
    in_kernel("`*/` and `/*` on separate lines", "*/\n/*", "/*"),
    in_module("lines of one comment", "comment # {\n", before="/*\n", after="*/\n"),
    in_module("lines of an unclosed comment", "comment # {\n", before="/*\n"),
    in_kernel("statements on several lines", "\tadd.s32\n\t\t%r1,\n\t\t%r2,\n\t\t%r3;\n"),
    in_kernel("tokens, one per line", "\tadd\n\t.s32\n%r1\n,\n%r2\n,\n%r3\n;\n"),
    in_kernel("opcodes with a space before a modifier", "\tadd .s32 %r1, %r2, %r3;\n"),
    in_kernel("semicolons", ";\n"),
    plain("a long name", "x", f"{HEADER}.global .u32 ", ";\n"),
    in_kernel("long names", f"\t.reg .b32 {'long' * 20}#;\n"),
    plain("a long opcode", "x", HEADER + KERNEL, f" %r1;\n{END}"),
    plain("a long number", "1", f"{HEADER}.global .u32 v = ", ";\n"),
    plain("a long string", "x", f'{HEADER}.pragma "', '";\n'),
    plain("a long escaped string", "\\n", f'{HEADER}.pragma "', '";\n'),
    Series("nested blocks", _nested_blocks),
    _nested("{", "}", HEADER + KERNEL, END),
    _nested("(", ")", f"{_EXPRESSION}", ";\n"),
    plain("opening parentheses", "(", _EXPRESSION, ";\n"),
    _nested("[", "]", f"{HEADER}{KERNEL}\tld.global.u32 %r1, ", f";\n{END}"),
    plain("signs", "-", _EXPRESSION, "1;\n"),
    plain("signs `~` and `!`", "~!", _EXPRESSION, "1;\n"),
    listed("terms", "1", _EXPRESSION, ";\n", " + "),
    listed("conditions", "1 ? 2", _EXPRESSION, " : 1;\n", " : "),
    plain("dimensions of an array", "[1]", f"{HEADER}.global .u32 v", ";\n"),
    in_module("comments that are not ASCII", "// é 😀 中 #\n"),
    in_kernel("instructions that are not ASCII", "\tadd.s32 %é#, %r2, %r3;\n"),
    in_kernel("line separators", "\u2028"),
    in_kernel("no-break spaces", "\tadd.s32\u00a0%r1, %r2, %r3;\n"),
    in_kernel("meaningless characters", "\t`?#\n"),
    plain("prose", "The quick brown fox jumps over the lazy dog, again and again.\n"),
    plain("C", "int f#(int x) { if (x > 1) { return f(x - 1); } else { return 0; } }\n"),
    plain("LLVM", "define i32 @f#(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n"),
    plain("JSON", '{"name": "value#", "list": [1, 2, {"a": null}]},\n'),
    plain("hexadecimal", "0123456789abcdef0123456789abcdef0123456789abcdef\n"),
)
