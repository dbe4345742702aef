"""Somebody who types into VS Code: what it asks of the server at each key, and does with answers.

Brackets close themselves, lines keep their indentation, the list of proposals opens, narrows down,
closes and is taken by Enter or a commit character as VS Code has it unless it is set otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from tests.server.client import URI, Client, Message, at, edit

_PAIRS: Final = {"{": "}", "[": "]", "(": ")", '"': '"'}
_BEFORE_CLOSING: Final = frozenset(" \t\n;,)]}")
_SNIPPET: Final = 2
_SEEN: Final = 5
"""Proposals that are read before more is typed."""
_FORMAT: Final = {"tabSize": 4, "insertSpaces": False}


@dataclass
class Typist:
    """A text being typed and what the editor shows meanwhile."""

    client: Client
    server: Message
    """The capabilities of the server."""
    lines: list[str] = field(default_factory=lambda: [""])
    line: int = 0
    column: int = 0
    version: int = 0
    shown: list[Message] | None = None
    """The list of proposals as it is seen; None if it is closed."""
    defaults: Message = field(default_factory=dict)
    is_incomplete: bool = False
    surprises: list[str] = field(default_factory=list)
    """Keys that accepted a proposal by accident."""
    closers: list[str] = field(default_factory=list)
    stops: list[tuple[int, int]] = field(default_factory=list)
    """Columns of the places of a snippet on this line that are still to fill in."""
    selected: int = 0
    """Columns after the cursor that the next key replaces."""

    @property
    def before(self) -> str:
        """The text of the line before the cursor."""
        return self.lines[self.line][: self.column]

    def type(self, text: str) -> None:
        """Types a text key by key; no item of a list is chosen on purpose.

        For a closing bracket that is already on the next line, the cursor moves after it.
        """
        for key, following in pairwise(f"{text} "):
            below = "".join(self.lines[self.line + 1 : self.line + 2])
            if self._stands_below(following, below) and key == "\n":
                self._down(below.index(following))
            elif self._stands_here(key):
                self.column += 1
            else:
                self._key(key)

    def tab(self) -> None:
        """Moves to the next place of a snippet, or after the last one to the end of the line."""
        length = len(self.lines[self.line])
        start, end = self.stops.pop(0) if self.stops else (length, length)
        self.column, self.selected = start, end - start
        self.shown = None

    def _stands_below(self, key: str, below: str) -> bool:
        is_end = not self.lines[self.line][self.column :].strip()
        return is_end and key in _PAIRS.values() and below.lstrip().startswith(key)

    def _stands_here(self, key: str) -> bool:
        line = self.lines[self.line]
        return key in _PAIRS.values() and line.strip() == key and line[self.column :] == key

    def choose(self, label: str) -> None:
        """Takes a proposal, which must be among the first of the list; it opens if it must."""
        if self.shown is None:
            self._ask(1, None)
        first = [item["label"] for item in self.shown or ()][:_SEEN]
        assert label in first, (self.before, label, first)
        self._accept((self.shown or [])[first.index(label)])

    def _down(self, column: int) -> None:
        self.line += 1
        self.column = column
        self.shown = None
        self.closers.clear()

    def _key(self, key: str) -> None:
        focused = self.shown[0] if self.shown else None
        if focused is not None and self._takes(focused, key):
            self.surprises.append(f"{self.before!r} + {key!r} took {focused['label']!r}")
            self._accept(focused)
            if key == "\n":
                return
        if key == "\n":
            self._enter()
        elif self.closers and key == self.closers[-1] == self.lines[self.line][self.column :][:1]:
            self.closers.pop()
            self.column += 1
        else:
            after = self.lines[self.line][self.column :][:1]
            closing = _PAIRS.get(key, "") if not after or after in _BEFORE_CLOSING else ""
            end = self.column + self.selected
            self.selected = 0
            self._replace((self.line, self.column), (self.line, end), key + closing)
            self.column += 1
            if closing:
                self.closers.append(closing)
        self._lists(key)
        self._format(key)

    def _takes(self, focused: Message, key: str) -> bool:
        """Whether a key takes the proposal that is marked."""
        takers = ("\n", *focused.get("commitCharacters", ()))
        return key in takers and self._text(focused) != self._typed(focused)

    def _lists(self, key: str) -> None:
        triggers = self.server["completionProvider"]["triggerCharacters"]
        is_word = key.isalnum() or key in "_%$"
        word = _last_word(self.before)
        if key in triggers:
            self._ask(2, key)
        elif is_word and self.shown is not None:
            if self.is_incomplete:
                self._ask(3, None)
            else:
                self._narrow()
        elif is_word and word and not word.isdecimal():
            self._ask(1, None)
        elif not is_word:
            self.shown = None

    def _ask(self, kind: int, key: str | None) -> None:
        context = {"triggerKind": kind, **({"triggerCharacter": key} if key else {})}
        params = {**at(self.line, self.column), "context": context}
        found = self.client.request("textDocument/completion", params)
        self.defaults = (found or {}).get("itemDefaults", {})
        self.is_incomplete = bool((found or {}).get("isIncomplete"))
        self.shown = list((found or {}).get("items", ())) or None
        self._narrow()

    def _narrow(self) -> None:
        """Keeps what fits the word, the best first, as VS Code scores it."""
        ranked = []
        for item in self.shown or ():
            word, text = self._typed(item).lower(), str(item.get("filterText") or item["label"])
            text = text.lower()
            if _is_in(word, text):
                quality = 0 if word == text else 1 if text.startswith(word) else 2
                ranked.append((quality, item.get("sortText", item["label"]), item["label"], item))
        ranked.sort(key=lambda each: each[:3])
        self.shown = [each[3] for each in ranked] or None

    def _area(self, item: Message) -> Message:
        found: Message = item.get("textEdit", {}).get("range") or self.defaults["editRange"]
        return found

    def _typed(self, item: Message) -> str:
        return self.before[self._area(item)["start"]["character"] :]

    def _text(self, item: Message) -> str:
        edited = item.get("textEdit", {}).get("newText")
        return str(edited or item.get("textEditText") or item.get("insertText") or item["label"])

    def _accept(self, item: Message) -> None:
        start = self._area(item)["start"]["character"]
        text = self._text(item)
        places: list[tuple[int, int]] = []
        if item.get("insertTextFormat") == _SNIPPET:
            text, places = expanded(text)
        indentation = self.before[: len(self.before) - len(self.before.lstrip())]
        text = text.replace("\n", f"\n{indentation}")
        self._replace((self.line, start), (self.line, self.column), text)
        rows = text.split("\n")
        self.column = len(rows[-1]) + (start if len(rows) == 1 else 0)
        self.line += len(rows) - 1
        self.shown = None
        if places and len(rows) == 1:
            self.stops[:0] = [(start + first, start + last) for first, last in places]
            self.tab()

    def _enter(self) -> None:
        line = self.lines[self.line]
        before, after = line[: self.column], line[self.column :]
        indentation = before[: len(before) - len(before.lstrip())]
        deeper = indentation + "\t" if before.rstrip().endswith(("{", "(")) else indentation
        text = f"\n{deeper}"
        if before.rstrip().endswith(("{", "(")) and after.startswith(("}", ")")):
            text += f"\n{indentation}"
        self._replace((self.line, self.column), (self.line, self.column), text)
        self.line += 1
        self.column = len(deeper)
        self.stops.clear()

    def _format(self, key: str) -> None:
        options = self.server["documentOnTypeFormattingProvider"]
        if key not in (options["firstTriggerCharacter"], *options["moreTriggerCharacter"]):
            return
        params = {**at(self.line, self.column), "ch": key, "options": _FORMAT}
        for change in reversed(self.client.request("textDocument/onTypeFormatting", params) or ()):
            start, end = change["range"]["start"], change["range"]["end"]
            self._apply_formatting(start, end, change["newText"])

    def _apply_formatting(self, start: Message, end: Message, text: str) -> None:
        first, last = (start["line"], start["character"]), (end["line"], end["character"])
        assert "\n" not in text
        assert first[0] == last[0]
        here = (self.line, self.column)
        self._replace(first, last, text)
        if here[0] == last[0] and here >= last:
            self.column += len(text) - (last[1] - first[1])
        elif first < here < last:
            self.column = first[1] + len(text)

    def _replace(self, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        head, tail = self.lines[start[0]][: start[1]], self.lines[end[0]][end[1] :]
        self.lines[start[0] : end[0] + 1] = f"{head}{text}{tail}".split("\n")
        moved = len(text) - (end[1] - start[1])
        if start[0] == end[0] == self.line and "\n" not in text:
            self.stops = [
                (first + moved, last + moved) if first >= end[1] else (first, last)
                for first, last in self.stops
            ]
        self.version += 1
        self.client.change(self.version, edit(start, end, text))


def expanded(template: str) -> tuple[str, list[tuple[int, int]]]:
    """The text of a snippet with the names at its places, and where those are."""
    text, rest, places = "", template, []
    while rest:
        if rest.startswith("\\"):
            text, rest = text + rest[1], rest[2:]
        elif rest.startswith("${"):
            inner, _, rest = rest[2:].partition("}")
            name = inner.partition(":")[2]
            places.append((len(text), len(text) + len(name)))
            text += name
        elif rest.startswith("$0"):
            rest = rest[2:]
        else:
            text, rest = text + rest[0], rest[1:]
    return text, places


def _last_word(text: str) -> str:
    start = len(text)
    while start and (text[start - 1].isalnum() or text[start - 1] in "_%$"):
        start -= 1
    return text[start:]


def _is_in(word: str, text: str) -> bool:
    letters: Any = iter(text)
    return all(letter in letters for letter in word)


def start(client: Client, capabilities: Message) -> Typist:
    """Opens an empty document."""
    server = client.initialize(capabilities)["capabilities"]
    client.open("", URI)
    return Typist(client, server)
