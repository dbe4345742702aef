"""One file from its bytes to its report: what is kept of it, and what is not computed for it."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from ptx_ls import isa, lint
from ptx_ls.cli.inputs import Input
from ptx_ls.cli.linting.check import check
from ptx_ls.cli.linting.file_report import FileReport
from ptx_ls.cli.reports.choice import Destination, OutputFormat, Selection
from ptx_ls.document.document import Document
from ptx_ls.source import Diagnostic, Fix, Offers, Severity

_HEADER = ".version 8.5\n.target sm_90\n"
_KERNEL = _HEADER + ".entry k() {\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n"


def check_file(tmp_path: Path, text: str) -> FileReport:
    """The report of a file with a text, one line for each diagnostic."""
    path = tmp_path / "some.ptx"
    path.write_text(text)
    return check(Input(str(path), len(text)), Selection((Destination(OutputFormat.CONCISE),)))


def test_only_the_lines_of_a_file_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = _HEADER + "\t// a comment that takes a hundred characters or so of a line\n" * 5_000
    kept = []

    def look(document: Document, *_: object, **__: object) -> list[Diagnostic]:
        kept.append(tracemalloc.get_traced_memory()[0])
        assert document.text == text
        return []

    check_file(tmp_path, text)
    monkeypatch.setattr(lint, "lint", look)
    tracemalloc.start()
    try:
        check_file(tmp_path, text)
        before = tracemalloc.get_traced_memory()[0]
        document = Document.read(text[:-1] + "\n")  # a text of its own, which it may share
        needed = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert document.text == text
    assert kept[0] < needed + len(text) / 2


@pytest.mark.parametrize(
    "statement",
    [
        "add.s32 %r1, %x, %r2;",
        "add.sat.u32 %r1, %r1, %r2;",
        "cvt.rn.s32.f32 %r1, %f1;",
        "addd.u32 %r1, %r1, %r2;",
        "mul.u32 %r1, %r1, %r2;",
    ],
)
def test_no_offer_is_looked_for_that_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    asked = []

    def fixes(_: Offers) -> tuple[Fix, ...]:
        asked.append(statement)
        return ()

    monkeypatch.setattr(Offers, "fixes", fixes)
    report = check_file(tmp_path, f"{_KERNEL}\t{statement}\n\tret;\n}}\n")
    assert report.counts == {Severity.ERROR: 1}
    assert not asked


def test_what_was_judged_in_one_file_is_not_judged_in_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[object] = []
    diagnose = isa.diagnose

    def noted(*arguments: object) -> isa.Verdict:
        judged.append(arguments[:3])
        return diagnose(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(isa, "diagnose", noted)
    text = f"{_KERNEL}\tadd.s32 %r1, %r2, %r3;\n\tfma.rm.sat.f32 %f1, %f2, %f3, %f4;\n}}\n"
    check_file(tmp_path, text)
    n_judged = len(judged)
    check_file(tmp_path, text)
    assert len(judged) == n_judged
