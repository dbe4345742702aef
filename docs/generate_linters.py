"""Makes docs/linters.md: what ptx-ls and five linters do for a pipeline, from docs/linters.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from docs.command_line import commands

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT: Final = Path(__file__).resolve().parent.parent
DATA: Final = ROOT / "docs" / "linters.toml"
PAGE: Final = ROOT / "docs" / "linters.md"
_NOTE: Final = "<!-- Written by `./dev docs` from docs/linters.toml; change it there. -->\n"
_TEXT: Final = """\
# Linters compared

These linters are made for other languages, and are among the best for their users. The column of
ptx-ls names the command, the option or the page. The others were run in these versions: {versions}.
"yes" means that a linter does it, not how well; an empty field means that it does not.
"""


@dataclass(frozen=True, slots=True)
class LinterFeature:
    """A row: what linters do, and which.

    Attributes:
        group: the heading above it.
        name: what it is.
        ours: what shows that ptx-ls does it: `lint --fix`, `lint --output-format=json`, or a path.
        source: how it was found out about the others.
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
        return "yes" if linter in self.yes else self.partly.get(linter, "")


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
    parts = [_NOTE, _TEXT.format(versions=tried)]
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
        "How we know:",
        "",
        *(f"- {row.name}: {row.source}." for row in rows),
    ]
    return "\n".join(lines) + "\n"


def _own(ours: str) -> str:
    """Returns a link to the page on what shows it; "" if ptx-ls does not have it."""
    if not has(ours):
        return ""
    if _is_file(ours):
        place = ours.removeprefix("docs/") if ours.startswith("docs/") else f"../{ours}"
        return f"[{Path(ours).name}]({place})"
    return f"[`{ours}`](cli.md#{ours.partition(' ')[0]})"


def _is_file(ours: str) -> bool:
    return "." in ours or "/" in ours or ours[:1].isupper()


def _data() -> dict[str, Any]:
    return tomllib.loads(DATA.read_text("utf-8"))
