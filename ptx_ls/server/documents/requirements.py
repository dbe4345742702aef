"""The requirements of open documents, computed on a thread on demand."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from ptx_ls.features.requirements.requirements import Requirements, requirements

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.document.document import Document
    from ptx_ls.server.documents.host import DocumentHost
    from ptx_ls.server.documents.open_documents import OpenDocument


class RequirementsCache:
    """The requirements of documents, each kept until its text changes."""

    def __init__(self) -> None:
        self._tasks: dict[OpenDocument, tuple[int, asyncio.Task[Requirements]]] = {}

    async def get(
        self, session: DocumentHost, opened: OpenDocument, patience: float | None = None
    ) -> Requirements | None:
        """Returns what a document needs; None if that takes longer than `patience` seconds.

        The work then continues, for the next call.
        """
        revision, task = self._tasks.get(opened, (None, None))
        if task is None or revision != opened.revision:
            if task is not None:
                task.cancel()
            work = partial(_work, opened.document)
            task = asyncio.ensure_future(session.run(work))
            self._tasks[opened] = opened.revision, task
        try:
            return await asyncio.wait_for(asyncio.shield(task), patience)
        except TimeoutError:
            return None

    def forget(self, opened: OpenDocument) -> None:
        """Drops the requirements of a document, and stops the work on them."""
        _, task = self._tasks.pop(opened, (0, None))
        if task is not None:
            task.cancel()


def _work(document: Document, should_stop: Callable[[], bool]) -> Requirements:
    return requirements(document.text, should_stop)
