"""Reads the flow graph of a function off the lines where control may go elsewhere.

Source: PTX ISA, "Control Flow Instructions", "Control Flow Directives" and "Labels".
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.graph import Branch, FlowGraph, LabelScope
from ptx_ls.flow.line_codes import FILLED
from ptx_ls.flow.opcodes import (
    GUARDED,
    LABEL_WORD,
    PLAIN_BRANCHES,
    CommonOpcodes,
)
from ptx_ls.semantics.instructions.control_transfer import CONTROL
from ptx_ls.semantics.symbols.label_lists import listed_labels
from ptx_ls.semantics.symbols.region_text import Found, RegionText, label_name, single_in_steps
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.guards import GUARD
from ptx_ls.syntax.names import name_at, names_in
from ptx_ls.syntax.record import Kind, MultiLine
from ptx_ls.syntax.statements import BLANKS

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from ptx_ls.flow.graph import FlowLines

_BRANCHES: Final = ("bra", "brx")
_PART: Final = re.compile(
    rf"\s*+(?P<guard>{GUARD})?\s*+(?P<opcode>[a-z]++)(?P<modifiers>[.\w:]*+)"
    r"\s*+(?P<rest>[^;]*+)",
    re.ASCII,
).match
_DOUBTFUL: Final = ("/", '"')
"""What may begin a comment, or a string with anything in it."""
_TARGETS: Final = ".branchtargets"
_LISTED: Final = re.compile(r"\s*+\.(?:branchtargets|calltargets|callprototype)\b").match
"""What gives a label another meaning: it is no place to go to then."""
_LINES_OF_STEP: Final = 1000
"""Lines that are read between two moments of giving way."""


def reading(text: RegionText, lines: FlowLines) -> Generator[None, None, FlowGraph]:
    """Reads the flow graph of a region, to be gone on with; yields every few milliseconds."""
    reader = _FlowReader(text, lines)
    index = 0
    while not reader.is_done:
        index = reader.take_plain(index)
        if index >= len(lines.numbers):
            break
        yield
        number = lines.numbers[index]
        read = text.records[number]
        if isinstance(read, MultiLine):
            for found in text.statements((number,)):
                yield from reader.take(found)
                yield
        elif read.kind not in (Kind.BLANK, Kind.COMMENT):
            yield from reader.take((yield from single_in_steps(text.lines[number], read, number)))
        index += 1
        if isinstance(read, MultiLine):
            while index < len(lines.numbers) and text.records[lines.numbers[index]] is read:
                index += 1
    return reader.graph()


class _FlowReader:
    """What was read so far; `starts`, `stops` and `successors` have an item for each block."""

    def __init__(self, text: RegionText, lines: FlowLines) -> None:
        self._text, self._lines = text, lines
        self._starts: list[FunctionPosition] = []
        self._stops: list[FunctionPosition] = []
        self._successors: list[list[int]] = []
        self._labels: dict[int, tuple[str, ...]] = {}
        self._leaves: dict[int, str] = {}
        self._scope = LabelScope(None)
        self._depth = 0
        self._label: tuple[str, FunctionPosition, int] | None = None
        """Name, place and last line of a label, until it is known to be one."""
        self._branches: list[Branch] = []
        self._left: FunctionPosition | None = None
        """Behind a branch, until an instruction or a label follows."""
        self._goes_on = False
        self._labelled: int | None = None
        """The line of a label, until an instruction follows."""
        self.is_done = False

    def take(self, found: Found) -> Generator[None, None, None]:
        """Reads the next statement, in steps."""
        kind = found.record.kind
        if self._label is not None:
            if kind is Kind.DIRECTIVE and _LISTED(found.text):
                if _TARGETS in found.text:
                    self._scope.lists[self._label[0]] = yield from listed_labels(found.text)
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

    def take_plain(self, index: int) -> int:
        """Reads common lines from that of `lines` on; returns the first that has to be taken apart.

        They are labels, branches and ends, each alone on its line and without comment. There are
        thousands in a function, so the loop calls nothing that it can do without.
        """
        stop = self._plain_until(index) if self._depth else index
        numbers, texts, opcodes = self._lines.numbers, self._lines.texts, self._opcodes
        starts, stops, successors = self._starts, self._stops, self._successors
        label, left = self._label, self._left
        for at in range(index, stop):
            number, line, opcode = numbers[at], texts[at], opcodes[at]
            if label is not None:
                self._left = left
                self._begin_label(*label)
                label = left = None
            if opcode is LABEL_WORD:
                start = 0 if line[0] not in BLANKS else len(line) - len(line.lstrip(BLANKS))
                label = (  # type: ignore[assignment]  # places of lines are made without a call
                    line[start : line.index(LABEL_WORD)].rstrip(BLANKS),
                    (number, start),
                    number,
                )
                continue
            if left is not None:
                if self._goes_on:
                    successors[-1].append(len(starts))
                starts.append(left)
                stops.append(left)
                successors.append([])
            self._labelled = None
            written = line.rstrip(BLANKS)
            stops[-1] = left = number, len(written)  # type: ignore[assignment, call-overload]
            self._goes_on = opcode in GUARDED
            if opcode in PLAIN_BRANCHES:
                target = written[:-1].rsplit(None, 1)[-1]
                self._branches.append(Branch(len(starts) - 1, target, self._scope, False))
            else:
                self._leaves[len(starts) - 1] = opcode.lstrip("@")
        self._label, self._left = label, left
        return stop

    @cached_property
    def _opcodes(self) -> list[str]:
        """For each of `lines` its opcode, "" if it has to be taken apart; see `CommonOpcodes`."""
        records, table = self._text.records, CommonOpcodes()
        return [table[records[number]] for number in self._lines.numbers]

    def _plain_until(self, index: int) -> int:
        """The first of the lines, from one on, that is not a common one, or is for another turn."""
        opcodes, texts = self._opcodes, self._lines.texts
        stop = min(index + _LINES_OF_STEP, len(opcodes))
        with suppress(ValueError):
            stop = opcodes.index("", index, stop)
        if any(mark in "".join(texts[index:stop]) for mark in _DOUBTFUL):
            return next(at for at in range(index, stop) if any(it in texts[at] for it in _DOUBTFUL))
        return stop

    def _open_body(self, found: Found) -> None:
        if self._starts:  # heads on one line share it with two regions
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
        """Ends the body; what runs up to its end returns."""
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
        """Begins a block behind a branch if instructions stand between it and a place."""
        if self._left is not None and self._stands_between(self._left[0], place[0]):
            self._begin(self._left, goes_on=self._goes_on)

    def _stands_between(self, line: int, stop: int) -> bool:
        return self._lines.codes.find(FILLED, line + 1, stop) >= 0

    def _begin_label(self, name: str, start: FunctionPosition, last: int) -> None:
        self._label = None
        starts, stops, following = self._starts, self._stops, self._successors
        find, above, left = self._lines.codes.find, self._labelled, self._left
        if above is not None and find(FILLED, above + 1, start[0]) < 0:
            self._labels[len(starts) - 1] += (name,)
        else:
            is_next = left is None or self._goes_on
            if left is None:
                stops[-1] = start
            elif find(FILLED, left[0] + 1, start[0]) >= 0:  # a block of what stands between
                if is_next:
                    following[-1].append(len(starts))
                starts.append(left)
                stops.append(start)
                following.append([])
                is_next = True
            if is_next:
                following[-1].append(len(starts))
            self._left = None
            self._labels[len(starts)] = (name,)
            starts.append(start)
            stops.append(start)
            following.append([])
        self._scope.labels.setdefault(name, len(starts) - 1)
        self._labelled = last

    def _instruction(self, found: Found) -> None:
        match = _PART(without_comments(found.text))
        opcode = match["opcode"] if match is not None else ""
        rest = match["rest"] if match is not None else ""
        if opcode not in CONTROL or (opcode == "call" and not self._is_last(rest)):
            opcode = ""
        names = names_in(rest) if opcode in _BRANCHES else ()
        is_guarded = match is not None and match["guard"] is not None
        self._leave(opcode, names[-1] if names else "", found.end, is_guarded)

    def _leave(self, opcode: str, target: str, end: FunctionPosition, is_guarded: bool) -> None:  # noqa: FBT001
        """An instruction that ends a block; with "" as opcode, any other one."""
        if self._left is not None:
            self._begin(self._left, goes_on=self._goes_on)
        self._labelled = None
        if not opcode:
            return
        number = len(self._starts) - 1
        if opcode in _BRANCHES:
            self._branches.append(Branch(number, target, self._scope, opcode == "brx"))
        else:
            self._leaves[number] = opcode
        self._stops[-1] = self._left = end
        self._goes_on = is_guarded

    def _is_last(self, rest: str) -> bool:
        """Whether a call with these operands does not come back; one with results does."""
        name = name_at(rest)
        return name is not None and name[0] in self._lines.leaving

    def graph(self) -> FlowGraph:
        """The graph of what was read."""
        if self._label is not None and self._depth:
            self._begin_label(*self._label)
        if self._starts and not self.is_done:  # the closing brace is missing
            lines = self._text.lines
            self._end(FunctionPosition((len(lines) - 1, len(lines[-1]))))
        opened: set[int] = set()
        successors = self._successors
        for branch in self._branches:
            number, name, scope, is_indexed = branch
            if not is_indexed and scope.parent is None:  # nearly all
                targets: Iterable[int | None] = (scope.labels.get(name),)
            else:
                targets = self._targets(branch)
            following = successors[number]
            for target in targets:
                if target is None:
                    opened.add(number)
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

    def _targets(self, branch: Branch) -> Iterator[int | None]:
        if not branch.is_indexed:
            yield branch.scope.find(branch.target)
            return
        listed = branch.scope.find_list(branch.target)
        if listed is None:
            yield None
            return
        scope, labels = listed
        for label in labels:
            yield scope.find(label)
