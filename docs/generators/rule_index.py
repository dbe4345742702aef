"""Writes the index of rules with a check of their own: a lint run imports only these modules."""

from __future__ import annotations

from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ptx_ls import lint
from ptx_ls.lint import rule as registry
from ptx_ls.lint.causes.relations import with_causes
from ptx_ls.lint.check_input import trigger_name
from ptx_ls.lint.shared_checks import SHARED_CHECKS

if TYPE_CHECKING:
    from collections.abc import Iterable

_MAX_LINE: Final = 101
PATH: Final = Path(registry.__file__).with_name("rule_index.py")
_HEAD: Final = '''"""Rules with a check of their own; written by `./dev docs` from the rules.

Each entry has the name of the rule, its module, the instructions that the check is for, and the
function that says whether there may be anything to report. Without instructions, the check is for
all functions. `RULES_FOR` has the modules of the rules for a class or a kind of mismatch.
`NEEDED_BY` has the rules that need what a shared check finds: they word it, or what
may follow from it. All rules need what is missing there.
"""

from __future__ import annotations

from typing import Final

'''
_OFF: Final = '''HAND_WRITTEN_ONLY: Final[frozenset[str]] = frozenset(
    (
{}    )
)
"""The rules that are off in compiler output, unless settings name them."""
'''
_LINE: Final = 100
"""Maximum number of characters of a line."""
_WIDTH: Final = 100 - len("        ,")
_CHECKS: Final = "CHECKS: Final[tuple[tuple[str, str, tuple[str, ...], str], ...]] = (\n"
_NEEDED_BY: Final = """
NEEDED_BY: Final[dict[str, tuple[str, ...]]] = {
"""


_RULES_FOR: Final = """
RULES_FOR: Final[dict[str, tuple[str, ...]]] = {
"""


def index() -> str:
    """Returns the text of the module."""
    rules = registry.rules().values()
    off = [f"        {_quoted(each.name)},\n" for each in rules if each.in_compiler_output is None]
    rows = [_row(rule) for rule in rules if rule.find is not None]
    needed = "".join(starmap(_entry, _needed_by().items()))
    modules = "".join(starmap(_entry, sorted(_modules().items())))
    checks = f"{_CHECKS}{''.join(rows)})\n"
    tables = f"{_RULES_FOR}{modules}}}\n{_NEEDED_BY}{needed}}}\n"
    return f"{_HEAD}{_OFF.format(''.join(off))}{checks}{tables}"


def _modules() -> dict[str, list[str]]:
    """Returns the modules of the rules that word each kind of mismatch."""
    return {
        trigger_name(trigger): [rule.check.__module__ for rule in heard]
        for trigger, heard in registry.listeners().items()
    }


def _needed_by() -> dict[str, list[str]]:
    """Returns the rules that need each kind of mismatch, except for those that all rules need."""
    rules = registry.rules()
    wanted = {
        name: {*map(trigger_name, with_causes(registry.triggers_on(frozenset(rules) - {name})))}
        for name in rules
    }
    found = sorted({name for check in SHARED_CHECKS for name in check.finds})
    needed = {name: [rule for rule in rules if name in wanted[rule]] for name in found}
    return {name: by for name, by in needed.items() if len(by) < len(rules)}


def _row(rule: lint.Rule) -> str:
    given = "" if rule.given is None else f"{rule.given.__module__}.{rule.given.__qualname__}"
    parts = (
        _quoted(rule.name),
        _quoted(rule.check.__module__),
        _opcodes(rule.looks_at.opcodes),
        _quoted(given),
    )
    line = f"    ({', '.join(parts)}),"
    if len(line) <= _LINE and "\n" not in line:
        return f"{line}\n"
    return "    (\n" + "".join(f"        {each},\n" for each in parts) + "    ),\n"


def _opcodes(names: tuple[str, ...]) -> str:
    """Returns a tuple as the formatter writes it: on one line, or with a line for each item."""
    line = _tuple(names)
    if len(names) > 1:
        line = f"{line[:-2]})"
    if len(line) <= _WIDTH:
        return line
    return "(\n" + "".join(f"            {_quoted(each)},\n" for each in names) + "        )"


def _entry(name: str, by: list[str]) -> str:
    line = f"    {_quoted(name)}: {_tuple(by)},\n"
    if len(line) <= _MAX_LINE:
        return line
    rows = "".join(f"        {_quoted(each)},\n" for each in by)
    return f"    {_quoted(name)}: (\n{rows}    ),\n"


def _tuple(texts: Iterable[str]) -> str:
    return f"({''.join(f'{_quoted(each)}, ' for each in texts).rstrip()})"


def _quoted(text: str) -> str:
    return f'"{text}"'
