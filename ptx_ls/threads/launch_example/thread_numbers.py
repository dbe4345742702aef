"""Computes what each thread of an example launch has in a register.

A number is a sum of one that is known for each thread, and of unknown ones that are the same for
all threads, such as parameters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.threads.launch_example.elected_threads import elected_threads
from ptx_ls.threads.launch_example.guarded_writes import guarded_write
from ptx_ls.threads.launch_example.iterations import Iterations, iterations_of
from ptx_ls.threads.launch_example.thread_comparisons import compared_numbers, threads_that_pass
from ptx_ls.threads.launch_example.thread_number import ThreadNumber, aligned_bits, computed_number
from ptx_ls.threads.uniformity.levels import LANES
from ptx_ls.values.affine import AffineForm, AffineTerm, TermKind
from ptx_ls.values.affine_values import is_stable
from ptx_ls.values.code_place import ENTRY
from ptx_ls.values.comparisons import predicate_facts
from ptx_ls.values.decoding import immediate
from ptx_ls.values.known_bits import as_signed
from ptx_ls.values.transfer.operations import operation_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.threads.launch_example.guarded_writes import GuardedWrite
    from ptx_ls.threads.launch_example.launch import LaunchExample
    from ptx_ls.threads.launch_example.thread_number import Unknowns
    from ptx_ls.values.abstract_value import AbstractValue
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_values import FunctionValues

    Run = Callable[[list[AbstractValue]], AbstractValue]
    LastIteration = Callable[[int, "Iterations"], int]

_MAX_DEPTH: Final = 24
"""Maximum number of instructions that are followed one after another."""
_SAME: Final = (TermKind.SYMBOL, TermKind.PARAMETER, TermKind.WINDOW, TermKind.SPECIAL)
_LOADS: Final = ("ld", "ldu")
_SHUFFLE: Final = "shfl"
_SHUFFLE_SOURCES: Final = 3
_SAME_REGISTERS: Final = (
    "%nctaid", "%ctaid", "%nclusterid", "%cluster", "%gridid", "%is_explicit"
)  # fmt: skip
_READ_ONLY: Final = frozenset({".const", ".nc"})


class ThreadNumbers:
    """The numbers of a function, in the iterations of its loops that a mapping states.

    The mapping has the number of finished iterations for the heads of loops. Other loops are in the
    iteration that `last_iteration` returns for their heads, or else in the first one.
    """

    def __init__(self, values: FunctionValues, launch: LaunchExample) -> None:
        self._values, self._launch = values, launch
        self._terms: dict[tuple[AffineTerm, Iterations], ThreadNumber | None] = {}
        self._sources: dict[object, frozenset[object]] = {}
        self._results: dict[object, ThreadNumber] = {}
        self._depth = 0
        self.last_iteration: LastIteration = _first

    def form(self, form: AffineForm, iterations: Iterations) -> ThreadNumber | None:
        """Returns the value of a form; None if it is unknown."""
        mask = (1 << form.width) - 1
        total = [form.offset] * self._launch.n_threads
        unknowns: dict[object, int] = {}
        for term, times in form.terms:
            found = self._term(term, iterations)
            if found is None:
                return None
            total = [old + times * new for old, new in zip(total, found.numbers, strict=True)]
            for key, own in found.unknowns:
                unknowns[key] = unknowns.get(key, 0) + own * times
        kept = frozenset((key, times) for key, times in unknowns.items() if times & mask)
        return ThreadNumber(form.width, tuple([each & mask for each in total]), kept)

    def operand(
        self,
        instruction: DecodedInstruction,
        operand: OperandSyntax,
        width: int,
        iterations: Iterations,
    ) -> ThreadNumber | None:
        """Returns the value of an operand that an instruction reads with a type of a width."""
        number = immediate(operand)
        if number is not None:
            return self._constant(number, width)
        if width == 1:
            return self._predicate(instruction, operand, iterations)
        form = self._values.source_form(instruction, operand, width)
        return None if form is None else self.form(form, iterations)

    def _predicate(
        self, instruction: DecodedInstruction, operand: OperandSyntax, iterations: Iterations
    ) -> ThreadNumber | None:
        """Returns 1 for the threads in which a predicate is true, and 0 for the others."""
        use = self._values.given.decoder.reading_use(instruction, operand.text)
        passed = self._holding(use, iterations) if use is not None else None
        if passed is None:
            return None
        n_threads = self._launch.n_threads
        return ThreadNumber(1, tuple([int(each in passed) for each in range(n_threads)]))

    def _holding(self, use: int, iterations: Iterations) -> frozenset[int] | None:
        """Returns the threads in which the predicate at a use is true; None if that is unknown."""
        facts = predicate_facts(self._values.given, use, value=True)
        if facts.is_exact:
            return self.passing(facts.comparisons, iterations)
        return elected_threads(self._values, self._launch.n_threads, use)

    def passing(
        self, comparisons: Iterable[HeldComparison], iterations: Iterations
    ) -> frozenset[int] | None:
        """Returns the threads for which all comparisons hold; None if that is unknown."""
        passed = frozenset(range(self._launch.n_threads))
        for held in comparisons:
            sides = compared_numbers(self, held, iterations)
            if sides is None or sides[0].unknowns != sides[1].unknowns:
                return None
            passed &= threads_that_pass(held, *sides)
        return passed

    def _constant(self, number: int, width: int) -> ThreadNumber:
        return ThreadNumber(width, (number & (1 << width) - 1,) * self._launch.n_threads)

    def _term(self, term: AffineTerm, iterations: Iterations) -> ThreadNumber | None:
        iterations = () if term.is_stable else self._own_iterations(term, iterations)
        key = term, iterations
        if key not in self._terms:
            self._terms[key] = None  # a term that depends on itself is unknown
            self._depth += 1
            found = self._find_term(*key) if self._depth <= _MAX_DEPTH else None
            self._depth -= 1
            if found is not None and term.is_signed:
                numbers = tuple(as_signed(each, term.width) for each in found.numbers)
                found = found._replace(numbers=numbers)
            self._terms[key] = found
        return self._terms[key]

    def _own_iterations(self, term: AffineTerm, iterations: Iterations) -> Iterations:
        """Returns the iterations of the loops in which a term may change."""
        if term.is_stable:
            return ()
        if term.kind is TermKind.PRODUCT:
            return iterations
        given = dict(iterations)
        return iterations_of(
            {
                each: given[each] if each in given else self.last_iteration(each, iterations)
                for each in self._changing(term)
            }
        )

    def _changing(self, term: AffineTerm) -> Sequence[int]:
        """Returns the heads of the loops around what changes a term, outermost first."""
        flow = self._values.flow
        blocks = [flow.index.block_of(each) for each in term.definitions if each != ENTRY]
        if term.kind is TermKind.COUNTER:
            blocks = [term.head]
        around = [self._values.graph.loop_forest.heads_around(each) for each in blocks if each >= 0]
        return sorted({head for heads in around for head in heads})

    def _find_term(self, term: AffineTerm, iterations: Iterations) -> ThreadNumber | None:
        if term.kind is TermKind.SPECIAL:
            known = self._launch.special(term.name)
            if known is not None:
                return ThreadNumber(term.width, known)
            return self._unknown(term, iterations) if _is_same(term.name) else None
        if term.kind in _SAME:
            return self._unknown(term, iterations)
        if term.kind is TermKind.COUNTER:
            return self._constant(dict(iterations).get(term.head, 0), term.width)
        if term.kind is TermKind.PRODUCT:
            return self._product(term, iterations)
        if term.kind is TermKind.DEFINITION:
            return self._computed(term.definitions[0], term, iterations)
        if term.kind is TermKind.MERGE:
            return self._merged(term, iterations)
        return None

    def sources(self, unknowns: Unknowns) -> frozenset[object]:
        """Returns the parameters and other given numbers of which unknown numbers are made."""
        found = frozenset[object]()
        for key, _ in unknowns:
            found |= self._sources.get(key, {key})
        return found

    def _unknown(
        self, term: AffineTerm, iterations: Iterations, parts: Iterable[ThreadNumber] = ()
    ) -> ThreadNumber:
        """Returns a number that is the same for all threads, and made of others or given."""
        key = term._replace(is_signed=False), () if term.is_stable else iterations
        sources = [self.sources(each.unknowns) for each in parts]
        self._sources[key] = frozenset[object]().union(*sources) or frozenset({key})
        return ThreadNumber(term.width, (0,) * self._launch.n_threads, frozenset({(key, 1)}))

    def _product(self, term: AffineTerm, iterations: Iterations) -> ThreadNumber | None:
        left, right = (self._term(each, iterations) for each in term.factors)
        if left is None or right is None:
            return None
        if not left.unknowns and not right.unknowns:
            pairs = zip(left.numbers, right.numbers, strict=True)
            return ThreadNumber(term.width, tuple([one * other for one, other in pairs]))
        is_same = left.is_same and right.is_same
        return self._unknown(term, iterations, (left, right)) if is_same else None

    def _computed(self, use: int, term: AffineTerm, iterations: Iterations) -> ThreadNumber | None:
        """Returns what an instruction computes."""
        decoder = self._values.given.decoder
        instruction = decoder.of_use(use)
        if decoder.destination(use) != (0, -1) or self._values.flow.index.guard(use) is not None:
            return None
        if instruction.name in _LOADS:
            return self._loaded(instruction, term, iterations)
        if instruction.name == _SHUFFLE:
            return self._shuffled(instruction, term, iterations)
        sources = instruction.sources
        operation = operation_of(instruction.name, instruction.modifiers, len(sources))
        if operation is None:
            return None
        found = [
            self.operand(instruction, each, width, iterations)
            for each, width in zip(sources, operation.widths, strict=True)
        ]
        known = [each for each in found if each is not None]
        if len(known) < len(found):
            return None
        if any(each.unknowns for each in known):
            found_bits = aligned_bits(instruction.name, known)
            if found_bits is not None:
                return found_bits
            is_same = all(it.is_same for it in known)
            return self._result(instruction, known, term, iterations) if is_same else None
        return computed_number(instruction, operation, known, term.width)

    def _result(
        self,
        instruction: DecodedInstruction,
        known: Sequence[ThreadNumber],
        term: AffineTerm,
        iterations: Iterations,
    ) -> ThreadNumber:
        """Returns an unknown number; the same one for equal instructions with equal operands."""
        operands = tuple((each.width, each.numbers[0], each.unknowns) for each in known)
        key = instruction.name, instruction.modifiers, operands, term.width
        if key not in self._results:
            self._results[key] = self._unknown(term, iterations, known)
        return self._results[key]

    def _shuffled(
        self, instruction: DecodedInstruction, term: AffineTerm, iterations: Iterations
    ) -> ThreadNumber | None:
        """Returns what all lanes of a warp read from the same lane."""
        sources = instruction.sources
        if ".idx" not in instruction.modifiers or len(sources) < _SHUFFLE_SOURCES:
            return None
        lane, clamp = (self._values.given.decoder.number(instruction, it) for it in sources[1:3])
        value = self.operand(instruction, sources[0], term.width, iterations)
        if value is None or clamp != LANES - 1 or lane is None or not 0 <= lane < LANES:
            return None
        numbers = value.numbers
        if len(numbers) % LANES:
            return None
        read = tuple([numbers[each - each % LANES + lane] for each in range(len(numbers))])
        return value._replace(numbers=read)

    def _loaded(
        self, instruction: DecodedInstruction, term: AffineTerm, iterations: Iterations
    ) -> ThreadNumber | None:
        """Returns what all threads load from one address of memory that nothing writes."""
        if _READ_ONLY.isdisjoint(instruction.modifiers):
            return None
        form = self._values.address_form(instruction.found, 1)
        address = None if form is None else self.form(form, iterations)
        return self._unknown(term, iterations) if address is not None and address.is_same else None

    def _merged(self, term: AffineTerm, iterations: Iterations) -> ThreadNumber | None:
        """Returns the value of a register that several instructions write."""
        if ENTRY in term.definitions:
            return None
        guarded = guarded_write(self._values, term.definitions)
        if guarded is not None:
            return self._guarded(guarded, iterations)
        head, before, inside = self._recurrence(term)
        finished = dict(iterations).get(head, 0)
        if head < 0:
            return self._same_on_all_paths(term)
        if not finished:
            return self._written(before, iterations)
        earlier = {**dict(iterations), head: finished - 1}
        return self._written(inside, iterations_of(earlier))

    def _same_on_all_paths(self, term: AffineTerm) -> ThreadNumber | None:
        """Returns the value that the instructions on all paths compute; None if values differ.

        Compilers unroll loops with a remainder that a launch may never run, so instructions that no
        thread executes do not count.
        """
        forms = {each: self._values.definition_form(each) for each in term.definitions}
        if not all(each is not None and is_stable(each) for each in forms.values()):
            return None
        found: dict[int, ThreadNumber] = {}
        for definition, form in forms.items():
            number = None if form is None else self.form(form, ())
            if number is None:
                return None
            found[definition] = number
        if len({*found.values()}) > 1:
            found = {each: it for each, it in found.items() if not self._is_never_run(each)}
        values = {*found.values()}
        return values.pop() if len(values) == 1 else None

    def _is_never_run(self, definition: int) -> bool:
        """Whether conditions that do not change in loops hold for no thread of the launch."""
        instruction = self._values.given.decoder.of_use(definition)
        staying = frozenset(range(self._launch.n_threads))
        for condition in self._values.conditions(instruction.found):
            for held in condition.facts.comparisons:
                forms = [
                    self._values.source_form(held.instruction, each, held.width)
                    for each in (held.left, held.right)
                ]
                if all(each is not None and is_stable(each) for each in forms):
                    passed = self.passing((held,), ())
                    staying &= staying if passed is None else passed
        return not staying

    def _guarded(self, write: GuardedWrite, iterations: Iterations) -> ThreadNumber | None:
        """Returns the value of a register that some threads write a second time."""
        passed = self._holding(write.guard, iterations)
        before, after = (self._written(it, iterations) for it in (write.first, write.second))
        if passed is None or before is None or after is None or before.unknowns != after.unknowns:
            return None
        pairs = enumerate(zip(before.numbers, after.numbers, strict=True))
        chosen = [each[(it in passed) != write.is_negated] for it, each in pairs]
        return before._replace(numbers=tuple(chosen))

    def _recurrence(self, term: AffineTerm) -> tuple[int, int, int]:
        """Returns the head of a loop, and the definitions before and in it; -1 for no such loop.

        The loop changes the register in each iteration that another one follows.
        """
        flow, graph = self._values.flow, self._values.graph
        if len(term.definitions) == 2:  # noqa: PLR2004  one before the loop and one in it
            blocks = {each: flow.index.block_of(each) for each in term.definitions}
            for loop in graph.loops_around(blocks[term.definitions[-1]]):
                inside = [each for each in term.definitions if blocks[each] in loop.blocks]
                latches = [each for each, head in graph.back_edges if head == loop.head]
                dominates = graph.dominators.dominates
                if len(inside) == 1 and all(dominates(blocks[inside[0]], it) for it in latches):
                    before = next(each for each in term.definitions if each not in inside)
                    return loop.head, before, inside[0]
        return -1, -1, -1

    def _written(self, use: int, iterations: Iterations) -> ThreadNumber | None:
        form = self._values.definition_form(use)
        return None if form is None else self.form(form, iterations)


def _first(_head: int, _iterations: Iterations) -> int:
    return 0


def _is_same(name: str) -> bool:
    """Whether all threads of a block read the same number from a special register."""
    return name.startswith(_SAME_REGISTERS)
