"""Keeps the diagnostics of a document fresh without holding up an edit or a hover.

The function that was edited is checked at once, on the event loop, unless it is long. Where an
edit changes more, it restarts a short timer; when that runs out, what is due is handed to a
worker thread, which keeps the results with the functions. An edit meanwhile stops the work; what
it left undone is handed out again after the next pause.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import TYPE_CHECKING, Final

from ptx_ls.lint import LintSession, LintSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

    from ptx_ls.document.document import Document
    from ptx_ls.lint.known import KnownDiagnostics
    from ptx_ls.source import Diagnostic

_log = logging.getLogger(__name__)

MAX_LINES_NOW: Final = 3_000
"""Lines of a function that is checked at each edit of it; that takes some 4 ms."""
MAX_LINES_ASKED: Final = 10_000
"""Lines of functions that are checked while an editor waits for what it asked."""


class Checker:
    """The checks of one document. For the thread of the event loop alone.

    `document` gives the present version when it is needed: a large text is read meanwhile.

    Attributes:
        is_fresh: set while the diagnostics are those of the present text.
    """

    def __init__(
        self,
        document: Callable[[], Document],
        settings: LintSettings,
        executor: Executor,
        on_fresh: Callable[[], None],
    ) -> None:
        self.is_fresh = asyncio.Event()
        self._document, self._settings = document, settings
        self._executor = executor
        self._on_fresh = on_fresh
        self._timer: asyncio.TimerHandle | None = None
        self._stop: threading.Event | None = None  # while work is being done
        self._check_soon: asyncio.Handle | None = None  # of the edited function
        self._is_closed = False
        self._known_session: LintSession | None = None

    @property
    def _session(self) -> LintSession:
        """The session, of the present version."""
        document = self._document()
        if self._known_session is None:
            self._known_session = LintSession(document, self._settings)
        self._known_session.document = document
        return self._known_session

    def check_after(self, delay: float, lines: tuple[int, int] | None = None) -> None:
        """Checks what changed, after `delay` seconds without another call.

        `lines`: the first and the last one of an edit. If they are of a function that says the
        same to the module as before, and nothing else is due, they are checked without a delay.
        """
        self._pause()
        self.is_fresh.clear()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(delay, self._time_out)
        if lines is not None:
            self._check_soon = loop.call_soon(self._check_now, *lines)

    def _check_now(self, first: int, last: int) -> None:
        """Checks the function of an edit, and has done if nothing else is due."""
        self._check_soon = None
        if self._stop is not None or self._session.at_once(first, last, MAX_LINES_NOW) is None:
            return
        self.hurry()

    def hurry(self) -> None:
        """Checks at once what would be checked after a pause."""
        if self._timer is not None:
            self._timer.cancel()
            self._time_out()

    def close(self) -> None:
        """Stops checking. Who waits for fresh diagnostics waits no longer."""
        self._pause()
        self._is_closed = True
        self.is_fresh.set()

    @property
    def known(self) -> KnownDiagnostics:
        """What is known so far, for any thread."""
        return self._session.known

    def within(self, first: int, last: int) -> list[Diagnostic]:
        """What is known so far of lines; of a function that changed since, nothing."""
        return self._session.within(first, last)

    def at_once(self, first: int, last: int) -> list[Diagnostic] | None:
        """What touches lines of the present text; None if that has to be waited for."""
        if self.is_fresh.is_set():
            return self.within(first, last)
        return self._session.at_once(first, last, MAX_LINES_ASKED, is_alone=self._stop is None)

    def of_rule(self, rule: str) -> Iterator[Diagnostic]:
        """What is known so far of one rule, in the order of the text."""
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
        if self._stop is None:  # else it goes on as soon as the stopped work is back
            self._go_on()

    def _go_on(self) -> None:
        """Has what is due checked by the worker."""
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
        if error is not None:  # wait for another edit: the same again would fail again
            _log.error("a document could not be checked", exc_info=error)
            self.is_fresh.set()
            self._on_fresh()
            return
        if self._timer is None:
            self._go_on()
