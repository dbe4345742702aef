"""Keeps the diagnostics of a document fresh without holding up an edit or a hover.

A worker thread checks the edited function a moment after each edit, and keeps the result. If
the edit made other functions due, a short timer restarts with each edit, and the worker checks them
when it runs out; in a small module, it continues at once. An edit stops that work.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import TYPE_CHECKING, Final

from ptx_ls.lint import LintSession
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.server.diagnostics.typing_session import TypingSession

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

    from ptx_ls.document.document import Document
    from ptx_ls.lint.results.known_diagnostics import KnownDiagnostics
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.server.documents.open_documents import EditedLines
    from ptx_ls.source import Diagnostic

_log = logging.getLogger(__name__)

_MAX_SMALL_MODULE: Final = 1_000
"""Maximum number of functions of a module that is checked without a pause between edits."""
_MOMENT: Final = 0.010
"""Seconds after an edit in which requests are answered before the worker starts."""
_PAUSE: Final = 0.7
"""Seconds without a key after which the lines that are being typed are taken as finished."""


class Checker:
    """The checks of one document. Use it on the event loop only.

    `document` returns the current version; it is called late, as a large text takes time to read.
    `settings`: the settings of rules; if None, nothing is checked before `begin`.
    `on_pause` is called after a pause in typing if diagnostics that were held back are now known.

    Attributes:
        is_fresh: set while the diagnostics are those of the current text.
    """

    def __init__(
        self,
        document: Callable[[], Document],
        settings: RuleSettings | None,
        executor: Executor,
        on_fresh: Callable[[], None],
        on_pause: Callable[[], None] | None = None,
    ) -> None:
        self.is_fresh = asyncio.Event()
        self._document, self._settings = document, settings
        self._executor = executor
        self._on_fresh, self._on_pause = on_fresh, on_pause
        self._typing = TypingSession(self._session_of, waits_for_keys=on_pause is not None)
        self._pausing: asyncio.TimerHandle | None = None  # runs out when no key is pressed
        self._timer: asyncio.TimerHandle | None = None
        self._stop: threading.Event | None = None  # None unless work is in progress
        self._soon: asyncio.TimerHandle | None = None  # starts the worker soon after an edit
        self._wanted: tuple[int, int] | None = None  # lines to check before all else
        self._is_of_lines = False  # whether the work in progress is for certain lines
        self._has_returned = asyncio.Event()  # set whenever the worker returns
        self._is_closed = False
        self._waits = False  # whether work is due, but `begin` has not been called
        self._known_session: LintSession | None = None

    @property
    def _session(self) -> LintSession:
        """The session for the current version."""
        document = self._document()
        if self._known_session is None:
            self._known_session = self._session_of(document)
        self._known_session.document = document
        return self._known_session

    def _session_of(self, document: Document) -> LintSession:
        return LintSession(document, self._settings or DEFAULT_RULES)

    def begin(self, settings: RuleSettings) -> None:
        """Starts checking with these settings of rules, which a new checker may wait for."""
        self._settings, self._known_session = settings, None
        self._has_returned.set()
        if self._waits:
            self._waits = False
            self._go_on()

    def check_after(self, delay: float, edit: EditedLines | None = None) -> None:
        """Checks the changed functions, after `delay` seconds without another call.

        `edit`: the lines of an edit, which are checked without a delay.
        """
        self._pause()
        self.is_fresh.clear()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(delay, self._time_out)
        self._typing.follow(self._document(), edit)
        if edit is None:
            return
        self._wanted = edit.first, edit.last
        self._soon = loop.call_later(_MOMENT, self._start_soon)
        if self._typing.expects_more:
            self._pausing = loop.call_later(_PAUSE, self._end_key)

    def end_typing(self) -> None:
        """Shows the diagnostics of the text as it is, even if a statement is being typed.

        Call it when the user saves the text.
        """
        self._typing.end()
        self._tell_of_pause()

    def _end_key(self) -> None:
        """Takes the last key as the end of what is typed, because none was pressed for a while."""
        self._pausing = None
        self._typing.pause()
        self._tell_of_pause()

    def _tell_of_pause(self) -> None:
        if self._on_pause is None or not self.is_fresh.is_set():
            return
        if self._typing.has_more(self._session):
            self._on_pause()

    async def checked(self, first: int, last: int) -> list[Diagnostic]:
        """Returns the diagnostics that touch lines of the current text, once they are checked.

        If the document is edited during the wait, lines are those of the new text.
        """
        while not self.is_fresh.is_set() and (
            self._settings is None or self._session.pending((first, last)) is not None
        ):
            self._has_returned.clear()
            self._check_first(first, last)
            await self._has_returned.wait()
        return self.within(first, last)

    def close(self) -> None:
        """Stops checking, and ends every wait for fresh diagnostics."""
        self._pause()
        self._is_closed = True
        self.is_fresh.set()
        self._has_returned.set()

    @property
    def known(self) -> KnownDiagnostics:
        """The diagnostics known so far, for any thread; see `TypingSession.shown`."""
        return self._typing.shown(self._session)

    def within(self, first: int, last: int) -> list[Diagnostic]:
        """Returns the known diagnostics of lines; none of a function that changed since."""
        return self._session.within(first, last)

    def of_rule(self, rule: str) -> Iterator[Diagnostic]:
        """Yields the known diagnostics of one rule, in the order of the text."""
        return self._session.of_rule(rule)

    def _pause(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        if self._pausing is not None:
            self._pausing.cancel()
            self._pausing = None
        if self._stop is not None:
            self._stop.set()

    def _start_soon(self) -> None:
        """Starts the worker after an edit, unless it is still busy with work that was stopped."""
        self._soon = None
        if self._stop is None:
            self._go_on()

    def _time_out(self) -> None:
        self._timer = None
        if self._stop is None:  # else work continues when the stopped run returns
            self._go_on()

    def _check_first(self, first: int, last: int) -> None:
        """Lets the worker check the functions of lines before it continues with others."""
        self._wanted = first, last
        if self._stop is None:
            self._go_on()
        elif not self._is_of_lines:  # else two waiting requests could stop each other forever
            self._stop.set()

    def _go_on(self) -> None:
        """Starts the worker on requested functions, then on those that are due, unless paused."""
        if self._is_closed:
            return
        if self._settings is None:
            self._waits = True
            return
        wanted, self._wanted = self._wanted, None
        work = self._session.pending(wanted) if wanted is not None else None
        self._is_of_lines = work is not None
        if work is None:
            work = self._session.pending()
            is_small = self._document().n_leaves <= _MAX_SMALL_MODULE
            if work is not None and self._timer is not None and not is_small:
                return
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
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
        self._has_returned.set()
        if self._is_closed or done.cancelled():
            return
        error = done.exception()
        if error is not None:  # wait for another edit: a retry would fail again
            _log.error("a document could not be checked", exc_info=error)
            self._pause()
            self.is_fresh.set()
            self._on_fresh()
            return
        if self._soon is None:
            self._go_on()
