"""Source locations: `.file`, `.loc`, line markers and includes."""

from __future__ import annotations

import pytest

from ptx_ls.syntax.written.source_locations import (
    Location,
    NamedSource,
    SourceFile,
    file_in,
    inlined_function,
    locations,
    source_named_by,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('.file 1 "a.cu"', SourceFile(1, "a.cu", 9)),
        (
            '/* x */ .file\t0x2 "b\'s.cu", 1700000000, 42',
            SourceFile(2, "b's.cu", 19, 1700000000, 42),
        ),
        ('.file 1 "a.cu", 7', SourceFile(1, "a.cu", 9)),
        ('.file "a.cu"', None),
        (".loc 1 2 3", None),
        ("", None),
    ],
)
def test_file(text: str, expected: SourceFile | None) -> None:
    assert file_in(text) == expected


def test_location_with_the_call_that_was_inlined() -> None:
    text = ".loc 1 20 3, function_name $L__info, inlined_at 2 7 0x5"
    assert [*locations(text)] == [Location(1, 20, 3, 5, 11), Location(2, 7, 5, 48, 55)]
    assert inlined_function(text) == "$L__info"
    assert inlined_function(".loc 1 20 3") == ""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('# 12 "kernel.cu"', NamedSource("kernel.cu", 6, 12)),
        ('#line 3 "k.cu" 1', NamedSource("k.cu", 9, 3)),
        ('// #include "header.h"', NamedSource("header.h", 13)),
        ("@include <header.h>", NamedSource("header.h", 10)),
        ("#pragma once", None),
        ("", None),
    ],
)
def test_marker_or_include(line: str, expected: NamedSource | None) -> None:
    assert source_named_by(line) == expected
