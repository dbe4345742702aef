"""Finds every place that means a symbol, and labels far away, without holding up the event loop.

The text is searched on a thread; matches are confirmed on the event loop, a few milliseconds
at a time.
"""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import TYPE_CHECKING, Final

from pygls.exceptions import JsonRpcContentModified

from ptx_ls.features.navigation.goto_label import label_at, label_lines, label_links
from ptx_ls.features.navigation.references import shown
from ptx_ls.features.rename.rename import check, replacements
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.name_search import Sought, candidates, candidates_in_function
from ptx_ls.semantics.symbols.occurrences import confirmed

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.features.navigation.goto import DefinitionLink
    from ptx_ls.features.rename.rename import Renamable, Replacement
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.source import Position, Range

_MAX_LINES_WITHOUT_THREAD: Final = 5000
"""Maximum number of lines that are searched on the loop: waking a thread takes longer."""
_MAX_LINES_ON_LOOP: Final = 100_000
"""Lines from which on a function is not searched on the loop."""
_SECONDS_OF_STEP: Final = 0.004
"""Seconds for which the loop may be held up."""


async def find(session: Session, opened: OpenDocument, wanted: Sought) -> list[Range]:
    """Returns all places of a document that mean a symbol, in order.

    Raises:
        JsonRpcContentModified: if the document changed meanwhile, so that the places are stale.
    """
    document, revision = opened.document, opened.revision
    first, stop = wanted.function or (0, 0)
    spans = wanted.elsewhere if stop - first <= _MAX_LINES_ON_LOOP else wanted.spans

    def work(should_stop: Callable[[], bool]) -> list[Range]:
        return [
            place
            for first, stop in spans
            for place in candidates(document.lines[first:stop], first, wanted, should_stop)
        ]

    if sum(stop - first for first, stop in spans) <= _MAX_LINES_WITHOUT_THREAD:
        places = work(_never)
    else:
        places = await session.run(work)
    _check(opened, revision)
    if spans is not wanted.spans:
        places = sorted({*places, *candidates_in_function(document, wanted)})
    found: list[Range] = []
    until = perf_counter() + _SECONDS_OF_STEP
    for place in confirmed(Analysis(opened.document), wanted, places):
        found.append(place)
        if perf_counter() > until:
            await asyncio.sleep(0)
            _check(opened, revision)
            until = perf_counter() + _SECONDS_OF_STEP
    return found


async def renamed(
    session: Session, opened: OpenDocument, asked: Renamable, new: str
) -> list[Replacement]:
    """Returns what replaces the places of a name in a document.

    Raises:
        JsonRpcContentModified: if the document changed meanwhile.
        RefusalError: if the name cannot become `new` there.
    """
    found = await find(session, opened, asked.wanted)
    places = shown(asked.wanted, found, include_declaration=True)
    analysis = Analysis(opened.document)
    check(analysis, asked, new, places)
    return list(replacements(analysis, asked, new, places))


async def find_label(
    session: Session, opened: OpenDocument, place: Position
) -> list[DefinitionLink]:
    """Returns the labels of functions that debug data names at a place.

    Raises:
        JsonRpcContentModified: if the document changed meanwhile.
    """
    name = label_at(Analysis(opened.document), place)
    if not name:
        return []
    document, revision = opened.document, opened.revision
    found = await session.run(lambda stop: label_lines(document.lines, name, stop))
    _check(opened, revision)
    return label_links(Analysis(opened.document), place, found)


def _never() -> bool:
    return False


def _check(opened: OpenDocument, revision: int) -> None:
    if opened.revision != revision:
        raise JsonRpcContentModified("the document has changed")
