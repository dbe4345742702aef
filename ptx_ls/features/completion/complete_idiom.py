"""Completion of whole idioms: loops, reductions, pipelines, skeletons of functions."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.completion.complete_item import CompletionItem, ItemKind
from ptx_ls.features.completion.snippets import snippet
from ptx_ls.features.completion.snippets.idiom import Idiom, declared_names
from ptx_ls.features.completion.snippets.idioms import IDIOMS
from ptx_ls.isa import parse_target, parse_version
from ptx_ls.isa.version import describe_needs, describe_version, module_target, runs_on
from ptx_ls.syntax.names import find_names
from ptx_ls.syntax.record import WITHOUT_STATEMENT

if TYPE_CHECKING:
    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.isa import Context
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position


_NARROW: Final = 32
_KERNEL: Final = "kernel"
_BEFORE_OPCODES: Final = "00!"


def idioms(analysis: Analysis, place: TypingPlace, *, in_function: bool) -> list[CompletionItem]:
    """Completes idioms, if nothing follows; those that need another version or target come last."""
    if not place.is_open or place.before:
        return []
    return [
        _item(analysis, place, idiom)
        for idiom in IDIOMS
        if idiom.in_function is in_function
        and (analysis.context.address_size > _NARROW or not idiom.has_pointers)
    ]


def headers(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    """Completes the header of a module, alone and with a kernel, where nothing comes before."""
    above = analysis.document.records[: place.range.start.line]
    if not place.is_open or any(record.kind not in WITHOUT_STATEMENT for record in above):
        return []
    version = describe_version(isa.database().newest_version)
    header = f".version {version}\n.target «sm_90»\n.address_size 64\n"
    kernel = next(idiom for idiom in IDIOMS if idiom.name == _KERNEL)
    offered = (
        (f".version {version}", "The header of a module.", f"{header}\n«»"),
        ("module with a kernel", "A header and a kernel.", f"{header}\n{kernel.template}"),
    )
    return [
        CompletionItem(
            label,
            ItemKind.IDIOM,
            place.range,
            snippet.plain(template),
            detail=detail,
            sort=f"{_BEFORE_OPCODES}{number}",
            template=template,
        )
        for number, (label, detail, template) in enumerate(offered)
    ]


def _item(analysis: Analysis, place: TypingPlace, idiom: Idiom) -> CompletionItem:
    template = _with_free_names(idiom, analysis, place.range.start)
    needs = missing(idiom, analysis.context)
    return CompletionItem(
        idiom.name,
        ItemKind.IDIOM,
        place.range,
        snippet.plain(template),
        detail=f"needs {needs}" if needs else idiom.summary,
        sort=f"{9 if needs else 2}{idiom.name}",
        data=f"idiom {idiom.name}",
        is_available=not needs,
        template=template,
    )


def _with_free_names(idiom: Idiom, analysis: Analysis, position: Position) -> str:
    """Returns the text of an idiom, with free names for those taken at a position."""
    declared, text = declared_names(idiom), idiom.template
    names: dict[str, str] = {}
    for name in sorted(declared):
        if _is_taken(name, analysis, position):
            numbered = (f"{name}_{number}" for number in count(2))
            free = (
                it
                for it in numbered
                if it not in declared and not _is_taken(it, analysis, position)
            )
            names[name] = next(free)
    found, end = "", 0
    for match in find_names(text):
        found += text[end : match.start()] + names.get(match[0], match[0])
        end = match.end()
    return found + text[end:]


def _is_taken(name: str, analysis: Analysis, position: Position) -> bool:
    return (
        analysis.lookup(name, position) is not None or analysis.special_register(name) is not None
    )


def missing(idiom: Idiom, context: Context) -> str:
    """Returns what a module lacks for an idiom, such as "PTX ISA 8.0 and sm_90 or newer"; or ""."""
    version, target = parse_version(idiom.version), parse_target(idiom.target)
    own = module_target(context.target)
    is_old = context.version is not None and context.version < version
    is_other = own is not None and target is not None and not runs_on(own, target)
    if not (is_old or is_other) or target is None:
        return ""
    return describe_needs([(version, (target,))])
