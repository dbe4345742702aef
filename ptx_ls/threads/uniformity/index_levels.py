"""Which groups of threads surely agree on a value that follows from their index, or surely not.

Shifts and masks drop the bits in which the lanes of a warp differ: `%tid.x >> 5` is the index of
the warp. If the shape of a block is not stated, a kernel that only asks for the first dimension is
taken to be launched with blocks of one dimension.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.slices.sources import record_of
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS
from ptx_ls.threads.uniformity.index_values import IndexValues, Vector
from ptx_ls.threads.uniformity.instruction_kinds import is_function
from ptx_ls.threads.uniformity.joined_predicates import joined_writes
from ptx_ls.threads.uniformity.launches import BlockShape, block_shapes, index_values
from ptx_ls.threads.uniformity.levels import LANES, Level
from ptx_ls.threads.uniformity.sources import special_level
from ptx_ls.values.abstract_value import constant
from ptx_ls.values.affine import AffineTerm, TermKind
from ptx_ls.values.decoding import immediate, plain_name
from ptx_ls.values.transfer.number_types import INTEGER_TYPES

if TYPE_CHECKING:
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_values import FunctionValues

WeightedTerm = tuple[AffineTerm, int]
_LEVELS: Final = (Level.WARPGROUP, Level.WARP)
_MAX_DEPTH: Final = 32
"""Maximum number of instructions that are followed one after the other."""
_ABSORBING: Final = ("and", "or", "setp", "mul", "min", "max")
"""The opcodes of instructions whose result may be known if that of one operand is."""
_ASKED: Final = (("%tid.z", "%ntid.z"), ("%tid.y", "%ntid.y"))


class IndexLevels:
    """The levels of values that follow from the index of a thread in its block.

    Attributes:
        shapes: the shapes of blocks that are examined; a claim must hold in each.
    """

    def __init__(self, values: FunctionValues) -> None:
        self._values, self._given = values, values.given
        self._warps: dict[BlockShape, IndexValues] = {}
        self._threads: dict[BlockShape, IndexValues] = {}
        self._of_index: dict[int, bool] = {}
        self._joined: dict[tuple[tuple[int, ...], int], bool] = {}
        self._divides: dict[tuple[int, Level], bool] = {}

    @cached_property
    def shapes(self) -> tuple[BlockShape, ...]:
        """The shapes of blocks that are examined."""
        if self._given.flow.facts.function is None:
            return ()
        return block_shapes(self._given.bounds, self.n_dimensions)

    @cached_property
    def n_dimensions(self) -> int:
        """In how many dimensions the function may ask for the place of its threads."""
        if not self.is_kernel or self._given.flow.text.shapes_of(("call",)):
            return 3
        for below, names in enumerate(_ASKED):
            if any(map(self._given.flow.has_text, names)):
                return 3 - below
        return 1

    @property
    def is_kernel(self) -> bool:
        """Whether all threads of a block enter the function."""
        function = self._given.flow.facts.function
        return function is not None and function.kind is SymbolKind.KERNEL

    def warps(self, shape: BlockShape) -> IndexValues:
        """Returns the values of each warp."""
        if shape not in self._warps:
            self._warps[shape] = IndexValues(self._given, shape)
        return self._warps[shape]

    def threads(self, shape: BlockShape) -> IndexValues:
        """Returns the values of each thread."""
        if shape not in self._threads:
            self._threads[shape] = IndexValues(self._given, shape, self.warps(shape))
        return self._threads[shape]

    def level_of(self, definition: int) -> Level | None:
        """Returns the largest group that surely agrees on a value because of its bits, or None."""
        if not self.shapes or not self._is_trusted:
            return None
        found = Level.GRID
        for shape in self.shapes:
            found = min(found, self._level_in(definition, shape))
            if found < Level.WARP:
                break
        if found >= Level.WARP:
            return found
        return Level.WARP if self._drops_lanes(definition) else None

    @property
    def _is_trusted(self) -> bool:
        """Whether the shapes represent all launches."""
        return self.n_dimensions == 1 or self.shapes[0].is_stated

    def _level_in(self, definition: int, shape: BlockShape) -> Level:
        constants = [each.constant for each in self.warps(shape).written(definition)]
        if None in constants:
            return Level.DIVERGENT
        if len(set(constants)) == 1:
            return Level.GRID
        for level in _LEVELS:
            size = max(1, shape.group(level) // LANES)
            parts = [constants[at : at + size] for at in range(0, len(constants), size)]
            if all(len(set(part)) == 1 for part in parts):
                return level
        return Level.DIVERGENT

    def _drops_lanes(self, definition: int) -> bool:
        """Whether an instruction only keeps high bits of a sum, in which all lanes agree."""
        instruction = self._given.decoder.of_use(definition)
        if self._given.decoder.destination(definition) != (0, -1):
            return False
        n_dropped = _dropped_bits(instruction)
        name = plain_name(instruction.sources[0]) if n_dropped else ""
        use = self._given.decoder.reading_use(instruction, name) if name else None
        form = self._values.form(use) if use is not None else None
        return form is not None and all(
            self._is_kept(form, n_dropped, shape) for shape in self.shapes
        )

    def _is_kept(self, form: AffineForm, n_dropped: int, shape: BlockShape) -> bool:
        """Whether all lanes of each warp have the same high bits of a form."""
        sums, rest = self._index_part(form, shape)
        if any(times % (1 << n_dropped) or not self._is_of_block(term) for term, times in rest):
            return False
        high = [each >> n_dropped for each in sums]
        warps = [high[at : at + LANES] for at in range(0, len(high), LANES)]
        return all(len(set(warp)) == 1 for warp in warps)

    @staticmethod
    def _index_part(form: AffineForm, shape: BlockShape) -> tuple[list[int], list[WeightedTerm]]:
        """Returns the part of a form that the index of a thread decides, and all other terms."""
        sums, rest = [form.offset] * shape.n_threads, []
        for term, times in form.terms:
            vector = index_values(term.name, shape) if term.kind is TermKind.SPECIAL else None
            if vector is None:
                rest.append((term, times))
            else:
                numbers = [each.low for each in vector]
                sums = [each + times * number for each, number in zip(sums, numbers, strict=True)]
        return sums, rest

    def differing(self, form: AffineForm, shape: BlockShape) -> Vector | None:
        """Returns numbers that differ in threads exactly if the values of a form do, or None."""
        sums, rest = self._index_part(form, shape)
        if not all(self._is_of_block(term) for term, _ in rest):
            return None
        return tuple(constant(form.width, each) for each in sums)

    def _is_of_block(self, term: AffineTerm) -> bool:
        """Whether a term is the same in all threads of a block."""
        if term.kind is TermKind.SPECIAL:
            return special_level(term.name).level >= Level.CTA
        is_parameter = term.kind is TermKind.PARAMETER and self.is_kernel
        return is_parameter or term.kind in (TermKind.SYMBOL, TermKind.WINDOW)

    def may_be_known(self, use: int) -> bool:
        """Whether the index of a thread may decide what a use reads, which is found quickly."""
        return self._is_read_of_index(use, _MAX_DEPTH)

    def _is_read_of_index(self, use: int, depth: int) -> bool:
        definition = self._given.flow.definition(use)
        if definition is not None:
            return self._is_of_index(definition, depth)
        writes = self._given.flow.definitions(use).writes if depth > 0 else ()
        return bool(writes) and self._is_joined(use, writes, depth)

    def _is_joined(self, use: int, writes: tuple[int, ...], depth: int) -> bool:
        """Whether the index may decide which of several writes of a predicate reaches a use."""
        if not all(self._given.decoder.width(it) == 1 for it in writes):
            return False
        key = writes, self._given.flow.index.block_of(use)
        if key not in self._joined:
            self._joined[key] = False  # in case it depends on itself
            found = joined_writes(self._given, use)
            self._joined[key] = found is not None and all(
                self._is_of_index(each, depth - 1) for each in writes
            )
        return self._joined[key]

    def divides(self, use: int, level: Level) -> bool:
        """Whether the index may decide what a use reads, and threads of a group may differ in it.

        A quick test, which considers one shape of blocks: the first that has a complete group.
        """
        key = use, level
        if key not in self._divides:
            self._divides[key] = self._find_division(use, level)
        return self._divides[key]

    def _find_division(self, use: int, level: Level) -> bool:
        complete = (each for each in self.shapes if each.n_threads >= each.group(level))
        shape = next(complete, None) or next(iter(self.shapes), None)
        if shape is None or not self.may_be_known(use):
            return False
        found = [each.constant for each in self.warps(shape).read(use)]
        if None in found:
            found = [each.constant for each in self.threads(shape).read(use)]
        size = max(1, shape.group(level) * len(found) // shape.n_threads)
        return any(len(set(found[at : at + size])) > 1 for at in range(0, len(found), size))

    def _is_of_index(self, definition: int, depth: int) -> bool:
        if definition not in self._of_index:
            self._of_index[definition] = False  # in case it depends on itself
            self._of_index[definition] = depth > 0 and self._find_of_index(definition, depth)
        return self._of_index[definition]

    def _find_of_index(self, definition: int, depth: int) -> bool:
        flow = self._given.flow
        record = record_of(flow, definition)
        name = record.name if isinstance(record, Shape) else ""
        if name == "elect":
            return True
        if name != "shfl" and not is_function(name):
            return False
        ways, statement = flow.uses.ways, flow.index.statement(definition)
        reads = [each for each in statement if ways[each] & (READS | GUARDS) == READS]
        known = (self._is_read_of_index(each, depth - 1) for each in reads)
        return any(known) if name in _ABSORBING else all(known)

    def is_lane_dependent(self, use: int) -> bool:
        """Whether lanes of a warp surely read different values with a use."""
        return bool(self.shapes) and all(
            any(
                not may_agree(self.threads(shape).read(use), warp)
                for warp in shape.groups(Level.WARP)
            )
            for shape in self.shapes
        )


def may_agree(vector: Vector, threads: int) -> bool:
    """Whether some threads may all have the same value."""
    first, end = (threads & -threads).bit_length() - 1, threads.bit_length()
    chosen = vector[first:end] if threads else ()
    found = {value.constant for number, value in enumerate(chosen, first) if threads >> number & 1}
    return len(found - {None}) < 2  # noqa: PLR2004  two different ones


def _dropped_bits(instruction: DecodedInstruction) -> int:
    """Returns how many low bits of its first operand an instruction drops; 0 if it keeps them."""
    sources, modifiers = instruction.sources, instruction.modifiers
    type_ = INTEGER_TYPES.get(modifiers[-1]) if modifiers else None
    if type_ is None or len(sources) < 2:  # noqa: PLR2004
        return 0
    number = immediate(sources[1])
    if number is None:
        return 0
    match instruction.name:
        case "shr" | "bfe":
            return number if 0 <= number < type_.width else 0
        case "and":
            return (number & -number).bit_length() - 1 if number else 0
        case "div":
            is_power = number > 0 and number & number - 1 == 0 and not type_.is_signed
            return number.bit_length() - 1 if is_power else 0
    return 0
