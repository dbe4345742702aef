"""Finds what the grammar expects after the beginning of a statement."""

from collections.abc import Generator, Iterable
from functools import lru_cache
from typing import Any, Final

from ptx_ls.source.steps import collected, ends_step, finished
from ptx_ls.syntax.grammar import grammar
from ptx_ls.syntax.tokens import Token

_MAX_KEPT_TOKENS: Final = 100
"""Maximum number of tokens of a beginning whose followers are kept for a while."""


def expected_after(stream: Iterable[Token]) -> tuple[str, ...]:
    """Returns what may follow a correct beginning of a statement: spellings and token types.

    Token types are upper-case ("REG"), spellings are as written (";"). Sorted, no duplicates.
    """
    return finished(expected_in_steps(stream))


def expected_in_steps(stream: Iterable[Token]) -> Generator[None, None, tuple[str, ...]]:
    """Does the same as `expected_after`, in steps."""
    reserved = grammar().reserved_syntax_strings
    transitions = yield from collected(
        reserved.get(token.string, token.type) if token.type.value.contains_syntax else token.type
        for token in stream
    )
    if len(transitions) > _MAX_KEPT_TOKENS:
        return (yield from _expected(transitions))
    return _expected_after(tuple(transitions))


@lru_cache(maxsize=1 << 10)
def _expected_after(transitions: tuple[Any, ...]) -> tuple[str, ...]:
    """Returns the tokens that may follow a few; cached, since every key rereads a line."""
    return finished(_expected(transitions))


def _expected(transitions: Iterable[Any]) -> Generator[None, None, tuple[str, ...]]:
    """Returns the tokens that may follow some, as the grammar distinguishes them."""
    levels = [grammar().nonterminal_to_dfas["statement"][0]]
    for number, transition in enumerate(transitions):
        if ends_step(number):
            yield
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


def _spelling(transition: Any) -> str:  # noqa: ANN401  parso's keys are of two classes
    return (
        str(transition.value)
        if hasattr(transition, "value") and isinstance(transition.value, str)
        else str(transition.name)
    )
