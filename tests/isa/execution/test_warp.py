"""Instructions that look at other lanes, executed for the 32 lanes of a warp."""

import random
from collections.abc import Callable, Mapping
from functools import reduce

import pytest

from ptx_ls.isa.execution import find_program
from ptx_ls.isa.execution.program import Bits

_ALL = 0xFFFFFFFF


def check_warp(
    text: str,
    lanes: Mapping[int, Mapping[str, Bits]],
    wanted: Callable[[int], Mapping[str, int]],
) -> None:
    """Executes `opcode.modifiers` on each of the lanes."""
    opcode, *modifiers = text.split(".")
    shape = tuple((name, 0) for name in next(iter(lanes.values())))
    program = find_program(opcode, tuple(f".{it}" for it in modifiers), shape)
    assert program is not None, text
    for number, operands in lanes.items():
        outcome = program.run(operands, lanes=lanes, lane=number)
        assert outcome is not None, (text, number)
        found = {name: outcome.results[name] for name in wanted(number)}
        assert found == wanted(number), (text, number, operands)


def _shuffled(mode: str, lane: int, b: int, c: int) -> tuple[int, bool]:
    """The source lane and the predicate, after the manual's pseudo-code."""
    bval, cval, mask = b & 31, c & 31, c >> 8 & 31
    max_lane = lane & mask | cval & ~mask
    min_lane = lane & mask
    j = {
        "up": lane - bval,
        "down": lane + bval,
        "bfly": lane ^ bval,
        "idx": min_lane | bval & ~mask,
    }[mode]
    pval = j >= max_lane if mode == "up" else j <= max_lane
    return (j if pval else lane), pval


@pytest.mark.parametrize("mode", ["up", "down", "bfly", "idx"])
@pytest.mark.parametrize("sync", [".sync", ""])
def test_shuffle(mode: str, sync: str) -> None:
    chance = random.Random(mode)  # noqa: S311  the same numbers each time
    for clamp in (0, 31, 7, 0x1C07, 0x181F, 0x1E00, 0x100F):
        b = chance.choice((0, 1, 2, 4, 16, 31, 33))
        lanes: dict[int, dict[str, Bits]] = {}
        for lane in range(32):
            lanes[lane] = {"d": None, "p": None, "a": chance.getrandbits(32), "b": b, "c": clamp}
            if sync:
                lanes[lane]["membermask"] = _ALL

        def wanted(lane: int, b: int = b, clamp: int = clamp) -> dict[str, int]:
            source, is_inside = _shuffled(mode, lane, b, clamp)
            bits = lanes[source]["a"]  # noqa: B023  called at once
            assert isinstance(bits, int)
            return {"d": bits, "p": int(is_inside)}

        check_warp(f"shfl{sync}.{mode}.b32", lanes, wanted)


def test_shuffle_from_a_lane_that_does_not_execute_it() -> None:
    program = find_program(
        "shfl",
        (".sync", ".idx", ".b32"),
        tuple((name, 0) for name in ("d", "a", "b", "c", "membermask")),
    )
    assert program is not None
    own: dict[str, Bits] = {"a": 1, "b": 5, "c": 31, "membermask": 1}
    assert program.run(own, lanes={0: own}) is None


@pytest.mark.parametrize("pattern", [0, _ALL, 1, 0x0F0F0F0F, 0x80000000])
@pytest.mark.parametrize("mask", [_ALL, 0x0000FFFF, 0x80000001])
def test_vote(pattern: int, mask: int) -> None:
    members = [lane for lane in range(32) if mask >> lane & 1]
    votes = [pattern >> lane & 1 for lane in members]
    ballot = sum(1 << lane for lane in members if pattern >> lane & 1)
    answers = {"all": all(votes), "any": any(votes), "uni": len(set(votes)) == 1}
    for mode, truth in answers.items():
        wanted = {"d": int(truth)}
        synchronized: dict[int, dict[str, Bits]] = {
            lane: {"d": None, "a": pattern >> lane & 1, "membermask": mask} for lane in members
        }
        check_warp(f"vote.sync.{mode}.pred", synchronized, lambda _, it=wanted: it)  # type: ignore[misc]
        active: dict[int, dict[str, Bits]] = {
            lane: {"d": None, "a": pattern >> lane & 1} for lane in members
        }
        check_warp(f"vote.{mode}.pred", active, lambda _, it=wanted: it)  # type: ignore[misc]
    check_warp("vote.sync.ballot.b32", synchronized, lambda _: {"d": ballot})
    check_warp("vote.ballot.b32", active, lambda _: {"d": ballot})
    check_warp("activemask.b32", {lane: {"d": None} for lane in members}, lambda _: {"d": mask})


@pytest.mark.parametrize("type_", ["b32", "b64"])
@pytest.mark.parametrize("mask", [_ALL, 0x0000FFFF])
def test_match(type_: str, mask: int) -> None:
    members = [lane for lane in range(32) if mask >> lane & 1]
    for values in ((7,), (1, 2), (0, 1 << 31, 5)):
        lanes: dict[int, dict[str, Bits]] = {
            lane: {"d": None, "p": None, "a": values[lane % len(values)], "membermask": mask}
            for lane in members
        }
        same = len(values) == 1
        check_warp(
            f"match.all.sync.{type_}",
            lanes,
            lambda _: {"d": mask * same, "p": int(same)},  # noqa: B023
        )
        for operands in lanes.values():
            del operands["p"]

        def wanted(lane: int) -> dict[str, int]:
            equal = [it for it in members if lanes[it]["a"] == lanes[lane]["a"]]  # noqa: B023
            return {"d": sum(1 << it for it in equal)}

        check_warp(f"match.any.sync.{type_}", lanes, wanted)


def _signed(bits: int) -> int:
    return bits - (bits >> 31 << 32)


@pytest.mark.parametrize(
    ("text", "operation"),
    [
        ("add.u32", lambda a, b: a + b & _ALL),
        ("add.s32", lambda a, b: a + b & _ALL),
        ("min.u32", min),
        ("max.u32", max),
        ("min.s32", lambda a, b: min(a, b, key=_signed)),
        ("max.s32", lambda a, b: max(a, b, key=_signed)),
        ("and.b32", lambda a, b: a & b),
        ("or.b32", lambda a, b: a | b),
        ("xor.b32", lambda a, b: a ^ b),
    ],
)
def test_reduction_of_integers(text: str, operation: Callable[[int, int], int]) -> None:
    chance = random.Random(text)  # noqa: S311  the same numbers each time
    for mask in (_ALL, 0x00FF00FF, 0x10):
        members = [lane for lane in range(32) if mask >> lane & 1]
        values = {
            lane: chance.choice((0, 1, 1 << 31, _ALL, chance.getrandbits(32))) for lane in members
        }
        result = reduce(operation, values.values())
        lanes: dict[int, dict[str, Bits]] = {
            lane: {"dst": None, "src": values[lane], "membermask": mask} for lane in members
        }
        check_warp(f"redux.sync.{text}", lanes, lambda _, it=result: {"dst": it})  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("min.f32", 0xBF800000), ("max.f32", 0x40000000), ("min.abs.f32", 0x3F800000),
        ("max.abs.f32", 0x40000000), ("min.NaN.f32", 0x7FFFFFFF), ("max.abs.NaN.f32", 0x7FFFFFFF),
    ],
)  # fmt: skip
def test_reduction_of_floats(text: str, wanted: int) -> None:
    bits = (0x40000000, 0xBF800000, 0x7FC00001, 0x3F800000)  # 2.0, -1.0, NaN, 1.0
    lanes: dict[int, dict[str, Bits]] = {
        lane: {"dst": None, "src": bits[lane % 4], "membermask": _ALL} for lane in range(32)
    }
    check_warp(f"redux.sync.{text}", lanes, lambda _: {"dst": wanted})
