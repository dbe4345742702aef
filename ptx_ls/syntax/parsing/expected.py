"""Finds what the grammar expects after the beginning of a statement."""

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.syntax.tokens import Token

if TYPE_CHECKING:
    from parso.pgen2.generator import Grammar

_MAX_KEPT_TOKENS: Final = 100
"""Maximum number of tokens for which the expected next ones are cached."""


def expected_after(stream: Iterable[Token]) -> tuple[str, ...]:
    """Returns the spellings and token types that may follow a correct beginning of a statement.

    Token types are upper-case ("REG"), spellings are as written (";"). Sorted, without duplicates.
    """
    reserved = _grammar().reserved_syntax_strings
    transitions = tuple(
        reserved.get(token.string, token.type) if token.type.value.contains_syntax else token.type
        for token in stream
    )
    if len(transitions) > _MAX_KEPT_TOKENS:
        return _expected(transitions)
    return _expected_after_few(transitions)


@lru_cache(maxsize=1 << 10)
def _expected_after_few(transitions: tuple[Any, ...]) -> tuple[str, ...]:
    """Does the same as `_expected`; cached, since each keystroke rereads a line."""
    return _expected(transitions)


def _expected(transitions: Iterable[Any]) -> tuple[str, ...]:
    """Returns the spellings and token types that may follow some tokens, given as transitions."""
    levels = [_grammar().nonterminal_to_dfas["statement"][0]]
    for transition in transitions:
        while transition not in levels[-1].transitions:
            levels.pop()
        plan = levels[-1].transitions[transition]
        levels[-1:] = [plan.next_dfa, *plan.dfa_pushes]
    found: set[str] = set()
    for level in reversed(levels):
        found.update(map(_spelling, level.transitions))
        if not level.is_final:
            break
    found.discard("ENDMARKER")
    return tuple(sorted(found))


def _grammar() -> "Grammar[Any]":
    from ptx_ls.syntax.parsing.grammar import grammar  # noqa: PLC0415  imports parso, which is slow

    return grammar()


def _spelling(transition: Any) -> str:  # noqa: ANN401  parso's keys are of two classes
    return (
        str(transition.value)
        if hasattr(transition, "value") and isinstance(transition.value, str)
        else str(transition.name)
    )
