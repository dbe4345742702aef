"""Pictures of any graph: boxes do not touch, links go around them, and nothing is left out."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.features.control_flow.layered.bundles import BundleEdge
from ptx_ls.features.control_flow.layered.layout import (
    Drawing,
    Point,
    Size,
    TooTangledError,
    lay_out,
)
from ptx_ls.flow.flow_shape import FlowShape

TOLERANCE = 1e-6
sizes = st.builds(Size, st.integers(10, 300), st.integers(10, 200))
pairs = st.tuples(st.integers(0, 11), st.integers(0, 11))


def linked(n_boxes: int, ends: list[tuple[int, int]]) -> list[BundleEdge]:
    """Links between boxes, those that close a loop told apart as a flow graph does it."""
    kept = sorted({(tail, head) for tail, head in ends if max(tail, head) < n_boxes})
    places = [FUNCTION_START] * n_boxes
    following = [[head for tail, head in kept if tail == number] for number in range(n_boxes)]
    back = FlowShape(places, places, following).back_edges
    return [BundleEdge(*it, is_back=it in back, label_width=7.0 * (it[0] % 3)) for it in kept]


def check_drawing(
    given_sizes: list[Size], links: list[BundleEdge], *hints: tuple[int, int]
) -> Drawing:
    """Lays a graph out, and checks what holds of any picture."""
    drawing = lay_out(given_sizes, links, hints)
    assert drawing == lay_out(given_sizes, links, hints)
    frames = list(zip(drawing.corners, drawing.boxes, strict=True))
    for (corner, size), asked in zip(frames, given_sizes, strict=True):
        assert (size.width >= asked.width, size.height) == (True, asked.height)
        assert corner.x >= 0
        assert corner.y >= 0
        assert corner.x + size.width <= drawing.size.width
        assert corner.y + size.height <= drawing.size.height
    for one, other in combinations(frames, 2):
        assert not overlap(one, other)
    assert len(drawing.routes) == len(links)
    for link, route in zip(links, drawing.routes, strict=True):
        check_route(link, route, drawing)
    check_tracks(links, drawing)
    return drawing


def check_route(link: BundleEdge, route: list[Point], drawing: Drawing) -> None:
    """A link goes from the lower side of its tail to the upper side of its head, around boxes."""
    (start, tail), (end, head) = (
        (drawing.corners[it], drawing.boxes[it]) for it in (link.tail, link.head)
    )
    assert start.x < route[0].x < start.x + tail.width
    assert abs(route[0].y - (start.y + tail.height)) < TOLERANCE
    assert end.x < route[-1].x < end.x + head.width
    assert abs(route[-1].y - end.y) < TOLERANCE
    assert link.is_back or route[0].y < route[-1].y
    for one, other in pairwise(route):
        assert one.x == other.x or one.y == other.y
        assert 0 <= other.x <= drawing.size.width
        line = Point(min(one.x, other.x), min(one.y, other.y))
        size = Size(abs(one.x - other.x), abs(one.y - other.y))
        frames = zip(drawing.corners, drawing.boxes, strict=True)
        assert not any(overlap((line, size), frame) for frame in frames)


def check_tracks(links: list[BundleEdge], drawing: Drawing) -> None:
    """No two horizontal links overlap, except those to the same box."""
    across = [
        (one.y, min(one.x, other.x), max(one.x, other.x), (link.head, link.is_back))
        for link, route in zip(links, drawing.routes, strict=True)
        for one, other in pairwise(route)
        if one.y == other.y and one.x != other.x
    ]
    for (y, left, right, head), (other_y, other_left, other_right, other) in combinations(
        across, 2
    ):
        assert y != other_y or head == other or right <= other_left or other_right <= left


def overlap(one: tuple[Point, Size], other: tuple[Point, Size]) -> bool:
    """Whether two areas have an inner point in common."""
    (corner, size), (other_corner, other_size) = one, other
    return (
        corner.x + TOLERANCE < other_corner.x + other_size.width
        and other_corner.x + TOLERANCE < corner.x + size.width
        and corner.y + TOLERANCE < other_corner.y + other_size.height
        and other_corner.y + TOLERANCE < corner.y + size.height
    )


@given(st.lists(sizes, max_size=12), st.lists(pairs, max_size=30), st.lists(pairs, max_size=4))
def test_any_graph(
    given_sizes: list[Size], ends: list[tuple[int, int]], hints: list[tuple[int, int]]
) -> None:
    n_boxes = len(given_sizes)
    kept = [it for it in hints if max(it) < n_boxes]
    check_drawing(given_sizes, linked(n_boxes, ends), *kept)


def test_a_chain_is_straight() -> None:
    drawing = check_drawing(
        [Size(100, 20), Size(60, 20), Size(300, 20)], linked(3, [(0, 1), (1, 2)])
    )
    assert [len(route) for route in drawing.routes] == [2, 2]


def test_a_branch_over_a_block_and_a_loop() -> None:
    ends = [(0, 1), (0, 3), (1, 1), (1, 2), (2, 3)]
    drawing = check_drawing([Size(100, 20)] * 4, linked(4, ends))
    heights = [corner.y for corner in drawing.corners]
    assert heights == sorted(set(heights))
    loop = drawing.routes[2]
    assert max(point.x for point in loop) > drawing.corners[1].x + drawing.boxes[1].width


def test_what_many_lead_to_has_one_line() -> None:
    n_boxes = 60
    ends = [(number, number + 1) for number in range(n_boxes - 1)]
    ends += [(number, n_boxes - 1) for number in range(n_boxes - 2)]
    drawing = check_drawing([Size(100, 20)] * n_boxes, linked(n_boxes, ends))
    assert drawing.size.width < 300


def test_hints_hold_unless_they_contradict() -> None:
    drawing = check_drawing([Size(100, 20)] * 3, [BundleEdge(0, 1)], (1, 2), (2, 0))
    assert drawing.corners[0].y < drawing.corners[1].y
    drawing = check_drawing([Size(100, 20)] * 3, [BundleEdge(0, 1)], (1, 2))
    assert drawing.corners[1].y < drawing.corners[2].y


def test_nothing_and_too_much() -> None:
    assert check_drawing([], []).routes == []
    ends = [(number, number + 1) for number in range(999)]
    ends += [(number, number + 500) for number in range(500)]
    with pytest.raises(TooTangledError):
        lay_out([Size(10, 10)] * 1000, linked(1000, ends))


def test_work_that_is_stopped_is_a_picture_still() -> None:
    drawing = lay_out([Size(10, 10)] * 2, [BundleEdge(0, 1)], should_stop=lambda: True)
    assert len(drawing.routes) == 1
