"""Values that are surely reached are reached by some thread of each launch."""

from __future__ import annotations

import random
from typing import Final

import pytest

from ptx_ls.values.affine import AffineForm, TermKind
from ptx_ls.values.special_registers import NOT_ATTAINED
from tests.support.straight_line import NotComputableError
from tests.values.random_kernels import KernelWriter
from tests.values.test_soundness import Observer, inputs

THREADS: Final = (4, 2, 1)
N_QUICK_KERNELS: Final = 25
N_KERNELS: Final = 1_500
N_KERNELS_OF_PART: Final = 75
N_LAUNCHES: Final = 2


class LaunchObserver(Observer):
    """Runs all threads of a launch, and notes the values of forms at each statement."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.seen: dict[tuple[int, AffineForm], set[int]] = {}
        self.n_claims = 0
        self.claims = {}
        for row, uses in self.at.items():
            found = next(self.flow.text.statements((row,)))
            for _, value in uses:
                form = value.affine and value.affine.index
                if form is None or not form.terms:
                    continue
                ends = self.values.attained(form, found)
                if ends != NOT_ATTAINED:
                    self.claims[row, form] = ends

    def _before(self, row: int, is_run: bool) -> None:  # noqa: FBT001  a callback
        super()._before(row, is_run)
        for at, form in self.claims:
            if at == row and is_run:
                self.seen.setdefault((row, form), set()).add(self._whole(form))

    def _whole(self, form: AffineForm) -> int:
        """Returns the sum of whole numbers that a form is now."""
        total = form.offset
        for term, times in form.terms:
            known = (TermKind.SPECIAL, TermKind.COUNTER, TermKind.DEFINITION)
            assert term.kind in known or None in self.claims.values()
            value = self._term(term)
            total += times * (0 if value is None else value)
        return total

    def launch(self, bits: dict[str, int]) -> bool:
        """Runs all threads of two blocks; returns whether all of them came to an end."""
        self.seen.clear()
        for block in range(2):
            for y in range(THREADS[1]):
                for x in range(THREADS[0]):
                    own = {"%tid.x": x, "%tid.y": y, "%ctaid.x": block, "%nctaid.x": 2}
                    if not self.run({**bits, **own, "%laneid": x + THREADS[0] * y}):
                        return False
        return True

    def check(self) -> None:
        """Checks that everything that was said to be reached was reached."""
        for (row, form), ends in self.claims.items():
            for end in ends:
                seen = self.seen.get((row, form), set())
                assert end is None or end in seen, (self.lines[row], str(form), ends, seen)
                self.n_claims += end is not None


def check_kernel(seed: int) -> int:
    """Checks a random kernel, and returns how many claims were checked."""
    chance = random.Random(seed)  # noqa: S311  a repeatable choice
    writer = KernelWriter(chance)
    writer.threads = THREADS
    observer = LaunchObserver(writer.kernel())
    if not observer.claims:
        return 0
    for _ in range(N_LAUNCHES):
        try:
            if observer.launch(inputs(writer, chance)):
                observer.check()
        except NotComputableError:
            continue
    return observer.n_claims


def test_what_is_surely_reached_is_reached() -> None:
    assert sum(map(check_kernel, range(N_QUICK_KERNELS))) > N_QUICK_KERNELS


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 10_000 + N_KERNELS, N_KERNELS_OF_PART))
def test_what_is_surely_reached_in_many_kernels_is_reached(first: int) -> None:
    for seed in range(first, first + N_KERNELS_OF_PART):
        check_kernel(seed)
