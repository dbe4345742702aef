"""The differences of what two modules need: the lowest version and the oldest target."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ptx_ls.comparison.result import FactChange
from ptx_ls.features.requirements.requirements import requirements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.cli.diffs.report import FileDifference
    from ptx_ls.features.requirements.requirements import Least, Requirements


def with_needs(found: FileDifference, old: str, new: str) -> FileDifference:
    """Returns the differences of two files with those of what their texts need."""
    needs = _differences(requirements(old), requirements(new))
    return replace(found, facts=[*found.facts, *needs])


def _differences(old: Requirements, new: Requirements) -> Iterator[FactChange]:
    for name in ("version", "target"):
        before, after = (_described(name, each) for each in (old, new))
        if before != after:
            yield FactChange(f"needed {name}", before, after)


def _described(name: str, found: Requirements) -> str:
    """Returns the lowest version or target of a module, and the first line that needs it."""
    if not found.is_possible:
        return f"no known {name}"
    least: Least = getattr(found, name)
    reasons = [f"`{one.what}`, line {one.line + 1}" for one in least.forced_by[:1]]
    return f"{least.value} ({reasons[0]})" if reasons else least.value
