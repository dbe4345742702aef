"""Describes what a module needs: as values for JSON, and as lines for a terminal or a hover."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ptx_ls import isa
from ptx_ls.isa.version import (
    describe_needs,
    describe_target,
    describe_version,
    module_target,
    parse_target,
    parse_version,
    runs_on,
)
from ptx_ls.source.english import inflected, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.features.requirements.requirements import Least, Requirements
    from ptx_ls.semantics.instructions.feature_requirements import Demand

_MAX_LISTED_LINES: Final = 5
"""Maximum number of lines that are listed for one requirement."""


def as_facts(found: Requirements) -> dict[str, Any]:
    """Returns everything as JSON; line numbers start at 1."""
    context = found.context
    own = found.version_of_target
    return {
        "declared": {
            "version": describe_version(context.version) if context.version else None,
            "target": context.target[0] if context.target else None,
        },
        "version_for_target": _facts(own) if own else None,
        "version": _version_facts(found.version) if found.is_possible else None,
        "target": _facts(found.target) if found.is_possible else None,
        "targets": list(found.targets),
        "locked_to": _facts(found.lock) if found.lock else None,
    }


def _facts(least: Least) -> dict[str, Any]:
    return {"value": least.value, "forced_by": as_lines(least.forced_by)}


def _version_facts(least: Least) -> dict[str, Any]:
    entry = isa.database().versions[parse_version(least.value)]
    return {**_facts(least), "cuda": entry.release, "driver": entry.linux or entry.driver or None}


def as_lines(forcing: Sequence[Demand]) -> list[dict[str, Any]]:
    """Returns demands as JSON; line numbers start at 1."""
    return [{"line": demand.line + 1, "what": demand.what} for demand in forcing]


def summary(found: Requirements) -> str:
    """Returns one line: what the module needs, and what it declares."""
    if not found.is_possible:
        return "uses features that no version and target support together"
    context, own = found.context, found.version_of_target
    target = context.target[0] if context.target else ""
    if own is None:
        oldest = f"needs `{found.target.value}`{_newer(found)}"
        if not target:
            return f"{oldest}, but declares no known target"
        is_known = target in isa.database().targets
        return f"{oldest}, but declares {'' if is_known else 'the unknown '}`{target}`"
    declared = describe_version(context.version) if context.version else ""
    needed = f"needs PTX ISA {own.value} for `{target}`"
    return f"{needed}, and declares {declared}" if declared and declared != own.value else needed


def details(found: Requirements) -> Iterator[str]:
    """Yields lines on what forces the lowest version and target; lists are indented."""
    if not found.is_possible:
        yield "conflicting features:"
        yield from _listed(found.conflict)
        return
    own = found.version_of_target
    if own is not None and own.value != found.version.value:
        name = found.context.target[0]
        lowest = f"PTX ISA {own.value} ({release(own.value)})"
        yield f"lowest version for `{name}`: {lowest}{_why(own, name)}"
        yield from _listed(own.forced_by)
    lowest = f"PTX ISA {found.version.value} ({release(found.version.value)})"
    yield f"lowest version for any target: {lowest}{_why(found.version, '')}"
    yield from _listed(found.version.forced_by)
    yield f"oldest target: `{found.target.value}`"
    yield from _listed(found.target.forced_by)
    if found.lock is not None:
        yield f"runs only on {_only_on(found)}"
        if found.lock.forced_by != found.target.forced_by:
            yield from _listed(found.lock.forced_by)
    elif own_target := _needlessly_limited(found):
        limit = f"nothing in the module needs `{own_target}`"
        plain = own_target.rstrip("af")
        yield f"{limit}: with `{plain}`, the module also runs on newer devices"


def obstacles(found: Requirements, version: str | None, target: str | None) -> list[Demand]:
    """Returns the demands that a version, a target or both do not meet, in the order of the lines.

    Raises ValueError if one of them is unknown.
    """
    number = None
    if version is not None:
        number = parse_version(version)
        if number not in isa.database().versions:
            raise ValueError(version)
    architecture = module_target((target,)) if target else None
    if target is not None and (architecture is None or target not in isa.database().targets):
        raise ValueError(target)
    return sorted(found.lacking(number, architecture), key=lambda demand: demand.line)


def release(version: str) -> str:
    """Returns the CUDA release and driver that introduced a version: "CUDA 11.0, driver 450"."""
    entry = isa.database().versions[parse_version(version)]
    driver = entry.linux or entry.driver
    return f"{entry.release}, driver {driver}" if driver else entry.release


def needed_by(demand: Demand) -> str:
    """Returns what a demand requires: "PTX ISA 7.0 and sm_80 or newer"."""
    cells = {
        (max((r[0] for gate in need.gates for r in gate.requirements), default=(1, 0)),
         max((min(r[1]) for gate in need.gates for r in gate.requirements if r[1]),
             default=(0, "")))
        for need in demand.needs
    }  # fmt: skip
    version, target = min(cells)
    return describe_needs([(version, (target,) if target[0] else ())])


def _why(least: Least, target: str) -> str:
    if least.forced_by:
        return ", because of"
    return (
        f", the first that has `{target}`" if target else ", the first that has a suitable target"
    )


def _only_on(found: Requirements) -> str:
    """Describes the targets that have everything; omits those that others of them imply."""
    targets = [target for name in found.targets if (target := parse_target(name)) is not None]
    least = [
        target
        for target in targets
        if not any(other != target and runs_on(target, other) for other in targets)
    ]
    families = [f"`{describe_target(target)}`" for target in least if target[1] == "f"]
    own = [f"`{describe_target(target)}`" for target in least if target[1] != "f"]
    if families:
        noun = inflected("the family", len(families), "the families")
        own.append(f"{noun} {listed(families, 'and')}")
    return listed(own, "and")


def _needlessly_limited(found: Requirements) -> str:
    """Returns the module's target if its limitation to an architecture is unnecessary; else ""."""
    target = module_target(found.context.target)
    plain = target is not None and (target[0], "") in {target for _, target in found.cells}
    return describe_target(target) if target is not None and target[1] and plain else ""


def _newer(found: Requirements) -> str:
    return " or newer" if found.lock is None else ""


def _listed(forcing: Sequence[Demand]) -> Iterator[str]:
    for demand in forcing[:_MAX_LISTED_LINES]:
        yield f"  line {demand.line + 1}: `{demand.what}`"
    if len(forcing) > _MAX_LISTED_LINES:
        yield f"  and {len(forcing) - _MAX_LISTED_LINES} more"
