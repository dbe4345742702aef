"""Reads the flow graph of a function off the lines where control may go elsewhere.

Source: PTX ISA, "Control Flow Instructions", "Control Flow Directives" and "Labels".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.semantics.flow import Block, FlowGraph
from ptx_ls.semantics.flow_codes import CONTROL, FILLED, LEAVING
from ptx_ls.semantics.region_text import BLANKS, Found, RegionText, label_name
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.record import LABEL, Kind, Record, Run, Shape
from ptx_ls.syntax.tokens import REG, WORD, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ptx_ls.semantics.flow import FlowLines
    from ptx_ls.syntax.places import Place

_BRANCHES: Final = ("bra", "brx")
_PART: Final = re.compile(
    r"\s*+(?P<guard>@\s*+!?\s*+[%\w$]++)?\s*+(?P<opcode>[a-z]++)(?P<modifiers>[.\w:]*+)"
    r"\s*+(?P<rest>[^;]*+)",
    re.ASCII,
).match
_NAME: Final = re.compile(r"[%A-Za-z_$][\w$]*+", re.ASCII).match
_NAMES: Final = re.compile(r"[%A-Za-z_$][\w$]*+", re.ASCII).findall
_COMMENT: Final = re.compile(r"//[^\r\n]*+|/\*.*?\*/", re.DOTALL)
_TARGETS: Final = ".branchtargets"
_LISTED: Final = re.compile(r"\s*+\.(?:branchtargets|calltargets|callprototype)\b").match
"""What gives a label another meaning: it is no place to go to then."""
_MOST: Final = 10_000
"""Labels that `L<N>` of a list stands for at most."""


class Branch(NamedTuple):
    """A branch at the end of a block, and the scope that its label is looked for in."""

    block: int
    target: str
    scope: Scope
    is_indexed: bool


class Scope:
    """Labels and lists of labels of one `{ }`."""

    __slots__ = ("labels", "lists", "parent")

    def __init__(self, parent: Scope | None) -> None:
        self.parent = parent
        self.labels: dict[str, int] = {}
        self.lists: dict[str, tuple[str, ...]] = {}

    def find(self, name: str) -> int | None:
        """The block that a label of this scope, or one around it, begins."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.labels:
                return scope.labels[name]
            scope = scope.parent
        return None

    def find_list(self, name: str) -> tuple[Scope, tuple[str, ...]] | None:
        """The labels of a list, with the scope that they are named in."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.lists:
                return scope, scope.lists[name]
            scope = scope.parent
        return None


def read_flow(
    text: RegionText, lines: FlowLines, never_returns: Callable[[str], bool]
) -> FlowGraph:
    """The flow graph of a region from its `flow_lines`; empty without a body.

    `never_returns` tells of a function's name whether calls of it do not come back.
    """
    reader = _Reader(text, lines.codes, never_returns)
    records = text.records
    previous: Record | None = None
    for number, line in zip(lines.numbers, lines.texts, strict=True):
        read = records[number]
        if "/" not in line and '"' not in line and reader.take_plain(read, number, line):
            continue
        if read is not previous or not isinstance(read, Run):
            for found in text.statements((number,)):
                reader.take(found)
            if reader.is_done:
                break
        previous = read
    return reader.graph()


class _Label(NamedTuple):
    """A label, and the line where its `:` is."""

    name: str
    start: Place
    last: int


class _Reader:
    def __init__(
        self, text: RegionText, codes: bytes, never_returns: Callable[[str], bool]
    ) -> None:
        self._text, self._codes, self._never_returns = text, codes, never_returns
        self._known: dict[str, bool] = {}
        self._plain: dict[Record, str] = {}
        self._blocks: list[Block] = []
        self._scope = Scope(None)
        self._depth = 0
        self._label: _Label | None = None
        self._branches: list[Branch] = []
        self._left: Place | None = None
        """Behind a branch, until an instruction or a label follows."""
        self._goes_on = False
        self._labelled: int | None = None
        """The line of a label, until an instruction follows."""
        self.is_done = False

    def take(self, found: Found) -> None:
        """Reads the next statement."""
        kind = found.record.kind
        if self._label is not None:
            if kind is Kind.DIRECTIVE and _LISTED(found.text):
                if _TARGETS in found.text:
                    self._scope.lists[self._label.name] = tuple(_listed(found.text))
                self._label = None
                return
            self._begin_label(self._label)
        if kind is Kind.FUNCTION:
            self._open_body(found)
        elif not self._depth:
            return
        elif kind is Kind.LABEL:
            self._label = _Label(label_name(found.text), found.start, found.end[0])
        elif kind is Kind.OPEN:
            self._depth += 1
            self._scope = Scope(self._scope)
        elif kind is Kind.CLOSE:
            self._close(found)
        elif kind in (Kind.INSTRUCTION, Kind.BROKEN):
            self._instruction(found)

    def take_plain(self, read: Record, number: int, line: str) -> bool:
        """Reads a common line of one statement without comment; returns False if it is no such."""
        if read is LABEL:
            if self._label is not None:
                self._begin_label(self._label)
            if self._depth:
                rest = line.lstrip(BLANKS)
                start = number, len(line) - len(rest)
                self._label = _Label(label_name(rest), start, number)
            return True
        opcode = self._plain.get(read)
        if opcode is None:
            opcode = self._plain[read] = _plain_opcode(read)
        if opcode and self._depth:
            if self._label is not None:
                self._begin_label(self._label)
            written = line.rstrip(BLANKS)
            target = written[:-1].rsplit(None, 1)[-1] if opcode == "bra" else ""
            is_guarded = isinstance(read, Shape) and bool(read.guard)
            self._leave(opcode, target, (number, len(written)), is_guarded)
        return bool(opcode)

    def _open_body(self, found: Found) -> None:
        if self._blocks:  # heads on one line share it with two regions
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

    def _end(self, place: Place) -> None:
        """Ends the body; what runs up to its end returns."""
        self._resume(place)
        if self._left is not None and self._goes_on:
            self._begin(self._left, goes_on=True)
        if self._left is None:
            self._blocks[-1].stop = place
            self._blocks[-1].leaves = self._blocks[-1].leaves or "ret"
        self.is_done = True

    def _begin(self, start: Place, *, goes_on: bool = False, labels: tuple[str, ...] = ()) -> None:
        blocks = self._blocks
        number = len(blocks)
        if blocks:
            if self._left is None:
                blocks[-1].stop = start
            if goes_on:
                blocks[-1].successors.append(number)
        self._left = self._labelled = None
        blocks.append(Block(number, start, start, labels))

    def _resume(self, place: Place) -> None:
        """Begins a block behind a branch if instructions stand between it and a place."""
        if self._left is not None and self._stands_between(self._left[0], place[0]):
            self._begin(self._left, goes_on=self._goes_on)

    def _stands_between(self, line: int, stop: int) -> bool:
        return self._codes.find(FILLED, line + 1, stop) >= 0

    def _begin_label(self, label: _Label) -> None:
        self._label = None
        above = self._labelled
        if above is not None and not self._stands_between(above, label.start[0]):
            block = self._blocks[-1]
            block.labels = (*block.labels, label.name)
        else:
            self._resume(label.start)
            goes_on = self._left is None or self._goes_on
            self._begin(label.start, goes_on=goes_on, labels=(label.name,))
        self._scope.labels.setdefault(label.name, len(self._blocks) - 1)
        self._labelled = label.last

    def _instruction(self, found: Found) -> None:
        text = _COMMENT.sub(" ", found.text) if "/" in found.text else found.text
        match = _PART(text)
        opcode = match["opcode"] if match is not None else ""
        rest = match["rest"] if match is not None else ""
        if opcode not in CONTROL or (opcode == "call" and not self._is_last(rest)):
            opcode = ""
        names = _NAMES(rest) if opcode in _BRANCHES else ()
        is_guarded = match is not None and match["guard"] is not None
        self._leave(opcode, names[-1] if names else "", found.end, is_guarded)

    def _leave(self, opcode: str, target: str, end: Place, is_guarded: bool) -> None:  # noqa: FBT001
        """An instruction that ends a block; with "" as opcode, any other one."""
        if self._left is not None:
            self._begin(self._left, goes_on=self._goes_on)
        self._labelled = None
        if not opcode:
            return
        block = self._blocks[-1]
        if opcode in _BRANCHES:
            self._branches.append(Branch(block.number, target, self._scope, opcode == "brx"))
        else:
            block.leaves = opcode
        block.stop = self._left = end
        self._goes_on = is_guarded

    def _is_last(self, rest: str) -> bool:
        """Whether a call with these operands does not come back; one with results does."""
        name = _NAME(rest)
        if name is None:
            return False
        if name[0] not in self._known:
            self._known[name[0]] = self._never_returns(name[0])
        return self._known[name[0]]

    def graph(self) -> FlowGraph:
        """The graph of what was read."""
        if self._label is not None and self._depth:
            self._begin_label(self._label)
        if self._blocks and not self.is_done:  # the closing brace is missing
            lines = self._text.lines
            self._end((len(lines) - 1, len(lines[-1])))
        for branch in self._branches:
            block = self._blocks[branch.block]
            for target in self._targets(branch):
                if target is None:
                    block.is_open = True
                elif target not in block.successors:
                    block.successors.append(target)
        for block in self._blocks:
            for number in block.successors:
                self._blocks[number].predecessors.append(block.number)
        return FlowGraph(tuple(self._blocks), self._known, tuple(self._branches))

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


def _plain_opcode(read: Record) -> str:
    """The opcode of lines that end a block, if it is a branch, to a label alone; "" for others."""
    if not isinstance(read, Shape):
        return ""
    if read.name == "bra":
        return read.name if read.text == f"{read.guard} {read.opcode} n;".lstrip() else ""
    return read.name if read.name in LEAVING else ""


def _listed(text: str) -> Iterator[str]:
    """The labels of a `.branchtargets` directive; `L<3>` stands for `L0`, `L1` and `L2`."""
    stream = list(tokenize(text))
    for number, token in enumerate(stream):
        if token.type not in (WORD, REG):
            continue
        is_range = stream[number + 1].string == "<" and stream[number + 2].string.isdecimal()
        if not is_range:
            yield token.string
            continue
        for index in range(min(decimal(stream[number + 2].string), _MOST)):
            yield f"{token.string}{index}"
