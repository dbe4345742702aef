"""Explains directives, types, state spaces, pragmas and predefined names in a few lines.

The pages of the handbook have all facts. The handbook is loaded with the first hover that needs it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.markup import Markdown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.isa.reference import Directive, Gates, Pragma, PtxType, StateSpace

_SENTENCES: Final = re.compile(r"(?<=\.)\s+(?=[A-Z`])").split
_MAX_TEXT_LENGTH: Final = 240
"""Approximate maximum number of characters that are shown after the summary, in whole sentences."""
_MAX_PITFALLS: Final = 2


def dotted(text: str) -> Markdown | None:
    """Explains a directive, type or state space; returns None for any other dotted name."""
    database = isa.database()
    directive = database.directives.get(text)
    kind = database.types.get(text)
    space = database.state_spaces.get(text)
    if space is not None:
        return _space(space, directive)
    if directive is not None:
        return _directive(directive)
    return _type(kind) if kind is not None else None


def predefined(text: str) -> Markdown | None:
    """Explains a name that every module has, such as `WARP_SZ`; returns None for any other.

    The manual also lists `mask`, but it is written as a number.
    """
    found = isa.database().predefined.get(text)
    if found is None or not (found.syntax or text).startswith(text):
        return None
    value = f"Value: {found.value} on all targets so far." if found.value is not None else ""
    return _explained(
        found.name,
        (found.summary, found.syntax, found.doc),
        [value, *_needs(found.gates)],
        found.pitfalls,
        found.section,
    )


def pragma(text: str) -> Markdown | None:
    """Explains the string of a pragma; returns None for an unknown one."""
    words = text.strip('"').split()
    found = isa.database().pragmas.get(words[0]) if words else None
    return _pragma(found) if found is not None else None


def _pragma(found: Pragma) -> Markdown:
    reach = f"Applies to {found.reach}." if found.reach else ""
    return _explained(
        found.name,
        (found.summary, f".pragma {found.syntax or found.name};", found.doc),
        [reach, *_needs(found.gates)],
        found.pitfalls,
        found.section,
    )


def _directive(found: Directive) -> Markdown:
    from ptx_ls.handbook.wording.sentences import ended
    from ptx_ls.isa.version import describe_version

    facts = [
        *_needs(found.gates),
        f"Removed in PTX ISA {describe_version(found.until)}." if found.until else "",
        ended(f"Deprecated: {found.deprecated}") if found.deprecated else "",
    ]
    texts = (found.summary, found.syntax or found.name, found.doc)
    return _explained(found.name, texts, facts, found.pitfalls, found.section)


def _space(found: StateSpace, directive: Directive | None) -> Markdown:
    """Explains a state space, with the syntax of declarations in it."""
    from ptx_ls.handbook.wording.sentences import ended

    facts = [
        ended(f"CUDA C++: {found.cuda}") if found.cuda else "",
        *_needs(found.gates),
        f"Deprecated since PTX ISA {found.deprecated}." if found.deprecated else "",
    ]
    syntax = directive.syntax if directive is not None else ""
    pitfalls = directive.pitfalls if directive is not None else found.pitfalls
    texts = (found.summary, syntax, found.doc)
    return _explained(found.name, texts, facts, pitfalls, found.section)


def _type(found: PtxType) -> Markdown:
    from ptx_ls.handbook.wording.sentences import ended

    held = f"a {markup.code(found.holder)} register" if found.holder else "a register of its width"
    declares = found.is_register or found.is_fundamental
    facts = [
        ended(f"Format: {found.format}") if found.format else "",
        "" if declares else f"Variables cannot have this type; {held} holds its values.",
        *_needs(found.gates),
    ]
    return _explained(found.name, (found.summary, "", found.doc), facts, (), found.section)


def _explained(
    name: str,
    texts: tuple[str, str, str],
    facts: Sequence[str],
    pitfalls: Sequence[str],
    section: str,
) -> Markdown:
    """Formats a name with its summary, syntax and text (`texts`), and facts about it."""
    from ptx_ls.handbook.chapters.links import with_chapters
    from ptx_ls.handbook.wording.sentences import manual

    summary, syntax, doc = texts
    warnings = [f"⚠ {text}" for text in pitfalls[:_MAX_PITFALLS]]
    return markup.paragraphs(
        markup.filled("{}: {}", markup.code(name), markup.own(summary)),
        markup.block(syntax) if syntax else "",
        markup.own(_beginning(doc)),
        markup.bullets(map(markup.own, (*facts, *warnings))),
        markup.own(with_chapters(manual((section,)) if section else "", name)),
    )


def _needs(gates: Gates) -> list[str]:
    from ptx_ls.handbook.reference_body import needs_of_gates
    from ptx_ls.handbook.wording.sentences import need_sentence

    return [need_sentence(need) for need in needs_of_gates(gates)]


def _beginning(doc: str) -> str:
    """Returns the first whole sentences of a text."""
    first, *others = _SENTENCES(doc.partition("\n\n")[0])
    if len(first) > _MAX_TEXT_LENGTH * 2:
        return ""
    for sentence in others:
        if len(first) + len(sentence) >= _MAX_TEXT_LENGTH:
            break
        first += f" {sentence}"
    return first
