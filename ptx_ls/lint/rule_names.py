"""The names of the rules: the group and the web address of each. Imports no rule."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ptx_ls.source.site import SITE

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGE: Final = "ptx_ls.lint.rules"
"""The package with a module for each rule, named like it, in a folder for each group."""


@cache
def groups_of_rules() -> Mapping[str, str]:
    """Returns the group of each rule by name: the folder of its module."""
    modules = Path(__file__).with_name("rules").glob("*/[!_]*.py")
    return {it.stem.replace("_", "-"): it.parent.name for it in sorted(modules)}


def group_of(name: str) -> str:
    """Returns the group of the rule with a name."""
    return groups_of_rules()[name]


def rule_url(name: str) -> str:
    """Returns the web address where docs/rules/<name>.md is published."""
    return f"{SITE}/rules/{name}"
