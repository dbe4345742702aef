"""Rules about modifiers and operands, in sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from ptx_ls.handbook.wording.phrases import capitalised, code
from ptx_ls.handbook.wording.sentences import ended

_MAX_CONDITION_LENGTH: Final = 170
"""Maximum length of a condition that can be read before its reason, in characters."""
_MAX_DUTIES: Final = 2
"""Maximum number of things that such a condition demands."""
_HARD_TO_READ: Final = ("(", "×", "it is not true", "unknown")
"""Parts of a condition that is omitted if a reason explains it."""
_UNCHECKED: Final = "ptxas does not check this"
_BY_MANUAL: Final = "the manual "
_NOT_IN_MANUAL: Final = "the manual does not "
_NOT_ALLOWED: Final = f"{_NOT_IN_MANUAL}allow "


@dataclass(frozen=True, slots=True)
class RuleFacts:
    """A condition on modifiers and operands. ptxas does not enforce all of them."""

    text: str
    """The rule in words."""
    expression: str
    """The rule in the notation of the database."""
    reason: str
    enforced: bool
    sentence: str
    """The rule for readers: its text and reason, or only the reason if that is enough."""


def rule_facts(
    text: str, expression: str, reason: str, subjects: Collection[str], *, enforced: bool
) -> RuleFacts:
    """Returns a rule; `subjects` are the names of the modifiers and operands that it limits."""
    about = reason.rstrip(".")
    is_told = bool(about) and _is_told(text, about, subjects)
    if not is_told and _is_repeated(text, about, subjects):
        about = ""
    words = about if is_told else ": ".join(filter(None, (text, about))) or code(expression)
    leniency = ""
    if not enforced:
        leniency = _leniency(words)
    sentence = ended(f"{capitalised(words)}{leniency}")
    return RuleFacts(text, expression, reason, enforced, sentence)


def rule_sentences(rules: Iterable[RuleFacts]) -> tuple[str, ...]:
    """Returns rules for readers; of two rules in the same words, only one that ptxas enforces."""
    found = [*rules]
    enforced = {rule.sentence for rule in found if rule.enforced}
    return tuple(
        rule.sentence
        for rule in found
        if rule.enforced or rule.sentence.replace(f" ({_UNCHECKED})", "") not in enforced
    )


def _leniency(words: str) -> str:
    """Returns the end of a sentence on a rule that ptxas does not enforce."""
    if words.startswith(_NOT_IN_MANUAL):
        is_allowing = words.startswith(_NOT_ALLOWED)
        return ", but ptxas does" if is_allowing else ", but ptxas accepts it"
    return f"; {_UNCHECKED}" if words.startswith(_BY_MANUAL) else f" ({_UNCHECKED})"


def _is_told(text: str, reason: str, subjects: Collection[str]) -> bool:
    """Whether a reason names all that a condition names, or the condition is too complex."""
    is_complex = text.count(" must ") > _MAX_DUTIES or any(map(text.__contains__, _HARD_TO_READ))
    if is_complex or len(text) > _MAX_CONDITION_LENGTH:
        return True
    return all(name in _named(reason) or _is_made_of(name, subjects) for name in _named(text))


def _is_repeated(text: str, reason: str, subjects: Collection[str]) -> bool:
    """Whether a reason only names the values that a condition demands of one thing."""
    duties = text.split(" must be ")[1:]
    named = set(reason.split("`")[1::2])
    return (
        text.count(" must ") == len(duties) == 1
        and not duties[0].startswith("neither")
        and bool(named)
        and named == set(duties[0].split("`")[1::2]).difference(subjects)
    )


def _is_made_of(name: str, subjects: Collection[str]) -> bool:
    """Whether a name is one of the subjects, or some slots in a row: `.vec.type`."""
    return name in subjects or all(f".{part}" in subjects for part in name.split(".")[1:] or [""])


def _named(text: str) -> set[str]:
    """Returns the names and numbers in a text."""
    plain = text.split("`")
    numbers = {word.strip(".,:") for part in plain[::2] for word in part.split()}
    return {*plain[1::2], *(word for word in numbers if word.isdecimal())}
