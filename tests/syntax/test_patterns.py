"""Lines that differ only in names share a pattern, whatever their records are."""

from __future__ import annotations

import pytest

from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import Pattern, pattern_of, records_in


def check_patterns(one: str, other: str, *, are_same: bool) -> None:
    """Reads two texts with one reader, and compares the patterns of their first lines."""
    reader = Reader()
    found: list[Pattern] = []
    for text in (one, other):
        read, _ = reader.read(text.splitlines(keepends=True), 0)
        records = getattr(read, "records", (read,))
        assert records_in(pattern_of(read)) == records
        found.append(pattern_of(read))
    assert (found[0] == found[1]) is are_same


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        ("add.s32 %r1, %r2, %r3;\n", "add.s32 %r4, %r5, %r6;\n", True),
        ("add.s32 %r1, %r2, %r3;\n", "sub.s32 %r1, %r2, %r3;\n", False),
        ("{ add.s32 %r1, %r2, 1; }\n", "{ add.s32 %r7, %r8, 1; }\n", True),
        ("{ add.s32 %r1, %r2, 1; }\n", "{ add.s32 %r1, %r2, %r3; }\n", False),
        ("call.uni f,\n(a,\nb);\n", "call.uni f,\n(c,\nd);\n", True),
        ("call.uni f,\n(a,\nb);\n", "call.uni (r),\nf,\n(a);\n", False),
        ("\n", "// text\n", False),
    ],
)
def test_patterns(one: str, other: str, *, are_same: bool) -> None:
    check_patterns(one, other, are_same=are_same)
