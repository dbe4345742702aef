"""Reads simple declarations of variables and registers with regular expressions.

A module may have thousands, and parsing them all into trees would dominate the time to read it. The
statement parser reads the rest.

Source: PTX ISA, "Variables".
"""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.numerals import decimal
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.names import IDENTIFIER, NAME_PATTERN, NO_MORE, OF_NAMES
from ptx_ls.syntax.tokens import COMMON_TYPE

_S: Final = r"[ \t\r\n]*+"
_GAP: Final = r"[ \t\r\n]++"
_SIZE: Final = r"(?:0|[1-9]\d{0,17})" + NO_MORE

_HEAD: Final = re.compile(
    rf"{_S}(?:(?P<linkage>\.(?:extern|visible|weak|common)){_GAP})?"
    rf"(?P<space>\.(?:reg|global|const|local|shared|param)){_S}"
    rf"(?:\.align{_GAP}(?P<alignment>{_SIZE}){_GAP})?"
    rf"(?:(?P<vector>\.v[248]){_GAP})?"
    rf"(?P<type>{COMMON_TYPE})(?![{OF_NAMES}.:]){_GAP}",
    re.ASCII,
).match
_VARIABLE: Final = LazyPattern(
    rf"{_S}(?P<name>{IDENTIFIER}){_S}(?P<sizes>(?:\[{_S}(?:{_SIZE})?{_S}\]{_S})*)(?P<equals>={_S})?",
    re.ASCII,
).match
_REGISTER: Final = re.compile(
    rf"{_S}(?P<name>{NAME_PATTERN}){_S}(?:<{_S}(?P<count>{_SIZE}){_S}>)?", re.ASCII
).match
_END: Final = re.compile(rf"{_S}([,;])", re.ASCII).match
_SIZES: Final = re.compile(r"\[[^\]\d]*+(\d*)", re.ASCII).findall
_REST: Final = re.compile(rf"{_S}\Z").match
_REGISTERS: Final = ".reg"
_NOT_A_NAME: Final = "WARP_SZ"


class Declarator(NamedTuple):
    """A declared name, its offset in the text, its sizes, and its initial value as written.

    `sizes`: the size of each dimension, None for `[]`. `n_registers`: the N of `<N>`, or 0.
    """

    name: str
    start: int
    sizes: tuple[int | None, ...] = ()
    n_registers: int = 0
    value: str = ""


class PlainDeclaration(NamedTuple):
    """A declaration: the properties that apply to all of its names, and the names in order.

    `linkage`, `vector` and `alignment` are "" if they are not given.
    """

    linkage: str
    space: str
    alignment: str
    vector: str
    type: str
    declarators: tuple[Declarator, ...]


def begins_declaration(line: str) -> bool:
    """Whether a plain declaration may begin on a line."""
    return _HEAD(line) is not None


def plain_declaration(text: str) -> PlainDeclaration | None:
    """Returns the declaration in a statement; None if it is not a plain declaration."""
    head = _HEAD(text)
    if head is None or _NOT_A_NAME in text:
        return None
    is_registers = head["space"] == _REGISTERS
    if is_registers and (head["linkage"] or head["alignment"]):
        return None
    read = _register if is_registers else _variable
    found: list[Declarator] = []
    place, mark = head.end(), ","
    while mark == ",":
        declarator, place = read(text, place)
        end = _END(text, place)
        if declarator is None or end is None:
            return None
        found.append(declarator)
        place, mark = end.end(), end[1]
    if _REST(text, place) is None:
        return None
    linkage, space, alignment, vector, kind = head.groups(default="")
    return PlainDeclaration(linkage, space, alignment, vector, kind, tuple(found))


def _register(text: str, place: int) -> tuple[Declarator | None, int]:
    """Returns the register or range of registers at a place, and its end."""
    match = _REGISTER(text, place)
    if match is None:
        return None, place
    count = decimal(match["count"] or "0")
    return Declarator(match["name"], match.start("name"), n_registers=count), match.end()


def _variable(text: str, place: int) -> tuple[Declarator | None, int]:
    """Returns the variable at a place with its initial value, and its end."""
    match = _VARIABLE(text, place)
    if match is None:
        return None, place
    start, end = match.end(), match.end()
    if match["equals"]:
        from ptx_ls.syntax.plain.values import end_of_value  # noqa: PLC0415  few files need it

        found = end_of_value(text, start)
        if found is None:
            return None, place
        end = found
    sizes = tuple([decimal(size) if size else None for size in _SIZES(match["sizes"])])
    return Declarator(match["name"], match.start("name"), sizes, value=text[start:end]), end
