"""Phrases that the messages of several rules share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.isa import ViolationKind
from ptx_ls.isa.articles import with_indefinite
from ptx_ls.semantics.problems.instructions import InstructionMismatch, Unavailable
from ptx_ls.source.english import MAX_ALTERNATIVES, either, listed
from ptx_ls.syntax.names import is_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.isa import Violation

_MAX_NAMES: Final = 4
"""Maximum number of names that are listed; further ones are counted."""
_MAX_QUOTED: Final = 40
"""Number of characters of PTX that is shown whole."""
_VECTOR: Final = "vector of "
_NO_ARTICLE: Final = ("the ", "any ")
_ONE_OF: Final = "one of "


_NAMED: Final = frozenset({"variable", "function", "kernel", "label", "prototype"})
_LISTS: Final = {
    "list": "list in parentheses",
    "branchtargets": "label of `.branchtargets`",
    "calltargets": "label of `.calltargets`",
    "prototype": "label of `.callprototype`",
}


def quoted(text: str) -> str:
    """Quotes PTX in a message; folds white space and cuts long text, but not names."""
    line = " ".join(text.split())
    is_short = len(line) <= _MAX_QUOTED or is_name(line)
    return f"`{line}`" if is_short else f"`{line[: _MAX_QUOTED - 1]}…`"


def choices(spellings: Sequence[str]) -> str:
    """Returns spellings to choose from: "`.lo` or `.hi`"."""
    return either([quoted(spelling) for spelling in spellings])


def some_of(names: Sequence[str]) -> str:
    """Returns a list of names, cut if it is long: "`a`, `b` and 2 more"."""
    shown = [f"`{name}`" for name in names]
    rest = len(shown) - _MAX_NAMES
    if rest > 0:
        shown[_MAX_NAMES:] = [f"{rest} more"]
    return listed(shown, "and")


def with_article(noun: str) -> str:
    """Returns a noun with its article: "a `.u32` register", "an address"."""
    if noun.startswith(_ONE_OF):
        return with_quotes(_one_of(noun.removeprefix(_ONE_OF).split(", ")))
    if noun.startswith(_NO_ARTICLE) or _is_type(noun):
        return with_quotes(noun)
    if "[0-" in noun:
        return _selectors(noun)
    if "|" in noun:
        return f"a pair {quoted(noun)}"
    if noun.startswith("["):
        return f"an address {quoted(noun)}"
    if noun.startswith(_VECTOR):
        element = "element" if noun.startswith(f"{_VECTOR}1 ") else "elements"
        return f"a {with_quotes(noun)} {element}"
    return _names(noun.split()) or with_indefinite(with_quotes(_LISTS.get(noun, noun)))


def _names(words: Sequence[str]) -> str:
    """Returns "the name of a variable or function", or "a label of ..."; "" for other nouns."""
    if len(words) > 1 and _NAMED.issuperset(words) and _LISTS.keys().isdisjoint(words):
        return f"the name of a {listed(words)}"
    if len(words) > 1 and _NAMED.union(_LISTS).issuperset(words):
        return either([with_article(word) for word in words])
    if words[0] == "variable" and words[1:]:
        return with_indefinite(with_quotes(f"{words[1]} variable"))
    return ""


def _is_type(noun: str) -> bool:
    """Whether a noun is only a type, not that of textures, of which a variable is one."""
    return noun[:1] == "." and noun[1:].isalnum() and not noun.endswith("ref")


def _selectors(pattern: str) -> str:
    """Returns "a selector from `.h00` to `.h33`" for `.h[0-3][0-3]`."""
    name, *ranges = pattern.split("[")
    lowest, highest = ("".join(each[place] for each in ranges) for place in (0, 2))
    return f"a selector from `{name}{lowest}` to `{name}{highest}`"


def _one_of(values: Sequence[str]) -> str:
    """Returns `4, 8 or 16`; a long list of powers of two by its ends."""
    if len(values) > MAX_ALTERNATIVES and all(map(str.isdecimal, values)):
        powers = [1 << int(values[0]).bit_length() - 1 + n for n in range(len(values))]
        if powers == [int(value) for value in values]:
            return f"a power of two from {powers[0]:,} to {powers[-1]:,}"
    return listed(values)


def with_quotes(noun: str) -> str:
    """Quotes the types, state spaces and directives in a noun."""
    return " ".join(
        f"`{word.rstrip(',')}`{',' * word.endswith(',')}" if word.startswith(".") else word
        for word in noun.split(" ")
    )


def wanted(expected: Sequence[str]) -> str:
    """Returns "expected a `.u32` register or an address"; "" if nothing is expected."""
    return f"expected {either([with_article(noun) for noun in expected])}" if expected else ""


def wanted_of(violation: Violation) -> str:
    """Returns what a violation expects; for an element of a vector, only the element."""
    is_element = len(violation.part) > 2  # noqa: PLR2004  operand, element
    expected = map(_element_of, violation.expected) if is_element else violation.expected
    return wanted(list(dict.fromkeys(expected)))


def _element_of(noun: str) -> str:
    """Returns `.u32 register` for `vector of 4 .u32`; other nouns as they are."""
    type_name = noun.rpartition(" ")[2]
    is_vector = noun.startswith(_VECTOR) and type_name.startswith(".")
    return f"{type_name} register" if is_vector else noun


def joined(*parts: str) -> str:
    """Joins the parts that are not empty with commas."""
    return ", ".join(part for part in parts if part)


def with_reason(message: str, note: str) -> str:
    """Returns a message, followed by a colon and its reason if there is one."""
    return f"{message}: {note}" if note else message


def subject(mismatch: InstructionMismatch) -> str:
    """Returns the operand that does not fit, quoted; the opcode if no operand is named."""
    return quoted(mismatch.operand) if mismatch.operand else f"`{mismatch.opcode}`"


def unavailable(mismatch: InstructionMismatch | Unavailable) -> str:
    """Says which version or target a feature needs, and which one the module has."""
    violation = mismatch.violation
    name = mismatch.opcode if isinstance(mismatch, InstructionMismatch) else mismatch.name
    directive = ".version" if violation.kind is ViolationKind.VERSION else ".target"
    verb = "is meant for" if violation.lenient and violation.note else "needs"
    needs = f"{quoted(name)} {verb} {violation.required}, but `{directive}` is {violation.found}"
    return with_reason(needs, violation.note)
