"""Completion of directives and of what follows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.completion import complete_declaration, complete_initial
from ptx_ls.features.completion.complete_item import CompletionItem, ItemKind, keyword
from ptx_ls.features.completion.offer import MAX_OFFERED_SYMBOLS, matching
from ptx_ls.features.completion.ranking import likelihood
from ptx_ls.features.completion.snippets import snippet
from ptx_ls.isa.checking.gates import check_availability
from ptx_ls.isa.notation.directive_arguments import argument_parts
from ptx_ls.isa.version import describe_needs
from ptx_ls.syntax import tokens
from ptx_ls.syntax.labels import NAMED_DIRECTIVES
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import LINKAGES, SPACES

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.isa.reference import Directive, Gates
    from ptx_ls.semantics.analysis import Analysis

STATEMENTS: Final = frozenset({".version", ".target", ".address_size", ".pragma", ".file", ".loc"})
_LINKABLE: Final = (".entry", ".func", ".global", ".shared", ".const")
_DATA: Final = (".b8", ".b16", ".b32", ".b64")
"""The types of debug data."""
_WITH_BODY: Final = frozenset({".entry", ".func", ".section", ".nv_intermediate_source_section"})
_SECTIONS: Final = (
    ".debug_abbrev",
    ".debug_info",
    ".debug_line",
    ".debug_loc",
    ".debug_pubnames",
    ".debug_ranges",
    ".debug_str",
)


def statements(
    analysis: Analysis, place: TypingPlace, *, in_function: bool
) -> list[CompletionItem]:
    """Completes directives that may begin a statement, in a function or outside of functions."""
    if in_section(analysis, place):
        return [keyword(place, name, rank="0") for name in _DATA]
    scope = "body" if in_function else "module"
    return [
        _directive(analysis, place, name, "0" if name == _missing(analysis) else "1")
        for name, directive in isa.database().directives.items()
        if scope in directive.scopes and not directive.deprecated
    ]


def _missing(analysis: Analysis) -> str:
    """Returns the directive that the module still needs at its beginning; "" for none."""
    if analysis.context.version is None:
        return ".version"
    return "" if analysis.context.target else ".target"


def in_section(analysis: Analysis, place: TypingPlace) -> bool:
    """Whether a place is in a debug section."""
    position = place.range.start
    located = analysis.document.located_at(position)
    if located.head is not Kind.SECTION:
        return False
    return located.close is None or position.line <= located.close


def inside(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    """Completes what follows the directive that begins the statement."""
    words = [token.string for token in place.before if token.string not in LINKAGES]
    if not words:
        return [
            keyword(place, name, rank=f"1{likelihood.of_directive(name)}") for name in _LINKABLE
        ]
    found = _AFTER.get(words[0])
    if found is not None:
        return found(analysis, place)
    if words[0] in (".entry", ".func"):
        if "(" in place.inside:
            return complete_declaration.parameter(place)
        return _after_head(analysis, place, words) if _is_named(place) else []
    if complete_initial.is_value(place):
        return complete_initial.values(analysis, place)
    if words[0] in SPACES or words[0] in (".reg", ".align", ".attribute"):
        return complete_declaration.variable(place, words)
    return complete_declaration.parameter(place) if "(" in place.inside else []


def _directive(analysis: Analysis, place: TypingPlace, name: str, rank: str) -> CompletionItem:
    directive = isa.database().directives[name]
    needed = _needed(analysis, directive.gates)
    template = _template(directive) if place.is_open and not needed else ""
    if template and name in NAMED_DIRECTIVES and not _has_label(analysis, place):
        template = f"{snippet.stop('label')}: {template}"
    if template and name == ".param":  # in a body, where it is a statement
        template += ";"
    return CompletionItem(
        name,
        ItemKind.DIRECTIVE,
        place.range,
        name,
        detail=f"needs {needed}" if needed else directive.summary,
        sort=f"{'9' if needed else rank}{likelihood.of_directive(name)}{name}",
        data=f"directive {name}",
        is_available=not needed,
        template=template,
    )


def _has_label(analysis: Analysis, place: TypingPlace) -> bool:
    """Whether a label precedes the statement on its line, or is alone on the line above."""
    line, column = place.range.start
    before = analysis.document.lines[line][:column].strip()
    if not before and line:
        before = analysis.document.lines[line - 1].strip()
    return before.endswith(":")


def _template(directive: Directive) -> str:
    """Returns the directive with its required arguments as placeholders; "" if it has none."""
    if directive.name in _WITH_BODY:
        return ""
    parts = [part for part in argument_parts(directive.arguments) if not part.is_optional]
    filled = "".join(_placeholder(it.text) if it.is_argument else it.text for it in parts)
    filled = " ".join(filled.split())
    return f"{directive.name} {filled}".replace(" ;", ";") if filled else ""


def _placeholder(argument: str) -> str:
    """Returns an argument as a placeholder; a string keeps its quotes around it."""
    name = argument.strip('"')
    return argument.replace(name, snippet.stop(name))


def _needed(analysis: Analysis, gates: Gates) -> str:
    """Returns the version or target that a directive requires beyond the module's, or ""."""
    violations = [
        violation
        for violation in check_availability(gates, analysis.context)
        if not violation.lenient
    ]
    return describe_needs(violations[-1].needs) or violations[-1].required if violations else ""


def _targets(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    version = analysis.context.version
    has_architecture = "," in (token.string for token in place.before)
    items = []
    for name, info in isa.database().targets.items():
        is_architecture = name.startswith("sm_")
        if is_architecture and has_architecture:
            continue
        number = int("".join(filter(str.isdigit, name))) if is_architecture else 0
        is_early = version is not None and version < info.since
        since = ".".join(map(str, info.since))
        items.append(
            CompletionItem(
                name,
                ItemKind.TARGET,
                place.range,
                name,
                detail=f"needs PTX ISA {since}" if is_early else info.architecture,
                sort=f"{int(is_early)}{'0' if is_architecture else '1'}{999 - number:03}{name}",
                data=f"target {name}",
                is_available=not is_early,
            )
        )
    return items


def _versions(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    del analysis
    newest_first = reversed(list(isa.database().versions.values()))
    return [
        CompletionItem(
            info.name,
            ItemKind.VALUE,
            place.range,
            info.name,
            detail=info.release,
            sort=f"{n:03}",
            data=f"version {info.name}",
        )
        for n, info in enumerate(newest_first)
    ]


def _address_sizes(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    del analysis
    return [
        CompletionItem(size, ItemKind.VALUE, place.range, size, detail=f"{size}-bit addresses")
        for size in ("64", "32")
    ]


def _pragmas(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    in_function = analysis.function_at(place.range.start) is not None
    scopes = ("body",) if in_function else ("module", "header")
    return [
        CompletionItem(
            name,
            ItemKind.VALUE,
            place.range,
            f'"{name}"',
            detail=pragma.summary,
            sort=name,
            filter=f'"{name}"',
            data=f"pragma {name}",
        )
        for name, pragma in isa.database().pragmas.items()
        if any(scope in pragma.scopes for scope in scopes)
    ]


def _sections(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    del analysis
    if len(place.before) > 1:
        return []
    return [
        CompletionItem(name, ItemKind.VALUE, place.range, name, detail="DWARF")
        for name in _SECTIONS
    ]


def _functions(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    names = matching(analysis, place.word, MAX_OFFERED_SYMBOLS, is_function=True)
    return [
        CompletionItem(name, ItemKind.FUNCTION, place.range, name, detail="function")
        for name in names
    ]


def _labels(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    return [
        CompletionItem(symbol.name, ItemKind.LABEL, place.range, symbol.name, detail="label")
        for symbol in analysis.local_symbols(place.range.start)
        if symbol.kind.value == "label"
    ]


def _nothing(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    del analysis, place
    return []


_AFTER: Final[dict[str, Callable[[Analysis, TypingPlace], list[CompletionItem]]]] = {
    ".target": _targets,
    ".version": _versions,
    ".address_size": _address_sizes,
    ".pragma": _pragmas,
    ".section": _sections,
    ".alias": _functions,
    ".calltargets": _functions,
    ".branchtargets": _labels,
    ".file": _nothing,
    ".loc": _nothing,
}


def _is_named(place: TypingPlace) -> bool:
    """Whether the head of a function already has its name, outside of parentheses."""
    depth = 0
    for token in place.before:
        depth += (token.string == "(") - (token.string == ")")
        if not depth and token.type in (tokens.WORD, tokens.REG):
            return True
    return False


def _after_head(analysis: Analysis, place: TypingPlace, words: list[str]) -> list[CompletionItem]:
    """Completes directives between the header of a function and its body."""
    if place.previous == ".pragma":
        return _pragmas(analysis, place)
    if place.previous == ",":
        return []  # a further number of a list
    directives = isa.database().directives
    given = [directives[word] for word in words if word in directives]
    barred = {name for directive in given for name in directive.conflicts}
    barred |= {directive.name for directive in given}
    return [
        _directive(analysis, place, name, "0")
        for name, directive in directives.items()
        if "header" in directive.scopes
        and not directive.deprecated
        and name not in barred
        and (not directive.owners or words[0] in directive.owners)
    ]
