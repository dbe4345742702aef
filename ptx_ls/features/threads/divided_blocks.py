"""Finds the blocks of a function that only a part of a warp runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.graphs import flow_graph
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.threads.uniformity.levels import CauseKind, Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.document import Document
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.threads.uniformity.levels import Cause

_MAX_LINES: Final = 2_000
"""The longest function, in lines, whose threads are followed for a picture."""
_NAMED: Final = (CauseKind.SPECIAL, CauseKind.INSTRUCTION)


class DividedBlock(NamedTuple):
    """A block that perhaps only a part of a warp runs.

    `is_sure`: whether that is certain. `source`: what it depends on, such as `%laneid`, or "".
    """

    is_sure: bool
    source: str

    @property
    def note(self) -> str:
        """The same in words."""
        text = "part of a warp" if self.is_sure else "possibly part of a warp"
        return f"{text}, by {self.source}" if self.source else text


def divided_labels(document: Document, index: int) -> dict[FunctionPosition, str]:
    """Returns the places of labels of blocks that surely only a part of a warp runs, in words."""
    found = {
        number: each for number, each in divided_blocks(document, index).items() if each.is_sure
    }
    if not found:
        return {}
    graph = flow_graph(document, index)
    places = {}
    for symbol in region_facts(document.leaf(index)).symbols:
        if symbol.kind is SymbolKind.LABEL:
            number = graph.number_at(symbol.start)
            if number in found and number is not None:
                places[symbol.start] = found[number].note
    return places


def divided_blocks(document: Document, index: int) -> Mapping[int, DividedBlock]:
    """Returns the blocks of function `index` that perhaps only a part of a warp runs."""
    located = document.functions[index]
    if located.n_lines > _MAX_LINES:
        return {}
    uniformity = function_uniformity(located.function, module_facts(document))
    if not uniformity.is_known:
        return {}
    found = {}
    is_left = bool(uniformity.control.leaving)
    for number in sorted(uniformity.control.reached):
        if number >= len(uniformity.flow.graph.starts):
            continue  # the end of the function
        said = uniformity.block(number)
        if said.surely is Level.DIVERGENT:
            source = _source(uniformity, said.cause)
            found[number] = DividedBlock(said.is_surely_divergent, source)
        elif is_left and number not in uniformity.control.exits:
            divided = {*_divided_by_exits(uniformity, number)}
            if True in divided:
                source = _source_of_exits(uniformity, number)
                found[number] = DividedBlock(False not in divided, source)
    return found


def _source(uniformity: FunctionUniformity, cause: Cause | None) -> str:
    last = next(reversed(uniformity.chain(cause)), None)
    return last.name if last is not None and last.kind in _NAMED else ""


def _divided_by_exits(uniformity: FunctionUniformity, number: int) -> Iterator[bool]:
    """Yields for each shape whether some threads of each warp that runs a block have exited before.

    All live threads run it together, but a reader sees that a branch divides the warp. An exit that
    depends on data or on a parameter, as that of threads beyond the end of an array, does not
    count: it would tint the rest of the kernel.
    """
    for shape in uniformity.shapes:
        threads = uniformity.executing(shape).of_block(number).threads
        if threads:
            yield all(group & ~threads for group in shape.groups(Level.WARP) if group & threads)


def _source_of_exits(uniformity: FunctionUniformity, number: int) -> str:
    """Returns what the first exit that divides warps before a block depends on."""
    control = uniformity.control
    for edge in control.leaving:
        said = uniformity.branch(edge.block)
        is_before = control.graph.dominators.dominates(edge.block, number)
        if is_before and said.surely is Level.DIVERGENT:
            return _source(uniformity, said.cause)
    return ""
