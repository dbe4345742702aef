"""Finds loops whose iterations the threads of a block share.

In `for (i = threadIdx.x; i < 100; i += blockDim.x)`, each number from 0 to 99 is the counter of
some thread, however many threads a block has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.affine import TermKind
from ptx_ls.values.loops.only_tests import only_test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.affine_values import AffineValues
    from ptx_ls.values.function_input import FunctionInput

_NO_LOOP: Final = -1
_NUMBER: Final = "%tid."
_SIZE: Final = "%ntid."
_N_DEFINITIONS: Final = 2
"""Number of definitions of a counter: before the loop, and in it."""
_BELOW: Final = {"lt": 0, "le": 1}
_ABOVE: Final = {"gt": 0, "ge": 1}
"""The operators of a test that a counter passes, and whether it passes if both sides are equal."""


class SharedLoop(NamedTuple):
    """A loop whose iterations the threads of a block share.

    Attributes:
        counter: the number of the iteration, which differs from thread to thread.
        thread: the number of the thread, which is that of its first iteration.
        last: the largest number.
        tested: the block whose branch ends the loop.
    """

    counter: AffineTerm
    thread: AffineTerm
    last: int
    tested: int


class SharedLoops:
    """The shared loops of a function."""

    def __init__(
        self,
        given: FunctionInput,
        forms: AffineValues,
        ensure: Callable[[Iterable[int]], None],
    ) -> None:
        """`ensure` evaluates definitions."""
        self._given, self._forms, self._ensure = given, forms, ensure
        self._found: dict[int, SharedLoop | None] = {}

    def of_counter(self, term: AffineTerm) -> SharedLoop | None:
        """Returns the loop whose counter a term is."""
        if term.kind is not TermKind.MERGE or len(term.definitions) != _N_DEFINITIONS:
            return None
        for each in term.definitions:
            block = self._given.flow.index.block_of(each) if each >= 0 else -1
            head = self._given.flow.blocks.loop_forest.innermost(block) if block >= 0 else _NO_LOOP
            found = self.at(head) if head != _NO_LOOP else None
            if found is not None and found.counter == term._replace(is_signed=False):
                return found
        return None

    def at(self, head: int) -> SharedLoop | None:
        """Returns the loop that begins with a block, if threads share it."""
        if head not in self._found:
            self._found[head] = self._find(head)
        return self._found[head]

    def _find(self, head: int) -> SharedLoop | None:
        test = only_test(self._given, head)
        if test is None:
            return None
        held, forms = test.held, self._forms
        self._ensure(self._given.definitions_of(held.instruction))
        left, right = (
            forms.operand(held.instruction, it, held.width) for it in (held.left, held.right)
        )
        if left is None or right is None:
            return None
        operators = _BELOW
        if not left.terms:
            left, right, operators = right, left, _ABOVE
        if held.operator not in operators or right.terms or right.offset <= 0:
            return None
        counter = self._counter(left)
        thread = None if counter is None else self._thread(counter)
        if counter is None or thread is None or counter.width != held.width:
            return None
        return SharedLoop(counter, thread, right.offset - 1 + operators[held.operator], test.block)

    def _counter(self, compared: AffineForm) -> AffineTerm | None:
        """Returns the merged register that is compared, before or after an iteration changes it."""
        if len(compared.terms) != 1 or compared.offset:
            return None
        ((term, times),) = compared.terms
        if times == 1 and term.kind is TermKind.DEFINITION:
            (definition,) = term.definitions
            changed = self._forms.known.get(definition)
            merged = (
                [it for it, _ in changed.terms if definition in it.definitions] if changed else []
            )
            return merged[0] if merged else None
        return term if times == 1 and term.kind is TermKind.MERGE else None

    def _thread(self, counter: AffineTerm) -> AffineTerm | None:
        """Returns the number of a thread, if a counter starts with it and adds the block's size."""
        known = [self._forms.known.get(each) for each in counter.definitions]
        if len(known) != _N_DEFINITIONS:
            return None
        for start, changed in (known, known[::-1]):
            if start is None or changed is None or start.offset or changed.offset:
                continue
            if len(start.terms) != 1 or len(changed.terms) != _N_DEFINITIONS:
                continue
            ((thread, times),) = start.terms
            number = thread.name.removeprefix(_NUMBER)
            added = [(it.name, each) for it, each in changed.terms if it != counter]
            if thread.name != number and times == 1 and added == [(_SIZE + number, 1)]:
                return thread
        return None
