"""The differences of two files as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ptx_ls.cli import console
from ptx_ls.comparison.result import ChangeKind
from ptx_ls.semantics.demangle import demangled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.cli.diffs.report import FileDifference
    from ptx_ls.comparison.result import DiffRow, FactChange, FunctionDifference


def difference_object(found: FileDifference) -> dict[str, Any]:
    """Returns the differences as an object of JSON; lines are counted from 1."""
    return {
        "old": console.valid_text(found.old),
        "new": console.valid_text(found.new),
        "same": found.is_same,
        "facts": _facts(found.facts),
        "functions": [_function(each) for each in found.functions],
    }


def _facts(facts: Sequence[FactChange]) -> list[dict[str, Any]]:
    return [
        {"name": _text(fact.name), "old": _text(fact.old), "new": _text(fact.new)} for fact in facts
    ]


def _function(function: FunctionDifference) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": _text(function.name),
        "source_name": demangled(function.name),
        "kind": function.kind.value,
    }
    if function.kind is not ChangeKind.SAME:
        found["old_name"] = _text(function.old_name)
        found["facts"] = _facts(function.facts)
        found["counts"] = function.counts._asdict()
        found["statements"] = [
            _row(row) for row in function.rows if row.kind is not ChangeKind.SAME
        ]
    if function.remark:
        found["remark"] = function.remark
    return found


def _row(row: DiffRow) -> dict[str, Any]:
    found = {
        "kind": row.kind.value,
        "old": _text(row.old),
        "new": _text(row.new),
        "old_line": _number(row.old_line),
        "new_line": _number(row.new_line),
    }
    if row.kind is ChangeKind.MOVED:
        found["other_line"] = _number(row.other_line)
    return found


def _text(text: str) -> str | None:
    return console.valid_text(text) if text else None


def _number(line: int | None) -> int | None:
    return None if line is None else line + 1
