"""A register explained by its values: who wrote it, who reads it, how long it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.features import markup
from ptx_ls.features.markup import Markdown
from ptx_ls.flow.dataflow import (
    MAX_USES,
    live_range,
    reached_uses,
    reaching_definitions,
    usage,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.source import Position, Range

_MAX_DEFINITIONS: Final = 4
"""Definitions and stretches that are shown."""
_MAX_STATEMENT_LENGTH: Final = 120


def values(analysis: Analysis, declared: LocatedSymbol, name: str, position: Position) -> Markdown:
    """Markdown on the value that a register has where it is named at a position."""
    function = analysis.function_of(declared)
    is_parameter = function is not None and declared.symbol in function.parameters
    is_result = function is not None and declared.symbol in function.returns
    found = usage(analysis, name, position)
    if not (found.n_writes or found.n_reads):
        return markup.own("never used")
    written = _told("written", found.n_writes, "given by the caller" if is_parameter else "")
    read = _told("read", found.n_reads, "returned to the caller" if is_result else "")
    counted = f"{written}, {read} in this function"
    if found.is_many:
        counted = f"used more than {MAX_USES:,} times in this function"
    if found.is_many or not (found.is_write or found.is_read):
        return markup.escaped(counted)
    if found.is_write and not is_result and not reached_uses(analysis, name, position):
        live = "nothing reads the value that this writes"
    else:
        live = _live(live_range(analysis, name, position))
    return markup.paragraphs(
        counted, _definitions(analysis, name, position) if found.is_read else "", live
    )


def _told(verb: str, count: int, instead: str) -> str:
    """How often something is done; where it never is, what is done instead."""
    if not count:
        return instead or f"never {verb}"
    return f"{verb} " + {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _definitions(analysis: Analysis, name: str, position: Position) -> Markdown:
    reaching = reaching_definitions(analysis, name, position)
    if not reaching.definitions:
        return markup.escaped("no definition reaches this place" if reaching.from_entry else "")
    shown = reaching.definitions[:_MAX_DEFINITIONS]
    lines = [_statement(analysis, place) for place in shown]
    left = len(reaching.definitions) - len(shown)
    lines += [f"// and {left} more"] if left else []
    alone = len(reaching.definitions) == 1 and not reaching.from_entry
    title = "Value from" if alone else "Value from one of"
    entry = "not written on every way here" if reaching.from_entry else ""
    block = markup.block("\n".join(lines))
    return markup.paragraphs(markup.filled("{}:\n{}", title, block), entry)


def _statement(analysis: Analysis, place: Range) -> str:
    statement = statement_at(analysis.document, place.start)
    text = " ".join(statement.text.split()) if statement is not None else ""
    text = f"{text[:_MAX_STATEMENT_LENGTH]} ..." if len(text) > _MAX_STATEMENT_LENGTH else text
    return f"{text}  // line {place.start.line + 1}"


def _live(places: Iterable[Range]) -> str:
    """Where the value is kept to be read, in lines."""
    joined: list[tuple[int, int]] = []
    for place in places:
        first, last = place.start.line + 1, place.end.line + 1
        if joined and first <= joined[-1][1] + 1:
            first, last = joined[-1][0], max(last, joined.pop()[1])
        joined.append((first, last))
    shown = [f"{first}-{last}" if last > first else str(first) for first, last in joined]
    if not shown:
        return ""
    more = ", ..." if len(shown) > _MAX_DEFINITIONS else ""
    plural = "s" if len(shown) > 1 or "-" in shown[0] else ""
    return f"this value is live on line{plural} {', '.join(shown[:_MAX_DEFINITIONS])}{more}"
