"""The web addresses of the rules' pages."""

from typing import Final

RULE_PAGES: Final = "https://ptx-ls.readthedocs.io/rules/"
"""The page docs/rules/<rule>.md is published as <rule> below this address."""


def rule_url(rule: str) -> str:
    """Returns the address of the page of a rule."""
    return RULE_PAGES + rule
