"""The SARIF report: valid by its schema, within the limits of services, stable when lines move."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ptx_ls.cli.main import main
from ptx_ls.cli.reports import sarif
from ptx_ls.cli.reports.choice import Destination, OutputFormat
from ptx_ls.cli.reports.report import Totals
from ptx_ls.cli.reports.writing import ReportWriter
from tests.support.schemas import public_schema

HEADER = ".version 8.5\n.target sm_90\n.address_size 64\n"
KERNEL = ".entry k() {\n\t.reg .b32 %r<9>;\n\tadd.lo.s32 %r1, %r2, %r3;\nL1:\nL1:\n\tret;\n}\n"


def check_sarif(folder: Path, text: str, name: str = "a.ptx") -> dict[str, Any]:
    """Checks that the report on a text is valid; returns its only run."""
    (folder / name).write_text(text, "utf-8")
    path = folder / "out.sarif"
    main(["lint", str(folder / name), "--output", f"sarif:{path}", "-q"])
    report = json.loads(path.read_text("utf-8"))
    jsonschema.validate(report, public_schema(sarif.SCHEMA))
    (run,) = report["runs"]
    assert isinstance(run, dict)
    return run


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_results(tmp_path: Path) -> None:
    run = check_sarif(tmp_path, HEADER + KERNEL)
    first, second = run["results"]
    assert first["ruleId"] == "unknown-modifier"
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == "unknown-modifier"
    (location,) = first["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "a.ptx"
    assert location["physicalLocation"]["region"] == {
        "startLine": 6,
        "startColumn": 5,
        "endLine": 6,
        "endColumn": 8,
    }
    assert location["logicalLocations"] == [{"name": "k", "kind": "function"}]
    assert first["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]
    assert [it["message"]["text"] for it in second["relatedLocations"]] == [
        "`L1` is first declared here"
    ]
    assert run["invocations"][0]["executionSuccessful"]


def test_no_results(tmp_path: Path) -> None:
    assert check_sarif(tmp_path, HEADER + ".entry k() { ret; }\n")["results"] == []


def test_a_file_outside_of_the_folder_and_a_name_with_a_blank(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    run = check_sarif(tmp_path, HEADER + KERNEL, "sub/a b.ptx")
    artifact = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "sub/a%20b.ptx", "uriBaseId": "%SRCROOT%"}
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"] == f"{tmp_path.as_uri()}/"


def test_alike_diagnostics_of_a_function_are_one_result(tmp_path: Path) -> None:
    wrong = "".join(f"\tadd.lo.s32 %r{n}, %r2, %r3;\n" for n in range(1, 8))
    kernel = f".entry {{}}() {{{{\n\t.reg .b32 %r<9>;\n{wrong}\tret;\n}}}}\n"
    run = check_sarif(tmp_path, HEADER + kernel.format("k") + kernel.format("m"))
    assert [it["message"]["text"].partition(" (")[2] for it in run["results"]] == [
        "7 like this in `k`)",
        "7 like this in `m`)",
    ]
    assert [len(it["relatedLocations"]) for it in run["results"]] == [6, 6]


def fingerprints(run: dict[str, Any]) -> list[object]:
    return [it["partialFingerprints"] for it in run["results"]]


def test_fingerprints_survive_when_lines_move(tmp_path: Path) -> None:
    before = fingerprints(check_sarif(tmp_path, HEADER + KERNEL))
    moved = KERNEL.replace("\tadd", "\n\n// a comment\n  add").replace(", %r2", ",  %r4")
    assert fingerprints(check_sarif(tmp_path, HEADER + "\n" + moved)) == before
    renamed = KERNEL.replace("k()", "other()")
    assert not {*map(str, fingerprints(check_sarif(tmp_path, HEADER + renamed)))} & {
        *map(str, before)
    }


def test_a_file_that_cannot_be_read_is_a_notification(tmp_path: Path) -> None:
    run = check_sarif(tmp_path, "\0")
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"]
    (note,) = invocation["toolExecutionNotifications"]
    assert note["message"]["text"].startswith("a binary file")


def test_braces_in_messages_are_no_placeholders(tmp_path: Path) -> None:
    wrong = ".entry k() {\n\t.reg .b32 %r<9>;\n\tmov.b64 {%r1, %r2}, {%r3, %r4};\n\tret;\n}\n"
    first, *_ = check_sarif(tmp_path, HEADER + wrong)["results"]
    text = first["message"]["text"]
    assert "{" in text
    assert text.replace("{{", "").replace("}}", "").count("{") == 0


def test_brackets_in_messages_are_no_links(tmp_path: Path) -> None:
    run = check_sarif(tmp_path, HEADER + ".entry k() {\n\tld.[a](b) ;\n}\n")
    texts = [it["message"]["text"] for it in run["results"]]
    assert not [text for text in texts if "](" in text.replace("\\](", "")]


def test_results_beyond_the_limit_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "out.sarif"
    writer = ReportWriter(Destination(OutputFormat.SARIF, path=str(path)))
    writer.begin()
    element = json.dumps({"message": {"text": "m"}})
    for _ in range(6):
        writer.add([element] * 5_000)
    writer.end(Totals())
    report = json.loads(path.read_text("utf-8"))
    jsonschema.validate({**report, "runs": []}, public_schema(sarif.SCHEMA))
    (run,) = report["runs"]
    assert len(run["results"]) == 25_000
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"].startswith("5000 results left out")
