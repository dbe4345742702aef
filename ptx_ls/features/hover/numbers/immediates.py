"""The meaning of a constant operand: a logic table, byte selectors, a mask of lanes."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from ptx_ls.features import markup
from ptx_ls.features.hover.numbers import lop3
from ptx_ls.features.markup import Markdown
from ptx_ls.semantics.constants.values import value_of
from ptx_ls.source.english import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ptx_ls.semantics.analysis import JudgedInstruction

_WORD: Final = 0xFFFF_FFFF
_MAX_BYTES: Final = 8
_REPLICATES: Final = 8
_MODES: Final[Mapping[str, tuple[str, str, str, str]]] = {
    ".f4e": ("3210", "4321", "5432", "6543"),
    ".b4e": ("5670", "6701", "7012", "0123"),
    ".rc8": ("0000", "1111", "2222", "3333"),
    ".ecl": ("3210", "3211", "3222", "3333"),
    ".ecr": ("0000", "1110", "2210", "3210"),
    ".rc16": ("1010", "3232", "1010", "3232"),
}
"""The source bytes of the result, highest first, for each value of the selector's two low bits."""


def meaning(judged: JudgedInstruction, operand: int) -> Markdown:
    """Explains the constant operand with the number `operand`; "" if there is nothing to say.

    Source: PTX ISA, "lop3", "prmt", and "membermask" of the instructions that have it.
    """
    specs = judged.verdict.operand_specs if judged.verdict is not None else ()
    spec = specs[operand] if operand < len(specs) else None
    written = judged.operands[operand]
    value = value_of(written.text)
    if spec is None or not isinstance(value, int):
        return markup.NOTHING
    describe = _MEANINGS.get((judged.opcode, spec.name)) or _BY_NAME.get(spec.name)
    return describe(judged, value) if describe is not None else markup.NOTHING


def _table(judged: JudgedInstruction, value: int) -> Markdown:
    names = [_text(judged, name) for name in ("a", "b", "c")]
    first = markup.code(f"{_text(judged, 'd')} = {lop3.formula(value, *names)}")
    words = lop3.meaning(value & 0xFF, *names)
    return markup.filled("{} ({})", first, words) if words else first


def _selector(judged: JudgedInstruction, value: int) -> Markdown:
    mode = next((each for each in judged.modifiers if each in _MODES), "")
    if mode:
        picked = [(int(digit), False) for digit in _MODES[mode][value & 3]]
    else:
        nibbles = [(value >> shift) & 0xF for shift in (12, 8, 4, 0)]
        picked = [(nibble % _MAX_BYTES, nibble >= _REPLICATES) for nibble in nibbles]
    sources = [_byte(judged, index, is_sign=is_sign) for index, is_sign in picked]
    header = ("byte 3", "byte 2", "byte 1", "byte 0")
    return markup.table(header, [sources])


def _byte(judged: JudgedInstruction, index: int, *, is_sign: bool) -> Markdown:
    name = f"{_text(judged, 'a' if index < 4 else 'b')}.b{index % 4}"  # noqa: PLR2004  bytes
    return markup.filled("sign of {}" if is_sign else "{}", markup.code(name))


def _mask(_judged: JudgedInstruction, value: int) -> Markdown:
    return markup.sentence(lanes(value))


def lanes(value: int) -> str:
    """Lists the lanes that a mask selects."""
    named = [lane for lane in range(32) if (value & _WORD) >> lane & 1]
    if len(named) == 32:  # noqa: PLR2004  lanes of a warp
        return "all 32 lanes"
    if not named:
        return "no lane"
    return f"{counted(len(named), 'lane')}: {', '.join(_ranges(named))}"


def _ranges(numbers: list[int]) -> list[str]:
    """Returns numbers with runs of them as ranges: `["0-2", "5"]` for `[0, 1, 2, 5]`."""
    groups = groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
    shown = []
    for _, group in groups:
        first, *rest = [value for _, value in group]
        shown.append(f"{first}-{rest[-1]}" if rest else str(first))
    return shown


def _text(judged: JudgedInstruction, name: str) -> str:
    """Returns the text of an operand, by the manual's name for it."""
    for operand, spec in judged.placed_operands():
        if spec.name == name:
            return operand.text.partition("|")[0].strip()
    return name


_MEANINGS: Final[Mapping[tuple[str, str], Callable[[JudgedInstruction, int], Markdown]]] = {
    ("prmt", "c"): _selector,
}
_BY_NAME: Final[Mapping[str, Callable[[JudgedInstruction, int], Markdown]]] = {
    "immLut": _table,
    "membermask": _mask,
}
