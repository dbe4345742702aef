"""Types and state spaces: data and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.reference_body import entry, needs_of_gates, places
from ptx_ls.handbook.wording.phrases import capitalised, code
from ptx_ls.handbook.wording.sentences import ended, need_sentence
from ptx_ls.source.english import listed

if TYPE_CHECKING:
    from ptx_ls.handbook.page import Entry
    from ptx_ls.isa.reference import PtxType, StateSpace


_TYPE_KEYS: Final = (
    "doc bits type_class is_fundamental is_register alignment places holder format gates section"
)
"""Keys of the JSON output, in addition to `name` and `summary`."""


_SPACE_KEYS: Final = (
    "doc is_addressable is_initializable access sharing scopes window conversion "
    "lifetime qualifiers cuda deprecated gates pitfalls section"
)
"""Keys of the JSON output, in addition to `name` and `summary`."""


def ptx_type(found: PtxType) -> Entry:
    """Returns the entry of a type."""
    items = [
        f"{found.bits} bits." if found.bits > 1 else "",
        ended(f"Format: {found.format}") if found.format else "",
        _uses(found),
        f"Aligned to {found.alignment} bytes." if found.alignment > 1 else "",
        *map(need_sentence, needs_of_gates(found.gates)),
    ]
    return entry("type", found, items, _TYPE_KEYS)


def _uses(found: PtxType) -> str:
    may = (("registers", found.is_register), ("variables", found.is_fundamental and found.bits > 1))
    declares = [word for word, is_so in may if is_so]
    if declares:
        return f"For {listed(declares, 'and')}."
    holder = f"a {code(found.holder)} register" if found.holder else "a register of its width"
    return f"Only for operands of instructions; held in {holder}."


def state_space(found: StateSpace) -> Entry:
    """Returns the entry of a state space."""
    initial = "may" if found.is_initializable else "cannot"
    items = [
        ended(capitalised("; ".join(filter(None, (found.access, found.sharing))))),
        "Addressable." if found.is_addressable else "Not addressable.",
        f"Variables in this space {initial} have initial values.",
        ended(f"Lifetime: {found.lifetime}") if found.lifetime else "",
        ended(found.window) if found.window else "",
        ended(f"Conversion: {found.conversion}") if found.conversion else "",
        f"Parts: {listed(map(code, found.qualifiers), 'and')}." if found.qualifiers else "",
        ended(f"CUDA C++: {found.cuda}") if found.cuda else "",
        places(found.scopes).replace("Allowed", "Declared"),
        *map(need_sentence, needs_of_gates(found.gates)),
        f"Deprecated since PTX ISA {found.deprecated}." if found.deprecated else "",
    ]
    return entry("state space", found, items, _SPACE_KEYS)
