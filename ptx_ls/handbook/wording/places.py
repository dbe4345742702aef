"""The operands that a place takes, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from ptx_ls.handbook.wording.alternatives import SKIPPING, alternatives
from ptx_ls.handbook.wording.counts import counts_of
from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.handbook.wording.operand_types import type_words, types_without_literals
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.isa.checking.scalar_check import constant_text
from ptx_ls.isa.notation.expression import slots_in
from ptx_ls.isa.notation.table import Node, OperandRow, SpecRow
from ptx_ls.source.english import listed

_MAX_POWERS: Final = 8
"""Number of powers of two up to which each is listed."""
_NAMES: Final = {
    "branchtargets": "list of `.branchtargets`",
    "calltargets": "list of `.calltargets`",
    "prototype": "`.callprototype`",
}


def accepted(row: OperandRow, wording: Wording) -> str:
    """Describes an operand: "a register of type `.u32`"; "" if its parts are described."""
    if row.parts:
        return ""
    strict = [spec for spec in row.specs if "lenient" not in spec.flags]
    texts: list[str] = []
    index = 0
    while index < len(strict):
        spec = strict[index]
        following = strict[index + 1] if index + 1 < len(strict) else None
        if following is not None and _is_value(spec, following):
            texts.append(_value(spec, following, wording))
            index += 2
        else:
            texts.append(_one(spec, wording))
            index += 1
    return alternatives(texts)


def _is_value(one: SpecRow, two: SpecRow) -> bool:
    """Whether two alternatives mean "register or constant" of one type."""
    return (one.kind, two.kind) == ("reg", "imm") and one.type == two.type and not two.choices


def _value(register: SpecRow, constant: SpecRow, wording: Wording) -> str:
    without, is_all = types_without_literals(wording, register.type)
    if is_all:
        return _register(register, wording)
    range_ = _range(constant)
    text = "register or constant" + (f" {range_}" if range_ else "")
    text = _typed(text, register, wording)
    return f"{text} (only a register with {listed(map(code, without))})" if without else text


def _typed(text: str, spec: SpecRow, wording: Wording) -> str:
    type_ = type_words(wording, spec.type)
    if not type_:
        return text
    if "wide" not in spec.flags:
        return f"{text} of type {type_}"
    joint = ", or of" if " holding " in type_ else " or"
    return f"{text} of type {type_}{joint} a wider type"


def _one(spec: SpecRow, wording: Wording) -> str:
    return _WORDS[spec.kind](spec, wording)


def _immediate(spec: SpecRow, wording: Wording) -> str:
    return _typed(" ".join(filter(None, ("constant", _range(spec)))), spec, wording)


def _name(spec: SpecRow, wording: Wording) -> str:
    words = listed(_NAMES.get(word, word) for word in spec.words)
    return " ".join(filter(None, ("name of a", type_words(wording, spec.type), words)))


def _register(spec: SpecRow, wording: Wording) -> str:
    if type_words(wording, spec.type) == "`.pred`":
        text = "predicate register"
    else:
        text = _typed("register", spec, wording)
    return f"{text}, or `_`" if "sink" in spec.flags else text


def _range(spec: SpecRow) -> str:
    parts = []
    if spec.choices:
        powers = _powers_of_two(spec.choices)
        parts.append(powers or listed(constant_text(choice) for choice in spec.choices))
    elif spec.low is not None and spec.low == spec.high:
        parts.append(str(spec.low))
    elif spec.low is not None and spec.high == spec.low + 1:
        parts.append(f"{spec.low} or {spec.high}")
    elif spec.low is not None:
        parts.append(f"from {spec.low:,} to {spec.high:,}")
    if spec.multiple > 1:
        parts.append(
            f"in steps of {spec.multiple}" if parts else f"that is a multiple of {spec.multiple}"
        )
    return " ".join(parts)


def _powers_of_two(choices: Sequence[object]) -> str:
    """Returns words for many successive powers of two; "" for other constants."""
    numbers = [each for each in choices if isinstance(each, int)]
    is_doubled = all(two == 2 * one for one, two in pairwise(numbers))
    if len(choices) <= _MAX_POWERS or len(numbers) < len(choices) or not is_doubled:
        return ""
    return f"that is a power of two from {numbers[0]:,} to {numbers[-1]:,}"


def _vector(spec: SpecRow, wording: Wording) -> str:
    elements = "registers or constants" if "imm" in spec.flags else "registers"
    size = spec.size or ("constant", 1)
    counts = counts_of(size, wording)
    is_one = counts.numbers == (1,)
    if "braces" not in spec.flags and is_one:
        return _typed("register", spec, wording)
    if size[:2] == ("call", "n") and len(counts.numbers) > 1 and _means_two(size, wording):
        one = _typed("register", spec, wording)
        text = f"{one}, or {elements} in braces, depending on {wording.number(size[2][0])}"
    elif is_one:
        text = elements.replace("registers", "register").replace("constants", "constant")
        text = f"{_typed(text, spec, wording)} in braces"
    elif counts.is_list:
        text = f"{_typed(elements, spec, wording)} in braces: {counts.text}"
    else:
        text = f"{_typed(f'{counts.text} {elements}', spec, wording)} in braces"
    return f"{text}{SKIPPING}" if "sink" in spec.flags else text


def _means_two(size: Node, wording: Wording) -> bool:
    """Whether a written modifier means two or more elements; without it there is one register.

    If `.x1` or `.1d` can be written, even a single register is in braces.
    """
    outcomes = wording.known.outcomes(size, sorted(set(slots_in(size))))
    return all(int(str(outcome)) > 1 for outcome, values in outcomes if any(values))


def _address(spec: SpecRow, wording: Wording) -> str:
    space = type_words(wording, spec.type) or listed(map(code, spec.words))
    return f"address in {space}" if space else "generic address"


def _special(spec: SpecRow, wording: Wording) -> str:
    size = spec.size or ("constant", 1)
    counts = counts_of(size, wording)
    if size[:2] == ("call", "n") and len(counts.numbers) > 1:
        of = f" with as many components as in {wording.number(size[2][0])},"
    else:
        of = "" if counts.numbers == (1,) else f" with {counts.text} components,"
    return _typed(f"special register{of}", spec, wording)


_WORDS: Final[Mapping[str, Callable[[SpecRow, Wording], str]]] = {
    "reg": _register,
    "imm": _immediate,
    "vec": _vector,
    "pack": lambda spec, wording: f"vector in braces that fills {type_words(wording, spec.type)}",
    "addr": _address,
    "name": _name,
    "sreg": _special,
    "list": lambda _spec, _wording: "list in parentheses",
    "str": lambda _spec, _wording: "string",
    "any": lambda _spec, _wording: "anything",
}


def flattened(rows: Sequence[OperandRow]) -> list[OperandRow]:
    """Returns the operands, each followed by its parts."""
    found: list[OperandRow] = []
    for row in rows:
        found.append(row)
        found += flattened(row.parts)
    return found
