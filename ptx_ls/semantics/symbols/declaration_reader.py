"""Turns declarations into symbols.

Source: PTX ISA, "Variables", "Parameterized Variable Names", "Kernel and Function Directives".
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final, Generic

from ptx_ls.semantics.symbols.label_lists import count_after
from ptx_ls.semantics.symbols.symbols import CUT, UNKNOWN_TYPE, Symbol, SymbolKind
from ptx_ls.source.lines import split_lines
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax import parser
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.offsets import At, StatementPosition, shifted
from ptx_ls.syntax.parsing.nodes import end_of, is_inner, is_leaf, leaves, start_of
from ptx_ls.syntax.plain.declarations import PlainDeclaration, plain_declaration
from ptx_ls.syntax.tokens import NUMBER, REG, SPACES, WORD, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from parso.tree import BaseNode, Leaf, NodeOrLeaf

    from ptx_ls.document.coordinates import FunctionPosition

_SPACES: Final = SPACES | {".reg", ".sreg"}
_MAX_TEXT_LENGTH: Final = 200
DECLARED: Final = ("declarator", "formal")
"""Types of the nodes for a variable or parameter with more than a name, such as sizes."""
_WARP: Final = "WARP_SZ"


def of_declaration(text: str, start: FunctionPosition) -> Iterator[Symbol]:
    """Yields the symbols of a variable declaration whose text begins at `start`."""
    plain = plain_declaration(text)
    if plain is not None:
        return _plain(plain, text, start)
    parsed = parser.parse(text)
    if parsed.problem is None:
        return _variables(parsed.tree, text, start)
    return _broken(text, start)


def _broken(text: str, start: FunctionPosition) -> Iterator[Symbol]:
    """Yields the names that a declaration with a syntax error seems to declare, of unknown type."""
    shown, stream = folded(text), list(tokenize(text))
    space = next((token.string for token in stream if token.string in _SPACES), ".reg")
    for number, token in enumerate(stream):
        is_name = token.type in (WORD, REG) and "." not in token.string
        if not is_name or token.string in (_WARP, "_") or stream[number + 1].string == "(":
            continue
        if number and not token.prefix and stream[number - 1].type is NUMBER:  # `64%r`
            continue
        if number and stream[number - 1].string == "<":  # instead of a number
            continue
        yield Symbol(
            token.string,
            SymbolKind.REGISTER if space == ".reg" else SymbolKind.VARIABLE,
            *token.placed(start),
            type=UNKNOWN_TYPE,
            space=space,
            count=count_after(stream, number) or 0,
            text=shown,
        )


class Places(Generic[At]):
    """Turns offsets in a text that begins at `start` into places."""

    def __init__(self, text: str, start: At) -> None:
        self._start = start
        self._starts = [0]
        if "\n" in text or "\r" in text:
            self._starts += accumulate(map(len, split_lines(text)[:-1]))

    def __call__(self, offset: int) -> At:
        """Returns the place of an offset."""
        line = bisect_right(self._starts, offset) - 1
        return shifted(StatementPosition((line, offset - self._starts[line])), self._start)


def _plain(declaration: PlainDeclaration, text: str, start: FunctionPosition) -> Iterator[Symbol]:
    at, statement = Places(text, start), folded(text)
    is_registers = declaration.space == ".reg"
    for name in declaration.declarators:
        yield Symbol(
            name.name,
            SymbolKind.REGISTER if is_registers else SymbolKind.VARIABLE,
            at(name.start),
            at(name.start + len(name.name)),
            type=declaration.type,
            space=declaration.space,
            vector_size=decimal(declaration.vector[2:]) if declaration.vector else 1,
            count=name.n_registers,
            dimensions=name.sizes,
            alignment=decimal(declaration.alignment) if declaration.alignment else None,
            linkage=declaration.linkage,
            is_definition=declaration.linkage != ".extern",
            text=statement,
        )


def _variables(tree: BaseNode, text: str, start: FunctionPosition) -> Iterator[Symbol]:
    properties = Properties()
    statement = folded(text)
    for node in flat(tree):
        if is_leaf(node) and properties.take(node):
            continue
        if node.type in DECLARED or (node.type in ("word", "reg") and properties.space):
            yield declared_symbol(node, properties, start, statement, is_parameter=False)


def properties_of(text: str, start: FunctionPosition) -> Symbol:
    """Returns the properties in a declaration without a name, as a symbol named by its text.

    Its place is where the name is missing. It counts as an array, because it may become one.
    """
    properties = Properties()
    tree = parser.parse(text).tree
    parts = [part for part in leaves(tree) if part.type not in ("operator", "endmarker")]
    for part in parts:
        properties.take(part)
    place = shifted(end_of(parts[-1]), start)
    return Symbol(
        folded(text).rstrip("; "),
        SymbolKind.REGISTER if properties.space == ".reg" else SymbolKind.VARIABLE,
        place,
        place,
        type=properties.type,
        space=properties.space,
        vector_size=properties.vector_size,
        dimensions=(None,) if properties.vector_size == 1 else (),
        alignment=properties.alignment,
        linkage=properties.linkage,
        text=folded(text),
    )


def ends_with_type(text: str) -> bool:
    """Whether a declaration ends in its type, without a name."""
    words = [token.string for token in tokenize(text)]
    return words[-2:-1] == [";"] and "".join(words[-3:-2]).startswith(".")


def declared_symbol(
    node: NodeOrLeaf,
    properties: Properties,
    start: FunctionPosition,
    text: str,
    *,
    is_parameter: bool,
) -> Symbol:
    """Returns the symbol that a declarator, or a bare name, declares with these properties."""
    name = node if is_leaf(node) else next(iter(leaves(node)))
    count, dimensions = (0, ()) if is_leaf(node) else _sizes(node)
    if properties.space == ".reg":
        kind = SymbolKind.REGISTER
    else:
        kind = SymbolKind.PARAMETER if is_parameter else SymbolKind.VARIABLE
    return Symbol(
        name.value,
        kind,
        shifted(start_of(name), start),
        shifted(end_of(name), start),
        type=properties.type,
        space=properties.space,
        vector_size=properties.vector_size,
        count=count,
        dimensions=dimensions,
        alignment=properties.alignment,
        linkage=properties.linkage,
        is_definition=properties.linkage != ".extern",
        text=text,
    )


def _sizes(declarator: NodeOrLeaf) -> tuple[int, tuple[int | None, ...]]:
    """Returns the N of `<N>`, or 0, and the array sizes."""
    assert is_inner(declarator)  # noqa: S101  for mypy
    count = 0
    dimensions: list[int | None] = []
    previous = ""
    for child in declarator.children:
        value = child.value if is_leaf(child) else ""
        if value == "=":
            break
        if previous == "<":
            count = _WARP_SIZE if value == _WARP else integer(value) or 0
        elif previous == "[":
            dimensions.append(None if value == "]" else integer(value))
        previous = value
    return count, tuple(dimensions)


_WARP_SIZE: Final = 32


class Properties:
    """The properties before a declarator: linkage, space, alignment, vector, type."""

    def __init__(self) -> None:
        self.linkage = ""
        self.space = ""
        self.type = ""
        self.vector_size = 1
        self.alignment: int | None = None
        self._previous = ""

    def take(self, leaf: Leaf) -> bool:
        """Records the next leaf of the text; returns whether it is the number of `.align`."""
        value = leaf.value
        is_alignment = self._previous == ".align"
        if leaf.type == "linkage":
            self.linkage = value
        elif value in (".reg", ".sreg") or (leaf.type == "space" and not self.space):
            self.space = value.partition("[")[0]
        elif leaf.type == "type":
            self.type = self.type or value  # the first in `.param .u64 .ptr .u8`
        elif leaf.type == "vector":
            self.vector_size = decimal(value[2:])
        elif leaf.type == "number" and is_alignment:
            self.alignment = integer(value)
        elif leaf.type == "word" and is_alignment:
            self.alignment = _WARP_SIZE if value == _WARP else 0
        self._previous = value
        return is_alignment


def flat(node: NodeOrLeaf, stop: tuple[str, ...] = DECLARED) -> Iterator[NodeOrLeaf]:
    """Yields the leaves of a tree in order, but nodes of the types `stop` as a whole."""
    if node.type in stop or is_leaf(node):
        yield node
    elif is_inner(node):
        for child in node.children:
            yield from flat(child, stop)


def folded(text: str) -> str:
    """Returns a text on one line without comments; cut short if it is long."""
    line = " ".join(without_comments(text[: 2 * _MAX_TEXT_LENGTH]).split())
    return line if len(line) <= _MAX_TEXT_LENGTH else line[: _MAX_TEXT_LENGTH - 1] + CUT
