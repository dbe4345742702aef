"""A persistent sequence is what a list is, and shares what an edit did not touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.branch import InnerNode
from ptx_ls.document.coordinates import NOTHING, Extent
from ptx_ls.document.node import Node
from ptx_ls.source import Position

if TYPE_CHECKING:
    from collections.abc import Iterator


class Text(Node):
    """A leaf that is a text of some lines."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.extent = Extent(text.count("\n"), len(text) - text.rfind("\n") - 1)


words = st.text(alphabet="a\n", max_size=4)
splices = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 60), st.lists(words, max_size=9)), max_size=8
)


@pytest.fixture(autouse=True)
def _small_branches() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ptx_ls.document.branch.MAX_CHILDREN", 4)
        patch.setattr("ptx_ls.document.branch.MIN_CHILDREN", 2)
        yield


def nodes(branch: InnerNode[Text, Position]) -> Iterator[InnerNode[Text, Position]]:
    yield branch
    for child in branch.children:
        if isinstance(child, InnerNode):
            yield from nodes(child)


def check_same(sequence: InnerNode[Text, Position], expected: list[Text]) -> None:
    """Compares a sequence with a list in all that can be asked of it."""
    assert list(sequence.leaves()) == expected
    assert sequence.n_leaves == len(expected)
    start = NOTHING
    starts: list[Extent] = []
    for number, leaf in enumerate(expected):
        assert sequence.leaf(number) is leaf
        assert sequence.start(number) == start
        starts.append(start)
        start = start.plus(leaf.extent)
    assert sequence.extent == sequence.start(len(expected)) == start
    for line in range(start.lines + 1):
        for column in range(5):
            assert sequence.number_at(Position(line, column)) == max(
                (number for number, place in enumerate(starts) if place <= (line, column)),
                default=-1,
            )
    assert all(len(node.children) <= 4 for node in nodes(sequence))
    assert all(node.children or node is sequence for node in nodes(sequence))


@given(st.lists(words, max_size=40).map(lambda texts: [Text(text) for text in texts]), splices)
def test_a_sequence_is_what_a_list_is(
    leaves: list[Text], changes: list[tuple[int, int, list[str]]]
) -> None:
    sequence = InnerNode[Text, Position].of(leaves)
    check_same(sequence, leaves)
    for start, n_replaced, texts in changes:
        first = min(start, len(leaves))
        stop = min(first + n_replaced, len(leaves))
        new = [Text(text) for text in texts]
        former, before = sequence, list(leaves)
        leaves = [*leaves[:first], *new, *leaves[stop:]]
        sequence = sequence.spliced(first, stop, new)
        check_same(sequence, leaves)
        check_same(former, before)
        assert list(sequence.leaves(first, first + len(new))) == new


def test_a_splice_copies_one_path() -> None:
    sequence = InnerNode[Text, Position].of([Text("a\n") for _ in range(1000)])
    after = sequence.spliced(500, 501, [Text("b\n")])
    shared = set(map(id, nodes(sequence)))
    made = [node for node in nodes(after) if id(node) not in shared]
    assert len(made) == after.height + 1
