"""Reads the flow graph of a function from its labels, braces, and control flow instructions.

Source: PTX ISA, "Control Flow Instructions", "Control Flow Directives" and "Labels".
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.control_statements import (
    BRANCHES,
    CALL,
    ControlStatement,
    control_statement,
    has_instruction,
    is_control,
)
from ptx_ls.flow.flow_shape import Branch, FlowShape, LabelScope
from ptx_ls.flow.graph import FlowGraph
from ptx_ls.flow.row_map import KeptRows, RowMap, first_rows
from ptx_ls.semantics.instructions.control_transfer import CONTROL
from ptx_ls.syntax.record import INSTRUCTIONS, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.flow.control_lines import ControlLines
    from ptx_ls.semantics.symbols.region_text import RegionText

_OPENING: Final = (Kind.FUNCTION, Kind.OPEN)
"""The statements that open a body or a block in it."""


def read_graph(text: RegionText, never_returning: AbstractSet[str]) -> FlowGraph:
    """Reads the flow graph of a function from its text.

    `never_returning`: the functions of the module whose calls end a block.
    """
    rows = text.lines_of({read for read in text.distinct if is_control(read)})
    statements = [*map(control_statement, text.statements(rows))]
    has_instruction_of = {read: has_instruction(read) for read in text.distinct}
    has_instructions = [has_instruction_of[read] for read in text.records]
    reader = _FlowReader(has_instructions, never_returning, _targets_in(statements))
    for statement in statements:
        reader.take(statement)
        if reader.is_done:
            break
    end = FunctionPosition((len(text.lines) - 1, len(text.lines[-1]) if text.lines else 0))
    n_rows = len(text.records)
    return FlowGraph(reader.shape(end), RowMap([KeptRows(range(n_rows), n_rows)]))


def read_shape(parts: Sequence[ControlLines], never_returning: AbstractSet[str]) -> FlowShape:
    """Reads the shape of the flow graph of a closed function from the control lines of its parts.

    Places count only the rows that are kept in the parts.
    """
    has_instructions = [has for part in parts for has in part.has_instructions]
    targets = _targets_in(chain.from_iterable(part.statements for part in parts))
    reader = _FlowReader(has_instructions, never_returning, targets)
    firsts = first_rows(len(part.has_instructions) for part in parts)
    for first, part in zip(firsts, parts, strict=True):
        for statement in part.statements:
            reader.take(statement, first)
            if reader.is_done:
                break
        if reader.is_done:
            break
    return reader.shape(FunctionPosition((len(has_instructions), 0)))


def _targets_in(statements: Iterable[ControlStatement]) -> frozenset[str]:
    """Returns the names of the labels that a branch may lead to, and those of lists of labels.

    Text after the body is of no function.
    """
    found = set[str]()
    depth = 0
    for each in statements:
        if each.names and (each.is_named or each.name in BRANCHES):
            found.update(each.names if each.is_named else each.names[-1:])
        if each.kind is Kind.CLOSE:
            depth -= 1
            if not depth:
                break
        elif each.kind in _OPENING:
            depth += 1
    return frozenset(found)


class _FlowReader:
    """Makes a graph; `_starts`, `_stops` and `_successors` have an item for each block so far."""

    def __init__(
        self,
        has_instructions: Sequence[bool],
        never_returning: AbstractSet[str],
        targets: AbstractSet[str],
    ) -> None:
        """Prepares a graph of which nothing is read.

        Args:
            has_instructions: whether each row has an instruction.
            never_returning: the functions whose calls end a block.
            targets: the labels that begin a block. Debug data may name others.
        """
        self._has_instructions, self._never_returning = has_instructions, never_returning
        self._targets = targets
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

    def take(self, statement: ControlStatement, first: int = 0) -> None:
        """Reads the next statement; its rows count from row `first`."""
        kind, (row, column), (last_row, last_column) = statement[:3]
        start = FunctionPosition((first + row, column))
        end = FunctionPosition((first + last_row, last_column))
        if self._label is not None:
            if statement.is_named:
                if statement.names is not None:
                    self._scope.lists[self._label[0]] = statement.names
                self._label = None
                return
            self._begin_label(*self._label)
        if kind is Kind.FUNCTION:
            self._open_body(end)
        elif not self._depth:
            return
        elif kind is Kind.LABEL:
            self._label = statement.name, start, end[0]
        elif kind is Kind.OPEN:
            self._depth += 1
            self._scope = LabelScope(self._scope)
        elif kind is Kind.CLOSE:
            self._close(start)
        elif kind in INSTRUCTIONS:
            self._instruction(statement, end)

    def _open_body(self, end: FunctionPosition) -> None:
        if self._starts:  # the head of the next function, on the same line
            self.is_done = True
            return
        self._depth = 1
        self._begin(end)

    def _close(self, start: FunctionPosition) -> None:
        self._depth -= 1
        if self._depth:
            self._scope = self._scope.parent or self._scope
        else:
            self._end(start)

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
        if self._left is not None and self._are_between(self._left[0], place[0]):
            self._begin(self._left, goes_on=self._goes_on)

    def _are_between(self, row: int, stop: int) -> bool:
        """Whether there is an instruction between two rows."""
        return any(self._has_instructions[row + 1 : stop])

    def _begin_label(self, name: str, start: FunctionPosition, last: int) -> None:
        self._label = None
        if name not in self._targets:
            return
        if self._labelled is None or self._are_between(self._labelled, start[0]):
            self._resume(start)
            self._begin(start, goes_on=self._left is None or self._goes_on)
        number = len(self._starts) - 1
        self._labels[number] = (*self._labels.get(number, ()), name)
        self._scope.labels.setdefault(name, number)
        self._labelled = last

    def _instruction(self, statement: ControlStatement, end: FunctionPosition) -> None:
        opcode, names = statement.name, statement.names or ()
        if opcode == CALL and self._never_returning.isdisjoint(names[:1]):
            opcode = ""
        self._leave(opcode, names[-1] if names else "", end, statement.is_guarded)

    def _leave(self, opcode: str, target: str, end: FunctionPosition, is_guarded: bool) -> None:  # noqa: FBT001
        """Reads an instruction, which ends its block if its opcode is in `CONTROL`."""
        if self._left is not None:
            self._begin(self._left, goes_on=self._goes_on)
        self._labelled = None
        if opcode not in CONTROL:
            return
        number = len(self._starts) - 1
        if opcode in BRANCHES:
            self._branches.append(Branch(number, target, self._scope, opcode == "brx"))
        else:
            self._leaves[number] = opcode
        self._stops[-1] = self._left = end
        self._goes_on = is_guarded

    def shape(self, end: FunctionPosition) -> FlowShape:
        """Returns the shape of the graph of the statements read; `end`: the end of the text."""
        if self._label is not None and self._depth:
            self._begin_label(*self._label)
        if self._starts and not self.is_done:  # the closing brace is missing
            self._end(end)
        opened: set[int] = set()
        for branch in self._branches:
            following = self._successors[branch.block]
            seen = {*following}
            for target in _targets(branch):
                if target is None:
                    opened.add(branch.block)
                elif target not in seen:
                    seen.add(target)
                    following.append(target)
        return FlowShape(
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
