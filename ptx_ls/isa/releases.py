"""The newest PTX ISA version that a CUDA release, or a driver, reads; the order of versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.isa.database import database
from ptx_ls.source.numerals import decimal

if TYPE_CHECKING:
    from collections.abc import Iterable

Version = tuple[int, int]
_Number = tuple[int, ...]
_CUDA: Final = "CUDA "


def version_of_toolkit(release: str) -> Version:
    """Returns the newest version that a CUDA release such as `12.4` or `12.4.1` reads.

    A release without a version of its own, such as 12.6, reads that of the release before it.

    Raises:
        ValueError: if the text is not a release, or the data does not cover it; the message says
            what is expected.
    """
    known = [
        (_numbers(each.release.removeprefix(_CUDA)), each.number)
        for each in database().versions.values()
        if each.release.startswith(_CUDA)
    ]
    return _newest(release, known, _numbers(release)[:2], "a CUDA release", n_parts=2)


def version_of_driver(driver: str) -> Version:
    """Returns the newest version that a driver such as `550` or `550.54.14` reads.

    Raises:
        ValueError: as `version_of_toolkit` does.
    """
    known = [
        (_numbers(each.driver), each.number) for each in database().versions.values() if each.driver
    ]
    return _newest(driver, known, _numbers(driver)[:1], "a driver", n_parts=1)


def version_after(version: Version) -> Version:
    """Returns the first PTX ISA version after another one; the same one if it is the last."""
    return min((number for number in database().versions if number > version), default=version)


def _newest(
    text: str, known: Iterable[tuple[_Number, Version]], wanted: _Number, noun: str, n_parts: int
) -> Version:
    """Returns the version of the last release in `known` that is not newer than `wanted`."""
    ordered = sorted(known)
    first, last = (".".join(map(str, each)) for each in (ordered[0][0], ordered[-1][0]))
    if len(wanted) < n_parts or not ordered[0][0] <= wanted <= ordered[-1][0]:
        raise ValueError(f"expected {noun} from {first} to {last}, found `{text}`")
    return max(version for release, version in ordered if release <= wanted)


def _numbers(text: str) -> _Number:
    """Returns the numbers between the full stops of a text; () if there is anything else."""
    parts = text.split(".")
    is_number = all(each.isascii() and each.isdecimal() for each in parts)
    return tuple(map(decimal, parts)) if is_number else ()
