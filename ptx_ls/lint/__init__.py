"""Lint: the rules, and the engine that applies them to a document.

`lint` checks a document once, `LintSession` while it is edited; `ptx_ls.lint.rule` lists what is
checked. Importing this imports nothing that can check, because a run that finds its results in the
cache checks nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ptx_ls.lint.rule import Rule
    from ptx_ls.lint.session import LintSession, lint
    from ptx_ls.lint.task import LintTask

__all__ = ["LintSession", "LintTask", "Rule", "lint"]

_MODULES: Final = {"LintSession": "session", "LintTask": "task", "Rule": "rule", "lint": "session"}


def __getattr__(name: str) -> object:
    """Returns a name of the interface.

    Raises:
        AttributeError: if it has no such name.
    """
    if name not in _MODULES:
        raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
    from importlib import import_module  # noqa: PLC0415  only who checks needs it

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
