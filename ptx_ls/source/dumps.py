"""The text that `cuobjdump -ptx` prints: PTX modules, each below a head that describes it.

A head is a line such as `Fatbin ptx code:` above a line of equals signs and lines such as
`arch = sm_80`. Sections of other kinds of code, and lines that name the member of an archive, are
between the modules.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.source.lines import content_length, split_lines
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_BEGIN: Final = "Fatbin "
_END: Final = " code:"
_PTX: Final = f"{_BEGIN}ptx{_END}"
_MEMBER: Final = "member "
_STARTS: Final = (_BEGIN, _MEMBER)
_MAX_BLANK: Final = 20
"""Maximum number of blank lines before the first head."""
_MAX_SPACE: Final = 1_000
"""Maximum number of characters before the first head."""
_FIRST_OF_PTX: Final = (".", "/", "#", "@")
"""Characters that begin a line of a module, and no line of a head."""


NO_MODULES: Final = "no PTX in this output of `cuobjdump`; `cuobjdump -ptx FILE` prints it"
"""The message about a text without modules."""


class DumpedModule(NamedTuple):
    """A module in the text.

    Attributes:
        name: its target, after the name of its source if the head has that: `m.cu, sm_80`.
        first_line: the number of its first line in the whole text, from 0.
        text: its PTX.
    """

    name: str
    first_line: int
    text: str


class Dump(NamedTuple):
    """The parts of a text.

    Attributes:
        modules: in the order of the text.
        masked: the text with a blank line in place of each line that belongs to no module.
    """

    modules: tuple[DumpedModule, ...]
    masked: str


def dump_begin(lines: Sequence[str]) -> int | None:
    """Returns the number of the line, from 0, on which the output of `cuobjdump` begins.

    Returns None if the lines are not its output.
    """
    for row in range(min(len(lines), _MAX_BLANK)):
        if lines[row].strip():
            return row if _is_head(lines, row) else None
    return None


def dump_in(text: str) -> Dump | None:
    """Returns the parts of a text that `cuobjdump` printed; None for any other text."""
    if not text[:_MAX_SPACE].lstrip().startswith(_STARTS):
        return None
    lines = split_lines(text)
    if dump_begin(lines) is None:
        return None
    heads = [row for row in range(len(lines)) if _is_head(lines, row)]
    masked = [line[content_length(line) :] for line in lines]
    modules = []
    for row, stop in pairwise([*heads, len(lines)]):
        if lines[row].strip() == _PTX:
            begin, properties = _head_at(lines, row)
            modules.append(DumpedModule(_name(properties), begin, "".join(lines[begin:stop])))
            masked[begin:stop] = lines[begin:stop]
    return Dump(tuple(modules), "".join(masked))


def _is_head(lines: Sequence[str], row: int) -> bool:
    """Whether a line begins a section, or names the member of an archive."""
    line = lines[row]
    if not line.startswith(_STARTS):
        return False
    line = line.rstrip()
    if line.startswith(_MEMBER):
        return line.endswith(":")
    rule = lines[row + 1].strip() if row + 1 < len(lines) else ""
    return line.endswith(_END) and rule != "" and not rule.strip("=")


def _head_at(lines: Sequence[str], row: int) -> tuple[int, dict[str, str]]:
    """Returns the first line after the head on a line, and the properties in it."""
    properties = {}
    row += 2
    while row < len(lines) and lines[row].strip() and not lines[row].startswith(_FIRST_OF_PTX):
        name, _, value = lines[row].partition("=")
        properties[name.strip()] = value.strip()
        row += 1
    return row, properties


def _name(properties: dict[str, str]) -> str:
    parts = (properties.get("identifier", ""), properties.get("arch", ""))
    return ", ".join(part for part in parts if part) or "unnamed"
