"""Writes docs/certification.md from the record of the last whole run and from the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from certify.leniencies import leniencies
from certify.results import read_record
from ptx_ls import isa

PATH = Path(__file__).parent.parent / "docs" / "certification.md"
_NOTE = "<!-- Written by `./dev docs` from ptx_ls/isa/data; change it there, or in certify. -->\n"
_WHAT = """
`./dev certify` compares the data on instructions with ptxas, statement by statement:

- **Legal statements.** Every legal combination of modifiers of every form is tried with different
  operands; if a form has more than 1,000 combinations, a random sample of 1,000 is tried. ptxas
  must accept each statement for a version and a target for which the data accepts it.
- **Excluded combinations.** ptxas must reject the combinations that the rules of a form exclude,
  under twelve pairs of version and target.
- **Single mutations.** One part of an accepted statement is changed: a modifier is removed,
  written twice, moved, replaced or inserted; or an operand is removed, added, exchanged, or
  replaced by one of another kind, type, width or vector size, by another part of an address, or by
  a constant at the edge of its range. Parts that were changed least often are changed first.
- **The grid.** Statements that cover every version and target requirement of every form are tried
  under every version, with every target of this version.
- **Whole modules.** Directives, special registers and pragmas are tried in whole modules.

A *false alarm* is an error that only ptx-ls reports, and a *miss* is an error that only ptxas
reports. A crash of ptxas counts as neither. A *named exception* is a bug in ptxas.

```
./dev certify                         # everything: the table below
./dev certify --json result.json      # also all disagreements with examples
./dev certify --record                # also writes this record and the verdicts of the tests
./dev certify --opcode add --gates    # one opcode in detail
./dev certify --scale 0.1             # a quick look at everything; goals on counts are missed
./dev certify --reference             # directives, special registers and pragmas alone
./dev certify --compare PTXAS         # the recorded verdicts against those of an older ptxas
```
The record is `ptx_ls/isa/data/certified.toml` (`isa.database().certified` in code, counted by
`ptx-ls isa --stats`). `certify/exceptions.toml` names the exceptions, and `certify/older.toml`
explains the differences between versions of ptxas.

The wheels `nvidia-cuda-nvcc-cu12` and `nvidia-cuda-nvcc-cu11` contain older versions of ptxas. To
use one, install it into a separate directory
(`pip install --target DIRECTORY nvidia-cuda-nvcc-cu12==12.9.86`), and pass the path of its
`nvidia/cuda_nvcc/bin/ptxas`.
"""
_LENIENT = """
ptxas accepts the following, although the manual does not. ptx-ls reports each case as a warning or
a hint, never as an error.
"""
_OLDER = """
This section compares the recorded verdicts with the verdicts of an older ptxas, under versions and
targets that the older ptxas supports. A *version fact* is a difference that the data explains: the
manual requires a newer version or another target, but the newer ptxas does not.
"""
_COUNTS = (
    ("legal", "legal"), ("accepted", "accepted"), ("excluded", "excluded"),
    ("mutations", "mutations"), ("cells", "cells of the grid"), ("false_alarms", "false alarms"),
    ("missed", "misses"),
)  # fmt: skip


def page(database: isa.Database, record: Mapping[str, Any]) -> str:
    """The whole page."""
    parts = [_NOTE, "# Certification", _WHAT]
    if record:
        parts += ["## Result", _result(record), "## By opcode", _opcodes(record["opcode"])]
        parts += ["## Older versions of ptxas", _older(record.get("older", []))]
    parts += ["## Where ptxas is more lenient than the manual", _LENIENT, leniencies(database)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def current() -> str:
    """The page as it has to be now."""
    return page(isa.database(), read_record())


def _result(record: Mapping[str, Any]) -> str:
    rows = [
        (row["name"], row["goal"], row["seen"], row["verdict"]) for row in record.get("figure", [])
    ]
    table = _table(("figure", "goal", "measured", "verdict"), rows)
    named = [f"- {exception['reason']}" for exception in record.get("exception", [])]
    excused = ["Named exceptions:", "", *named] if named else ["No exception had to be named."]
    head = f"ptxas {record['ptxas']}, seed {record['seed']}."
    return "\n".join([head, "", table, "", *excused])


def _opcodes(counts: Mapping[str, Mapping[str, int]]) -> str:
    rows = [
        (f"`{opcode}`", *(f"{own.get(key, 0):,}" for key, _ in _COUNTS))
        for opcode, own in sorted(counts.items())
    ]
    return _table(("opcode", *(title for _, title in _COUNTS)), rows)


def _older(entries: Sequence[Mapping[str, Any]]) -> str:
    if not entries:
        return "None was compared."
    text = [_OLDER]
    for entry in entries:
        counts = (
            f"Of {entry['compared']:,} compared statements, {entry['agreed']:,} have the same "
            f"verdict. {entry['version_facts']:,} differences are version facts, "
            f"{entry['explained']:,} are explained below, and {entry['unexplained']:,} are "
            "unexplained"
        )
        text.append(f"### ptxas {entry['program']}\n\n{counts}.")
        text.append("\n".join(f"- {reason}" for reason in entry["reasons"]))
    return "\n\n".join(part.strip("\n") for part in text if part)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
