"""Violations by what came with a later version of PTX, or went with one."""

from __future__ import annotations

from ptx_ls.isa import Violation, ViolationKind
from ptx_ls.isa.version import describe_version

_Version = tuple[int, int]


def too_old(version: _Version, since: _Version, note: str = "") -> Violation:
    """Returns the violation by a module's version of what came with a later one."""
    return Violation(
        ViolationKind.VERSION,
        ("opcode",),
        describe_version(version),
        required=f"PTX ISA {describe_version(since)}",
        note=note,
        needs=((since, ()),),
    )


def too_new(version: _Version, until: _Version) -> Violation:
    """Returns the violation by a module's version of what an earlier one removed."""
    required = f"a version before PTX ISA {describe_version(until)}"
    found = describe_version(version)
    return Violation(ViolationKind.REMOVED, ("opcode",), found, required=required)
