"""The canonical text of a module: texts of the same meaning become equal, line by line.

Functions and declarations stay in their order.

Local names are chosen by how a value is computed and not by counting, so that a change of one
statement changes few others. The text is for comparison: it can be read as PTX, but declarations
that only a compiler needs are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from zlib import crc32

from ptx_ls.comparison.code import UNDECLARED, as_text, read_code
from ptx_ls.comparison.generated_names import without_generated_parts
from ptx_ls.comparison.heads import ATTRIBUTE, parameter_name
from ptx_ls.comparison.modules import parts_of
from ptx_ls.comparison.phrases import PhraseReader, rendered
from ptx_ls.comparison.written_names import WrittenNames
from ptx_ls.syntax.tokens import SPACES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ptx_ls.comparison.code import CodeLine, FunctionCode, LocalName
    from ptx_ls.comparison.modules import ModuleParts
    from ptx_ls.document.document import Document

_PREFIXES: Final = {
    ".pred": "%p",
    ".b16": "%rs",
    ".b32": "%r",
    ".b64": "%rd",
    ".f32": "%f",
    ".f64": "%fd",
}
"""The usual names of registers; others are named after their type."""
_FEWEST_NUMBERS: Final = 100_000
_ROOM: Final = 100
"""How many numbers to have for each name, so that few names want the same one."""
_DIGITS: Final = "0123456789"


def canonical_text(document: Document) -> str:
    """Returns the canonical text of a module; that of a canonical text is the text itself."""
    reader = PhraseReader()
    parts = parts_of(document, reader)
    outer = _outer_names(parts)
    return "".join(f"{line}\n" for line in _lines(parts, outer, reader))


def _lines(parts: ModuleParts, outer: Mapping[str, str], reader: PhraseReader) -> Iterator[str]:
    for name, value in parts.header.items():
        yield f"{name} {value}"
    for name, declaration in parts.declarations.items():
        yield f"{declaration.text(outer.get(name, name), outer)};"
    for phrase in parts.others:
        yield rendered(phrase.pieces, [outer.get(name, name) for name in phrase.names])
    written = WrittenNames()
    for function in parts.functions:
        code = read_code(function.located, reader, outer)
        yield ""
        if code.unread is not None:
            code = as_text(code, function.located)
            yield from (rendered(line.pieces, ()) for line in code.lines)
        else:
            yield from _function(code, outer, written)


def _function(code: FunctionCode, outer: Mapping[str, str], written: WrittenNames) -> Iterator[str]:
    """Yields the lines of a function."""
    names = _LocalNames(code, written)
    head = code.head
    returns = ", ".join(_parameter(it, number) for number, it in enumerate(head.returns))
    n_returns = len(head.returns)
    parameters = [_parameter(it, n_returns + number) for number, it in enumerate(head.parameters)]
    before = "".join(f"{name}{value} " for name, value in head.directives if name == ATTRIBUTE)
    before += f"({returns}) " if returns else ""
    yield f"{head.kind} {before}{outer.get(head.name, head.name)}("
    yield from (f"  {it}," for it in parameters[:-1])
    yield from (f"  {it}" for it in parameters[-1:])
    yield ")"
    for name, value in head.directives:
        if name != ATTRIBUTE:
            yield f"{name} {value}".rstrip()
    yield "{"
    yield from (f"  {it}" for it in names.declarations())
    for line in code.lines:
        text = rendered(line.pieces, names.of(line))
        yield text if line.is_label else f"  {text}"
    yield "}"


def _parameter(declared: str, number: int) -> str:
    """Returns the declaration of a return value or parameter with its name."""
    first, bracket, sizes = declared.partition("[")
    return f"{first} {parameter_name(number)}{bracket}{sizes}"


def _outer_names(parts: ModuleParts) -> dict[str, str]:
    """Returns names of the module without the parts that compilers choose, by the own names."""
    names = [*(function.name for function in parts.functions), *parts.declarations]
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        declaration = parts.declarations.get(name)
        hashed = 0 if declaration is None else _hash(declaration.text("", {}))
        chosen = without_generated_parts(name, _digits(hashed))
        while chosen in taken and chosen != name:
            hashed = _again(hashed)
            chosen = without_generated_parts(name, _digits(hashed))
            if chosen == without_generated_parts(name, ""):  # it has no counter
                chosen = name
        taken.add(chosen)
        if chosen != name:
            found[name] = chosen
    return found


def _digits(hashed: int) -> str:
    return str(hashed % _FEWEST_NUMBERS)


def _again(hashed: int) -> int:
    """Returns another number for a name whose number is taken."""
    return crc32(hashed.to_bytes(4, "big"))


def _hash(*parts: object) -> int:
    return crc32("\0".join(map(str, parts)).encode("utf-8", "replace"))


class _LocalNames:
    """Chooses the names of a function."""

    def __init__(self, code: FunctionCode, written: WrittenNames) -> None:
        self._code = code
        self._room = _FEWEST_NUMBERS
        while self._room < _ROOM * len(code.names):
            self._room *= 10
        self._taken = {it for line in code.lines for it in line.names if isinstance(it, str)}
        n_parameters = len(code.head.returns) + len(code.head.parameters)
        self._taken.update(map(parameter_name, range(n_parameters)))
        self._writers = written.writers(code)
        self._plain = [
            _hash(*line.pieces, *[it for it in line.names if isinstance(it, str)])
            for line in code.lines
        ]
        self._mentions = self._first_mentions()
        self._unused = [
            self._declared(each, self._numbered("unused_", _hash(each))) for each in code.unused
        ]
        self._names = [self._chosen(number, name) for number, name in enumerate(code.names)]

    def of(self, line: CodeLine) -> list[str]:
        """Returns the names in a statement."""
        return [it if isinstance(it, str) else self._names[it] for it in line.names]

    def declarations(self) -> list[str]:
        """Returns the declarations of registers and variables, sorted."""
        found = set()
        for name, chosen in zip(self._code.names, self._names, strict=True):
            if name.declared.startswith(".reg"):
                found.add(f"{name.declared} {chosen.rstrip(_DIGITS)}<{self._room}>;")
            elif name.declared.startswith("."):
                found.add(self._declared(name.declared, chosen))
        return sorted((*found, *self._unused))

    @staticmethod
    def _declared(declared: str, name: str) -> str:
        first, bracket, sizes = declared.partition(" [")
        return f"{first} {name}{bracket.strip()}{sizes};"

    def _first_mentions(self) -> dict[int, int]:
        """Returns the number of the first statement that mentions each name, except as a label."""
        found: dict[int, int] = {}
        for number, line in enumerate(self._code.lines):
            for name in line.names:
                if isinstance(name, int):
                    place = min(number + 1, len(self._plain) - 1) if line.is_label else number
                    if line.is_label:
                        found[name] = place  # what it labels
                    else:
                        found.setdefault(name, place)
        return found

    def _chosen(self, number: int, name: LocalName) -> str:
        if name.declared == "label":
            return self._numbered("$L_", _hash(self._plain[self._mentions[number]]))
        if name.declared.startswith("parameter"):
            return parameter_name(int(name.declared.rpartition(" ")[2]))
        if name.declared.startswith(".reg"):
            return self._numbered(_prefix(name), self._value(number, name))
        base = "%undeclared" if name.declared == UNDECLARED else _kind_of_variable(name)
        return self._numbered(f"{base}_", self._value(number, name))

    def _value(self, number: int, name: LocalName) -> int:
        """Returns a number that depends on how a value is computed, or else first used."""
        writer = self._writers.get(number)
        if writer is None:
            return _hash(name.declared, self._plain[self._mentions[number]])
        at, index = writer
        operands = [
            self._plain[self._writers[it][0]]
            for it in self._code.lines[at].names
            if isinstance(it, int) and it in self._writers and it != number
        ]
        return _hash(self._plain[at], index, *operands)

    def _numbered(self, base: str, hashed: int) -> str:
        """Returns a new name with a number at its end."""
        name = f"{base}{hashed % self._room}"
        while name in self._taken:
            hashed = _again(hashed)
            name = f"{base}{hashed % self._room}"
        self._taken.add(name)
        return name


def _kind_of_variable(name: LocalName) -> str:
    """Returns the state space of a variable, without a dot; "variable" if it is not known."""
    spaces = (word[1:] for word in name.declared.split() if word in SPACES)
    return next(spaces, "variable")


def _prefix(name: LocalName) -> str:
    """Returns the beginning of the names of registers with the type of one."""
    usual = _PREFIXES.get(name.declared.removeprefix(".reg "))
    if usual is not None:
        return usual
    words = name.declared.removeprefix(".reg").replace(".", "").replace(" ", "")
    return f"%{words}_"
