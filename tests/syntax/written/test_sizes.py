"""Sizes of arrays as written."""

import pytest

from ptx_ls.syntax.written.sizes import sizes_after


def check_sizes(text: str, sizes: tuple[str, ...], rest: str) -> None:
    assert sizes_after(text) == (sizes, rest)


@pytest.mark.parametrize(
    ("text", "sizes", "rest"),
    [
        ("", (), ""),
        (";", (), ";"),
        ("[4];", ("4",), ";"),
        (" [ ] [ - 1 ] = {1};", ("", "- 1"), "= {1};"),
        ("<4>, b[2];", (), "<4>, b[2];"),
        ("[4", (), "[4"),
    ],
)
def test_sizes(text: str, sizes: tuple[str, ...], rest: str) -> None:
    check_sizes(text, sizes, rest)
