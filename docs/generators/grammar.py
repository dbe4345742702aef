"""Makes the table of the statement grammar: the states that pgen2 makes of `grammar.txt`.

Compiling the grammar takes longer than linting a small file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from parso.pgen2.generator import DFAPlan, DFAState, Grammar, ReservedString, generate_grammar

from ptx_ls.syntax import parsing, tokens

_FOLDER = Path(parsing.__file__).parent
PATH = _FOLDER / "grammar_table.py"
_HEAD = '''"""The states of the statement grammar; written by `./dev docs` from grammar.txt."""

from typing import Final

RULES: Final[dict[str, int]] = {rules}
"""The first state of each rule."""
# fmt: off
STATES: Final[tuple[tuple[str, bool, tuple[tuple[str, int, tuple[int, ...]], ...]], ...]] = (
'''


def table() -> str:
    """The text of the module. Raises what pgen2 raises where the grammar is not LL(1)."""
    grammar: Grammar[Any] = generate_grammar(_joined((_FOLDER / "grammar.txt").read_text()), tokens)
    firsts = {name: states[0] for name, states in grammar.nonterminal_to_dfas.items()}
    states = _in_order(list(firsts.values()))
    numbers = {id(state): number for number, state in enumerate(states)}
    rules = {name: numbers[id(state)] for name, state in firsts.items()}
    rows = "".join(f"    {_row(state, numbers)!r},\n" for state in states)
    return _HEAD.replace("{rules}", _lines(rules)) + rows + ")\n"


def _in_order(firsts: list[DFAState[Any]]) -> list[DFAState[Any]]:
    """All states, each after those that lead to it; pgen2's own order differs from run to run."""
    found: list[DFAState[Any]] = []
    seen: set[int] = set()
    for first in firsts:
        waiting = [first]
        while waiting:
            state = waiting.pop(0)
            if id(state) not in seen:
                seen.add(id(state))
                found.append(state)
                waiting += [plan.next_dfa for _, plan in _plans(state)]
    return found


def _plans(state: DFAState[Any]) -> list[tuple[str, DFAPlan]]:
    """The tokens after each token. Literal text is in quotes."""
    return sorted(
        (
            (f'"{key.value}"' if isinstance(key, ReservedString) else key.name, plan)
            for key, plan in state.transitions.items()
        ),
        key=lambda each: each[0],
    )


def _row(state: DFAState[Any], numbers: dict[int, int]) -> tuple[object, ...]:
    """Rule, whether it may end here, and by each token the state that follows and those opened."""
    plans = tuple(
        (name, numbers[id(plan.next_dfa)], tuple(numbers[id(each)] for each in plan.dfa_pushes))
        for name, plan in _plans(state)
    )
    return state.from_rule, state.is_final, plans


def _lines(rules: dict[str, int]) -> str:
    return "{\n" + "".join(f'    "{name}": {state},\n' for name, state in rules.items()) + "}"


def _joined(text: str) -> str:
    """Grammar text with comments gone and indented lines joined to their rule."""
    rules: list[str] = []
    for line in text.splitlines():
        if line.startswith(" "):
            rules[-1] += line
        elif line.strip() and not line.startswith("#"):
            rules.append(line)
    return "\n".join(rules) + "\n"
