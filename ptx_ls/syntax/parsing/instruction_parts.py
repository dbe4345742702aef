"""The opcode, the operands and the names of an instruction, read from its tree.

Source: PTX ISA, "Instruction Operands" and "Constants".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.dotted import parts_of_opcode
from ptx_ls.syntax.offsets import StatementPosition, along
from ptx_ls.syntax.operands import (
    SINK,
    Identifier,
    OperandForm,
    OperandSyntax,
    Parts,
    is_parenthesized,
    number_form,
    of_name,
    of_terms,
)
from ptx_ls.syntax.parsing.nodes import (
    end_of,
    first_leaf,
    is_inner,
    is_leaf,
    last_leaf,
    leaves,
    start_of,
)
from ptx_ls.syntax.tokens import ESCAPE, belongs_to

if TYPE_CHECKING:
    from collections.abc import Iterable

    from parso.tree import BaseNode, Leaf, NodeOrLeaf

    from ptx_ls.syntax.tokens import ParsoPosition

_NAMES: Final = ("word", "reg")
_MAX_LEVELS: Final = 16
"""Maximum depth of nested operands; valid ones are deeper only by parentheses and signs."""


def of_instruction(tree: BaseNode) -> Parts:
    """Returns the operands and identifiers of an instruction, given by its tree.

    Identifiers are in the order of the text, the guard predicate first. If the tree has a syntax
    error, only those before the error are returned.
    """
    return _OperandReader(tree).instruction()


OpcodePart = tuple[str, StatementPosition, StatementPosition]
"""The text, start and end of the opcode or of one modifier."""


@lru_cache(maxsize=16)
def opcode_parts(tree: BaseNode) -> tuple[OpcodePart, ...]:
    """Returns the opcode and its modifiers in order, or () without an opcode."""
    # Cached, as a hover needs the parts of one opcode several times.
    parts: list[OpcodePart] = []
    is_guarded = False
    for leaf in leaves(tree):
        if parts and leaf.type == "detached":
            opcode = "".join(part for part, _, _ in parts[:2])
            if belongs_to(leaf.value, opcode):
                name, start, end = parts[1]
                parts[1] = name + leaf.value, start, end
        elif parts:
            if not leaf.value.startswith(".") or leaf.type == "number":
                break
            parts += _split(leaf)
        elif leaf.value == "@":
            is_guarded = True
        elif is_guarded and (leaf.type in _NAMES or leaf.value == "!"):
            is_guarded = leaf.value == "!"
        elif leaf.value == ESCAPE:
            continue
        elif leaf.type == "word":
            parts += _split(leaf)
        else:
            break
    return tuple(parts)


def _split(leaf: Leaf) -> list[OpcodePart]:
    start = start_of(leaf)
    return [
        (match[0], along(start, match.start()), along(start, match.end()))
        for match in parts_of_opcode(leaf.value)
    ]


class _OperandReader:
    def __init__(self, tree: BaseNode) -> None:
        self._tree = tree
        self.identifiers: list[Identifier] = []
        self._depth = 0
        self._code = ""
        self._offsets: dict[ParsoPosition, int] = {}

    def _read_text(self) -> None:
        """Joins the text of the tree, from which `_text` cuts the text of a node."""
        parts: list[str] = []
        offset = 0
        for leaf in leaves(self._tree):
            offset += len(leaf.prefix)
            self._offsets[leaf.start_pos] = offset
            offset += len(leaf.value)
            parts += leaf.prefix, leaf.value
        self._code = "".join(parts)

    def _text(self, node: BaseNode) -> str:
        """Returns the text of a node, without the white space and comments before it."""
        first, last = first_leaf(node), last_leaf(node)
        stop = self._offsets[last.start_pos] + len(last.value)
        return self._code[self._offsets[first.start_pos] : stop]

    def instruction(self) -> Parts:
        """Reads the whole instruction; call this once."""
        node = self._tree
        while node.type != "instruction":
            first = node.children[0]
            if not is_inner(first) or first.type == "guard":
                break
            node = first
        found: list[NodeOrLeaf] = []
        has_opcode = False
        for child in node.children:
            if child.type == "guard":
                for leaf in [leaf for leaf in leaves(child) if leaf.type in _NAMES][:1]:
                    self._add(leaf)
            elif not has_opcode:
                has_opcode = child.type == "word"
            elif child.type in (
                "operator",
                "suffix",
                "type",
                "linkage",
                "space",
                "vector_size",
                "endmarker",
            ) or (child.type in ("name", "vector") and is_leaf(child)):
                continue
            elif child.type.startswith("error"):
                break
            else:
                found.append(child)
        if any(is_inner(child) for child in found):
            self._read_text()
        operands = self._operands(found)
        return operands, tuple(self.identifiers)

    def _add(self, leaf: Leaf) -> int:
        name, dot, _ = leaf.value.partition(".")
        self.identifiers.append(
            Identifier(name if dot else leaf.value, leaf.value, start_of(leaf), end_of(leaf))
        )
        return len(self.identifiers) - 1

    def _operands(self, nodes: Iterable[NodeOrLeaf]) -> tuple[OperandSyntax, ...]:
        """Reads operands of an instruction, elements of an operand, or terms of an expression."""
        return tuple([self._operand(node) for node in nodes])

    def _operand(self, node: NodeOrLeaf) -> OperandSyntax:
        return self._leaf(node) if is_leaf(node) else self._node(node)

    def _flat(self, node: BaseNode) -> OperandSyntax:
        """Reads the names and numbers of a node that is nested too deeply, as a flat list."""
        elements = self._operands(
            leaf for leaf in leaves(node) if leaf.type in _NAMES or leaf.type == "number"
        )
        start, end = start_of(node), end_of(node)
        return OperandSyntax(
            OperandForm.EXPRESSION, start, end, self._text(node), elements=elements
        )

    def _node(self, node: NodeOrLeaf) -> OperandSyntax:
        assert is_inner(node)  # noqa: S101  parso has nodes and leaves
        if self._depth == _MAX_LEVELS:
            return self._flat(node)
        self._depth += 1
        if node.type == "operand":
            read = self._expression(node)
        elif node.type == "term":
            read = self._negated(node)
        elif node.type == "atom":
            read = self._atom(node)
        elif node.type == "item":
            read = self._operand(node.children[-1])
        else:
            read = self._group(node)
        self._depth -= 1
        return read

    def _group(self, node: BaseNode) -> OperandSyntax:
        """Reads an address, a vector or a list."""
        form = {"address": OperandForm.ADDRESS, "vector": OperandForm.VECTOR}.get(
            node.type, OperandForm.LIST
        )
        parts = [child for child in node.children if child.type not in ("operator", "type")]
        elements = self._operands(parts)
        if node.type == "group" and is_parenthesized(elements):
            form = OperandForm.EXPRESSION
        return OperandSyntax(
            form, start_of(node), end_of(node), self._text(node), elements=elements
        )

    def _leaf(self, leaf: Leaf) -> OperandSyntax:
        text = leaf.value
        if leaf.type in _NAMES:
            if text == SINK:
                return OperandSyntax(OperandForm.SINK, start_of(leaf), end_of(leaf), text)
            return of_name(self.identifiers[self._add(leaf)], len(self.identifiers) - 1)
        form = OperandForm.STRING if leaf.type == "string" else number_form(text)
        return OperandSyntax(form, start_of(leaf), end_of(leaf), text)

    def _negated(self, node: BaseNode) -> OperandSyntax:
        inner = self._operand(node.children[-1])
        signs = "".join([leaf.value for leaf in node.children[:-1] if is_leaf(leaf)])
        return OperandSyntax(
            inner.form,
            start_of(node),
            inner.end,
            self._text(node),
            inner.identifier,
            inner.elements,
            inner.paired,
            signs.replace("+", ""),
            inner.selector,
            inner.has_offset,
        )

    def _atom(self, node: BaseNode) -> OperandSyntax:
        """Reads `name[index]`, `name(arguments)`, `mask(name)`, `[address].unified`."""
        inner = self._operand(node.children[0])
        tail = node.children[-1]
        selector = inner.selector
        if tail.type in ("name", "type") and is_leaf(tail):
            selector += tail.value
            self._extend(inner.identifier, tail)
            tail = node.children[1] if len(node.children) > len(("[]", ".x")) else tail
        elements = inner.elements
        form = inner.form
        if tail.type in ("index", "arguments", "mask") and is_inner(tail):
            parts = [child for child in tail.children if child.type != "operator"]
            elements = self._operands(parts)
            if tail.type != "index":
                form = OperandForm.EXPRESSION
        return OperandSyntax(
            form,
            start_of(node),
            end_of(node),
            self._text(node),
            inner.identifier,
            elements,
            selector=selector,
            has_offset=tail.type == "index",
        )

    def _extend(self, number: int, selector: Leaf) -> None:
        """Adds a part separated from its name by white space: `%tid .x`."""
        if number >= 0:
            name = self.identifiers[number]
            full = name.full + selector.value
            self.identifiers[number] = Identifier(name.name, full, name.start, end_of(selector))

    def _expression(self, node: BaseNode) -> OperandSyntax:
        parts = [child for child in node.children if child.type not in ("operator", "binary")]
        terms = self._operands(parts)
        signs = {
            child.value for child in node.children if is_leaf(child) and child.type == "operator"
        }
        return of_terms(terms, signs, self._text(node))
