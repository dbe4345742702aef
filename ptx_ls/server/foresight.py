"""Finds what a client is going to ask of a document that it has just opened.

Editors wait some 200 ms until they ask for all semantic tokens, and are slow to decode them, so
these are found while a worker checks the document. Of a large document nothing is foreseen: there
is time for what is asked only.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from pygls.exceptions import JsonRpcContentModified

from ptx_ls.server.legend import semantic_tokens_of

if TYPE_CHECKING:
    from ptx_ls.server.documents import OpenDocument
    from ptx_ls.server.session import Session

_PAUSE: Final = 0.02
"""Seconds for what a client asks at once."""


async def foresee(session: Session, opened: OpenDocument) -> None:
    """Finds the semantic tokens of a document, unless somebody asks for them first."""
    able = semantic_tokens_of(session.capabilities)
    if able is None or not able.requests.full:
        return
    await asyncio.sleep(_PAUSE)
    if session.get(opened.uri) is opened:
        from ptx_ls.server.handlers import semantic_tokens  # noqa: PLC0415  see language_server

        with suppress(JsonRpcContentModified):
            await semantic_tokens.foresee(session, opened)
