"""The indefinite article before a word of PTX, which depends on how the word is read aloud."""

from __future__ import annotations

from itertools import takewhile
from typing import Final

_MAX_LETTERS: Final = 2
"""Maximum number of letters before the first digit of a type, such as `bf16` or `ue8m0x2`."""
_SPOKEN_WITH_VOWEL: Final = frozenset("aefhilmnorsx")
"""Letters whose names begin with a vowel: "eff", "ess"."""
_VOWELS: Final = frozenset("aeiou")
_ELEVEN: Final = ("11", "18")
_EIGHT: Final = "8"


def with_indefinite(text: str) -> str:
    """Returns a noun after `a` or `an`: "an `.f32` value", "a `.u32` value"."""
    return f"{'an' if _begins_with_vowel(text.lstrip('`.').lower()) else 'a'} {text}"


def _begins_with_vowel(word: str) -> bool:
    """Whether a word begins with a vowel if it is read aloud, types letter by letter."""
    digits = "".join(takewhile(str.isdigit, word))
    if digits:
        is_eleven = len(digits) % 3 == len(_ELEVEN[0]) and digits.startswith(_ELEVEN)
        return is_eleven or digits.startswith(_EIGHT)
    letters = "".join(takewhile(str.isalpha, word))
    is_type = len(letters) <= _MAX_LETTERS and word[len(letters) :][:1].isdigit()
    return word[:1] in (_SPOKEN_WITH_VOWEL if is_type else _VOWELS)
