"""Names explained: registers, labels, variables, functions, special registers, directives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.semantics.symbols import SymbolKind

if TYPE_CHECKING:
    from ptx_ls.isa.reference import Directive, SpecialRegister
    from ptx_ls.semantics.analysis import Analysis, Declared
    from ptx_ls.semantics.symbols import Symbol

_FUNCTIONS: Final = (SymbolKind.FUNCTION, SymbolKind.KERNEL)
_UNIFORM: Final = {
    "warp": "the same in all threads of a warp",
    "cta": "the same in all threads of a block",
    "cluster": "the same in all threads of a cluster",
    "grid": "the same in all threads of a launch",
}


def symbol(analysis: Analysis, declared: Declared, name: str) -> str:
    """Markdown on a declared name; `name` is one register of a range, or the symbol's own."""
    found = declared.symbol
    line = declared.range.start.line + 1
    details = [f"{markup.code(name)}: {found.kind.value}"]
    if found.kind is SymbolKind.LABEL:
        details = [f"{markup.code(name)}: label on line {line}", _text_after(analysis, declared)]
        return markup.paragraphs(*details)
    details.append(markup.block(found.text.rstrip("{ ")))
    facts = [f"declared on line {line}"]
    if found.count and name != found.name:
        facts.append(f"one of the {found.count} registers of {markup.code(found.text)}")
    bytes_used = size_of(found)
    if found.kind in (SymbolKind.VARIABLE, SymbolKind.PARAMETER) and bytes_used:
        facts.append(f"{bytes_used} bytes")
    if found.alignment:
        facts.append(f"aligned to {found.alignment} bytes")
    if found.kind in _FUNCTIONS:
        facts.append(_parameters(found))
    details.append(", ".join(fact for fact in facts if fact))
    space = isa.database().state_spaces.get(found.space)
    if space is not None and found.kind is not SymbolKind.REGISTER:
        details.append(f"{markup.code(found.space)}: {space.summary}")
    return markup.paragraphs(*details)


def _parameters(found: Symbol) -> str:
    count = len(found.parameters)
    return f"{count} parameter{'s' if count != 1 else ''}"


def _text_after(analysis: Analysis, declared: Declared) -> str:
    """The lines behind a label, to see what is branched to."""
    start = declared.range.start.line
    lines = analysis.document.lines[start : start + 4]
    return markup.block("".join(lines).expandtabs(4))


def size_of(found: Symbol) -> int | None:
    """Bytes that a variable or parameter takes; None where its size is open."""
    info = isa.database().types.get(found.type)
    if info is None or None in found.dimensions:
        return None
    size = max(1, info.bits // 8) * found.vector_size
    for count in found.dimensions:
        size *= count or 0
    return size


def special_register(analysis: Analysis, register: SpecialRegister, name: str) -> str:
    """Markdown on a special register, `name` with its component if there is one."""
    base, dot, component = name.partition(".")
    kind = register.type_at(analysis.context.version)
    vector = "v4 " if register.dimensions and not dot else ""
    facts = [f"{markup.code(name)}: special register, {vector}{markup.code(kind)}"]
    if register.cuda:
        cuda = register.cuda + (f".{component}" if component else "")
        facts.append(f"CUDA C++: {markup.code(cuda)}")
    notes = [_UNIFORM.get(register.uniformity, "")]
    notes.append("may differ from one read to the next" if register.volatile else "")
    del base
    return markup.paragraphs(
        *facts,
        register.summary,
        register.doc,
        "; ".join(note for note in notes if note),
        markup.manual((register.section,) if register.section else ()),
    )


def dotted(text: str) -> str | None:
    """Markdown on a directive, type or state space; None for any other dotted name."""
    database = isa.database()
    directive = database.directives.get(text)
    kind = database.types.get(text)
    space = database.state_spaces.get(text)
    parts = []
    if directive is not None:
        parts.append(_directive(directive))
    if kind is not None:
        parts.append(
            markup.paragraphs(f"{markup.code(text)}: type, {kind.bits} bits", kind.summary)
        )
    if space is not None:
        sharing = f"{space.access}; {space.sharing}" if space.access else space.sharing
        parts.append(markup.paragraphs(f"{markup.code(text)}: state space", space.summary, sharing))
    return markup.RULE.join(parts) or None


def _directive(directive: Directive) -> str:
    return markup.paragraphs(
        markup.block(directive.syntax or directive.name),
        directive.summary,
        directive.doc,
        "\n".join(f"- ⚠ {text}" for text in directive.pitfalls),
        f"Deprecated: {directive.deprecated}" if directive.deprecated else "",
        markup.manual((directive.section,) if directive.section else ()),
    )


def target(name: str) -> str | None:
    """Markdown on a name that may stand after `.target`; None for any other."""
    info = isa.database().targets.get(name)
    if info is None:
        return None
    since = ".".join(map(str, info.since))
    facts = [f"{markup.code(name)}: target", f"since PTX ISA {since}"]
    if info.architecture:
        facts[0] += f", {info.architecture}"
    if info.renamed:
        facts.append(f"renamed to {markup.code(info.renamed)}")
    return markup.paragraphs(", ".join(facts), info.summary)
