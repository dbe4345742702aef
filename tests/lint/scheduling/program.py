"""Reads a kernel as statements with operands, registers, parameters and variables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_LABEL: Final = re.compile(r"\s*([\w$%]+):(?!:)").match
_STATEMENT: Final = re.compile(
    r"(?:@\s*(!?)\s*([\w%$]+)\s+)?([a-z]\w*)((?:\.[\w:]+)*)\s*(.*)", re.DOTALL
).fullmatch
_VARIABLE: Final = re.compile(
    r"\.(shared|global|const)(?:::\w+)?\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([\w$%]+)((?:\[\d*\])*)"
)
_PARAMETER: Final = re.compile(r"\.param\s+\.(\w+)[^,()]*?([\w$%]+)\s*(?=[,)]|$)")
_REGISTERS: Final = re.compile(r"\.reg\s+\.(\w+)\s+([^;]*)")
_BLOCK: Final = re.compile(r"\.(?:reqntid|maxntid)\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?")
_UNSUPPORTED: Final = (
    ".func",
    "wgmma",
    "tcgen05",
    ".tensor",
    "barrier.cluster",
    "mapa",
    "mma.",
    "brx",
    "{ .",
)
_DEFAULT_THREADS, _WARP = 128, 32
_DYNAMIC: Final = 1 << 15
_FIRST: Final = {"shared": 1 << 10, "global": 1 << 44, "const": 1 << 45}


class NotRunnableError(Exception):
    """A kernel has something that is not modelled."""


class Statement(NamedTuple):
    """An instruction."""

    guard: str
    is_negated: bool
    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[str, ...]


class Program(NamedTuple):
    """A kernel.

    `widths`: of registers, by names, or by the beginnings of numbered names. `addresses`: of
    variables. `parameters`: their types.
    """

    statements: tuple[Statement, ...]
    labels: dict[str, int]
    widths: dict[str, int]
    addresses: dict[str, int]
    spaces: dict[str, str]
    parameters: dict[str, str]
    shape: tuple[int, int, int]


def read(text: str) -> Program:
    """Reads the only kernel of a module."""
    text = _COMMENT.sub("", text)
    found = next((each for each in _UNSUPPORTED if each in text), None)
    if found is not None or text.count(".entry") != 1:
        raise NotRunnableError(found or "not exactly one kernel")
    head, _, rest = text.partition(".entry")
    before, _, body = rest.partition("{")
    body = body.rpartition("}")[0]
    size = _BLOCK.search(before)
    numbers = (
        [int(each or 1) for each in size.groups()]
        if size
        else [_DEFAULT_THREADS if "%tid" in body else _WARP, 1, 1]
    )
    variables = [*_VARIABLE.findall(head), *_VARIABLE.findall(body)]
    addresses, spaces = _placed(variables)
    rows, labels = _rows(body)
    return Program(
        tuple(rows),
        labels,
        _widths(body),
        addresses,
        spaces,
        {name: type_ for type_, name in _PARAMETER.findall(before.partition(")")[0])},
        (numbers[0], numbers[1], numbers[2]),
    )


def _placed(variables: list[tuple[str, ...]]) -> tuple[dict[str, int], dict[str, str]]:
    addresses, following = dict[str, int](), dict(_FIRST)
    for space, align, type_, name, lengths in variables:
        unit = int(align or 0) or _bytes(type_)
        start = -(-following[space] // unit) * unit
        count = 1
        for length in re.findall(r"\[(\d*)\]", lengths):
            count *= int(length) if length else _DYNAMIC
        addresses[name] = start
        following[space] = start + count * _bytes(type_)
    return addresses, {name: space for space, _, _, name, _ in variables}


def _bytes(type_: str) -> int:
    return max(1, int(re.sub(r"\D", "", type_) or 32) // 8)


def _widths(body: str) -> dict[str, int]:
    found = dict[str, int]()
    for type_, names in _REGISTERS.findall(body):
        width = 1 if type_ == "pred" else int(re.sub(r"\D", "", type_))
        for name in names.split(","):
            found[name.strip().partition("<")[0]] = width
    return found


def _rows(body: str) -> tuple[list[Statement], dict[str, int]]:
    rows, labels = list[Statement](), dict[str, int]()
    for part in _parts(body):
        text = part
        while label := _LABEL(text):
            labels[label[1]] = len(rows)
            text = text[label.end() :]
        text = text.strip()
        if not text or text.startswith("."):
            continue
        match = _STATEMENT(text)
        if match is None:
            raise NotRunnableError(text)
        modifiers = tuple(re.findall(r"\.[\w:]+", match[4]))
        rows.append(
            Statement(match[2] or "", bool(match[1]), match[3], modifiers, tuple(_split(match[5])))
        )
    return rows, labels


def _parts(body: str) -> Iterator[str]:
    yield from (each for each in body.split(";") if each.strip())


def _split(text: str) -> Iterator[str]:
    """Yields the operands, which commas separate outside of brackets."""
    depth, current = 0, ""
    for letter in text:
        depth += (letter in "[{(") - (letter in "]})")
        if letter == "," and not depth:
            yield current.strip()
            current = ""
        else:
            current += letter
    if current.strip():
        yield current.strip()
