"""Types and state spaces: facts and pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptx_ls.handbook.availability import Need
from ptx_ls.handbook.entry import Entry
from ptx_ls.handbook.reference_body import body, needs_of_gates, page, places
from ptx_ls.handbook.sentences import capitalised, ended, need_sentence
from ptx_ls.handbook.wording import listed

if TYPE_CHECKING:
    from ptx_ls.isa.reference import PtxType, StateSpace


@dataclass(frozen=True, slots=True)
class TypeFacts:
    """A type."""

    name: str
    summary: str
    bits: int
    category: str
    declares_variables: bool
    declares_registers: bool
    needs: tuple[Need, ...]


@dataclass(frozen=True, slots=True)
class SpaceFacts:
    """A state space."""

    name: str
    summary: str
    addressable: bool
    initializable: bool
    access: str
    sharing: str
    scopes: tuple[str, ...]
    needs: tuple[Need, ...]
    deprecated: str
    section: str


def ptx_type(found: PtxType) -> Entry:
    """A type."""
    facts = TypeFacts(
        found.name,
        found.summary,
        found.bits,
        found.type_class,
        found.is_fundamental,
        found.is_register,
        needs_of_gates(found.gates),
    )
    declares = [
        word
        for word, may in (
            ("registers", facts.declares_registers),
            ("variables", facts.declares_variables),
        )
        if may
    ]
    items = [
        f"{facts.bits} bits." if facts.bits else "",
        f"May declare {listed(declares, 'and')}."
        if declares
        else "Stands in instructions only; registers of its width hold it.",
        *map(need_sentence, facts.needs),
    ]
    blocks = body("Type", facts.summary, "", items)
    return Entry("type", found.name, found.summary, facts, page(found.name, blocks))


def state_space(found: StateSpace) -> Entry:
    """A state space."""
    facts = SpaceFacts(
        found.name,
        found.summary,
        found.is_addressable,
        found.is_initializable,
        found.access,
        found.sharing,
        found.scopes,
        needs_of_gates(found.gates),
        found.deprecated,
        found.section,
    )
    items = [
        ended(capitalised("; ".join(filter(None, (facts.access, facts.sharing))))),
        "Has addresses." if facts.addressable else "Has no addresses.",
        "Variables in it may have initial values." if facts.initializable
        else "Variables in it have no initial values.",
        places(facts.scopes).replace("Stands", "Declared"),
        *map(need_sentence, facts.needs),
        ended(f"Deprecated: {facts.deprecated}") if facts.deprecated else "",
    ]  # fmt: skip
    blocks = body("State space", facts.summary, "", items, section=facts.section)
    return Entry("state space", found.name, found.summary, facts, page(found.name, blocks))
