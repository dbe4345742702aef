"""Turns positions in the diagnostics of a function into positions in its document."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import Extent, outwards
from ptx_ls.source import Diagnostic, Fix, Offers, Position, Range, RelatedRange, Single, TextEdit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def placed(diagnostic: Diagnostic, start: Position, places: Mapping[str, Range]) -> Diagnostic:
    """Returns a diagnostic of a function that starts at `start`, with positions in the document.

    `places`: where the values of `.version` and `.target` are, and where the module declares names.
    """
    return Diagnostic(
        _outwards(diagnostic.range, start),
        diagnostic.rule,
        diagnostic.severity,
        diagnostic.message,
        tuple(
            [_placed_fix(fix, start, places) for fix in diagnostic.ready if _is_placed(fix, places)]
        ),
        tuple(
            [
                RelatedRange(places[r.name] if r.name else _outwards(r.range, start), r.message)
                for r in diagnostic.related
                if not r.name or r.name in places
            ]
        ),
        diagnostic.tags,
        tuple([Single(_outwards(each.range, start), each.message) for each in diagnostic.singles]),
        diagnostic.offers and Offers(partial(_placed_offers, diagnostic.offers, start)),
        diagnostic.targets,
        diagnostic.own_severity,
    )


def touching(diagnostics: Iterable[Diagnostic], first: int, last: int) -> list[Diagnostic]:
    """Returns the diagnostics that touch the lines from `first` to `last`."""
    return [
        one for one in diagnostics if one.range.start.line <= last and one.range.end.line >= first
    ]


def _is_placed(fix: Fix, header: Mapping[str, Range]) -> bool:
    return all(name in header for name, _ in fix.header)


def _placed_offers(offers: Offers, start: Position) -> tuple[Fix, ...]:
    return tuple(_placed_fix(fix, start, {}) for fix in offers.fixes())


def _placed_fix(fix: Fix, start: Position, header: Mapping[str, Range]) -> Fix:
    edits = [TextEdit(_outwards(edit.range, start), edit.new_text) for edit in fix.edits]
    edits += [TextEdit(header[name], value) for name, value in fix.header]
    return Fix(fix.title, tuple(edits), fix.applicability)


def _outwards(place: Range, start: Position) -> Range:
    origin = Extent(*start)
    return Range(*[Position(*outwards(each, origin)) for each in place])
