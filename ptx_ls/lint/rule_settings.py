"""Which rules are on for a file, and how severe each is."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.rule_index import HAND_WRITTEN_ONLY
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.source import Diagnostic, Severity


_NO_NAMES: Final[frozenset[str]] = frozenset()
OPTIONAL: Final = frozenset({"early-grid-access", "suppression-without-reason"})
"""The rules that are off unless they are selected by their names."""
OFF_BY_DEFAULT: Final = OPTIONAL | HAND_WRITTEN_ONLY
"""The rules that may be off although no setting turns them off."""


class RuleSettings(NamedTuple):
    """The settings of rules for one file, in which everything that concerns the file is resolved.

    Attributes:
        ignored: the names of the rules that are off.
        severities: the severities that replace those of rules, by name in alphabetical order.
        named: the names of the rules that are selected, or have a severity, by their own name;
            these are reported in compiler output as anywhere else.
    """

    ignored: frozenset[str] = OPTIONAL
    severities: tuple[tuple[str, Severity], ...] = ()
    named: frozenset[str] = _NO_NAMES

    def is_on(self, rule: str) -> bool:
        """Whether the rule with a name reports anything."""
        return rule not in self.ignored

    def without(self, rule: str) -> RuleSettings:
        """Returns the same settings, but a rule is off."""
        return self._replace(ignored=self.ignored | {rule})

    @property
    def has_rules(self) -> bool:
        """Whether any rule is on."""
        if self.ignored <= OFF_BY_DEFAULT:
            return True
        from ptx_ls.lint.rule_names import groups_of_rules  # noqa: PLC0415  a formatter needs no rules

        return not self.ignored.issuperset(groups_of_rules())

    def applied(self, diagnostic: Diagnostic) -> Diagnostic:
        """Returns a diagnostic with the severity that is set for its rule."""
        for name, severity in self.severities:
            if name == diagnostic.rule:
                own = diagnostic.own_severity or diagnostic.severity
                return diagnostic._replace(severity=severity, own_severity=own)
        return diagnostic

    def of_module(self, *, is_generated: bool) -> RuleSettings:
        """Returns the settings for a module; `is_generated`: whether a compiler wrote it."""
        return _in_compiler_output(self) if is_generated else self

    @property
    def with_own_severities(self) -> RuleSettings:
        """The same settings, but each rule has its own severity."""
        return self._replace(severities=())

    @property
    def identity(self) -> str:
        """A text that is equal for equal settings, in other processes and sessions, too."""
        severities = [(name, one.value) for name, one in self.severities]
        return repr((sorted(self.ignored), severities, sorted(self.named)))


@lru_cache(maxsize=16)
def _in_compiler_output(settings: RuleSettings) -> RuleSettings:
    off = HAND_WRITTEN_ONLY - settings.named
    return settings._replace(ignored=settings.ignored | off)


DEFAULT_RULES: Final = RuleSettings(OPTIONAL)
"""All rules are on, except optional ones, with their own severities."""


def without_rules() -> RuleSettings:
    """Returns settings in which all rules are off."""
    from ptx_ls.lint.rule_names import groups_of_rules  # noqa: PLC0415  as above

    return RuleSettings(frozenset(groups_of_rules()))
