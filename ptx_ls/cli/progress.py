"""A bar on the terminal that shows the progress of a long run."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Self

from ptx_ls.cli import console

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from rich.progress import Progress

PATIENCE: Final = 1.0
"""Seconds after which progress is shown."""
INTERVAL: Final = 0.2


class ProgressBar:
    """A context that shows progress on standard error, if that is a terminal.

    Enter it after forking processes, since it starts a thread.

    Args:
        total: number of files.
        is_wanted: False to stay silent.
        verb: the activity to show.
        colour: the wish for colours, as `console.has_colour` has it.
    """

    def __init__(
        self, total: int, *, is_wanted: bool = True, verb: str = "Linting", colour: str = "auto"
    ) -> None:
        self._verb, self._colour = verb, colour
        self.n_done = 0
        self._total = total
        self._bar: Progress | None = None
        self._is_shown = False
        self._is_wanted = (
            is_wanted and console.is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"
        )

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
            self._erase()

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Clears the line, and keeps it clear while the block writes something else."""
        if not self._is_wanted:
            yield
            return
        with self._lock:
            self._erase()
            yield

    def _erase(self) -> None:
        if self._bar is not None and self._is_shown:
            self._is_shown = False
            try:
                self._bar.stop()
            except OSError:
                console.discard(sys.stderr)

    def _show(self) -> None:
        delay = PATIENCE
        try:
            while not self._ended.wait(delay):
                with self._lock:
                    self._draw()
                delay = INTERVAL
        except OSError:
            console.discard(sys.stderr)

    def _draw(self) -> None:
        if self._bar is None:
            is_counted = self._total > 1
            self._bar = _bar(self._colour, is_counted=is_counted)
            self._bar.add_task(self._verb, total=self._total if is_counted else None)
        if not self._is_shown:
            self._bar.start()
            self._is_shown = True
        self._bar.update(self._bar.task_ids[0], completed=self.n_done, refresh=True)


def _bar(colour: str, *, is_counted: bool) -> Progress:
    """Returns a bar that is drawn only when it is asked to be, with the count of files or not."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    class Terminal(Console):
        """A terminal whose cursor stays visible, even if the process is killed."""

        def show_cursor(self, show: bool = True) -> bool:  # noqa: FBT001, FBT002  as its base has it
            """Does nothing; returns False, as for a terminal without such a control."""
            del show
            return False

    has_colour = console.has_colour(sys.stderr, colour)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *([MofNCompleteColumn()] if is_counted else []),
        TimeElapsedColumn(),
        console=Terminal(file=sys.stderr, force_terminal=True, no_color=not has_colour),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
