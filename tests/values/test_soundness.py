"""No fact about the values of random kernels is refuted by running them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

import pytest

from ptx_ls.document.document import Document
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS, WRITES
from ptx_ls.values.affine import AffineForm, AffineTerm, TermKind
from ptx_ls.values.code_place import ENTRY
from ptx_ls.values.function_values import FunctionValues, function_values
from tests.support.straight_line import NotComputableError
from tests.values.machine import WINDOW, Machine
from tests.values.random_kernels import KernelWriter

if TYPE_CHECKING:
    from ptx_ls.values.abstract_value import AbstractValue

N_QUICK_KERNELS: Final = 60
N_KERNELS: Final = 3_000
N_KERNELS_OF_PART: Final = 300
N_RUNS: Final = 3
MAX_STEPS: Final = 300


class Observer:
    """Runs a kernel, and compares what happens with what is known of it."""

    def __init__(self, text: str) -> None:
        document = Document.read(text)
        self.values = self._values_of(document)
        self.flow = self.values.flow
        self.lines = [line.strip() for line in self.flow.text.lines]
        self.at: dict[int, list[tuple[int, AbstractValue]]] = {}
        self.written: dict[int, list[tuple[int, AbstractValue]]] = {}
        self.blocks: dict[int, int] = {}
        uses = self.flow.uses
        for found in self.flow.text.statements():
            row = found.start[0]
            if isinstance(found.record, Shape):
                self.blocks[row] = self.flow.graph.number_at(found.start) or 0
                self.first = min(getattr(self, "first", row), row)
        order = [*range(len(uses.codes))]
        random.Random(text).shuffle(order)  # noqa: S311  facts must not depend on the order
        for use in order:
            row = uses.rows[use]
            if uses.ways[use] & READS:
                self.at.setdefault(row, []).append((use, self.values.read(use)))
            if uses.ways[use] & WRITES:
                self.written.setdefault(row, []).append((use, self.values.written(use)))

    @staticmethod
    def _values_of(document: Document) -> FunctionValues:
        module = module_facts(document)
        return next(
            function_values(each, module) for each in document.leaves() if ".entry" in each.text
        )

    def run(self, bits: dict[str, int]) -> bool:
        """Executes the kernel once, with some values of parameters and special registers.

        Returns whether it comes to an end soon.
        """
        self._machine = Machine(self.lines, bits)
        self._latest: dict[int, int] = {}
        self._order: dict[int, int] = {}
        self._counters: dict[int, int] = {}
        self._block = -1
        self._n_steps = 0
        return self._machine.run(self.first, self._before, self._after, MAX_STEPS)

    def _enter(self, block: int) -> None:
        forest = self.flow.graph.loop_forest
        if block in forest.heads:
            is_inside = self._block in forest.blocks(block)
            self._counters[block] = self._counters.get(block, 0) + 1 if is_inside else 0
        self._block = block

    def _before(self, row: int, is_run: bool) -> None:  # noqa: FBT001  a callback
        block = self.blocks[row]
        is_start = row - 1 not in self.blocks or self.blocks[row - 1] != block
        if block != self._block or is_start:
            self._enter(block)
        self._n_steps += 1
        name_of = self.flow.name_of
        for use, value in self.at.get(row, ()):
            if not is_run and not self.flow.uses.ways[use] & GUARDS:
                continue
            form = value.affine and self._form(value.affine)
            said = f"reads {name_of(use)}"
            self._check(row, value, form, self._machine.bits[name_of(use)], said)
        if is_run:  # else it need not be on a path that the values of its operands allow
            self._forms = {
                use: value.affine and self._form(value.affine)
                for use, value in self.written.get(row, ())
            }

    def _after(self, row: int) -> None:
        for use, value in self.written.get(row, ()):
            register = self.flow.name_of(use)
            self._latest[use] = self._machine.bits[register]
            self._order[use] = self._n_steps
            own = value.affine is not None and self._is_own(value.affine, use)
            form = None if own else self._forms[use]
            said = f"writes {register}"
            self._check(row, value, form, self._machine.bits[register], said)

    def _is_own(self, form: AffineForm, use: int) -> bool:
        """Whether a form is only the value itself."""
        return any(term.definitions == (use,) for term, _ in form.terms)

    def _check(
        self, row: int, value: AbstractValue, form: int | None, bits: int, text: str
    ) -> None:
        said = f"{self.lines[row]} {text}: {bits} is not {value}, {value.affine}"
        assert value.contains(bits), said
        assert form is None or form == bits, f"{said} = {form}"

    def _form(self, form: AffineForm) -> int | None:
        """Returns the value of a form now; None if a term has none."""
        total = form.offset
        for term, times in form.terms:
            value = self._term(term)
            if value is None:
                return None
            total += value * times
        return total & (1 << form.width) - 1

    def _term(self, term: AffineTerm) -> int | None:
        bits = self._machine.bits
        match term.kind:
            case TermKind.SYMBOL | TermKind.SPECIAL | TermKind.PARAMETER:
                found: int | None = bits[term.name]
            case TermKind.WINDOW:
                found = WINDOW
            case TermKind.COUNTER:
                found = self._counters[term.head]
            case TermKind.PRODUCT:
                one, other = map(self._term, term.factors)
                return None if one is None or other is None else one * other
            case TermKind.DEFINITION | TermKind.MERGE:
                known = [each for each in term.definitions if each in self._latest]
                if not known or ENTRY in term.definitions:
                    return None
                found = self._latest[max(known, key=lambda each: self._order[each])]
            case _:
                return None
        if found is None or term.kind is TermKind.COUNTER:
            return found
        low = found & (1 << term.width) - 1
        span = self.values.term_value(term)
        assert span.contains(low), (term, low, str(span))
        return low - (low >> term.width - 1 << term.width) if term.is_signed else low


def inputs(writer: KernelWriter, chance: random.Random) -> dict[str, int]:
    """Random values of parameters, special registers and addresses."""
    threads = writer.threads or chance.choice([(1, 1, 1), (32, 4, 1), (1024, 1, 1), (33, 1, 2)])
    return {
        "sm": 16 * chance.randrange(64),
        "p": chance.choice([0, 4096, 1 << 40, chance.getrandbits(64)]),
        "n": chance.choice([0, 1, 10, 1000, chance.getrandbits(32)]),
        "m": chance.choice([0, 1, 7, 64, chance.getrandbits(32)]),
        "%tid.x": chance.choice([0, threads[0] - 1, chance.randrange(threads[0])]),
        "%tid.y": chance.randrange(threads[1]),
        "%ntid.x": threads[0],
        "%ctaid.x": chance.choice([0, 1, chance.randrange(1 << 31)]) % ((1 << 31) - 1),
        "%nctaid.x": (1 << 31) - 1,
        "%laneid": chance.randrange(32),
    }


def check_kernel(seed: int, n_runs: int = N_RUNS) -> None:
    """Runs a random kernel, and compares each value with what is known of it."""
    chance = random.Random(seed)  # noqa: S311  a repeatable choice
    writer = KernelWriter(chance)
    text = writer.kernel()
    observer = Observer(text)
    for _ in range(n_runs):
        try:
            observer.run(inputs(writer, chance))
        except NotComputableError:
            continue


@pytest.mark.parametrize("seed", range(N_QUICK_KERNELS))
def test_no_run_refutes_what_is_known(seed: int) -> None:
    check_kernel(seed)


@pytest.mark.parametrize("seed", [4_721, 4_824])
def test_instructions_that_no_run_executes(seed: int) -> None:
    check_kernel(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1_000, 1_000 + N_KERNELS, N_KERNELS_OF_PART))
def test_no_run_of_many_refutes_what_is_known(first: int) -> None:
    for seed in range(first, first + N_KERNELS_OF_PART):
        check_kernel(seed)
