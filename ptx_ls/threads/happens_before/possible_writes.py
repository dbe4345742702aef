"""Finds which writes of a register, and which threads, may have given a predicate its value.

Compilers store the result of `a && b` in a register: 0 where `a` is false, and `b` elsewhere. If
the register is not 0, only the second instruction can have written it, so `a` was true, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.threads.launch_example.thread_comparisons import compared_numbers, threads_that_pass
from ptx_ls.values.decoding import immediate, plain_name

if TYPE_CHECKING:
    from ptx_ls.threads.launch_example.iterations import Iterations
    from ptx_ls.threads.launch_example.thread_numbers import ThreadNumbers
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_values import FunctionValues

_MAX_STEPS: Final = 8
"""Maximum number of instructions that are followed from the predicate to the register."""
_WIDTHS: Final = {"8": 8, "16": 16, "32": 32, "64": 64}


class WriterFinder:
    """Finds the threads of an example launch that may write what a condition needs."""

    def __init__(self, values: FunctionValues, numbers: ThreadNumbers, n_threads: int) -> None:
        self._values, self._numbers = values, numbers
        self._everyone = frozenset(range(n_threads))

    def threads(
        self, decided: tuple[int, bool], block: int, iterations: Iterations
    ) -> frozenset[int]:
        """Returns the threads that may give a predicate a value in an iteration around a block.

        `decided`: the use that reads the predicate, and the value.
        """
        writes = _possible_writes(self._values, decided[0], value=decided[1])
        innermost = self._values.graph.loop_forest.innermost
        blocks = map(self._values.flow.index.block_of, writes)
        if {*map(innermost, blocks)} != {innermost(block)}:
            return self._everyone
        return frozenset().union(*(self._reaching(each, iterations) for each in writes))

    def _reaching(self, write: int, iterations: Iterations) -> frozenset[int]:
        """Returns the threads that meet the conditions of an instruction that are known."""
        threads = self._everyone
        for condition in self._values.conditions(self._values.given.decoder.of_use(write).found):
            for held in condition.facts.comparisons:
                sides = compared_numbers(self._numbers, held, iterations)
                if sides is not None and sides[0].unknowns == sides[1].unknowns:
                    threads &= threads_that_pass(held, *sides)
        return threads


def _possible_writes(values: FunctionValues, use: int, *, value: bool) -> tuple[int, ...]:
    """Returns the definitions that may have written a value, 0 or not, to the register of a use.

    `value`: whether it is not 0. Copies, negations and tests for 0 are followed. Returns nothing if
    that excludes no definition.
    """
    flow = values.flow
    for _ in range(_MAX_STEPS):
        writes, from_entry, _ = flow.definitions(use)
        if from_entry or not writes:
            return ()
        if len(writes) > 1:
            found = tuple([each for each in writes if _may_write(values, each, value=value)])
            return found if len(found) < len(writes) else ()
        instruction = values.given.decoder.of_use(writes[0])
        if flow.index.guard(writes[0]) is not None:
            return ()
        source = _same_truth(values, instruction, value=value)
        if source is None:
            return ()
        use, value = source
    return ()


def _may_write(values: FunctionValues, definition: int, *, value: bool) -> bool:
    written = values.written(definition)
    return written.constant != 0 if value else written.low == 0


def _same_truth(
    values: FunctionValues, instruction: DecodedInstruction, *, value: bool
) -> tuple[int, bool] | None:
    """Returns the use that decides whether the result is 0, and whether it then is not 0."""
    sources = instruction.sources
    if not sources:
        return None
    modifiers, source, wanted = instruction.modifiers, sources[0], value
    match instruction.name:
        case "mov":
            pass
        case "not" if modifiers == (".pred",):
            wanted = not value
        case "cvt" if len(modifiers) == 2 and _is_widening(*modifiers):  # noqa: PLR2004
            pass
        case "setp" if len(sources) == 2 and immediate(sources[1]) == 0:  # noqa: PLR2004
            if modifiers[0] not in (".eq", ".ne") or modifiers[-1][1] == "f":
                return None
            wanted = value == (modifiers[0] == ".ne")
        case "selp" if len(sources) == 3:  # noqa: PLR2004  two numbers and a predicate
            numbers = [immediate(each) for each in sources[:2]]
            if None in numbers or numbers.count(0) != 1:
                return None
            source, wanted = sources[2], value == (numbers[1] == 0)
        case _:
            return None
    if source.negation == "!":
        return None
    use = values.given.decoder.reading_use(instruction, plain_name(source))
    return None if use is None else (use, wanted)


def _is_widening(to: str, of: str) -> bool:
    widths = [_WIDTHS.get(each[2:]) for each in (to, of)]
    return widths[0] is not None and widths[1] is not None and widths[0] >= widths[1]
