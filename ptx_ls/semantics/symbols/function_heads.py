"""Turns the heads of kernels and device functions into symbols.

Source: PTX ISA, "Kernel and Function Directives".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.semantics.symbols.declaration_reader import (
    DECLARED,
    Places,
    Properties,
    declared_symbol,
    flat,
    folded,
)
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.syntax import parser
from ptx_ls.syntax.comments import blanked
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.parsing.nodes import end_of, is_inner, is_leaf, start_of, text_of
from ptx_ls.syntax.plain.heads import plain_head
from ptx_ls.syntax.plain.signatures import plain_parameters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from parso.tree import Leaf, NodeOrLeaf

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.syntax.plain.heads import Span


def of_function(text: str, start: FunctionPosition) -> Symbol | None:
    """Returns the kernel or device function that a head declares; None if it has no name yet."""
    head = plain_head(text)
    if head is None:
        return _of_tree(text, start)
    at = Places(text, start)
    return Symbol(
        head.name,
        SymbolKind.KERNEL if head.is_kernel else SymbolKind.FUNCTION,
        at(head.start),
        at(head.start + len(head.name)),
        linkage=head.linkage,
        is_definition=head.is_definition,
        text=folded(text),
        parameters=tuple(_in_span(text, head.parameters, at)),
        returns=tuple(_in_span(text, head.returns, at)),
    )


def _in_span(text: str, span: Span, at: Places[FunctionPosition]) -> Iterator[Symbol]:
    """Yields everything that looks like a parameter in a span of a text."""
    for parameter in plain_parameters(text, span):
        is_register = parameter.space == ".reg"
        yield Symbol(
            parameter.name,
            SymbolKind.REGISTER if is_register else SymbolKind.PARAMETER,
            at(parameter.start),
            at(parameter.start + len(parameter.name)),
            type=parameter.type,
            space=parameter.space,
            dimensions=parameter.sizes,
            alignment=parameter.alignment,
            text=folded(parameter.text),
        )


def _after_name(text: str, start: FunctionPosition, name: FunctionPosition) -> tuple[Symbol, ...]:
    """Returns everything that looks like a parameter after the name, despite a syntax error."""
    code = blanked(text)
    found = _in_span(code, (0, len(code)), Places(text, start))
    return tuple([symbol for symbol in found if symbol.start > name])


def _of_tree(text: str, start: FunctionPosition) -> Symbol | None:
    parsed = parser.parse(text)
    tree = parsed.tree
    name: Leaf | None = None
    linkage = ""
    kind = SymbolKind.FUNCTION
    lists: list[tuple[bool, tuple[Symbol, ...]]] = []
    for node in flat(tree, stop=("parameters", "parameter")):
        if node.type == "linkage" and is_leaf(node):
            linkage = node.value
        elif node.type == "function" and is_leaf(node):
            kind = SymbolKind.KERNEL if node.value == ".entry" else SymbolKind.FUNCTION
        elif node.type in ("parameters", "parameter"):
            lists.append((name is None, tuple(_parameters(node, start))))
        elif node.type in ("word", "reg") and is_leaf(node) and name is None:
            name = node
    if name is None:
        return None
    end = shifted(end_of(name), start)
    returns = tuple(symbol for before, symbols in lists if before for symbol in symbols)
    parameters = tuple(symbol for before, symbols in lists if not before for symbol in symbols)
    if parsed.problem is not None:
        parameters = max(parameters, _after_name(text, start, end), key=len)
    return Symbol(
        name.value,
        kind,
        shifted(start_of(name), start),
        end,
        linkage=linkage,
        is_definition=text.rstrip().endswith("{"),
        text=folded(text),
        parameters=parameters,
        returns=returns,
    )


def _parameters(node: NodeOrLeaf, start: FunctionPosition) -> Iterator[Symbol]:
    nodes = [node]
    if node.type == "parameters" and is_inner(node):
        nodes = [child for child in node.children if child.type != "operator"]
    for parameter in nodes:
        properties = Properties()
        for part in flat(parameter):
            if is_leaf(part) and properties.take(part):
                continue
            if part.type in DECLARED or part.type in ("word", "reg"):
                yield declared_symbol(
                    part,
                    properties,
                    start,
                    folded(text_of(parameter)),
                    is_parameter=True,
                )
                break
