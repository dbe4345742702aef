"""Wrong kernels of the pairs can go wrong, and right ones do not, in whatever order threads run."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.lint.scheduling.program import NotRunnableError, read
from tests.lint.scheduling.schedules import Outcome, outcomes
from tests.support.fixture import parse_fixture

PAIRS: Final = Path(__file__).parents[1] / "pairs"
RULES: Final = (
    "missing-barrier", "divergent-barrier", "barrier-count", "barrier-without-partner",
    "exit-before-collective", "absent-lane", "unawaited-copy", "uncommitted-copy",
    "early-copy-access", "overwritten-copy-source", "early-bulk-read", "mbarrier-arrivals",
    "mbarrier-bytes", "constant-parity", "wrong-parity", "single-wait", "endless-wait",
    "early-slot-access", "reused-barrier",
)  # fmt: skip
"""Rules about mistakes that change what a kernel does."""


def check_kernel(path: Path) -> set[Outcome]:
    """Returns what a kernel may end with."""
    return outcomes(read(parse_fixture(path.read_text(encoding="utf-8")).text))


def check_pair(name: str) -> None:
    """Fails unless the wrong kernel may end otherwise than the right one, which has one end."""
    right = check_kernel(PAIRS / f"{name}.right.ptx")
    assert [each.end for each in right] == ["done"]
    assert check_kernel(PAIRS / f"{name}.wrong.ptx") != right


def _name(path: Path) -> str:
    return str(path.relative_to(PAIRS)).removesuffix(".wrong.ptx")


ALL: Final = sorted(_name(each) for rule in RULES for each in PAIRS.glob(f"{rule}/*.wrong.ptx"))
QUICK: Final = ("missing-barrier/neighbours", "early-copy-access/fragments")
_NO_CALLS: Final = "functions are not called"
_NO_MATRICES: Final = "matrix instructions are not executed"
_NO_CLUSTERS: Final = "only one block runs"
_NO_REQUESTS: Final = "requests to cancel a launch are not executed"
NOT_RUN: Final = {
    "constant-parity/register_never_flipped": "tensor copies are not executed",
    "divergent-barrier/called_by_some": _NO_CALLS,
    "divergent-barrier/called_in_a_loop": _NO_CALLS,
    "divergent-barrier/index_as_an_argument": _NO_CALLS,
    "early-bulk-read/added_by_the_other_block": _NO_CLUSTERS,
    "early-bulk-read/answer_read_at_once": _NO_REQUESTS,
    "early-bulk-read/matrix_operand": _NO_MATRICES,
    "early-bulk-read/sent_in_rounds": _NO_CLUSTERS,
    "early-bulk-read/tensor_tile": "tensor copies are not executed",
    "early-slot-access/accumulator_overwritten": _NO_MATRICES,
    "early-slot-access/accumulator_read_early": _NO_MATRICES,
    "early-slot-access/answer_asked_for_again": _NO_REQUESTS,
    "early-slot-access/block_ends_before_its_peer": _NO_CLUSTERS,
    "early-slot-access/freed_before_the_last_read": _NO_MATRICES,
    "early-slot-access/operand_overwritten": _NO_MATRICES,
    "early-slot-access/initialised_before_a_relaxed_arrival": _NO_CLUSTERS,
    "early-slot-access/released_by_one_warp": "tensor copies are not executed",
    "early-slot-access/released_to_the_own_block_only": _NO_CLUSTERS,
    "endless-wait/accumulator_never_freed": _NO_MATRICES,
    "endless-wait/arrivals_of_two_blocks": _NO_CLUSTERS,
    "endless-wait/columns_of_all_warps": _NO_MATRICES,
    "endless-wait/result_never_committed": _NO_MATRICES,
    "endless-wait/rings_of_two_sizes": _NO_MATRICES,
    "exit-before-collective/exit_in_a_function": _NO_CALLS,
    "exit-before-collective/lanes_beyond_the_rows": _NO_MATRICES,
    "exit-before-collective/load_of_tensor_memory": _NO_MATRICES,
    "exit-before-collective/partial_last_warp": _NO_MATRICES,
    "exit-before-collective/store_matrix_after_exit": _NO_MATRICES,
    "exit-before-collective/warp_without_rows": _NO_MATRICES,
    "mbarrier-bytes/answer_of_a_request": _NO_REQUESTS,
    "mbarrier-bytes/more_than_a_tile": "tensor copies are not executed",
    "missing-barrier/barrier_on_some_path_of_a_function": _NO_CALLS,
    "missing-barrier/called_without_barrier": _NO_CALLS,
    "missing-barrier/exchange_in_a_cluster": _NO_CLUSTERS,
    "missing-barrier/exchange_in_a_function": _NO_CALLS,
    "missing-barrier/filled_in_bulk": "st.bulk is not executed",
    "missing-barrier/filled_between_arrival_and_wait": _NO_CLUSTERS,
    "missing-barrier/index_from_functions": _NO_CALLS,
    "missing-barrier/loaded_by_a_function": _NO_CALLS,
    "missing-barrier/matrix_of_other_warps": _NO_MATRICES,
    "missing-barrier/operands_in_shared_memory": _NO_MATRICES,
    "missing-barrier/other_row_of_the_operand": _NO_MATRICES,
    "missing-barrier/pointer_passed_on": _NO_CALLS,
    "missing-barrier/product_reads_before_others_store": _NO_MATRICES,
    "missing-barrier/slot_of_a_function": _NO_CALLS,
    "missing-barrier/sums_of_higher_ranks": _NO_CLUSTERS,
    "missing-barrier/staged_tensor_store": "tensor copies are not executed",
    "missing-barrier/stored_after_arrival_in_cpp": "blocks with declarations are not executed",
    "missing-barrier/stored_and_loaded_by_calls": _NO_CALLS,
    "missing-barrier/stored_between_arrival_and_wait": _NO_CLUSTERS,
    "missing-barrier/stored_in_another_block": _NO_CLUSTERS,
    "missing-barrier/sum_called_twice": _NO_CALLS,
    "missing-barrier/tensor_memory_address": _NO_MATRICES,
    "missing-barrier/tiles_by_functions": _NO_CALLS,
    "missing-barrier/total_in_the_first_block": _NO_CLUSTERS,
    "overwritten-copy-source/ring_of_tensor_tiles": "tensor copies are not executed",
    "single-wait/compared_in_vain": "blocks with declarations are not executed",
    "unawaited-copy/tensor_store": "tensor copies are not executed",
    "uncommitted-copy/reduction": "asynchronous reductions are not executed",
}
"""Pairs that are not run, with the reason."""
_LANES: Final = "nothing waits for lanes that have exited, although the manual leaves it undefined"
_UNUSED: Final = "a barrier that nothing depends on changes no result"
_RELAXED: Final = "relaxed arrivals and waits order what others do, too"
_SHAPE: Final = "the kernel runs in a block of one dimension, as it states none"
NOT_DECIDED: Final = {
    "absent-lane/guarded_reduction": _LANES,
    "absent-lane/mask_in_a_register": _LANES,
    "absent-lane/sum_of_the_first_lanes": "results of lanes that nothing needs depend on chance",
    "absent-lane/vote_of_odd_lanes": _LANES,
    "barrier-without-partner/arrives_twice": _UNUSED,
    "barrier-without-partner/other_count": "memory holds one value that decides all branches",
    "barrier-without-partner/swapped_numbers": _UNUSED,
    "divergent-barrier/barrier_of_the_active": _LANES,
    "divergent-barrier/half_block_reduction": _LANES,
    "divergent-barrier/half_of_any_block": _LANES,
    "divergent-barrier/loop_of_the_thread": _LANES,
    "divergent-barrier/loop_with_lane_bound": _LANES,
    "divergent-barrier/multiples_of_the_stride": _LANES,
    "divergent-barrier/two_dimensions": _LANES,
    "exit-before-collective/all_but_one_lane_exit": _LANES,
    "exit-before-collective/branch_to_the_end": _LANES,
    "missing-barrier/barrier_for_one_bit": "memory holds one value that decides all branches",
    "missing-barrier/bins_of_data": "its results are atomic updates, which are not compared",
    "missing-barrier/condition_in_a_register": "all elements are equal, so none is replaced",
    "missing-barrier/counter_before_the_barrier": (
        "memory holds one value that decides all branches"
    ),
    "missing-barrier/relaxed_arrival": _RELAXED,
    "missing-barrier/relaxed_wait": _RELAXED,
    "missing-barrier/stop_read_by_all_others": "memory holds one value that decides all branches",
    "missing-barrier/stop_set_by_the_first_thread": (
        "memory holds one value that decides all branches"
    ),
    "missing-barrier/tiles_of_unknown_blocks": _SHAPE,
    "missing-barrier/tiles_overwritten": _SHAPE,
    "reused-barrier/halves": _UNUSED,
    "reused-barrier/one_after_the_other": _UNUSED,
    "reused-barrier/overlapping_warps": _UNUSED,
    "reused-barrier/single_warps": _UNUSED,
    "single-wait/branch_to_the_next_line": "each thread only reads what it has stored itself",
    "unawaited-copy/refill_too_many": "the copy that nothing waits for is complete at the end",
}
"""Pairs that run, but whose results do not show the mistake, with the reason."""
TOO_MANY_SCHEDULES: Final = {"missing-barrier/exchange_after_a_lock": "all threads wait for a lock"}
"""Pairs that do not end in any reasonable time, with the reason."""


@pytest.mark.parametrize("name", QUICK)
def test_pair(name: str) -> None:
    check_pair(name)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [it for it in ALL if it not in {*NOT_RUN, *NOT_DECIDED, *QUICK, *TOO_MANY_SCHEDULES}],
)
def test_all_pairs(name: str) -> None:
    check_pair(name)


@pytest.mark.parametrize("name", NOT_RUN)
def test_pair_is_not_run(name: str) -> None:
    with pytest.raises(NotRunnableError):
        check_kernel(PAIRS / f"{name}.wrong.ptx")


@pytest.mark.slow
@pytest.mark.parametrize("name", NOT_DECIDED)
def test_pair_is_not_decided(name: str) -> None:
    with pytest.raises(AssertionError):
        check_pair(name)
