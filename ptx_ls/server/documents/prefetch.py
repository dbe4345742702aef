"""Computes answers that a client will soon request, for a document that it has just opened.

Editors request all semantic tokens about 200 ms after opening a document, and decode them slowly,
so the tokens are found while a worker checks the document. No tokens of a large document are
prefetched, because editors request only those on the screen; names and functions that never return,
which take longest when a function is first shown, are prefetched instead.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from pygls.capabilities import get_capability

from ptx_ls.document.cancellation import WorkCancelledError, cancellable

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.server.documents.host import DocumentHost
    from ptx_ls.server.documents.open_documents import OpenDocument

_PAUSE: Final = 0.02
"""Seconds left to the requests that a client sends at once."""


async def prefetch(session: DocumentHost, opened: OpenDocument) -> None:
    """Finds the semantic tokens of a document, unless they are requested first."""
    able = get_capability(session.capabilities, "text_document.semantic_tokens")
    if able is None or not able.requests.full:
        return
    await asyncio.sleep(_PAUSE)
    if session.get(opened.uri) is opened:
        from ptx_ls.server.handlers import semantic_tokens  # noqa: PLC0415  see language_server

        await semantic_tokens.prefetch(session, opened)


async def prefetch_large(session: DocumentHost, opened: OpenDocument) -> None:
    """Finds the names of a module, and its functions that never return."""
    from ptx_ls.flow import graphs  # noqa: PLC0415  see language_server
    from ptx_ls.semantics.symbols import module_names  # noqa: PLC0415

    document = opened.document

    def work(should_stop: Callable[[], bool]) -> None:
        with (
            suppress(WorkCancelledError),
            cancellable(lambda: should_stop() or session.get(opened.uri) is not opened),
        ):
            module_names.module_names(document)
            graphs.never_returning(document)

    await session.run(work)
