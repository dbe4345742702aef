"""The parser of one statement: parso's BaseParser with the grammar of grammar.txt.

It is imported when a statement has to be parsed, as parso takes a fifth of the time to lint a small
file, and most statements are plain.
"""

from collections.abc import Iterable
from typing import Any, Final

from parso.parser import BaseParser, Stack, StackNode
from parso.tree import BaseNode, ErrorLeaf, ErrorNode, Leaf, Node, NodeOrLeaf

from ptx_ls.syntax import tokens
from ptx_ls.syntax.parsing.grammar import grammar
from ptx_ls.syntax.tokens import MAX_NESTING, Token, TokenType


class _Leaf(Leaf):
    __slots__ = ()


class _Node(Node):
    """A node without references from its children, so that a tree is freed without a collection.

    A lint run collects no garbage (`cli/main.py`), and it parses each declaration of a module.
    """

    __slots__ = ()

    def __init__(self, type: str, children: list[NodeOrLeaf]) -> None:  # noqa: A002  as parso
        self.type, self.children, self.parent = type, children, None


def _leaf_class(name: str) -> type[Leaf]:
    return type(name.title(), (_Leaf,), {"__slots__": (), "type": name})


LEAVES: Final[dict[TokenType, type[Leaf]]] = {
    token_type: _leaf_class(token_type.name.lower())
    for token_type in (
        tokens.WORD,
        tokens.REG,
        tokens.NUMBER,
        tokens.NUMBERS,
        tokens.STRING,
        tokens.TYPE,
        tokens.VECTOR,
        tokens.SPACE,
        tokens.LINKAGE,
        tokens.FUNCTION,
        tokens.TUNING,
        tokens.DIRECTIVE,
        tokens.NAME,
        tokens.DETACHED,
        tokens.OPERATOR,
        tokens.LINE,
        tokens.RAW,
        tokens.ENDMARKER,
    )
}
LEAVES[tokens.FLOAT] = LEAVES[tokens.NUMBER]


_ODD: Final = ("=", ")")
_DECLARATOR_LEVELS: Final = 8
"""Number of levels of the stack, from the statement on, in which a declarator is searched for."""
_VECTOR_LEVELS: Final = 8
"""Number of levels of the stack, innermost first, in which the braces of a `=` are searched for."""
_OPENING: Final = ("{", ",")
_DEPTHS: Final = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_NAMES: Final = (tokens.WORD, tokens.REG)
_WARP: Final = "WARP_SZ"
_UNFINISHED: Final = ErrorNode.type


class StatementParser(BaseParser):
    """A parser that keeps all tokens from the first unexpected one on as error leaves."""

    leaf_map: Any = dict(LEAVES)  # noqa: RUF012  as parso declares it
    default_leaf = LEAVES[tokens.OPERATOR]
    default_node = _Node

    def __init__(self) -> None:
        super().__init__(grammar(), "statement", error_recovery=True)  # type: ignore[no-untyped-call]
        first = self._pgen_grammar.nonterminal_to_dfas["statement"][0]
        self.stack = Stack([StackNode(first)])
        self.problem_token: Token | None = None
        self.is_too_deep = False
        self._before: Token | None = None
        self._last: Token | None = None
        self._depth = 0

    def take(self, statement: Iterable[Token]) -> None:
        """Processes the next tokens of the statement; accepts any input."""
        for token in statement:
            self._take(token)

    def tree(self) -> BaseNode:
        """Returns the tree of the tokens that were taken; call this once."""
        while len(self.stack) > 1:
            self._pop()  # type: ignore[no-untyped-call]
        return _Node("statement", self.stack[0].nodes)

    def _take(self, token: Token) -> None:
        """Processes one token."""
        string = token.string
        is_legal = token.type is not tokens.ERROR
        if string in _ODD:
            is_legal = is_legal and not self._is_odd(token)
        if string in _DEPTHS:
            self._depth += _DEPTHS[string]
            if self._depth > MAX_NESTING and self.problem_token is None:
                self.is_too_deep, is_legal = True, False
        if self.problem_token is None and is_legal:
            self._add_token(token)  # type: ignore[no-untyped-call]
        else:
            self.error_recovery(token)
        self._before, self._last = self._last, token

    def _is_odd(self, token: Token) -> bool:
        """Whether a token is a `=` or `)` that the grammar accepts but that is illegal here.

        Only values in the braces of a declaration have names, and only calls have empty lists.
        """
        name, before = self._last, self._before
        if name is None:
            return False
        if token.string == ")":
            return name.string == "(" and self._is_in_declarator()
        if "vector" not in [level.dfa.from_rule for level in self.stack[-_VECTOR_LEVELS:]]:
            return False
        is_name = name.type in _NAMES and "." not in name.string and name.string != _WARP
        is_alone = is_name and before is not None and before.string in _OPENING
        return not self._is_in_declarator() or not is_alone

    def _is_in_declarator(self) -> bool:
        return "declarator" in [level.dfa.from_rule for level in self.stack[:_DECLARATOR_LEVELS]]

    def error_recovery(self, token: Token) -> None:
        """Makes an error node of all open nodes at the first problem, and a leaf of each token."""
        if self.problem_token is None:
            self.problem_token = token
            unfinished = [node for level in self.stack for node in level.nodes]
            del self.stack[1:]
            self.stack[0].nodes = [_Node(_UNFINISHED, unfinished)] if unfinished else []
        leaf: Leaf
        if token.type is tokens.ENDMARKER:
            leaf = LEAVES[tokens.ENDMARKER](token.string, token.start_pos, token.prefix)
        else:
            leaf = ErrorLeaf(token.type.name, token.string, token.start_pos, token.prefix)
        self.stack[0].nodes.append(leaf)


class ProblemSearch(StatementParser):
    """A parser that finds the first problem, and makes no tree."""

    def tokens_to_problem(self, statement: Iterable[Token]) -> list[Token]:
        """Returns the tokens up to and including the problem, or all tokens."""
        taken: list[Token] = []
        for token in statement:
            taken.append(token)
            self._take(token)
            if self.problem_token is not None:
                break
        return taken

    def convert_leaf(self, *_: object) -> None:
        """Makes no leaf."""

    def convert_node(self, *_: object) -> None:
        """Makes no node."""

    def error_recovery(self, token: Token) -> None:
        """Records the problem."""
        self.problem_token = token
