"""Ranges that an editor can fold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.features.structure.folding import Fold, FoldKind
from ptx_ls.features.structure.folding import folds as find_folds
from ptx_ls.server.protocol.encoding import Encoded, of_list
from ptx_ls.server.scheduling.answers import answered
from ptx_ls.source.columns import to_units
from ptx_ls.source.lines import content_length

if TYPE_CHECKING:
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session

_KINDS: Final = {
    FoldKind.COMMENT: types.FoldingRangeKind.Comment.value,
    FoldKind.SECTION: types.FoldingRangeKind.Region.value,
}


async def folding(
    session: Session, opened: OpenDocument, _params: types.FoldingRangeParams
) -> Encoded:
    """Finds the ranges that can be folded."""
    able = get_capability(session.capabilities, "text_document.folding_range")
    if able is None:
        able = types.FoldingRangeClientCapabilities()
    return await answered(session, opened, lambda text: _listed(text, able))


def _listed(opened: OpenDocument, able: types.FoldingRangeClientCapabilities) -> Encoded:
    found = find_folds(opened.document)
    if able.range_limit is not None and len(found) > able.range_limit:
        largest = sorted(found, key=lambda fold: fold.first - fold.last)
        found = sorted(largest[: able.range_limit], key=lambda fold: (fold.first, -fold.last))
    has_text = bool(able.folding_range and able.folding_range.collapsed_text)
    rows: list[str] = []
    for fold in found:
        converted = _converted(opened, fold, is_whole=bool(able.line_folding_only))
        if has_text:
            converted["collapsedText"] = fold.text
        if converted["endLine"] > converted["startLine"]:
            rows.append(json.dumps(converted))
    return of_list(rows)


def _converted(opened: OpenDocument, fold: Fold, *, is_whole: bool) -> dict[str, Any]:
    """Converts a fold; `is_whole`: whether the editor folds whole lines only."""
    last = fold.last - 1 if is_whole and fold.keeps_last else fold.last
    result: dict[str, Any] = {"startLine": fold.first, "endLine": last}
    if not is_whole:
        lines = opened.document.lines
        first_line, last_line = lines[fold.first], lines[fold.last]
        end = content_length(last_line)
        if fold.keeps_last:
            end = max(last_line.find("}"), last_line.find(")"), 0)
        start = content_length(first_line)
        result["startCharacter"] = to_units(first_line, start, opened.unit)
        result["endCharacter"] = to_units(last_line, end, opened.unit)
    if fold.kind in _KINDS:
        result["kind"] = _KINDS[fold.kind]
    return result
