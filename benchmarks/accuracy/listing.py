"""Lists of what is wrong, in rows to read and as JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from benchmarks.accuracy.comparison import Outcome
from ptx_ls.source import Range

_WIDEST = 60
_MOST = 4
"""Maximum number of errors listed of a mutant."""


def complaints(outcome: Outcome) -> list[str]:
    """Returns what is wrong with an outcome, the worst first."""
    if outcome.crash:
        return ["crash"]
    if not outcome.verdict.is_known:
        return []
    is_off_line = outcome.is_found and not outcome.is_on_line
    is_off_range = outcome.is_found and outcome.is_local and not outcome.is_in_range
    wrong = {
        "false": outcome.is_false,
        "missed": outcome.is_missed,
        "line": is_off_line,
        "range": is_off_range and not is_off_line,
        "many": outcome.is_many,
    }
    return [kind for kind, is_so in wrong.items() if is_so]


def listed(outcomes: Iterable[Outcome], kinds: Sequence[str]) -> Iterator[str]:
    """Yields a row for each complaint of these kinds, in groups of similar ones, largest first."""
    rows: list[tuple[str, str, str]] = []
    for outcome in outcomes:
        rows += [
            (kind, _cause(outcome), _row(outcome, n_told=_MOST if kind == "many" else 1))
            for kind in complaints(outcome)
            if kind in kinds
        ]
    counts = Counter((kind, cause) for kind, cause, _ in rows)
    rows.sort(key=lambda row: (kinds.index(row[0]), -counts[row[:2]], row))
    before = None
    for kind, cause, row in rows:
        if (kind, cause) != before:
            before = kind, cause
            yield f"{kind}: {counts[before]} x {cause}"
        yield f"    {row}"


def by_operator(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yields a row for each operator: how many mutants, rejected ones, and of each complaint."""
    table: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        row = table.setdefault(outcome.mutant.operator, Counter())
        row["all"] += 1
        row["rejected"] += not outcome.verdict.accepts
        row.update(complaints(outcome))
    names = ("all", "rejected", "false", "missed", "line", "range", "many")
    yield f"{'operator':26}" + "".join(f"{name:>10}" for name in names)
    for operator, row in sorted(table.items()):
        yield f"{operator:26}" + "".join(f"{row[name]:>10}" for name in names)


def as_json(outcome: Outcome) -> dict[str, Any]:
    """Returns everything about an outcome except the text of the module."""
    mutant, verdict = outcome.mutant, outcome.verdict
    return {
        "base": mutant.base,
        "operator": mutant.operator,
        "before": mutant.before,
        "after": mutant.after,
        "changed": _numbers(mutant.changed),
        "accepted": verdict.accepts,
        "lines": list(verdict.lines),
        "complaints": complaints(outcome),
        "errors": [
            {"rule": it.rule, "range": _numbers(it.range), "message": it.message}
            for it in outcome.errors
        ],
    }


def _numbers(place: Range) -> list[int]:
    return [place.start.line, place.start.column, place.end.line, place.end.column]


def _cause(outcome: Outcome) -> str:
    """Returns what similar complaints have in common: the message without its names."""
    if outcome.crash:
        return outcome.crash
    errors = outcome.errors
    text = f"{errors[0].rule}: {errors[0].message}" if errors else outcome.verdict.message
    return re.sub(r"`[^`]*`|'[^']*'|\d+", "_", text)


def _row(outcome: Outcome, n_told: int) -> str:
    mutant = outcome.mutant
    lines = mutant.text.split("\n")
    at = mutant.changed.start.line
    ours = "".join(
        f" ours {it.range.start.line + 1}:{it.range.start.column + 1}-{it.range.end.column + 1}"
        f" {it.message}"
        for it in outcome.errors[:n_told]
    )
    edit = f"{_short(mutant.before)!r} -> {_short(mutant.after)!r}"
    where = f"{at + 1}:{mutant.changed.start.column + 1}"
    theirs = f"ptxas {list(outcome.verdict.lines[:2])}" if not outcome.verdict.accepts else ""
    code = lines[at].strip()[:120] if at < len(lines) else ""
    return f"{mutant.base} {mutant.operator} {where} {edit} | {code} | {theirs}{ours}"


def _short(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}..."
