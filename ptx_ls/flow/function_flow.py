"""The flow graph of a function with all uses of its registers, each part made on demand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING, Final
from weakref import proxy

from ptx_ls.document.braces import braces
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.block_arrays import BlockArrays, blocks_of_graph, read_blocks
from ptx_ls.flow.registers.register_table import RegisterTable
from ptx_ls.flow.registers.register_trace import NO_TRACE, RegisterTrace, trace_registers
from ptx_ls.flow.registers.register_uses import (
    RegisterUses,
    register_uses,
    uses_of_pieces,
)
from ptx_ls.flow.registers.use_index import UseIndex
from ptx_ls.semantics.instructions.control_transfer import LEAVING
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.region_text import (
    MAX_RECENT_FUNCTIONS,
    label_name,
    region_text,
    single,
)
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import InlineAsmLine, MultiLine, Shape
from ptx_ls.syntax.register_events import KILLS, WRITES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.function import Function
    from ptx_ls.flow.compared_numbers import Literal
    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.flow.path_search import PathSearch
    from ptx_ls.flow.registers.register_chain import Definitions, RegisterChain
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.record import InlineAsmPattern

_ENDING: Final = LEAVING | {"bra"}


class LineStatements(NamedTuple):
    """The statements of inline assembly on one line.

    `columns`: where they begin. `ends`: how many uses the line has up to the end of each.
    """

    statements: tuple[Found, ...]
    columns: tuple[int, ...]
    ends: tuple[int, ...]


class FunctionFlow:
    """The control flow and the registers of a function.

    Attributes:
        text: its lines and records.
        facts: its declarations.
    """

    def __init__(self, function: Function, never_returning: frozenset[str]) -> None:
        self._function = function
        self.text, self.facts = region_text(function), region_facts(function)
        self._never_returning = never_returning
        self._chains: dict[int, RegisterChain] = {}
        self._definitions: dict[int, Definitions] = {}
        self._readers: dict[int, tuple[int, ...]] = {}
        self._lines: dict[int, LineStatements] = {}
        self._parts: dict[str, bool] = {}
        self._ends: dict[InlineAsmPattern, tuple[int, ...]] = {}

    @cached_property
    def graph(self) -> FlowGraph:
        """Its flow graph."""
        from ptx_ls.flow.graphs import graph_of  # noqa: PLC0415  most functions need only `blocks`

        read = partial(graph_of, self._function, self._never_returning)
        blocks, close = self._blocks_of_lines, braces(self._function).close
        if blocks is None or blocks.starts is None or close is None:
            return read()
        from ptx_ls.flow.line_graph import LineGraph  # noqa: PLC0415  as above

        return LineGraph(blocks, blocks.starts, self.text, close, read)

    @cached_property
    def registers(self) -> RegisterTable:
        """The registers that it declares."""
        return RegisterTable(self.facts)

    @cached_property
    def uses(self) -> RegisterUses:
        """All uses of its registers."""
        return register_uses(self._function, self.registers)

    @cached_property
    def trace(self) -> RegisterTrace:
        """The uses of its registers on the paths through it."""
        if not (self.uses.codes and self.blocks.n_blocks):
            return NO_TRACE
        return trace_registers(self.uses, self.blocks, self.registers.n_codes)

    @cached_property
    def index(self) -> UseIndex:
        """Finds uses by register, block and instruction."""
        return UseIndex(self.uses, self.blocks.firsts, self.registers.n_codes)

    @cached_property
    def blocks(self) -> BlockArrays:
        """The blocks of its flow graph, which itself takes longer to make."""
        read = self._blocks_of_lines
        return blocks_of_graph(self.graph, self.uses) if read is None else read

    @cached_property
    def _blocks_of_lines(self) -> BlockArrays | None:
        return read_blocks(self._function, self.uses, self._never_returning)

    @property
    def reachable(self) -> frozenset[int]:
        """The blocks that a path leads to; all if one branches to an unknown label."""
        return self.graph.reachable if self.blocks.starts is None else self.blocks.reachable

    def block_at(self, place: FunctionPosition) -> int:
        """Returns the number of the block that contains a place; -1 outside of the body."""
        starts = self.blocks.starts
        if starts is not None:
            return bisect_right(starts, place[0]) - 1
        number = self.graph.number_at(place)
        return -1 if number is None else number

    def is_opened(self, block: int) -> bool:
        """Whether a block branches to an unknown label."""
        return self.blocks.starts is None and block in self.graph.opened

    def leaves(self, block: int) -> bool:
        """Whether the last instruction of a block leaves the function, perhaps under a guard."""
        if self.blocks.starts is None:
            return block in self.graph.leaves
        following = self.blocks.successors[block]
        last = self.index.firsts[block + 1] - 1
        if [*following] != [block + 1] or last < self.index.firsts[block]:
            return not following
        return self.index.guard(last) is not None and self._has_opcode(last, LEAVING)

    def ends_block(self, last: int, block: int) -> bool:
        """Whether the last use in a block is in a branch or another instruction that ends it."""
        if self.blocks.starts is None:
            return self.statement(last).end == self.graph.stops[block]
        return self._has_opcode(last, _ENDING)

    def _has_opcode(self, use: int, opcodes: AbstractSet[str]) -> bool:
        record = self.statement(use).record
        return isinstance(record, Shape) and record.name in opcodes

    def label_of(self, block: int) -> str:
        """Returns the label at the start of a block; "" if it has none."""
        starts = self.blocks.starts
        if starts is None or not any(each != block - 1 for each in self.blocks.predecessors[block]):
            return next(iter(self.graph.labels.get(block, ())), "")
        return label_name(self.text.lines[starts[block]].lstrip())

    def has_text(self, part: str) -> bool:
        """Whether some of its lines contain a text, which may not be longer than a line."""
        found = self._parts.get(part)
        if found is None:
            found = self._parts[part] = any(part in it.text for it in self._function.leaves())
        return found

    def chain(self, code: int) -> RegisterChain:
        """Returns the writes of a register."""
        found = self._chains.get(code)
        if found is None:
            from ptx_ls.flow.registers.register_chain import RegisterChain  # noqa: PLC0415  as for `graph`

            found = self._chains[code] = RegisterChain(
                code, self.uses.ways, self.index, self.blocks
            )
        return found

    def definitions(self, use: int) -> Definitions:
        """Returns the writes that the value of a register at a use may come from.

        These are writes of other instructions, so that a use which writes only a part of the
        register, or under a guard, has the definitions of what it leaves as it is.
        """
        found = self._definitions.get(use)
        if found is None:
            found = self._definitions[use] = self._find_definitions(use)
        return found

    def _find_definitions(self, use: int) -> Definitions:
        from ptx_ls.flow.registers.register_chain import Definitions  # noqa: PLC0415  as for `graph`

        block, first = self.index.block_of(use), self.index.first(use)
        if block < 0:
            return Definitions(from_entry=True)
        code = self.uses.codes[use]
        only = self.trace.only[code]
        if only >= 0 and self.uses.ways[only] & KILLS and self._is_before(only, block, first):
            return Definitions((only,))
        killing = self.index.killed_by(code, block, first)
        if killing >= 0:
            return Definitions((killing,))
        found = self.chain(code).reaching(block, first)
        is_split = len(found.writes) + found.from_entry > 1
        if is_split and found.is_exact and (self.index.guard(use) or self._is_guarded(found)):
            return self._guarded_paths.definitions(use) or found
        return found

    @cached_property
    def _guarded_paths(self) -> PathSearch:
        return self._path_search(with_branches=False)

    @cached_property
    def _branching_paths(self) -> PathSearch:
        return self._path_search(with_branches=True)

    def _path_search(self, *, with_branches: bool) -> PathSearch:
        from ptx_ls.flow.path_search import PathSearch  # noqa: PLC0415  as for `graph`

        own: FunctionFlow = proxy(self)  # so that this is freed without garbage collection
        return PathSearch(own, with_branches=with_branches)

    def _is_before(self, write: int, block: int, first: int) -> bool:
        """Whether a write always runs before an instruction, given by its block and first use."""
        written_in = self.index.block_of(write)
        if written_in == block:
            return self.index.first(write) < first
        return self.blocks.dominators.dominates(written_in, block)

    def _is_guarded(self, found: Definitions) -> bool:
        return any(self.index.guard(write) is not None for write in found.writes)

    def definition(self, use: int) -> int | None:
        """Returns the only write that the value of a register at a use comes from, if it is one."""
        writes, from_entry, _ = self.definitions(use)
        return writes[0] if len(writes) == 1 and not from_entry else None

    def readers(self, definition: int) -> Sequence[int]:
        """Returns the uses that may read what a use writes, in order."""
        found = self._readers.get(definition)
        if found is None:
            chain = self.chain(self.uses.codes[definition])
            reads = chain.reads_after(definition) if self.index.block_of(definition) >= 0 else []
            found = tuple([read for read in reads if self._is_read(definition, read, chain)])
            self._readers[definition] = found
        return found

    def _is_read(self, definition: int, read: int, chain: RegisterChain) -> bool:
        """Whether a read that a path leads to may get what a use writes, with all guards."""
        return self._is_plain(read, chain) or definition in self.definitions(read).writes

    def reads_of_entry(self, code: int) -> list[int]:
        """Returns the reads of a register that may get its value at the entry, in order."""
        chain = self.chain(code)
        return [
            read
            for read in chain.reads_of_entry()
            if self._is_plain(read, chain) or self.definitions(read).from_entry
        ]

    def _is_plain(self, read: int, chain: RegisterChain) -> bool:
        """Whether no guard decides what a read of a register gets."""
        return chain.is_unconditional and self.index.guard(read) is None

    def may_be_unset(self, use: int) -> bool | None:
        """Whether a path that all guards and branches allow leads to a use without any write.

        None if there are too many paths.
        """
        if not self.definitions(use).from_entry:
            return False
        if self.index.block_of(use) < 0:  # outside of the body
            return True
        found = self._branching_paths.definitions(use)
        return None if found is None else found.from_entry

    def may_get_unset(
        self, use: int, sources: Mapping[int, Sequence[int]], facts: Iterable[Literal] = ()
    ) -> bool:
        """Whether a use may get a value that depends on a register without a value.

        `sources`: the reads whose values may go into what each of some uses writes. `facts`: what
        else is known at the use.
        """
        return self._branching_paths.may_get_unset(use, sources, facts)

    def may_avoid(self, blocks: AbstractSet[int], last: int) -> bool:
        """Whether guards and branches allow a path to the end of `last` without some blocks."""
        return self._branching_paths.may_avoid(blocks, last)

    def written_by(self, use: int) -> dict[int, int]:
        """Returns the registers that the instruction of a use writes, with the last use of each."""
        codes, ways = self.uses.codes, self.uses.ways
        statement = self.index.statement(use)
        return {codes[each]: each for each in statement if ways[each] & WRITES}

    def edge_fact(self, block: int, following: int) -> tuple[int, bool] | None:
        """Returns the predicate that a branch from one block to another depends on, with its value.

        None if it depends on none.
        """
        successors = self.blocks.successors[block]
        if following not in successors or block + 1 not in successors:
            return None
        last = self.index.firsts[block + 1] - 1
        guard = self.index.guard(last) if last >= self.index.firsts[block] else None
        if guard is None or not self._is_decided(block, last):
            return None
        return guard.code, guard.is_negated if following == block + 1 else not guard.is_negated

    def _is_decided(self, block: int, last: int) -> bool:
        """Whether a block ends with a branch to one label, or leaves; `last`: its last use."""
        n_successors = len(self.blocks.successors[block])
        if self.blocks.starts is None:
            is_branching = n_successors > 1 and block in self._branching
            return is_branching or block in self.graph.leaves
        return n_successors > 1 or self._has_opcode(last, LEAVING)

    @cached_property
    def _branching(self) -> frozenset[int]:
        """The blocks that end with a branch to one label."""
        return frozenset(each.block for each in self.graph.branches if not each.is_indexed)

    def statement(self, use: int) -> Found:
        """Returns the instruction of a use."""
        row, column = self.uses.place(use)
        record = self.text.records[row]
        if not isinstance(record, MultiLine):
            return single(self.text.lines[row], record, row)
        if isinstance(record, InlineAsmLine):
            line = self.statements_on(row, record)
            if column:
                return line.statements[bisect_left(line.columns, column)]
            n_before = use - bisect_left(self.uses.rows, row)
            return line.statements[bisect_right(line.ends, n_before)]
        return next(self.text.statements((row,), since=FunctionPosition((row, column))))

    def statements_on(self, row: int, record: InlineAsmLine) -> LineStatements:
        """Returns the statements of a line with several."""
        found = self._lines.get(row)
        if found is None:
            statements = tuple(self.text.statements((row,)))
            columns = tuple([each.start[1] for each in statements])
            ends = self._ends.get(record.form)
            if ends is None:
                n_uses = uses_of_pieces(record, self.text.lines[row], self.registers)
                ends = self._ends[record.form] = tuple(accumulate(n_uses))
            found = self._lines[row] = LineStatements(statements, columns, ends)
        return found

    def name_of(self, use: int) -> str:
        """Returns the name of the register of a use."""
        return self.registers.name(self.uses.codes[use])


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def function_flow(function: Function, never_returning: frozenset[str]) -> FunctionFlow:
    """Returns the flow of a function; `never_returning`: the functions that do not return."""
    return FunctionFlow(function, never_returning)
