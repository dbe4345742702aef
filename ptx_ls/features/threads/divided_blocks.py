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
    from collections.abc import Mapping

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.document import Document

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
    for number in sorted(uniformity.control.reached):
        if number >= len(uniformity.flow.graph.starts):
            continue  # the end of the function
        said = uniformity.block(number)
        if said.surely is Level.DIVERGENT:
            last = next(reversed(uniformity.chain(said.cause)), None)
            source = last.name if last is not None and last.kind in _NAMED else ""
            found[number] = DividedBlock(said.is_surely_divergent, source)
    return found
