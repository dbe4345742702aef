"""The parts of a module: its directives, its functions, and its other declarations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ptx_ls.comparison.heads import parameter_name
from ptx_ls.comparison.phrases import Phrase, rendered
from ptx_ls.document.braces import braces
from ptx_ls.semantics.symbols.module_names import outer_facts
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.record_lines import filled, run_start

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ptx_ls.comparison.phrases import PhraseReader
    from ptx_ls.document.document import Document
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol

_HEADER: Final = (".version", ".target", ".address_size")
_NOT_COMPARED: Final = frozenset({Kind.LOCATION, Kind.DATA, Kind.LINE, Kind.EMPTY})
_DECLARATIONS: Final = (Kind.DECLARATION, Kind.FUNCTION_DECLARATION)
_EXTERN: Final = ".extern"
_IGNORED: Final = (".file", ".loc", "@@DWARF", ".nv_intermediate_source_section")


class FunctionPlace(NamedTuple):
    """A function with a body: its name, and its place in the document."""

    name: str
    located: LocatedFunction


class ModuleDeclaration(NamedTuple):
    """A variable, or a function without a body.

    Attributes:
        pieces: its text around the names in it.
        names: those names; "" for its own. Parameters are numbered.
    """

    pieces: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def is_extern(self) -> bool:
        """Whether another module defines the name."""
        return _EXTERN in self.pieces[0]

    def text(self, name: str, outer: Mapping[str, str]) -> str:
        """Returns the declaration with its own name and with other names replaced."""
        text = rendered(self.pieces, [outer.get(it, it) if it else name for it in self.names])
        return text.rstrip("; ")


@dataclass(frozen=True)
class ModuleParts:
    """The parts of a module.

    Attributes:
        header: the values of `.version`, `.target` and `.address_size`, by name.
        functions: the functions with a body, in the order of the text.
        declarations: variables, and functions that have no body in the module, by name.
        others: further statements at module scope, such as `.alias`.
    """

    header: Mapping[str, str]
    functions: Sequence[FunctionPlace]
    declarations: Mapping[str, ModuleDeclaration]
    others: Sequence[Phrase]


def parts_of(document: Document, reader: PhraseReader) -> ModuleParts:
    """Returns the parts of a module, without debug data."""
    header: dict[str, str] = {}
    functions: list[FunctionPlace] = []
    declarations: dict[str, ModuleDeclaration] = {}
    others: list[Phrase] = []
    for located in document.functions:
        facts = outer_facts(located.function)
        if located.head is Kind.FUNCTION:
            symbol = facts.function
            functions.append(FunctionPlace(symbol.name if symbol is not None else "", located))
        for found in _outside(located):
            if _is_declaration(found):
                named = _declared(found, facts.exports, reader)
                for name, declaration in named.items():
                    before = declarations.get(name)
                    if before is None or (before.is_extern and not declaration.is_extern):
                        declarations[name] = declaration
                if named:
                    continue
            name, *value = without_comments(found.text).split()
            if name in _HEADER and name not in header:
                header[name] = " ".join(value)
            elif not found.text.startswith(_IGNORED):
                others.append(_other(found, reader))
    defined = {function.name for function in functions}
    kept = {name: it for name, it in declarations.items() if name not in defined}
    return ModuleParts(header, functions, kept, others)


def _is_declaration(found: Found) -> bool:
    """Whether a statement is a declaration; one of a function only if it can be read.

    Declarations of functions that the module defines are not compared, but errors in them are.
    """
    kind = found.record.kind
    return kind in _DECLARATIONS and not (
        kind is Kind.FUNCTION_DECLARATION and found.record.problems
    )


def _declared(
    found: Found, exports: Sequence[Symbol], reader: PhraseReader
) -> dict[str, ModuleDeclaration]:
    """Returns the names that a statement declares, perhaps again, each with its declaration."""
    phrase = reader.read(found.text, has_opcode=False)
    own = [
        it.name for it in exports if found.start <= it.start < found.end and it.name in phrase.names
    ]
    if not own:  # the symbol is that of another declaration
        names = {it.name for it in exports}
        own = [name for name in phrase.names if name in names][:1]
    declared = {}
    is_function = found.record.kind is Kind.FUNCTION_DECLARATION
    for name in own:
        if is_function:
            names_in = _with_numbered_parameters(phrase)
            declared[name] = ModuleDeclaration(phrase.pieces, names_in)
        else:
            parts = _declarator(phrase, name, own)
            names_in = tuple("" if it == name else it for it in parts.names)
            declared[name] = ModuleDeclaration(parts.pieces, names_in)
    return declared


def _with_numbered_parameters(phrase: Phrase) -> tuple[str, ...]:
    """Returns the names in a declaration of a function, with "" for its own."""
    names: list[str] = []
    depth = n_parameters = 0
    for piece in phrase.pieces[:-1]:
        depth += piece.count("(") - piece.count(")")
        names.append(parameter_name(n_parameters) if depth else "")
        n_parameters += depth > 0
    return tuple(names)


def _other(found: Found, reader: PhraseReader) -> Phrase:
    """Returns any other statement at module scope; its text if it is unreadable or repeated."""
    is_repeated = found.text.startswith(_HEADER)
    if is_repeated or found.record.kind is Kind.BROKEN or found.record.problems:
        return Phrase((" ".join(without_comments(found.text).split()),), ())
    return reader.read(found.text, has_opcode=found.record.kind is Kind.INSTRUCTION)


def _outside(located: LocatedFunction) -> Iterator[Found]:
    """Yields the statements before the head of a function's document part or after its body."""
    function = located.function
    if function.head is Kind.SECTION:
        return
    text = region_text(function)
    first = level = 0
    is_inside = function.head is Kind.FUNCTION
    if is_inside:
        found_braces = braces(function)
        if found_braces.close is None:
            return
        first = run_start(text.records, found_braces.close)
        level = found_braces.level(first)
    for found in text.statements(filled(text.records, first)):
        kind = found.record.kind
        if is_inside:
            level += (kind in (Kind.FUNCTION, Kind.OPEN)) - (kind is Kind.CLOSE)
            is_inside = level > 0
        elif kind not in _NOT_COMPARED:
            yield found


def _declarator(phrase: Phrase, name: str, own: Sequence[str]) -> Phrase:
    """Returns the part of `.global .u32 a, b;` that declares one of its names."""
    places = [index for index, it in enumerate(phrase.names) if it in own]
    at = phrase.names.index(name)
    after = next((place for place in places if place > at), len(phrase.names))
    pieces = [phrase.pieces[0], *phrase.pieces[at + 1 : after + 1]]
    pieces[-1] = pieces[-1].rstrip("; ,")
    return phrase._replace(pieces=tuple(pieces), names=phrase.names[at:after])
