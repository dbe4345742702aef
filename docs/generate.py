"""Makes what is generated: pages of docs/, the table of the grammar, what editors repeat."""

from __future__ import annotations

from pathlib import Path

from certify import page as certification
from docs import generate_cli as cli
from docs import generate_completions as completions
from docs import generate_configuration as configuration
from docs import generate_editors as editors
from docs import generate_extension as extension
from docs import generate_facts as facts
from docs import generate_faults as faults
from docs import generate_features as features
from docs import generate_followers as followers
from docs import generate_grammar as grammar
from docs import generate_initialize as initialize
from docs import generate_linters as linters
from docs import generate_man as man
from docs import generate_rule_index as rule_index
from docs import generate_side_by_side as side_by_side
from docs import generate_textmate as textmate
from docs.generate_isa import isa_pages
from docs.generate_protocols import protocol_pages
from docs.rule_fixes import fix_of
from docs.unwrapping import unwrapped
from ptx_ls import lint
from ptx_ls.lint import rule as registry
from ptx_ls.semantics.symbols.compiler_output import MAX_HANDWRITTEN_LINES

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "docs" / "rules"
ISA = ROOT / "docs" / "isa"
PROTOCOLS = ROOT / "docs" / "protocols"
_NOTE = "<!-- Written by `./dev docs` from ptx_ls/lint/rules; change it there. -->\n"


def pages() -> dict[Path, str]:
    """Every generated page by its path."""
    made = {RULES / f"{rule.name}.md": page(rule) for rule in registry.rules().values()}
    made[RULES / "README.md"] = table()
    made[certification.PATH] = unwrapped(certification.current())
    made[side_by_side.PAGE] = side_by_side.page()
    made[cli.PAGE] = cli.page()
    made[linters.PAGE] = linters.page()
    made[man.PAGE] = man.page()
    made[features.PAGE] = features.page()
    made[followers.TABLE] = followers.table()
    made[grammar.PATH] = grammar.table()
    made[initialize.PATH] = initialize.table()
    made[rule_index.PATH] = rule_index.index()
    made[facts.PATH] = facts.page()
    made[faults.PAGE] = faults.page()
    made[configuration.PAGE] = configuration.page()
    made[configuration.SCHEMA] = configuration.schema_text()
    made[extension.PATH] = extension.manifest()
    made |= completions.files() | textmate.grammars() | editors.files()
    return made | isa_pages(ISA) | protocol_pages(PROTOCOLS)


def page(rule: lint.Rule) -> str:
    """The page of a rule: its docstring below its name and severity."""
    return f"{_NOTE}\n# {rule.name}\n\nSeverity: {rule.described_severity}\n\n{rule.doc.rstrip()}\n"


def table() -> str:
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
        "Some rules are less severe, or off, in a module that a compiler wrote, because its author "
        f"cannot change such code. A module of more than {MAX_HANDWRITTEN_LINES:,} lines counts as "
        "one. A rule that the settings name, in `select`, `extend-select` or `severity`, is "
        "reported as in any other module.\n\n"
        "A function with an error is not searched for mistakes in what it computes (groups "
        "`correctness`, `suspicious` and `performance`) until the error is corrected.\n\n"
        "The fix is the most certain one for the example on the rule's page; "
        "[fixes](../fixes.md) explains the words.\n"
    )
    return f"{_NOTE}\n# Rules\n\n{text}\n" + "\n".join([*head, *rows]) + "\n"


def stale() -> list[Path]:
    """Pages that are missing, out of date or superfluous."""
    made = pages()
    wrong = [path for path, text in made.items() if not _is_current(path, text)]
    present = [path for folder in (RULES, ISA, PROTOCOLS) for path in folder.glob("*.md")]
    return sorted(wrong + [path for path in present if path not in made])


def write() -> list[Path]:
    """Brings the pages up to date; returns those that changed."""
    made, changed = pages(), stale()
    for folder in (RULES, ISA, PROTOCOLS):
        folder.mkdir(exist_ok=True)
    for path in changed:
        if path in made:
            path.write_text(made[path], "utf-8", newline="\n")
        else:
            path.unlink()
    return changed


def _is_current(path: Path, text: str) -> bool:
    return path.exists() and path.read_text("utf-8") == text
