"""What the ISA itself names, explained: special registers, directives, types, targets, versions.

The handbook's words serve hovers, too; they are loaded with the first that needs them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.features import markup

if TYPE_CHECKING:
    from ptx_ls.handbook.entry import Entry
    from ptx_ls.isa.reference import SpecialRegister
    from ptx_ls.semantics.analysis import Analysis


def special_register(analysis: Analysis, register: SpecialRegister, name: str) -> str:
    """Markdown on a special register, `name` with its component if there is one."""
    from ptx_ls.handbook import registers
    from ptx_ls.handbook.reference_body import needs_of_gates
    from ptx_ls.handbook.sentences import manual, need_sentence
    from ptx_ls.isa.nvvm import intrinsic_of_special_register

    base, dot, component = name.partition(".")
    kind = register.type_at(analysis.context.version)
    vector = "v4 " if register.dimensions and not dot else ""
    head = f"{markup.code(name)}: special register, {vector}{markup.code(kind)}"
    suffix = f".{component}" if component else ""
    intrinsic = intrinsic_of_special_register(isa.database(), base, component)
    facts = [
        f"CUDA C++: {markup.code(register.cuda + suffix)}" if register.cuda else "",
        f"LLVM: {markup.code(intrinsic.name)}" if intrinsic is not None else "",
        *registers.value_sentences(register),
        *map(need_sentence, needs_of_gates(register.gates)),
    ]
    return markup.paragraphs(
        head,
        register.summary,
        register.doc,
        _list(facts),
        _list(f"⚠ {text}" for text in register.pitfalls),
        manual((register.section,) if register.section else ()),
    )


def dotted(text: str) -> str | None:
    """Markdown on a directive, type or state space; None for any other dotted name."""
    database = isa.database()
    if not any(
        text in names for names in (database.directives, database.types, database.state_spaces)
    ):
        return None
    from ptx_ls.handbook import directives, types_and_spaces

    directive = database.directives.get(text)
    kind = database.types.get(text)
    space = database.state_spaces.get(text)
    parts = [
        _shown(directives.directive(directive)) if directive is not None else "",
        _shown(types_and_spaces.ptx_type(kind)) if kind is not None else "",
        _shown(types_and_spaces.state_space(space)) if space is not None else "",
    ]
    return markup.RULE.join(filter(None, parts))


def predefined(text: str) -> str | None:
    """Markdown on a name that every module has, `WARP_SZ`; None for any other.

    `mask` is one by the manual only: it is written as a number.
    """
    found = isa.database().predefined.get(text)
    if found is None or not (found.syntax or text).startswith(text):
        return None
    from ptx_ls.handbook.predefined import predefined as entry

    return _shown(entry(found))


def pragma(text: str) -> str | None:
    """Markdown on the string of a pragma; None for an unknown one."""
    words = text.strip('"').split()
    found = isa.database().pragmas.get(words[0]) if words else None
    if found is None:
        return None
    from ptx_ls.handbook import directives

    return _shown(directives.pragma(found))


def target(name: str) -> str | None:
    """Markdown on a name that may stand after `.target`; None for any other."""
    info = isa.database().targets.get(name)
    if info is None:
        return None
    from ptx_ls.handbook.target_words import target_sentences

    head = f"{markup.code(name)}: target" + (f", {info.architecture}" if info.architecture else "")
    summary = "" if info.architecture else info.summary
    return markup.paragraphs(head, summary, _list(target_sentences(info)))


def version(number: tuple[int, int]) -> str | None:
    """Markdown on a PTX ISA version; None for an unknown one."""
    info = isa.database().versions.get(number)
    if info is None:
        return None
    from ptx_ls.handbook.target_words import version_sentences

    return markup.paragraphs(
        f"PTX ISA {info.name}, brought by {info.release}",
        info.summary,
        _list(version_sentences(info)),
    )


def _shown(entry: Entry) -> str:
    """The page of an entry down to its first heading, the name in front."""
    from ptx_ls.handbook.markdown import block_markdown
    from ptx_ls.handbook.page import Heading

    blocks = takewhile(lambda block: not isinstance(block, Heading), entry.page.blocks)
    first, *others = map(block_markdown, blocks)
    return markup.paragraphs(f"{markup.code(entry.name)}: {first}", *others)


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items if item)
