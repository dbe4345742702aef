"""An instruction with its modifiers and operands, and which lines of pseudo-code are for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
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
"""What a condition can ask of the type in a slot: `signed dtype`."""


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
        parts = [f".{part}" for part in name[1:].split(".")]
        return all(part in self.modifiers for part in parts)


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
    for line in text.strip("\n").split("\n"):
        match = _LINE.fullmatch(line)
        code, comment = (match["code"], match["comment"]) if match else (line, "")
        if match is None or match["if"] is None or holds(match["test"], variant):
            bare = code.lstrip()
            indentation = code[: len(code) - len(bare)]
            yield Line(indentation, bare.removeprefix("~ "), comment, bare.startswith("~ "))


def holds(test: str, variant: Variant) -> bool:
    """Whether all that is joined by "and" holds; of each, one of what is joined by "or" will do."""
    return all(
        any(_is_true(item.strip(), variant) for item in term.split(" or "))
        for term in test.strip().split(" and ")
    )


def _is_true(item: str, variant: Variant) -> bool:  # noqa: PLR0911  one line for each kind
    if item.startswith("no "):
        return not _is_true(item[3:], variant)
    if item.startswith("."):
        return variant.has(item)
    kind, _, name = item.partition(" ")
    if kind in _LOOKS and name:
        return variant.looks(kind, name)
    if name.startswith("."):
        return fnmatchcase(variant.slots.get(kind, ""), name)
    if kind in _KINDS and name:
        return _KINDS[kind](variant.slots.get(name, ""))
    match item:
        case "float":
            return variant.is_float
        case "packed":
            return variant.n_parts > 0
        case "signed":
            return any(text.startswith(".s") for text in variant.types)
        case "unsigned":
            return not any(text.startswith(".s") for text in variant.types)
        case _:
            return item in variant.operands
