"""Reads lines in every way there is: in C, in Python, and line by line."""

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

from ptx_ls.syntax import scanner
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import MultiLine, Record, Shape

BUILT: ModuleType | None = scanner.compiled
MODES: tuple[ModuleType | None, ...] = (None,) if BUILT is None else (None, BUILT)


def require_built() -> ModuleType:
    """Returns the scanner in C, or skips the test; fails it in CI on a Linux that can build it."""
    if BUILT is not None:
        return BUILT
    reason = "needs the scanner in C of the present source; build it with: ./dev test"
    is_expected = os.environ.get("CI", "").lower() == "true" and not os.environ.get("PTX_LS_PURE")
    if is_expected and sys.platform == "linux" and can_compile():
        pytest.fail(reason)
    pytest.skip(reason)


def can_compile() -> bool:
    """Whether there seem to be a C compiler and the headers of Python."""
    words = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    header = Path(sysconfig.get_path("include")) / "Python.h"
    return shutil.which(words[0]) is not None and header.exists()


@contextmanager
def scanned_by(compiled: ModuleType | None) -> Iterator[None]:
    """Has lines scanned by the module in C, or by Python if that is None."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanner, "compiled", compiled)
        yield


def describe(record: Record) -> object:
    """Returns what is equal for equal records, even of different readers."""
    if isinstance(record, MultiLine):
        pieces = [(describe(piece.record), piece.start, piece.end) for piece in record.pieces]
        return (record.kind, pieces, record.problems, record.looks_ahead)
    if isinstance(record, Shape):
        return (record.kind, record.text)
    return (record.kind, record.problems)


def read_alone(lines: list[str]) -> list[Record]:
    """Returns the records of lines, each read by a new reader."""
    alone: list[Record] = []
    while len(alone) < len(lines):
        line = len(alone)
        read, stop = Reader().read(lines, line)
        alone += [read] * (stop - line)
    return alone


def read_together(lines: list[str], compiled: ModuleType | None) -> list[Record]:
    """Returns the records of lines from one reader, which has read all of them before."""
    with scanned_by(compiled):
        reader = Reader()
        reader.read_all(lines)
        return reader.read_all(lines)
