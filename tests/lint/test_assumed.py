"""Modules checked against versions and targets other than their own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from certify.reading_errors import reading_errors
from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.assumed import AssumedHeader, lint_assuming
from ptx_ls.lint.rule_settings import DEFAULT_RULES, RuleSettings
from ptx_ls.source import Diagnostic, Severity, separate
from ptx_ls.toolchain import ptxas
from tests.support.assembling import assemble
from tests.support.fixture import assert_diagnostics, parse_fixture

pytestmark = pytest.mark.excerpts

CORPUS = Path(__file__).parent.parent / "corpus"
FILES = sorted(CORPUS.glob("ptx/*.ptx"))[::9]
TARGETS = ("sm_75", "sm_80", "sm_90", "sm_90a", "sm_100a", "sm_100f", "sm_120")
VERSIONS = ((7, 0), (8, 0), (8, 6))
HEADER_VALUE = re.compile(r"(?m)^(\.target\s+)sm_\w+")
VERSION = re.compile(r"(?m)^(\.version\s+)[\d.]+")
MODULE = """\
.version 8.0
.target sm_80
.address_size 64
.entry k()
{
    .reg .b32 %r<3>;
    redux.sync.add.s32 %r1, %r2, -1;
    ret;
}
"""


def found_assuming(
    document: Document, header: AssumedHeader, settings: RuleSettings = DEFAULT_RULES
) -> list[Diagnostic]:
    """Returns the diagnostics of a module, checked against another header."""
    return lint_assuming(document, header, settings).diagnostics


def check_suppressed(text: str, header: AssumedHeader, *expected: tuple[int, str]) -> None:
    """Checks the line and the rule of each diagnostic that a comment suppresses."""
    result = lint_assuming(Document.read(text), header)
    assert sorted((each.row, each.rule) for each in result.suppressed) == [*expected]


def check_assuming(
    marked: str,
    *targets: str,
    version: tuple[int, int] | None = None,
    max_version: tuple[int, int] | None = None,
) -> list[Diagnostic]:
    """Fails unless exactly the marked diagnostics are reported; returns them."""
    fixture = parse_fixture(marked)
    header = AssumedHeader(targets, version, max_version)
    found = found_assuming(Document.read(fixture.text), header)
    assert_diagnostics(fixture, found)
    return found


def rewritten(text: str, target: str, version: tuple[int, int] | None = None) -> str:
    """Returns a text with other values of `.target` and `.version`."""
    text = HEADER_VALUE.sub(rf"\g<1>{target}", text)
    return text if version is None else VERSION.sub(rf"\g<1>{version[0]}.{version[1]}", text)


def summary(found: list[Diagnostic]) -> list[tuple[int, str, Severity, str]]:
    """Returns what does not depend on the columns of the header."""
    return [(it.range.start.line, it.rule, it.severity, it.message) for it in found]


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_same_as_a_text_with_other_values(path: Path) -> None:
    text = path.read_text("utf-8")
    document = Document.read(text)
    for target in TARGETS:
        for version in (None, *VERSIONS):
            other = Document.read(rewritten(text, target, version))
            assumed = found_assuming(document, AssumedHeader((target,), version))
            assert summary(assumed) == summary(lint(other))
            assert all(each.targets == (target,) for each in assumed)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_target_has_what_it_has_alone(path: Path) -> None:
    document = Document.read(path.read_text("utf-8"))
    together = separate(found_assuming(document, AssumedHeader(TARGETS)))
    for target in TARGETS:
        alone = separate(found_assuming(document, AssumedHeader((target,))))
        expected = [(it.range, it.rule) for it in alone]
        assert [(it.range, it.rule) for it in together if target in it.targets] == expected


@pytest.mark.slow
@pytest.mark.ptxas
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_errors_are_those_of_ptxas_for_the_replaced_directive(path: Path, tmp_path: Path) -> None:
    text = path.read_text("utf-8")
    document = Document.read(text)
    for target in TARGETS:
        found = found_assuming(document, AssumedHeader((target,)))
        run = assemble(rewritten(text, target), tmp_path, ptxas.architecture(target))
        assert bool(reading_errors(found)) == any(message.is_error for message in run.messages)


def test_what_only_some_targets_forbid() -> None:
    found = check_assuming(
        MODULE.replace(
            "s32 %r1, %r2, -1;",
            "s32 %r1, %r2, -1;\n//  ^^^^^^^^^^^^^^^^^^ unsupported-target: "
            "but `.target` is sm_70 and sm_75",
        ),
        *("sm_70", "sm_75", "sm_80"),
    )
    assert [each.targets for each in found] == [("sm_70", "sm_75")]


def test_what_all_targets_forbid_is_reported_once() -> None:
    found = check_assuming(
        MODULE.replace("ret;", "rat;\n//  ^^^ unknown-opcode: unknown opcode `rat`"),
        *("sm_80", "sm_90"),
    )
    assert [each.targets for each in found] == [("sm_80", "sm_90")]
    assert "(for" not in found[0].message


def test_other_messages_name_their_targets() -> None:
    check_assuming(
        """
        .version 7.0
        .target sm_80
        //      ^^^^^ unsupported-version: needs PTX ISA 7.8, but `.version` is 7.0 (for sm_90)
        .address_size 64
        """
        + MODULE.partition("64\n")[2],
        *("sm_80", "sm_90"),
    )


def test_columns_after_a_longer_value() -> None:
    check_assuming(
        """
        .version 8.0
        .target sm_80, texmode_independent, texmode_unified
        //                                  ^^^^^^^^^^^^^^^ module-header
        .address_size 64
        """
        + MODULE.partition("64\n")[2],
        *("sm_100a", "sm_120a"),
        version=(8, 8),
    )


def test_options_of_the_target_are_kept() -> None:
    found = found_assuming(
        Document.read(MODULE.replace("sm_80", "sm_80, debug")), AssumedHeader(("sm_90",))
    )
    assert [each.rule for each in found] == ["module-header"]  # `debug` without debug data


def test_a_target_within_a_body_is_replaced_too() -> None:
    text = MODULE.replace("    .reg", "    .target sm_70;\n    .reg").replace("sm_70;", "sm_70")
    assert lint(Document.read(text))
    assert found_assuming(Document.read(text), AssumedHeader(("sm_80",))) == []


def test_a_module_without_a_target() -> None:
    document = Document.read(MODULE.replace(".target sm_80\n", ""))
    found = found_assuming(document, AssumedHeader(("sm_70", "sm_80")))
    assert summary(found) == summary(lint(document))


def test_a_renamed_target() -> None:
    found = found_assuming(Document.read(MODULE), AssumedHeader(("sm_101", "sm_110")))
    assert [(each.rule, each.targets) for each in found] == [
        ("unsupported-version", ("sm_101",)),
        ("unsupported-version", ("sm_110",)),
    ]


def test_a_version_that_is_too_new() -> None:
    check_assuming(
        """
        .version 8.0
        //       ^^^ unknown-version: PTX ISA 8.0 (CUDA 12.0, driver 525) is newer than 7.4
        .target sm_80
        .address_size 64
        .entry k()
        {
            .reg .b32 %r<3>;
            bmsk.clamp.b32 %r1, %r2, 3;
        //  ^^^^^^^^^^^^^^ unsupported-version: needs PTX ISA 7.6 and sm_70 or newer, but `.version`
            redux.sync.add.s32 %r1, %r2, -1;
            ret;
        }
        """,
        max_version=(7, 4),
    )


def test_a_version_that_is_old_enough() -> None:
    check_assuming(MODULE, max_version=(8, 0))
    check_assuming(MODULE, max_version=(9, 0))


def test_a_suppressed_version() -> None:
    text = MODULE.replace(".version 8.0", ".version 8.0 // ptx-ls: ignore[unknown-version]")
    check_assuming(text, max_version=(7, 8))
    header = AssumedHeader(max_version=(7, 8))
    assert (
        found_assuming(Document.read(MODULE), header, RuleSettings(frozenset({"unknown-version"})))
        == []
    )


def test_what_is_suppressed_for_several_targets_counts_once() -> None:
    marked = MODULE.replace(
        ", -1;", ", -1; // ptx-ls: ignore\n    add.u32 %r1, %r2; // ptx-ls: ignore"
    )
    count = (7, "operand-count")
    check_suppressed(marked, AssumedHeader(("sm_80", "sm_90")), count)
    for targets in (("sm_70",), ("sm_70", "sm_75"), ("sm_90", "sm_75")):
        check_suppressed(marked, AssumedHeader(targets), (6, "unsupported-target"), count)
    check_suppressed(marked, AssumedHeader(), count)
    version = marked.replace(".version 8.0", ".version 8.0 // ptx-ls: ignore")
    header = AssumedHeader(("sm_80", "sm_90"), max_version=(7, 8))
    check_suppressed(version, header, (0, "unknown-version"), count)


def test_fixes_do_not_edit_a_replaced_value() -> None:
    document = Document.read(MODULE)
    alone = found_assuming(document, AssumedHeader(("sm_75",)))
    assert [fix.title for each in alone for fix in each.fixes] == []
    own = lint(Document.read(MODULE.replace("sm_80", "sm_75")))
    assert [fix.title for each in own for fix in each.fixes] == ["Raise `.target` to sm_80"]


@pytest.mark.parametrize("text", ["", "\n", ".version", ".target sm_80", ".version 8.0 .target sm"])
def test_broken_headers(text: str) -> None:
    document = Document.read(text)
    found = found_assuming(document, AssumedHeader(("sm_80", "sm_90"), None, (7, 0)))
    lines = len(document.lines)
    assert all(each.range.end.line < lines for each in found)
