"""Finds how certain the fix of a rule is, from the example on its page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import RuleSettings
from ptx_ls.source import Applicability
from tests.support.lint import example_module

if TYPE_CHECKING:
    from ptx_ls.lint.rule import Rule

_EXAMPLE: Final = re.compile(r"```ptx\n(.*?)```", re.DOTALL)


def fix_of(rule: Rule) -> str:
    """Returns the applicability of the most certain fix for a rule's example; "" without a fix."""
    example = _EXAMPLE.search(rule.doc)
    if example is None:
        return ""
    found = lint(Document.read(example_module(example[1])), RuleSettings(frozenset()))
    own = [each for each in found if each.rule == rule.name]
    offered = {fix.applicability for each in own for fix in each.fixes}
    return next((each.value for each in Applicability if each in offered), "")
