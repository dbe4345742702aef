"""Completion of calls: a function with its whole call sequence.

As in compiler output, arguments are passed in `.param` variables in a separate block. The
placeholders for arguments and results show registers of fitting types.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.completion.complete_item import CompletionItem, Completions, ItemKind
from ptx_ls.features.completion.offer import is_in_range, matching
from ptx_ls.features.completion.ranking.recent import recent_names
from ptx_ls.features.completion.snippets import snippet
from ptx_ls.semantics.demangle import demangled
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Range

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.symbols import Symbol

_MAX_FUNCTIONS: Final = 100
MAX_WHOLE_CALLS: Final = 30
"""Maximum number of calls that are offered at the beginning of a statement."""
_CALLS: Final = ("call", "call.uni")
_BYTE: Final = 8


def statements(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    """Completes whole calls at the beginning of a statement, from `call` or a function's name."""
    word = place.word
    if not word or not place.is_open:
        return []
    is_call = _CALLS[0].startswith(word)
    return [
        _item(analysis, place, place.range, _CALLS[0], symbol)
        for symbol in _functions(analysis, "" if is_call else word, MAX_WHOLE_CALLS)
        if is_call or symbol.name.startswith(word)
    ]


def _functions(analysis: Analysis, word: str, most: int) -> list[Symbol]:
    """Returns functions with a word in their names, those that begin with it first."""
    names = matching(analysis, word, most, is_function=True)
    found = map(analysis.module_symbol, names)
    return [
        each.symbol
        for each in found
        if each is not None and each.symbol.kind is SymbolKind.FUNCTION
    ]


def sequences(analysis: Analysis, place: TypingPlace) -> Completions | None:
    """Completes functions after `call`, each with its sequence; None where no function may follow.

    Items replace the text from `call` on, so nothing else can be offered with them.
    """
    words = [token.string for token in place.before]
    if len(words) != 1 or words[0] not in _CALLS or not place.is_open or place.begin is None:
        return None
    if place.word.startswith("%"):
        return None
    line = analysis.document.lines[place.begin.line]
    typed = line[place.begin.column : place.range.start.column]
    where = Range(place.begin, place.range.end)
    found = _functions(analysis, place.word, _MAX_FUNCTIONS)
    items = []
    for symbol in found:
        item = _item(analysis, place, where, place.before[0].string, symbol)
        items.append(replace(item, label=symbol.name, filter=f"{typed}{symbol.name}"))
    names = analysis.module_names().in_order(is_function=True)
    is_cut = next(islice(names, _MAX_FUNCTIONS, None), None) is not None
    return Completions(tuple(items), is_incomplete=is_cut) if items else None


def _item(
    analysis: Analysis, place: TypingPlace, where: Range, opcode: str, function: Symbol
) -> CompletionItem:
    template = _Sequence(analysis, place, function).template(opcode)
    label = f"{opcode} {function.name}"
    return CompletionItem(
        label,
        ItemKind.FUNCTION,
        where,
        snippet.plain(template),
        detail=demangled(function.name) or f"{function.kind.value} with its call sequence",
        sort=f"1{function.name}",
        filter=label if label.startswith(place.word) else function.name,
        data=f"symbol {function.name}",
        template=template,
        signature=signature_of(function),
    )


def signature_of(function: Symbol) -> str:
    """Returns the types of parameters and results: `(.b32, .b8[12]) -> .b32`."""
    results = ", ".join(map(_type_of, function.returns))
    text = f"({', '.join(map(_type_of, function.parameters))})"
    return f"{text} -> {results}" if results else text


def _type_of(parameter: Symbol) -> str:
    return parameter.type + "".join(
        f"[{'' if size is None else size}]" for size in parameter.dimensions
    )


class _Sequence:
    """The text of a call of one function."""

    def __init__(self, analysis: Analysis, place: TypingPlace, function: Symbol) -> None:
        self._function = function
        position = place.range.start
        self._registers = [
            symbol
            for symbol in analysis.local_symbols(position)
            if symbol.kind is SymbolKind.REGISTER and symbol.vector_size == 1
        ]
        recent = recent_names(analysis, position.line)
        self._near = sorted(recent.used, key=lambda name: recent.order(name, is_result=False))
        self._results = sorted(recent.used, key=lambda name: recent.order(name, is_result=True))

    def template(self, opcode: str) -> str:
        function = self._function
        arguments, results = function.parameters, function.returns
        given = _names("param", arguments)
        returned = ["retval"] if len(results) == 1 else _names("retval", results)
        in_registers = any(each.space == ".reg" for each in (*arguments, *results))
        if in_registers or not (arguments or results):
            return f"{self._call(opcode, self._of(arguments, self._near), self._of(results, ()))}"
        lines = [
            *map(_declaration, results, returned),
            *map(_declaration, arguments, given),
            *self._stores(arguments, given),
            self._call(opcode, given, returned),
            *self._loads(results, returned),
        ]
        return "\n".join(["{", *(f"\t{line}" for line in lines), "}"])

    def _call(self, opcode: str, arguments: Sequence[str], results: Sequence[str]) -> str:
        parts = [f"({', '.join(results)})"] if results else []
        parts.append(self._function.name)
        parts += [f"({', '.join(arguments)})"] if arguments else []
        return f"{opcode} {', '.join(parts)};"

    def _of(self, parameters: Sequence[Symbol], near: Sequence[str]) -> list[str]:
        return [snippet.stop(self._register(each.type, near) or each.name) for each in parameters]

    def _stores(self, parameters: Sequence[Symbol], names: Sequence[str]) -> Iterator[str]:
        for parameter, name in zip(parameters, names, strict=True):
            for suffix in _places(parameter):
                value = self._register(parameter.type, self._near) or _constant(parameter.type)
                stored = snippet.stop(value)
                yield f"st.param{_accessed(parameter.type)} [{name}{suffix}], {stored};"

    def _loads(self, parameters: Sequence[Symbol], names: Sequence[str]) -> Iterator[str]:
        for parameter, name in zip(parameters, names, strict=True):
            for suffix in _places(parameter):
                target = self._register(parameter.type, self._results)
                kind, loaded = _accessed(parameter.type), snippet.stop(target or "_")
                text = f"ld.param{kind} {loaded}, [{name}{suffix}];"
                yield text if target else f"// {snippet.plain(text)}"

    def _register(self, wanted: str, near: Sequence[str]) -> str:
        """Returns the likeliest register that takes values of a type; "" if there is none."""
        fitting = [each for each in self._registers if holds(each.type, wanted)]
        for kept in ([each for each in fitting if each.type == wanted], fitting):
            for name in near:
                if any(is_in_range(name, it) if it.count else it.name == name for it in kept):
                    return name
            if kept:
                return f"{kept[0].name}0" if kept[0].count else kept[0].name
        return ""


def _names(prefix: str, parameters: Sequence[Symbol]) -> list[str]:
    return [f"{prefix}{number}" for number in range(len(parameters))]


def _declaration(parameter: Symbol, name: str) -> str:
    alignment = f" .align {parameter.alignment}" if parameter.alignment else ""
    sizes = "".join(f"[{1 if size is None else size}]" for size in parameter.dimensions)
    return f".param{alignment} {parameter.type} {name}{sizes};"


def _places(parameter: Symbol) -> list[str]:
    """Returns the offsets of the elements that are accessed: of an array, only the first."""
    return ["+0"] if parameter.dimensions else [""]


def _accessed(kind: str) -> str:
    """Returns the type with which `ld` and `st` access a value; they have no `.f16`."""
    info = isa.database().types.get(kind)
    is_odd = info is not None and info.type_class in ("half", "alternate")
    return f".b{info.bits}" if info is not None and is_odd else kind


def _constant(kind: str) -> str:
    info = isa.database().types.get(kind)
    is_float = info is not None and info.type_class in ("float", "half")
    return "0.0" if is_float else "0"


def holds(declared: str, wanted: str) -> bool:
    """Whether a register of the type `declared` can hold loaded values of the type `wanted`."""
    types = isa.database().types
    own, other = types.get(declared), types.get(wanted)
    if own is None or other is None or "predicate" in (own.type_class, other.type_class):
        return False
    integers = "signed", "unsigned"
    is_mixed = (own.type_class in integers) != (other.type_class in integers)
    is_mixed = is_mixed and "bits" not in (own.type_class, other.type_class)
    if other.bits <= _BYTE:
        return own.bits > _BYTE and own.type_class in (*integers, "bits")
    return own.bits == other.bits and not is_mixed
