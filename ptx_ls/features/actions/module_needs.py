"""Sets `.version` or `.target` to the lowest one that the module needs.

Source: PTX ISA, "PTX Module Directives: .version" and ".target".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.statements import statement_at
from ptx_ls.features.actions.action import Action, ActionKind
from ptx_ls.isa.version import describe_target, describe_version, module_target, parse_version
from ptx_ls.semantics.directives.header import header_places
from ptx_ls.source import Range, TextEdit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.features.requirements.requirements import Least, Requirements
    from ptx_ls.semantics.analysis import Analysis

VERSION: Final = ".version"
TARGET: Final = ".target"
_GUESSES: Final = {
    VERSION: "Find the lowest `.version` that the module needs, and set it",
    TARGET: "Find the oldest `.target` that supports the module, and set it",
}


def directive_at(analysis: Analysis, selection: Range) -> str:
    """Returns `.version` or `.target` if the cursor is at that directive of the header, else ""."""
    statement = statement_at(analysis.document, selection.start)
    if statement is None:
        return ""
    for name, place in header_places(analysis.document.leaf(0)).items():
        if statement.start <= place.start and place.end <= statement.end:
            return name
    return ""


def guess(name: str) -> str:
    """Returns the title of the change before the requirements of the module are known."""
    return _GUESSES[name]


def choices(analysis: Analysis, needed: Requirements, name: str) -> Iterator[Action]:
    """Yields the change of a directive of the header to what the module needs, if they differ."""
    if not needed.is_possible:
        return
    found = _version(needed) if name == VERSION else _target(needed)
    if found is None:
        return
    title, values = found
    places = header_places(analysis.document.leaf(0))
    if any(each not in places for each in values):
        return
    edits = [TextEdit(places[each], value) for each, value in values.items()]
    yield Action(title, ActionKind.REWRITE, lambda: edits)


def _version(needed: Requirements) -> tuple[str, dict[str, str]] | None:
    declared, least = needed.context.version, needed.version_of_target
    if declared is None or least is None or parse_version(least.value) == declared:
        return None
    is_lower = parse_version(least.value) < declared
    verb = "Lower" if is_lower else "Raise"
    title = f"{verb} `.version` from {describe_version(declared)} to {least.value}"
    why = _why(least) or f"the first that has `{needed.context.target[0]}`"
    return f"{title}: {why}", {VERSION: least.value}


def _target(needed: Requirements) -> tuple[str, dict[str, str]] | None:
    own, version = module_target(needed.context.target), needed.context.version
    if own is None or version is None or not needed.target.value:
        return None
    oldest = min(target for _, target in needed.cells)
    if oldest == own or describe_target(own) == needed.target.value:
        return None
    values = {TARGET: needed.target.value}
    is_known = any(name in isa.database().targets for name in needed.context.target)
    verb = "Set" if not is_known else "Lower" if oldest < own else "Raise"
    title = f"{verb} `.target` to {needed.target.value}"
    known = sorted(number for number, target in needed.cells if target == oldest)
    if version not in known:
        newer = [number for number in known if number > version]
        values[VERSION] = describe_version(newer[0] if newer else known[-1])
        title += f" and `.version` to {values[VERSION]}"
    return f"{title}: {_why(needed.target) or 'nothing in the module needs a newer one'}", values


def _why(least: Least) -> str:
    """Returns the reason for a value: the first demand, and the number of others."""
    if not least.forced_by:
        return ""
    first = min(least.forced_by, key=lambda demand: demand.line)
    n_more = len(least.forced_by) - 1
    more = f" and {n_more} more" if n_more else ""
    need = "need" if n_more else "needs"
    return f"`{first.what}` on line {first.line + 1}{more} {need} this"
