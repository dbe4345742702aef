"""Partners of braces and levels, as a stack finds them, however the braces came to their lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.syntax.nesting import BraceProblem, Nesting

Braces = list[tuple[int, int]]
"""The line of each brace, and 1 for one that opens or -1."""

braces = st.lists(st.tuples(st.integers(0, 9), st.sampled_from([1, 1, -1])), max_size=12).map(
    lambda found: sorted(found, key=lambda brace: brace[0])
)
moves = st.lists(st.tuples(st.integers(0, 60), st.integers(-6, 6)), max_size=8)


def nesting_of(found: Braces, *, has_head: bool) -> Nesting:
    nesting = Nesting(has_head=has_head)
    for number, (line, sign) in enumerate(found):
        nesting.add(line, number, sign)
    return nesting


def check_nesting(nesting: Nesting, expected: Braces, *, has_head: bool) -> None:
    """Compares what is said of braces with what a stack finds."""
    opened: list[int] = []
    unmatched: list[int] = []
    end = None
    for number, (line, sign) in enumerate(expected):
        if sign > 0:
            opened.append(number)
        elif not opened:
            unmatched.append(number)
        elif opened.pop() == 0 and has_head:
            end = line
    unmatched += opened
    assert nesting.end == end
    assert nesting.problems(7) == [
        BraceProblem(7 + expected[number][0], number, expected[number][1] > 0)
        for number in unmatched
    ]
    for line in range(max((line for line, _ in expected), default=0) + 2):
        n_before = sum(at < line for at, _ in expected)
        assert nesting.n_before(line) == n_before
        assert nesting.depth(line) == sum(
            expected[number][1]
            for number in range(n_before)
            if number not in unmatched or (number == 0 and has_head)
        )


@given(found=braces, changes=moves, has_head=st.booleans())
def test_partners_and_levels_while_lines_come_and_go(
    found: Braces, changes: list[tuple[int, int]], *, has_head: bool
) -> None:
    if has_head:
        found = [(0, 1), *found]
    nesting = nesting_of(found, has_head=has_head)
    check_nesting(nesting, found, has_head=has_head)
    for line, wanted in changes:
        following = min((at for at, _ in found if at > line), default=line + 1)
        delta = max(wanted, line + 1 - following)  # only lines without braces can go
        nesting.lines_inserted(line, delta)
        found = [(at + delta if at > line else at, sign) for at, sign in found]
        check_nesting(nesting, found, has_head=has_head)


@given(braces, moves, st.integers(0, 9), st.integers(0, 9), st.integers(0, 5))
def test_braces_taken_over(
    found: Braces, changes: list[tuple[int, int]], start: int, stop: int, delta: int
) -> None:
    other = nesting_of(found, has_head=False)
    for line, more in changes:
        other.lines_inserted(line, abs(more))
        found = [(at + abs(more) if at > line else at, sign) for at, sign in found]
    nesting = nesting_of(found[:start], has_head=False)
    nesting.take(other, start, stop, delta)
    taken = [(line + delta, sign) for line, sign in found[start:stop]]
    check_nesting(nesting, found[:start] + taken, has_head=False)
    assert len(nesting) == len(found[:start] + taken)
    check_nesting(other, found, has_head=False)
