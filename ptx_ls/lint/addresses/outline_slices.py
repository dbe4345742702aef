"""Finds the outlines of the registers that some addresses depend on."""

from __future__ import annotations

from functools import cached_property, partial
from operator import itemgetter
from typing import TYPE_CHECKING, Final
from weakref import proxy

from ptx_ls.lint.addresses import outlines
from ptx_ls.lint.addresses.outline_readings import (
    COPIED,
    Reading,
    first_operands,
    reading_of,
    simple_operands,
)
from ptx_ls.lint.addresses.outlines import FIRST_POINTER, ValueOutline
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
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS, WRITES
from ptx_ls.values.affine import (
    AffineForm,
    AffineTerm,
    TermKind,
    added,
    plain_space,
    term_form,
)
from ptx_ls.values.function_input import OF_FULL_WARPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.symbols import Symbol

_MAX_ROUNDS: Final = 12
"""Maximum number of rounds before nothing is known of the registers of a function."""
_MAX_POINTERS: Final = 128
"""Maximum number of pointers in a function that have marks."""
_WIDTH: Final = 64
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


_HIDDEN: Final = AffineTerm(TermKind.PARAMETER, "", _WIDTH)
"""A pointer of which only a part is loaded."""
_RANK: Final = AffineTerm(TermKind.RANK, "rank", _WIDTH)


class _Step(NamedTuple):
    """An instruction that writes a register; its sources are registers or outlines."""

    code: int
    reading: Reading
    sources: tuple[int | ValueOutline, ...]


class OutlineSlice:
    """The outlines of registers, and of all on which they depend.

    Attributes:
        values: the outlines by the codes of the registers; those without one are parameters.
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
        self._forms: list[AffineForm] = []
        self._numbers: dict[AffineForm, int] = {}
        self._of_marks: dict[int, tuple[AffineForm, ...]] = {}
        self._sources: dict[str, int | ValueOutline] = {}
        self._conversions: dict[str, Reading] = {}
        self._shared, self._records = flow.registers.shared, flow.text.records[:]
        self.values: dict[int, ValueOutline] = {}
        _solve(self._steps(codes), self.values)

    def pointers(self, outline: ValueOutline) -> tuple[AffineForm, ...]:
        """Returns the pointers that a value may be based on."""
        marks = outline.marks >> FIRST_POINTER
        found = self._of_marks.get(marks)
        if found is None:
            forms = enumerate(self._forms)
            found = self._of_marks[marks] = tuple(it for bit, it in forms if marks >> bit & 1)
        return found

    def _steps(self, codes: Iterable[int]) -> list[_Step]:
        """Returns the instructions that write registers and those they depend on, in order."""
        flow = self._flow
        ways, of, parameters = flow.uses.ways, flow.index.of, flow.registers.parameters
        waiting, known = [*codes], {*codes}
        steps: list[tuple[int, _Step]] = []
        while waiting:
            code = waiting.pop()
            writes = [use for use in of(code) if ways[use] & WRITES]
            if not writes or code in parameters:
                self.values[code] = self._limited(outlines.PARAMETER)
            for use in writes:
                step = self._step(use, code)
                steps.append((use, step))
                for source in step.sources:
                    if isinstance(source, int) and source not in known:
                        known.add(source)
                        if self._followed is None or source in self._followed:
                            waiting.append(source)
                        else:
                            self.values[source] = outlines.PARAMETER
        steps.sort(key=itemgetter(0))
        return [step for _, step in steps]

    def _step(self, use: int, code: int) -> _Step:
        """Returns the instruction of a use that writes a register."""
        flow = self._flow
        row = flow.uses.rows[use]
        record, found = self._records[row], None
        if not isinstance(record, Shape):
            found = flow.statement(use)
            record = found.record
        if not isinstance(record, Shape):
            return _Step(code, COPIED, (outlines.WORST,))
        if record.name in _LOADING:
            return _Step(code, COPIED, (self._loaded(use, record),))
        if record.name == ALLOCATING:
            return _Step(code, COPIED, (self._allocated(use),))
        reading = reading_of(record)
        n_sources = reading.n_sources
        ways, codes = flow.uses.ways, flow.uses.codes
        statement = flow.index.statement(use)
        read = [codes[it] for it in statement if ways[it] & (READS | GUARDS) == READS]
        if not n_sources:
            return _Step(code, reading, (*read,))
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
        return _Step(code, reading, sources)

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
            return outlines.BLOCK if text.startswith(_BLOCKS) else self._special
        name, _, added_to = text.partition("+")
        place = self._flow.statement(use).start
        symbol = self._seen.facts.lookup(name, place) or self._seen.module.lookup(name)
        if symbol is None or not has_storage(symbol):
            return outlines.outline_of_constant(text)
        if symbol.kind is SymbolKind.PARAMETER and not self._is_kernel:
            symbol = symbol._replace(space=_LOCAL)
        offset = outlines.outline_of_constant(added_to) if added_to else outlines.ZERO
        return self._pointing(
            offset, AffineTerm(TermKind.SYMBOL, symbol.name, _WIDTH, symbol=symbol)
        )

    @cached_property
    def _special(self) -> ValueOutline:
        """The outline of a special register, whose largest number may be known."""
        given = outlines.SPECIAL
        is_known = any(self._flow.has_text(each) for each in _SIZES)
        if not is_known and not self._compares_numbers and not self._has_full_warps:
            return given
        return given._replace(marks=given.marks | outlines.ENDED)

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

    def _pointing(self, outline: ValueOutline, term: AffineTerm) -> ValueOutline:
        """Returns an outline with the mark of a pointer."""
        mark = self._mark(term_form(_WIDTH, term))
        return outline._replace(marks=outline.marks | outlines.BASED | mark)

    def _mark(self, form: AffineForm) -> int:
        """Returns the mark of a pointer."""
        number = self._numbers.get(form)
        if number is None:
            if len(self._forms) == _MAX_POINTERS:
                return outlines.MANY
            number = self._numbers[form] = len(self._forms)
            self._forms.append(form)
        return 1 << FIRST_POINTER + number

    def _loaded(self, use: int, shape: Shape) -> ValueOutline:
        """Returns the outline of what is loaded."""
        if shape.name != "ld" or ".param" not in shape.opcode:
            return self._limited(outlines.UNSEEN)
        name = loaded_name(self._flow.statement(use).text)
        if name in self._wide and shape.opcode.endswith(NARROW):
            return outlines.narrowed(self._limited(self._pointing(outlines.PARAMETER, _HIDDEN)))
        symbol = self._pointers.get(name)
        if symbol is None:
            return self._limited(outlines.PARAMETER)
        term = AffineTerm(TermKind.PARAMETER, symbol.name, _WIDTH, symbol=symbol)
        return self._pointing(outlines.PARAMETER, term)

    def _allocated(self, use: int) -> ValueOutline:
        """Returns the outline of the address of memory on the stack."""
        symbol = allocated_memory(self._flow.statement(use))
        if symbol is None:
            return outlines.WORST
        term = AffineTerm(TermKind.SYMBOL, symbol.name, _WIDTH, symbol=symbol)
        return self._pointing(outlines.ZERO, term)

    def _limited(self, outline: ValueOutline) -> ValueOutline:
        """Returns the outline of a value that code may limit to a small range.

        Code written by a compiler only limits values to correct ranges.
        """
        if self._seen.is_generated:
            return outline
        return outline._replace(marks=outline.marks | outlines.REACHED)

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
            term = AffineTerm(TermKind.WINDOW, space, _WIDTH)
            if opcode.startswith("mapa"):
                term, sign = _RANK, 1
            moved = term_form(_WIDTH, term)
            own: OutlineSlice = proxy(self)
            combine = partial(_converted, own, moved=moved, sign=sign)
            found = self._conversions[opcode] = Reading(1, combine)
        return found

    def converted(
        self, given: Sequence[ValueOutline], moved: AffineForm, sign: int
    ) -> ValueOutline:
        """Returns the outline of a converted address."""
        (source,), marks = given, 0
        for form in self.pointers(source) or (AffineForm(_WIDTH, (), 0),):
            converted = added(form, moved, sign)
            marks |= outlines.EXTENDED if converted is None else self._mark(converted)
        return source._replace(marks=source.marks & outlines.PLAIN_MARKS | marks)


def _converted(
    slice_: OutlineSlice, given: Sequence[ValueOutline], moved: AffineForm, sign: int
) -> ValueOutline:
    return slice_.converted(given, moved, sign)


def _solve(steps: list[_Step], values: dict[int, ValueOutline]) -> None:
    """Finds the outlines that instructions write, in rounds, until none changes."""
    results: dict[Reading, dict[tuple[ValueOutline, ...], ValueOutline]] = {}
    first_reads: dict[int, int] = {}
    for number, step in enumerate(steps):
        for source in step.sources:
            if isinstance(source, int):
                first_reads.setdefault(source, number)
    numbered = [(each.code, results.setdefault(each.reading, {}), each) for each in steps]
    for _ in range(_MAX_ROUNDS):
        is_changed, is_complete = False, True
        for number, (code, known, step) in enumerate(numbered):
            try:
                given = tuple([values[it] if isinstance(it, int) else it for it in step.sources])
            except KeyError:  # an instruction that follows writes it
                is_complete = False
                continue
            result = known.get(given)
            if result is None:
                result = known[given] = step.reading.result(given)
            if _store(values, code, result):
                is_changed = True
                is_complete &= first_reads.get(code, number) >= number
        if is_complete or not is_changed:
            return
    values.update((step.code, outlines.WORST) for step in steps)


def _store(values: dict[int, ValueOutline], code: int, result: ValueOutline) -> bool:
    """Adds what an instruction may write to a register; returns whether that is new."""
    old = values.get(code)
    if result == old:
        return False
    found = result if old is None else outlines.either(old, result)
    values[code] = found
    return found != old
