"""Writes all generated files: pages of docs/, tables of the package, files of editors."""

from __future__ import annotations

from pathlib import Path

from certify import page as certification
from docs.folders import DOCS
from docs.generators import (
    cli,
    completions,
    configuration,
    editors,
    extension,
    facts,
    faults,
    features,
    followers,
    grammar,
    initialize,
    linters,
    man,
    rule_index,
    side_by_side,
    textmate,
)
from docs.generators.isa import isa_pages
from docs.generators.protocols import protocol_pages
from docs.generators.rules import rule_pages
from docs.generators.unwrapping import unwrapped

RULES = DOCS / "rules"
ISA = DOCS / "isa"
PROTOCOLS = DOCS / "protocols"


def pages() -> dict[Path, str]:
    """Every generated file by its path."""
    made = {certification.PATH: unwrapped(certification.current())}
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
    folders = RULES, ISA, PROTOCOLS
    made |= rule_pages(RULES) | isa_pages(ISA) | protocol_pages(PROTOCOLS)
    return {path: unwrapped(it) if path.parent in folders else it for path, it in made.items()}


def stale() -> list[Path]:
    """Generated files that are missing, out of date or superfluous."""
    return _stale(pages())


def write() -> list[Path]:
    """Brings the generated files up to date; returns those that changed."""
    made = pages()
    changed = _stale(made)
    for folder in (RULES, ISA, PROTOCOLS):
        folder.mkdir(exist_ok=True)
    for path in changed:
        if path in made:
            path.write_text(made[path], "utf-8", newline="\n")
        else:
            path.unlink()
    return changed


def _stale(made: dict[Path, str]) -> list[Path]:
    wrong = [path for path, text in made.items() if not _is_current(path, text)]
    present = [path for folder in (RULES, ISA, PROTOCOLS) for path in folder.glob("*.md")]
    return sorted(wrong + [path for path in present if path not in made])


def _is_current(path: Path, text: str) -> bool:
    return path.exists() and path.read_text("utf-8") == text
