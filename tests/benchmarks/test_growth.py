"""The texts that the growth benchmark measures on, and its table."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.growth import bodies, modules
from benchmarks.growth.growth import Growth
from benchmarks.growth.run import PAGE, SERIES
from benchmarks.growth.series import Series
from benchmarks.growth.serving import Step
from benchmarks.growth.table import Row, page
from ptx_ls.document.document import Document
from ptx_ls.formatting import formatter
from ptx_ls.formatting.style import FormatStyle
from ptx_ls.lint import lint
from ptx_ls.source import Severity
from tests.support.assembling import require_ptxas

_LEAST = 60
_NAMES = [series.name for series in SERIES]


@pytest.mark.slow
@pytest.mark.parametrize("series", SERIES, ids=_NAMES)
def test_each_series_can_be_read_checked_and_laid_out(series: Series) -> None:
    sizes = []
    for n in (1, 3, 9):
        text = series.make(n)
        sizes.append(len(text))
        document = Document.read(text)
        assert document.text == text
        lint(document)
        laid_out = formatter.formatted(text, FormatStyle())
        assert "".join(laid_out.split()) == "".join(text.split())
    assert sizes == sorted(set(sizes))


@pytest.mark.parametrize("series", SERIES, ids=_NAMES)
def test_a_series_has_the_size_that_is_asked_for(series: Series) -> None:
    assert 0.5 < len(series.of_size(20_000).encode()) / 20_000 < 2


@pytest.mark.slow
@pytest.mark.parametrize("series", [*modules.SERIES, *bodies.SERIES], ids=lambda it: it.name)
def test_what_is_correct_is_so_for_us_and_for_ptxas(series: Series, tmp_path: Path) -> None:
    text = series.make(3)
    found = lint(Document.read(text))
    assert [one.message for one in found if one.severity is Severity.ERROR] == []
    program = require_ptxas()
    path = tmp_path / "series.ptx"
    path.write_text(text, encoding="utf-8", newline="")
    command = [str(program), "-arch=compute_90", "-o", os.devnull, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_there_are_many_series_with_names_of_their_own() -> None:
    assert len(_NAMES) >= _LEAST
    assert [name for name, count in Counter(_NAMES).items() if count > 1] == []


def test_the_page_marks_what_misses_a_goal() -> None:
    good, bad = Growth(1000, 1.0, 0.1, 3), Growth(1000, 1.5, 0.1, 30)
    assert Row("good", good, good, Step(0.001, "f")).n_missed == 0
    rows = [Row("bad", good, bad, Step(0.5, "slow")), Row("none", good, good, None)]
    assert [row.n_missed for row in rows] == [3, 1]
    written = page(rows)
    assert "| bad | 1.00 | 0.10 | 3.0 | **1.50** | 0.10 | **30.0** | **500** |" in written
    assert "| none | 1.00 | 0.10 | 3.0 | 1.00 | 0.10 | 3.0 | **ended** |" in written


def test_the_page_has_series_of_the_benchmark_alone() -> None:
    written = PAGE.read_text(encoding="utf-8").partition("| series |")[2].splitlines()[2:]
    rows = [line.split(" | ")[0].removeprefix("| ") for line in written]
    assert rows
    assert set(rows) <= set(_NAMES)
