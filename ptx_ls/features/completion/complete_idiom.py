"""Completion of whole idioms: loops, reductions, pipelines, skeletons of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.completion import snippet
from ptx_ls.features.completion.complete_item import CompletionItem, ItemKind
from ptx_ls.features.completion.free_names import renamed
from ptx_ls.features.completion.idioms import IDIOMS, Idiom, declared_names
from ptx_ls.isa import parse_target, parse_version
from ptx_ls.isa.version import describe_target, describe_version, module_target, runs_on

if TYPE_CHECKING:
    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.isa import Context
    from ptx_ls.semantics.analysis import Analysis


_NARROW: Final = 32


def idioms(analysis: Analysis, place: TypingPlace, *, in_function: bool) -> list[CompletionItem]:
    """The idioms that may stand here, where nothing follows. Others come last, with their needs."""
    if not place.is_open or place.before:
        return []
    return [
        _item(analysis, place, idiom)
        for idiom in IDIOMS
        if idiom.in_function is in_function
        and (analysis.context.address_size > _NARROW or not idiom.has_pointers)
    ]


def _item(analysis: Analysis, place: TypingPlace, idiom: Idiom) -> CompletionItem:
    template = renamed(idiom.template, declared_names(idiom), analysis, place.range.start)
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


def missing(idiom: Idiom, context: Context) -> str:
    """What a module lacks for an idiom: "PTX ISA 8.0 and sm_90", "" for nothing."""
    version, target = parse_version(idiom.version), parse_target(idiom.target)
    own = module_target(context.target)
    is_old = context.version is not None and context.version < version
    is_other = own is not None and target is not None and not runs_on(own, target)
    if not (is_old or is_other) or target is None:
        return ""
    return f"PTX ISA {describe_version(version)} and {describe_target(target)}"
