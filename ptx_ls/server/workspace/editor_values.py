"""The settings of the editor that a configuration file can set, too, as values of such a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ptx_ls.files.configuration.keys import FORMAT, LINT
from ptx_ls.files.configuration.kinds import InvalidValueError, require_rule
from ptx_ls.files.configuration.reading import Values
from ptx_ls.formatting import FormatStyle
from ptx_ls.server.client_state.settings import SECTION
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.server.client_state.settings import Settings

_DEFAULT_STYLE: Final = FormatStyle()


class EditorValues(NamedTuple):
    """The values that an editor sets, by key; those that equal the default are not set.

    Many editors send the defaults of all settings, so a default cannot mean that the user wants it.
    """

    lint: tuple[tuple[str, Any], ...] = ()
    format: tuple[tuple[str, Any], ...] = ()

    @property
    def given(self) -> Values | None:
        """The values in the form of a configuration file; None if nothing is set."""
        if not self.lint and not self.format:
            return None
        lint = dict(self.lint)
        if "severity" in lint:
            lint["severity"] = dict(lint["severity"])
        return Values("", {LINT.name: lint, FORMAT.name: dict(self.format)})


def values_of(settings: Settings) -> tuple[EditorValues, list[str]]:
    """Returns the values of settings, and a message for each name that selects no rule."""
    problems: list[str] = []
    by_name = dict(settings.rule_severities.by_name)
    severities = _known("severity", by_name, problems)
    lint = (
        ("extend-select", _known("extendSelect", settings.selected_rules, problems)),
        ("ignore", _known("ignore", settings.ignored_rules, problems)),
        ("severity", tuple((name, by_name[name]) for name in severities)),
    )
    style = tuple(
        (name.replace("_", "-"), value)
        for name, value in settings.style._asdict().items()
        if value != getattr(_DEFAULT_STYLE, name)
    )
    return EditorValues(tuple(each for each in lint if each[1]), style), problems


def _known(key: str, names: Iterable[str], problems: list[str]) -> tuple[str, ...]:
    """Returns those names that select rules."""
    found: list[str] = []
    for name in sorted(names):
        try:
            require_rule(name)
        except InvalidValueError as error:
            problems.append(f"the setting `{SECTION}.lint.{key}` takes {error}")
        else:
            found.append(name)
    return tuple(found)
