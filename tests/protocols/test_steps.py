"""The states of an operation after events."""

from __future__ import annotations

import pytest

from ptx_ls.protocols.definition import HeldState, ProtocolEvent, Sureness, protocol


def check_states(name: str, events: list[ProtocolEvent], *states: str) -> None:
    """Fails unless an operation has one of exactly these states after some events."""
    made = protocol(name)
    held = {HeldState(made.start)}
    for event in events:
        held = {after for each in held for after in made.after(each, event)}
    assert {each.name for each in held} == {*states}


COMMIT = ProtocolEvent("commit")


def wait(left: int | None, *, is_certain: bool = True) -> ProtocolEvent:
    return ProtocolEvent("wait", left, is_certain)


def test_wait_covers_older_groups() -> None:
    check_states("cp_async", [COMMIT, wait(0)], "complete")
    check_states("cp_async", [COMMIT, wait(1)], "committed")
    check_states("cp_async", [COMMIT, COMMIT, wait(1)], "complete")


def test_wait_covers_only_groups() -> None:
    check_states("cp_async", [wait(0)], "open")


def test_unknown_number_of_groups() -> None:
    check_states("cp_async", [COMMIT, wait(None)], "committed", "complete")


def test_event_that_may_not_happen() -> None:
    check_states("cp_async", [COMMIT, wait(0, is_certain=False)], "committed", "complete")


def test_barrier_publishes_what_is_complete() -> None:
    barrier = ProtocolEvent("barrier")
    check_states("cp_async", [COMMIT, barrier, wait(0)], "complete")
    check_states("cp_async", [COMMIT, wait(0), barrier], "published")


def test_wait_for_reads_is_not_enough_for_writes() -> None:
    read = ProtocolEvent("wait read", 0)
    check_states("bulk_groups", [COMMIT, read], "read")
    check_states("bulk_groups", [COMMIT, read, ProtocolEvent("barrier")], "reusable")
    check_states("bulk_groups", [COMMIT, read, wait(0)], "complete")


def test_partial_fence_of_the_issuing_thread() -> None:
    partial, barrier = ProtocolEvent("partial fence"), ProtocolEvent("barrier")
    check_states("proxy_fence", [partial, barrier], "handed over")
    check_states("proxy_fence", [barrier, partial], "fenced")


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        (["open"], Sureness.PROVEN),
        (["open", "committed"], Sureness.PROVEN),
        (["open", "complete"], Sureness.POSSIBLE),
        (["complete"], Sureness.NONE),
        ([], Sureness.NONE),
    ],
)
def test_sureness(states: list[str], expected: Sureness) -> None:
    assert protocol("cp_async").judge("own access", states) is expected
