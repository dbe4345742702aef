"""The barrier of a cluster: threads arrive first and wait later, once in each phase."""

from __future__ import annotations

from ptx_ls.protocols.execution.clocks import Clocks
from ptx_ls.protocols.execution.cluster_barrier import ClusterBarrier
from ptx_ls.protocols.execution.warps import Group

WARP = (1 << 32) - 1
BOTH = WARP << 32 | WARP


def check_phases(script: str, expected: str) -> None:
    """Compares what two warps may do: `a`, `b` arrive, `A`, `B` wait; `+` if they may, or `-`."""
    barrier = ClusterBarrier(Clocks())
    groups = {"a": Group(0, WARP, {}), "b": Group(1, WARP, {})}
    found = ""
    for each in script:
        group = groups[each.lower()]
        if each.isupper():
            found += "+-"[not barrier.has_passed(group)]
        else:
            found += "+-"[not barrier.arrive(group)]
            barrier.complete(BOTH)
    assert found == expected


def test_all_arrive() -> None:
    check_phases("abAB", "++++")


def test_wait_before_others_arrive() -> None:
    check_phases("aAbAB", "+-+++")


def test_wait_without_arrival() -> None:
    check_phases("Aab", "-++")
    check_phases("abAbB", "++++-")


def test_second_arrival_in_a_phase() -> None:
    check_phases("aab", "+-+")


def test_late_wait_for_an_earlier_phase() -> None:
    check_phases("abAaBbAB", "++++++++")


def test_ended_threads_are_not_needed() -> None:
    barrier, group = ClusterBarrier(Clocks()), Group(0, WARP, {})
    barrier.arrive(group)
    assert not barrier.complete(BOTH)
    assert barrier.complete(WARP)
    assert barrier.has_passed(group)


def test_waiting_threads_know_the_others() -> None:
    clocks = Clocks()
    barrier = ClusterBarrier(clocks)
    first, second = Group(0, WARP, {}), Group(1, WARP, {})
    before = 0, clocks.now(0)
    barrier.arrive(first)
    after = 0, clocks.now(0)
    barrier.arrive(second)
    barrier.complete(BOTH)
    assert not clocks.knows(1, before)
    assert barrier.has_passed(second)
    assert clocks.knows(1, before)
    assert not clocks.knows(1, after)
