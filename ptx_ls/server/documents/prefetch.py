"""Computes answers that a client will soon ask for, about a document that it has just opened.

Editors wait some 200 ms until they ask for all semantic tokens, and are slow to decode them, so
these are found while a worker checks the document. Of a large document no tokens are prefetched,
because editors ask only for those on the screen, but what takes longest when a function is shown
first.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from pygls.exceptions import JsonRpcContentModified

from ptx_ls.server.client_state.legend import semantic_tokens_of
from ptx_ls.server.scheduling.cooperative import in_silence

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ptx_ls.server.documents.host import DocumentHost
    from ptx_ls.server.documents.open_documents import OpenDocument

_PAUSE: Final = 0.02
"""Seconds for what a client asks at once."""


async def prefetch(session: DocumentHost, opened: OpenDocument) -> None:
    """Finds the semantic tokens of a document, unless somebody asks for them first."""
    able = semantic_tokens_of(session.capabilities)
    if able is None or not able.requests.full:
        return
    await asyncio.sleep(_PAUSE)
    if session.get(opened.uri) is opened:
        from ptx_ls.server.handlers import semantic_tokens  # noqa: PLC0415  see language_server

        with suppress(JsonRpcContentModified):
            await semantic_tokens.prefetch(session, opened)


async def prefetch_large(
    session: DocumentHost, opened: OpenDocument, silence: Callable[[], float]
) -> None:
    """Finds names, and how lines are coloured, whenever the client is silent.

    `silence` tells for how many seconds nothing came.
    """
    from ptx_ls.flow import graphs  # noqa: PLC0415  see language_server
    from ptx_ls.semantics.symbols import module_names  # noqa: PLC0415
    from ptx_ls.server.handlers import semantic_tokens  # noqa: PLC0415

    def steps() -> Generator[None, None, None]:
        yield from module_names.module_names_in_steps(opened.document)
        yield from graphs.never_returning_in_steps(opened.document)
        if semantic_tokens_of(session.capabilities) is not None:
            yield from semantic_tokens.prefetch_forms(session, opened)

    def open_steps() -> Generator[None, None, None]:
        for _ in steps():
            if session.get(opened.uri) is not opened:
                return
            yield

    await in_silence(opened, open_steps, silence)
