"""Finds the levels of definitions, branches and guards on demand, with the reasons.

These are the nodes that depend on each other: a definition is its use, a branch the complement of
its block, and a guard its use and `GUARD`. They begin at the level of the grid, and are lowered
until nothing changes. The cause of a node is that of its last lowering, so that causes have no
circles: a node that lowers another one had this level before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.register_events import GUARDS, READS
from ptx_ls.threads.uniformity.instruction_kinds import (
    is_function,
    operation,
    special_names,
)
from ptx_ls.threads.uniformity.levels import (
    UNIFORM,
    UNKNOWN,
    Cause,
    CauseKind,
    Level,
    ValueLevel,
)
from ptx_ls.threads.uniformity.shared_reads import SharedReads
from ptx_ls.threads.uniformity.sources import rule_of, special_level
from ptx_ls.values.affine import plain_space
from ptx_ls.values.decoding import named_part
from ptx_ls.values.slices import components

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.threads.uniformity.control import ControlStructure
    from ptx_ls.threads.uniformity.index_levels import IndexLevels
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_input import FunctionInput
    from ptx_ls.values.slices import Component

GUARD: Final = 1 << 40
"""Added to a use that is a guard, to make it a node."""
_UNIFORM_BRANCH: Final = ".uni"


class FoundLevel(NamedTuple):
    """A level, and why it is not a higher one."""

    value: ValueLevel
    cause: Cause | None = None

    def meet(self, other: FoundLevel) -> FoundLevel:
        """Returns the lower level; the first one if they are equal."""
        value = self.value.meet(other.value)
        is_lower = other.value.level < self.value.level
        cause = other.cause if is_lower or self.cause is None else self.cause
        return FoundLevel(value, cause)


_TOP: Final = FoundLevel(UNIFORM)


def _of_block(found: ValueLevel) -> ValueLevel:
    """Returns what threads of different blocks cannot agree on."""
    return found.meet(ValueLevel(Level.CTA))


class LevelEvaluation:
    """The levels of the nodes of a function; see `ensure`.

    Attributes:
        known: the levels of the nodes that were evaluated.
        causes: why a node is not at the level of the grid.
    """

    def __init__(self, given: FunctionInput, control: ControlStructure, index: IndexLevels) -> None:
        self._given, self._control, self._index = given, control, index
        self.known: dict[int, ValueLevel] = {}
        self.causes: dict[int, Cause] = {}
        self._shared = SharedReads(given.flow, control.graph)
        self._choices: dict[int, tuple[int, ...] | None] = {}

    def ensure(self, nodes: Iterable[int]) -> None:
        """Evaluates nodes and all that they depend on."""
        for component in components(nodes, self._sources, self.known):
            self._evaluate(component)

    def read(self, use: int) -> FoundLevel:
        """Returns the level of what an instruction reads."""
        self.ensure(self._sources_of_read(use))
        return self._read(use)

    def level_of_branch(self, block: int) -> Level:
        """Returns the level of what a block leads to."""
        self.ensure([~block])
        return self.known[~block].level

    def level_of_read(self, use: int) -> Level:
        """Returns the level of what a use reads."""
        return self.read(use).value.level

    def _evaluate(self, component: Component) -> None:
        for node in component.members:
            self.known[node] = UNIFORM
        if component.is_cut:
            (node,) = component.members
            self._lower(node, FoundLevel(UNKNOWN, Cause(CauseKind.LIMIT)))
            return
        is_changed = True
        while is_changed:
            is_changed = False
            for node in component.members:
                is_changed |= self._lower(node, self._result(node))
            is_changed &= component.is_cyclic

    def _lower(self, node: int, found: FoundLevel) -> bool:
        before = self.known[node]
        after = before.meet(found.value)
        if after == before:
            return False
        self.known[node] = after
        if after.level < before.level and found.cause is not None:
            self.causes[node] = found.cause
        return True

    def _sources(self, node: int) -> tuple[int, ...]:
        found = dict[int, None]()
        for use in self._read_by(node):
            found.update(dict.fromkeys(self._sources_of_read(use)))
        return tuple(found)

    def _read_by(self, node: int) -> list[int]:
        """Returns the uses that a node depends on."""
        if node >= GUARD:
            return [node - GUARD]
        if node < 0:
            return [*self._control.decided_by(~node)]
        return self._operands(self._given.decoder.of_use(node))

    def _operands(self, instruction: DecodedInstruction) -> list[int]:
        ways = self._given.flow.uses.ways
        return [each for each in instruction.uses if ways[each] & READS and not ways[each] & GUARDS]

    def _sources_of_read(self, use: int) -> list[int]:
        flow = self._given.flow
        writes, from_entry, _ = flow.definitions(use)
        found = [*writes, *[~block for block in self._choosing(use) or ()]]
        if len(writes) + from_entry > 1:
            found += self._guards(writes)
        return found

    def _guards(self, writes: Iterable[int]) -> list[int]:
        index = self._given.flow.index
        return [GUARD + index.first(each) for each in writes if index.guard(each) is not None]

    def _choosing(self, use: int) -> tuple[int, ...] | None:
        """Returns the branches that decide which definition a use reads; None if too many."""
        if use not in self._choices:
            self._choices[use] = self._control.choosing(use)
        return self._choices[use]

    def _result(self, node: int) -> FoundLevel:
        if node >= GUARD:
            return self._linked(self._read(node - GUARD), CauseKind.GUARD, node - GUARD)
        if node < 0:
            return self._branch(~node)
        return self._definition(node)

    @staticmethod
    def _linked(found: FoundLevel, kind: CauseKind, use: int, name: str = "") -> FoundLevel:
        """Returns the same level with a further link before its cause."""
        return FoundLevel(found.value, found.cause and Cause(kind, use, name, found.cause))

    def _read(self, use: int) -> FoundLevel:
        """Returns the level of a read whose sources have levels."""
        flow = self._given.flow
        writes, from_entry, _ = flow.definitions(use)
        found = _TOP
        for each in writes:
            cause = Cause(CauseKind.OPERAND, each, node=each)
            found = found.meet(FoundLevel(self.known[each], cause))
        if from_entry:
            is_parameter = flow.uses.codes[use] in flow.registers.parameters
            kind = CauseKind.PARAMETER if is_parameter else CauseKind.UNSET
            found = found.meet(FoundLevel(UNKNOWN, Cause(kind, use, flow.name_of(use))))
        choices = self._choosing(use)
        if choices is None:
            return found.meet(FoundLevel(UNKNOWN, Cause(CauseKind.LIMIT, use)))
        for block in choices:
            cause = Cause(CauseKind.BRANCH, self._last_use(block), node=~block)
            found = found.meet(FoundLevel(self.known[~block], cause))
        if len(writes) + from_entry > 1:
            for node in self._guards(writes):
                cause = Cause(CauseKind.GUARD, node - GUARD, node=node)
                found = found.meet(FoundLevel(self.known[node], cause))
        return found

    def _last_use(self, block: int) -> int:
        """Returns the use that decides what a block leads to; -1 if there is none."""
        uses = self._control.decided_by(block)
        return uses[0] if uses else -1

    def _branch(self, block: int) -> FoundLevel:
        """Returns the level of what a block leads to."""
        found, uses = _TOP, self._control.decided_by(block)
        if not uses:
            return FoundLevel(UNKNOWN, Cause(CauseKind.LIMIT))
        for use in uses:
            found = found.meet(self._read(use))
        if found.value.level >= Level.WARP:
            return found
        instruction = self._given.decoder.of_use(uses[0])
        is_promised = _UNIFORM_BRANCH in instruction.modifiers
        if is_promised and not any(map(self._index.is_lane_dependent, uses)):
            promised = ValueLevel(Level.WARP, is_of_index=False)
            return FoundLevel(
                promised, Cause(CauseKind.PROMISE, uses[0], instruction.name, found.cause)
            )
        return found

    def _definition(self, use: int) -> FoundLevel:
        """Returns the level of what an instruction writes."""
        instruction = self._given.decoder.of_use(use)
        found = self._joined(instruction, use)
        if instruction.name == "ld" and (parameter := self._parameter(instruction)) is not None:
            return parameter
        rule = rule_of(instruction, self._given.decoder.destination(use), self._given.decoder)
        if rule is not None:
            is_constant = self._is_shared_constant(instruction)
            value = _of_block(found.value) if is_constant else rule(found.value)
            if value.level < found.value.level or found.cause is None:
                return FoundLevel(value, Cause(CauseKind.INSTRUCTION, use, operation(instruction)))
            return FoundLevel(value, found.cause)
        if not is_function(instruction.name):
            return FoundLevel(UNKNOWN, Cause(CauseKind.INSTRUCTION, use, operation(instruction)))
        if found.value.level < Level.CTA:
            level = self._index.level_of(use)
            if level is not None and level > found.value.level:
                return FoundLevel(ValueLevel(level), found.cause)
        return found

    def _is_shared_constant(self, instruction: DecodedInstruction) -> bool:
        """Whether an instruction loads from shared memory that no thread writes meanwhile."""
        if instruction.name != "ld" or ".shared" not in map(plain_space, instruction.modifiers):
            return False
        return self._shared.is_constant(instruction.block, instruction.found.start)

    def _parameter(self, instruction: DecodedInstruction) -> FoundLevel | None:
        """Returns the level of a parameter in memory that an instruction loads; None for others."""
        sources = instruction.sources
        found = named_part(sources[0].elements[0]) if sources and sources[0].elements else None
        symbol = self._given.symbol(instruction, found[0]) if found is not None else None
        if found is None or symbol is None or symbol.kind is not SymbolKind.PARAMETER:
            return None
        if self._given.is_kernel and self._given.input_parameter(instruction, found[0]) is not None:
            return _TOP
        use = next(iter(instruction.uses), -1)
        return FoundLevel(UNKNOWN, Cause(CauseKind.PARAMETER, use, found[0]))

    def _joined(self, instruction: DecodedInstruction, use: int) -> FoundLevel:
        """Returns the level of all operands of an instruction."""
        found = _TOP
        for each in self._operands(instruction):
            found = found.meet(self._read(each))
        names = {self._given.flow.name_of(each) for each in instruction.uses}
        for name in special_names(instruction):
            if name not in names:
                level = special_level(name)
                found = found.meet(FoundLevel(level, Cause(CauseKind.SPECIAL, use, name)))
        return found
