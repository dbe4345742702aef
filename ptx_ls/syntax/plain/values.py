"""Finds the ends of plain initial values (numbers, names, lists) by regular expressions.

A table may have thousands of values, and making a tree of them would take most of the time.

Source: PTX ISA, "Initializers".
"""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.syntax.names import IDENTIFIER, NO_MORE

_S: Final = r"[ \t\r\n]*+"
_NUMBER: Final = (
    r"(?:0[xX][0-9a-fA-F]{1,16}|0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|[1-9]\d{0,17}|0)" + NO_MORE
)
_VALUE: Final = rf"(?:-?{_NUMBER}|{IDENTIFIER}{NO_MORE}(?:{_S}\+{_S}{_NUMBER})?)"
_MAX_STEP: Final = 256
"""Maximum number of list values in one match, as `re` keeps a backtracking point for each."""
_VALUES: Final = re.compile(rf"(?:{_S}{_VALUE}{_S},){{1,{_MAX_STEP}}}", re.ASCII).match
_LAST_VALUE: Final = re.compile(rf"{_S}{_VALUE}{_S}\}}", re.ASCII).match
_ONE_VALUE: Final = re.compile(_VALUE, re.ASCII).match
_OPEN: Final = re.compile(rf"{_S}\{{", re.ASCII).match
_NEXT_ROW: Final = re.compile(rf"{_S}([,}}])", re.ASCII).match


def end_of_value(text: str, place: int) -> int | None:
    """Returns the end of an initial value, a list, or a list of lists; None if it is not plain."""
    one = _ONE_VALUE(text, place)
    if one is not None:
        return one.end()
    return _end_of_list(text, place) or _end_of_rows(text, place)


def _end_of_list(text: str, place: int) -> int | None:
    opened = _OPEN(text, place)
    if opened is None:
        return None
    place = opened.end()
    while (values := _VALUES(text, place)) is not None:
        place = values.end()
    last = _LAST_VALUE(text, place)
    return last.end() if last is not None else None


def _end_of_rows(text: str, place: int) -> int | None:
    opened = _OPEN(text, place)
    if opened is None:
        return None
    place = opened.end()
    while (end := _end_of_list(text, place)) is not None:
        mark = _NEXT_ROW(text, end)
        if mark is None:
            return None
        place = mark.end()
        if mark[1] == "}":
            return place
    return None
