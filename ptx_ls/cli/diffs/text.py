"""The differences of two files as text, in the manner of a unified diff."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console
from ptx_ls.cli.diffs.report import description, full_name, summary
from ptx_ls.comparison.hunks import hunks, is_label
from ptx_ls.comparison.result import ChangeKind
from ptx_ls.source.english import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ptx_ls.cli.diffs.report import FileDifference
    from ptx_ls.comparison.hunks import DiffHunk
    from ptx_ls.comparison.result import DiffRow, FactChange, FunctionDifference

    Paint = Callable[[str, str], str]

_PLAIN: Final = "\x1b[0m"
_BOLD: Final = "\x1b[1m"
_CYAN: Final = "\x1b[36m"
_COLOURS: Final = {"-": "\x1b[31m", "+": "\x1b[32m", "<": "\x1b[35m", ">": "\x1b[35m"}
_NONE: Final = "none"


def difference_text(
    found: FileDifference, n_context: int, *, has_colour: bool, is_summary: bool = False
) -> str:
    """Returns the differences, with `n_context` equal statements around each.

    `is_summary`: whether to leave out the statements.
    """
    paint = _painted if has_colour else _unpainted
    lines = [*_head(found, paint)]
    if not found.is_same:
        lines += _facts(found.facts, "  ")
        lines += _alone(found, paint)
        for function in found.differing:
            if function.kind is ChangeKind.CHANGED:
                lines += [*([] if is_summary else [""]), *_function(function, paint)]
                if not is_summary:
                    for hunk in hunks(function.rows, n_context):
                        lines += _hunk(hunk, paint)
    return "".join(f"{line}\n" for line in lines)


def _painted(text: str, colour: str) -> str:
    return f"{colour}{text}{_PLAIN}"


def _unpainted(text: str, colour: str) -> str:  # noqa: ARG001  in place of `_painted`
    return text


def _head(found: FileDifference, paint: Paint) -> Iterator[str]:
    old, new = (console.escaped(path) for path in (found.old, found.new))
    if found.is_same:
        yield f"{old} and {new} are {summary(found)}"
        return
    yield paint(f"--- {old}", _BOLD)
    yield paint(f"+++ {new}", _BOLD)
    yield console.escaped(summary(found))


def _facts(facts: Sequence[FactChange], indent: str) -> Iterator[str]:
    for fact in facts:
        old, new = (console.escaped(text) or _NONE for text in (fact.old, fact.new))
        yield f"{indent}{console.escaped(fact.name)}: {old} -> {new}"


def _alone(found: FileDifference, paint: Paint) -> Iterator[str]:
    """Yields a line for each function that only one of the files has."""
    for kind, sign in ((ChangeKind.REMOVED, "-"), (ChangeKind.ADDED, "+")):
        for each in found.differing:
            if each.kind is kind:
                name = console.escaped(full_name(each))
                size = counted(len(each.rows), "statement")
                yield paint(f"{sign} {name} ({size})", _COLOURS[sign])


def _function(function: FunctionDifference, paint: Paint) -> Iterator[str]:
    yield paint(f"{console.escaped(full_name(function))}: {description(function)}", _BOLD)
    if function.remark:
        yield f"  {function.remark}"
    yield from _facts(function.facts, "  ")


def _hunk(hunk: DiffHunk, paint: Paint) -> Iterator[str]:
    old = "" if hunk.old_line is None else f" -{hunk.old_line + 1}"
    new = "" if hunk.new_line is None else f" +{hunk.new_line + 1}"
    label = f" {hunk.label}" if hunk.label else ""
    yield paint(f"@@{old}{new} @@{console.escaped(label)}", _CYAN)
    for is_same, run in groupby(hunk.rows, lambda row: row.kind is ChangeKind.SAME):
        rows = list(run)
        if is_same:
            yield from (f"  {_indented(row.new)}" for row in rows)
        elif all(row.kind is ChangeKind.CHANGED for row in rows):
            for row in rows:
                yield from (*_old(row, paint), *_new(row, paint))
        else:
            for side in (_old, _new):
                for row in rows:
                    yield from side(row, paint)


def _old(row: DiffRow, paint: Paint) -> Iterator[str]:
    if row.old:
        sign = "<" if row.kind is ChangeKind.MOVED else "-"
        yield paint(f"{sign} {_indented(row.old)}{_moved(row, 'to')}", _COLOURS[sign])


def _new(row: DiffRow, paint: Paint) -> Iterator[str]:
    if row.new:
        sign = ">" if row.kind is ChangeKind.MOVED else "+"
        yield paint(f"{sign} {_indented(row.new)}{_moved(row, 'from')}", _COLOURS[sign])


def _indented(text: str) -> str:
    return console.escaped(text if is_label(text) else f"  {text}")


def _moved(row: DiffRow, preposition: str) -> str:
    if row.other_line is None:
        return ""
    return f"  // moved {preposition} line {row.other_line + 1}"
