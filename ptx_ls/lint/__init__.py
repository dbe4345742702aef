"""Lint: the rules, and the engine that applies them to a document.

`lint` checks a document once, `LintSession` while it is edited; `rules` lists what is checked.
"""

import ptx_ls.lint.rules  # noqa: F401  # first: loaded later, the package would hide the function
from ptx_ls.lint.rule import Rule, rules
from ptx_ls.lint.session import LintSession, lint
from ptx_ls.lint.work import LintWork

__all__ = ["LintSession", "LintWork", "Rule", "lint", "rules"]
