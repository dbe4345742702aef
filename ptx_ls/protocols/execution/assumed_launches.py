"""Runs a kernel for several launches, and finds what goes wrong in all of them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.execution.branching import UnsupportedError
from ptx_ls.protocols.execution.evaluation import LaneEvaluation
from ptx_ls.protocols.execution.execution import NO_COPIES, Execution
from ptx_ls.protocols.execution.faults import RunFault, StuckWait, are_about_one, are_alike
from ptx_ls.protocols.execution.kernel_steps import KernelSteps
from ptx_ls.protocols.execution.run_faults import RunFaults

if TYPE_CHECKING:
    from ptx_ls.protocols.execution.clusters import ClusterShape
    from ptx_ls.values.function_values import FunctionValues

_NUMBERS: Final = (5, 160, 1280)
"""The number in all parameters: numbers of iterations, of elements, and of bytes."""
_FEW_STEPS: Final = 1_000
"""Number of steps of a launch up to which its warps also run in another order."""
_UNROLLED: Final = 8
"""How often compilers unroll loops at most: with as many more iterations, the same code is last."""
_ROUND: Final = (256, 3840)
"""Numbers of elements that tiles divide: few tiles, and many."""


class AssumedLaunches:
    """Launches of a kernel, each with one number in all parameters.

    `n_steps`: how many steps have run in all of them.
    """

    def __init__(self, values: FunctionValues, cluster: ClusterShape) -> None:
        self._program, self._cluster = KernelSteps(values), cluster
        self._values = LaneEvaluation(self._program, cluster)
        self._faults = RunFaults(self._program, cluster)
        self._n_copies = NO_COPIES
        self.n_steps = 0

    def fault(self) -> RunFault | None:
        """Returns what goes wrong in all launches; None if nothing does."""
        n_steps, short = -1, 0
        for number in _NUMBERS if self._program.steps else ():
            run = self._run(number)
            found = self._first(run)
            if found is not None:
                return found if self._is_confirmed(found, number, is_reversed=False) else None
            if run.n_steps <= _FEW_STEPS and (run.is_finished or not short):
                short = number
            if not run.is_finished:
                break
            self._n_copies = run.objects.copies_of_phases()
            if run.n_steps == n_steps or run.most_repeated > run.objects.n_used + 1:
                break  # all slots of a ring have been used again
            n_steps = run.n_steps
        if not short:
            return None
        found = self._first(self._run(short, is_reversed=True))
        is_sure = found is not None and self._is_confirmed(found, short, is_reversed=True)
        return found if is_sure else None

    def go_wrong_like(self, known: RunFault) -> bool:
        """Whether two launches go wrong as those of blocks of another size do."""
        few, many = _NUMBERS[0], _ROUND[0]
        if not are_alike(known, self._first(self._run(few))):
            return False
        run = self._run(many)
        return not run.is_finished or are_alike(known, self._first(run))

    def _first(self, run: Execution) -> RunFault | None:
        return self._faults.first(run)

    def _run(self, number: int, *, is_reversed: bool = False) -> Execution:
        self._values.start(number)
        run = Execution(
            self._program,
            self._values,
            self._cluster,
            is_reversed=is_reversed,
            n_copies=self._n_copies if is_reversed else NO_COPIES,
        )
        with suppress(UnsupportedError):
            run.run()
        self.n_steps += run.n_steps
        return run

    def _is_confirmed(self, found: RunFault, number: int, *, is_reversed: bool) -> bool:
        """Whether other launches go wrong in the same way, and a short one in no other."""
        run = self._run(number + _UNROLLED, is_reversed=is_reversed)
        if not are_alike(found, self._first(run)):
            return False
        if not _have_same_amounts(run, self._run(number, is_reversed=is_reversed)):
            return False
        for other in (number + 2 * _UNROLLED, *_ROUND):
            run = self._run(other, is_reversed=is_reversed)
            if run.is_finished and not are_alike(found, self._first(run)):
                return False
        if not isinstance(found, StuckWait):
            return True
        # A kernel whose roles repeat different numbers of times is right for some launches only.
        short = self._first(self._run(max(1, number // _NUMBERS[0]), is_reversed=is_reversed))
        return not isinstance(short, StuckWait) or are_about_one(found, short)


def _have_same_amounts(one: Execution, other: Execution) -> bool:
    """Whether parameters decide no count and no number of bytes."""
    for own, others in (
        (one.objects.amounts, other.objects.amounts),
        (one.barriers.amounts, other.barriers.amounts),
    ):
        if any(own[each] != others[each] for each in own.keys() & others.keys()):
            return False
    return True
