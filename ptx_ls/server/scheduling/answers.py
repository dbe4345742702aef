"""Long answers about an open document, made on a thread from one version of its text."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

from pygls.exceptions import JsonRpcContentModified

from ptx_ls.document.cancellation import WorkCancelledError, cancellable

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.server.documents.host import DocumentHost
    from ptx_ls.server.documents.open_documents import OpenDocument

Result = TypeVar("Result")

_MAX_TRIES: Final = 4


async def answered(
    host: DocumentHost, opened: OpenDocument, work: Callable[[OpenDocument], Result]
) -> Result:
    """Runs work on a thread and returns its result; an edit of the document restarts it.

    `work` gets a copy of the document that no edit changes. It begins once the client has read most
    of what it was sent (see `back_pressure.py`), and ends early when the answer is cancelled.

    Raises:
        JsonRpcContentModified: if edits come faster than an answer can be made.
    """
    async with opened.pressure.turn():
        for _ in range(_MAX_TRIES):
            with suppress(JsonRpcContentModified):
                return await answered_once(host, opened, work)
    raise JsonRpcContentModified


async def answered_once(
    host: DocumentHost, opened: OpenDocument, work: Callable[[OpenDocument], Result]
) -> Result:
    """Does the same as `answered`, but at once and without a second attempt.

    Raises:
        JsonRpcContentModified: if the document changes before the answer is made.
    """
    revision, snapshot = opened.revision, opened.snapshot()

    def run(should_stop: Callable[[], bool]) -> Result:
        with cancellable(lambda: should_stop() or opened.revision != revision):
            return work(snapshot)

    with suppress(WorkCancelledError):
        result = await host.run(run)
        if opened.revision == revision:
            return result
    raise JsonRpcContentModified("the document has changed")
