"""Explains special registers, targets and versions.

The handbook is loaded with the first hover that needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.markup import Markdown

if TYPE_CHECKING:
    from ptx_ls.isa.reference import SpecialRegister
    from ptx_ls.semantics.analysis import Analysis


def special_register(analysis: Analysis, register: SpecialRegister, name: str) -> Markdown:
    """Explains a special register; `name` has its component if there is one."""
    from ptx_ls.handbook import registers
    from ptx_ls.handbook.reference_body import needs_of_gates
    from ptx_ls.handbook.wording.sentences import manual, need_sentence

    base, dot, component = name.partition(".")
    kind = register.type_at(analysis.context.version)
    type_ = f".v4 {kind}" if register.dimensions and not dot else kind
    head = markup.filled("{}: special register, {}", markup.code(name), markup.code(type_))
    cuda = register.cuda_name(component)
    intrinsic = isa.database().nvvm.of_special_register(base, component)
    facts = [
        markup.filled("CUDA C++: {}", markup.code(cuda)) if cuda else "",
        markup.filled("LLVM: {}", markup.code(intrinsic.name)) if intrinsic is not None else "",
        *map(markup.own, registers.value_sentences(register)),
        *map(markup.own, map(need_sentence, needs_of_gates(register.gates))),
    ]
    return markup.paragraphs(
        head,
        markup.own(register.summary),
        markup.own(register.doc),
        markup.bullets(facts),
        markup.bullets(markup.filled("⚠ {}", markup.own(it)) for it in register.pitfalls),
        markup.own(manual((register.section,) if register.section else ())),
    )


def target(name: str) -> Markdown | None:
    """Explains a name that `.target` may list; None for any other."""
    info = isa.database().targets.get(name)
    if info is None:
        return None
    from ptx_ls.handbook.targets import target_sentences

    what = f"target, {info.architecture}" if info.architecture else "target option"
    head = markup.filled("{}: {}", markup.code(name), markup.own(what))
    summary = "" if info.architecture else markup.own(info.summary)
    return markup.paragraphs(head, summary, markup.bullets(map(markup.own, target_sentences(info))))


def version(text: str) -> Markdown | None:
    """Explains a PTX ISA version, such as `8.5`; returns None for an unknown one."""
    versions = isa.database().versions.values()
    info = next((info for info in versions if info.name == text), None)
    if info is None:
        return None
    from ptx_ls.handbook.targets import version_sentences

    return markup.paragraphs(
        markup.filled("PTX ISA {}, introduced by {}", info.name, info.release),
        markup.own(info.summary),
        markup.bullets(map(markup.own, version_sentences(info))),
    )
