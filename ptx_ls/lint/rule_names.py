"""The names of the rules: the group and the web address of each. Imports no rule."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from ptx_ls.source.site import SITE

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGE: Final = "ptx_ls.lint.rules"
"""The package with a module for each rule, named like it, in a folder for each group."""


@cache
def groups_of_rules() -> Mapping[str, str]:
    """Returns the group of each rule by name: the folder of its module."""
    import importlib  # noqa: PLC0415  most runs need no names
    import pkgutil  # noqa: PLC0415

    package = importlib.import_module(PACKAGE)
    found = {}
    for group in pkgutil.iter_modules(package.__path__):
        folders = [f"{folder}/{group.name}" for folder in package.__path__]
        for module in pkgutil.iter_modules(folders):
            found[module.name.replace("_", "-")] = group.name
    return found


def group_of(name: str) -> str:
    """Returns the group of the rule with a name."""
    return groups_of_rules()[name]


def rule_url(name: str) -> str:
    """Returns the web address where docs/rules/<name>.md is published."""
    return f"{SITE}/rules/{name}"
