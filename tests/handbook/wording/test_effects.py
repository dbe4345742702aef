"""Effects are told with the condition under which they hold."""

import random

import pytest

from ptx_ls.handbook.instructions import instruction_facts
from ptx_ls.handbook.lookup import describe
from ptx_ls.handbook.markdown import markdown
from ptx_ls.handbook.wording.effects import EffectFacts, effects_of
from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.handbook.wording.sentences import effect_sentence
from ptx_ls.isa import database
from ptx_ls.isa.facts import CONVERGENCE, EFFECTS


def check_effects(name: str, form_id: str, word: str) -> str | None:
    """The condition in words of an effect of a form, None where the form never has it."""
    opcode, *modifiers = name.split(".")
    instruction = database().instruction(opcode)
    assert instruction is not None
    facts = instruction_facts(instruction, tuple(f".{each}" for each in modifiers))
    assert facts is not None
    form = next(form for form in facts.forms if form.id == form_id)
    found = {each.word: each.condition for each in (*form.effects, *form.convergence)}
    return found.get(word)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "form", "word", "condition"),
    [
        ("barrier", "sync", "aligned", "`.aligned` is given"),
        ("barrier.sync.aligned", "sync", "aligned", ""),
        ("bar", "sync", "aligned", ""),
        ("ld", "weak-cop", "reads memory", ""),
        ("ld", "weak-cop", "orders memory", None),
        ("madc", "multiply-add", "reads carry", ""),
        ("madc", "multiply-add", "writes carry", "`.cc` is given"),
        ("madc.lo.cc.u32", "multiply-add", "writes carry", ""),
        ("add", "f64", "writes memory", None),
    ],
)
def test_conditions(name: str, form: str, word: str, condition: str | None) -> None:
    assert check_effects(name, form, word) == condition


def test_sentences() -> None:
    always = EffectFacts("reads memory", "reads memory")
    assert effect_sentence(always) == "Reads memory."
    carry = EffectFacts("writes carry", "writes the carry flag", "`.cc` is given")
    assert effect_sentence(carry) == "If `.cc` is given, the instruction writes the carry flag."
    aligned = EffectFacts("aligned", CONVERGENCE["aligned"], "`.aligned` is given")
    expected = (
        "If `.aligned` is given, the threads of a warp must execute the instruction together."
    )
    assert effect_sentence(aligned) == expected
    (entry,) = describe("barrier")
    assert f"- {expected}" in markdown(entry.page)
    assert {"word": "aligned", "text": aligned.text, "condition": aligned.condition} in (
        entry.as_data()["forms"][0]["convergence"]
    )


@pytest.mark.parametrize("opcode", sorted(database().opcodes))
def test_with_all_modifiers_known_they_are_what_analyses_see(opcode: str) -> None:
    chance = random.Random(opcode)  # noqa: S311  # a sample, no secret
    instruction = database().instruction(opcode)
    assert instruction is not None
    for form in instruction.forms:
        given = {
            slot.name: chance.choice(("", *slot.values) if slot.optional else slot.values)
            for slot in form.row.slots
        }
        wording, facts = Wording(form, given), instruction.facts(form)
        effects = effects_of(facts.effects, EFFECTS, wording)
        convergence = effects_of(facts.convergence, CONVERGENCE, wording)
        assert not any(each.condition for each in (*effects, *convergence))
        assert {each.word for each in effects} == set(instruction.effects(form, given))
        assert {each.word for each in convergence} == set(instruction.convergence(form, given))


def test_threads_of_a_warp_are_told_once() -> None:
    facts = instruction_facts(database().instruction("bar"))  # type: ignore[arg-type]
    assert facts is not None
    arrive = next(form for form in facts.forms if form.id == "arrive")
    expected = "All threads of the warp that have not exited must execute the instruction together."
    assert arrive.memory[-1] == expected
    assert not arrive.other_effects
