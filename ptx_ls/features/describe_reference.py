"""What the ISA itself names, explained: special registers, targets, versions.

The handbook's words serve hovers, too; they are loaded with the first that needs them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.features import markup

if TYPE_CHECKING:
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


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items if item)
