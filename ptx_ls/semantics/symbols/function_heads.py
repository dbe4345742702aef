"""Reads heads of kernels and device functions: statements into symbols.

Source: PTX ISA, "Kernel and Function Directives".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from parso.tree import BaseNode, Leaf, NodeOrLeaf

from ptx_ls.semantics.symbols.declaration_reader import (
    DECLARED,
    Places,
    Properties,
    declared_symbol,
    flat,
    folded,
)
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source.steps import collected, finished
from ptx_ls.syntax import parser
from ptx_ls.syntax.comments import blanked
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.nodes import end_of, start_of, text_of
from ptx_ls.syntax.offsets import STATEMENT_START, shifted
from ptx_ls.syntax.plain.heads import HEAD, PARAMETER

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.syntax.offsets import StatementPosition


def of_function(text: str, start: FunctionPosition) -> Symbol | None:
    """The kernel or device function that a head declares; None if it has no name yet."""
    return finished(of_function_in_steps(text, start))


def of_function_in_steps(
    text: str, start: FunctionPosition
) -> Generator[None, None, Symbol | None]:
    """The same in steps."""
    match = HEAD(text)
    if match is not None:
        return (yield from _of_head(match, start))
    return (yield from _of_tree(text, start))


def _of_head(match: re.Match[str], start: FunctionPosition) -> Generator[None, None, Symbol]:
    at = Places(match.string, start)
    return Symbol(
        match["name"],
        SymbolKind.KERNEL if match["kind"] == "entry" else SymbolKind.FUNCTION,
        at(match.start("name")),
        at(match.end("name")),
        linkage=match["linkage"].strip(),
        is_definition=match["end"] == "{",
        text=folded(match.string),
        parameters=tuple((yield from collected(_of_list(match, "parameters", at)))),
        returns=tuple((yield from collected(_of_list(match, "returns", at)))),
    )


def _of_list(head: re.Match[str], group: str, at: Places[FunctionPosition]) -> Iterator[Symbol]:
    if head[group] is not None:
        yield from _parameters_in(head.string, head.span(group), at)


def _written(text: str, start: FunctionPosition, name: StatementPosition) -> tuple[Symbol, ...]:
    """What looks like a parameter behind the name, where the list has a syntax error."""
    code = blanked(text)
    at = Places(text, STATEMENT_START)
    found = _parameters_in(code, (0, len(code)), Places(text, start))
    behind = sum(at(match.start()) < name for match in PARAMETER(code, 0, len(code)))
    return tuple(found)[behind:]


def _parameters_in(
    text: str, span: tuple[int, int], at: Places[FunctionPosition]
) -> Iterator[Symbol]:
    for match in PARAMETER(text, *span):
        is_register = match["space"] == "reg"
        size = match["size"]
        yield Symbol(
            match["name"],
            SymbolKind.REGISTER if is_register else SymbolKind.PARAMETER,
            at(match.start("name")),
            at(match.end("name")),
            type=match["type"],
            space="." + match["space"],
            dimensions=(integer(size) if size else None,) if match["array"] else (),
            alignment=integer(match["alignment"]) if match["alignment"] else None,
            text=folded(match[0]),
        )


def _of_tree(text: str, start: FunctionPosition) -> Generator[None, None, Symbol | None]:
    parsed = yield from parser.parsing(text)
    tree = parsed.tree
    name: Leaf | None = None
    linkage = ""
    kind = SymbolKind.FUNCTION
    lists: list[tuple[bool, tuple[Symbol, ...]]] = []
    for node in flat(tree, stop=("parameters", "parameter")):
        if node.type == "linkage" and isinstance(node, Leaf):
            linkage = node.value
        elif node.type == "function" and isinstance(node, Leaf):
            kind = SymbolKind.KERNEL if node.value == ".entry" else SymbolKind.FUNCTION
        elif node.type in ("parameters", "parameter"):
            found = yield from collected(_parameters(node, start))
            lists.append((name is None, tuple(found)))
        elif node.type in ("word", "reg") and isinstance(node, Leaf) and name is None:
            name = node
    if name is None:
        return None
    returns = tuple(symbol for before, symbols in lists if before for symbol in symbols)
    parameters = tuple(symbol for before, symbols in lists if not before for symbol in symbols)
    if parsed.problem is not None:
        parameters = max(parameters, _written(text, start, end_of(name)), key=len)
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


def _parameters(node: NodeOrLeaf, start: FunctionPosition) -> Iterator[Symbol]:
    nodes = [node]
    if node.type == "parameters" and isinstance(node, BaseNode):
        nodes = [child for child in node.children if child.type != "operator"]
    for parameter in nodes:
        properties = Properties()
        for part in flat(parameter):
            if isinstance(part, Leaf) and properties.take(part):
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
