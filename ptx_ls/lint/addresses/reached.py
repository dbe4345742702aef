"""Decides whether any thread may run a statement, from the conditions before it.

nvcc unrolls the loops in which threads share the elements of an array, and guards each copy of the
body by how many iterations are left. For a small array, no thread has that many. The copy is never
run, and its addresses are outside of the array.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ptx_ls.threads.launch_example.launch import LaunchExample
from ptx_ls.threads.launch_example.thread_comparisons import compared_numbers, threads_that_pass
from ptx_ls.threads.launch_example.thread_numbers import ThreadNumbers
from ptx_ls.values.affine_values import is_stable
from ptx_ls.values.function_values import function_values
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.function_values import FunctionValues
    from ptx_ls.values.launch import LaunchSizes


def may_run(seen: CheckInput, found: Found) -> bool:
    """Whether some thread may run a statement, as far as values are known.

    The values of a function take long to find. This is for statements in which a mistake was found.
    """
    if seen.facts.function is None:
        return True
    return _reached_in(function_values(seen.function, seen.module)).may_run(found)


@lru_cache(maxsize=2)
def _reached_in(values: FunctionValues) -> _ReachedStatements:
    return _ReachedStatements(values)


class _ReachedStatements:
    """The statements of a function that threads may run.

    The ranges of values and the numbers of the threads decide that.
    """

    def __init__(self, values: FunctionValues) -> None:
        self._values = values
        self._known: dict[int, bool] = {}
        self._passing: dict[HeldComparison, frozenset[int]] = {}

    def may_run(self, found: Found) -> bool:
        """Whether the conditions before a statement may all hold in some thread."""
        if not self._values.is_readable:
            return True
        block = self._values.given.decoder.of_statement(found).block
        if block not in self._known:
            self._known[block] = self._values.may_run(block)
        return self._known[block] and self._may_pass(found)

    def _may_pass(self, found: Found) -> bool:
        """Whether a thread passes all comparisons that must hold before a statement."""
        if not self._values.given.is_kernel:
            return True
        threads = frozenset(range(self._launch.n_threads))
        for condition in self._values.conditions(found):
            for held in condition.facts.comparisons:
                threads &= self._that_pass(held)
        return bool(threads)

    def _that_pass(self, held: HeldComparison) -> frozenset[int]:
        """Returns the threads for which a comparison holds; all of them if that is unknown."""
        if held not in self._passing:
            self._passing[held] = self._find_passing(held)
        return self._passing[held]

    def _find_passing(self, held: HeldComparison) -> frozenset[int]:
        sides = compared_numbers(self._numbers, held, ()) if self._is_stable(held) else None
        if sides is None or sides[0].unknowns or sides[1].unknowns:
            return frozenset(range(self._launch.n_threads))
        return threads_that_pass(held, *sides)

    def _is_stable(self, held: HeldComparison) -> bool:
        """Whether both sides of a comparison have one value in each execution of the function."""
        sides = (held.left, held.right)
        forms = (self._values.source_form(held.instruction, it, held.width) for it in sides)
        return all(form is not None and is_stable(form) for form in forms)

    @cached_property
    def _launch(self) -> LaunchExample:
        return _launch_of(self._values.given.bounds)

    @cached_property
    def _numbers(self) -> ThreadNumbers:
        return ThreadNumbers(self._values, self._launch)


def _launch_of(sizes: LaunchSizes) -> LaunchExample:
    """Returns the threads with all numbers that a kernel may have."""
    if sizes.threads is not None:
        return LaunchExample(sizes.threads, is_stated=True, most=MAX_THREADS, is_any_block=True)
    row = (sizes.max_threads, 1, 1)
    return LaunchExample(row, is_stated=False, is_any_block=True, is_any_shape=True)
