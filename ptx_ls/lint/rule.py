"""The registry of rules.

A rule is a function in a module of its own under `rules`. It turns a mismatch, which `semantics`
or the rule's own check found, into a message. Its docstring is its page in the docs.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.lint.check_input import (
    Candidates,
    Check,
    CheckInput,
    Instructions,
    Trigger,
    trigger_name,
)
from ptx_ls.lint.rule_context import RuleContext
from ptx_ls.lint.rule_index import RULES_FOR
from ptx_ls.lint.rule_names import PACKAGE, group_of, rule_url
from ptx_ls.semantics.problems.instructions import (
    InstructionMismatch,
    Unavailable,
)
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.source import Applicability, Severity, Tag, least
from ptx_ls.source.named_tuple import NamedTuple

__all__ = [
    "Applicability",
    "CheckInput",
    "Finding",
    "Instructions",
    "Related",
    "Repair",
    "Rule",
    "RuleContext",
    "SpanEdit",
    "Trigger",
    "related_at",
    "rule",
    "rule_for",
    "rules",
    "triggers_on",
]


class SpanEdit(NamedTuple):
    """A replacement of the text between two places."""

    start: FunctionPosition
    end: FunctionPosition
    text: str


class Repair(NamedTuple):
    """A fix whose positions are relative to the start of its function; see `source.Fix`.

    The title is an imperative, `Insert ...`.
    `header`: new values of `.version` and `.target`.
    """

    title: str
    edits: tuple[SpanEdit, ...] = ()
    applicability: Applicability = Applicability.GUESS
    header: tuple[tuple[str, str], ...] = ()


class Related(NamedTuple):
    """Another place that explains a finding: in the function, or where `name` is declared."""

    start: FunctionPosition
    end: FunctionPosition
    message: str
    name: str = ""


def related_at(span: FunctionSpan | None, message: str) -> tuple[Related, ...]:
    """Returns the place that explains a finding, if there is one."""
    return () if span is None else (Related(*span, message),)


class Finding(NamedTuple):
    """The message of a rule about a mismatch. The range defaults to that of the mismatch.

    `severity` overrides that of the rule. `guesses` finds further repairs on demand. All of these
    are guesses, and do not change the header.
    """

    message: str
    start: FunctionPosition | None = None
    end: FunctionPosition | None = None
    severity: Severity | None = None
    repairs: tuple[Repair, ...] = ()
    related: tuple[Related, ...] = ()
    tags: frozenset[Tag] = frozenset()
    guesses: Callable[[], tuple[Repair, ...]] | None = None


OFF: Final = "off"
"""The explanation of a rule that reports nothing."""
EVERYTHING: Final = Instructions()
"""Selects every function."""


RuleCheck = Callable[[Any, Any], Finding | None]
"""Words a mismatch in a context; rules on comments take None for the context."""


class Rule(NamedTuple):
    """A rule: its name, its severity, and the function that words a mismatch.

    `given`: whether a function may have anything for `find`. `in_compiler_output`: its highest
    severity in compiler output; None if it is off there.
    """

    name: str
    severity: Severity
    check: RuleCheck
    where: Callable[[Any], bool] | None = None
    find: Check | None = None
    looks_at: Instructions = EVERYTHING
    given: Candidates | None = None
    in_compiler_output: Severity | None = Severity.ERROR

    def severity_of(self, finding: Finding, *, is_generated: bool) -> Severity:
        """Returns the severity of a finding of the rule; `is_generated`: in compiler output."""
        own = finding.severity or self.severity
        if not is_generated or self.in_compiler_output is None:
            return own
        return least(own, self.in_compiler_output)

    @property
    def severity_in_compiler_output(self) -> str:
        """The severity in compiler output, or `off`; "" if it is the same as elsewhere."""
        if self.in_compiler_output is None:
            return OFF
        own = least(self.severity, self.in_compiler_output)
        return "" if own is self.severity else own.value

    @property
    def described_severity(self) -> str:
        """The severity, and that in compiler output if it differs."""
        there = self.severity_in_compiler_output
        return f"{self.severity.value}{f' ({there} in compiler output)' if there else ''}"

    @property
    def doc(self) -> str:
        """The page of the rule in Markdown."""
        from inspect import cleandoc  # noqa: PLC0415  slow to import, and rarely needed

        from ptx_ls.lint.protocols.protocol_pictures import with_protocols  # noqa: PLC0415  as above

        return with_protocols(self.name, cleandoc(self.check.__doc__ or ""))

    @property
    def summary(self) -> str:
        """The first line of the rule's page."""
        return (self.check.__doc__ or "").partition("\n")[0]

    @property
    def page(self) -> str:
        """The page with the name, the severity, the group and the address of the rule."""
        about = f"Severity: {self.described_severity}. Group: {self.group}. <{rule_url(self.name)}>"
        return f"# {self.name}\n\n{about}\n\n{self.doc.strip()}\n"

    @property
    def group(self) -> str:
        """The part of the language that the rule is about: `names`, `instructions`, ..."""
        return group_of(self.name)


_by_name: dict[str, Rule] = {}
_by_trigger: dict[Trigger, list[Rule]] = {}
"""The rules of each trigger that are imported; the rule without a predicate comes last."""


def rule(  # noqa: PLR0913  each has a default, and a name at the call
    name: str,
    *,
    on: Trigger | tuple[Trigger, ...],
    where: Callable[[Any], bool] | None = None,
    severity: Severity = Severity.ERROR,
    find: Check | None = None,
    looks_at: Instructions = EVERYTHING,
    given: Candidates | None = None,
    in_compiler_output: Severity | None = Severity.ERROR,
) -> Callable[[RuleCheck], RuleCheck]:
    """Registers a rule for mismatches of a class, or for violations of a kind.

    `where` selects the mismatches of the rule; one rule without it may take the rest.
    `find` is a check that only this rule needs; `./dev docs` lists it in `rule_index.py`.
    `looks_at` selects the functions that `find` is called for, by their instructions.
    `given` selects among these. The module of the rule is imported for the first such function, so
    `given` is in another one; it has to return the same for the same function.
    `in_compiler_output` limits the severity in compiler output. None: the rule is off there,
    unless settings name it; only a rule with a check of its own may be.
    Raises ValueError if a name or a trigger is taken, or a rule without a check is off somewhere.
    """
    if in_compiler_output is None and find is None:
        msg = f"rule {name} has no check, so it cannot be off in compiler output"
        raise ValueError(msg)
    triggers = on if isinstance(on, tuple) else (on,)

    def register(check: RuleCheck) -> RuleCheck:
        made = Rule(name, severity, check, where, find, looks_at, given, in_compiler_output)
        if name in _by_name:
            msg = f"rule {name} is already registered"
            raise ValueError(msg)
        for trigger in triggers:
            _listen(trigger, made)
        _by_name[name] = made
        return check

    return register


def _listen(trigger: Trigger, made: Rule) -> None:
    others = _by_trigger.setdefault(trigger, [])
    if made.where is None and others and others[-1].where is None:
        msg = f"{trigger} already has the rule {others[-1].name}, so {made.name} needs a predicate"
        raise ValueError(msg)
    others.append(made)
    # The order must not depend on that of the imports; rules with a predicate are asked first.
    others.sort(key=lambda each: each.check.__module__, reverse=True)
    others.sort(key=lambda each: each.where is None)


@cache
def _load() -> None:
    import pkgutil  # noqa: PLC0415  correct code needs no list of all rules

    package = importlib.import_module(PACKAGE)
    found = pkgutil.walk_packages(package.__path__, f"{PACKAGE}.")
    for module in sorted(info.name for info in found):
        importlib.import_module(module)


@cache
def _load_for(trigger: str) -> None:
    """Imports the rules of a trigger: a file with a mistake needs few of all rules."""
    for module in RULES_FOR.get(trigger, ()):
        importlib.import_module(module)


def rules() -> Mapping[str, Rule]:
    """Returns all rules by name, in alphabetical order."""
    _load()
    return dict(sorted(_by_name.items()))


@cache
def check_of(name: str, module: str) -> Check:
    """Returns the check of a rule that a module registers."""
    importlib.import_module(module)
    find = _by_name[name].find
    if find is None:
        msg = f"rule {name} has no check, so rule_index.py is out of date"
        raise ValueError(msg)
    return find


def listeners() -> Mapping[Trigger, tuple[Rule, ...]]:
    """Returns the rules of each trigger."""
    _load()
    return {trigger: tuple(heard) for trigger, heard in _by_trigger.items()}


def triggers_on(ignored: frozenset[str]) -> frozenset[Trigger]:
    """Returns the triggers of all rules that are not ignored."""
    return frozenset(
        trigger
        for trigger, heard in listeners().items()
        if any(made.name not in ignored for made in heard)
    )


def rule_for(mismatch: Mismatch) -> Rule | None:
    """Returns the rule for a mismatch; None if there is none."""
    trigger: Trigger = type(mismatch)
    if isinstance(mismatch, InstructionMismatch | Unavailable):
        trigger = mismatch.violation.kind
    _load_for(trigger_name(trigger))
    for candidate in _by_trigger.get(trigger, ()):
        if candidate.where is None or candidate.where(mismatch):
            return candidate
    return None
