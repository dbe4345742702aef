"""Compares two versions of a function."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from ptx_ls.comparison.alignment import aligned
from ptx_ls.comparison.generated_names import without_generated_parts
from ptx_ls.comparison.matching import ONLY_OLD
from ptx_ls.comparison.phrases import rendered
from ptx_ls.comparison.renaming import changed_declarations
from ptx_ls.comparison.result import (
    ChangeKind,
    DiffCounts,
    DiffRow,
    FactChange,
    FunctionDifference,
)
from ptx_ls.source.english import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ptx_ls.comparison.alignment import CodeAlignment, CodeVersion
    from ptx_ls.comparison.code import CodeLine, FunctionCode
    from ptx_ls.comparison.vocabulary import Vocabulary

_MAX_NAMES: Final = 3
"""Maximum number of names with the same changed declaration to list."""


def compared(
    old: CodeVersion, new: CodeVersion, old_name: str, vocabulary: Vocabulary
) -> FunctionDifference:
    """Returns the differences of two versions of a function; `old_name`: its name in the old."""
    alignment = aligned(old, new, vocabulary)
    head = new.code.head
    facts = [*_renamed(old_name, head.name), *_facts(old.code, new.code, alignment)]
    is_equal = len(alignment.equal) == len(old.code.lines) == len(new.code.lines)
    remark = _remark(old.code, new.code)
    if is_equal and not facts:
        return FunctionDifference(ChangeKind.SAME, head.name, old_name, remark=remark)
    rows = () if is_equal else tuple(_Rows(old.code, new.code, alignment).rows())
    return FunctionDifference(
        ChangeKind.CHANGED, head.name, old_name, facts, rows, _counts(rows), remark
    )


def alone(code: FunctionCode, kind: ChangeKind) -> FunctionDifference:
    """Returns the difference of a function that only one of the modules has."""
    is_old = kind is ChangeKind.REMOVED
    rows = []
    for line in code.lines:
        text = rendered(line.pieces, code.spelled(line))
        if is_old:
            rows.append(DiffRow(kind, text, "", line.line, None))
        else:
            rows.append(DiffRow(kind, "", text, None, line.line))
    name = code.head.name
    return FunctionDifference(kind, name, name if is_old else "", (), rows, _counts(rows))


def _renamed(old: str, new: str) -> Iterator[FactChange]:
    if without_generated_parts(old) != without_generated_parts(new):
        yield FactChange("name", old, new)


def _facts(old: FunctionCode, new: FunctionCode, alignment: CodeAlignment) -> Iterator[FactChange]:
    """Yields the differences of the heads, of the declarations, and of what they add up to."""
    one, two = old.head, new.head
    if one.kind != two.kind:
        yield FactChange("linkage", one.kind, two.kind)
    yield from _listed("return value", one.returns, two.returns)
    yield from _listed("parameter", one.parameters, two.parameters)
    yield from _mapped("", _joined(one.directives), _joined(two.directives), "set")
    yield from _mapped("registers ", _texts(old.registers), _texts(new.registers), "0")
    for space in (".shared", ".local"):
        size, new_size = old.memory.get(space, 0), new.memory.get(space, 0)
        if size != new_size:
            yield FactChange(f"{space[1:]} memory", _in_bytes(size), _in_bytes(new_size))
    unused, new_unused = Counter(old.unused), Counter(new.unused)
    yield from (FactChange("unused variable", it, "") for it in (unused - new_unused).elements())
    yield from (FactChange("unused variable", "", it) for it in (new_unused - unused).elements())
    for before, after, names in changed_declarations(alignment.renamed, old, new):
        more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
        yield FactChange(", ".join(names[:_MAX_NAMES]) + more, before, after)


def _listed(what: str, old: Sequence[str], new: Sequence[str]) -> Iterator[FactChange]:
    for number in range(max(len(old), len(new))):
        before = old[number] if number < len(old) else ""
        after = new[number] if number < len(new) else ""
        if before != after:
            yield FactChange(f"{what} {number}", before, after)


def _mapped(
    prefix: str, old: Mapping[str, str], new: Mapping[str, str], nothing: str
) -> Iterator[FactChange]:
    """Yields the values that differ; `nothing` is shown for an empty one that is there."""
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if before != after:
            shown = ["" if it is None else it or nothing for it in (before, after)]
            yield FactChange(f"{prefix}{name}", *shown)


def _joined(directives: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Returns the values of directives by name, those of a repeated one together."""
    found: dict[str, str] = {}
    for name, value in directives:
        found[name] = f"{found[name]} and {value}" if name in found else value
    return found


def _texts(counts: Mapping[str, int]) -> dict[str, str]:
    return {name: str(count) for name, count in counts.items()}


def _in_bytes(size: int) -> str:
    return counted(size, "byte") if size else ""


def _remark(old: FunctionCode, new: FunctionCode) -> str:
    """Returns why the functions are compared as text; "" if they are not."""
    parts = [
        f"line {code.unread + 1} of the {which} file has a syntax error"
        for which, code in (("old", old), ("new", new))
        if code.unread is not None
    ]
    return f"compared as text: {', '.join(parts)}" if parts else ""


def _counts(rows: Sequence[DiffRow]) -> DiffCounts:
    def count(kind: ChangeKind) -> int:
        return sum(row.kind is kind for row in rows)

    moved = sum(row.kind is ChangeKind.MOVED and bool(row.new) for row in rows)
    return DiffCounts(
        count(ChangeKind.CHANGED), count(ChangeKind.REMOVED), count(ChangeKind.ADDED), moved
    )


class _Rows:
    """Makes the rows of two functions."""

    def __init__(self, old: FunctionCode, new: FunctionCode, alignment: CodeAlignment) -> None:
        self._old, self._new, self._alignment = old, new, alignment
        self._moved_from = {pair.new: pair.old for pair in alignment.moved}
        self._moved_to = {pair.old: pair.new for pair in alignment.moved}
        spelled = {name.name for name in new.names}
        self._names = [
            new.names[alignment.renamed[number]].name
            if number in alignment.renamed
            else name.name + ONLY_OLD * (name.name in spelled)
            for number, name in enumerate(old.names)
        ]

    def rows(self) -> Iterator[DiffRow]:
        """Yields the rows in order; removed statements before added ones."""
        at_old = at_new = 0
        for pair in self._alignment.pairs:
            is_equal = pair in self._alignment.equal
            is_moved = pair.old in self._moved_to or pair.new in self._moved_from
            if is_moved and not is_equal:
                continue
            yield from self._between(at_old, pair.old, at_new, pair.new)
            kind = ChangeKind.SAME if is_equal else ChangeKind.CHANGED
            one, two = self._old.lines[pair.old], self._new.lines[pair.new]
            yield DiffRow(kind, self._old_text(one), self._new_text(two), one.line, two.line)
            at_old, at_new = pair.old + 1, pair.new + 1
        yield from self._between(at_old, len(self._old.lines), at_new, len(self._new.lines))

    def _between(self, old: int, old_stop: int, new: int, new_stop: int) -> Iterator[DiffRow]:
        for number in range(old, old_stop):
            line = self._old.lines[number]
            target = self._moved_to.get(number)
            other = None if target is None else self._new.lines[target].line
            kind = ChangeKind.REMOVED if target is None else ChangeKind.MOVED
            yield DiffRow(kind, self._old_text(line), "", line.line, None, other)
        for number in range(new, new_stop):
            line = self._new.lines[number]
            target = self._moved_from.get(number)
            other = None if target is None else self._old.lines[target].line
            kind = ChangeKind.ADDED if target is None else ChangeKind.MOVED
            yield DiffRow(kind, "", self._new_text(line), None, line.line, other)

    def _old_text(self, line: CodeLine) -> str:
        names = [it if isinstance(it, str) else self._names[it] for it in line.names]
        return rendered(line.pieces, names)

    def _new_text(self, line: CodeLine) -> str:
        return rendered(line.pieces, self._new.spelled(line))
