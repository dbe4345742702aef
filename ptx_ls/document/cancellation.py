"""Cancels work on a document when an edit makes its result useless.

Before it computes a fact, a thread checks whether its work is cancelled. Facts are pure, and kept
only when they are complete, so cancelled work leaves no wrong facts.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import local
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class WorkCancelledError(Exception):
    """Raised if the work on this thread was cancelled."""


class _Work(local):
    """The work of a thread."""

    is_cancelled: Callable[[], bool] | None = None


_WORK = _Work()


@contextmanager
def cancellable(is_cancelled: Callable[[], bool]) -> Iterator[None]:
    """Returns a context for cancellable work on this thread.

    The work raises WorkCancelledError soon after `is_cancelled()` returns True.
    """
    before, _WORK.is_cancelled = _WORK.is_cancelled, is_cancelled
    try:
        yield
    finally:
        _WORK.is_cancelled = before


def check_cancelled() -> None:
    """Raises WorkCancelledError if the work on this thread was cancelled."""
    if _WORK.is_cancelled is not None and _WORK.is_cancelled():
        raise WorkCancelledError
