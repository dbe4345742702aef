"""Changes to modules, and the registry of operators that make them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from benchmarks.accuracy.source import Instruction, Source, Statement

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the text from one offset to another."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """One fault. `around`: where a message may point, as offsets; None for the edits only."""

    edits: tuple[Edit, ...]
    around: tuple[int, int] | None = None


Operator = Callable[["Site"], Change | None]
OPERATORS: dict[str, Operator] = {}
"""All operators by name; an operator returns None if the module has nothing to change."""


def operator(function: Operator) -> Operator:
    """Registers an operator under its function's name."""
    OPERATORS[function.__name__.replace("_", "-")] = function
    return function


@dataclass(frozen=True, slots=True)
class Site:
    """A module and a random generator, with what operators have in common."""

    source: Source
    dice: Random

    def pick(self, items: Iterable[_T]) -> _T | None:
        """Returns one of the items; None if there is none."""
        choices = list(items)
        return self.dice.choice(choices) if choices else None

    def text(self, at: int) -> str:
        """Returns the text of a token."""
        return self.source.tokens[at].text

    def tokens_of(self, kind: str, statements: Iterable[Statement]) -> list[int]:
        """Returns the places of the tokens of a kind in statements."""
        tokens = self.source.tokens
        return [at for s in statements for at in range(s.first, s.end) if tokens[at].kind == kind]

    def modifiers(self) -> list[int]:
        """Returns the places of all modifiers of instructions."""
        return [at for i in self.source.instructions() for at in range(i.opcode + 1, i.operands_at)]

    def operands(self) -> list[tuple[Instruction, int]]:
        """Returns all operands, each as an instruction and the number of the operand."""
        return [(i, n) for i in self.source.instructions() for n in range(len(i.operands))]

    def registers(self) -> list[int]:
        """Returns the places of registers and other names with a percent sign in instructions."""
        words = self.tokens_of("word", self.source.of_kind("instruction"))
        return [at for at in words if self.text(at).startswith("%")]

    def replaced(self, at: int | None, text: str) -> Change | None:
        """Replaces a token by a text; None if that is the same."""
        if at is None:
            return None
        token = self.source.tokens[at]
        return Change((Edit(token.start, token.end, text),)) if text != token.text else None

    def slice_replaced(self, part: tuple[int, int] | None, text: str) -> Change | None:
        """Replaces a slice of tokens by a text; None if that is the same."""
        if part is None:
            return None
        start, end = self.source.place(*part)
        same = self.source.text[start:end] == text
        return None if same else Change((Edit(start, end, text),))

    def dropped(self, first: int, end: int, around: tuple[int, int] | None = None) -> Change:
        """Removes some tokens; `around` are tokens that a message may point at.

        By default they are the tokens before and after the gap.
        """
        start, stop = self.source.place(first, end)
        if around is None:
            around = max(first - 1, 0), min(end + 1, len(self.source.tokens))
        return Change((Edit(start, stop, ""),), self.source.place(*around))

    def doubled(self, at: int) -> Change:
        """Doubles a token; a message may point at either."""
        token = self.source.tokens[at]
        return Change((Edit(token.start, token.start, f"{token.text} "),), (token.start, token.end))

    def inserted(self, at: int, text: str) -> Change:
        """Inserts a text before a token."""
        start = self.source.tokens[at].start
        return Change((Edit(start, start, text),))


def typo(word: str, dice: Random) -> str:
    """Changes, omits, doubles or swaps a letter of a word, but not its leading marks."""
    first = len(word) - len(word.lstrip(".%$_"))
    if first >= len(word):
        return word
    at = dice.randrange(first, len(word))
    letter = dice.choice("abcdefghijklmnopqrstuvwxyz")
    before, here, behind = word[:at], word[at], word[at + 1 :]
    ways: Sequence[str] = (
        before + letter + behind,
        before + here + here + behind,
        before + behind if len(word) > first + 1 else word + letter,
        before + behind[:1] + here + behind[1:],
    )
    return dice.choice(ways)
