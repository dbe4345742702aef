"""Effects of a form beyond writing its destinations, each with its condition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.isa.event_words import EXECUTED_BY
from ptx_ls.isa.notation.table import ConditionalWord, Node

_ALIGNED: Final = "aligned"


@dataclass(frozen=True, slots=True)
class EffectFacts:
    """An effect of the instructions of a form, or how threads must reach them.

    `word`: a key of `ptx_ls.isa.facts.EFFECTS` or `CONVERGENCE`. `text`: its meaning. `condition`:
    when this is so, in words; "" for always.
    """

    word: str
    text: str
    condition: str = ""


def is_together(convergence: Iterable[EffectFacts]) -> bool:
    """Whether the threads of a warp must always execute the instruction together."""
    return any(each.word == _ALIGNED and not each.condition for each in convergence)


def with_convergence(sentences: Sequence[str], convergence: Iterable[EffectFacts]) -> list[str]:
    """Returns sentences on executing threads; that on a warp says if they do so together."""
    if not is_together(convergence):
        return list(sentences)
    alone = EXECUTED_BY["live warp"]
    return [f"{each[:-1]} together." if each == alone else each for each in sentences]


def effects_of(
    facts: Iterable[ConditionalWord], meanings: Mapping[str, str], wording: Wording
) -> tuple[EffectFacts, ...]:
    """Returns the facts that may hold in a form, one per word, in the data's order."""
    conditions: dict[str, list[Node | None]] = {}
    for fact in facts:
        conditions.setdefault(fact.word, []).append(fact.condition)
    found = []
    for word, nodes in conditions.items():
        given = [node for node in nodes if node is not None]
        words = wording.condition(("|", tuple(given))) if len(given) == len(nodes) else True
        if words is not False:
            text = meanings.get(word, word)
            found.append(EffectFacts(word, text, "" if words is True else words))
    return tuple(found)
