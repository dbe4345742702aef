"""Keeps the diagnostics of a document fresh without holding up an edit or a hover.

The edited function is checked at once, on the event loop, unless it is long. An edit that changes
more restarts a short timer. When the timer runs out, a worker thread checks what is due and keeps
the results with the functions. An edit stops that work; what is left is scheduled again after the
next pause.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import TYPE_CHECKING, Final

from ptx_ls.lint import LintSession

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

    from ptx_ls.document.document import Document
    from ptx_ls.lint.known import KnownDiagnostics
    from ptx_ls.source import Diagnostic

_log = logging.getLogger(__name__)

MAX_LINES_NOW: Final = 3_000
"""Lines of the longest function that is checked at each edit of it; that takes some 4 ms."""
MAX_LINES_ASKED: Final = 10_000
"""Lines of functions that are checked while an editor waits for an answer."""


class Checker:
    """The checks of one document. Use it on the event loop only.

    `document` returns the present version when it is needed, since a large text is read meanwhile.

    Attributes:
        is_fresh: set while the diagnostics are those of the present text.
    """

    def __init__(
        self,
        document: Callable[[], Document],
        ignored: frozenset[str],
        executor: Executor,
        on_fresh: Callable[[], None],
    ) -> None:
        self.is_fresh = asyncio.Event()
        self._document, self._ignored = document, ignored
        self._executor = executor
        self._on_fresh = on_fresh
        self._timer: asyncio.TimerHandle | None = None
        self._stop: threading.Event | None = None  # while work is being done
        self._check_soon: asyncio.Handle | None = None  # of the edited function
        self._is_closed = False
        self._known_session: LintSession | None = None

    @property
    def _session(self) -> LintSession:
        """The session for the present version."""
        document = self._document()
        if self._known_session is None:
            self._known_session = LintSession(document, self._ignored)
        self._known_session.document = document
        return self._known_session

    def check_after(self, delay: float, lines: tuple[int, int] | None = None) -> None:
        """Checks what changed, after `delay` seconds without another call.

        `lines`: the first and the last line of an edit. If the interface of their function is
        unchanged, and nothing else is due, they are checked without a delay.
        """
        self._pause()
        self.is_fresh.clear()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(delay, self._time_out)
        if lines is not None:
            self._check_soon = loop.call_soon(self._check_now, *lines)

    def _check_now(self, first: int, last: int) -> None:
        """Checks the function of an edit, and finishes if nothing else is due."""
        self._check_soon = None
        if self._stop is not None or self._session.at_once(first, last, MAX_LINES_NOW) is None:
            return
        self.hurry()

    def hurry(self) -> None:
        """Checks at once, instead of after a pause."""
        if self._timer is not None:
            self._timer.cancel()
            self._time_out()

    def close(self) -> None:
        """Stops checking, and ends every wait for fresh diagnostics."""
        self._pause()
        self._is_closed = True
        self.is_fresh.set()

    @property
    def known(self) -> KnownDiagnostics:
        """The diagnostics known so far, for any thread."""
        return self._session.known

    def within(self, first: int, last: int) -> list[Diagnostic]:
        """Returns the known diagnostics of lines; none of a function that changed since."""
        return self._session.within(first, last)

    def at_once(self, first: int, last: int) -> list[Diagnostic] | None:
        """Returns the diagnostics that touch lines of the present text; None if that takes time."""
        if self.is_fresh.is_set():
            return self.within(first, last)
        return self._session.at_once(first, last, MAX_LINES_ASKED, is_alone=self._stop is None)

    def of_rule(self, rule: str) -> Iterator[Diagnostic]:
        """Yields the known diagnostics of one rule, in the order of the text."""
        return self._session.of_rule(rule)

    def _pause(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._check_soon is not None:
            self._check_soon.cancel()
            self._check_soon = None
        if self._stop is not None:
            self._stop.set()

    def _time_out(self) -> None:
        self._timer = None
        if self._stop is None:  # else work goes on when the stopped run returns
            self._go_on()

    def _go_on(self) -> None:
        """Lets the worker check what is due."""
        work = self._session.pending()
        if work is None:
            self.is_fresh.set()
            self._on_fresh()
            return
        self._stop = threading.Event()
        loop = asyncio.get_running_loop()
        running = loop.run_in_executor(self._executor, work.run, self._stop.is_set)
        running.add_done_callback(self._take_back)

    def _take_back(self, done: asyncio.Future[bool]) -> None:
        self._stop = None
        if self._is_closed or done.cancelled():
            return
        error = done.exception()
        if error is not None:  # wait for another edit: a retry would fail again
            _log.error("a document could not be checked", exc_info=error)
            self.is_fresh.set()
            self._on_fresh()
            return
        if self._timer is None:
            self._go_on()
