"""The versions and targets that a module needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptx_ls.features.requirements.requirements import requirements as found_requirements
from ptx_ls.isa.version import describe_version

if TYPE_CHECKING:
    from ptx_ls.features.requirements.requirements import Least


@dataclass(frozen=True, slots=True)
class NeedReason:
    """A line that needs something that not every version and target has."""

    line: int
    what: str


@dataclass(frozen=True, slots=True)
class ModuleNeeds:
    """The requirements of a module.

    Attributes:
        declared_version: the value of its `.version`, None if it has none.
        declared_target: the first target that it declares, None if it has none.
        version: the lowest version of PTX that has all it uses, None if no known one has.
        target: the oldest target that has all it uses, None if no known one has.
        targets: all such targets, oldest first.
        version_reasons: the lines that need the version.
        target_reasons: the lines that need the target.
    """

    declared_version: str | None
    declared_target: str | None
    version: str | None
    target: str | None
    targets: tuple[str, ...]
    version_reasons: tuple[NeedReason, ...]
    target_reasons: tuple[NeedReason, ...]


def requirements(text: str) -> ModuleNeeds:
    r"""Returns what a module needs; takes several times as long as `check`.

    >>> header = ".version 8.0\n.target sm_90\n"
    >>> needs = requirements(header + ".entry k() { griddepcontrol.wait; }")
    >>> needs.version, needs.target, needs.target_reasons[0].what
    ('7.8', 'sm_90', 'griddepcontrol.wait')
    """
    found = found_requirements(text)
    context = found.context
    version = found.version if found.is_possible else None
    target = found.target if found.is_possible else None
    return ModuleNeeds(
        describe_version(context.version) if context.version else None,
        context.target[0] if context.target else None,
        None if version is None else version.value,
        None if target is None else target.value,
        found.targets,
        _reasons(version),
        _reasons(target),
    )


def _reasons(least: Least | None) -> tuple[NeedReason, ...]:
    if least is None:
        return ()
    return tuple(NeedReason(each.line + 1, each.what) for each in least.forced_by)
