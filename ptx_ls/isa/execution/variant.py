"""An instruction with its modifiers and operands, and the lines of pseudo-code that apply to it."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from typing import Final

from ptx_ls.isa.database import database
from ptx_ls.isa.model import Form
from ptx_ls.source.named_tuple import NamedTuple

_LINE: Final = re.compile(
    r"(?P<code>.*?)\s*// (?P<if>if (?P<test>(?:[^:]|::)*)(?:: )?)?(?P<comment>.*)"
)
_INTEGERS: Final = frozenset({"bits", "unsigned", "signed"})
FLOATS: Final = frozenset({"float", "half", "alternate"})
_TYPE_SLOT: Final = "dtype"
_LOOKS: Final = (
    "vector", "address", "wide", "name", "negated", "volatile", "predicate", "special", "constant",
    "in", "before", "repeated", "rejected",
)  # fmt: skip
_MAX_CACHED_TEXTS: Final = 128
"""Maximum number of opcodes whose pseudo-code is cached as separate lines."""
_MAX_CACHED_VARIANTS: Final = 256
"""Maximum number of variants whose lines of pseudo-code are cached."""
_MAX_CACHED_TESTS: Final = 1024


def class_of(type_: str) -> str:
    """Returns the class of a type, such as `signed` or `float`; "" for other modifiers."""
    return database().type_facts.get(type_, (0, ""))[1]


KINDS: Final[Mapping[str, frozenset[str]]] = {
    "float": FLOATS,
    "integer": _INTEGERS,
    "signed": frozenset({"signed"}),
    "unsigned": frozenset({"unsigned"}),
}
"""The classes of types for each word that can precede a slot in a condition: `signed dtype`."""
_COMPARED: Final = {"wider": operator.gt, "narrower": operator.lt}
"""How the number of bits of a slot's type compares with that of the last type."""


def _bits_of(type_: str) -> int:
    return database().type_facts.get(type_, (0, ""))[0]


def _sees_nothing(_kind: str, _name: str) -> bool:
    return False


class Variant:
    """An instruction as the conditions of pseudo-code see it.

    `slots`: the modifiers by slot, selectors included. `operands`: the names of the operands that
    are written. `looks`: a test of whether an operand is a vector, an address and so on, of where
    the instruction is (in a kernel, in a module for a target before another one), and of whether
    ptxas rejects it.
    """

    def __init__(
        self,
        form: Form | None,
        slots: Mapping[str, str],
        modifiers: Sequence[str],
        operands: Collection[str],
        looks: Callable[[str, str], bool] = _sees_nothing,
    ) -> None:
        self.form, self.slots, self.modifiers = form, slots, modifiers
        self.operands, self.looks = operands, looks

    @cached_property
    def types(self) -> list[str]:
        """The types among the modifiers, in order."""
        return [text for text in self.modifiers if class_of(text) in _INTEGERS | FLOATS]

    @property
    def is_float(self) -> bool:
        """Whether it computes with floats."""
        return any(class_of(text) in FLOATS for text in self.types)

    @property
    def n_parts(self) -> int:
        """How many parts its packed values have, 0 if it has none."""
        packed = next((text for text in self.types if "x" in text), "")
        return int(packed[-1]) if packed else 0

    def named(self, name: str) -> str | None:
        """Returns the value of a slot, "" if it is empty; None if no slot has the name.

        `dtype` is the first type if the form has no slot of that name.
        """
        if name in self.slots:
            return self.slots[name]
        if self.form is None or all(slot.name != name for slot in self.form.row.slots):
            return self.types[0] if name == _TYPE_SLOT and self.types else None
        return ""

    def can_be(self, modifier: str) -> bool:
        """Whether `modifier` is a modifier of the form, not only the name of a slot."""
        return self.form is not None and any(modifier in slot.values for slot in self.form.slots)

    def has(self, name: str) -> bool:
        """Whether a modifier, all of `.red.and`, or any modifier of the named slot is written."""
        if name in self.modifiers:
            return True
        bare = name[1:]
        may_be_slot = bare in self.slots or bare == _TYPE_SLOT
        if may_be_slot and self.named(bare) and not self.can_be(name):
            return True
        return "." in bare and all(f".{part}" in self.modifiers for part in bare.split("."))


class Line(NamedTuple):
    """A line of pseudo-code: its indentation, code, and comment."""

    indentation: str
    code: str
    comment: str
    in_words: bool
    """Whether the code is a description that is not executed, marked by a leading `~`."""


def readable(text: str) -> str:
    """Returns the pseudo-code of all variants in readable form."""
    return f"\n{text}".replace("\n~ ", "\n").strip("\n")


def test_of(line: str) -> str:
    """Returns the condition of a line of pseudo-code; "" for none."""
    return _with_test(line)[1]


def lines_of(text: str, variant: Variant) -> tuple[Line, ...]:
    """Returns the lines that apply to a variant, without their conditions."""
    seen = tuple((look, variant.looks(*look)) for look in _looks_in(text))
    slots, modifiers = tuple(variant.slots.items()), tuple(variant.modifiers)
    return _lines_for(text, variant.form, slots, modifiers, tuple(variant.operands), seen)


@lru_cache(maxsize=_MAX_CACHED_VARIANTS)
def _lines_for(
    text: str,
    form: Form | None,
    slots: tuple[tuple[str, str], ...],
    modifiers: tuple[str, ...],
    operands: tuple[str, ...],
    seen: tuple[tuple[tuple[str, str], bool], ...],
) -> tuple[Line, ...]:
    looks = dict(seen)
    variant = Variant(form, dict(slots), modifiers, operands, lambda *look: looks[look])
    return tuple(line for line, test in _with_tests(text) if not test or holds(test, variant))


@lru_cache(maxsize=_MAX_CACHED_TEXTS)
def _looks_in(text: str) -> tuple[tuple[str, str], ...]:
    """Returns the tests of how an operand is written in the conditions of a text."""
    tests = (test for _, test in _with_tests(text) if test)
    items = (
        item.removeprefix("no ") for test in tests for term in alternatives(test) for item in term
    )
    looks = (item.partition(" ") for item in items)
    return tuple(dict.fromkeys((kind, name) for kind, _, name in looks if kind in _LOOKS and name))


def _with_tests(text: str) -> tuple[tuple[Line, str], ...]:
    """Returns the lines of a text, each with its condition; "" for none."""
    return tuple(map(_with_test, text.strip("\n").split("\n")))


def _with_test(line: str) -> tuple[Line, str]:
    match = _LINE.fullmatch(line)
    code, comment = (match["code"], match["comment"]) if match else (line, "")
    bare = code.lstrip()
    indentation = code[: len(code) - len(bare)]
    is_in_words = bare.startswith("~ ")
    test = match["test"] or "" if match else ""
    return Line(indentation, bare.removeprefix("~ "), comment, is_in_words), test


Condition = Callable[[Variant], bool]


def holds(test: str, variant: Variant) -> bool:
    """Whether a test holds; `a or b and c` means `(a or b) and c`."""
    for term in _terms(test):
        for condition in term:
            if condition(variant):
                break
        else:
            return False
    return True


@lru_cache(maxsize=_MAX_CACHED_TESTS)
def _terms(test: str) -> tuple[tuple[Condition, ...], ...]:
    return tuple(tuple(map(_condition, items)) for items in alternatives(test))


def alternatives(test: str) -> list[list[str]]:
    """Returns the items of a test: one of each list must hold."""
    return [[item.strip() for item in term.split(" or ")] for term in test.strip().split(" and ")]


def _named_condition(kind: str, name: str) -> Condition:
    """Returns the test of an operand or of the modifier in a slot."""
    if kind in _LOOKS:
        return lambda variant: variant.looks(kind, name)
    if name.startswith("."):
        return lambda variant: fnmatchcase(variant.slots.get(kind, ""), name)
    if kind in KINDS:
        return lambda variant: class_of(variant.slots.get(name, "")) in KINDS[kind]
    compare = _COMPARED[kind]
    return lambda variant: compare(
        _bits_of(variant.slots.get(name, "")), _bits_of(variant.types[-1])
    )


def _condition(item: str) -> Condition:
    if item.startswith("no "):
        negated = _condition(item[3:])
        return lambda variant: not negated(variant)
    if item.startswith("."):
        return lambda variant: variant.has(item)
    kind, _, name = item.partition(" ")
    if name or kind in _LOOKS:
        return _named_condition(kind, name)
    match item:
        case "float":
            return lambda variant: variant.is_float
        case "packed":
            return lambda variant: variant.n_parts > 0
        case "signed":
            return lambda variant: any(text.startswith(".s") for text in variant.types)
        case "unsigned":
            return lambda variant: not any(text.startswith(".s") for text in variant.types)
        case _:
            return lambda variant: item in variant.operands
