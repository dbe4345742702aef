"""Explains the fields of textures, samplers and surfaces in initial values, and their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.markup import Markdown
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.isa.operand import OPAQUE_TYPES
from ptx_ls.source.english import listed
from ptx_ls.syntax.dotted import dotted_words
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.tokens import WORD

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ptx_ls.features.cursor import Cursor

_MAX_HEAD: Final = 300
"""Maximum length of the beginning of a declaration that is searched for its type."""


def in_initial_value(under: Cursor) -> Markdown:
    """Explains a name or a number in the declaration of a texture with initial values.

    Returns "" for other declarations.
    """
    head, equals, _ = under.statement.text[:_MAX_HEAD].partition("=")
    is_after = under.statement.offset(under.range.start) > len(head)
    if not equals or not is_after or OPAQUE_TYPES.isdisjoint(dotted_words(head)):
        return markup.NOTHING
    table = isa.database().texture_fields
    fields = {each["name"]: each for each in table["field"]}
    value = integer(under.text)
    if value is not None:
        return _number(under, fields, value)
    name = markup.code(under.text)
    if under.text in fields:
        field = fields[under.text]
        types = markup.own(listed(map(code, field["of"]), "and"))
        return markup.filled("{}: field of {}. {}", name, types, markup.own(field["summary"]))
    meaning = table["values"].get(under.text, "")
    return markup.filled("{}: {}", name, markup.own(meaning)) if meaning else markup.NOTHING


def _number(under: Cursor, fields: Mapping[str, Mapping[str, Any]], value: int) -> Markdown:
    """Names a number that is the value of a field, and explains the field."""
    named = [token.string for token in under.tokens_before() if token.type is WORD]
    field = fields.get(named[-1]) if named else None
    if field is None:
        return markup.NOTHING
    names = {int(number, 0): name for number, name in field.get("numbers", {}).items()}
    known = names.get(value, "")
    shown = markup.filled("{} in OpenCL. ", markup.code(known)) if known else markup.NOTHING
    name = markup.code(field["name"])
    return markup.filled("{}Value of {}: {}", shown, name, markup.own(field["summary"]))
