import pytest

from ptx_ls.source.near_names import nearest


def check_nearest(name: str, known: str, expected: str) -> None:
    assert nearest(name, known.split()) == expected


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("selct", "ignore select", "select"),
        ("ALL", "all syntax", "all"),
        ("Syntax-Eror", "all syntax-error", "syntax-error"),
        ("WARP_SIZE", "warp_size WARP_SZ", "WARP_SZ"),
        ("SEVERE", "select", ""),
        ("--select", "severity", ""),
    ],
)
def test_nearest(name: str, known: str, expected: str) -> None:
    check_nearest(name, known, expected)
