"""Folding of bodies, scopes, loops, parameter lists, data, comments and declarations."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.document.braces import braces
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.labels import label_at
from ptx_ls.syntax.offsets import after
from ptx_ls.syntax.record import FUNCTION_HEADS, Kind, MultiLine, Shape
from ptx_ls.syntax.record_lines import run_stop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.syntax.record import Piece, Record

_MAX_SCOPE_DEPTH: Final = 20
"""Maximum number of scopes around a branch in which its label is looked up."""
_MAX_COLLAPSED_LENGTH: Final = 60
"""Maximum number of characters of the text in place of folded lines."""
_BEGIN_ASSEMBLY: Final = "// begin inline asm"
_END_ASSEMBLY: Final = "// end inline asm"
"""The comments that compilers write around inline assembly."""


class FoldKind(Enum):
    """The kind of the folded lines."""

    BODY = auto()
    SCOPE = auto()
    LOOP = auto()
    SECTION = auto()
    PARAMETERS = auto()
    INITIALISER = auto()
    DECLARATIONS = auto()
    LOCATIONS = auto()
    """`.loc` directives."""
    ASSEMBLY = auto()
    """Inline assembly."""
    COMMENT = auto()


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines `first` to `last` that can be folded, and the text to show in their place.

    `keeps_last`: the last line closes what the first one opens, and should stay visible.
    """

    first: int
    last: int
    kind: FoldKind
    text: str = ""
    keeps_last: bool = False

    def moved(self, delta: int) -> Fold:
        """Returns the fold `delta` lines further down."""
        return Fold(self.first + delta, self.last + delta, self.kind, self.text, self.keeps_last)


def folds(document: Document) -> list[Fold]:
    """Returns all folds, outer ones first."""
    found = [
        fold.moved(located.first_line)
        for located in document.functions
        for fold in _folds_of(located.function)
    ]
    return sorted(found, key=lambda fold: (fold.first, -fold.last))


def _folds_of(function: Function) -> tuple[Fold, ...]:
    """Returns the folds of a function; lines are relative to its first line."""
    reader = _FoldingReader(region_text(function))
    reader.read()
    return reader.finish(braces(function).close)


class _Scope(NamedTuple):
    """Lines of the labels of a scope, and of the last jump back to each of them."""

    labels: dict[str, int]
    loops: dict[str, int]


class _FoldingReader:
    """Reads the lines of one function in order."""

    def __init__(self, text: RegionText) -> None:
        self.lines, self._records = text.lines, text.records
        self._folds: list[Fold] = []
        self._open: list[tuple[int, FoldKind, str]] = []
        self._scopes = [_Scope({}, {})]
        self._run: tuple[FoldKind, int, int] | None = None
        self._next = 0
        self._begin_of_assembly: int | None = None

    def read(self) -> None:
        """Reads all lines."""
        for line, record in enumerate(self._records):
            if isinstance(record, Shape):
                if self._run is not None:
                    self._end_run()
                if record.opcode.startswith("bra") and record.opcode[3:4] in ("", "."):
                    self._branch(self.lines[line], line)
            elif isinstance(record, MultiLine):
                if line >= self._next:
                    self._next = run_stop(self._records, line)
                    self._end_run()
                    self._statements(record, line)
            else:
                self._plain(record, line)

    def finish(self, close: int | None) -> tuple[Fold, ...]:
        """Returns the folds. `close`: the line on which the body ends."""
        self._end_run()
        if self._open:
            first, kind, text = self._open[0]
            if close is not None:
                self._add(first, close, kind, text, keeps_last=True)
            elif kind is FoldKind.BODY:  # it is never closed
                self._add(first, self._last(first), kind, text)
        while self._scopes:
            self._end_scope()
        return tuple(self._folds)

    def _last(self, first: int) -> int:
        """Returns the last line from `first` on that is neither blank nor a comment."""
        for line in range(len(self.lines) - 1, first, -1):
            if self._records[line].kind is not Kind.COMMENT and self.lines[line].strip():
                return line
        return first

    def _end_scope(self) -> None:
        """Adds the loops of the innermost scope; labels repeat in scopes of inline assembly."""
        labels, loops = self._scopes.pop()
        for name, last in loops.items():
            self._add(labels[name], last, FoldKind.LOOP, f"{name}: ...")

    def _plain(self, record: Record, line: int) -> None:
        kind = record.kind
        if kind is Kind.COMMENT:
            mark = self.lines[line].strip()
            if mark in (_BEGIN_ASSEMBLY, _END_ASSEMBLY):
                self._end_run()
                self._assembly(mark, line)
            else:
                self._extend(FoldKind.COMMENT, line)
        elif kind is Kind.LOCATION:
            self._extend(FoldKind.LOCATIONS, line)
        elif kind is Kind.DECLARATION:
            is_register = self.lines[line].lstrip().startswith(".reg")
            if is_register:
                self._extend(FoldKind.DECLARATIONS, line)
            else:
                self._end_run()
        elif kind is not Kind.BLANK or (self._run and self._run[0] is FoldKind.COMMENT):
            self._end_run()
            if kind is Kind.LABEL and (label := label_at(self.lines[line])):
                self._scopes[-1].labels.setdefault(label, line)
            elif kind in (Kind.OPEN, Kind.CLOSE, *FUNCTION_HEADS, Kind.SECTION):
                self._brace(kind, line, self.lines[line])

    def _assembly(self, mark: str, line: int) -> None:
        """Reads a comment around inline assembly; its statements are one fold."""
        if mark == _BEGIN_ASSEMBLY:
            self._begin_of_assembly = line
        elif self._begin_of_assembly is not None:
            first, self._begin_of_assembly = self._begin_of_assembly, None
            text = f"{_BEGIN_ASSEMBLY} ... ({line - first - 1} lines)"
            self._add(first, line, FoldKind.ASSEMBLY, text)

    def _extend(self, kind: FoldKind, line: int) -> None:
        """Adds a line to the run of lines of its kind, or begins another run."""
        if self._run is None or self._run[0] is not kind:
            self._end_run()
            self._run = kind, line, line
        else:
            self._run = kind, self._run[1], line

    def _end_run(self) -> None:
        if self._run is None:
            return
        kind, first, last = self._run
        self._run = None
        count = last - first + 1
        first_line = _shortened(self.lines[first])
        text = f"{first_line} ... ({count} lines)"
        self._add(first, last, kind, text)

    def _branch(self, text: str, line: int) -> None:
        target = text.partition(";")[0].rstrip().rpartition(" ")[2].lstrip()
        for scope in reversed(self._scopes[-_MAX_SCOPE_DEPTH:]):
            if target in scope.labels:
                scope.loops[target] = line
                break

    def _brace(self, kind: Kind, line: int, text: str) -> None:
        if kind is Kind.CLOSE:
            if self._open:
                first, what, shown = self._open.pop()
                self._add(first, line, what, shown, keeps_last=True)
            if len(self._scopes) > 1:
                self._end_scope()
        elif kind is not Kind.FUNCTION_DECLARATION:
            what = _BRACES.get(kind, FoldKind.SCOPE)
            self._open.append((line, what, f"{_shortened(text)}...}}"))
            self._scopes.append(_Scope({}, {}))

    def _statements(self, run: MultiLine, line: int) -> None:
        """Reads the statements of a run."""
        for piece in run.pieces:
            first, last = line + piece.start[0], line + piece.end[0]
            kind = piece.record.kind
            text = self.lines[first]
            if kind in FUNCTION_HEADS:
                self._head(piece, first, last)
            elif kind in (Kind.OPEN, Kind.CLOSE, Kind.SECTION):
                self._brace(kind, last, text)
            elif kind is Kind.LABEL and (label := label_at(text, piece.start[1])):
                self._scopes[-1].labels.setdefault(label, first)
            elif kind is Kind.DECLARATION:
                self._add(first, last, FoldKind.INITIALISER, f"{_shortened(text)}...")
            elif isinstance(piece.record, Shape) and piece.record.opcode.startswith("bra"):
                start = piece.start[1] if first == last else 0
                self._branch(self.lines[last][start : piece.end[1]], last)
        self._comments(run, line)

    def _head(self, piece: Piece, first: int, last: int) -> None:
        """Reads a head over several lines: its parameters are one fold, the body another."""
        lines = self.lines
        is_definition = piece.record.kind is Kind.FUNCTION
        opened = next((row for row in range(first, last + 1) if "(" in lines[row]), last)
        closed = next((row for row in range(last, opened, -1) if ")" in lines[row]), opened)
        shown = f"{_shortened(lines[opened], '(')}(...)"
        self._add(opened, closed, FoldKind.PARAMETERS, shown, keeps_last=True)
        if is_definition:
            self._open.append((last, FoldKind.BODY, "{...}"))
            self._scopes.append(_Scope({}, {}))

    def _comments(self, run: MultiLine, line: int) -> None:
        """Reads comments over several lines before, between and after statements."""
        stop = self._next
        ends = [line + piece.start[0] for piece in run.pieces]
        starts = [line, *(line + piece.end[0] for piece in run.pieces)]
        for first, last in zip(starts, [*ends, stop - 1], strict=True):
            if first == last:
                continue
            for start, end in _comments_between(self.lines, first, last):
                text = _shortened(self.lines[start])
                self._add(start, end, FoldKind.COMMENT, f"{text} ... ({end - start + 1} lines)")

    def _add(
        self, first: int, last: int, kind: FoldKind, text: str, *, keeps_last: bool = False
    ) -> None:
        if last > first:
            self._folds.append(Fold(first, last, kind, text, keeps_last))


_BRACES: Final = {Kind.FUNCTION: FoldKind.BODY, Kind.SECTION: FoldKind.SECTION}


def _comments_between(lines: Sequence[str], first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yields the first and last lines of comments over several lines among [first, last]."""
    line = first
    while line <= last:
        start, text = line, lines[line]
        column = text.rfind("/*")
        if text.lstrip().startswith("//"):
            while line < last and lines[line + 1].lstrip().startswith("//"):
                line += 1
            yield start, line
        elif column >= 0 and "*/" not in text[column:]:
            while line < last and "*/" not in lines[line + 1]:
                line += 1
            line = min(line + 1, last)
            if "*/" in lines[line]:
                yield start, line
        line += 1


def _shortened(line: str, suffix: str = "") -> str:
    """Returns the beginning of a line, without its indentation and `suffix`, to show for a fold."""
    text = " ".join(after(line, 0).strip().removesuffix(suffix).split())
    return text if len(text) <= _MAX_COLLAPSED_LENGTH else f"{text[: _MAX_COLLAPSED_LENGTH - 3]}..."
