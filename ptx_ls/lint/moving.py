"""Diagnostics of a region put where the region stands in its module."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ptx_ls.source import Diagnostic, Fix, Offers, Position, Range, RelatedRange, Single, TextEdit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def moved(diagnostic: Diagnostic, lines: int, places: Mapping[str, Range]) -> Diagnostic:
    """The diagnostic `lines` further down.

    `places`: where `.version` and `.target` have values, and where the module declares names.
    """
    is_by_itself = not any(fix.header for fix in diagnostic.ready)
    if not lines and is_by_itself and not any(related.name for related in diagnostic.related):
        return diagnostic
    return Diagnostic(
        _down(diagnostic.range, lines),
        diagnostic.rule,
        diagnostic.severity,
        diagnostic.message,
        tuple(
            [_moved_fix(fix, lines, places) for fix in diagnostic.ready if _is_placed(fix, places)]
        ),
        tuple(
            [
                RelatedRange(places[r.name] if r.name else _down(r.range, lines), r.message)
                for r in diagnostic.related
                if not r.name or r.name in places
            ]
        ),
        diagnostic.tags,
        tuple([Single(_down(each.range, lines), each.message) for each in diagnostic.singles]),
        diagnostic.offers and Offers(partial(_moved_offers, diagnostic.offers, lines)),
    )


def touching(diagnostics: Iterable[Diagnostic], first: int, last: int) -> list[Diagnostic]:
    """Those of the diagnostics that touch the lines from `first` to `last`."""
    return [
        one for one in diagnostics if one.range.start.line <= last and one.range.end.line >= first
    ]


def _is_placed(fix: Fix, header: Mapping[str, Range]) -> bool:
    return all(name in header for name, _ in fix.header)


def _moved_offers(offers: Offers, lines: int) -> tuple[Fix, ...]:
    return tuple(_moved_fix(fix, lines, {}) for fix in offers.fixes())


def _moved_fix(fix: Fix, lines: int, header: Mapping[str, Range]) -> Fix:
    edits = [TextEdit(_down(edit.range, lines), edit.new_text) for edit in fix.edits]
    edits += [TextEdit(header[name], value) for name, value in fix.header]
    return Fix(fix.title, tuple(edits), fix.applicability)


def _down(place: Range, lines: int) -> Range:
    return Range(
        Position(place.start.line + lines, place.start.column),
        Position(place.end.line + lines, place.end.column),
    )
