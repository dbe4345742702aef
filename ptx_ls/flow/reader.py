"""Reads the flow graph of a function from its labels, braces, and control flow instructions.

Source: PTX ISA, "Control Flow Instructions", "Control Flow Directives" and "Labels".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.graph import Branch, FlowGraph, LabelScope
from ptx_ls.semantics.instructions.control_transfer import CONTROL
from ptx_ls.semantics.symbols.label_lists import listed_labels
from ptx_ls.semantics.symbols.region_text import Found, RegionText, label_name, single
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.dotted import opcode_of
from ptx_ls.syntax.guards import guard_of
from ptx_ls.syntax.labels import NAMED_DIRECTIVES
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.record import CLOSE, OPEN, Kind, MultiLine, Record, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

_BRANCHES: Final = ("bra", "brx")
_CALL: Final = "call"
_TARGETS: Final = ".branchtargets"
_STRUCTURE: Final = (Kind.LABEL, Kind.FUNCTION, Kind.DIRECTIVE, Kind.BROKEN)


def read_graph(text: RegionText, never_returning: AbstractSet[str]) -> FlowGraph:
    """Reads the flow graph of a function.

    `never_returning`: the functions of the module whose calls end a block.
    """
    reader = _FlowReader(text, never_returning)
    rows = text.lines_of(_relevant(text, has_calls=bool(never_returning)))
    previous: Record | None = None
    for row, line, read in text.rows(rows):
        if not isinstance(read, MultiLine):
            reader.take(single(line, read, row))
        elif read is not previous:
            for found in text.statements((row,)):
                reader.take(found)
        if reader.is_done:
            break
        previous = read
    return reader.graph()


def _relevant(text: RegionText, *, has_calls: bool) -> set[Record]:
    """Returns the records of the lines that the flow graph depends on."""
    opcodes = CONTROL if has_calls else CONTROL - {_CALL}
    braces = text.holding(Kind.OPEN, Kind.CLOSE)
    return (
        {read for read in braces if not _is_block(read)}
        | text.holding(*_STRUCTURE)
        | text.with_opcodes(opcodes)
    )


def _is_block(read: Record) -> bool:
    """Whether the braces in a line or run are balanced."""
    depth = 0
    for each in _held(read):
        depth += (each is OPEN) - (each is CLOSE)
        if depth < 0:
            return False
    return not depth


def has_instruction(read: Record) -> bool:
    """Whether a line or run has an instruction without syntax errors."""
    return any(isinstance(it, Shape) for it in _held(read))


def is_control(read: Record) -> bool:
    """Whether a flow graph may depend on a line or run."""
    return not _is_block(read) or any(
        it.name in CONTROL if isinstance(it, Shape) else it.kind in _STRUCTURE for it in _held(read)
    )


def _held(read: Record) -> Sequence[Record]:
    return read.records if isinstance(read, MultiLine) else (read,)


class _FlowReader:
    """Makes a graph; `_starts`, `_stops` and `_successors` have an item for each block so far."""

    def __init__(self, text: RegionText, never_returning: AbstractSet[str]) -> None:
        self._text, self._never_returning = text, never_returning
        self._records = text.records[:]
        self._starts: list[FunctionPosition] = []
        self._stops: list[FunctionPosition] = []
        self._successors: list[list[int]] = []
        self._labels: dict[int, tuple[str, ...]] = {}
        self._leaves: dict[int, str] = {}
        self._scope = LabelScope(None)
        self._depth = 0
        self._label: tuple[str, FunctionPosition, int] | None = None
        """The name, start and last line of the last label, which may name a list."""
        self._branches: list[Branch] = []
        self._left: FunctionPosition | None = None
        """The place after the last branch, until an instruction or a label follows."""
        self._goes_on = False
        self._labelled: int | None = None
        """The line of the last label, until an instruction follows."""
        self.is_done = False

    def take(self, found: Found) -> None:
        """Reads the next statement."""
        kind = found.record.kind
        if self._label is not None:
            if kind is Kind.DIRECTIVE and (directive := opcode_of(found.text)) in NAMED_DIRECTIVES:
                if directive == _TARGETS:
                    self._scope.lists[self._label[0]] = listed_labels(found.text)
                self._label = None
                return
            self._begin_label(*self._label)
        if kind is Kind.FUNCTION:
            self._open_body(found)
        elif not self._depth:
            return
        elif kind is Kind.LABEL:
            self._label = label_name(found.text), found.start, found.end[0]
        elif kind is Kind.OPEN:
            self._depth += 1
            self._scope = LabelScope(self._scope)
        elif kind is Kind.CLOSE:
            self._close(found)
        elif kind in (Kind.INSTRUCTION, Kind.BROKEN):
            self._instruction(found)

    def _open_body(self, found: Found) -> None:
        if self._starts:  # the head of the next function, on the same line
            self.is_done = True
            return
        self._depth = 1
        self._begin(found.end)

    def _close(self, found: Found) -> None:
        self._depth -= 1
        if self._depth:
            self._scope = self._scope.parent or self._scope
        else:
            self._end(found.start)

    def _end(self, place: FunctionPosition) -> None:
        """Ends the body; a block that reaches the end of the body returns."""
        self._resume(place)
        if self._left is not None and self._goes_on:
            self._begin(self._left, goes_on=True)
        if self._left is None:
            self._stops[-1] = place
            self._leaves.setdefault(len(self._starts) - 1, "ret")
        self.is_done = True

    def _begin(self, start: FunctionPosition, *, goes_on: bool = False) -> None:
        if self._starts:
            if self._left is None:
                self._stops[-1] = start
            if goes_on:
                self._successors[-1].append(len(self._starts))
        self._left = self._labelled = None
        self._starts.append(start)
        self._stops.append(start)
        self._successors.append([])

    def _resume(self, place: FunctionPosition) -> None:
        """Begins a block after the last branch if there are instructions before a place."""
        if self._left is not None and self._has_instructions(self._left[0], place[0]):
            self._begin(self._left, goes_on=self._goes_on)

    def _has_instructions(self, line: int, stop: int) -> bool:
        """Whether there is an instruction between two lines."""
        return any(map(has_instruction, self._records[line + 1 : stop]))

    def _begin_label(self, name: str, start: FunctionPosition, last: int) -> None:
        self._label = None
        if self._labelled is None or self._has_instructions(self._labelled, start[0]):
            self._resume(start)
            self._begin(start, goes_on=self._left is None or self._goes_on)
        number = len(self._starts) - 1
        self._labels[number] = (*self._labels.get(number, ()), name)
        self._scope.labels.setdefault(name, number)
        self._labelled = last

    def _instruction(self, found: Found) -> None:
        read, text = found.record, without_comments(found.text).partition(";")[0]
        if isinstance(read, Shape):
            opcode, is_guarded = read.name, bool(read.guard)
        else:
            opcode, is_guarded = opcode_of(text).partition(".")[0], guard_of(text) is not None
        names: list[str] = []
        if opcode == _CALL or opcode in _BRANCHES:
            names = names_in(text)[1 + is_guarded :]
        if opcode == _CALL and self._never_returning.isdisjoint(names[:1]):
            opcode = ""
        self._leave(opcode, names[-1] if names else "", found.end, is_guarded)

    def _leave(self, opcode: str, target: str, end: FunctionPosition, is_guarded: bool) -> None:  # noqa: FBT001
        """Reads an instruction, which ends its block if its opcode is in `CONTROL`."""
        if self._left is not None:
            self._begin(self._left, goes_on=self._goes_on)
        self._labelled = None
        if opcode not in CONTROL:
            return
        number = len(self._starts) - 1
        if opcode in _BRANCHES:
            self._branches.append(Branch(number, target, self._scope, opcode == "brx"))
        else:
            self._leaves[number] = opcode
        self._stops[-1] = self._left = end
        self._goes_on = is_guarded

    def graph(self) -> FlowGraph:
        """Returns the graph of the lines read so far."""
        if self._label is not None and self._depth:
            self._begin_label(*self._label)
        if self._starts and not self.is_done:  # the closing brace is missing
            lines = self._text.lines
            self._end(FunctionPosition((len(lines) - 1, len(lines[-1]))))
        opened: set[int] = set()
        for branch in self._branches:
            following = self._successors[branch.block]
            for target in _targets(branch):
                if target is None:
                    opened.add(branch.block)
                elif target not in following:
                    following.append(target)
        return FlowGraph(
            self._starts,
            self._stops,
            self._successors,
            self._labels,
            self._leaves,
            opened,
            tuple(self._branches),
        )


def _targets(branch: Branch) -> Iterator[int | None]:
    """Yields the blocks that a branch leads to; None for an unknown label or list."""
    if not branch.is_indexed:
        yield branch.scope.find(branch.target)
        return
    scope, labels = branch.scope.find_list(branch.target) or (branch.scope, ("",))
    for label in labels:
        yield scope.find(label)
