"""Explains a register: its type, the writes and reads of it, and its live range."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
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
from ptx_ls.isa.articles import with_indefinite
from ptx_ls.source.english import listed
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.flow.dataflow import Reaching
    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.source import Position, Range

_MAX_DEFINITIONS: Final = 4
"""Maximum number of definitions, and of parts of a live range, that are shown."""
_MAX_STATEMENT_LENGTH: Final = 120
_MAX_GAP: Final = 64
"""Maximum number of lines without an instruction that do not divide a range."""
_BITS: Final = "untyped bits"
_FORMAT: Final = ", IEEE"
"""Begins the format in the summary of a type of floats."""
_EXECUTED: Final = (Kind.INSTRUCTION, Kind.BROKEN, Kind.RUN)


def register(
    analysis: Analysis, declared: LocatedSymbol, name: str, position: Position
) -> Markdown:
    """Explains the register `name`, or the range if `name` is the name of a range."""
    found = declared.symbol
    is_range = bool(found.count) and name == found.name
    ends = map(markup.code, (f"{name}0", f"{name}{found.count - 1}"))
    return markup.paragraphs(
        markup.filled(
            "{}: {}, declared by {} on line {}",
            markup.code(name),
            description(found, name),
            markup.code(_shortened(found.text)),
            str(declared.range.start.line + 1),
        ),
        markup.filled("{} to {}", *ends) if is_range else "",
        "" if is_range else values(analysis, declared, name, position),
    )


def description(found: Symbol, name: str) -> str:
    """Returns the kind of a register or range, with its type."""
    info = isa.database().types.get(found.written_type)
    plural = "s" if found.count and name == found.name else ""
    vector = f", vector of {found.vector_size} elements" if found.vector_size > 1 else ""
    summary = info.summary.partition(";")[0].rstrip(".") if info is not None else ""
    summary = summary.partition(_FORMAT)[0]
    summary = f"{summary[:1].lower()}{summary[1:]}"
    if summary and (vector or plural):
        summary = f"each {f'of {summary}' if _BITS in summary else with_indefinite(summary)}"
    kind = f", {summary}" if summary else ""
    one = f", one of {found.count}" if found.count and not plural else ""
    if found.written_type == ".pred":
        return f"predicate {found.kind.value}{plural}{one}"
    return f"{found.kind.value}{plural}{vector}{kind}{one}"


def values(analysis: Analysis, declared: LocatedSymbol, name: str, position: Position) -> Markdown:
    """Describes the value that a register has at a position: its writes, reads and live range."""
    function = analysis.function_of(declared)
    is_parameter = function is not None and declared.symbol in function.parameters
    is_result = function is not None and declared.symbol in function.returns
    found = usage(analysis, name, position)
    if not (found.n_writes or found.n_reads):
        return markup.own("Never used.")
    written = _counted("written", found.n_writes, "passed by the caller" if is_parameter else "")
    read = _counted("read", found.n_reads, "returned to the caller" if is_result else "")
    counted = f"{written}, {read}{'' if is_result and not found.n_reads else ' in this function'}"
    is_passed = is_parameter and not found.n_writes
    if found.is_many:
        counted = f"used more than {MAX_USES:,} times in this function"
    if found.is_many or not (found.is_write or found.is_read):
        return markup.sentence(counted)
    readers = reached_uses(analysis, name, position) if found.is_write else ()
    reaching = reaching_definitions(analysis, name, position) if found.is_read else None
    others = () if found.is_write else _other_readers(analysis, name, position, reaching)
    if found.is_write and not is_result and not readers:
        live = "the value written here is never read" if found.n_reads else ""
    else:
        live = _live(analysis.document, live_range(analysis, name, position))
    return markup.paragraphs(
        markup.joined(" ", map(markup.sentence, filter(None, (counted, live)))),
        _definitions(analysis, reaching) if reaching is not None and not is_passed else "",
        markup.filled("Read by:\n{}", _statements(analysis, readers)) if readers else "",
        markup.filled("Also read by:\n{}", _statements(analysis, others)) if others else "",
    )


def _counted(verb: str, count: int, instead: str) -> str:
    """Returns how often something is done, in words; `instead` if never."""
    if not count:
        return instead or f"never {verb}"
    return f"{verb} " + {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _definitions(analysis: Analysis, reaching: Reaching) -> Markdown:
    if not reaching.definitions:
        return markup.own("No definition reaches this point." if reaching.from_entry else "")
    is_only = len(reaching.definitions) == 1 and not reaching.from_entry
    title = "Value from" if is_only else "Value from one of"
    entry = (
        markup.own("Some paths to this point do not write the register.")
        if reaching.from_entry
        else ""
    )
    block = _statements(analysis, reaching.definitions)
    return markup.paragraphs(markup.filled("{}:\n{}", title, block), entry)


def _other_readers(
    analysis: Analysis, name: str, position: Position, reaching: Reaching | None
) -> tuple[Range, ...]:
    """Returns the other statements that may read the value which is read at a position."""
    definitions = reaching.definitions if reaching is not None else ()
    found = {
        place
        for definition in definitions[:_MAX_DEFINITIONS]
        for place in reached_uses(analysis, name, definition.start)
    }
    return tuple(sorted(it for it in found if not it.start <= position < it.end))


def _statements(analysis: Analysis, places: Sequence[Range]) -> Markdown:
    """Shows the first statements at some places, with their lines."""
    shown = places[:_MAX_DEFINITIONS]
    lines = [_statement(analysis, place) for place in shown]
    left = len(places) - len(shown)
    lines += [f"// and {left} more"] if left else []
    return markup.block("\n".join(lines))


def _statement(analysis: Analysis, place: Range) -> str:
    statement = statement_at(analysis.document, place.start)
    text = statement.text if statement is not None else ""
    return f"{_shortened(text)}  // line {place.start.line + 1}"


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return f"{text[:_MAX_STATEMENT_LENGTH]} ..." if len(text) > _MAX_STATEMENT_LENGTH else text


def _are_neighbours(document: Document, last: int, first: int) -> bool:
    """Whether no instruction is on the lines between two, counted from 1."""
    if first - last > _MAX_GAP:
        return False
    records = document.records
    return not any(records[row].kind in _EXECUTED for row in range(last, first - 1))


def _live(document: Document, places: Iterable[Range]) -> str:
    """Lists the lines on which a value is live; lines without an instruction divide no range."""
    joined: list[tuple[int, int]] = []
    for place in places:
        first, last = place.start.line + 1, place.end.line + 1
        if joined and _are_neighbours(document, joined[-1][1], first):
            first, last = joined[-1][0], max(last, joined.pop()[1])
        elif len(joined) > _MAX_DEFINITIONS:
            break
        joined.append((first, last))
    shown = [f"{first}-{last}" if last > first else str(first) for first, last in joined]
    if not shown:
        return ""
    others = ["others"] if len(shown) > _MAX_DEFINITIONS else []
    noun = "lines" if len(shown) > 1 or "-" in shown[0] else "line"
    return f"this value is live on {noun} {listed([*shown[:_MAX_DEFINITIONS], *others], 'and')}"
