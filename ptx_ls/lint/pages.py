"""Where the pages of the rules are published."""

from typing import Final

RULE_PAGES: Final = "https://ptx-ls.readthedocs.io/rules/"
"""docs/rules/<rule>.md is <rule> below this address."""


def rule_url(rule: str) -> str:
    """Address of the page of a rule."""
    return RULE_PAGES + rule
