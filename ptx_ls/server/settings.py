"""What the user can set, and how it is read from what an editor sends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECTION: Final = "ptx"


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the server; in the editor's configuration their names begin with `ptx.`.

    Attributes:
        ignored_rules: `lint.ignore`, names of rules that are not to report anything.
        diagnostics_delay: `diagnostics.delay`, milliseconds without an edit before rules run.
        diagnostics_limit: `diagnostics.limit`, the most diagnostics shown for one document.
    """

    ignored_rules: frozenset[str] = frozenset()
    diagnostics_delay: int = 150
    diagnostics_limit: int = 1000


def read(sent: object) -> tuple[Settings, list[str]]:
    """Reads what an editor sent: `{"diagnostics": {"delay": 150}}`, alone or within `ptx`.

    What is wrong keeps its default, and the second result says so, in one sentence each.
    """
    settings, problems = Settings(), []
    if isinstance(sent, dict) and isinstance(sent.get(SECTION), dict):
        sent = sent[SECTION]
    for key, value in _flat(sent, ""):
        if key not in _SETTINGS:
            problems.append(f"there is no setting `{SECTION}.{key}`")
            continue
        field, parse = _SETTINGS[key]
        try:
            settings = replace(settings, **{field: parse(value)})
        except ValueError as error:
            problems.append(f"the setting `{SECTION}.{key}` has to be {error}")
    return settings, problems


def _flat(value: object, path: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{path}.{key}" if path else str(key))
    elif path and value is not None:
        yield path, value


def _names(value: object) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError("a list of names of rules")
    return frozenset(value)


def _number_from(least: int) -> Callable[[object], int]:
    def parse(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ValueError(f"a whole number, at least {least}")
        return value

    return parse


_SETTINGS: Final[dict[str, tuple[str, Callable[[object], Any]]]] = {
    "lint.ignore": ("ignored_rules", _names),
    "diagnostics.delay": ("diagnostics_delay", _number_from(0)),
    "diagnostics.limit": ("diagnostics_limit", _number_from(1)),
}
