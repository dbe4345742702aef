"""Effects and convergence of forms: conditions on modifiers, and words that do not exist."""

from __future__ import annotations

import pytest

from ptx_ls import isa
from ptx_ls.isa.facts import CONVERGENCE, EFFECTS
from ptx_ls.isa.model import Form, holding
from ptx_ls.isa.notation.compiler import IsaDataError, compile_instruction
from ptx_ls.isa.notation.form_entries import SharedDefinitions

FORM = {
    "id": "x",
    "syntax": "add{.cc}{.op} d",
    "sets": {"op": ".arrive .sync"},
    "ops": {"d": "reg"},
    "effects": [".cc: writes carry", ".op in {.sync}: synchronises"],
    "convergence": ["convergent"],
}


def check_holding(slots: dict[str, str] | None) -> tuple[str, ...]:
    """The effects of FORM with these modifiers."""
    rows, facts = compile_instruction({"name": "add", "form": [FORM]}, SharedDefinitions())
    return holding(facts[0].effects, Form("add", rows[0], {}), slots)


def test_conditions_are_read() -> None:
    assert check_holding({}) == ()
    assert check_holding({"cc": ".cc"}) == ("writes carry",)
    assert check_holding({"op": ".arrive"}) == ()
    assert check_holding({"op": ".sync", "cc": ".cc"}) == ("writes carry", "synchronises")
    assert check_holding(None) == ("writes carry", "synchronises")


@pytest.mark.parametrize("text", ["flies", ".cc: flies", "?d: waits", ".nothing: waits"])
def test_mistakes_are_named(text: str) -> None:
    with pytest.raises(IsaDataError, match=r"add\.toml, form x"):
        compile_instruction(
            {"name": "add", "form": [{**FORM, "effects": [text]}]}, SharedDefinitions()
        )


def test_every_fact_can_be_read() -> None:
    database = isa.database()
    for name in database.opcodes:
        instruction = database.instruction(name)
        assert instruction is not None
        for form in instruction.forms:
            assert set(instruction.effects(form)) <= EFFECTS.keys()
            assert set(instruction.convergence(form)) <= CONVERGENCE.keys()
            assert instruction.section(form)
