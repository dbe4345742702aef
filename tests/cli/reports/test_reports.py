"""Each form of report, as the command writes it for files on a disk."""

import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.cli.linting.read_file import ReadFile
from ptx_ls.cli.main import main
from ptx_ls.cli.reports.choice import OutputFormat, report_of
from ptx_ls.cli.reports.report import Findings, Look, Totals
from ptx_ls.document.document import Document
from ptx_ls.lint.rule import rules
from ptx_ls.source import (
    Applicability,
    Diagnostic,
    Fix,
    Position,
    Range,
    RelatedRange,
    Severity,
    Single,
    TextEdit,
)

HEADER = ".version 8.5\n.target sm_90\n.address_size 64\n"
WRONG = HEADER + ".entry k() {\n/* é */ rat;\nL1:\nL1:\n\tret;\n}\n"
CLEAN = HEADER + ".entry k() { ret; }\n"
FILES = {"a.ptx": WRONG, "b.ptx": CLEAN}

needs_posix = pytest.mark.skipif(os.name != "posix", reason="on Windows paths are text")
characters = st.characters(categories=("L", "P", "Cc", "So")) | st.just("\udcff")
positions = st.builds(Position, st.integers(0, 9), st.integers(0, 30))
ranges = st.tuples(positions, positions).map(lambda both: Range(*sorted(both)))
fixes = st.builds(
    Fix,
    st.text(characters),
    st.lists(st.builds(TextEdit, ranges, st.text(characters)), max_size=2).map(tuple),
    st.sampled_from(Applicability),
    st.just(()),
)
diagnostics = st.builds(
    Diagnostic,
    ranges,
    st.sampled_from(sorted(rules())),
    st.sampled_from(Severity),
    st.text(characters),
    ready=st.lists(fixes, max_size=2).map(tuple),
    related=st.lists(st.builds(RelatedRange, ranges, st.text(characters)), max_size=2).map(tuple),
    singles=st.just(()),
    offers=st.none(),
)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check_report(
    capsys: pytest.CaptureFixture[str], output_format: str, *expected: str, **files: str
) -> None:
    """Checks the lines of a report on files, by default on a wrong one and a clean one."""
    assert report(capsys, output_format, **files).splitlines() == list(expected)


def report(capsys: pytest.CaptureFixture[str], output_format: str, **files: str) -> str:
    texts = {f"{name}.ptx": text for name, text in files.items()} or FILES
    for name, text in texts.items():
        Path(name).write_text(text, "utf-8")
    main(["lint", *texts, "--output-format", output_format, "-q"])
    return capsys.readouterr().out


def check_json(
    capsys: pytest.CaptureFixture[str], output_format: str, *expected: object, **files: str
) -> None:
    """Checks the elements of a JSON report."""
    found = json.loads(report(capsys, output_format, **files))
    assert (found if isinstance(found, list) else found["diagnostics"]) == list(expected)


def any_report(output_format: OutputFormat, path: str, found: list[Diagnostic]) -> str:
    form = report_of(output_format)
    elements = form.elements(Findings(path, ReadFile(Document.read(WRONG)), found), Look())
    totals = Totals(n_elements=len(elements))
    return form.begin() + form.between.join(elements) + form.end(totals)


def test_concise(capsys: pytest.CaptureFixture[str]) -> None:
    check_report(
        capsys,
        "concise",
        "a.ptx:5:9: error: unknown opcode `rat`; did you mean `ret`? [unknown-opcode]",
        "a.ptx:7:1: error: label `L1` is already declared [duplicate-label]",
    )


def test_grouped(capsys: pytest.CaptureFixture[str]) -> None:
    check_report(
        capsys,
        "grouped",
        "a.ptx:",
        "  5:9  error  unknown opcode `rat`; did you mean `ret`? [unknown-opcode]",
        "  7:1  error  label `L1` is already declared [duplicate-label]",
        "",
    )


def test_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert "help: Rename to `L1_2`" in report(capsys, "full")


def test_full_lists_spellings_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Fixes that only differ in what they insert are one line; others have their own."""
    text = HEADER + ".entry k() {\n.reg .b32 %r<3>;\nmad.s32 %r1, %r2, %r2, %r2;\nrat;\n}\n"
    lines = report(capsys, "full", a=text).splitlines()
    found = [line.strip() for line in lines if "help" in line]
    assert found == ["= help: Insert `.lo` or `.hi`", "= help: Replace with `ret`"]


def test_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = {"line": 7, "column": 1, "end_line": 7, "end_column": 3}
    check_json(
        capsys,
        "json",
        {
            "path": "a.ptx",
            "uri": (tmp_path / "a.ptx").as_uri(),
            **place,
            "severity": "error",
            "rule": "duplicate-label",
            "group": "names",
            "message": "label `L1` is already declared",
            "url": "https://ptx-ls.readthedocs.io/rules/duplicate-label",
            "related": [
                {
                    "line": 6,
                    "column": 1,
                    "end_line": 6,
                    "end_column": 3,
                    "message": "`L1` is first declared here",
                }
            ],
            "targets": [],
            "fixes": [
                {
                    "title": "Rename to `L1_2`",
                    "applicability": "guess",
                    "edits": [{**place, "text": "L1_2"}],
                }
            ],
        },
        a=WRONG.replace("rat;", ""),
    )


def test_json_without_findings(capsys: pytest.CaptureFixture[str]) -> None:
    check_report(capsys, "json", "[]", a=CLEAN)
    check_report(capsys, "jsonl", a=CLEAN)


def test_json_of_each_line(capsys: pytest.CaptureFixture[str]) -> None:
    lines = report(capsys, "jsonl").splitlines()
    assert [json.loads(line)["rule"] for line in lines] == ["unknown-opcode", "duplicate-label"]


@needs_posix
def test_a_name_that_is_not_text_can_be_opened(capsys: pytest.CaptureFixture[str]) -> None:
    name = os.fsdecode(b"\xff %.ptx")
    Path(name).write_text(WRONG, "utf-8")
    main(["lint", name, "--output-format", "jsonl", "-q"])
    found = json.loads(capsys.readouterr().out.splitlines()[0])
    assert found["path"] == "\\xff %.ptx"
    assert found["uri"].endswith("/%FF%20%25.ptx")


def test_github(capsys: pytest.CaptureFixture[str]) -> None:
    check_report(
        capsys,
        "github",
        "::error title=ptx-ls (unknown-opcode),file=a.ptx,line=5,col=9,endLine=5,endColumn=12::"
        "a.ptx:5:9: error: unknown opcode `rat`; did you mean `ret`? [unknown-opcode]",
        "::error title=ptx-ls (duplicate-label),file=a.ptx,line=7,col=1,endLine=7,endColumn=3::"
        "a.ptx:7:1: error: label `L1` is already declared [duplicate-label]",
    )


@needs_posix
def test_github_escapes_what_has_a_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a,b:%.ptx").write_text(WRONG, "utf-8")
    main(["lint", "a,b:%.ptx", "--output-format", "github", "-q"])
    assert ",file=a%2Cb%3A%25.ptx,line=5," in capsys.readouterr().out


def test_azure(capsys: pytest.CaptureFixture[str]) -> None:
    check_report(
        capsys,
        "azure",
        "##vso[task.logissue type=error;sourcepath=a.ptx;linenumber=5;columnnumber=9;"
        "code=unknown-opcode;]unknown opcode `rat`; did you mean `ret`?",
        "##vso[task.logissue type=error;sourcepath=a.ptx;linenumber=7;columnnumber=1;"
        "code=duplicate-label;]label `L1` is already declared",
    )


def test_pylint(capsys: pytest.CaptureFixture[str]) -> None:
    check_report(
        capsys,
        "pylint",
        "a.ptx:5: [unknown-opcode] unknown opcode `rat`; did you mean `ret`?",
        "a.ptx:7: [duplicate-label] label `L1` is already declared",
    )


def test_gitlab(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(report(capsys, "gitlab"))
    assert len({it.pop("fingerprint") for it in found}) == 2
    position = {"begin": {"line": 5, "column": 9}, "end": {"line": 5, "column": 12}}
    assert found[0] == {
        "check_name": "unknown-opcode",
        "description": "unknown-opcode: unknown opcode `rat`; did you mean `ret`?",
        "severity": "major",
        "location": {"path": "a.ptx", "positions": position},
    }


def test_junit(capsys: pytest.CaptureFixture[str]) -> None:
    root = ET.fromstring(report(capsys, "junit"))  # noqa: S314  # it is our own
    suites = [(it.get("name"), it.get("tests"), it.get("failures")) for it in root]
    assert suites == [("a.ptx", "2", "2"), ("b.ptx", "1", "0")]
    failures = [(it.get("type"), it.text) for it in root.iter("failure")]
    assert failures[1] == (
        "error",
        "a.ptx:7:1: error: label `L1` is already declared [duplicate-label]",
    )


def test_junit_has_files_that_could_not_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    main(["lint", "missing.ptx", "--output-format", "junit", "-q"])
    root = ET.fromstring(capsys.readouterr().out)  # noqa: S314  # it is our own
    (error,) = root.iter("error")
    assert "No such file" in str(error.get("message"))


def test_checkstyle(capsys: pytest.CaptureFixture[str]) -> None:
    root = ET.fromstring(report(capsys, "checkstyle"))  # noqa: S314  # it is our own
    assert [it.get("name") for it in root] == ["a.ptx", "b.ptx"]
    first = next(root.iter("error"))
    assert first.attrib == {
        "line": "5",
        "column": "9",
        "severity": "error",
        "message": "unknown opcode `rat`; did you mean `ret`?",
        "source": "ptx-ls.unknown-opcode",
    }


def test_columns_of_rdjson_are_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    span = {"start": {"line": 5, "column": 10}, "end": {"line": 5, "column": 13}}
    location = {"path": "a.ptx", "range": span}
    check_json(
        capsys,
        "rdjson",
        {
            "message": "unknown opcode `rat`; did you mean `ret`?",
            "location": location,
            "severity": "ERROR",
            "code": {
                "value": "unknown-opcode",
                "url": "https://ptx-ls.readthedocs.io/rules/unknown-opcode",
            },
            "suggestions": [{"range": span, "text": "ret"}],
        },
        a=WRONG.replace("L1:\n", "", 1),
    )


@pytest.mark.parametrize(
    "output_format", [it for it in OutputFormat if it is not OutputFormat.FULL]
)
def test_machines_get_every_place(output_format: OutputFormat) -> None:
    places = tuple(Single(Range.on_line(line, 0, 2), f"message {line}") for line in (2, 9))
    both = Diagnostic(
        places[0].range, "unsupported-version", Severity.ERROR, "both", singles=places
    )
    text = any_report(output_format, "a.ptx", [both])
    if output_format is OutputFormat.SARIF:  # names several places in one result
        assert "both" in text
    else:
        assert "message 2" in text
        assert "message 9" in text


def test_people_get_what_is_reported_together() -> None:
    places = tuple(Single(Range.on_line(line, 0, 1), "alone") for line in (0, 1))
    both = Diagnostic(places[0].range, "unknown-opcode", Severity.ERROR, "both", singles=places)
    text = any_report(OutputFormat.FULL, "a.ptx", [both])
    assert "both" in text
    assert "alone" not in text


@pytest.mark.slow
@given(st.text(characters), st.lists(diagnostics, max_size=4))
def test_any_diagnostics_make_a_valid_report(path: str, found: list[Diagnostic]) -> None:
    path = path.replace("\0", "") or "a.ptx"
    for form in (OutputFormat.CONCISE, OutputFormat.GITHUB, OutputFormat.AZURE, OutputFormat.JSONL):
        assert len(any_report(form, path, found).split("\n")) == len(found) + 1
    for form in (OutputFormat.JSON, OutputFormat.GITLAB):
        assert len(json.loads(any_report(form, path, found))) == len(found)
    assert len(json.loads(any_report(OutputFormat.RDJSON, path, found))["diagnostics"]) == len(
        found
    )
    for form in (OutputFormat.JUNIT, OutputFormat.CHECKSTYLE):
        root = ET.fromstring(any_report(form, path, found))  # noqa: S314  # it is our own
        assert len([*root.iter("failure"), *root.iter("error")]) == len(found)


def test_several_reports_of_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.ptx").write_text(WRONG, "utf-8")
    outputs = ["--output", "json:out.json", "--output", "pylint:out.txt"]
    assert main(["lint", "a.ptx", *outputs, "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.count("\n") == 2
    assert len(json.loads(Path("out.json").read_text("utf-8"))) == 2
    assert Path("out.txt").read_text("utf-8").count("\n") == 2
    assert sorted(it.name for it in Path.cwd().iterdir()) == ["a.ptx", "out.json", "out.txt"]


def test_an_existing_report_is_replaced_as_a_whole() -> None:
    Path("a.ptx").write_text(WRONG, "utf-8")
    Path("out.txt").write_text("old\n" * 1000, "utf-8")
    main(["lint", "a.ptx", "--output", "pylint:out.txt", "-q"])
    assert Path("out.txt").read_text("utf-8").count("\n") == 2


@pytest.mark.parametrize(
    ("given_output", "complaint"),
    [
        ("sarif", "expected `sarif:FILE`"),
        (
            "report.json",
            "expected FORMAT:FILE, such as `sarif:findings.sarif`, found `report.json`",
        ),
        ("sarif:-", "expected a file; --output-format sarif writes to standard output"),
        ("serif:x", "did you mean `sarif`?"),
        ("json:.", "is a directory"),
        ("json:no/such/x", "directory `no/such` does not exist"),
        ("json:a.ptx", "`a.ptx` is not overwritten, because it is a PTX file"),
        ("json:other.ptx", "`other.ptx` is not overwritten, because it is a PTX file"),
        ("json:read.txt", "`read.txt` is not overwritten, because it is a PTX file"),
    ],
)
def test_an_output_that_cannot_be_written(
    capsys: pytest.CaptureFixture[str], given_output: str, complaint: str
) -> None:
    names = ("a.ptx", "other.ptx", "read.txt")
    for name in names:
        Path(name).write_text(CLEAN, "utf-8")
    assert main(["lint", "a.ptx", "read.txt", "--output", given_output]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
    assert {Path(name).read_text("utf-8") for name in names} == {CLEAN}


def test_a_patch_does_not_spoil_a_report_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.ptx").write_text(WRONG.replace("ret;", "ret"), "utf-8")
    command = ["lint", "a.ptx", "--unsafe-fixes", "--output", "concise:out.txt"]
    main([*command, "--output-format", "json"])
    assert json.loads(capsys.readouterr().out)


def test_two_reports_for_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.ptx").write_text(CLEAN, "utf-8")
    assert main(["lint", "a.ptx", "--output", "json:x", "--output", "sarif:x"]) == 2
    assert (
        capsys.readouterr().err
        == "ptx-ls: --output: two reports cannot be written to the same file `x`\n"
    )
    assert not Path("x").exists()
