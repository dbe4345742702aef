"""Effects of a form beyond writing its destinations, each with its condition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.isa.notation.table import ConditionalWord, Node


@dataclass(frozen=True, slots=True)
class EffectFacts:
    """An effect of the instructions of a form, or how threads must reach them.

    `word`: a key of `ptx_ls.isa.facts.EFFECTS` or `CONVERGENCE`. `text`: its meaning. `condition`:
    when this is so, in words; "" for always.
    """

    word: str
    text: str
    condition: str = ""


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
