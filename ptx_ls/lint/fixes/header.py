"""Fixes that raise a module's `.version` or `.target` to what it uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.isa.version import describe_target, describe_version, module_target, runs_on
from ptx_ls.lint.rule import Repair

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa import Context, Violation
    from ptx_ls.lint.rule import RuleContext

_Choice = tuple[tuple[int, int], str]
"""A version and the name of a target."""


def raising(violation: Violation, context: RuleContext) -> tuple[Repair, ...]:
    """Returns the smallest change: to the nearest version and target that have the feature.

    The header's target is not changed if another target overrides it.
    """
    present = context.isa_context
    if present.version is None:
        return ()
    choices = sorted(_choices(violation, present), key=lambda choice: _distance(choice, present))
    if context.is_target_changed:
        choices = [(version, name) for version, name in choices if name in present.target]
    return tuple(_repair(choice, present) for choice in choices[:1])


def _choices(violation: Violation, context: Context) -> Iterator[_Choice]:
    """Yields versions and targets, neither older than the module's."""
    present = module_target(context.target)
    known = isa.database().targets
    for version, targets in violation.needs:
        if present is None or not targets or any(runs_on(present, target) for target in targets):
            name = context.target[0] if context.target else ""
            yield max(version, context.version or version), name
            continue
        for target in targets:
            name = describe_target(target)
            if name in known and target[0] >= present[0]:
                yield max(version, known[name].since, context.version or version), name


def _distance(choice: _Choice, context: Context) -> tuple[int, tuple[int, int], str]:
    version, name = choice
    present, target = module_target(context.target), isa.parse_target(name)
    n_steps = target[0] - present[0] if present is not None and target is not None else 0
    return n_steps, version, name


def _repair(choice: _Choice, context: Context) -> Repair:
    version, name = choice
    header: list[tuple[str, str]] = []
    if version != context.version:
        header.append((".version", describe_version(version)))
    if name and name != context.target[0]:
        header.append((".target", name))
    title = " and ".join(f"`{directive}` to {value}" for directive, value in header)
    return Repair(f"Raise {title}", header=tuple(header))
