"""Writes the index of rules with a check of their own: a lint run imports only these modules."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ptx_ls import lint
from ptx_ls.lint import rule as registry

PATH: Final = Path(registry.__file__).with_name("rule_index.py")
_HEAD: Final = '''"""Rules with a check of their own; written by `./dev docs` from the rules.

Each entry has the name of the rule, its module, and the opcodes that the check is for. Without
opcodes, the check is called for all functions.
"""

from __future__ import annotations

from typing import Final

CHECKS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
'''


def index() -> str:
    """Returns the text of the module."""
    rows = [_row(rule) for rule in registry.rules().values() if rule.find is not None]
    return f"{_HEAD}{''.join(rows)})\n"


def _row(rule: lint.Rule) -> str:
    opcodes = "".join(f"{_quoted(each)}, " for each in rule.looks_at.opcodes).rstrip()
    parts = _quoted(rule.name), _quoted(rule.check.__module__), f"({opcodes})"
    return "    (\n" + "".join(f"        {each},\n" for each in parts) + "    ),\n"


def _quoted(text: str) -> str:
    return f'"{text}"'
