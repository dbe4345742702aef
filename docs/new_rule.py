"""`./dev new-rule NAME --group GROUP` writes a rule that works, with its test, as a start."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from string import Template
from typing import Final

from docs.folders import ROOT
from docs.generators import rule_index

RULES: Final = Path("ptx_ls", "lint", "rules")
_IS_NAME: Final = re.compile(r"[a-z]+(-[a-z]+)*").fullmatch
_RULE: Final = Template('''"""The rule $name.

Source: PTX ISA, "Miscellaneous Instructions: brkpt".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ptx_ls.lint.rule import (
    CheckInput,
    Finding,
    Instructions,
    Repair,
    RuleContext,
    SpanEdit,
    rule,
)
from ptx_ls.semantics.calls.call_sites import statements_with
from ptx_ls.source import Applicability, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition


class $class_name(NamedTuple):
    """An instruction that the rule reports."""

    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[$class_name]:
    """The instructions of a function that the rule reports; places count from its start."""
    for found in statements_with(seen.text, frozenset({"brkpt"})):
        yield $class_name(found.start, found.end)


@rule(
    "$name",
    on=$class_name,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("brkpt"),
)
def $function(mismatch: $class_name, _: RuleContext) -> Finding:
    """Reports breakpoints.

    ## Why is this bad?
    A kernel stops at a breakpoint, and without a debugger it ends there.

    ## Example
    ```ptx
    brkpt;
    ```

    Use instead:
    ```ptx
    trap;
    ```
    """
    edit = SpanEdit(mismatch.start, mismatch.end, "")
    repair = Repair("Remove the breakpoint", (edit,), Applicability.GUESS)
    return Finding("a kernel stops at `brkpt`", repairs=(repair,))
''')
_TEST: Final = Template('''from tests.support.lint import check_lint


def test_reported() -> None:
    check_lint("""
    brkpt;
//  ^^^^^^ $name: a kernel stops at `brkpt`
    """)


def test_quiet() -> None:
    check_lint("trap;")
''')


class NewRuleError(Exception):
    """The rule cannot be written; the message tells why."""


def write(root: Path, name: str, group: str) -> list[Path]:
    """Writes the module of a rule and its test below `root`; returns their paths.

    Raises NewRuleError if the name or the group is wrong, or a file exists.
    """
    if _IS_NAME(name) is None:
        raise NewRuleError(f"{name!r}: a rule is named in lower-case words, such as unused-label")
    if not (root / RULES / group).is_dir():
        groups = sorted(each.parent.name for each in (root / RULES).glob("*/__init__.py"))
        raise NewRuleError(f"no group {group!r}; there are {', '.join(groups)}")
    function = name.replace("-", "_")
    words = {
        "name": name,
        "function": function,
        "class_name": "".join(word.capitalize() for word in name.split("-")),
    }
    texts = {
        root / RULES / group / f"{function}.py": _RULE.substitute(words),
        root / "tests" / "lint" / "rules" / group / f"test_{function}.py": _TEST.substitute(words),
    }
    for path in texts:
        if path.exists():
            raise NewRuleError(f"{path.relative_to(root).as_posix()} exists already")
    for path, text in texts.items():
        path.write_text(text, "utf-8", newline="\n")
    return list(texts)


def main() -> int:
    """Runs the command; returns 2 if nothing can be written."""
    parser = argparse.ArgumentParser(prog="./dev new-rule", description=__doc__)
    parser.add_argument("name", help="the name of the rule, such as unused-label")
    parser.add_argument("--group", default="instructions", help="the folder of rules it belongs to")
    options = parser.parse_args()
    try:
        paths = write(ROOT, options.name, options.group)
    except NewRuleError as error:
        print(f"./dev new-rule: {error}", file=sys.stderr)
        return 2
    rule_index.PATH.write_text(rule_index.index(), "utf-8", newline="\n")
    for path in (*paths, rule_index.PATH):
        print(f"written: {path.relative_to(ROOT).as_posix()}")
    print("Change the check, its words, the page and the test.")
    print("Run ./dev docs after each change of looks_at, and before ./dev test.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
