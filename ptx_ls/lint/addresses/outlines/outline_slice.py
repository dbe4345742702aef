"""Finds the outlines of the registers that some addresses depend on."""

from __future__ import annotations

from functools import cached_property, partial
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.outlines import value_outline
from ptx_ls.lint.addresses.outlines.pointer_marks import POINTER_WIDTH, PointerMarks
from ptx_ls.lint.addresses.outlines.readings import (
    COPIED,
    Reading,
    first_operands,
    reading_of,
)
from ptx_ls.lint.addresses.outlines.solver import OutlineStep, solve_outlines
from ptx_ls.lint.addresses.pointer_parameters import (
    NARROW,
    come_from_outside,
    loaded_name,
    wide_parameters,
)
from ptx_ls.lint.addresses.sources import accesses_inner
from ptx_ls.semantics.declarations.stack_memory import ALLOCATING, allocated_memory
from ptx_ls.semantics.declarations.storage import has_storage, pointed_space
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS, WRITES
from ptx_ls.syntax.written.simple_operands import simple_operands
from ptx_ls.values.affine import (
    AffineTerm,
    TermKind,
    plain_space,
    term_form,
)
from ptx_ls.values.function_input import OF_FULL_WARPS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.lint.addresses.outlines.value_outline import ValueOutline
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.symbols import Symbol

_LOCAL: Final = ".local"
_SPACES: Final = (".global", ".shared", ".local", ".const", ".param")
_SIZES: Final = (".reqntid", ".reqnctapercluster")
"""Directives that state how many threads or blocks there are."""
_FLOATS: Final = (".f16", ".f32", ".f64", ".bf16")
_BLOCKS: Final = ("%ctaid.", "%nctaid.")
_LOADING: Final = frozenset(
    {
        *("ld", "ldu", "atom", "shfl", "tex", "tld4", "suld", "surf", "ldmatrix", "mma", "wmma"),
        *("wgmma", "vote", "match", "redux", "activemask", "call", "tcgen05", "elect", "multimem"),
    }
)
"""Opcodes whose results are from memory, or from other threads."""


_HIDDEN: Final = AffineTerm(TermKind.PARAMETER, "", POINTER_WIDTH)
"""A pointer of which only a part is loaded."""
_RANK: Final = AffineTerm(TermKind.RANK, "rank", POINTER_WIDTH)


class OutlineSlice:
    """The outlines of registers, and of all on which they depend.

    Attributes:
        values: the outlines by the codes of the registers; those without one are parameters.
        marks: the pointers that these may be based on.
    """

    def __init__(
        self,
        seen: CheckInput,
        flow: FunctionFlow,
        codes: Iterable[int],
        followed: AbstractSet[int] | None = None,
    ) -> None:
        """`followed`: the only registers of which more is known than of a parameter, if given."""
        self._seen, self._flow, self._followed = seen, flow, followed
        self.marks = PointerMarks()
        self._sources: dict[str, int | ValueOutline] = {}
        self._conversions: dict[str, Reading] = {}
        self._shared, self._records = flow.registers.shared, flow.text.records[:]
        self.values: dict[int, ValueOutline] = {}
        solve_outlines(self._steps(codes), self.values)

    def _steps(self, codes: Iterable[int]) -> list[OutlineStep]:
        """Returns the instructions that write registers and those they depend on, in order."""
        flow = self._flow
        ways, of, parameters = flow.uses.ways, flow.index.of, flow.registers.parameters
        waiting, known = [*codes], {*codes}
        steps: list[tuple[int, OutlineStep]] = []
        while waiting:
            code = waiting.pop()
            writes = [use for use in of(code) if ways[use] & WRITES]
            if not writes or code in parameters:
                self.values[code] = self._limited(value_outline.PARAMETER)
            for use in writes:
                step = self._step(use, code)
                steps.append((use, step))
                for source in step.sources:
                    if isinstance(source, int) and source not in known:
                        known.add(source)
                        if self._followed is None or source in self._followed:
                            waiting.append(source)
                        else:
                            self.values[source] = value_outline.PARAMETER
        steps.sort(key=itemgetter(0))
        return [step for _, step in steps]

    def _step(self, use: int, code: int) -> OutlineStep:
        """Returns the instruction of a use that writes a register."""
        flow = self._flow
        row = flow.uses.rows[use]
        record, found = self._records[row], None
        if not isinstance(record, Shape):
            found = flow.statement(use)
            record = found.record
        if not isinstance(record, Shape):
            return OutlineStep(code, COPIED, (value_outline.WORST,))
        if record.name in _LOADING:
            return OutlineStep(code, COPIED, (self._loaded(use, record),))
        if record.name == ALLOCATING:
            return OutlineStep(code, COPIED, (self._allocated(use),))
        reading = reading_of(record)
        n_sources = reading.n_sources
        ways, codes = flow.uses.ways, flow.uses.codes
        statement = flow.index.statement(use)
        read = [codes[it] for it in statement if ways[it] & (READS | GUARDS) == READS]
        if not n_sources:
            return OutlineStep(code, reading, (*read,))
        if len(read) == reading.n_operands:
            sources: tuple[int | ValueOutline, ...] = (*read[:n_sources],)
        else:
            text = flow.text.lines[row] if found is None else found.text
            operands = simple_operands(record, text) or first_operands(
                record, flow.statement(use).text
            )
            sources = (*[self._source(it, use) for it in operands[1 : 1 + n_sources]],)
        if reading.is_converting:
            reading = self._conversion(record.opcode)
        return OutlineStep(code, reading, sources)

    def _source(self, text: str, use: int) -> int | ValueOutline:
        """Returns the register that an operand is, or the outline of what else it is."""
        found = self._sources.get(text)
        if found is None:
            found = self._flow.registers.code(text)
            if found < 0:
                found = self._constant(text, use)
            elif self._shared and self._shared[found]:
                meant = self._flow.registers.code_at(found, self._flow.statement(use).start)
                return self._constant(text, use) if meant < 0 else meant
            self._sources[text] = found
        return found

    def _constant(self, text: str, use: int) -> ValueOutline:
        """Returns the outline of a number, a special register or the address of a variable."""
        if text.startswith("%"):
            return value_outline.BLOCK if text.startswith(_BLOCKS) else self._special
        name, _, added_to = text.partition("+")
        place = self._flow.statement(use).start
        symbol = self._seen.facts.lookup(name, place) or self._seen.module.lookup(name)
        if symbol is None or not has_storage(symbol):
            return value_outline.outline_of_constant(text)
        if symbol.kind is SymbolKind.PARAMETER and not self._is_kernel:
            symbol = symbol._replace(space=_LOCAL)
        offset = value_outline.outline_of_constant(added_to) if added_to else value_outline.ZERO
        term = AffineTerm(TermKind.SYMBOL, symbol.name, POINTER_WIDTH, symbol=symbol)
        return self.marks.based_on(term, offset)

    @cached_property
    def _special(self) -> ValueOutline:
        """The outline of a special register, whose largest number may be known."""
        given = value_outline.SPECIAL
        is_known = any(self._flow.has_text(each) for each in _SIZES)
        if not is_known and not self._compares_numbers and not self._has_full_warps:
            return given
        return given._replace(marks=given.marks | value_outline.ENDED)

    @cached_property
    def _has_full_warps(self) -> bool:
        """Whether code that no compiler wrote runs in warps of which no lane is missing."""
        return not self._seen.is_generated and self._seen.text.has_opcodes(OF_FULL_WARPS)

    @cached_property
    def _compares_numbers(self) -> bool:
        """Whether the function compares integers with constants."""
        shapes = self._seen.text.shapes_of(("setp",))
        return any(
            each.operands[-1].identifier < 0 and not each.opcode.endswith(_FLOATS)
            for each in shapes
            if each.operands
        )

    @cached_property
    def come_from_outside(self) -> bool:
        """Whether the pointers in parameters are from outside of the kernel."""
        return come_from_outside(self._seen)

    @cached_property
    def _is_kernel(self) -> bool:
        """Whether the function is a kernel."""
        function = self._seen.facts.function
        return function is not None and function.kind is SymbolKind.KERNEL

    def _loaded(self, use: int, shape: Shape) -> ValueOutline:
        """Returns the outline of what is loaded."""
        if shape.name != "ld" or ".param" not in shape.opcode:
            return self._limited(value_outline.UNSEEN)
        name = loaded_name(self._flow.statement(use).text)
        if name in self._wide and shape.opcode.endswith(NARROW):
            return value_outline.narrowed(
                self._limited(self.marks.based_on(_HIDDEN, value_outline.PARAMETER))
            )
        symbol = self._pointers.get(name)
        if symbol is None:
            return self._limited(value_outline.PARAMETER)
        term = AffineTerm(TermKind.PARAMETER, symbol.name, POINTER_WIDTH, symbol=symbol)
        return self.marks.based_on(term, value_outline.PARAMETER)

    def _allocated(self, use: int) -> ValueOutline:
        """Returns the outline of the address of memory on the stack."""
        symbol = allocated_memory(self._flow.statement(use))
        if symbol is None:
            return value_outline.WORST
        term = AffineTerm(TermKind.SYMBOL, symbol.name, POINTER_WIDTH, symbol=symbol)
        return self.marks.based_on(term, value_outline.ZERO)

    def _limited(self, outline: ValueOutline) -> ValueOutline:
        """Returns the outline of a value that code may limit to a small range.

        Code written by a compiler only limits values to correct ranges.
        """
        if self._seen.is_generated:
            return outline
        return outline._replace(marks=outline.marks | value_outline.REACHED)

    @cached_property
    def _pointers(self) -> dict[str, Symbol]:
        """The parameters that point into a known state space, as far as that matters.

        Pointers that a kernel gets from outside count as one.
        """
        function = self._seen.facts.function
        given = function.parameters if function is not None else ()
        found = {each.name: each for each in given if pointed_space(each)}
        if self.come_from_outside and self._wide and accesses_inner(self._seen):
            first = next(iter(self._wide.values()))
            found = dict.fromkeys(self._wide, first) | found
        return found

    @cached_property
    def _wide(self) -> dict[str, Symbol]:
        """The parameters in memory that are as wide as a pointer."""
        return wide_parameters(self._seen)

    def _conversion(self, opcode: str) -> Reading:
        """Returns how `cvta` or `mapa` converts an address."""
        found = self._conversions.get(opcode)
        if found is None:
            spaces = [plain_space(each) for each in modifiers_of(opcode)]
            space = next((each for each in spaces if each in _SPACES), "")
            sign = -1 if ".to" in spaces else 1
            term = AffineTerm(TermKind.WINDOW, space, POINTER_WIDTH)
            if opcode.startswith("mapa"):
                term, sign = _RANK, 1
            moved = term_form(POINTER_WIDTH, term)
            combine = partial(self.marks.converted, moved=moved, sign=sign)
            found = self._conversions[opcode] = Reading(1, combine)
        return found
