"""The NVVM and LLVM intrinsics that LLVM compiles to PTX instructions.

The data (`data/nvvm.toml`) pairs patterns of PTX modifiers with names; docs/isa-format.md describes
the notation. Nothing is decoded before the first use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

_PIECE = re.compile(r"\{([^{}]*)\}|([^{}]+)")
_SLOT = re.compile(r"\{([^{}|]*)(?:\|([^{}]*))?\}")
_NONE: Final[frozenset[str]] = frozenset()
_NOTHING = "-"
"""Means "no modifier" in a set of values."""

Sets = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """A function or instruction of LLVM that is compiled to a PTX instruction.

    `name`: a function (`llvm.nvvm.shfl.sync.up.i32`, `llvm.fma.f32`) or, if it does not begin with
    `llvm.`, an instruction of LLVM IR (`atomicrmw add`). `note`: when it applies, or "".
    """

    name: str
    note: str = ""

    @property
    def kind(self) -> str:
        """`nvvm` for an intrinsic of NVIDIA targets, `llvm` for one of every target."""
        return "nvvm" if self.name.startswith("llvm.nvvm.") else "llvm"


@dataclass(frozen=True, slots=True)
class IntrinsicPattern:
    """An entry of the data: PTX modifiers with slots, and intrinsics whose names have these slots.

    `needs` has conditions that must hold, `lacks` conditions that must not: `p` (an optional
    operand is written) or `d:.f32` (an operand has this declared type).
    """

    syntax: str
    """The modifiers, with slots in braces: `.sync{mode}.b32`."""
    targets: tuple[Intrinsic, ...]
    """The corresponding names, with slots in braces: `llvm.nvvm.shfl.sync{mode}.i32`."""
    slots: Mapping[str, Mapping[str, str]]
    """For each slot, a map from its text in PTX ("" when absent) to its text in the names."""
    needs: frozenset[str]
    lacks: frozenset[str]
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    """The parts of `syntax`: the name of a slot and its texts, or "" and a literal text."""

    def match(self, text: str) -> tuple[Intrinsic, ...]:
        """Returns the intrinsics for modifiers in canonical order; none if they do not match."""
        choice = self._choice(text, 0)
        return self.fill(choice) if choice is not None else ()

    def _choice(self, text: str, number: int) -> dict[str, str] | None:
        """Returns the texts of the slots from part `number` on, if the parts match the text."""
        if number == len(self.parts):
            return {} if not text else None
        name, options = self.parts[number]
        for option in options:
            if text.startswith(option):
                rest = self._choice(text[len(option) :], number + 1)
                if rest is not None:
                    return {name: option, **rest} if name else rest
        return None

    def fits(self, operands: frozenset[str] | None, unknown: frozenset[str] = _NONE) -> bool:
        """Whether the pattern may apply to an instruction with these operands.

        `operands`: the names of written operands, and `name:.type` for those with a known type;
        None if nothing is known. `unknown`: operands that may or may not be written.
        """
        if operands is None:
            return True
        typed = {_name(word) for word in operands if ":" in word}
        open_ = unknown | {
            word for word in self.needs | self.lacks if ":" in word and _name(word) not in typed
        }
        return self.needs <= operands | open_ and not self.lacks & (operands - open_)

    def choices(self) -> Iterator[Mapping[str, str]]:
        """Yields every way to fill the slots, with their texts in PTX."""
        for choice in product(*self.slots.values()):
            yield dict(zip(self.slots, choice, strict=True))

    def spell(self, choice: Mapping[str, str]) -> str:
        """Returns the modifiers with their slots filled."""
        return _SLOT.sub(lambda found: choice[found[1]], self.syntax)

    def fill(self, choice: Mapping[str, str]) -> tuple[Intrinsic, ...]:
        """Returns the intrinsics with their slots filled."""
        values = {name: self.slots[name][text] for name, text in choice.items()}
        return tuple(
            Intrinsic(_SLOT.sub(lambda found: values[found[1]], target.name), target.note)
            for target in self.targets
        )

    def expand(self) -> Iterator[tuple[str, tuple[Intrinsic, ...]]]:
        """Yields every spelling of the modifiers with its intrinsics."""
        for choice in self.choices():
            yield self.spell(choice), self.fill(choice)


class IntrinsicTable:
    """The intrinsics of every opcode and special register; see `Database.nvvm`."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self._sets: Sets = raw.get("sets", {})
        self._maps = {name: _pairs(text) for name, text in raw.get("maps", {}).items()}
        self._instructions: Mapping[str, Any] = raw.get("instruction", {})
        self._registers: Mapping[str, str] = raw.get("special_register", {})
        self._patterns: dict[str, tuple[IntrinsicPattern, ...]] = {}
        self._register_patterns: tuple[IntrinsicPattern, ...] | None = None

    @property
    def opcodes(self) -> frozenset[str]:
        """Opcodes for which there are intrinsics."""
        return frozenset(self._instructions)

    def patterns(self, opcode: str) -> tuple[IntrinsicPattern, ...]:
        """Returns the entries of an opcode, in the order of the data."""
        if opcode not in self._patterns:
            entries = self._instructions.get(opcode, {})
            sets = {**self._sets, **entries.get("sets", {})}
            self._patterns[opcode] = tuple(
                read_pattern(key, value, sets, self._maps)
                for key, value in entries.items()
                if key != "sets"
            )
        return self._patterns[opcode]

    @property
    def register_patterns(self) -> tuple[IntrinsicPattern, ...]:
        """The entries of the special registers, such as `%tid{dimension}`."""
        if self._register_patterns is None:
            self._register_patterns = tuple(
                read_pattern(key, value, self._sets, self._maps)
                for key, value in self._registers.items()
            )
        return self._register_patterns

    def of_modifiers(
        self,
        opcode: str,
        modifiers: Sequence[str],
        operands: frozenset[str] | None = None,
        unknown: frozenset[str] = _NONE,
    ) -> tuple[Intrinsic, ...]:
        """Returns the intrinsics of an instruction whose modifiers are in canonical order.

        `operands` and `unknown` describe its operands, as for `IntrinsicPattern.fits`. Intrinsics
        that depend on unknown properties are included. Empty when there is none.
        """
        text = "".join(modifiers)
        found: dict[Intrinsic, None] = {}
        for pattern in self.patterns(opcode):
            if pattern.fits(operands, unknown):
                found.update(dict.fromkeys(pattern.match(text)))
        return tuple(found)

    def of_special_register(self, name: str, component: str = "") -> Intrinsic | None:
        """Returns the intrinsic that reads a special register (`"%tid"`, `"x"`), or None.

        The name of a numbered register includes its number, `%envreg3`. For a register that has
        components, the component must be given.
        """
        text = f"{name}.{component}" if component else name
        for pattern in self.register_patterns:
            found = pattern.match(text)
            if found:
                return found[0]
        return None


def read_pattern(
    key: str, value: str | Sequence[str], sets: Sets, maps: Mapping[str, Mapping[str, str]]
) -> IntrinsicPattern:
    """Reads an entry. Raises ValueError for a name that is not defined."""
    syntax, *conditions = key.split(" ") if "{" not in key else _split_conditions(key)
    slots: dict[str, Mapping[str, str]] = {}
    parts: list[tuple[str, tuple[str, ...]]] = []
    plain: list[str] = []
    for found in _PIECE.finditer(syntax):
        slot, literal = found.groups()
        if slot is None:
            parts.append(("", (literal,)))
            plain.append(literal)
            continue
        name, values = _slot(slot, sets, len(slots))
        slots[name] = values
        parts.append((name, tuple(sorted(values, key=len, reverse=True))))
        plain.append(f"{{{name}}}")
    targets = [value] if isinstance(value, str) else value
    return IntrinsicPattern(
        "".join(plain),
        tuple(_target(target) for target in targets),
        _mapped(slots, targets, maps),
        frozenset(word[1:] for word in conditions if word.startswith("?")),
        frozenset(word[1:] for word in conditions if word.startswith("!")),
        tuple(parts),
    )


def _mapped(
    slots: Mapping[str, Mapping[str, str]],
    targets: Sequence[str],
    maps: Mapping[str, Mapping[str, str]],
) -> Mapping[str, Mapping[str, str]]:
    """Returns the slots, with the values of the maps that `targets` name in place of their own."""
    wanted: dict[str, str] = {}
    for slot, mapping in _SLOT.findall(" ".join(targets)):
        if slot not in slots or wanted.setdefault(slot, mapping) != mapping:
            raise ValueError(f"unknown slot or a second map: {slot!r} in {targets}")
    return {
        name: {text: maps[wanted[name]][text] for text in values} if wanted.get(name) else values
        for name, values in slots.items()
    }


def _split_conditions(key: str) -> list[str]:
    """Splits `.sync{a:.x .y} ?b !c` after the last brace or modifier."""
    end = key.rfind("}") + 1
    tail = key[end:].split(" ")
    return [key[:end] + tail[0], *tail[1:]]


def _slot(text: str, sets: Sets, number: int) -> tuple[str, Mapping[str, str]]:
    """Returns name and values of a slot: `set`, `slot:set`, `slot:.up .down`, or only values."""
    name, colon, values = text.partition(":") if not text.startswith((".", _NOTHING)) else ("",) * 3
    if not name:
        name, values = f"_{number}", text
    elif not values.startswith((".", _NOTHING)) and (values or name) in sets:
        values = sets[values or name]
    elif not colon:
        raise ValueError(f"unknown set {name!r}")
    return name, _pairs(values)


def _pairs(values: str) -> dict[str, str]:
    """Maps each word of `.u32=i32 .f32 -` to its replacement, by default to itself."""
    pairs = {}
    for word in values.split():
        written, equals, become = word.partition("=")
        written = "" if written == _NOTHING else written
        pairs[written] = become if equals else written
    return pairs


def _name(word: str) -> str:
    """Returns the operand that a condition is about."""
    return word.partition(":")[0]


def _target(text: str) -> Intrinsic:
    name, _, note = text.partition(" -- ")
    return Intrinsic(_SLOT.sub(r"{\1}", name), note)
