"""The statement grammar in parso's form, made from the table that `grammar_table.py` stores."""

from __future__ import annotations

from functools import cache
from typing import Any

from parso.pgen2.generator import DFAPlan, DFAState, Grammar, ReservedString

from ptx_ls.syntax import tokens
from ptx_ls.syntax.parsing.grammar_table import RULES, STATES


class _State(DFAState[Any]):
    """A state of a rule; parso's parser uses only its transitions."""

    def __init__(self, from_rule: str, *, is_final: bool) -> None:  # made without an NFA
        self.from_rule, self.is_final = from_rule, is_final
        self.transitions = {}


@cache
def grammar() -> Grammar[Any]:
    """Returns the compiled grammar."""
    reserved: dict[str, ReservedString] = {}
    states = [_State(rule, is_final=is_final) for rule, is_final, _ in STATES]
    for state, (_, _, plans) in zip(states, STATES, strict=True):
        for name, following, opened in plans:
            key: Any
            if name.startswith('"'):
                key = reserved.setdefault(name[1:-1], ReservedString(name[1:-1]))
            else:
                key = getattr(tokens, name)
            state.transitions[key] = DFAPlan(states[following], [states[each] for each in opened])
    return Grammar("statement", {name: [states[first]] for name, first in RULES.items()}, reserved)
