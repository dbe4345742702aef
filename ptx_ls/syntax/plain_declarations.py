"""Reads plain declarations of variables and registers by regular expressions.

A module may have thousands of them, and tables of thousands of values, for which trees would take
most of the time. What is not plain is left to the statement parser.

Source: PTX ISA, "Variables".
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ptx_ls.syntax.tokens import TYPES, VECTORS

_S: Final = r"[ \t\r\n]*+"
_GAP: Final = r"[ \t\r\n]++"
_NAME: Final = r"[A-Za-z_$][\w$]*+"
_SIZE: Final = r"(?:0|[1-9]\d{0,17})(?![\w$.])"
_NUMBER: Final = (
    r"(?:0[xX][0-9a-fA-F]{1,16}|0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|[1-9]\d{0,17}|0)(?![\w$.])"
)
_VALUE: Final = rf"(?:-?{_NUMBER}|{_NAME}(?![\w$.])(?:{_S}\+{_S}{_NUMBER})?)"
_VALUES: Final = rf"\{{{_S}(?:{_VALUE}{_S},{_S})*+{_VALUE}{_S}\}}"
_ROWS: Final = rf"\{{{_S}(?:{_VALUES}{_S},{_S})*+{_VALUES}{_S}\}}"


def _words(spellings: frozenset[str]) -> str:
    return "|".join(sorted(map(re.escape, spellings), key=len, reverse=True))


_HEAD: Final = re.compile(
    rf"{_S}(?:(?P<linkage>\.(?:extern|visible|weak|common)){_GAP})?"
    rf"(?P<space>\.(?:reg|global|const|local|shared|param)){_GAP}"
    rf"(?:\.align{_GAP}(?P<alignment>{_SIZE}){_GAP})?"
    rf"(?:(?P<vector>{_words(VECTORS)}){_GAP})?"
    rf"(?P<type>(?:{_words(TYPES)})(?![\w$.:])){_GAP}",
    re.ASCII,
).match
_VARIABLE: Final = re.compile(
    rf"{_S}(?P<name>{_NAME}){_S}(?P<sizes>(?:\[{_S}(?:{_SIZE})?{_S}\]{_S})*)"
    rf"(?:={_S}(?P<value>{_VALUE}|{_VALUES}|{_ROWS}){_S})?(?P<end>[,;])",
    re.ASCII,
).match
_REGISTER: Final = re.compile(
    rf"{_S}(?P<name>%?{_NAME}){_S}(?:<{_S}(?P<count>{_SIZE}){_S}>{_S})?(?P<end>[,;])", re.ASCII
).match
_SIZES: Final = re.compile(r"\[[^\]\d]*+(\d*)", re.ASCII).findall
_REST: Final = re.compile(rf"{_S}\Z").match
_REGISTERS: Final = ".reg"
_NOT_A_NAME: Final = "WARP_SZ"


class Declarator(NamedTuple):
    """A declared name: where it is in the text, its sizes, and its initial value as written.

    `sizes`: of each dimension, None for one that is left open.
    `n_registers`: N of `<N>`, 0 without.
    """

    name: str
    start: int
    sizes: tuple[int | None, ...] = ()
    n_registers: int = 0
    value: str = ""


class PlainDeclaration(NamedTuple):
    """A declaration: what holds for all of its names, and the names in order.

    `linkage`, `vector` and `alignment` are empty where nothing is written.
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
    """The declaration that a statement is; None if it is another statement, broken or not plain."""
    head = _HEAD(text)
    if head is None or _NOT_A_NAME in text:
        return None
    is_registers = head["space"] == _REGISTERS
    if is_registers and (head["linkage"] or head["alignment"]):
        return None
    matches = _REGISTER if is_registers else _VARIABLE
    found: list[Declarator] = []
    place, end = head.end(), ","
    while end == ",":
        match = matches(text, place)
        if match is None:
            return None
        name, start, place, end = match["name"], match.start("name"), match.end(), match["end"]
        if is_registers:
            found.append(Declarator(name, start, n_registers=int(match["count"] or 0)))
        else:
            sizes = tuple([int(size) if size else None for size in _SIZES(match["sizes"])])
            found.append(Declarator(name, start, sizes, value=match["value"] or ""))
    if _REST(text, place) is None:
        return None
    linkage, space, alignment, vector, kind = head.groups(default="")
    return PlainDeclaration(linkage, space, alignment, vector, kind, tuple(found))
