"""The blocks of a cluster, compared with the manual's definitions of the special registers."""

from __future__ import annotations

from itertools import product

import pytest

from ptx_ls.protocols.execution.clusters import ClusterShape, address_in, addresses_in, rank_of
from ptx_ls.threads.uniformity.launches import BlockShape

BLOCK = BlockShape((48, 1, 1), is_stated=True)


def check_special(name: str, blocks: tuple[int, int, int], expected: list[int]) -> None:
    cluster = ClusterShape(BLOCK, blocks)
    assert [cluster.special(name, rank) for rank in range(cluster.n_blocks)] == expected


def test_places_of_blocks() -> None:
    places = [(x, y, z) for z, y, x in product(range(2), range(1), range(3))]
    for at, dimension in enumerate("xyz"):
        check_special(f"%cluster_ctaid.{dimension}", (3, 1, 2), [each[at] for each in places])
        check_special(f"%ctaid.{dimension}", (3, 1, 2), [each[at] for each in places])


def test_ranks_and_sizes() -> None:
    check_special("%cluster_ctarank", (2, 2, 1), [0, 1, 2, 3])
    check_special("%cluster_nctarank", (2, 2, 1), [4, 4, 4, 4])
    check_special("%cluster_nctaid.y", (1, 2, 1), [2, 2])
    check_special("%is_explicit_cluster", (1, 1, 1), [0])
    check_special("%is_explicit_cluster", (2, 1, 1), [1, 1])


@pytest.mark.parametrize("name", ["%tid.x", "%ctaid", "%ctaid.w", "%laneid", "%clock"])
def test_not_decided_by_the_block(name: str) -> None:
    assert ClusterShape(BLOCK, (2, 1, 1)).special(name, 1) is None


def test_warps_and_threads() -> None:
    cluster = ClusterShape(BLOCK, (2, 1, 1))
    assert [cluster.rank_of(warp) for warp in range(4)] == [0, 0, 1, 1]
    assert cluster.threads_of(0) & cluster.threads_of(1) == 0
    assert cluster.threads_of(0) | cluster.threads_of(1) == (1 << 128) - 1


def test_addresses() -> None:
    there = address_in(3, 0x1234)
    assert rank_of(there) == 3
    assert address_in(0, there) == 0x1234
    assert rank_of(0x1234) == 0
    assert [*addresses_in((), there)] == [there]
    assert [*addresses_in((0, 2), there)] == [0x1234, address_in(2, 0x1234)]
