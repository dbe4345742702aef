"""Explains instructions: what the one that is written does, needs and may surprise with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.hover.instructions import describe_operands
from ptx_ls.features.hover.instructions.relevant_pitfalls import relevant_pitfalls
from ptx_ls.features.markup import Markdown
from ptx_ls.source.site import SITE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.features.hover.instructions.pseudo_code import OperandTexts
    from ptx_ls.isa import Instruction
    from ptx_ls.isa.execution.variant import Variant
    from ptx_ls.semantics.analysis import Analysis, JudgedInstruction

_MAX_PITFALLS: Final = 2
_MAX_SECTIONS: Final = 4
"""Maximum number of sections of the manual that are named."""
_SIZES: Final = ("the size of the whole vector", "the number of bytes")
"""Words of pitfalls for the size of an access."""


def instruction(
    analysis: Analysis, judged: JudgedInstruction
) -> tuple[Markdown, Markdown, Markdown] | None:
    """Explains an instruction as it is written; returns None for an unknown opcode.

    The first part says what it does, the second what else its variant means, orders and requires
    of its users. The third has the versions and targets that it needs, and a link to the page of
    the opcode, which has the rest.
    """
    found = judged.instruction
    if found is None:
        if judged.opcode in isa.database().keywords:
            unknown = markup.filled("{}: a PTX opcode", markup.code(judged.opcode))
            return unknown, markup.NOTHING, markup.NOTHING
        return None
    from ptx_ls.features.hover.instructions import describe_variant
    from ptx_ls.features.hover.instructions.headline import headline
    from ptx_ls.features.hover.instructions.pseudo_code import (
        in_words,
        language,
        operand_texts,
        pseudo_code,
    )
    from ptx_ls.features.hover.instructions.pseudo_code_conditions import variant_of

    operands = operand_texts(judged)
    variant = variant_of(analysis, judged, operands)
    code = pseudo_code(judged, operands, variant)
    text, told = headline(found, variant, operands)
    facts = (
        *describe_variant.modifiers(judged, told),
        *describe_variant.effects(judged, operands, text),
        *describe_variant.endings(judged),
        *_pitfalls(judged, variant, operands),
    )
    meaning = markup.paragraphs(
        markup.block(in_words(code), language(judged, variant)) if code else "",
        _headline(judged, text),
        describe_operands.names(analysis, judged),
    )
    needs = describe_variant.needs(judged), _links(found, judged)
    return meaning, markup.bullets(facts), markup.joined(" ", filter(None, needs))


def _headline(judged: JudgedInstruction, text: str) -> Markdown:
    """Returns the variant, and what it does, with its name in CUDA C++."""
    from ptx_ls.features.hover.instructions.describe_variant import cuda_name

    variant = markup.filled("**{}**", markup.code("".join((judged.opcode, *judged.modifiers))))
    name = cuda_name(judged)
    cuda = markup.filled("CUDA C++: {}.", markup.code(name)) if name else ""
    texts = map(markup.own, filter(None, (text, cuda)))
    return markup.filled("{}: {}", variant, markup.joined(" ", texts))


def _pitfalls(
    judged: JudgedInstruction, variant: Variant, operands: OperandTexts
) -> list[Markdown]:
    """Returns what surprises in a variant, with the size of its accesses if it is known."""
    from ptx_ls.features.hover.instructions.describe_variant import accessed_bytes

    found = relevant_pitfalls(judged, variant)[:_MAX_PITFALLS]
    if any(size in text for size in _SIZES for text in found):
        n_bytes = accessed_bytes(judged, operands)
        if n_bytes is not None:
            for size in _SIZES:
                found = [text.replace(size, str(n_bytes)) for text in found]
    return _warnings(found)


def _warnings(pitfalls: Iterable[str]) -> list[Markdown]:
    return [markup.filled("⚠ {}", markup.own(text)) for text in pitfalls]


def _links(found: Instruction, judged: JudgedInstruction | None = None) -> Markdown:
    """Returns links to the page of an opcode and to chapters, and the sections of the manual."""
    from ptx_ls.handbook.chapters.links import with_chapters
    from ptx_ls.handbook.wording.sentences import manual

    form = judged.form if judged is not None else None
    section = found.section(form) if form is not None else found.prose.section
    page = markup.link(
        markup.filled("More about {}", markup.code(found.opcode)), f"{SITE}/isa/{found.opcode}"
    )
    modifiers = judged.modifiers if judged is not None else None
    source = with_chapters(manual(section, _MAX_SECTIONS), found.opcode, modifiers)
    return markup.joined(" · ", filter(None, (page, markup.own(source))))


def opcode(found: Instruction) -> Markdown:
    """Explains an opcode by itself, as completion shows it."""
    prose = found.prose
    forms = "\n".join(form.syntax + ";" for form in found.forms)
    return markup.paragraphs(
        markup.filled("**{}**", markup.own(prose.summary)),
        markup.block(forms),
        markup.own(prose.doc),
        markup.bullets(_warnings(prose.pitfalls)),
        markup.block(prose.example) if prose.example else "",
        _links(found),
    )
