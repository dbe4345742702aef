"""Finds out which threads agree at the place under the cursor."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.features import markup
from ptx_ls.features.cursor import At, Cursor, cursor
from ptx_ls.features.threads import agreement_words
from ptx_ls.features.threads.recent_uniformity import recent_uniformity
from ptx_ls.flow.statement_uses import name_span
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.register_events import READS, WRITES

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.features.markup import Markdown
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity

_MAX_LINES: Final = 20_000
"""The longest function, in lines, whose threads are followed for a hover."""
_BRANCHES: Final = ("bra", "brx")
_PREDICATE: Final = ".pred"


def is_about_threads(analysis: Analysis, position: Position) -> bool:
    """Whether there is a predicate, a branch or a label at a position."""
    under = cursor(analysis, position)
    return under is not None and _kind(analysis, under) != ""


def _kind(analysis: Analysis, under: Cursor) -> str:
    """Returns `branch`, `label` or `predicate` for what is under the cursor, else ""."""
    if under.at is At.OPCODE:
        return "branch" if under.text in _BRANCHES else ""
    declared = analysis.lookup(under.text, under.range.start) if under.at is At.NAME else None
    if declared is None:
        return ""
    if declared.symbol.kind is SymbolKind.LABEL:
        return "label"
    return "predicate" if declared.symbol.written_type == _PREDICATE else ""


def agreement_at(analysis: Analysis, position: Position) -> Markdown:
    """Says which threads agree on a predicate, take a path, or run the code after a label."""
    under, document = cursor(analysis, position), analysis.document
    kind = _kind(analysis, under) if under is not None else ""
    located = document.functions[analysis.region_at(position)]
    if under is None or not kind or located.n_lines > _MAX_LINES:
        return markup.NOTHING
    uniformity = recent_uniformity(located.function, module_facts(document))
    if not uniformity.is_known or not uniformity.values.graph.starts:
        return markup.NOTHING
    if kind == "label":
        return _of_label(analysis, under, located, uniformity)
    statement = statement_at(document, position)
    if statement is None:
        return markup.NOTHING
    start, line = located.place(statement.start), located.first_line
    if kind == "branch":
        block = uniformity.values.graph.number_at(start)
        if block is None or len(uniformity.values.graph.successors[block]) < 2:  # noqa: PLR2004
            return markup.NOTHING
        return agreement_words.of_branch(uniformity, uniformity.branch(block), line)
    use = _use(uniformity.flow, under.text, start, located.place(under.range.start))
    if use is None:
        return markup.NOTHING
    is_written = bool(uniformity.flow.uses.ways[use] & WRITES)
    said = uniformity.written(use) if is_written else uniformity.read(use)
    return agreement_words.of_value(uniformity, under.text, said, line)


def _of_label(
    analysis: Analysis, under: Cursor, located: LocatedFunction, uniformity: FunctionUniformity
) -> Markdown:
    declared = analysis.lookup(under.text, under.range.start)
    if declared is None or analysis.document.functions[declared.region] != located:
        return markup.NOTHING
    block = uniformity.values.graph.number_at(declared.symbol.start)
    if block is None:
        return markup.NOTHING
    said = uniformity.block(block)
    return agreement_words.of_block(uniformity, said, located.first_line)


def _use(
    flow: FunctionFlow, name: str, start: FunctionPosition, place: FunctionPosition
) -> int | None:
    """Returns the use of a register that is named at a place in the statement at `start`."""
    rows, ways = flow.uses.rows, flow.uses.ways
    use, found = bisect_left(rows, start[0]), None
    while use < len(rows) and rows[use] == start[0]:
        if flow.name_of(use) == name and flow.statement(use).start == start:
            if ways[use] & WRITES and name_span(flow, use)[0][0] == place:
                return use
            found = use if ways[use] & READS else found
        use += 1
    return found
