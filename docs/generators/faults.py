"""Makes docs/faults.md from the faults that `tests/cli/faults` tries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from docs.folders import DOCS
from docs.generators.unwrapping import unwrapped
from tests.cli.faults import contents, incidents, paths, surroundings
from tests.cli.faults.table import FAULTS, INCIDENTS, SECTIONS

if TYPE_CHECKING:
    from tests.cli.faults.table import Fault, Outcome

PAGE: Final = DOCS / "faults.md"
SOURCES: Final = (paths, contents, surroundings, incidents)
"""The modules that fill the table, in the order of the page."""
_NOTE: Final = "<!-- Written by `./dev docs` from tests/cli/faults; change it there. -->\n"
_TEXT: Final = """\
# Faults

Wrong input, a full disk or a killed process never destroys a file.
This page shows the exit status and the message of `lint`, `lint --fix` and `format` for each fault.
Tests check every row on Linux, with a second, valid file in the same run.

- ptx-ls reports a fault in one line on standard error, never as a traceback.
- ptx-ls still processes the other files of the run, unless the table says that the run ends.
- A file is changed only if its row says `written`. Its mode and its links are kept, and no
  temporary file remains.
- The exit status of a run is the highest status of any file: 0 for no findings, 1 for findings,
  2 for a fault, 3 for a bug in ptx-ls.
"""
_MAX_LENGTH: Final = 120
"""The length from which a message is shortened."""


def page() -> str:
    """Returns the page."""
    parts = [_NOTE, unwrapped(_TEXT)]
    for section in SECTIONS:
        head = "| fault | command | status, and message or effect |\n| --- | --- | --- |"
        parts.append(f"## {section}\n\n{head}")
        parts += [row for each in FAULTS if each.section == section for row in _rows(each)]
        parts.append("")
    parts.append("## During a run\n\n| fault | result |\n| --- | --- |")
    parts += [f"| {each.about} | {each.result} |" for each in INCIDENTS]
    return "\n".join(parts) + "\n"


def _rows(fault: Fault) -> list[str]:
    """Returns a row for each group of commands with the same result."""
    commands: dict[Outcome, list[str]] = {}
    for command, outcome in fault.outcomes.items():
        commands.setdefault(outcome, []).append(f"`{command}`")
    rows = []
    for number, (outcome, names) in enumerate(commands.items()):
        about = "" if number else fault.about
        rows.append(f"| {about} | {', '.join(names)} | {_result(outcome)} |")
    return rows


def _result(outcome: Outcome) -> str:
    message = outcome.message.replace("{folder}/", "")
    if len(message) > _MAX_LENGTH:
        message = f"{message[:20]}…{message[-20:]}"
    parts = [str(outcome.status)]
    if message:
        ticks = "``" if "`" in message else "`"
        parts.append(f"{ticks}{message}{ticks}")
    if outcome.is_written:
        parts.append("written")
    if outcome.note:
        parts.append(outcome.note)
    ending = "; the run ends" if outcome.status and outcome.ends_run else ""
    return ", ".join(parts) + ending
