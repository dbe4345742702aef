"""Comments that suppress nothing."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.fixes.apply import fix
from ptx_ls.lint.rule_settings import OPTIONAL, RuleSettings
from ptx_ls.source import Severity
from tests.support.lint import check_lint, check_module, module

pytestmark = pytest.mark.excerpts

WIDE = "add.u32 %r1, %rd2, %r3;"
GOOD = "add.u32 %r1, %r2, %r3;"
RULE = "unused-suppression"


def check_removed(before: str, after: str) -> None:
    """Fails unless the fixes turn the body of a kernel into another one."""
    fixed = fix(module(before))
    assert not fixed.refusal
    assert fixed.text == module(after)


def check_count(text: str, expected: int, ignored: Iterable[str] = OPTIONAL) -> None:
    """Fails unless this number of comments of a module is reported."""
    found = lint(Document.read(text), RuleSettings(frozenset(ignored)))
    own = [one for one in found if one.rule == RULE]
    assert len(own) == expected, own
    assert all(one.severity is Severity.INFORMATION for one in own)


def test_on_a_line() -> None:
    check_lint("""
    trap; // ptx-ls: ignore[operand-width] reason
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-suppression: nothing here
    add.u32 %r1, %r2, %rd3; // ptx-ls: ignore[operand-width]
    // ptx-ls: ignore
    ^^^^^^^^^^^^^^^^^ unused-suppression: nothing is reported here
    ret;
    """)


def test_in_a_function_and_a_file() -> None:
    check_module("""
    // ptx-ls: ignore-file[operand-width, operand-kind]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-suppression: `operand-kind` reports
    .version 8.0
    .target sm_90
    .address_size 64
    // ptx-ls: ignore-function[operand-width]
    .entry a()
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<4>;
        add.u32 %r1, %rd2, %r3;
        ret;
    }
    // ptx-ls: ignore-function[operand-width]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-suppression: nothing in this function
    .entry b()
    {
        // ptx-ls: ignore-function
        ^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-suppression: nothing is reported in this function
        ret;
    }
    // ptx-ls: ignore-function
    ^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-suppression
    """)


def test_ranges() -> None:
    check_lint("""
    // ptx-ls: ignore-end
    ^^^^^^^^^^^^^^^^^^^^^ unused-suppression: `ignore-end` without `ignore-start`
    // ptx-ls: ignore-start[operand-width]
    add.u32 %r1, %rd2, %r3;
    // ptx-ls: ignore-end[operand-width]
    // ptx-ls: ignore-start[operand-width]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-suppression: nothing in this range
    // ptx-ls: ignore-end[operand-width, operand-kind]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-suppression: `operand-kind`
    // ptx-ls: ignore-start
    add.u32 %r1, %rd2, %r3;
    """)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{GOOD} // ptx-ls: ignore", GOOD),
        (f"{GOOD} // note // ptx-ls: ignore[operand-width]", f"{GOOD} // note"),
        (f"{GOOD}\t/* ptx-ls: ignore */ ret;", f"{GOOD} ret;"),
        ("add.u32/* ptx-ls: ignore */%r1, %r2, %r3;", "add.u32 %r1, %r2, %r3;"),
        (f"/* ptx-ls: ignore */ {GOOD}", GOOD),
        (f"  // ptx-ls: ignore[operand-width] why\n{GOOD}", GOOD),
        (f"{WIDE} // ptx-ls: ignore[operand-kind,operand-width] why", None),
        (f"{WIDE} // ptx-ls: ignore[operand-kind] // ptx-ls: ignore[operand-width]", None),
        (f"// ptx-ls: ignore-start\n{GOOD}\n// ptx-ls: ignore-end\n", f"{GOOD}\n"),
    ],
)
def test_the_fix(before: str, after: str | None) -> None:
    kept = f"{WIDE} // ptx-ls: ignore[operand-width]{' why' if 'why' in before else ''}"
    check_removed(before, kept if after is None else after)


def test_a_rule_that_is_off() -> None:
    text = module(f"{GOOD} // ptx-ls: ignore[operand-width]\n// ptx-ls: ignore\n{GOOD}")
    check_count(text, 2)
    check_count(text, 1, OPTIONAL | {"operand-kind"})
    check_count(text, 0, OPTIONAL | {"operand-width"})
    check_count(text, 0, OPTIONAL | {RULE})


def test_what_an_error_may_hide() -> None:
    check_count(module("add.u32 %r1, %r2 %r3; // ptx-ls: ignore[operand-width]"), 0)
    check_count(module("bad.u32 %r1; // ptx-ls: ignore[operand-width]"), 0)
    check_count(module("bad.u32 %r1; // ptx-ls: ignore[operand-width, unknown-opcode]"), 1)
    check_count(module(f"bad.u32 %r1;\n{GOOD} // ptx-ls: ignore[operand-width]"), 1)
    for form in ("ignore-function", "ignore-file", "ignore-start"):
        comment = f"// ptx-ls: {form}[operand-width]\n"
        check_count(module(f"{comment}add.u32 %r1, %r2 %r3;"), 0)
        check_count(module(f"{comment}bad.u32 %r1;"), 1)


def test_what_follows_from_an_error_elsewhere() -> None:
    use = "mov.u32 %r1, %x; // ptx-ls: ignore[undeclared-register]\n"
    check_count(module(f".reg .b32 %x;\n{use}"), 1)
    check_count(module(f"reg .b32 %x;\n{use}"), 0)
    check_count(f"// ptx-ls: ignore-file[undeclared-register]\n{module(f'reg .b32 %x;{use}')}", 0)


def test_the_rule_is_suppressed_only_by_its_name() -> None:
    used = f"{GOOD} // ptx-ls: ignore[operand-width] // ptx-ls: ignore[{RULE}]"
    check_count(module(used), 0)
    check_count(module(f"// ptx-ls: ignore-function\n{WIDE}\n{GOOD} // ptx-ls: ignore"), 1)


def test_other_comments_on_the_line_are_kept() -> None:
    check_removed(f"{GOOD} // ptx-ls: ignore why // note", f"{GOOD} // note")
    check_removed("    // ptx-ls: ignore // note", "// note")
    both = "// ptx-ls: ignore[operand-width] // one // ptx-ls: ignore[operand-kind] // two"
    check_removed(f"{GOOD} {both}", f"{GOOD} // one // two")
