"""The statement parser: parso's BaseParser with the grammar of grammar.txt.

It parses one statement at a time, as the tree of a whole file would take 30 times as much memory as
the text (docs/decisions/reading.md).
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, Generic, NamedTuple, TypeAlias

from parso.parser import BaseParser, Stack, StackNode
from parso.tree import BaseNode, ErrorLeaf, ErrorNode, Leaf, Node, NodeOrLeaf

from ptx_ls.source.lines import split_lines
from ptx_ls.syntax import tokens
from ptx_ls.syntax.expected import expected_after
from ptx_ls.syntax.grammar import grammar
from ptx_ls.syntax.offsets import (
    STATEMENT_START,
    At,
    RunPosition,
    StatementPosition,
    place_of,
    shifted,
)
from ptx_ls.syntax.tokens import MAX_STATEMENT_LENGTH, Token, TokenType


class SyntaxProblem(NamedTuple, Generic[At]):
    """A syntax error: a half-open range, the text found there, and the expected words."""

    start: At
    end: At
    found: str
    expected: tuple[str, ...]


StatementProblem: TypeAlias = SyntaxProblem[StatementPosition]
"""A syntax error with places in the text of a statement, as the parser returns it."""
RunProblem: TypeAlias = SyntaxProblem[RunPosition]
"""A syntax error with places in a run, as the run's record has it."""


MAX_NESTING: Final = 10_000
"""Maximum depth of nested brackets to read; ptxas 13.5 runs out of memory at 9,989."""
TOO_DEEP: Final = "a shallower bracket"
"""The expected word for a bracket that is nested too deeply."""
MAX_BLOCKS: Final = 1_666
"""Maximum depth of nested blocks, including the body; ptxas 13.5 runs out of memory beyond it."""
TOO_MANY_BLOCKS: Final = "fewer blocks"
"""The expected words for a `{` that is nested too deeply."""


class Parsed(NamedTuple):
    """A lossless tree (`tree.get_code()` is the text) and the first problem in it, if any."""

    tree: BaseNode
    problem: StatementProblem | None


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


_MAX_KEPT_LENGTH: Final = 1000
"""Maximum length, in characters, of a statement whose tree is among the many that are cached."""
_MAX_KEPT_FOR_A_MOMENT: Final = 1 << 14
"""Maximum length, in characters, of a statement whose tree is among the few that are cached."""

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
_OPEN: Final = ("/*", '"')
"""The beginnings of tokens that may end after the place where a long text is cut."""
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


class _ProblemSearch(StatementParser):
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


def problem_of(text: str) -> StatementProblem | None:
    """Returns the first syntax error of one statement, as `parse` does, without making a tree."""
    if _is_cut(text):
        problem = _find_problem(text[:MAX_STATEMENT_LENGTH])
        return _before_cut(problem, text[:MAX_STATEMENT_LENGTH])
    if len(text) <= _MAX_KEPT_LENGTH:
        return _problem_of_short(text)
    return _find_problem(text)


@lru_cache(maxsize=128)
def _problem_of_short(text: str) -> StatementProblem | None:
    # Cached: generated code repeats a mistake many times.
    return _find_problem(text)


def _find_problem(text: str) -> StatementProblem | None:
    search = _ProblemSearch()
    taken = search.tokens_to_problem(tokens.tokenize(text))
    return _problem(search, taken, text)


def parse(text: str) -> Parsed:
    """Parses the text of one statement, with its terminator and the white space around it.

    The same text may give the same tree again, so a tree must not be changed; its nodes know their
    children but not their parents. If an instruction has more than 65,536 characters, only the
    beginning is read, and problems that the rest may resolve do not count.
    """
    if len(text) <= _MAX_KEPT_LENGTH:
        return _parse_short(text)
    if len(text) <= _MAX_KEPT_FOR_A_MOMENT:
        return _parse_medium(text)
    if _is_cut(text):
        parsed = _parse(text[:MAX_STATEMENT_LENGTH])
        return parsed._replace(problem=_before_cut(parsed.problem, text[:MAX_STATEMENT_LENGTH]))
    return _parse(text)


def _is_cut(text: str) -> bool:
    """Whether only the beginning of a statement is parsed; a directive is parsed whole."""
    return len(text) > MAX_STATEMENT_LENGTH and not text.startswith(".")


def _before_cut(problem: StatementProblem | None, beginning: str) -> StatementProblem | None:
    """Returns the problem of the beginning of a text; None if it is where the text was cut."""
    if problem is None or not problem.found or problem.found.startswith(_OPEN):
        return None
    lines = split_lines(beginning)
    return None if problem.end == (len(lines) - 1, len(lines[-1])) else problem


@lru_cache(maxsize=128)
def _parse_short(text: str) -> Parsed:
    # The editor's requests about one statement parse it several times within a moment.
    return _parse(text)


@lru_cache(maxsize=4)
def _parse_medium(text: str) -> Parsed:
    return _parse(text)


def _parse(text: str) -> Parsed:
    parser = StatementParser()
    stream = list(tokens.tokenize(text))
    parser.take(stream)
    return Parsed(parser.tree(), _problem(parser, stream, text))


def _problem(parser: StatementParser, stream: list[Token], text: str) -> StatementProblem | None:
    """Returns the problem that a parser found in the tokens of a text."""
    if parser.problem_token is None:
        call = _escaped_call(stream) if tokens.ESCAPE in text else None
        if call is None:
            return None
        return _problem_at(call, stream)._replace(expected=(tokens.CALL,))
    problem = _problem_at(parser.problem_token, stream)
    return problem._replace(expected=(TOO_DEEP,)) if parser.is_too_deep else problem


def _escaped_call(stream: list[Token]) -> Token | None:
    """Finds a `call` after a backslash, which may precede every other opcode."""
    for before, token in pairwise(stream):
        if before.string == tokens.ESCAPE:
            return token if token.string.partition(".")[0] == tokens.CALL else None
    return None


def _problem_at(token: Token, stream: list[Token]) -> StatementProblem:
    index = stream.index(token)
    if index and stream[index - 1].string == tokens.ESCAPE:
        # Before anything but an opcode, the backslash is wrong, whatever follows.
        index -= 1
        token = stream[index]
    following = expected_after(stream[:index])
    expected = tuple(one for one in following if one != token.string)
    if token.type is not tokens.ENDMARKER:
        start, end = token.start, _end_of(token)
    elif index:
        start = end = _end_of(stream[index - 1])
    else:
        start = end = STATEMENT_START
    return SyntaxProblem(start, end, token.string, expected)


def _end_of(token: Token) -> StatementPosition:
    return shifted(place_of(token.string, len(token.string)), token.start)
