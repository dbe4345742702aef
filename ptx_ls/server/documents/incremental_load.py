"""Reads a large document a few milliseconds at a time, so that others have turns.

Meanwhile a hover is answered from the function at the cursor, if it depends on nothing else.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Final

from ptx_ls.document.document import Document
from ptx_ls.document.partial_document import partial_document

_TURN: Final = 0.004
"""Seconds of reading before messages that arrived meanwhile are handled."""

if TYPE_CHECKING:
    from collections.abc import Generator

    from ptx_ls.syntax.reader import Reader


class IncrementalLoad:
    """A text that is being made into a document."""

    def __init__(self, text: str, reader: Reader | None = None) -> None:
        self._text, self._reader = text, reader
        self._steps = self._begun()
        self._read: Document | None = None

    def go_on(self) -> Document | None:
        """Reads on for a moment; returns the document when it is read."""
        stop = perf_counter() + _TURN
        while self._read is None and perf_counter() < stop:
            self._step()
        return self._read

    def finish(self) -> Document:
        """Reads the rest of the text."""
        while self._read is None:
            self._step()
        return self._read

    def _step(self) -> None:
        try:
            next(self._steps)
        except StopIteration as done:
            self._read = done.value
        except Exception:
            self._steps = self._begun()  # a generator that raised would end as if it were done
            raise

    def _begun(self) -> Generator[None, None, Document]:
        return Document.reading(self._text, self._reader)

    def partial_document(self, line: int) -> Document | None:
        """Returns the function around a line alone; None if it is not known that early."""
        return partial_document(self._text, line)
