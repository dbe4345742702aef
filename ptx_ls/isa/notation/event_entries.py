"""Compiles the memory events of a form; see "Memory events" in docs/isa-format.md."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from ptx_ls.isa.event_words import ACCESSES, ACTIONS, COMPLETIONS, EXECUTED_BY, EXPECTED
from ptx_ls.isa.notation.expression_parser import ExpressionNames, parse_expression
from ptx_ls.isa.notation.table import ConditionalWord, EventRow, EventRows, Node, SlotText

EVENT_KEYS: Final = ("events", "executed-by", "completion", "in-flight")
"""The keys of a form, or of all forms of a file, with its memory events."""
_DOES: Final = "does"
_KINDS: Final = (*ACCESSES, _DOES)
_KEYS: Final = frozenset({*_KINDS, *EXPECTED, "on", "when", "bytes", "amount", "lanes", "argument"})


def event_rows(
    names: ExpressionNames, types: Collection[str], form: Mapping[str, Any]
) -> EventRows:
    """Returns the events in the entries of a form. Raises ValueError."""
    reader = _EventReader(names, types)
    return EventRows(
        tuple(reader.event(entry) for entry in form.get("events", ())),
        reader.words(form.get("executed-by", ()), EXECUTED_BY),
        reader.words(form.get("completion", ()), COMPLETIONS),
        tuple(form.get("in-flight", "").split()),
    )


class _EventReader:
    """Reads the events of one form."""

    def __init__(self, names: ExpressionNames, types: Collection[str]) -> None:
        self._names, self._types = names, types

    def event(self, entry: Mapping[str, str]) -> EventRow:
        """Returns the event in an entry, such as `{ reads = "a", space = ".ss", bytes = "4" }`."""
        unknown = set(entry) - _KEYS
        if unknown:
            raise ValueError(f"an event has no key {min(unknown)!r}")
        kinds = [key for key in _KINDS if key in entry]
        if len(kinds) != 1:
            raise ValueError(f"an event has one of: {', '.join(_KINDS)}")
        kind = kinds[0]
        if kind == _DOES and entry[_DOES] not in ACTIONS:
            raise ValueError(f"{entry[_DOES]!r} is none of: {', '.join(ACTIONS)}")
        operand = entry.get("on", "") if kind == _DOES else entry[kind]
        texts = {key: self._text(key, entry[key]) for key in EXPECTED if key in entry}
        if kind == _DOES:
            texts["action"] = SlotText(None, entry[_DOES])
        amount = entry.get("bytes", "") or entry.get("amount", "")
        return EventRow(
            kind,
            self._operand(operand),
            self._expression(entry.get("when", "")),
            texts,
            self._expression(amount),
            self._expression(entry.get("lanes", "")),
            self._operand(entry.get("argument", "")),
        )

    def words(self, texts: Sequence[str], allowed: Collection[str]) -> tuple[ConditionalWord, ...]:
        """Returns words with their conditions, the first of which that holds applies."""
        found = []
        for text in texts:
            condition, _, word = text.rpartition(": ")
            if word not in allowed:
                raise ValueError(f"{word!r} is none of: {', '.join(allowed)}")
            found.append(ConditionalWord(self._expression(condition), word))
        return tuple(found)

    def _text(self, key: str, text: str) -> SlotText:
        """Returns `weak`, `.sem`, or `.sem, weak`: a word, a slot, a slot with a default."""
        first, _, default = text.partition(", ")
        if not first.startswith("."):
            first, default = "", text
        if default and default not in EXPECTED[key]:
            raise ValueError(f"{default!r} is not a {key}: {', '.join(sorted(EXPECTED[key]))}")
        return SlotText(self._expression(first), default)

    def _expression(self, text: str) -> Node | None:
        return parse_expression(text, self._names, self._types)[0] if text else None

    def _operand(self, name: str) -> str:
        if name and name not in self._names.operands and name not in self._names.known:
            raise ValueError(f"no form has an operand {name}")
        return name
