"""Reads declarations: statements into symbols.

Source: PTX ISA, "Variables", "Parameterized Variable Names", "Kernel and Function Directives".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from parso.tree import BaseNode, Leaf, NodeOrLeaf

from ptx_ls.semantics.symbols import CUT, UNKNOWN_TYPE, Symbol, SymbolKind
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax import parser
from ptx_ls.syntax.heads import HEAD, PARAMETER
from ptx_ls.syntax.parser import end_of, leaves, start_of, text_of
from ptx_ls.syntax.places import shifted
from ptx_ls.syntax.tokens import TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

_SIMPLE: Final = re.compile(
    r"\s*+\.(reg|param|local|shared)[ \t]++(?:\.align[ \t]++(\d++)[ \t]++)?(\.\w++)[ \t]++"
    r"([%\w$]++)(?:<(\d++)>|\[(\d++)\])?[ \t]*+;",
    re.ASCII,
).match
"""Nearly every declaration in a function: one name, no initialiser."""
_LINE_END: Final = re.compile(r"\r\n|\n|\r").finditer
_SPACES: Final = re.compile(r"\.(?:reg|sreg|const|global|local|param|shared|tex|surf)\b").findall
_BROKEN_NAME: Final = re.compile(
    r"(?<![\w$.%])(%?[A-Za-z_$][\w$]*+)(?![\w$.(])(?:<(\d{1,9}+)>)?", re.ASCII
).finditer
_TEXT_LIMIT: Final = 200
_COMMENT: Final = re.compile(r"//[^\r\n]*+|/\*.*?(?:\*/|$)", re.DOTALL).sub
_DECLARED: Final = ("declarator", "formal")
"""What names a variable or a parameter, where it is more than a name."""
_WARP: Final = "WARP_SZ"


def of_declaration(text: str, start: tuple[int, int]) -> Iterator[Symbol]:
    """Symbols of a variable declaration whose text stands at `start`."""
    match = _SIMPLE(text)
    if match is not None and match[3] in TYPES:
        yield _simple(text, start, match)
        return
    parsed = parser.parse(text)
    if parsed.problem is None:
        yield from _variables(parsed.tree, text, start)
    else:
        yield from _broken(text, start)


def _broken(text: str, start: tuple[int, int]) -> Iterator[Symbol]:
    """Names that a declaration with a syntax error seems to declare, of no known type."""
    at = _Places(text, start)
    space = next(iter(_SPACES(text)), ".reg")
    for match in _BROKEN_NAME(text):
        if match[1] in (_WARP, "_"):
            continue
        yield Symbol(
            match[1],
            SymbolKind.REGISTER if space == ".reg" else SymbolKind.VARIABLE,
            at(match.start(1)),
            at(match.end(1)),
            type=UNKNOWN_TYPE,
            space=space,
            count=decimal(match[2]) if match[2] else 0,
            text=folded(text),
        )


def _simple(text: str, start: tuple[int, int], match: re.Match[str]) -> Symbol:
    space, alignment, kind, name, count, size = match.groups()
    return Symbol(
        name,
        SymbolKind.REGISTER if space == "reg" else SymbolKind.VARIABLE,
        shifted((0, match.start(4)), start),
        shifted((0, match.end(4)), start),
        type=kind,
        space="." + space,
        count=_integer(count) or 0 if count else 0,
        dimensions=(_integer(size),) if size else (),
        alignment=_integer(alignment) if alignment else None,
        text=folded(text),
    )


def _variables(tree: BaseNode, text: str, start: tuple[int, int]) -> Iterator[Symbol]:
    properties = _Properties()
    statement = folded(text)
    for node in _flat(tree):
        if isinstance(node, Leaf) and properties.take(node):
            continue
        if node.type in _DECLARED or (node.type in ("word", "reg") and properties.space):
            yield _symbol(node, properties, start, statement, is_parameter=False)


def properties_of(text: str, start: tuple[int, int]) -> Symbol:
    """What a declaration without a name says, as a symbol whose name is its text.

    Its place is where the name is missing. It may be that of an array, so it seems to be one.
    """
    properties = _Properties()
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


def of_function(text: str, start: tuple[int, int]) -> Symbol | None:
    """The kernel or device function that a head declares; None if it has no name yet."""
    match = HEAD(text)
    return _of_head(match, start) if match is not None else _of_tree(text, start)


def _of_head(match: re.Match[str], start: tuple[int, int]) -> Symbol:
    at = _Places(match.string, start)
    return Symbol(
        match["name"],
        SymbolKind.KERNEL if match["kind"] == "entry" else SymbolKind.FUNCTION,
        at(match.start("name")),
        at(match.end("name")),
        linkage=match["linkage"].strip(),
        is_definition=match["end"] == "{",
        text=folded(match.string),
        parameters=tuple(_of_list(match, "parameters", at)),
        returns=tuple(_of_list(match, "returns", at)),
    )


def _of_list(head: re.Match[str], group: str, at: _Places) -> Iterator[Symbol]:
    if head[group] is None:
        return
    for match in PARAMETER(head.string, *head.span(group)):
        is_register = match["space"] == "reg"
        size = match["size"]
        yield Symbol(
            match["name"],
            SymbolKind.REGISTER if is_register else SymbolKind.PARAMETER,
            at(match.start("name")),
            at(match.end("name")),
            type=match["type"],
            space="." + match["space"],
            dimensions=(decimal(size) if size else None,) if match["array"] else (),
            alignment=_integer(match["alignment"]) if match["alignment"] else None,
            text=folded(match[0]),
        )


class _Places:
    """Offsets in a text as places, given where the text stands."""

    def __init__(self, text: str, start: tuple[int, int]) -> None:
        self._start = start
        self._starts = [0, *(match.end() for match in _LINE_END(text))]

    def __call__(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset) - 1
        return shifted((line, offset - self._starts[line]), self._start)


def _of_tree(text: str, start: tuple[int, int]) -> Symbol | None:
    tree = parser.parse(text).tree
    name: Leaf | None = None
    linkage = ""
    kind = SymbolKind.FUNCTION
    lists: list[tuple[bool, tuple[Symbol, ...]]] = []
    for node in _flat(tree, stop=("parameters", "parameter")):
        if node.type == "linkage" and isinstance(node, Leaf):
            linkage = node.value
        elif node.type == "function" and isinstance(node, Leaf):
            kind = SymbolKind.KERNEL if node.value == ".entry" else SymbolKind.FUNCTION
        elif node.type in ("parameters", "parameter"):
            lists.append((name is None, tuple(_parameters(node, start))))
        elif node.type in ("word", "reg") and isinstance(node, Leaf) and name is None:
            name = node
    if name is None:
        return None
    returns = tuple(symbol for before, symbols in lists if before for symbol in symbols)
    parameters = tuple(symbol for before, symbols in lists if not before for symbol in symbols)
    return Symbol(
        name.value,
        kind,
        shifted(start_of(name), start),
        shifted(end_of(name), start),
        linkage=linkage,
        is_definition=text.rstrip().endswith("{"),
        text=folded(text),
        parameters=parameters,
        returns=returns,
    )


def _parameters(node: NodeOrLeaf, start: tuple[int, int]) -> Iterator[Symbol]:
    nodes = [node]
    if node.type == "parameters" and isinstance(node, BaseNode):
        nodes = [child for child in node.children if child.type != "operator"]
    for parameter in nodes:
        properties = _Properties()
        for part in _flat(parameter):
            if isinstance(part, Leaf) and properties.take(part):
                continue
            if part.type in _DECLARED or part.type in ("word", "reg"):
                yield _symbol(
                    part,
                    properties,
                    start,
                    folded(text_of(parameter)),
                    is_parameter=True,
                )
                break


def _symbol(
    node: NodeOrLeaf,
    properties: _Properties,
    start: tuple[int, int],
    text: str,
    *,
    is_parameter: bool,
) -> Symbol:
    name = node if isinstance(node, Leaf) else next(iter(leaves(node)))
    count, dimensions = (0, ()) if isinstance(node, Leaf) else _sizes(node)
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
    """N of `<N>`, and the sizes in brackets."""
    assert isinstance(declarator, BaseNode)  # noqa: S101  for mypy
    count = 0
    dimensions: list[int | None] = []
    previous = ""
    for child in declarator.children:
        value = child.value if isinstance(child, Leaf) else ""
        if value == "=":
            break
        if previous == "<":
            count = _WARP_SIZE if value == _WARP else _integer(value) or 0
        elif previous == "[":
            dimensions.append(None if value == "]" else _integer(value))
        previous = value
    return count, tuple(dimensions)


def _integer(text: str) -> int | None:
    """The value of an integer literal, of which 64 bits count; None if it is no such literal."""
    digits = text.rstrip("U")
    try:
        if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
            return int(digits, 8) % _WRAP
        return int(digits, 0) % _WRAP
    except ValueError:
        return None


_WARP_SIZE: Final = 32
_WRAP: Final = 1 << 64


class _Properties:
    """What stands before a declarator: linkage, space, alignment, vector, type."""

    def __init__(self) -> None:
        self.linkage = ""
        self.space = ""
        self.type = ""
        self.vector_size = 1
        self.alignment: int | None = None
        self._previous = ""

    def take(self, leaf: Leaf) -> bool:
        """Notes one leaf in the order of the text; whether it is an alignment."""
        value = leaf.value
        is_alignment = self._previous == ".align"
        if leaf.type == "linkage":
            self.linkage = value
        elif value in (".reg", ".sreg") or (leaf.type == "space" and not self.space):
            self.space = value.partition("[")[0]
        elif leaf.type == "type":
            self.type = value
        elif leaf.type == "vector":
            self.vector_size = decimal(value[2:])
        elif leaf.type == "number" and is_alignment:
            self.alignment = _integer(value)
        elif leaf.type == "word" and is_alignment:
            self.alignment = _WARP_SIZE if value == _WARP else 0
        self._previous = value
        return is_alignment


def _flat(node: NodeOrLeaf, stop: tuple[str, ...] = _DECLARED) -> Iterator[NodeOrLeaf]:
    """Nodes below in order; those of type `stop` whole, all others leaf by leaf."""
    if node.type in stop or isinstance(node, Leaf):
        yield node
    elif isinstance(node, BaseNode):
        for child in node.children:
            yield from _flat(child, stop)


def folded(text: str) -> str:
    """Text on one line without comments, cut when long."""
    start = text[: 2 * _TEXT_LIMIT]
    line = " ".join((_COMMENT(" ", start) if "/" in start else start).split())
    return line if len(line) <= _TEXT_LIMIT else line[: _TEXT_LIMIT - 1] + CUT
