"""Reads the manual's notation, `ld{.weak}{.ss}.type d, [a]{.unified}{, cache-policy}`.

Used when data is compiled, never when it is loaded. The result is a list of variants: a choice
among sequences of modifiers, `{.x.y, .z}`, gives one variant each.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

_MODIFIER = re.compile(r"\.(?:[\w-]+)(?:::[\w-]+|::\{[^}]*\}|\{::[^}]*\})*")
_OPERAND = re.compile(
    r"(?:\{(?P<negation>[!~-])\})?(?P<body>\[.*\]|\(.*\)|_|[\w-]+)"
    r"(?:\{\|(?P<optional_pair>[\w-]+)\}|\[\|(?P<optional_pair2>[\w-]+)\]|\|(?P<pair>[\w-]+))?"
    r"(?P<selector>\{\.[\w:]+\}|\.[\w:]+)?$"
)


class NotationError(ValueError):
    """The notation cannot be read; the message quotes it."""


@dataclass(frozen=True)
class SlotNotation:
    """A place for a modifier: the spellings in the notation, and the slots that it depends on."""

    alternatives: tuple[str, ...]
    optional: bool
    requires: tuple[int, ...] = ()
    """Slots that must be filled if this one is."""
    together: int = -1
    """A slot that must be filled if and only if this one is; -1 for none."""


@dataclass(frozen=True)
class OperandNotation:
    """A place for an operand."""

    name: str
    optional: bool = False
    negation: str = ""
    pair: str = ""
    pair_optional: bool = False
    selector: str = ""
    selector_optional: bool = False
    parts: tuple[OperandNotation, ...] = ()
    bracket: str = ""
    """`[` for an address, `(` for a list, "" otherwise."""
    syntax: str = ""


@dataclass(frozen=True)
class Notation:
    """A form as written: slots and operands, in order."""

    opcode: str
    slots: tuple[SlotNotation, ...] = ()
    operands: tuple[OperandNotation, ...] = field(default=())


def closing(text: str, start: int) -> int:
    """Returns the index of the bracket that closes the one at `start`. Raises NotationError."""
    depth = 0
    for index in range(start, len(text)):
        if text[index] in "{[(":
            depth += 1
        elif text[index] in "}])":
            depth -= 1
            if depth == 0:
                return index
    raise NotationError(f"unbalanced brackets in {text!r}")


def split_top(text: str) -> list[str]:
    """Splits at commas outside brackets."""
    parts = [""]
    depth = 0
    for character in text:
        if character in "{[(":
            depth += 1
        elif character in "}])":
            depth -= 1
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def expand_modifier(text: str) -> tuple[str, ...]:
    """Expands `.shared{::cta, ::cluster}` to `.shared`, `.shared::cta` and `.shared::cluster`."""
    brace = text.find("{")
    if brace < 0:
        return (text,)
    end = closing(text, brace)
    head, inner, tail = text[:brace], split_top(text[brace + 1 : end]), text[end + 1 :]
    required = head.endswith("::")
    choices = inner if required else ["", *inner]
    return tuple(item for choice in choices for item in expand_modifier(head + choice + tail))


def _modifier_end(text: str) -> int:
    depth = 0
    for index, character in enumerate(text):
        if character == "{":
            if depth == 0 and re.match(r"\{\s*,", text[index:]):
                return index
            depth += 1
        elif character == "}":
            depth -= 1
        elif depth == 0 and (character.isspace() or character == ";"):
            return index
    return len(text)


def parse_notation(text: str) -> list[Notation]:
    """Reads one line of notation. Raises NotationError."""
    match = re.match(r"[A-Za-z_]\w*", text)
    if match is None:
        raise NotationError(f"{text!r} does not begin with an opcode")
    rest = text[match.end() :]
    end = _modifier_end(rest)
    operands = parse_operands(rest[end:].strip().rstrip(";"))
    variants = _parse_modifiers(rest[:end])
    return [Notation(match.group(), tuple(slots), operands) for slots in variants]


def _parse_modifiers(text: str) -> list[list[SlotNotation]]:
    """Returns every variant of a modifier string, as a list of slots."""
    variants: list[list[SlotNotation]] = [[]]
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        if text[position] == "{":
            end = closing(text, position)
            parts = split_top(text[position + 1 : end])
            pieces = _optional(parts[0]) if len(parts) == 1 else _choice(parts)
            position = end + 1
        else:
            match = _MODIFIER.match(text, position)
            if match is None:
                raise NotationError(f"cannot read {text[position:]!r}")
            pieces = [[SlotNotation(expand_modifier(match.group()), optional=False)]]
            position = match.end()
        variants = [_join(variant, piece) for variant in variants for piece in pieces]
    return variants


def _join(left: list[SlotNotation], right: list[SlotNotation]) -> list[SlotNotation]:
    """Appends slots, and adjusts their references to one another."""
    offset = len(left)
    moved = [
        replace(
            slot,
            requires=tuple(index + offset for index in slot.requires),
            together=slot.together + offset if slot.together >= 0 else -1,
        )
        for slot in right
    ]
    return left + moved


def _optional(text: str) -> list[list[SlotNotation]]:
    """Parses `{.a}`, `{.a.b}` (both or none), `{.a{.b}}` (b only after a)."""
    result = []
    for variant in _parse_modifiers(text):
        mandatory = [index for index, slot in enumerate(variant) if not slot.optional]
        slots = []
        for index, slot in enumerate(variant):
            if slot.optional:
                slots.append(replace(slot, requires=(*slot.requires, *mandatory[:1])))
            else:
                together = mandatory[0] if mandatory[0] != index else -1
                slots.append(replace(slot, optional=True, together=together))
        result.append(slots)
    return result


def _choice(parts: list[str]) -> list[list[SlotNotation]]:
    """Parses `{.a, .b}`: exactly one of them."""
    options = [variant for part in parts for variant in _parse_modifiers(part)]
    if all(len(option) == 1 and not option[0].optional for option in options):
        alternatives = tuple(item for option in options for item in option[0].alternatives)
        return [[SlotNotation(alternatives, optional=False)]]
    return options


def parse_operands(text: str) -> tuple[OperandNotation, ...]:
    """Reads the operand part: `d{|p}, [a]{.unified}{, cache-policy}`. Raises NotationError."""
    operands: list[OperandNotation] = []
    position = 0
    current = ""
    while position <= len(text):
        character = text[position] if position < len(text) else ","
        if character == "{" and re.match(r"\{\s*,", text[position:]):
            end = closing(text, position)
            _append(operands, current, optional=False)
            current = ""
            for part in split_top(text[position + 1 : end])[1:]:
                _append(operands, part, optional=True)
            position = end + 1
        elif character == "{" and re.match(r"\{\s*[\w\[(-]+[^{}]*,\s*\}", text[position:]):
            end = closing(text, position)
            _append(operands, text[position + 1 : end].strip().rstrip(","), optional=True)
            position = end + 1
        elif character in "{[(":
            end = closing(text, position)
            current += text[position : end + 1]
            position = end + 1
        elif character == ",":
            _append(operands, current, optional=False)
            current = ""
            position += 1
        else:
            current += character
            position += 1
    return tuple(operands)


def _append(operands: list[OperandNotation], text: str, *, optional: bool) -> None:
    text = text.strip()
    if text:
        operands.append(_parse_operand(text, optional=optional))


def _parse_operand(text: str, *, optional: bool) -> OperandNotation:
    match = _OPERAND.match(text.replace(" | ", "|"))
    if match is None:
        raise NotationError(f"cannot read the operand {text!r}")
    body = match.group("body")
    bracket = body[0] if body[0] in "[(" else ""
    inner = body[1:-1].strip() if bracket else body
    parts = parse_operands(inner) if bracket == "[" else ()
    name = parts[0].name if len(parts) == 1 else inner if bracket != "[" else ""
    optional_pair = match.group("optional_pair") or match.group("optional_pair2") or ""
    selector = match.group("selector") or ""
    return OperandNotation(
        name=name or "address",
        optional=optional,
        negation=match.group("negation") or "",
        pair=match.group("pair") or optional_pair,
        pair_optional=bool(optional_pair),
        selector=selector.strip("{}"),
        selector_optional=selector.startswith("{"),
        parts=parts if len(parts) > 1 else (),
        bracket=bracket,
        syntax=text,
    )
