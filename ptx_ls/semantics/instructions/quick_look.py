"""Tells lines that are certainly in order from those that need a close look.

The names of an instruction that belong to no plain register bank are looked up, and the verdict on
their facts is remembered per shape, so a branch or a parameter load costs a regular expression and
two dictionary lookups.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FUNCTION_START, FunctionPosition
from ptx_ls.semantics.instructions.name_binding import NameBinding
from ptx_ls.semantics.symbols.symbols import Facts, SymbolKind
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.names import OPERAND_BEGINS, WITH_COMPONENTS
from ptx_ls.syntax.offsets import shifted, slice_lines
from ptx_ls.syntax.record import InlineAsmLine, InlineAsmPattern, MultiLine, Shape
from ptx_ls.syntax.written_operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
    from ptx_ls.semantics.instructions.verdicts import InstructionVerdict
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.semantics.symbols.symbols import Scope

    LookUp = Callable[[str, Scope, FunctionPosition], tuple[Facts | None, FunctionPosition]]

_NAMES: Final = re.compile(rf"{OPERAND_BEGINS}{WITH_COMPONENTS}", re.ASCII).findall
_NUMBERS: Final = LazyPattern(rf"{OPERAND_BEGINS}\.?\d[\w.]*+", re.ASCII).findall


_SHORT: Final = 80
"""Texts up to this length are worth remembering: they come again."""
_MOST: Final = 4_000
"""Verdicts kept of one shape."""
_LABELLED: Final = (Facts(SymbolKind.LABEL.value), FunctionPosition((-1, 0)))


def names_in(shape: Shape, text: str) -> list[str] | None:
    """Names of an instruction in the order of its identifiers; None where only a tree can tell."""
    names = _NAMES(text)
    if shape.has_gap or len(names) != len(shape.identifiers) + 1 or "/" in text or '"' in text:
        return None
    del names[1 if shape.guard else 0]
    return names


def name_number(shape: Shape, text: str, column: int) -> int:
    """Which of `names_in` begins at a column of a text on one line; -1 for the opcode."""
    before = len(_NAMES(text[:column]))
    opcode = 1 if shape.guard else 0
    return -1 if before == opcode else before - (before > opcode)


class QuickLook:
    """Looks at one region. `look_up` gives the facts of a name in a scope at a place."""

    def __init__(
        self,
        text: RegionText,
        facts: RegionFacts,
        judge: InstructionChecker,
        constant: Callable[[str, str], Facts | None],
        look_up: LookUp,
    ) -> None:
        self._text, self._facts, self._judge = text, facts, judge
        self._constant, self._look_up = constant, look_up
        self._has_blocks = facts.has_blocks or facts.function is None
        self._plans = judge.room(facts.banks).plans
        self._names: dict[InlineAsmPattern, tuple[str, ...] | None] = {}
        self._runs: dict[tuple[object, ...], bool] = {}
        self._memo: dict[int, dict[str, tuple[Facts, FunctionPosition]]] = {}
        self._labels: dict[str, tuple[Facts, FunctionPosition]] = {}
        self._labels_stop: float = 0
        if text.is_whole:
            self._memo[id(facts.scope)] = {
                name: _LABELLED
                for name, symbol in facts.scope.names.items()
                if symbol.kind is SymbolKind.LABEL
            }
            self._labels, self._labels_stop = self._plain_labels()
        self._after_all = FunctionPosition((len(text.lines) + 1, 0))
        self._near = FUNCTION_START, FUNCTION_START, facts.scope
        self.verdict: InstructionVerdict | None = None
        """The verdict on the line that `unclear` yielded last; None where its names are unclear."""

    def _plain_labels(self) -> tuple[dict[str, tuple[Facts, FunctionPosition]], float]:
        """Labels that mean the same in every block of the function, and the line it ends on."""
        labels = self._memo[id(self._facts.scope)]
        if not self._has_blocks:
            return labels, math.inf
        if self._facts.function is None or self._facts.scope.end is None:
            return {}, 0
        inner: set[str] = set()
        for scope in self._facts.scopes:
            if scope is not self._facts.scope:
                inner.update(scope.names)
                if scope.ranges:
                    return {}, 0
        return {name: labels[name] for name in labels if name not in inner}, self._facts.scope.end[
            0
        ]

    def unclear(self, indices: Sequence[int]) -> Iterator[int]:
        """Yields those of the lines that need a close look, in order.

        One after the other, so that what was read of a line is still kept when it is looked at.
        """
        lines, records = self._text.lines, self._text.records
        previous: object = None
        plans = self._plans
        labels, stop = self._labels, self._labels_stop
        for index in indices:
            read = records[index]
            if isinstance(read, Shape):
                line = lines[index]
                plan = plans.get(read)
                if (
                    plan is not None
                    and plan.has_last
                    and index < stop
                    and line[-2:] == ";\n"
                    and labels.get(line[:-2].rsplit(None, 1)[-1]) is _LABELLED
                ):
                    if plan.takes_label is None:
                        plan.takes_label = self._is_clean(read, line, index, 0)
                    if plan.takes_label:
                        continue
                if not self._is_clean(read, line, index, 0):
                    yield index
            elif (
                isinstance(read, MultiLine)
                and read is not previous
                and not self._is_run_clean(read, index)
            ):
                self.verdict = None
                yield index
            previous = read

    def _is_run_clean(self, run: MultiLine, index: int) -> bool:
        names = self._names_of(run.form) if isinstance(run, InlineAsmLine) else None
        if names is None or not isinstance(run, InlineAsmLine):
            return self._are_pieces_clean(run, index)
        place = FunctionPosition((index, 0))
        scope = self._scope_at(place)
        key: list[object] = [run.form]
        for name in names:
            facts, since = self._look_up(name, scope, place)
            if facts is None or since >= place:
                return self._are_pieces_clean(run, index)
            key.append(facts)
        found = self._runs.get(tuple(key))
        if found is None:
            found = self._runs[tuple(key)] = self._are_pieces_clean(run, index)
        return found

    def _names_of(self, form: InlineAsmPattern) -> tuple[str, ...] | None:
        """The names to look up in runs of a form, which are the same in all of them.

        None if it declares something, or has a numbered name to look up.
        """
        if form not in self._names:
            self._names[form] = None if form.is_declaring else self._find_names(form)
        return self._names[form]

    def _find_names(self, form: InlineAsmPattern) -> tuple[str, ...] | None:
        found: dict[str, None] = {}
        for piece in InlineAsmLine(form.text, form).pieces:
            shape = piece.record
            plan = self._plan(shape) if isinstance(shape, Shape) else None
            names = _NAMES(form.text[piece.start[1] : piece.end[1]])
            if plan is None or len(names) != plan.n_names:
                return None
            found.update(dict.fromkeys([names[number] for number in plan.open]))
        return None if any(name.startswith("%") for name in found) else tuple(found)

    def _are_pieces_clean(self, run: MultiLine, index: int) -> bool:
        lines, row = self._text.lines, FunctionPosition((index, 0))
        for piece in run.pieces:
            if isinstance(piece.record, Shape):
                start, end = shifted(piece.start, row), shifted(piece.end, row)
                if not self._is_clean(piece.record, slice_lines(lines, start, end), *start):
                    return False
        return True

    def _is_clean(self, shape: Shape, text: str, row: int, column: int) -> bool:
        verdict = self._verdict(shape, text, row, column)
        if verdict is not None and not verdict.violations:
            return True
        plan = self._plans[shape]
        self.verdict = None if plan is None or plan.has_constant else verdict
        return False

    def _verdict(self, shape: Shape, text: str, row: int, column: int) -> InstructionVerdict | None:
        """The verdict on a statement; None where a name or the guard needs a close look."""
        plan = self._plan(shape)
        if plan is None or "/" in text or '"' in text:
            return None
        if not plan.open:
            return plan.verdicts.get(text) or self._judged(plan, (), text)
        names = _NAMES(text)
        if len(names) != plan.n_names:
            return None
        place = FunctionPosition((row, column))
        scope = self._scope_at(place) if self._has_blocks else self._facts.scope
        memo = self._memo.get(id(scope))
        if memo is None:
            memo = self._memo[id(scope)] = {}
        key: list[Facts] = []
        for number in plan.open:
            name = names[number]
            known = memo.get(name)
            if known is None or known[1] >= place:
                facts, since = self._look_up(name, scope, place)
                if facts is None:
                    return None
                known = memo[name] = facts, since
            key.append(known[0])
        facts_of_open = tuple(key)
        return plan.verdicts.get(facts_of_open) or self._judged(plan, facts_of_open, text)

    def _scope_at(self, place: FunctionPosition) -> Scope:
        """The innermost scope around a place; quick for places in the order of the text."""
        first, last, scope = self._near
        if not first <= place < last:
            events = self._facts.events
            index = bisect_right(events, place)
            scope = self._facts.scopes[index - 1] if index else self._facts.module_scope
            first = events[index - 1] if index else FUNCTION_START
            last = events[index] if index < len(events) else self._after_all
            self._near = first, last, scope
        return scope

    def _judged(
        self, plan: NameBinding, key: tuple[Facts, ...], text: str
    ) -> InstructionVerdict | None:
        """Judges the shape with the facts looked up, and remembers the verdict."""
        rest = iter(key)
        facts = tuple([known if known is not None else next(rest) for known in plan.facts])
        if plan.guarded and facts[0].type != ".pred":
            return None
        verdict = self._judge.shape(plan.shape, facts)
        known = plan.verdicts
        if len(known) > _MOST:
            known.clear()
        if not verdict.needs_numbers:
            known[key or text] = verdict
            return verdict
        numbered = (*key, *_NUMBERS(text))
        if numbered not in known:
            written = written_operands(plan.shape, text)
            known[numbered] = self._judge.written(plan.shape, written, facts)
        if not key and len(text) < _SHORT:
            known[text] = known[numbered]
        return known[numbered]

    def _plan(self, shape: Shape) -> NameBinding | None:
        """The plan of a shape; None if its opcode is unknown, or its names cannot be told apart."""
        if shape not in self._plans:
            self._plans[shape] = self._new_plan(shape)
        return self._plans[shape]

    def _new_plan(self, shape: Shape) -> NameBinding | None:
        if shape.has_gap or not self._judge.is_known(shape.name):
            return None
        facts = []
        for identifier in shape.identifiers:
            known = self._facts.banks.get(identifier.name)
            if known is None and "0" not in identifier.name and identifier.name != "n":
                known = self._constant(identifier.name, identifier.full)
            facts.append(known)
        return NameBinding(shape, facts)
