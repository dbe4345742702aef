"""The requests that an editor makes at a cursor or about visible lines, on real PTX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from tests.server.client import URI, Message

Ask = Callable[[str, Any], Any]
"""Sends a request and returns its result; only the time of the last request counts."""

_TOKEN: Final = re.compile(r"[%$.\w]+")
_RARE: Final = re.compile(
    r"\$L\w+:|\s*@|\s*bra|\s*call|\.(visible|entry|func|weak|extern|global|shared|const)"
    r"|\s*\.(reg|param|loc|pragma|local|shared)|.*_param_"
)
"""Lines that are rare, but that users ask about more often than about others."""
_SHARE_OF_RARE: Final = 0.3
_VIEWPORT: Final = 60
_INSTRUCTION: Final = re.compile(r"\t(?:@!?%p\d+ )?[a-z]\w*\..*;$").match
_LAYOUT: Final = {"tabSize": 8, "insertSpaces": False}


@dataclass(frozen=True, slots=True)
class Place:
    """A cursor on a token, by line and column."""

    line: int
    column: int

    @property
    def at(self) -> Message:
        """The parameters of a request about the cursor."""
        return {"textDocument": {"uri": URI}, "position": self.position}

    @property
    def position(self) -> Message:
        """The cursor."""
        return {"line": self.line, "character": self.column}

    @property
    def range(self) -> Message:
        """The empty selection at the cursor."""
        return {"start": self.position, "end": self.position}


class Places:
    """Draws random cursors on tokens, on rare lines more often than their number suggests."""

    def __init__(self, text: str, seed: int) -> None:
        self.lines = text.splitlines()
        self._random = Random(seed)  # noqa: S311  # the same in every run
        self._rare = [number for number, line in enumerate(self.lines) if _RARE.match(line)]
        self._instructions = [n for n, line in enumerate(self.lines) if _INSTRUCTION(line)]

    def token(self) -> Place:
        """Returns a random cursor on a token."""
        while True:
            if self._rare and self._random.random() < _SHARE_OF_RARE:
                line = self._random.choice(self._rare)
            else:
                line = self._random.randrange(len(self.lines))
            found = list(_TOKEN.finditer(self.lines[line].partition("//")[0]))
            if found:
                token = self._random.choice(found)
                return Place(line, self._random.randrange(token.start(), token.end()))

    def instruction(self) -> int:
        """Returns the line of a random instruction."""
        return self._random.choice(self._instructions)

    def pick(self, items: list[Any]) -> Any:  # noqa: ANN401
        """Returns a random item."""
        return self._random.choice(items)


@dataclass(frozen=True, slots=True)
class Scene:
    """One kind of request.

    Attributes:
        name: its name in the table.
        ask: sends it, after the requests that an editor has to send first.
        goal: the time in ms that 95 of 100 must not exceed.
        typed: text that is typed on a new line, at whose end the request is made; "" for a
            request at any token.
        is_shown: whether it is about lines that an editor shows, so that the editor has made the
            same request before something is typed in them.
    """

    name: str
    ask: Callable[[Ask, Places, Place], Any]
    goal: float = 10
    typed: str = ""
    is_shown: bool = False


def _simple(method: str, **more: object) -> Callable[[Ask, Places, Place], Any]:
    def ask(send: Ask, _places: Places, place: Place) -> Any:  # noqa: ANN401
        return send(f"textDocument/{method}", {**place.at, **more})

    return ask


def _seen(method: str) -> Callable[[Ask, Places, Place], Any]:
    def ask(send: Ask, places: Places, place: Place) -> Any:  # noqa: ANN401
        first = max(0, place.line - _VIEWPORT // 2)
        last = min(len(places.lines) - 1, first + _VIEWPORT)
        area = {
            "start": {"line": first, "character": 0},
            "end": {"line": last, "character": 0},
        }
        return send(f"textDocument/{method}", {"textDocument": {"uri": URI}, "range": area})

    return ask


def _selection(send: Ask, _places: Places, place: Place) -> Any:  # noqa: ANN401
    document = {"textDocument": {"uri": URI}}
    return send("textDocument/selectionRange", {**document, "positions": [place.position]})


def _actions(*, is_told: bool, is_invoked: bool = False) -> Callable[[Ask, Places, Place], Any]:
    """Requests code actions, with or without a diagnostic, by the user or by the editor itself."""

    def ask(send: Ask, _places: Places, place: Place) -> Any:  # noqa: ANN401
        shown = {"range": place.range, "message": "not known", "code": "unknown-opcode"}
        params = {
            "textDocument": {"uri": URI},
            "range": place.range,
            "context": {
                "diagnostics": [shown] if is_told else [],
                "triggerKind": 1 if is_invoked else 2,
            },
        }
        return send("textDocument/codeAction", params)

    return ask


def _resolved_action(send: Ask, places: Places, place: Place) -> Any:  # noqa: ANN401
    found = _actions(is_told=False)(send, places, place) or []
    here = [it for it in found if not str(it.get("kind")).startswith("source")]
    return send("codeAction/resolve", places.pick(here)) if here else None


def _resolved_item(send: Ask, places: Places, place: Place) -> Any:  # noqa: ANN401
    found = send("textDocument/completion", place.at)
    shared = found.get("itemDefaults", {}) if found else {}
    more = {"data": shared["data"]} if "data" in shared else {}
    if not found or not found["items"]:
        return None
    return send("completionItem/resolve", {**more, **places.pick(found["items"][:20])})


def _resolved_hint(send: Ask, places: Places, place: Place) -> Any:  # noqa: ANN401
    found = _seen("inlayHint")(send, places, place)
    return send("inlayHint/resolve", places.pick(found)) if found else None


def _scenes() -> Iterator[Scene]:
    for method in (
        "hover",
        "definition",
        "declaration",
        "typeDefinition",
        "implementation",
        "documentHighlight",
        "prepareRename",
        "signatureHelp",
        "linkedEditingRange",
        "prepareCallHierarchy",
    ):
        yield Scene(method, _simple(method))
    yield Scene("references", _simple("references", context={"includeDeclaration": True}))
    yield Scene("rename", _simple("rename", newName="renamed_to"))
    yield Scene("selectionRange", _selection)
    yield Scene("codeAction", _actions(is_told=False))
    yield Scene("codeAction with diagnostics", _actions(is_told=True))
    invoked = _actions(is_told=True, is_invoked=True)
    yield Scene("codeAction that the user asks for", invoked)
    yield Scene("codeAction/resolve", _resolved_action)
    yield Scene("completion at a token", _simple("completion"), 20)
    for where, typed in (
        ("a line's start", "\t"),
        ("an opcode's beginning", "\tad"),
        ("a dot", "\tadd."),
        ("two dots", "\tld.global."),
        ("an operand", "\tadd.s32 \t%r"),
        ("a comma", "\tadd.s32 \t%r1, "),
        ("a bracket", "\tld.global.u32 \t%r1, ["),
        ("a parameter's bracket", "\tld.param.u64 \t%rd1, ["),
        ("a guard", "\t@%"),
        ("bra", "\tbra \t"),
        ("call", "\tcall.uni "),
        ("a directive's dot", "\t."),
    ):
        yield Scene(f"completion after {where}", _simple("completion"), 20, typed)
    yield Scene("completionItem/resolve", _resolved_item, 10, "\tadd.s32 \t%r1, ")
    yield Scene("signatureHelp while typing", _simple("signatureHelp"), 10, "\tfma.rn.f32 \t%f1, ")
    for name, typed in ((";", "\tadd.s32 %r1,%r2,%r3;"), ("}", "\t}")):
        ask = _simple("onTypeFormatting", ch=name, options=_LAYOUT)
        yield Scene(f"onTypeFormatting {name}", ask, 10, typed)
    yield Scene("inlayHint of a viewport", _seen("inlayHint"), is_shown=True)
    yield Scene("inlayHint/resolve", _resolved_hint)
    yield Scene("semanticTokens of a viewport", _seen("semanticTokens/range"), 2, is_shown=True)


SCENES: Final = tuple(_scenes())
"""Every kind of request that is about a cursor or about visible lines."""
