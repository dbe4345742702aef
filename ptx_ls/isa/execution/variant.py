"""An instruction with its modifiers and operands, and which lines of pseudo-code are for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Final, NamedTuple

from ptx_ls.isa.model import Form

_LINE: Final = re.compile(
    r"(?P<code>.*?)\s*// (?P<if>if (?P<test>(?:[^:]|::)*)(?:: )?)?(?P<comment>.*)"
)
_TYPE: Final = re.compile(r"\.(?:[busf]|bf|tf|u?e\dm)\d+\w*").fullmatch
_FLOAT: Final = re.compile(r"\.(?:f|bf|tf|u?e\dm|s2f)\d").match
_INTEGER: Final = re.compile(r"\.[bsu]\d").match
_PACKED: Final = re.compile(r"\.\w+x\d").fullmatch
_IN_WORDS: Final = re.compile(r"^~ ", re.MULTILINE)
_LOOKS: Final = ("vector", "address", "wide", "name", "negated", "special", "predicate")
_MAX_CACHED_TEXTS: Final = 128
"""Opcodes whose lines of pseudo-code are kept split."""
_MAX_CACHED_TESTS: Final = 1024


def _is_integer(type_: str) -> bool:
    return _INTEGER(type_) is not None


def _is_float(type_: str) -> bool:
    return _FLOAT(type_) is not None


_KINDS: Final[Mapping[str, Callable[[str], bool]]] = {
    "float": _is_float,
    "integer": _is_integer,
    "signed": lambda type_: type_.startswith(".s") and _is_integer(type_),
    "unsigned": lambda type_: type_.startswith(".u") and _is_integer(type_),
}
"""The properties of the type in a slot that a condition can name: `signed dtype`."""


def _sees_nothing(_kind: str, _name: str) -> bool:
    return False


class Variant:
    """An instruction as the conditions of pseudo-code see it.

    `slots` has the modifiers by slot, selectors included; `operands` the names of the operands
    that are written. `looks` says whether an operand is a vector, an address and so on.
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
        self.types = [text for text in modifiers if _TYPE(text)]

    @property
    def is_float(self) -> bool:
        """Whether it computes with floats."""
        return any(map(_FLOAT, self.types))

    @property
    def n_parts(self) -> int:
        """How many parts its packed values have, 0 where it computes with none."""
        packed = next(filter(_PACKED, self.types), "")
        return int(packed[-1]) if packed else 0

    def named(self, name: str) -> str | None:
        """Returns the value of a slot, "" if it is empty; None if no slot has the name.

        `dtype` is the first type where the form has no slot of that name.
        """
        if name in self.slots:
            return self.slots[name]
        if self.form is None or all(slot.name != name for slot in self.form.row.slots):
            return self.types[0] if name == "dtype" and self.types else None
        return ""

    def can_be(self, modifier: str) -> bool:
        """Whether it is a modifier of the form, and not only the name of a slot."""
        return self.form is not None and any(modifier in slot.values for slot in self.form.slots)

    def has(self, name: str) -> bool:
        """Whether a modifier is there, all of `.red.and`, or anything in the slot of that name."""
        if name in self.modifiers or (self.named(name[1:]) and not self.can_be(name)):
            return True
        parts = name[1:].split(".")
        return len(parts) > 1 and all(f".{part}" in self.modifiers for part in parts)


class Line(NamedTuple):
    """A line of pseudo-code: its indentation, code, and comment."""

    indentation: str
    code: str
    comment: str
    in_words: bool
    """Whether the code is a description that nothing executes, written with `~` before it."""


def readable(text: str) -> str:
    """The pseudo-code of all variants as people read it."""
    return _IN_WORDS.sub("", text).strip("\n")


def lines_of(text: str, variant: Variant) -> Iterator[Line]:
    """The lines that are for a variant, without their conditions."""
    for line, test in _with_tests(text):
        if not test or holds(test, variant):
            yield line


@lru_cache(maxsize=_MAX_CACHED_TEXTS)
def _with_tests(text: str) -> tuple[tuple[Line, str], ...]:
    """The lines of a text, each with its condition; "" for none."""
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
    """Whether all that is joined by "and" holds; of each, one of what is joined by "or" will do."""
    for term in _terms(test):
        for condition in term:
            if condition(variant):
                break
        else:
            return False
    return True


@lru_cache(maxsize=_MAX_CACHED_TESTS)
def _terms(test: str) -> tuple[tuple[Condition, ...], ...]:
    return tuple(
        tuple(_condition(item.strip()) for item in term.split(" or "))
        for term in test.strip().split(" and ")
    )


def _condition(item: str) -> Condition:  # noqa: PLR0911  one line for each kind
    if item.startswith("no "):
        negated = _condition(item[3:])
        return lambda variant: not negated(variant)
    if item.startswith("."):
        return lambda variant: variant.has(item)
    kind, _, name = item.partition(" ")
    if kind in _LOOKS and name:
        return lambda variant: variant.looks(kind, name)
    if name.startswith("."):
        return lambda variant: fnmatchcase(variant.slots.get(kind, ""), name)
    if kind in _KINDS and name:
        is_kind = _KINDS[kind]
        return lambda variant: is_kind(variant.slots.get(name, ""))
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
