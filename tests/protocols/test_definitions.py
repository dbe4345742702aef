"""The files of protocols are consistent, and name rules that exist."""

from __future__ import annotations

import tomllib

import pytest

from ptx_ls.lint.rule import rules
from ptx_ls.protocols.definition import DATA, Protocol, protocol, protocol_names

KEYS = {"title", "about", "source", "picture", "start", "states", "events", "steps", "misuses"}
STEP_KEYS = {"event", "from", "to", "counts", "needs-age"}
MISUSE_KEYS = {"event", "in", "rule", "why"}


def check_names(made: Protocol) -> None:
    """Fails if a part of a protocol names a state, an event or a rule that does not exist."""
    states, events = {*made.states}, {*made.events}
    assert made.start in states
    for step in made.steps:
        assert step.event in events
        assert step.states <= states
        assert step.to in states
    for misuse in made.misuses:
        assert misuse.event in events
        assert misuse.states <= states
        assert misuse.rule in rules()


def reached(made: Protocol) -> set[str]:
    """Returns the states that steps lead to from the start."""
    found, grown = set[str](), {made.start}
    while grown != found:
        found = set(grown)
        grown |= {each.to for each in made.steps if each.states & found}
    return found


@pytest.mark.parametrize("name", protocol_names())
def test_names(name: str) -> None:
    check_names(protocol(name))


@pytest.mark.parametrize("name", protocol_names())
def test_keys(name: str) -> None:
    with (DATA / f"{name}.toml").open("rb") as file:
        table = tomllib.load(file)
    assert set(table) <= KEYS
    assert all(set(each) <= STEP_KEYS for each in table.get("steps", []))
    assert all(set(each) == MISUSE_KEYS for each in table["misuses"])


@pytest.mark.parametrize("name", protocol_names())
def test_all_states_are_reached(name: str) -> None:
    made = protocol(name)
    assert reached(made) == {*made.states}


@pytest.mark.parametrize("name", protocol_names())
def test_no_state_has_two_steps_for_an_event(name: str) -> None:
    seen = [(each.event, state) for each in protocol(name).steps for state in each.states]
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize("name", protocol_names())
def test_picture_fits_a_page(name: str) -> None:
    lines = protocol(name).picture.splitlines()
    assert lines
    assert all(len(line) <= 100 and line == line.rstrip() for line in lines)
