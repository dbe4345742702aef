"""The registry of rules.

A rule is a function in a module of its own under `rules`. It takes one mismatch, a fact that
`semantics` found and worded in no way, and words it. Its docstring is its page in the docs.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ptx_ls.isa import ViolationKind
from ptx_ls.semantics.mismatch import InstructionMismatch, Mismatch
from ptx_ls.source import Severity, Tag

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols import Symbol

Place = tuple[int, int]
"""(line, column in code points); lines relative to the region."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of the text between two places."""

    start: Place
    end: Place
    text: str


@dataclass(frozen=True, slots=True)
class Repair:
    """A fix before it knows where its region stands; see `source.Fix`."""

    title: str
    edits: tuple[Edit, ...]
    is_certain: bool = False


@dataclass(frozen=True, slots=True)
class Related:
    """Another place in the region that explains a finding."""

    start: Place
    end: Place
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule says of a mismatch. The range is the mismatch's own if it is not given.

    `severity` overrides the rule's own, for what ptxas accepts.
    """

    message: str
    start: Place | None = None
    end: Place | None = None
    severity: Severity | None = None
    repairs: tuple[Repair, ...] = ()
    related: tuple[Related, ...] = ()
    tags: frozenset[Tag] = frozenset()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a rule may look at beside the mismatch: the module's context and names in sight."""

    context: Context
    registers: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    module_symbols: Mapping[str, Symbol] | None = None


Check = "Callable[[Any, Surroundings], Finding | None]"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its name, its severity, the first line of its page and the page in Markdown."""

    name: str
    severity: Severity
    summary: str
    doc: str
    check: Callable[[Any, Surroundings], Finding | None]


_by_name: dict[str, Rule] = {}
_by_trigger: dict[type[Any] | ViolationKind, Rule] = {}


def rule(
    name: str,
    *,
    on: type[Any] | ViolationKind | tuple[type[Any] | ViolationKind, ...],
    severity: Severity = Severity.ERROR,
) -> Callable[
    [Callable[[Any, Surroundings], Finding | None]], Callable[[Any, Surroundings], Finding | None]
]:
    """Registers a rule for mismatches of a class, or for violations of a kind.

    Raises ValueError where a name or a trigger is taken.
    """
    triggers = on if isinstance(on, tuple) else (on,)

    def register(
        check: Callable[[Any, Surroundings], Finding | None],
    ) -> Callable[[Any, Surroundings], Finding | None]:
        doc = inspect.cleandoc(check.__doc__ or "")
        made = Rule(name, severity, doc.partition("\n")[0], doc, check)
        if name in _by_name or any(trigger in _by_trigger for trigger in triggers):
            msg = f"rule {name} or one of its triggers is registered already"
            raise ValueError(msg)
        _by_name[name] = made
        _by_trigger.update(dict.fromkeys(triggers, made))
        return check

    return register


@cache
def _load() -> None:
    package = importlib.import_module("ptx_ls.lint.rules")
    for module in sorted(info.name for info in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"{package.__name__}.{module}")


def rules() -> Mapping[str, Rule]:
    """All rules by name, in alphabetical order."""
    _load()
    return dict(sorted(_by_name.items()))


def rule_for(mismatch: Mismatch) -> Rule | None:
    """The rule that words a mismatch; None if no rule wants it."""
    _load()
    if isinstance(mismatch, InstructionMismatch):
        return _by_trigger.get(mismatch.violation.kind)
    return _by_trigger.get(type(mismatch))
