"""Texts and edits that bring lines, statements and braces together in many ways."""

from __future__ import annotations

from hypothesis import strategies as st

from ptx_ls.syntax.record import MultiLine, Record

LINES = [
    ".version 8.5",
    ".target sm_90",
    ".target sm_90,",
    "debug",
    ".visible .entry k(",
    "\t.param .u64 k_param_0",
    ")",
    "{",
    "}",
    "\t.reg .b32 %r<10>;",
    "\tadd.s32 \t%r1, %r2, %r3;",
    "\t@%p1 bra \t$L__BB0_2;",
    "\tadd.s32 \t%r1, %r2",
    "\tmov.f32 %f1, 0f3F800000;",
    "$L__BB0_2:",
    "ret;",
    "ret",
    "{ .reg .b32 t; mov.b32 t, %r1; }",
    "call (retval0), f,",
    "(a, b);",
    "// comment",
    "/* open",
    "close */ ret;",
    '.file 1 "a.cu"',
    '# 1 "a',
    'b" 1',
    ".loc 1 2 3",
    ".section .debug_info {",
    ".b8 1,2,3",
    ".global .u32 a[] = {1,",
    "2};",
    ".func f(.param .u32 x)",
    "",
    "é ; 😀",
    '"',
    "add.s32",
    "\f",
]
SNIPPETS = [
    *LINES,
    ";",
    "/*",
    "*/",
    "//",
    "{",
    "}",
    "\n",
    "\r",
    "\r\n",
    ",",
    ":",
    "%",
    ".",
    "@",
    " ",
]

documents = st.lists(st.sampled_from(LINES), max_size=12).flatmap(
    lambda lines: st.lists(
        st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"]), min_size=len(lines), max_size=len(lines)
    ).map(lambda ends: "".join(line + end for line, end in zip(lines, ends, strict=True)))
)
edits = st.lists(
    st.tuples(
        st.integers(0, 14),
        st.integers(0, 24),
        st.integers(0, 3),
        st.integers(0, 24),
        st.lists(st.sampled_from(SNIPPETS), max_size=3).map("".join),
    ),
    max_size=8,
)
"""Lines and columns of a range, how many lines further it ends, and what takes its place."""
texts = st.lists(st.tuples(st.sampled_from(LINES), st.sampled_from(["\n", "\n", "\r\n", " ", ""])))
crowded = texts.map(lambda lines: "".join(line + end for line, end in lines))
"""Texts with several statements on a line."""


def describe(record: Record) -> object:
    """The parts of a record that can be compared if it is not shared between documents."""
    if isinstance(record, MultiLine):
        pieces = [(repr(piece.record), piece.start, piece.end) for piece in record.pieces]
        return (record.kind, pieces, record.problems, record.looks_ahead)
    return repr(record)
