"""Semantic tokens of a whole document, of some lines, or as changes to earlier ones."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from pygls.capabilities import get_capability

from ptx_ls.document.cancellation import WorkCancelledError, cancellable
from ptx_ls.features.tokens.semantic_tokens import Highlighter
from ptx_ls.features.tokens.token_changes import difference
from ptx_ls.features.tokens.token_patterns import Palette
from ptx_ls.features.tokens.token_rows import rows_of
from ptx_ls.server.client_state.legend import traits_for
from ptx_ls.server.documents.open_documents import SentTokens
from ptx_ls.server.protocol.encoding import Encoded
from ptx_ls.server.scheduling.answers import answered

if TYPE_CHECKING:
    from collections.abc import Callable

    from lsprotocol import types

    from ptx_ls.features.tokens.token_rows import PlacedRows
    from ptx_ls.server.documents.host import DocumentHost
    from ptx_ls.server.documents.open_documents import OpenDocument

_highlighters: WeakKeyDictionary[DocumentHost, Highlighter] = WeakKeyDictionary()
_ids: Final = map(str, count(1))


def _highlighter(host: DocumentHost, opened: OpenDocument) -> Highlighter:
    found = _highlighters.get(host)
    if found is None:
        able = get_capability(host.capabilities, "text_document.semantic_tokens")
        # An editor that colours PTX by itself says so, and needs no tokens for comments.
        has_comments = able is None or not able.augments_syntax_tokens
        palette = Palette(
            traits_for(able.token_modifiers if able is not None else ()), opened.unit, has_comments
        )
        found = _highlighters[host] = Highlighter(palette)
    return found


async def full(
    host: DocumentHost, opened: OpenDocument, _params: types.SemanticTokensParams
) -> Encoded:
    """Finds the tokens of a document."""
    highlighter = _asked(host, opened)
    rows, text = await answered(host, opened, lambda it: _with_text(highlighter.rows(it.document)))
    return _tokens(text, _keep(opened, rows))


async def delta(
    host: DocumentHost, opened: OpenDocument, params: types.SemanticTokensDeltaParams
) -> Encoded:
    """Finds the changes to the tokens sent before, or all tokens if these are not known."""
    highlighter = _asked(host, opened)
    rows = await answered(host, opened, lambda text: highlighter.rows(text.document))
    sent = opened.sent_tokens
    result_id = _keep(opened, rows)
    if sent is None or sent.result_id != params.previous_result_id:
        return _tokens(rows_of(rows), result_id)
    edit = difference(sent.rows, rows)
    if edit is None:
        return Encoded(f'{{"resultId":"{result_id}","edits":[]}}')
    start, n_deleted, new = edit
    head = f'{{"resultId":"{result_id}","edits":[{{"start":{start},"deleteCount":{n_deleted},'
    return Encoded(head + '"data":[', new, "]}]}")


async def between(
    host: DocumentHost, opened: OpenDocument, params: types.SemanticTokensRangeParams
) -> Encoded | None:
    """Finds the tokens of some lines, such as those in view."""
    first, stop = params.range.start.line, params.range.end.line + 1
    await host.wait(opened.uri)
    if host.get(opened.uri) is not opened:
        return None
    highlighter = _highlighter(host, opened)
    rows = await answered(
        host, opened, lambda text: highlighter.rows_between(text.document, first, stop)
    )
    return Encoded('{"data":[', rows, "]}")


async def prefetch(host: DocumentHost, opened: OpenDocument) -> None:
    """Finds the tokens of a document and keeps them with it; stops if they are requested."""
    highlighter, document = _highlighter(host, opened), opened.document

    def work(should_stop: Callable[[], bool]) -> None:
        with (
            suppress(WorkCancelledError),
            cancellable(lambda: should_stop() or opened.has_asked_for_tokens),
        ):
            highlighter.rows(document)

    await host.run(work)


def _asked(host: DocumentHost, opened: OpenDocument) -> Highlighter:
    """Returns the highlighter for a client that has requested all tokens of a document."""
    opened.has_asked_for_tokens = True
    return _highlighter(host, opened)


def _with_text(rows: tuple[PlacedRows, ...]) -> tuple[tuple[PlacedRows, ...], list[str]]:
    return rows, rows_of(rows)


def _tokens(rows: list[str], result_id: str) -> Encoded:
    return Encoded(f'{{"resultId":"{result_id}","data":[', rows, "]}")


def _keep(opened: OpenDocument, rows: tuple[PlacedRows, ...]) -> str:
    result_id = next(_ids)
    opened.sent_tokens = SentTokens(result_id, rows)
    return result_id
