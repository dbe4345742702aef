"""Checks what a rule reports of the example on its page after an edit."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule import rules
from ptx_ls.lint.rule_settings import RuleSettings


def check_edit(rule: str, old: str, new: str, *reported: str) -> None:
    """Fails unless a rule reports one thing for each of `reported`, which the message has.

    `old`: a text that the example has; `new`: what replaces it.
    """
    example = rules()[rule].doc.split("```ptx\n")[1].partition("```")[0]
    assert old in example
    off = frozenset(rules()) - {rule}
    found = lint(Document.read(example.replace(old, new)), RuleSettings(off))
    assert len(found) == len(reported), [each.message for each in found]
    for each, part in zip(found, reported, strict=True):
        assert part in each.message
