"""Reports the progress of long work to a client that can show it, and lets the user stop it."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.server.protocol.encoding import Encoded, of_object, with_field

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from ptx_ls.server.client_state.client import Client

Token = int | str
_OWN: Final = "ptx-ls/{}"


class WorkDoneProgress:
    """A piece of work whose progress the client may show.

    Attributes:
        is_cancelled: whether the user wants it to stop.
        on_cancel: called when the user stops it.
    """

    def __init__(self, bars: ProgressBars, token: Token | None, title: str) -> None:
        self._bars = bars
        self._token = token
        self._title = title
        self._is_shown = False
        self._percentage = -1
        self.is_cancelled = False
        self.on_cancel: Callable[[], object] | None = None

    def cancel(self) -> None:
        """Stops the work."""
        self.is_cancelled = True
        if self.on_cancel is not None:
            self.on_cancel()

    def begin(self) -> None:
        """Shows the progress bar."""
        if self._token is None or self._bars.running.get(self._token) is not self:
            return  # it has ended already
        self._is_shown = True
        self._tell({"kind": "begin", "title": self._title, "cancellable": True, "percentage": 0})

    def report(self, n_done: int, n_all: int) -> None:
        """Reports the number of finished files, at most once for each percent."""
        percentage = 100 * n_done // max(n_all, 1)
        if self._is_shown and percentage != self._percentage:
            self._percentage = percentage
            message = f"{n_done:,} of {n_all:,} files"
            self._tell({"kind": "report", "message": message, "percentage": percentage})

    def end(self) -> None:
        """Removes the progress bar."""
        if self._is_shown:
            self._is_shown = False
            self._tell({"kind": "end"})
        if self._token is not None and self._bars.running.get(self._token) is self:
            del self._bars.running[self._token]

    def _tell(self, value: dict[str, Any]) -> None:
        assert self._token is not None  # noqa: S101  else nothing is shown
        self._bars.send(self._token, value)


class ProgressBars:
    """The progress bars of one session; `running` has the work in progress by token."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._numbers = count(1)
        self.running: dict[Token, WorkDoneProgress] = {}

    def start(self, title: str, token: Token | None = None) -> WorkDoneProgress:
        """Begins to show the progress of some work.

        Uses the token of the request, if it has one, or else asks the client to create a progress
        bar, if it supports that.
        """
        if token is not None:
            progress = self.running[token] = WorkDoneProgress(self, token, title)
            progress.is_cancelled = self._client.connection.work_done.is_unwanted(token)
            progress.begin()
            return progress
        able = get_capability(self._client.client_capabilities, "window.work_done_progress")
        if able is not True:
            return WorkDoneProgress(self, None, title)
        own = _OWN.format(next(self._numbers))
        progress = self.running[own] = WorkDoneProgress(self, own, title)

        def answered(answer: Future[None]) -> None:
            if not answer.cancelled() and answer.exception() is None:
                progress.begin()

        params = types.WorkDoneProgressCreateParams(own)
        asked = self._client.connection.request(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params)
        asked.add_done_callback(answered)
        return progress

    def cancel(self, token: Token) -> None:
        """Stops the work that the user has cancelled, at once or as soon as it begins."""
        self._client.connection.work_done.cancel(token)
        progress = self.running.get(token)
        if progress is not None:
            progress.cancel()

    def send(self, token: Token, value: dict[str, Any]) -> None:
        """Sends the progress of work."""
        self.send_part(token, of_object(value))

    def send_part(self, token: Token, value: Encoded) -> None:
        """Sends a part of a result."""
        params = with_field({"token": token}, "value", value)
        self._client.connection.sender.notify_json(types.PROGRESS, params)
