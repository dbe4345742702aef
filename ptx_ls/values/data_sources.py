"""Finds what a value depends on: data in memory, and the number of the thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS
from ptx_ls.values.affine import TermKind
from ptx_ls.values.code_place import ENTRY

if TYPE_CHECKING:
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_values import FunctionValues

_MAX_USES: Final = 64
"""Number of uses of registers that are followed for a value."""
OF_THREADS: Final = ("%tid", "%lane", "%warpid")
"""Special registers that differ between the threads of a block."""
OF_BLOCKS: Final = ("%ctaid", "%clusterid", "%cluster_")
"""Special registers that differ between blocks."""
_KNOWN: Final = ("%nctaid", "%ntid", "%gridid", "%nclusterid", *OF_BLOCKS, *OF_THREADS)


class DataSources(NamedTuple):
    """The sources of a value.

    Attributes:
        has_data: whether it depends on what a plain load returns.
        has_thread: whether it may depend on the number of the thread, other than through data.
        is_known: whether it depends on nothing else, such as the results of other threads.
        has_own_data: whether threads may load the data from different addresses.
        loads: the uses with which the loads of the data write their results.
    """

    has_data: bool = False
    has_thread: bool = False
    is_known: bool = True
    has_own_data: bool = False
    loads: frozenset[int] = frozenset()

    def joined(self, other: DataSources) -> DataSources:
        """Returns what two values depend on."""
        return DataSources(
            self.has_data or other.has_data,
            self.has_thread or other.has_thread,
            self.is_known and other.is_known,
            self.has_own_data or other.has_own_data,
            self.loads | other.loads,
        )


_NOTHING: Final = DataSources()
_UNCLEAR: Final = DataSources(is_known=False)


class DataSourceFinder:
    """Finds what the values of a function depend on."""

    def __init__(self, values: FunctionValues, numbers: tuple[str, ...] = OF_THREADS) -> None:
        """`numbers`: the special registers that count as the number of the thread."""
        self._values, self._numbers = values, numbers
        self._fixed = tuple(each for each in _KNOWN if each not in numbers)
        self._seen: set[int] = set()

    def of_form(self, form: AffineForm) -> DataSources:
        """Returns what an address depends on, besides its variable."""
        self._seen = set()
        return self._of_form(form)

    def of_use(self, use: int) -> DataSources:
        """Returns what the register at a use that reads it depends on."""
        self._seen = set()
        return self._of_use(use)

    def _of_form(self, form: AffineForm) -> DataSources:
        found = _NOTHING
        for term, _ in form.terms:
            found = found.joined(self._of_term(term))
        return found

    def _of_term(self, term: AffineTerm) -> DataSources:
        if term.kind is TermKind.SPECIAL:
            return _NOTHING if term.name.startswith(self._fixed) else DataSources(has_thread=True)
        found = _NOTHING if ENTRY not in term.definitions else _UNCLEAR
        for each in term.factors:
            found = found.joined(self._of_term(each))
        for use in term.definitions:
            if use != ENTRY:
                found = found.joined(self._of_definition(use))
        return found

    def _of_definition(self, definition: int) -> DataSources:
        """Returns what the result of an instruction depends on."""
        if definition in self._seen:
            return _NOTHING
        self._seen.add(definition)
        if len(self._seen) > _MAX_USES:
            return _UNCLEAR
        flow = self._values.flow
        instruction = self._values.given.decoder.of_use(definition)
        record = instruction.found.record
        known = events_of(record) if isinstance(record, Shape) else None
        if known is None or known.events.syncs or known.events.executed_by != "thread":
            return _UNCLEAR
        accesses = known.events.accesses
        if any(each.space == "param" for each in accesses):
            return _NOTHING
        if accesses:
            is_plain = all(it.kind == "reads" and not it.is_strong for it in accesses)
            is_own = is_plain and self._is_of_thread(instruction)
            loads = frozenset({definition}) if is_plain else frozenset[int]()
            return DataSources(is_plain, False, is_plain, is_own, loads)
        form = self._values.definition_form(definition)
        if form is not None and not any(definition in term.definitions for term, _ in form.terms):
            return self._of_form(form)
        found = DataSources(has_thread=any(it in instruction.found.text for it in self._numbers))
        for use in instruction.uses:
            if flow.uses.ways[use] & READS:
                found = found.joined(self._of_use(use))
        return found

    def _is_of_thread(self, load: DecodedInstruction) -> bool:
        """Whether the address of a load may differ between threads."""
        form = self._values.address_form(load.found, 1)
        if form is None:
            return True
        found = self._of_form(form)
        return found.has_thread or found.has_own_data or not found.is_known

    def _of_use(self, use: int) -> DataSources:
        writes, from_entry, _ = self._values.flow.definitions(use)
        found = _UNCLEAR if from_entry or not writes else _NOTHING
        for each in writes:
            found = found.joined(self._of_definition(each))
        return found
