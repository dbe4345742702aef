"""Makes docs/linters.md, which compares ptx-ls with five linters, from docs/linters.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from docs.folders import DOCS, ROOT
from docs.generators.command_line import commands
from docs.generators.unwrapping import unwrapped

if TYPE_CHECKING:
    from collections.abc import Mapping

DATA: Final = DOCS / "linters.toml"
PAGE: Final = DOCS / "linters.md"
_HELP: Final = "`--help`"
_NOTE: Final = "<!-- Written by `./dev docs` from docs/linters.toml; change it there. -->\n"
_TEXT: Final = """\
# Linters compared

This page compares ptx-ls with five linters that are among the best for other languages, in these
versions: {versions}. "yes" means only that a linter has the feature, not how good it is. An empty
field means that the linter lacks the feature. The list below each table names the option or page of
ptx-ls, and explains the fields of the other linters. Facts without an explanation are from
`--help`.
"""


@dataclass(frozen=True, slots=True)
class LinterFeature:
    """A row: what linters do, and which.

    Attributes:
        group: the heading above it.
        name: what it is.
        ours: what shows that ptx-ls does it: `lint --fix`, `lint --output-format=json`, or a path.
        source: how it was found out about the others, as a sentence, or `--help` in backquotes.
        yes: the linters that do it.
        partly: the linters that do a part of it, and which.
    """

    group: str
    name: str
    ours: str
    source: str
    yes: tuple[str, ...] = ()
    partly: Mapping[str, str] = field(default_factory=dict)

    def of(self, linter: str) -> str:
        """Returns the text for another linter."""
        if linter in self.yes:
            return "yes"
        return "partly" if linter in self.partly else ""


def features() -> tuple[LinterFeature, ...]:
    """Returns all rows."""
    rows = _data()["feature"]
    return tuple(LinterFeature(**{**row, "yes": tuple(row.get("yes", ()))}) for row in rows)


def versions() -> Mapping[str, str]:
    """Returns the other linters, and the versions that were run."""
    found: Mapping[str, str] = _data()["versions"]
    return found


def has(ours: str) -> bool:
    """Returns whether ptx-ls has an option, a value of an option, a command or a file."""
    if _is_file(ours):
        return (ROOT / ours).exists()
    name, _, rest = ours.partition(" ")
    option, _, choice = rest.partition("=")
    for command in commands():
        if command.name == name:
            return not option or any(
                option in argument.options and (not choice or choice in argument.choices)
                for argument in command.arguments
            )
    return False


def page() -> str:
    """Returns the page."""
    tried = ", ".join(f"{name} {version}" for name, version in versions().items())
    parts = [_NOTE, unwrapped(_TEXT.format(versions=tried))]
    for group, rows in groupby(features(), lambda row: row.group):
        parts.append(f"## {group}\n\n{_table(tuple(rows))}")
    return "\n".join(parts)


def _table(rows: tuple[LinterFeature, ...]) -> str:
    linters = list(versions())
    lines = [
        f"| | ptx-ls | {' | '.join(linters)} |",
        f"| --- | --- |{' --- |' * len(linters)}",
        *(
            f"| {row.name} | {_own(row.ours)} | {' | '.join(row.of(it) for it in linters)} |"
            for row in rows
        ),
        "",
        *(_explained(row) for row in rows),
    ]
    return "\n".join(lines) + "\n"


def _own(ours: str) -> str:
    """Returns "yes" with a link to what shows it; "" if ptx-ls does not have it."""
    return f"[yes]({_place(ours)})" if has(ours) else ""


def _place(ours: str) -> str:
    if not _is_file(ours):
        return f"cli.md#{ours.partition(' ')[0]}"
    return ours.removeprefix("docs/") if ours.startswith("docs/") else f"../{ours}"


def _explained(row: LinterFeature) -> str:
    label = Path(row.ours).name if _is_file(row.ours) else f"`{row.ours}`"
    own = f" In ptx-ls: [{label}]({_place(row.ours)})." if has(row.ours) else ""
    partly = "".join(f" Partly in {linter}: {text}." for linter, text in row.partly.items())
    source = "" if row.source == _HELP else f" {row.source}."
    return f"- **{row.name}.**{own}{partly}{source}"


def _is_file(ours: str) -> bool:
    return "." in ours or "/" in ours or ours[:1].isupper()


def _data() -> dict[str, Any]:
    return tomllib.loads(DATA.read_text("utf-8"))
