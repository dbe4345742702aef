"""Ranges that an editor can fold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.document.parts import part_fact, parts
from ptx_ls.features.structure.folding import Fold, FoldKind
from ptx_ls.features.structure.folding import folds as find_folds
from ptx_ls.server.documents.line_rows import (
    LineRows,
    RowWriter,
    constant,
    items_of,
    joined,
)
from ptx_ls.server.protocol.encoding import Encoded, of_list
from ptx_ls.server.scheduling.answers import answered
from ptx_ls.source.columns import to_units
from ptx_ls.source.lines import content_length

if TYPE_CHECKING:
    from ptx_ls.document.document import Document
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.source.columns import ColumnUnit

_KINDS: Final = {
    FoldKind.COMMENT: types.FoldingRangeKind.Comment.value,
    FoldKind.SECTION: types.FoldingRangeKind.Imports.value,
    FoldKind.LOCATIONS: types.FoldingRangeKind.Imports.value,
}
"""Editors can fold all imports when a file is opened; PTX has none, but debug data to skip."""
_NO_FOLD: Final = "null"
"""The row of a fold that an editor of whole lines has no use for."""


async def folding(
    session: Session, opened: OpenDocument, _params: types.FoldingRangeParams
) -> Encoded:
    """Finds the ranges that can be folded."""
    able = get_capability(session.capabilities, "text_document.folding_range")
    if able is None:
        able = types.FoldingRangeClientCapabilities()
    return await answered(session, opened, lambda text: listed(text, able))


def listed(opened: OpenDocument, able: types.FoldingRangeClientCapabilities) -> Encoded:
    """Lists the ranges that can be folded, as the client can show them."""
    is_whole = bool(able.line_folding_only)
    has_text = bool(able.folding_range and able.folding_range.collapsed_text)
    rows = joined(
        (part.first_line, _fold_rows(part, opened.unit, is_whole, has_text))
        for part in parts(opened.document)
    )
    found, sizes = items_of(rows), rows.marks
    if able.range_limit is not None and len(found) > able.range_limit:
        largest = sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True)
        found = [found[number] for number in sorted(largest[: able.range_limit])]
    return of_list([row for row in found if row != _NO_FOLD])


@part_fact(joined)
def _fold_rows(
    document: Document,
    unit: ColumnUnit,
    is_whole: bool,  # noqa: FBT001  inputs of facts are positional
    has_text: bool,  # noqa: FBT001
) -> LineRows:
    """Returns the folds of a part of a document, marked with their sizes in lines.

    `is_whole`: whether the editor folds whole lines only. `has_text`: whether it shows a text.
    """
    writer, found, items = RowWriter(document, unit), find_folds(document), list[str]()
    for fold in found:
        last = fold.last - 1 if is_whole and fold.keeps_last else fold.last
        if last <= fold.first:
            items.append(_NO_FOLD)
            continue
        text = f'{{"startLine": {writer.line(fold.first)}, "endLine": {writer.line(last)}'
        if not is_whole:
            text += _columns(document.lines[fold.first], document.lines[fold.last], fold, unit)
        if fold.kind in _KINDS:
            text += f', "kind": {constant(_KINDS[fold.kind])}'
        if has_text:
            text += f', "collapsedText": {constant(fold.text)}'
        items.append(f"{text}}}")
    return writer.rows(items, [fold.last - fold.first for fold in found])


def _columns(first_line: str, last_line: str, fold: Fold, unit: ColumnUnit) -> str:
    start, end = content_length(first_line), content_length(last_line)
    if fold.keeps_last:
        end = max(last_line.find("}"), last_line.find(")"), 0)
    start, end = to_units(first_line, start, unit), to_units(last_line, end, unit)
    return f', "startCharacter": {start}, "endCharacter": {end}'
