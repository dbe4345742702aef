"""The statements of a kernel that decide how its threads wait for each other."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.block_ends import last_instruction
from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, NEGATED, READS, WRITES
from ptx_ls.threads.events.sites import event_sites

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa.memory_events import SyncEvent
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_values import FunctionValues

_MAX_BLOCKS: Final = 2_000
_MAX_STEPS: Final = 600
"""Number of instructions that matter up to which a kernel is run."""
_MAX_STORES: Final = 8
"""Number of stores to shared memory up to which loads from there are known."""
LEAVING: Final = ("ret", "exit")
BRANCHES: Final = ("bra", "brx")
_OPCODES: Final = (
    "bar",
    "barrier",
    "call",
    "cp",
    "mbarrier",
    "red",
    "st",
    "tcgen05",
    "clusterlaunchcontrol",
)
_KINDS: Final = ("mbarrier", "barrier", "warp barrier", "cluster", "allocate", "free", "call")
TENSOR_LOAD: Final = "tcgen05.ld"
GROUPED: Final = ("bulk", "wgmma")
"""The ways to complete of operations for which a thread waits by groups."""
_ACCESSING: Final = ("cp", "ld", "ldmatrix", "st", "stmatrix", "tcgen05", "wgmma")
_OPERATIONS: Final = ("mbarrier", "tcgen05", "cp.async", *GROUPED)
_SPACES: Final = ("shared::cta", "tensor")
_BOTH: Final = "updates"
_WRITING: Final = ("st", "atom", "red", "stmatrix")
_SHARED: Final = ".shared"
_ELSEWHERE: Final = (".global", ".local", ".param")
_PARAMETER: Final = ".param"
_MULTICAST: Final = ".multicast"
_WARP_BARRIER: Final = "warp barrier"
_WARP: Final = frozenset({"elect", "shfl", "vote", "match", "redux", "activemask"})


class KernelStep(NamedTuple):
    """An instruction that matters.

    `found`: the statement. `name`: its opcode without modifiers. `guard`: the register of the
    guard; -1 without one. `syncs`: the acts that matter. `needs_others`: whether lanes of the warp
    execute it together. `is_multicast`: whether it acts in several blocks, which each lane chooses.
    """

    instruction: DecodedInstruction
    found: Found
    name: str
    guard: int
    is_negated: bool
    known: ShapeEvents | None
    syncs: tuple[SyncEvent, ...]
    needs_others: bool
    is_multicast: bool

    @property
    def block(self) -> int:
        """The number of its block."""
        return self.instruction.block


class _Kept:
    """Steps that are kept, the registers that they need, and what decides whether they run."""

    def __init__(self) -> None:
        self.steps: dict[FunctionPosition, KernelStep] = {}
        self.needed: set[int] = set()
        self.blocks: set[int] = set()
        self.deciding: set[int] = set()

    def copy(self) -> _Kept:
        """Returns a copy."""
        made = _Kept()
        made.steps, made.needed = dict(self.steps), set(self.needed)
        made.blocks, made.deciding = set(self.blocks), set(self.deciding)
        return made


class KernelSteps:
    """The steps of a kernel, by their blocks, and the branches that decide between them.

    Attributes:
        steps: the steps of each block that has some, in order.
        deciding: the blocks whose branches matter.
        exits: those that end with an exit under a guard.
        accesses: the places of the steps whose accesses to memory matter.
        has_other_writes: whether shared memory that matters is written other than by `st.shared`.
    """

    def __init__(self, values: FunctionValues) -> None:
        self.values, self.flow = values, values.flow
        self.graph = values.flow.graph
        self._known: dict[FunctionPosition, KernelStep] = {}
        self._lasts: dict[int, KernelStep | None] = {}
        self.deciding: set[int] = set()
        self.exits: set[int] = set()
        self.accesses: set[FunctionPosition] = set()
        self.has_other_writes = False
        self.steps: Mapping[int, Sequence[KernelStep]] = {}
        is_small = self.graph.n_blocks <= _MAX_BLOCKS
        if is_small and not self.graph.opened and values.is_readable:
            self.steps = self._slice()

    def _step(self, instruction: DecodedInstruction) -> KernelStep:
        place = instruction.found.start
        if place not in self._known:
            self._known[place] = self._make_step(instruction)
        return self._known[place]

    def _make_step(self, instruction: DecodedInstruction) -> KernelStep:
        record, uses, flow = instruction.found.record, instruction.uses, self.flow
        known = events_of(record) if isinstance(record, Shape) else None
        syncs = tuple(
            each
            for each in (known.events.syncs if known is not None else ())
            if each.action.startswith(_KINDS)
        )
        guard, is_negated = -1, False
        if uses and flow.uses.ways[uses.start] & GUARDS:
            guard = flow.uses.codes[uses.start]
            is_negated = bool(flow.uses.ways[uses.start] & NEGATED)
        name = instruction.name
        needs_others = name in _WARP or any(it.action == _WARP_BARRIER for it in syncs)
        is_multicast = any(each.startswith(_MULTICAST) for each in instruction.modifiers)
        place = instruction.found
        return KernelStep(
            instruction, place, name, guard, is_negated, known, syncs, needs_others, is_multicast
        )

    def _slice(self) -> dict[int, list[KernelStep]]:
        """Returns the steps that decide who waits for whom, and the accesses between them."""
        first = [*self._synchronising()]
        kept = _Kept()
        self._keep([*first, *self._exits({it.block for it in first})], kept)
        self.deciding = kept.deciding | self.exits
        for step in self._accessing() if len(kept.steps) <= _MAX_STEPS else ():
            more = kept.copy()
            self._keep([step], more)
            if more.deciding == kept.deciding and len(more.steps) <= _MAX_STEPS:
                kept = more
                self.accesses.add(step.found.start)
        found: dict[int, list[KernelStep]] = {}
        for place in sorted(kept.steps) if len(kept.steps) <= _MAX_STEPS else ():
            found.setdefault(kept.steps[place].block, []).append(kept.steps[place])
        return found

    def _keep(self, waiting: list[KernelStep], kept: _Kept) -> None:
        """Adds steps, with all that decides whether and how they run."""
        while waiting and len(kept.steps) <= _MAX_STEPS:
            step = waiting.pop()
            if step.found.start in kept.steps:
                continue
            kept.steps[step.found.start] = step
            if step.name == "ld" and any(map(_is_shared, step.instruction.modifiers)):
                waiting += self._stores
            is_free = any(it.action == "free" for it in step.syncs)
            read = {step.guard} - {-1} if is_free else self.registers(step, READS)
            for code in read - kept.needed:
                kept.needed.add(code)
                waiting += self._writers(code)
            if step.block not in kept.blocks:
                kept.blocks.add(step.block)
                for each in self.graph.control_dependence[step.block]:
                    last = self.last(each)
                    kept.deciding.add(each)
                    waiting += [] if last is None else [last]

    def _accessing(self) -> Iterator[KernelStep]:
        """Yields the accesses that may be compared: a few reads of each block, and all copies."""
        decoder, reachable = self.values.given.decoder, self.graph.reachable
        reads: dict[int, list[KernelStep]] = {}
        for site in event_sites(self.values, _ACCESSING, _accesses):
            if site.block in reachable:
                step = self._step(decoder.of_statement(site.found))
                if site.known is not None and _is_operation(site.known):
                    yield step
                else:
                    reads.setdefault(site.block, []).append(step)
        for own in reads.values():
            yield from {it.found.start: it for it in (*own[:2], *own[-2:])}.values()

    def _synchronising(self) -> Iterator[KernelStep]:
        decoder, reachable = self.values.given.decoder, self.graph.reachable
        for site in event_sites(self.values, _OPCODES, _synchronises):
            if site.block in reachable:
                yield self._step(decoder.of_statement(site.found))

    @cached_property
    def _stores(self) -> list[KernelStep]:
        """The stores to shared memory; notes whether they are not all that write to it."""
        text, decoder = self.flow.text, self.values.given.decoder
        shapes = [*text.shapes_of(_WRITING)]
        stores = {each for each in shapes if each.name == "st" and _SHARED in each.opcode}
        others = [each for each in shapes if not any(it in each.opcode for it in _ELSEWHERE)]
        found = [*text.statements_of(text.with_shapes(stores))]
        self.has_other_writes = len(stores) < len(others) or len(found) > _MAX_STORES
        steps = [] if self.has_other_writes else [*map(decoder.of_statement, found)]
        return [self._step(each) for each in steps if each.block in self.graph.reachable]

    def _exits(self, blocks: set[int]) -> Iterator[KernelStep]:
        """Yields the exits under guards that come before some blocks."""
        for block in self._before(blocks) & self.graph.leaves.keys():
            last = self.last(block)
            if last is not None and last.name in LEAVING and last.guard >= 0:
                self.exits.add(block)
                yield last

    def _writers(self, code: int) -> Iterator[KernelStep]:
        """Yields the instructions that write a register."""
        flow = self.flow
        for use in flow.index.of(code):
            if flow.uses.ways[use] & WRITES and flow.index.block_of(use) in self.graph.reachable:
                yield self._step(self.values.given.decoder.of_use(use))

    def _before(self, blocks: set[int]) -> set[int]:
        """Returns the blocks from which paths lead to some blocks, with these."""
        found, waiting = set(blocks), [*blocks]
        while waiting:
            for each in self.graph.predecessors[waiting.pop()]:
                if each not in found:
                    found.add(each)
                    waiting.append(each)
        return found

    def registers(self, step: KernelStep, way: int) -> set[int]:
        """Returns the registers that a step reads or writes."""
        uses = self.flow.uses
        return {uses.codes[each] for each in step.instruction.uses if uses.ways[each] & way}

    def parameters(self, block: int) -> frozenset[str]:
        """Returns the parameters that decide the branch at the end of a block."""
        last, flow = self.last(block), self.flow
        waiting = [] if last is None else [*last.instruction.uses]
        found, seen = set[str](), set[int]()
        while waiting:
            for write in flow.definitions(waiting.pop()).writes:
                step = self._step(self.values.given.decoder.of_use(write))
                if write in seen:
                    continue
                seen.add(write)
                if step.name == "ld" and _PARAMETER in step.instruction.modifiers:
                    found.update(each.text for each in step.instruction.sources)
                uses = step.instruction.uses
                waiting += [each for each in uses if flow.uses.ways[each] & READS]
        return frozenset(found)

    def last(self, block: int) -> KernelStep | None:
        """Returns the instruction at the end of a block."""
        if block not in self._lasts:
            found = last_instruction(self.flow.text, self.graph, block)
            decoder = self.values.given.decoder
            self._lasts[block] = None if found is None else self._step(decoder.of_statement(found))
        return self._lasts[block]

    def after(self, block: int) -> int:
        """Returns the block where all paths from a block meet again; -1 for the end."""
        found = self.graph.post_dominators.parent[block]
        return found if 0 <= found < self.graph.n_blocks else -1


def _accesses(known: ShapeEvents | None) -> bool:
    if known is None:
        return False
    if _is_operation(known):
        return True
    return not known.events.syncs and any(
        it.kind != _BOTH and it.space in _SPACES and it.proxy == "generic"
        for it in known.events.accesses
    )


def _is_operation(known: ShapeEvents) -> bool:
    """Whether an instruction begins an asynchronous operation, or waits for some."""
    return known.events.completion in _OPERATIONS or any(
        it.of in (*GROUPED, TENSOR_LOAD) for it in known.events.syncs
    )


def _is_shared(modifier: str) -> bool:
    return modifier.startswith(_SHARED)


def _synchronises(known: ShapeEvents | None) -> bool:
    return known is not None and any(it.action.startswith(_KINDS) for it in known.events.syncs)
