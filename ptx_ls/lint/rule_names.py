"""The names of the rules: the group and the web address of each. Imports no rule."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from ptx_ls.source.site import SITE

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGE: Final = "ptx_ls.lint.rules"
"""The package with a module for each rule, named like it, in a folder for each group."""

_GROUPS: Final = {
    "async_copies": "async",
    "async_protocols": "async",
    "memory_performance": "memory-performance",
}
"""The groups of folders with another name: a package cannot be named `async`, or with a hyphen."""


@cache
def groups_of_rules() -> Mapping[str, str]:
    """Returns the group of each rule by name: the folder of its module."""
    from pathlib import Path  # noqa: PLC0415  most runs need no list of all rules

    modules = Path(__file__).with_name("rules").glob("*/[!_]*.py")
    return {it.stem.replace("_", "-"): _group(it.parent.name) for it in sorted(modules)}


def _group(folder: str) -> str:
    return _GROUPS.get(folder, folder)


def group_of_module(module: str) -> str:
    """Returns the group of the rule in a module."""
    return _group(module.split(".")[-2])


def group_of(name: str) -> str:
    """Returns the group of the rule with a name."""
    return groups_of_rules()[name]


def rule_url(name: str) -> str:
    """Returns the web address where docs/rules/<name>.md is published."""
    return f"{SITE}/rules/{name}"
