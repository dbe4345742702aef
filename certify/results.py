"""The results of a whole run: JSON with everything, and a record in the package's data."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from certify.table import Figure, reasons
from certify.tally import Measure
from certify.whole import WholeResult

FILE = Path(__file__).parent.parent / "ptx_ls" / "isa" / "data" / "certified.toml"
_NOTE = "# Written by `./dev certify --record`: what the last whole run found.\n"
_EXAMPLES = 20


def opcode_counts(result: WholeResult) -> dict[str, dict[str, int]]:
    """The counts of each opcode, as they are recorded."""
    counts = {}
    for opcode, found in sorted(result.opcodes.items()):
        gates = result.gates[opcode]
        measures = (found.legal, found.excluded, found.mutations, gates)
        counts[opcode] = {
            "forms": len(found.forms),
            "legal": found.legal.total - found.legal.both_reject,
            "accepted": found.legal.both_accept,
            "excluded": found.excluded.total,
            "mutations": found.mutations.total,
            "cells": gates.total,
            "false_alarms": sum(measure.n_false_alarms for measure in measures),
            "missed": found.mutations.n_misses + gates.n_misses,
            "excused": sum(measure.n_named for measure in measures),
        }
    return counts


def as_json(result: WholeResult, rows: Sequence[Figure], program: Mapping[str, Any]) -> str:
    """Everything about a run, with examples of each disagreement by cause."""
    disagreements = {}
    for opcode, found in sorted(result.opcodes.items()):
        measures = (found.legal, found.excluded, found.mutations, result.gates[opcode])
        disagreements[opcode] = {
            measure.name: _disagreements(measure)
            for measure in measures
            if measure.false_alarms or measure.misses or measure.crashes or measure.named
        }
    content = {
        **program,
        "seconds": round(result.seconds),
        "figures": [
            {"name": row.name, "goal": row.goal, "seen": row.seen, "verdict": row.verdict}
            for row in rows
        ],
        "opcodes": opcode_counts(result),
        "disagreements": {opcode: kinds for opcode, kinds in disagreements.items() if kinds},
        "reference": {measure.name: _disagreements(measure) for measure in result.reference},
        "operands_left": [
            place for found in result.opcodes.values() for place in found.touched.operands_left
        ],
        "short_forms": [
            {"opcode": form.opcode, "form": form.form, "combinations": form.n_combinations,
             "legal": form.n_legal, "accepted": form.n_accepted}
            for found in result.opcodes.values()
            for form in found.forms
            if not form.n_accepted or not form.is_enumerated
        ],
        "invalid_columns": [str(column) for column in result.invalid_columns],
    }  # fmt: skip
    return json.dumps(content, indent=1) + "\n"


def _disagreements(measure: Measure) -> dict[str, Any]:
    def ranked(causes: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        return {
            cause: {"count": len(examples), "examples": list(examples[:_EXAMPLES])}
            for cause, examples in sorted(causes.items(), key=lambda item: -len(item[1]))
        }

    return {
        "false_alarms": ranked(measure.false_alarms),
        "misses": ranked(measure.misses),
        "named": ranked(measure.named),
        "crashes": measure.crashes[:_EXAMPLES],
    }


def read_record(path: Path = FILE) -> dict[str, Any]:
    """The record of the last whole run; empty when there is none."""
    if not path.exists():
        return {}
    with path.open("rb") as file:
        return tomllib.load(file)


def write_record(
    result: WholeResult, rows: Sequence[Figure], program: Mapping[str, Any], path: Path = FILE
) -> None:
    """Writes the record; that of older programs is kept."""
    needed = sorted(reasons(result))
    content = {
        **program,
        "figure": [
            {"name": row.name, "goal": row.goal, "seen": row.seen, "verdict": row.verdict}
            for row in rows
        ],
        "exception": [{"reason": reason} for reason in needed],
        "older": read_record(path).get("older", []),
        "opcode": opcode_counts(result),
    }
    path.write_text(to_toml(content), encoding="utf-8", newline="\n")


def write_older(outcome: Mapping[str, Any], path: Path = FILE) -> None:
    """Puts the outcome of a run with an older ptxas into the record."""
    content = read_record(path)
    others = [entry for entry in content.get("older", []) if entry["program"] != outcome["program"]]
    content["older"] = sorted([*others, dict(outcome)], key=lambda entry: str(entry["program"]))
    path.write_text(to_toml(content), encoding="utf-8", newline="\n")


def to_toml(content: Mapping[str, Any]) -> str:
    """The record as TOML: values, tables in lists, and a table of counts for each opcode."""
    lines = [_NOTE.rstrip()]
    for key, value in content.items():
        if not isinstance(value, list | dict):
            lines.append(f"{key} = {json.dumps(value)}")
    for key in ("figure", "exception", "older"):
        for entry in content.get(key, []):
            lines += ["", f"[[{key}]]"]
            lines += [f"{name} = {json.dumps(value)}" for name, value in entry.items()]
    lines += ["", "[opcode]"]
    for opcode, counts in content.get("opcode", {}).items():
        inner = ", ".join(f"{name} = {count}" for name, count in counts.items())
        lines.append(f"{opcode} = {{ {inner} }}")
    return "\n".join(lines) + "\n"
