"""Turns requirements, rules and effects into sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.wording.phrases import capitalised

if TYPE_CHECKING:
    from ptx_ls.handbook.wording.availability import AvailabilityFacts, Ending
    from ptx_ls.handbook.wording.effects import EffectFacts

MANUAL: Final = "https://docs.nvidia.com/cuda/parallel-thread-execution/"
_MAX_SECTIONS: Final = 6
"""Maximum number of sections that a page names."""


_EXPLAINS: Final = "required to "
"""Begins a note that only explains the condition of a requirement."""


def manual(sections: Sequence[str], most: int = _MAX_SECTIONS) -> str:
    """Returns a link to the manual that names the first `most` sections; "" if there are none."""
    if not sections:
        return ""
    more = ", …" if len(sections) > most else ""
    return f"[PTX ISA]({MANUAL}) {', '.join(f'§{each}' for each in sections[:most])}{more}"


def ended(text: str) -> str:
    """Returns the text as a sentence, with a full stop."""
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."


def sentence_of(note: str) -> str:
    """Returns a note as a sentence; "" for none."""
    return ended(capitalised(note)) if note else ""


def need_sentence(need: AvailabilityFacts) -> str:
    """Returns a requirement and its condition: "Needs PTX ISA 1.4 if `.ftz` is given."."""
    where = f" if {need.condition}" if need.condition else ""
    leniency = "" if need.enforced else " (according to the manual; ptxas does not check this)"
    start = f"Needs {need.text}{where}"
    if need.condition and ", or " in need.text:  # the condition is about all of the alternatives
        start = f"If {need.condition}, the instruction needs {need.text}"
    is_told = need.condition != "" and need.note.startswith(_EXPLAINS)
    note = f" {ended(capitalised(need.note))}" if need.note and not is_told else ""
    return f"{start}{leniency}.{note}"


def ending_sentence(ending: Ending) -> str:
    """Says when something was removed or deprecated, and what replaces it."""
    where = f" if {ending.condition}" if ending.condition else ""
    instead = f"; {ending.replacement}" if ending.replacement else ""
    return ended(capitalised(f"{ending.text}{where}{instead}"))


def effect_sentence(effect: EffectFacts) -> str:
    """Describes an effect, or the threads involved, with its condition."""
    if not effect.condition:
        return ended(capitalised(effect.text))
    text = effect.text[:1].lower() + effect.text[1:]
    subject = "" if text.startswith("the ") else "the instruction "
    return ended(f"If {effect.condition}, {subject}{text}")
