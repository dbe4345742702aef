"""Protocols of asynchronous instructions, as their files in `data` define them.

A protocol has the states that one operation goes through, the steps between them, and the uses that
are wrong in some states. Its file is also the source of its page in the docs.
"""

from __future__ import annotations

import tomllib
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DATA: Final = Path(__file__).with_name("data")
MAX_AGE: Final = 62
"""The largest number of groups that are counted."""


class Sureness(IntEnum):
    """How sure it is that something is wrong."""

    NONE = 0
    POSSIBLE = 1
    """Wrong on some path."""
    PROVEN = 2
    """Wrong on every path."""


class HeldState(NamedTuple):
    """A state of an operation, and the number of groups that were closed since it began."""

    name: str
    age: int = 0


class ProtocolEvent(NamedTuple):
    """An event of a protocol.

    `amount`: the number of groups that a wait leaves; None if it is unknown. `is_certain`: whether
    the thread surely executes it.
    """

    name: str
    amount: int | None = None
    is_certain: bool = True


class ProtocolStep(NamedTuple):
    """The effect of an event in some states.

    `is_counted`: whether the age grows. `needs_age`: whether the operation has to be older than the
    amount of the event.
    """

    event: str
    states: frozenset[str]
    to: str
    is_counted: bool
    needs_age: bool


class Misuse(NamedTuple):
    """An event that is wrong in some states, the rule that reports it, and why it is wrong."""

    event: str
    states: frozenset[str]
    rule: str
    why: str


class Protocol(NamedTuple):
    """A protocol.

    Attributes:
        name: its name, and that of its file.
        title, about: the head and the first paragraphs of its page.
        source: the sections of the manual that define it.
        picture: a drawing of its states.
        start: the state in which an operation begins.
        states: what each state means.
        events: what each event is.
        steps: the steps between states.
        misuses: what is wrong in which state.
    """

    name: str
    title: str
    about: str
    source: str
    picture: str
    start: str
    states: Mapping[str, str]
    events: Mapping[str, str]
    steps: tuple[ProtocolStep, ...]
    misuses: tuple[Misuse, ...]

    def after(self, held: HeldState, event: ProtocolEvent) -> frozenset[HeldState]:
        """Returns the states after an event, which leaves a state as it is by default."""
        found = self._moved(held, event)
        return found if event.is_certain else found | {held}

    def _moved(self, held: HeldState, event: ProtocolEvent) -> frozenset[HeldState]:
        for step in self.steps:
            if step.event != event.name or held.name not in step.states:
                continue
            age = min(held.age + 1, MAX_AGE) if step.is_counted else held.age
            after = HeldState(step.to, age)
            if not step.needs_age:
                return frozenset({after})
            if event.amount is None:
                return frozenset({after, held})
            if held.age >= event.amount:
                return frozenset({after})
        return frozenset({held})

    def misused(self, *events: str) -> frozenset[str]:
        """Returns the states in which one of some events is wrong."""
        return frozenset().union(*(each.states for each in self.misuses if each.event in events))

    def judge(self, event: str, states: Iterable[str]) -> Sureness:
        """Returns how sure it is that an event is wrong if an operation has one of some states."""
        own, bad = frozenset(states), self.misused(event)
        if not own & bad:
            return Sureness.NONE
        return Sureness.PROVEN if own <= bad else Sureness.POSSIBLE


@cache
def protocol(name: str) -> Protocol:
    """Returns the protocol with a name."""
    with (DATA / f"{name}.toml").open("rb") as file:
        return _read(name, tomllib.load(file))


def protocol_names() -> list[str]:
    """Returns the names of all protocols."""
    return sorted(each.stem for each in DATA.glob("*.toml"))


def _read(name: str, table: dict[str, Any]) -> Protocol:
    return Protocol(
        name,
        table["title"],
        table["about"].strip(),
        table["source"],
        table["picture"].strip("\n"),
        table["start"],
        table["states"],
        table["events"],
        tuple(
            ProtocolStep(
                each["event"],
                frozenset(each["from"]),
                each["to"],
                each.get("counts", False),
                each.get("needs-age", False),
            )
            for each in table["steps"]
        ),
        tuple(
            Misuse(each["event"], frozenset(each["in"]), each["rule"], each["why"])
            for each in table["misuses"]
        ),
    )
