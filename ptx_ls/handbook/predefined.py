"""Names that every module has, except special registers: data and page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.entry import Entry
from ptx_ls.handbook.phrases import code
from ptx_ls.handbook.reference_body import advice, body, data_of, needs_of_gates, page
from ptx_ls.handbook.sentences import need_sentence

if TYPE_CHECKING:
    from ptx_ls.isa.reference import PredefinedName

_KEYS: Final = "doc syntax type value gates pitfalls example section"
"""Keys of the JSON output, in addition to `name` and `summary`."""


def predefined(found: PredefinedName) -> Entry:
    """Returns the entry of a predefined name."""
    items = [
        f"Value: {found.value} on all targets so far." if found.value is not None else "",
        f"Type {code(found.type)}." if found.type else "",
        *map(need_sentence, needs_of_gates(found.gates)),
    ]
    origin = (f"Predefined {found.kind}", found.section)
    blocks = [
        *body(origin, found.summary, found.doc, items, syntax=found.syntax),
        *advice(found.pitfalls, found.example),
    ]
    data = data_of(found, _KEYS, category=found.kind)
    return Entry("predefined name", found.name, found.summary, data, page(found.name, blocks))
