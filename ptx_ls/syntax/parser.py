"""Parses single statements, with parso's parser and the grammar of grammar.txt.

It parses one statement at a time, as the tree of a whole file would take 30 times as much memory as
the text (docs/decisions/reading.md).
"""

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeAlias

from ptx_ls.source.lines import split_lines
from ptx_ls.syntax import tokens
from ptx_ls.syntax.offsets import (
    STATEMENT_START,
    At,
    RunPosition,
    StatementPosition,
    place_of,
    shifted,
)
from ptx_ls.syntax.parsing.expected import expected_after
from ptx_ls.syntax.tokens import MAX_STATEMENT_LENGTH, Token

if TYPE_CHECKING:
    from parso.tree import BaseNode

    from ptx_ls.syntax.parsing.statement_parser import StatementParser


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


TOO_DEEP: Final = "a shallower bracket"
"""The expected word for a bracket that is nested too deeply."""
MAX_BLOCKS: Final = 1_666
"""Maximum depth of nested blocks, including the body; ptxas 13.5 runs out of memory beyond it."""
TOO_MANY_BLOCKS: Final = "fewer blocks"
"""The expected words for a `{` that is nested too deeply."""


class Parsed(NamedTuple):
    """A lossless tree (`tree.get_code()` is the text) and the first problem in it, if any."""

    tree: "BaseNode"
    problem: StatementProblem | None


_MAX_KEPT_LENGTH: Final = 1000
"""Maximum length, in characters, of a statement whose tree is among the many that are cached."""
_MAX_KEPT_FOR_A_MOMENT: Final = 1 << 14
"""Maximum length, in characters, of a statement whose tree is among the few that are cached."""

_OPEN: Final = ("/*", '"')
"""The beginnings of tokens that may end after the place where a long text is cut."""


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
    from ptx_ls.syntax.parsing.statement_parser import ProblemSearch  # noqa: PLC0415  slow to import

    search = ProblemSearch()
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
    from ptx_ls.syntax.parsing.statement_parser import StatementParser  # noqa: PLC0415  as above

    parser = StatementParser()
    stream = list(tokens.tokenize(text))
    parser.take(stream)
    return Parsed(parser.tree(), _problem(parser, stream, text))


def _problem(parser: "StatementParser", stream: list[Token], text: str) -> StatementProblem | None:
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
