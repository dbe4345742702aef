"""Instructions above the cursor that are like the one being typed, and what they suggest.

Compilers and people repeat themselves: an unrolled loop has the same instructions again, with
registers that are the same or whose numbers grow by the same step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.tokens import Token

_MAX_LINES_ABOVE: Final = 400
"""Maximum number of lines of the function above the cursor that are read."""
_MAX_LINE_LENGTH: Final = 1000
_N_PRECEDENTS: Final = 2
"""Two instructions show whether a register stays the same, and by which step its number grows."""
_OPENING: Final = ("[", "{", "(")
_CLOSING: Final = ("]", "}", ")")
_DIGITS: Final = "0123456789"


def precedents(analysis: Analysis, line: int, opcode: str) -> list[tuple[str, ...]]:
    """Returns the operands of the nearest instructions above with the same opcode, nearest first.

    `opcode`: with its modifiers.
    """
    document = analysis.document
    first = max(document.located_on(line).first_line, line - _MAX_LINES_ABOVE)
    records, found = document.records[first:line], list[tuple[str, ...]]()
    for row in range(len(records) - 1, -1, -1):
        shape = records[row]
        if isinstance(shape, Shape) and shape.opcode == opcode:
            text = document.lines[first + row]
            if len(text) < _MAX_LINE_LENGTH:
                found.append(tuple(each.text for each in written_operands(shape, text)))
            if len(found) == _N_PRECEDENTS:
                break
    return found


def names_of_instructions(analysis: Analysis, line: int) -> set[str]:
    """Returns the names in the instructions of a function above a line."""
    document = analysis.document
    first = max(document.located_on(line).first_line, line - _MAX_LINES_ABOVE)
    above = zip(document.records[first:line], document.lines[first:line], strict=True)
    lines = (text for record, text in above if isinstance(record, Shape))
    return {name for text in lines if len(text) < _MAX_LINE_LENGTH for name in names_in(text)}


def suggestions(analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> list[str]:
    """Returns names that instructions above suggest for the operand at the cursor.

    `statement`: the tokens before the cursor, from the opcode on.
    """
    if place.word or not statement:
        return []
    typed: list[list[str]] = [[]]
    depth = 0
    for token in statement[1:]:
        depth += (token.string in _OPENING) - (token.string in _CLOSING)
        if token.string == "," and not depth:
            typed.append([])
        else:
            typed[-1] += names_in(token.string)
    found = precedents(analysis, place.range.start.line, statement[0].string)
    return suggested(OperandPlace(len(typed) - 1, tuple(map(tuple, typed))), found)


class OperandPlace(NamedTuple):
    """The operand at the cursor: its number, and the names that are typed before the cursor.

    `typed`: the names in each operand, the last of them the one at the cursor.
    """

    number: int
    typed: tuple[tuple[str, ...], ...]


def suggested(place: OperandPlace, found: Sequence[Sequence[str]]) -> list[str]:
    """Returns names that precedents suggest at a place, the likeliest first."""
    return list(dict.fromkeys(filter(None, _suggestions(place, found))))


def _suggestions(place: OperandPlace, found: Sequence[Sequence[str]]) -> Iterator[str]:
    before = place.typed[place.number] if place.number < len(place.typed) else ()
    names = [_names(each, place.number) for each in found]
    if before:
        yield _after(before, names)
    at = len(before)
    if not names or at >= len(names[0]):
        return
    nearest = names[0][at]
    yield _repeated(place, found[0], nearest)
    if len(names) > 1 and at < len(names[1]):
        yield moved(nearest, _step(names[1][at], nearest))
    yield nearest


def _after(before: Sequence[str], names: Sequence[Sequence[str]]) -> str:
    """Returns the name that continues those of a vector or an address."""
    step: int | None = 1
    if len(before) > 1:
        step = _step(before[-2], before[-1])
    elif names and len(names[0]) > len(before):
        step = _step(names[0][len(before) - 1], names[0][len(before)])
    return moved(before[-1], step)


def _repeated(place: OperandPlace, operands: Sequence[str], name: str) -> str:
    """Returns the name in an earlier operand that the precedent has again at the cursor."""
    for number in range(min(place.number, len(place.typed))):
        earlier = _names(operands, number)
        if name in earlier:
            at = earlier.index(name)
            if at < len(place.typed[number]):
                return place.typed[number][at]
    return ""


def moved(name: str, step: int | None) -> str:
    """Returns a numbered name whose number is greater by a step; "" if there is none."""
    stem = name.rstrip(_DIGITS)
    if step is None or stem == name:
        return name if step == 0 else ""
    number = decimal(name[len(stem) :]) + step
    return f"{stem}{number}" if number >= 0 else ""


def _step(earlier: str, later: str) -> int | None:
    """Returns the difference of the numbers of two names; None if their stems differ."""
    if earlier == later:
        return 0
    stem = earlier.rstrip(_DIGITS)
    if later.rstrip(_DIGITS) != stem or stem in (earlier, later):
        return None
    return decimal(later[len(stem) :]) - decimal(earlier[len(stem) :])


def _names(operands: Sequence[str], number: int) -> list[str]:
    return [*names_in(operands[number])] if number < len(operands) else []
