"""Makes the pages of docs/rules: one for each rule, and a table of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from docs.generators.rule_fixes import fix_of
from ptx_ls.lint import rule as registry
from ptx_ls.semantics.symbols.compiler_output import MAX_HANDWRITTEN_LINES

if TYPE_CHECKING:
    from pathlib import Path

    from ptx_ls.lint.rule import Rule

_NOTE: Final = "<!-- Written by `./dev docs` from ptx_ls/lint/rules; change it there. -->\n"


def rule_pages(folder: Path) -> dict[Path, str]:
    """Every page by its path."""
    made = {folder / f"{rule.name}.md": _page(rule) for rule in registry.rules().values()}
    made[folder / "README.md"] = _table()
    return made


def _page(rule: Rule) -> str:
    """The page of a rule: its docstring below its name and severity."""
    return f"{_NOTE}\n# {rule.name}\n\nSeverity: {rule.described_severity}\n\n{rule.doc.rstrip()}\n"


def _table() -> str:
    """All rules with severity and summary."""
    rows = [
        f"| [{rule.name}]({rule.name}.md) | {rule.group} | {rule.severity.value}"
        f" | {rule.severity_in_compiler_output} | {fix_of(rule)} | {rule.summary} |"
        for rule in registry.rules().values()
    ]
    head = ["| rule | group | severity | in compiler output | fix | |", "|---|---|---|---|---|---|"]
    text = (
        "An error is something that ptxas rejects. A mistake that ptxas accepts is at most a "
        "warning, even where the manual forbids it.\n\n"
        "Some rules are less severe, or off, in compiler output, because the author of the program "
        "cannot change the code that a compiler generates. A module of more than "
        f"{MAX_HANDWRITTEN_LINES:,} lines counts as compiler output. A rule that the settings name "
        "in `select`, `extend-select` or `severity` has the same severity in compiler output as in "
        "any other module.\n\n"
        "If a function has an error, the rules about its computations (groups `correctness`, "
        "`suspicious` and `performance`) report nothing in it until the error is corrected.\n\n"
        "The column *fix* says how certain the best fix is for the example on the rule's page; "
        "[fixes](../fixes.md) explains the words.\n"
    )
    return f"{_NOTE}\n# Rules\n\n{text}\n" + "\n".join([*head, *rows]) + "\n"
