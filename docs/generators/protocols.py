"""Makes the pages of docs/protocols: one for each protocol of asynchronous instructions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ptx_ls.protocols.definition import Protocol, ProtocolStep, protocol, protocol_names

_NOTE = "<!-- Written by `./dev docs` from ptx_ls/protocols/data; change it there. -->\n\n"
_ABOUT = """\
These pages describe the instructions that must come before and after asynchronous instructions.
Each page lists the states of an operation, the events that change the state, and the mistakes that
ptx-ls reports in each state.
"""
_AGE = (
    "The age of an operation is the number of groups that were committed after the group of the "
    "operation."
)


def protocol_pages(folder: Path) -> dict[Path, str]:
    """Every page by its path."""
    found = [protocol(name) for name in protocol_names()]
    made = {folder / f"{_file(each.name)}.md": _page(each) for each in found}
    rows = [f"| [{each.title}]({_file(each.name)}.md) | {_rules(each)} |" for each in found]
    table = "\n".join(["| protocol | rules |", "| --- | --- |", *rows])
    made[folder / "README.md"] = f"# Protocols\n\n{_ABOUT}\n{table}\n"
    return {path: _NOTE + text for path, text in made.items()}


def _file(name: str) -> str:
    return name.replace("_", "-")


def _rules(made: Protocol) -> str:
    names = sorted({each.rule for each in made.misuses})
    return ", ".join(f"[{name}](../rules/{name}.md)" for name in names)


def _page(made: Protocol) -> str:
    parts = [
        f"# {made.title}",
        made.about,
        f"```text\n{made.picture}\n```",
        f"Source: {made.source}.",
        "## States",
        _definitions(made.states),
        "## Events",
        _definitions(made.events),
    ]
    if made.steps:
        rows = [_step(each) for each in made.steps]
        parts += ["## Steps", _table(("event", "from", "to"), rows)]
    if any(each.is_counted for each in made.steps):
        parts.append(_AGE)
    rows = [
        (
            each.event,
            ", ".join(sorted(each.states)),
            f"{_sentence(each.why)} See {_link(each.rule)}.",
        )
        for each in made.misuses
    ]
    parts += ["## Misuses", _table(("event", "in", "why"), rows)]
    return "\n\n".join(parts) + "\n"


def _step(step: ProtocolStep) -> tuple[str, str, str]:
    event = step.event
    if step.needs_age:
        event += ", if the age is at least N"
    to = f"{step.to}, and the age increases by 1" if step.is_counted else step.to
    return event, ", ".join(sorted(step.states)), to


def _sentence(clause: str) -> str:
    return f"{clause[0].upper()}{clause[1:]}."


def _link(rule: str) -> str:
    return f"[{rule}](../rules/{rule}.md)"


def _definitions(words: Mapping[str, str]) -> str:
    return "\n".join(f"- **{name}**: {meaning}" for name, meaning in words.items())


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
