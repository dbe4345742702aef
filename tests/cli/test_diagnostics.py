import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.cli.diagnostics import DiagnosticStyle, OutputFormat, rendered
from ptx_ls.lint.rule import rule_url
from ptx_ls.source import Diagnostic, Fix, Offers, Position, Range, Severity, Single

UNKNOWN = Diagnostic(
    Range.on_line(11, 4, 8), "unknown-opcode", Severity.ERROR, "no opcode `addd`; near is `add`"
)


def _offers(found: tuple[Fix, ...]) -> Offers:
    return Offers(lambda: found)


positions = st.builds(Position, st.integers(0, 10**7), st.integers(0, 10**8))
diagnostics = st.builds(
    Diagnostic,
    st.builds(Range, positions, positions),
    st.from_regex(r"[a-z]+(-[a-z]+)*", fullmatch=True),
    st.sampled_from(Severity),
    st.text(),
    singles=st.just(()),
    offers=st.none() | st.builds(tuple, st.lists(st.from_type(Fix))).map(_offers),
)


def check_concise(path: str, diagnostic: Diagnostic, expected: str) -> None:
    style = DiagnosticStyle(OutputFormat.CONCISE)
    assert rendered(path, [], [diagnostic], style) == f"{expected}\n"


def check_json(path: str, found: list[Diagnostic], expected: list[dict[str, object]]) -> None:
    text = rendered(path, [], found, DiagnosticStyle(OutputFormat.JSON))
    assert text.isascii()
    assert json.loads(f"[{text}]") == expected


def test_one_line_for_a_diagnostic() -> None:
    check_concise(
        "d/a.ptx",
        UNKNOWN,
        "d/a.ptx:12:5: error: no opcode `addd`; near is `add` [unknown-opcode]",
    )


def test_it_stays_one_line() -> None:
    check_concise(
        "a\n.ptx",
        Diagnostic(UNKNOWN.range, "syntax-error", Severity.HINT, "unexpected `\r\x1b`"),
        "a\\n.ptx:12:5: hint: unexpected `\\r\\x1b` [syntax-error]",
    )


def test_json_object() -> None:
    check_json(
        "d/a.ptx",
        [UNKNOWN],
        [
            {
                "path": "d/a.ptx",
                "line": 12,
                "column": 5,
                "end_line": 12,
                "end_column": 9,
                "severity": "error",
                "rule": "unknown-opcode",
                "message": "no opcode `addd`; near is `add`",
                "url": rule_url("unknown-opcode"),
                "fixes": [],
            }
        ],
    )


def test_no_json() -> None:
    check_json("a.ptx", [], [])


@pytest.mark.skipif(os.name != "posix", reason="on Windows paths are text")
def test_json_of_a_path_that_is_no_text() -> None:
    text = rendered(os.fsdecode(b"\xff.ptx"), [], [UNKNOWN], DiagnosticStyle(OutputFormat.JSON))
    assert json.loads(text)["path"] == "\\xff.ptx"


@pytest.mark.slow
@given(st.text(), st.lists(diagnostics))
def test_any_diagnostics_come_back_from_json(path: str, found: list[Diagnostic]) -> None:
    check_json(
        path,
        found,
        [
            {
                "path": path,
                "line": each.range.start.line + 1,
                "column": each.range.start.column + 1,
                "end_line": each.range.end.line + 1,
                "end_column": each.range.end.column + 1,
                "severity": each.severity.value,
                "rule": each.rule,
                "message": each.message,
                "url": rule_url(each.rule),
                "fixes": [
                    {"title": fix.title, "applicability": fix.applicability.value}
                    for fix in each.fixes
                ],
            }
            for each in found
        ],
    )


@pytest.mark.parametrize("output_format", [OutputFormat.CONCISE, OutputFormat.JSON])
def test_every_place_is_an_entry_for_machines(output_format: OutputFormat) -> None:
    places = tuple(Single(Range.on_line(line, 4, 8), f"message {line}") for line in (2, 9))
    folded = Diagnostic(
        places[0].range, "unsupported-version", Severity.ERROR, "2 of them", singles=places
    )
    text = rendered("a.ptx", [], [folded, UNKNOWN], DiagnosticStyle(output_format))
    wanted = ["message 2", "message 9", "no opcode"]
    assert [name in line for name, line in zip(wanted, text.splitlines(), strict=True)] == [
        True
    ] * 3


def test_what_is_told_together_stays_together_for_people() -> None:
    places = tuple(Single(Range.on_line(line, 0, 1), "alone") for line in (0, 1))
    folded = Diagnostic(places[0].range, "a-rule", Severity.ERROR, "both", singles=places)
    text = rendered("a.ptx", ["x", "y"], [folded], DiagnosticStyle(OutputFormat.FULL))
    assert "both" in text
    assert "alone" not in text
