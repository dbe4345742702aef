"""Reads the resources of functions that ptxas reports with `-v`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final

_COMPILING: Final = re.compile(r"Compiling entry function '(?P<name>[^']*)'")
_PROPERTIES: Final = re.compile(r"Function properties for '?(?P<name>[^\s']+)")
_STACK: Final = re.compile(
    r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads"
)
_REGISTERS: Final = re.compile(r"Used (\d+) registers")
_BARRIERS: Final = re.compile(r"used (\d+) barriers")
_BYTES: Final = re.compile(r"(\d+)(?:\+(\d+))? bytes (smem|lmem|cmem\[\d+\])")

_USAGE: Final = re.compile(
    r"Compiling entry function|Function properties for|Used \d+|Compile time|\d+ bytes gmem|"
    r"\d+ bytes cmem"
)


@dataclass(frozen=True, slots=True)
class ResourceUsage:
    """The resources of one function; memory in bytes.

    `constant`: by the number of the bank. `registers`: None if ptxas reports none, as for functions
    that are not kernels.
    """

    name: str
    is_kernel: bool
    registers: int | None = None
    barriers: int = 0
    stack: int = 0
    spill_stores: int = 0
    spill_loads: int = 0
    shared: int = 0
    local: int = 0
    constant: dict[int, int] = field(default_factory=dict)


def is_usage(text: str) -> bool:
    """Whether a message only reports resources."""
    return _USAGE.match(text) is not None


def usages(output: str) -> list[ResourceUsage]:
    """Returns the resources in the output of ptxas, in its order."""
    found: list[ResourceUsage] = []
    kernels: set[str] = set()
    for line in output.splitlines():
        if match := _COMPILING.search(line):
            kernels.add(match["name"])
        elif match := _PROPERTIES.search(line):
            found.append(ResourceUsage(match["name"], match["name"] in kernels))
        elif found and (match := _STACK.search(line)):
            stack, stores, loads = map(int, match.groups())
            found[-1] = replace(found[-1], stack=stack, spill_stores=stores, spill_loads=loads)
        elif found and (match := _REGISTERS.search(line)):
            found[-1] = _used(found[-1], int(match[1]), line)
    return found


def _used(usage: ResourceUsage, registers: int, line: str) -> ResourceUsage:
    barriers = _BARRIERS.search(line)
    sizes = {kind: int(first) + int(more or 0) for first, more, kind in _BYTES.findall(line)}
    return replace(
        usage,
        registers=registers,
        barriers=int(barriers[1]) if barriers else 0,
        shared=sizes.pop("smem", 0),
        local=sizes.pop("lmem", 0),
        constant={int(kind[5:-1]): size for kind, size in sizes.items()},
    )
