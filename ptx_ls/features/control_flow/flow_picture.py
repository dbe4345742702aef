"""The content of a picture of a flow graph: blocks with texts, and links with their conditions."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final
from unicodedata import east_asian_width

from ptx_ls.features.control_flow.chains import chains
from ptx_ls.features.control_flow.flow_text import block_lines, guard_at_end, instructions
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.tokens import CALL, REG, WORD, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.features.control_flow.flow_text import Flow
    from ptx_ls.flow.graph import Block, FlowGraph
    from ptx_ls.syntax.guards import Guard

_DETAIL: Final = ((60, 16), (200, 8), (600, 4))
"""Maximum numbers of blocks, each with the number of lines to show per block; for more, none."""
_MAX_ROWS_ABOUT: Final = 16
"""Maximum number of lines that a reader sees who points at a block without lines."""
_MAX_LINE_WIDTH: Final = 52
"""Maximum number of columns shown of a line."""
_MAX_NAMED_CALLS: Final = 2
"""Maximum number of functions to name that are called in omitted lines."""


class LinkKind(StrEnum):
    """The reason why control goes from one block to another."""

    PLAIN = "plain"
    """A branch without a guard, or a block that just continues with the next."""
    TAKEN = "taken"
    OTHERWISE = "otherwise"
    """The guard of a branch, or of an instruction that ends the function, is false."""
    CASE = "case"
    """An indexed branch."""


class FlowLink(NamedTuple):
    """An edge from one block to another. `label` is its condition, "" if it has none."""

    tail: int
    head: int
    kind: LinkKind
    is_back: bool
    label: str


class PictureRow(NamedTuple):
    """A line of text in a block; `number` is the line of the file from 1, 0 for a remark."""

    number: int
    text: str


class Box(NamedTuple):
    """A block as it is shown, or a straight chain of blocks.

    Attributes:
        title: its labels; those of the first block of a chain.
        place: its lines in the file; "" if only the title is shown.
        notes: remarks on it.
        rows: its instructions, shortened.
        first: its first line in the file, from 0, and `last` its last one.
        depth: the number of loops around it.
        is_loop: whether it is the header of one.
        is_dead: whether it is unreachable.
        is_divided: whether surely only a part of a warp runs it.
        leaves: the opcode with which it ends the function; "" if it does not.
        about: all that the box leaves out, for a reader who points at it.
    """

    title: str
    place: str
    notes: tuple[str, ...]
    rows: tuple[PictureRow, ...]
    first: int
    last: int
    depth: int
    is_loop: bool
    is_dead: bool
    is_divided: bool
    leaves: str
    about: str


class Detail(NamedTuple):
    """The number of lines to show of each block; `is_bare`: nothing but its title."""

    n_rows: int
    is_bare: bool = False


def usual_detail(n_blocks: int) -> Detail:
    """Returns the detail of a picture of any size: large graphs show fewer lines of each block."""
    return Detail(next((rows for most, rows in _DETAIL if n_blocks <= most), 0))


def boxes(flow: Flow, detail: Detail) -> list[Box]:
    """Returns the blocks as they are shown, in the order of the text."""
    graph = flow.graph
    depths = [0] * len(graph.blocks)
    for loop in graph.loops:
        for number in loop.blocks:
            depths[number] += 1
    loops = {loop.head: len(loop.blocks) for loop in graph.loops}
    return [
        _box(flow, chain, depths[chain[0].number], loops.get(chain[0].number, 0), detail)
        for chain in chains(flow).chains
    ]


def _box(flow: Flow, chain: Sequence[Block], depth: int, n_in_loop: int, detail: Detail) -> Box:
    block, end = chain[0], chain[-1]
    lines = [line for each in chain for line in block_lines(flow, each)]
    shown = list(instructions(lines))
    first, last = (flow.start + place[0] + 1 for place in (block.start, end.stop))
    if lines:
        first, last = lines[0][0], lines[-1][0]
    is_dead = block.number not in flow.graph.reachable
    notes = []
    if n_in_loop:
        of = f"loop of {n_in_loop} blocks" if n_in_loop > 1 else "loop of this block"
        notes.append(f"{of}, depth {depth}" if depth > 1 else of)
    divided = flow.divided.get(block.number)
    if divided is not None and (divided.is_sure or divided.source):
        notes.append(divided.note)
    if is_dead:
        notes.append("unreachable")
    if end.is_open:
        notes.append("branches to an unknown label")
    name = "entry" if block.number == 0 else f"block {block.number}"
    title = clipped(", ".join(block.labels), _MAX_LINE_WIDTH // 2) or name
    place = f"line {first}" if first == last else f"lines {first}\N{EN DASH}{last}"
    about = [", ".join((title, place, *notes))]
    if not detail.n_rows:
        about += (text for _, text in _rows(shown, _MAX_ROWS_ABOUT))
    return Box(
        title=title,
        place="" if detail.is_bare else place,
        notes=() if detail.is_bare else tuple(notes),
        rows=tuple(_rows(shown, detail.n_rows)),
        first=first - 1,
        last=last - 1,
        depth=depth,
        is_loop=bool(n_in_loop),
        is_dead=is_dead,
        is_divided=divided is not None and divided.is_sure,
        leaves=end.leaves,
        about="\n".join(about),
    )


def _rows(shown: list[tuple[int, str]], most: int) -> Iterator[PictureRow]:
    n_left_out = len(shown) - most
    if not most or n_left_out <= 1:
        yield from (
            PictureRow(number, clipped(text)) for number, text in shown[: most and most + 1]
        )
        return
    half = most // 2
    left_out = shown[half : len(shown) - half]
    yield from (PictureRow(number, clipped(text)) for number, text in shown[:half])
    calls = list(dict.fromkeys(name for _, text in left_out for name in _called(text)))
    said = f"\N{HORIZONTAL ELLIPSIS} {len(left_out)} more lines"
    if calls:
        more = f" and {len(calls) - _MAX_NAMED_CALLS} more" if len(calls) > _MAX_NAMED_CALLS else ""
        said += f", calls {', '.join(calls[:_MAX_NAMED_CALLS])}{more}"
    yield PictureRow(0, clipped(said))
    yield from (PictureRow(number, clipped(text)) for number, text in shown[-half:])


def _called(text: str) -> Iterator[str]:
    """Yields the names of the functions that a line calls."""
    is_call, depth = False, 0
    for token in tokenize(text):
        depth += (token.string == "(") - (token.string == ")")
        if token.string.partition(".")[0] == CALL:
            is_call = True
        elif is_call and not depth and token.type in (WORD, REG):
            is_call = False
            yield token.string


def links(flow: Flow) -> list[FlowLink]:
    """Returns the edges between the boxes of blocks, in the order of the text."""
    boxed = chains(flow)
    back_edges = frozenset(flow.graph.back_edges)
    branches = {branch.block: branch for branch in flow.graph.branches}
    found, otherwise = [], ""
    for block in flow.graph.blocks:
        branch = branches.get(block.number)
        guard = guard_at_end(block_lines(flow, block)) if branch or block.leaves else None
        if guard is not None:
            otherwise = _condition(guard, is_met=False)
        following = block.number + 1
        is_split = len(block.successors) > 1 or bool(block.leaves) or block.is_open
        for head in block.successors:
            ends = boxed.joined(block.number, head)
            if ends is None:
                continue
            kind, label = LinkKind.PLAIN, ""
            if branch is not None and branch.is_indexed and (head != following or guard is None):
                kind = LinkKind.CASE
                listed = branch.scope.find_list(branch.target)
                scope, names = listed or (branch.scope, ())
                cases = [str(index) for index, it in enumerate(names) if scope.find(it) == head]
                label = clipped(", ".join(cases), _MAX_LINE_WIDTH // 4)
            elif block.number in boxed.jumps:
                kind, label = LinkKind.OTHERWISE, otherwise
            elif guard is not None and is_split:
                is_taken = branch is not None and branch.scope.find(branch.target) == head
                kind = LinkKind.TAKEN if is_taken else LinkKind.OTHERWISE
                label = _condition(guard, is_met=is_taken)
            is_back = (block.number, head) in back_edges
            found.append(FlowLink(*ends, kind, is_back, label))
    return found


def _condition(guard: Guard, *, is_met: bool) -> str:
    """Returns a guard as it is written, or its opposite."""
    sign = "!" if guard.is_negated == is_met else ""
    return clipped(f"@{sign}{guard.name}", _MAX_LINE_WIDTH // 2)


def hints(flow: Flow) -> Iterator[tuple[int, int]]:
    """Yields pairs of boxes, the first of which should be above the second.

    The blocks after a loop are below all of it, and a block without predecessors is below the
    block before it in the text.
    """
    boxed = chains(flow).chain_of
    for above, below in _hints(flow.graph):
        if boxed[above] != boxed[below]:
            yield boxed[above], boxed[below]


def _hints(graph: FlowGraph) -> Iterator[tuple[int, int]]:
    """Yields pairs of blocks for `hints`."""
    tails = {head: tail for tail, head in graph.back_edges}  # the last back edge in the text
    for loop in graph.loops:
        exits = {
            following
            for number in loop.blocks
            for following in graph.blocks[number].successors
            if following not in loop.blocks
        }
        yield from ((tails[loop.head], left) for left in sorted(exits))
    for block in graph.blocks[1:]:
        if not block.predecessors:
            yield block.number - 1, block.number


def clipped(text: str, most: int = _MAX_LINE_WIDTH) -> str:
    """Returns a text cut to some columns, with a space for each character that is not printable."""
    plain = "".join(character if character.isprintable() else " " for character in text[: 4 * most])
    if columns_of(plain) <= most and len(plain) == len(text):
        return plain
    while columns_of(plain) >= most:
        plain = plain[:-1]
    return f"{plain}\N{HORIZONTAL ELLIPSIS}"


def columns_of(text: str) -> int:
    """Returns the width of a text in columns; wide East Asian characters take two."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
