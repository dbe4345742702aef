"""Evaluates what follows from the index of a thread in its block, for each thread or warp.

A value that also depends on other numbers is unknown, but one bit or a comparison of it may
still be known.
"""

from __future__ import annotations

from functools import partial, reduce
from typing import TYPE_CHECKING, Final
from weakref import proxy

from ptx_ls.syntax.register_events import READS
from ptx_ls.threads.uniformity.instruction_kinds import is_whole_warp, special_names
from ptx_ls.threads.uniformity.joined_predicates import joined_writes
from ptx_ls.threads.uniformity.launches import index_values
from ptx_ls.threads.uniformity.levels import LANES
from ptx_ls.values.abstract_value import AbstractValue, constant, unknown
from ptx_ls.values.decoding import plain_name
from ptx_ls.values.known_bits import MAX_WIDTH
from ptx_ls.values.unconditional_values import UnconditionalValues

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.threads.uniformity.joined_predicates import JoinedWrites
    from ptx_ls.threads.uniformity.launches import BlockShape
    from ptx_ls.values.decoding import DecodedInstruction, Decoder
    from ptx_ls.values.function_input import FunctionInput

Vector = tuple[AbstractValue, ...]
"""A value for each thread of a block, or for each of its warps."""
_MAX_KEPT: Final = 1 << 17
"""Number of values of threads, or of warps, that are kept: they may take 64 MB."""
_SHARED_WORD: Final = ".b32"


class _OneElement(UnconditionalValues):
    """Evaluates instructions for one thread or warp, whose special registers are given."""

    def __init__(self, given: FunctionInput, vectors: IndexValues) -> None:
        super().__init__(given)
        self._vectors = vectors
        self.number = 0

    def special(self, name: str, width: int) -> AbstractValue:
        """Returns the value of a special register in the thread or warp."""
        vector = self._vectors.special(name)
        if vector is not None and vector[self.number].width == width:
            return vector[self.number]
        return super().special(name, width)


class IndexValues:
    """The values that definitions have in each thread of a block, or in each warp of it.

    The value of a warp is what is known of the values of all of its lanes.
    """

    def __init__(
        self, given: FunctionInput, shape: BlockShape, warps: IndexValues | None = None
    ) -> None:
        """`warps`: the values of the warps, to make those of the threads."""
        self._given, self.shape, self._warps = given, shape, warps
        self._of_warps = warps is None
        self._size = shape.n_threads if warps else shape.n_warps
        self._single = _OneElement(given, proxy(self))
        self._specials: dict[str, Vector | None] = {}
        self._known: dict[int, Vector] = {}
        self._unknown: dict[int, Vector] = {}
        self._joins: dict[tuple[tuple[int, ...], int], Vector | None] = {}
        self._is_evaluating = False

    def special(self, name: str) -> Vector | None:
        """Returns the value of a special register that depends on the index only, or None."""
        if name not in self._specials:
            found = index_values(name, self.shape)
            if found is not None and self._of_warps:
                lanes = [found[at : at + LANES] for at in range(0, len(found), LANES)]
                found = tuple(reduce(AbstractValue.join, each) for each in lanes)
            self._specials[name] = found
        return self._specials[name]

    def written(self, use: int) -> Vector:
        """Returns what a definition writes."""
        if use not in self._known:
            if not self._is_evaluating and len(self._known) * self._size > _MAX_KEPT:
                self._known.clear()
            outer, self._is_evaluating = self._is_evaluating, True
            self._ensure(use)
            self._is_evaluating = outer
        return self._known[use]

    def read(self, use: int) -> Vector:
        """Returns what an instruction reads with a use."""
        definition = self._given.flow.definition(use)
        width = self._given.decoder.width(use) or MAX_WIDTH
        if definition is not None:
            found = self.written(definition)
            if found[0].width == width:
                return found
        joined = self._joined(use) if definition is None and width == 1 else None
        return self._unknown_of(width) if joined is None else joined

    def _joined(self, use: int) -> Vector | None:
        """Returns a predicate that different paths set, if the index decides who takes each."""
        key = self._given.flow.definitions(use).writes, self._given.flow.index.block_of(use)
        if key not in self._joins:
            self._joins[key] = None  # in case it depends on itself
            found = joined_writes(self._given, use)
            self._joins[key] = None if found is None else self._joined_by(found)
        return self._joins[key]

    def _joined_by(self, joined: JoinedWrites) -> Vector | None:
        reaching = joined.reaching((1 << self._size) - 1, self._may_be)
        if reaching is None:
            return None
        vectors = [(threads, self.written(write)) for write, threads in reaching.items()]
        return tuple(
            reduce(
                AbstractValue.join,
                [vector[at] for threads, vector in vectors if threads >> at & 1] or [unknown(1)],
            )
            for at in range(self._size)
        )

    def _may_be(self, use: int, value: bool) -> int:  # noqa: FBT001
        """Returns the threads, or warps, in which a predicate may have a value."""
        return members_with(self.read(use), int(value))

    def _unknown_of(self, width: int) -> Vector:
        """Returns values of which nothing is known."""
        if width not in self._unknown:
            self._unknown[width] = (unknown(width),) * self._size
        return self._unknown[width]

    def _ensure(self, root: int) -> None:
        """Evaluates a definition after those that it depends on."""
        waiting, opened = [root], set[int]()
        while waiting:
            use = waiting[-1]
            if use in self._known:
                waiting.pop()
                continue
            sources = [each for each in self._sources(use) if each not in self._known]
            if use in opened or not sources:
                waiting.pop()
                unavailable = [each for each in sources if each not in self._known]
                self._known[use] = self._nothing(use) if unavailable else self._evaluate(use)
                continue
            opened.add(use)
            waiting += [each for each in sources if each not in opened]

    def _nothing(self, use: int) -> Vector:
        return self._unknown_of(self._given.decoder.width(use) or MAX_WIDTH)

    def _read_uses(self, instruction: DecodedInstruction) -> list[int]:
        ways = self._given.flow.uses.ways
        return [each for each in instruction.uses if ways[each] & READS]

    def _sources(self, use: int) -> list[int]:
        """Returns the definitions that a definition depends on, if each operand has only one."""
        flow = self._given.flow
        found = map(flow.definition, self._read_uses(self._given.decoder.of_use(use)))
        return [each for each in found if each is not None]

    def _evaluate(self, use: int) -> Vector:
        instruction = self._given.decoder.of_use(use)
        if instruction.name == "elect":
            return self._elected(use, instruction)
        if instruction.name == "shfl":
            return self._shuffled(use, instruction)
        reads = {each: self.read(each) for each in self._read_uses(instruction)}
        specials = [self.special(name) for name in special_names(instruction)]
        vectors = [*reads.values(), *[each for each in specials if each is not None]]
        if vectors and all(each == self._unknown_of(each[0].width) for each in vectors):
            return self._nothing(use)
        kept: dict[tuple[AbstractValue, ...], AbstractValue] = {}
        whole = self._warps.written(use) if self._warps is not None else ()
        evaluation = self._single.evaluation(use)
        found: list[AbstractValue] = []
        for first in range(0, self._size, LANES):
            group = range(first, min(first + LANES, self._size))
            if whole and whole[first // LANES].constant is not None:
                found += [whole[first // LANES]] * len(group)
                continue
            for number in group:
                key = tuple([vector[number] for vector in vectors])
                value = kept.get(key)
                if value is None:
                    self._single.number = number
                    value = kept[key] = evaluation(partial(_element, reads, number))
                found.append(value)
        return tuple(found)

    def _elected(self, use: int, instruction: DecodedInstruction) -> Vector:
        """Returns the results of `elect.sync`, if all lanes of a warp execute it.

        The manual does not say which lane is elected; here, it is the first one.
        """
        is_predicate = self._given.decoder.destination(use) == (1, -1)
        if not is_predicate or self._of_warps:
            return self._nothing(use)
        if not is_whole_warp(instruction, 0, self._given.decoder):
            return self._nothing(use)
        return tuple(constant(1, int(number % LANES == 0)) for number in range(self._size))

    def _shuffled(self, use: int, instruction: DecodedInstruction) -> Vector:
        """Returns what `shfl.sync.idx` reads from one lane of the whole warp."""
        lane = shuffled_lane(instruction, self._given.decoder)
        source = instruction.sources[0] if lane is not None else None
        name = plain_name(source) if source is not None else ""
        read = self._given.decoder.reading_use(instruction, name) if name else None
        is_value = self._given.decoder.destination(use) == (0, -1)
        if lane is None or read is None or not is_value:
            return self._nothing(use)
        vector = self.read(read)
        if self._of_warps:
            return vector
        at = [number - number % LANES + lane for number in range(self._size)]
        width = vector[0].width
        return tuple(vector[each] if each < self._size else unknown(width) for each in at)


def members_with(vector: Vector, value: int) -> int:
    """Returns the threads, or warps, that may have a value, as a set with a bit for each."""
    found = 0
    for number, each in enumerate(vector):
        if each.low <= value <= each.high:
            found |= 1 << number
    return found


def _element(vectors: Mapping[int, Vector], number: int, use: int) -> AbstractValue:
    """Returns what a use reads in one thread or warp."""
    return vectors[use][number]


def shuffled_lane(instruction: DecodedInstruction, decoder: Decoder) -> int | None:
    """Returns the lane that all lanes of a warp read with `shfl.sync.idx`, or None."""
    sources = instruction.sources
    is_index = {".sync", ".idx", _SHARED_WORD} <= set(instruction.modifiers)
    if not is_index or len(sources) != 4 or not is_whole_warp(instruction, 3, decoder):  # noqa: PLR2004
        return None
    lane, clamp = (decoder.number(instruction, each) for each in sources[1:3])
    return None if lane is None or clamp != LANES - 1 else lane % LANES
