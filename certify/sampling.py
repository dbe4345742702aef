"""Statements of a form that the database takes, and some that it does not."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod

from certify.cover import covering_first
from certify.generator import Generator
from certify.judging import is_legal
from certify.statements import Statement
from ptx_ls.isa import Form
from ptx_ls.isa.notation.expression import evaluate

_TRIED_PER_STATEMENT = 20
"""Largest space, in combinations per requested statement, that is enumerated."""
_MOST_VARIANTS = 4
_OVER = 1.5
"""Share of the limit up to which other operands are added."""
_ENUMERABLE = 500
"""Largest space, in combinations per requested statement, that is enumerated if necessary."""
_STEPS_PER_START = 60
_TRIES_PER_STATEMENT = 40
_STARTS_PER_VALUE = 6

Values = tuple[str, ...]


@dataclass
class FormSample:
    """Statements of one form."""

    form: str
    n_combinations: int
    """Size of the space of modifiers."""
    n_legal_combinations: int = 0
    """Legal combinations found; all there are, where the space was enumerated."""
    is_enumerated: bool = True
    """True when every legal combination has a statement."""
    legal: list[Statement] = field(default_factory=list)
    excluded: list[Statement] = field(default_factory=list)
    """Combinations that break a rule."""


class Sampler:
    """Draws statements of one form; `limit` bounds the legal ones, and the excluded ones."""

    def __init__(self, generator: Generator, form: Form, limit: int, excluded: int) -> None:
        self.generator = generator
        self.form = form
        self.limit = limit
        self.excluded = excluded
        self.random = random.Random(limit)  # noqa: S311  not for secrets
        self.options: list[Values] = [
            ("", *slot.values) if slot.optional else tuple(slot.values) for slot in form.row.slots
        ]
        self._rules = [
            rule for rule in form.row.rules if not rule.needs_operands and not rule.lenient
        ]

    def n_broken(self, values: Values) -> int:
        """How many rules about modifiers a combination breaks."""
        scope = self.form.scope(values)
        return sum(not evaluate(rule.test, scope) for rule in self._rules)

    def draw(self) -> FormSample:
        """The sample. Values of slots come first that no other combination has shown."""
        size = prod(map(len, self.options))
        sample = FormSample(self.form.id, size)
        is_small = size <= self.limit * _TRIED_PER_STATEMENT
        legal, broken = self._enumerate() if is_small else self._walk()
        if len(legal) < self.limit and not is_small and size <= _ENUMERABLE * self.limit:
            is_small = True  # there are few legal ones: find them all
            legal, broken = self._enumerate()
        sample.n_legal_combinations = len(legal)
        sample.is_enumerated = is_small and len(legal) <= self.limit
        first, rest = covering_first(legal, enumerate)
        sample.legal, wrong = self._write([*first, *rest])
        illegal = [self.generator.statement(self.form, values, plain=True) for values in broken]
        sample.excluded = [*wrong, *illegal][: self.excluded]
        return sample

    def _enumerate(self) -> tuple[list[Values], list[Values]]:
        legal: list[Values] = []
        broken: list[Values] = []
        for values in product(*self.options):
            (broken if self.n_broken(values) else legal).append(values)
        self.random.shuffle(legal)
        self.random.shuffle(broken)
        return legal, broken[: self.excluded]

    def _walk(self) -> tuple[list[Values], list[Values]]:
        """Random starts, each bettered slot by slot until it is legal, and then varied."""
        legal: dict[Values, None] = {}
        broken: dict[Values, None] = {}
        for values, n_broken in self._steps():
            if not n_broken:
                legal.setdefault(values)
            elif len(broken) < self.excluded:
                broken.setdefault(values)
            if len(legal) >= self.limit:
                break
        self._complete(legal)
        return list(legal), list(broken)

    def _complete(self, legal: dict[Values, None]) -> None:
        """Looks for combinations with the values of slots that no legal one has so far."""
        seen = {pair for values in legal for pair in enumerate(values)}
        for slot, option in enumerate(self.options):
            for value in option:
                for _ in range(_STARTS_PER_VALUE):
                    if (slot, value) in seen:
                        break
                    steps = self._steps_from(self._random(), fixed=(slot, value))
                    found = next((values for values, n_broken in steps if not n_broken), None)
                    if found is not None:
                        legal.setdefault(found)
                        seen.update(enumerate(found))

    def _steps(self) -> Iterator[tuple[Values, int]]:
        for _ in range(max(1, self.limit * _TRIES_PER_STATEMENT // _STEPS_PER_START)):
            yield from self._steps_from(self._random())

    def _random(self) -> Values:
        density = self.random.choice((0.15, 0.3, 0.6))
        return tuple(
            "" if option[0] == "" and self.random.random() > density
            else self.random.choice(option)
            for option in self.options
        )  # fmt: skip

    def _steps_from(
        self, values: Values, fixed: tuple[int, str] | None = None
    ) -> Iterator[tuple[Values, int]]:
        """A walk that never breaks more rules than before; one slot may be `fixed`."""
        if fixed is not None:
            values = (*values[: fixed[0]], fixed[1], *values[fixed[0] + 1 :])
        n_broken = self.n_broken(values)
        yield values, n_broken
        for _ in range(_STEPS_PER_START):
            slot = self.random.randrange(len(values))
            if fixed is not None and slot == fixed[0]:
                continue
            other = (*values[:slot], self.random.choice(self.options[slot]), *values[slot + 1 :])
            n_other = self.n_broken(other)
            if n_other <= n_broken:
                values, n_broken = other, n_other
                yield values, n_broken

    def _write(self, combinations: Iterable[Values]) -> tuple[list[Statement], list[Statement]]:
        """Statements with operands: the plain ones first, then other operands up to the limit."""
        legal: dict[str, Statement] = {}
        wrong: dict[str, Statement] = {}
        combinations = list(combinations)
        for variant in range(_MOST_VARIANTS):
            for values in combinations:
                if len(legal) >= (_OVER * self.limit if variant else self.limit):
                    break
                statement = self.generator.statement(self.form, values, plain=variant == 0)
                text = str(statement)
                if text in legal or text in wrong:
                    continue
                taken = is_legal(self.generator.instruction, statement)
                (legal if taken else wrong)[text] = statement
        return list(legal.values()), list(wrong.values())
