"""The documents that the editor has open, kept up to date edit by edit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from ptx_ls.document.cancellation import cancellable
from ptx_ls.document.document import Document
from ptx_ls.document.history import History
from ptx_ls.document.partial_document import partial_document
from ptx_ls.server.documents import from_lsp
from ptx_ls.server.protocol.back_pressure import BackPressure
from ptx_ls.source import Position
from ptx_ls.source.columns import ColumnUnit
from ptx_ls.source.lines import split_lines
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.uris import normalized
from ptx_ls.syntax.reader import Reader

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from ptx_ls.features.tokens.token_rows import PlacedRows

_log = logging.getLogger(__name__)

_LINE_ENDS: Final = frozenset("\r\n")
_PAIRS: Final = frozenset({"()", "[]", '""'})
"""The texts that editors insert for an opening bracket or quotation mark."""


class SentTokens(NamedTuple):
    """The semantic tokens last sent to a client, which deltas refer to."""

    result_id: str
    rows: tuple[PlacedRows, ...]


class EditedLines(NamedTuple):
    """The first and the last line of an edit, as they are now.

    `expects_more`: whether it is a key within a line, after which more may follow.
    `is_key`: whether it inserts at most one character.
    """

    first: int
    last: int
    expects_more: bool
    is_key: bool


class OpenDocument:
    """A document as the editor has it.

    A large text is read on a thread. Meanwhile a hover is answered from the function at the cursor,
    if it depends on nothing else.

    Attributes:
        uri: as the editor spells it.
        version: the editor's version number of the current text.
        revision: our own number, which grows with each edit, whatever the editor counts.
        unit: the unit in which the editor counts columns.
        pressure: whether answers are held because the client is not reading.
        has_asked_for_tokens: whether the client has asked for all semantic tokens.
        sent_tokens: the tokens sent last.
        hovered: the revision at the last hover on a register.
    """

    __slots__ = (
        "_history",
        "_is_over",
        "_reader",
        "_reading",
        "_text",
        "has_asked_for_tokens",
        "hovered",
        "pressure",
        "revision",
        "sent_tokens",
        "unit",
        "uri",
        "version",
    )

    def __init__(
        self,
        item: types.TextDocumentItem,
        unit: ColumnUnit,
        *,
        is_late: bool = False,
        reader: Reader | None = None,
        pressure: BackPressure | None = None,
    ) -> None:
        """`is_late`: whether `read`, or the first caller that cannot wait, reads the text."""
        self.uri = item.uri
        self.version = item.version
        self.revision = 0
        self.unit = unit
        self.pressure = pressure or BackPressure()
        self.has_asked_for_tokens = False
        self.hovered = 0
        self.sent_tokens: SentTokens | None = None
        self._text, self._reader = item.text, reader
        self._history: History | None = None
        self._reading: Future[Document] | None = None
        self._is_over = asyncio.Event()
        if not is_late:
            _ = self.document

    @property
    def document(self) -> Document:
        """The current version of the text; each edit replaces it."""
        return self._versions.document

    @property
    def _versions(self) -> History:
        """The current version and former ones; reads the text if that has not been done."""
        if self._history is not None:
            return self._history
        reading = self._reading
        if reading is None or reading.cancel() or self._is_over.is_set():
            return self._keep(Document.read(self._text, self._reader))
        return self._keep(reading.result())

    @property
    def is_read(self) -> bool:
        """Whether the text has been read."""
        return self._history is not None

    async def read(self, executor: Executor) -> None:
        """Reads the text on a thread, unless a caller that cannot wait does so first."""
        reading = self._reading = executor.submit(self._read)
        try:
            await asyncio.gather(asyncio.wrap_future(reading), return_exceptions=True)
            if self._history is None and not self._is_over.is_set():
                self._keep(reading.result())
        finally:  # a failure recurs for each request, which reports it
            self.stop()

    def _read(self) -> Document:
        with cancellable(self._is_over.is_set):
            return Document.read(self._text, self._reader)

    def _keep(self, document: Document) -> History:
        if self._history is None:  # else a caller that could not wait has read and edited it
            self._history, self._text = History(document), ""
            self.stop()
        return self._history

    async def wait(self) -> None:
        """Waits until the text is read, or reading is stopped."""
        await self._is_over.wait()

    def stop(self) -> None:
        """Stops reading a text that no request waits for."""
        self._is_over.set()

    def partial(self, line: int) -> OpenDocument | None:
        """Returns the function around a line while the text is being read; None if impossible."""
        found = partial_document(self._text, line) if not self.is_read else None
        return None if found is None else self._with(found)

    def snapshot(self) -> OpenDocument:
        """Returns a copy that no edit changes, for work on a thread."""
        return self._with(self.document)

    def _with(self, document: Document) -> OpenDocument:
        item = types.TextDocumentItem(self.uri, "ptx", self.version, "")
        copy = OpenDocument(item, self.unit, is_late=True)
        copy._history = History(document)
        return copy

    def edit(
        self, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]
    ) -> EditedLines | None:
        """Applies edits one after another. Ranges outside the text are clamped.

        Returns the lines of a single edited range; None for other edits.
        """
        lines: EditedLines | None = None
        if version <= self.version:
            _log.warning("%s: version %s comes after %s", self.uri, version, self.version)
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = from_lsp.bounds(self, change.range)
                self._versions.edit(start, end, change.text)
                last = start.line + len(split_lines(change.text)) - 1
                expects_more = start.line == end.line and _expects_more(
                    change.text, end.column - start.column
                )
                lines = EditedLines(
                    start.line,
                    min(last, self.document.n_lines - 1),
                    expects_more=expects_more,
                    is_key=len(change.text) <= 1,
                )
            else:
                self._replace(change.text)
        self.version = version
        self.revision += 1
        return lines if len(changes) == 1 else None

    def _replace(self, text: str) -> None:
        """Replaces the text by editing the lines that differ, and keeps the facts of the others."""
        old, new = self.document.lines[:], split_lines(text)
        if old == new:
            return
        shorter = min(len(old), len(new))
        first = next(i for i in range(shorter) if old[i] != new[i])
        room = shorter - first
        n_same = next((i for i in range(room) if old[-1 - i] != new[-1 - i]), room)
        end = Position(len(old) - n_same, 0)
        changed = "".join(new[first : len(new) - n_same])
        self._versions.edit(Position(first, 0), end, changed)


def _expects_more(typed: str, n_removed: int) -> bool:
    """Whether an edit of one line is a key that does not end the line."""
    if not typed:
        return n_removed == 1
    return typed in _PAIRS or (len(typed) == 1 and typed not in _LINE_ENDS)


class OpenDocuments:
    """The open documents by URI. All spellings of a URI that name the same file are equal."""

    def __init__(self, unit: ColumnUnit, pressure: BackPressure | None = None) -> None:
        self._unit = unit
        self._pressure = pressure
        self._documents: dict[str, OpenDocument] = {}

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(self._documents.values())

    def get(self, uri: str) -> OpenDocument | None:
        """Returns a document; None if it is not open."""
        return self._documents.get(normalized(uri))

    def open(self, item: types.TextDocumentItem, *, is_late: bool = False) -> OpenDocument:
        """Adds a document, replacing one that was opened under the same URI."""
        document = OpenDocument(item, self._unit, is_late=is_late, pressure=self._pressure)
        self._documents[normalized(item.uri)] = document
        return document

    def close(self, uri: str) -> OpenDocument | None:
        """Removes a document and returns it; returns None if it was not open."""
        return self._documents.pop(normalized(uri), None)
