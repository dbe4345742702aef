"""Violations for features that the module's version does not have yet, or no longer has."""

from __future__ import annotations

from ptx_ls.isa import Violation, ViolationKind
from ptx_ls.isa.version import describe_version

_Version = tuple[int, int]


def too_old(version: _Version, since: _Version, note: str = "") -> Violation:
    """Returns the violation for a feature that is newer than the module's version."""
    return Violation(
        ViolationKind.VERSION,
        ("opcode",),
        describe_version(version),
        required=f"PTX ISA {describe_version(since)}",
        note=note,
        needs=((since, ()),),
    )


def too_new(until: _Version) -> Violation:
    """Returns the violation for a feature that a version up to the module's has removed."""
    required = f"a version before PTX ISA {describe_version(until)}"
    found = f"in PTX ISA {describe_version(until)}"
    return Violation(ViolationKind.REMOVED, ("opcode",), found, required=required)
