"""A line on the terminal that shows the progress of a long run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, Self

from ptx_ls.cli import console

if TYPE_CHECKING:
    from types import TracebackType

PATIENCE: Final = 1.0
"""Seconds after which progress is shown."""
INTERVAL: Final = 0.2
_ERASE: Final = "\r\x1b[K"


class ProgressBar:
    """A context that shows progress on standard error, if that is a terminal.

    Enter it after forking processes, since it starts a thread.

    Args:
        total: number of files.
        is_wanted: False to stay silent.
        verb: the activity to show.
    """

    def __init__(self, total: int, *, is_wanted: bool = True, verb: str = "Linting") -> None:
        self._verb = verb
        self.n_done = 0
        self._total = total
        self._is_shown = False
        self._is_wanted = is_wanted and console.is_terminal(sys.stderr)

    def __enter__(self) -> Self:
        if self._is_wanted:
            import threading

            self._ended = threading.Event()
            self._lock = threading.Lock()
            self._thread = threading.Thread(target=self._show, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._is_wanted:
            self._ended.set()
            self._thread.join()
            self.erase()

    def erase(self) -> None:
        """Clears the line for other output, until the next interval."""
        if self._is_wanted:
            with self._lock:
                if self._is_shown:
                    self._write(_ERASE)
                self._is_shown = False

    def _show(self) -> None:
        import time

        begin = time.monotonic()
        delay = PATIENCE
        while not self._ended.wait(delay):
            with self._lock:
                self._write(_ERASE + self._text(time.monotonic() - begin))
                self._is_shown = True
            delay = INTERVAL

    def _text(self, seconds: float) -> str:
        files = f", {self.n_done} of {self._total} files done" if self._total > 1 else ""
        return f"{self._verb} for {seconds:.0f} s{files}"

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except OSError:
            console.discard(sys.stderr)
