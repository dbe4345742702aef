"""The flow graphs of a document's functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.braces import braces
from ptx_ls.document.facts import StoredFact, combined, fact
from ptx_ls.document.node import Node
from ptx_ls.document.versions import Versions
from ptx_ls.flow.control_lines import ControlLines, lines_of_chunks, rows_of_chunks
from ptx_ls.flow.flow_shape import FlowShape
from ptx_ls.flow.graph import FlowGraph
from ptx_ls.flow.reader import read_graph, read_shape
from ptx_ls.flow.row_map import RowMap
from ptx_ls.semantics.symbols.module_names import outer_facts
from ptx_ls.semantics.symbols.region_text import region_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.branch import InnerNode
    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.source import Position

_NO_RETURN: Final = ".noreturn"


_SHAPE: Final = StoredFact[Versions[ControlLines], FlowShape, tuple[frozenset[str]]]("flow shape")
"""The shape of a function's flow graph; the input is the set of functions that never return."""
_GRAPH: Final = StoredFact[Node, FlowGraph, tuple[object]]("flow graph")
"""The flow graph of a function; the input is its shape, or the input of its shape."""


def flow_graph(document: Document, number: int) -> FlowGraph:
    """Returns the flow graph of the function with a number."""
    return graph_of(document.leaf(number), never_returning(document))


def graph_of(function: Function, names: frozenset[str]) -> FlowGraph:
    """Returns the flow graph of a function; `names` are the functions that never return."""
    is_whole = braces(function).close is not None and not function.shares_lines
    shape = _shape(function, names) if is_whole else None
    node: Node = function if shape is None else rows_of_chunks(function)
    inputs = (names if shape is None else shape,)
    _GRAPH.compare(node, lambda: read_graph(region_text(function), names), inputs)
    known = _GRAPH.known(node, inputs)
    if known is None:
        if shape is None:
            known = read_graph(region_text(function), names)
        else:
            known = FlowGraph(shape, RowMap(rows_of_chunks(function).parts))
        _GRAPH.store(node, known, inputs)
    return known


def _shape(function: Function, names: frozenset[str]) -> FlowShape:
    """Returns the shape of the flow graph of a function whose body is closed."""
    lines, inputs = lines_of_chunks(function), (names,)
    shape = _SHAPE.known(lines, inputs)
    if shape is None:
        shape = read_shape(lines.parts, names)
        _SHAPE.store(lines, shape, inputs)
    return shape


@fact
def _never_returning_in(function: Function) -> frozenset[str]:
    """Returns the PTX functions that one function of the document declares with `.noreturn`."""
    if function.n_leaves > 1:  # most chunks of a long function declare nothing
        is_said = bool(region_text(function).declarations_with(_NO_RETURN))
    else:
        is_said = _NO_RETURN in function.text
    if not is_said:
        return frozenset()
    exports = outer_facts(function).exports
    heads = {symbol.start: symbol.name for symbol in exports if symbol.is_function}
    rows = sorted({row for row, _ in heads})
    found = set()
    for statement in region_text(function).statements(rows):
        if _NO_RETURN in statement.text:
            found |= {
                name for place, name in heads.items() if statement.start <= place < statement.end
            }
    return frozenset(found)


def _never_returning_in_each(group: InnerNode[Function, Position]) -> Iterator[frozenset[str]]:
    return map(_never_returning_in, group.leaves())


@combined(_never_returning_in_each)
def _never_returning_of_group(names: tuple[frozenset[str], ...]) -> frozenset[str]:
    """Returns the PTX functions that a group of functions declares with `.noreturn`."""
    return frozenset().union(*names)


def _never_returning_of_groups(document: Document) -> Iterator[frozenset[str]]:
    return (_never_returning_of_group(group) for _, group in document.groups())


@combined(_never_returning_of_groups)
def never_returning(names: tuple[frozenset[str], ...]) -> frozenset[str]:
    """Returns the functions of a module that are declared to never return."""
    return frozenset().union(*names)
