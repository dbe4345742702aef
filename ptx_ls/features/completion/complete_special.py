"""Completion of special registers and of components of vectors."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.completion.complete_item import CompletionItem, ItemKind
from ptx_ls.features.completion.ranking import likelihood
from ptx_ls.features.completion.typing_place import MIN_OF_CUDA
from ptx_ls.isa.checking.gates import check_availability
from ptx_ls.semantics.instructions.operands import SPECIAL
from ptx_ls.semantics.symbols.symbols import Facts

if TYPE_CHECKING:
    from ptx_ls.features.completion.operand_fit import OperandFit
    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.semantics.analysis import Analysis

_OF_LAUNCH: Final = ("%tid", "%ctaid", "%ntid")
_COMPONENTS: Final = (".x", ".y", ".z", ".w")


def components(analysis: Analysis, place: TypingPlace, name: str) -> list[CompletionItem]:
    """Completes components of a vector register or a special register."""
    register = analysis.special_register(name)
    declared = analysis.lookup(name, place.range.start)
    found: list[tuple[str, str]] = []
    if declared is not None:
        components = _COMPONENTS[: declared.symbol.vector_size]
        if len(components) > 1:
            found = [(component, declared.symbol.type) for component in components]
    elif register is not None:
        kind = register.type_at(analysis.context.version)
        found = [(f".{component}", kind) for component in register.dimensions]
    return [
        CompletionItem(
            name + component, ItemKind.REGISTER, place.range, name + component, detail=kind
        )
        for component, kind in found
    ]


def of_cuda(analysis: Analysis, place: TypingPlace, fit: OperandFit) -> list[CompletionItem]:
    """Completes a special register by its name in CUDA C++, `threadIdx.x`."""
    word = place.word.lower()
    if len(word) < MIN_OF_CUDA or word.startswith("%"):
        return []
    return [
        replace(item, label=cuda, filter=cuda, sort=f"8{cuda}", detail=item.text)
        for item in special_registers(analysis, place, fit)
        if (cuda := _cuda_name(item.text)).lower().startswith(word)
    ]


def _cuda_name(name: str) -> str:
    """Returns the name of a special register in CUDA C++; "" if it has none."""
    register, _, component = name.partition(".")
    found = isa.database().special_registers.get(register)
    return found.cuda_name(component) if found is not None else ""


def special_registers(
    analysis: Analysis, place: TypingPlace, fit: OperandFit, launch: str = ""
) -> list[CompletionItem]:
    """Completes special registers that fit, each component by itself.

    `launch`: begins the sort keys of those that tell threads apart, if these are likely.
    """
    found: list[CompletionItem] = []
    context = analysis.context
    for register in isa.database().special_registers.values():
        kind = register.type_at(context.version)
        if fit.fits(Facts(SPECIAL, kind)) is False:
            continue
        names = [register.name]
        if register.count:
            names = [f"{register.name}{number}" for number in range(register.count)]
        if register.dimensions:
            names = [f"{register.name}.{component}" for component in register.dimensions]
        is_likely = bool(launch) and register.name in _OF_LAUNCH
        is_missing = any(not it.lenient for it in check_availability(register.gates, context))
        rank = "9" if is_missing else launch if is_likely else "5"
        rank += likelihood.of_special_register(register.name)
        cuda = f", {register.cuda}" if register.cuda else ""
        detail = kind + cuda
        found += [
            CompletionItem(
                name,
                ItemKind.SPECIAL_REGISTER,
                place.range,
                name,
                detail=detail,
                sort=rank + name,
                data=f"special {name}",
                is_available=not is_missing,
            )
            for name in names
        ]
    return found
