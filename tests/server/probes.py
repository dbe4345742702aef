"""Requests of every method that the server offers, as an editor makes them one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from lsprotocol import types

from ptx_ls.server.methods import FEATURES
from tests.server.client import Message

REQUESTS: Final = sorted(
    {feature.method for feature in FEATURES if types.METHOD_TO_TYPES[feature.method][1] is not None}
    | {types.TEXT_DOCUMENT_DIAGNOSTIC}
)
"""The methods of all requests that the server offers, but for those of a session's life."""

Ask = Callable[[str, Any], Any]
"""Sends a request and returns its result, or what stands for a refusal."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The places and values that requests are about.

    Attributes:
        uri: of the document.
        place: the position of the cursor.
        area: the range that is seen.
        pick: which of several items is asked about further.
        typed: the character that was typed last.
        previous: the id of the semantic tokens that the client has.
    """

    uri: str
    place: Message
    area: Message
    pick: int = 0
    typed: str = ";"
    previous: str = "0"

    @property
    def document(self) -> Message:
        """The parameters of a request about the document."""
        return {"textDocument": {"uri": self.uri}}

    @property
    def at(self) -> Message:
        """The parameters of a request about the cursor."""
        return {**self.document, "position": self.place}

    @property
    def within(self) -> Message:
        """The parameters of a request about what is seen."""
        return {**self.document, "range": self.area}


_LAYOUT: Final = {"options": {"tabSize": 4, "insertSpaces": False}}


def _simple(method: str, params: Callable[[Scene], Message]) -> Callable[[Ask, Scene], Any]:
    def probe(ask: Ask, scene: Scene) -> Any:  # noqa: ANN401
        return ask(f"textDocument/{method}", params(scene))

    return probe


def _picked(found: object, scene: Scene, count: int = 2) -> list[Any]:
    """Some of the items of a result."""
    if not isinstance(found, list) or not found:
        return []
    first = scene.pick % len(found)
    return found[first : first + count]


def _completion(ask: Ask, scene: Scene) -> Any:  # noqa: ANN401
    found = ask("textDocument/completion", scene.at)
    items = found.get("items") if isinstance(found, dict) else found
    shared = found.get("itemDefaults", {}) if isinstance(found, dict) else {}
    more = {"data": shared["data"]} if "data" in shared else {}
    return [
        found,
        [ask("completionItem/resolve", {**more, **it}) for it in _picked(items, scene, 3)],
    ]


def _with_resolve(
    method: str, resolve: str, params: Callable[[Scene], Message]
) -> Callable[[Ask, Scene], Any]:
    def probe(ask: Ask, scene: Scene) -> Any:  # noqa: ANN401
        found = ask(method, params(scene))
        return [found, [ask(resolve, item) for item in _picked(found, scene)]]

    return probe


def _calls(ask: Ask, scene: Scene) -> Any:  # noqa: ANN401
    found = ask("textDocument/prepareCallHierarchy", scene.at)
    asked = [
        [ask(f"callHierarchy/{way}Calls", {"item": item}) for way in ("incoming", "outgoing")]
        for item in _picked(found, scene)
    ]
    return [found, asked]


def _rename(ask: Ask, scene: Scene) -> Any:  # noqa: ANN401
    found = ask("textDocument/prepareRename", scene.at)
    names = ("renamed", "%r77", "1bad")
    return [
        found,
        ask("textDocument/rename", {**scene.at, "newName": names[scene.pick % len(names)]}),
    ]


def _tokens(ask: Ask, scene: Scene) -> Any:  # noqa: ANN401
    whole = ask("textDocument/semanticTokens/full", scene.document)
    previous = {"previousResultId": scene.previous}
    delta = ask("textDocument/semanticTokens/full/delta", {**scene.document, **previous})
    same = whole.get("resultId") if isinstance(whole, dict) else None
    again = ask(
        "textDocument/semanticTokens/full/delta",
        {**scene.document, "previousResultId": same or "0"},
    )
    del delta  # between another text and this one: it only must not be an error
    return [whole, again]


def _diagnostics(ask: Ask, scene: Scene) -> Any:  # noqa: ANN401
    found = ask("textDocument/diagnostic", scene.document)
    items = found.get("items", []) if isinstance(found, dict) else []
    context = {"diagnostics": _picked(items, scene, 3)}
    areas = [scene.area, *(item["range"] for item in context["diagnostics"][:1])]
    actions = [
        ask("textDocument/codeAction", {**scene.document, "range": area, "context": context})
        for area in areas
    ]
    resolved = [
        ask("codeAction/resolve", action)
        for found in actions
        for action in _picked(found, scene)
        if not isinstance(action.get("command"), str)  # a command, for clients of old
    ]
    return [found, actions, resolved]


def _workspace(ask: Ask, scene: Scene) -> Any:  # noqa: ANN401
    query = ("", "k", "%r", "_Z")[scene.pick % 4]
    return [
        ask("workspace/symbol", {"query": query}),
        ask("workspace/diagnostic", {"previousResultIds": []}),
        ask("workspace/executeCommand", {"command": "ptx.requirements", "arguments": [scene.uri]}),
    ]


PROBES: Final[dict[str, Callable[[Ask, Scene], Any]]] = {
    **{
        method: _simple(method, lambda scene: scene.at)
        for method in (
            "hover",
            "signatureHelp",
            "definition",
            "declaration",
            "typeDefinition",
            "implementation",
            "documentHighlight",
            "linkedEditingRange",
        )
    },
    "completion": _completion,
    "references": _simple(
        "references", lambda it: {**it.at, "context": {"includeDeclaration": it.pick % 2 == 0}}
    ),
    "selectionRange": _simple(
        "selectionRange", lambda it: {**it.document, "positions": [it.place, it.area["end"]]}
    ),
    "callHierarchy": _calls,
    "rename": _rename,
    "documentSymbol": _simple("documentSymbol", lambda scene: scene.document),
    "formatting": _simple("formatting", lambda scene: {**scene.document, **_LAYOUT}),
    "rangeFormatting": _simple("rangeFormatting", lambda scene: {**scene.within, **_LAYOUT}),
    "rangesFormatting": _simple(
        "rangesFormatting", lambda it: {**it.document, "ranges": [it.area], **_LAYOUT}
    ),
    "onTypeFormatting": _simple(
        "onTypeFormatting", lambda it: {**it.at, "ch": it.typed, **_LAYOUT}
    ),
    "willSaveWaitUntil": _simple("willSaveWaitUntil", lambda it: {**it.document, "reason": 1}),
    "foldingRange": _simple("foldingRange", lambda scene: scene.document),
    "inlayHint": _with_resolve(
        "textDocument/inlayHint", "inlayHint/resolve", lambda scene: scene.within
    ),
    "codeLens": _with_resolve(
        "textDocument/codeLens", "codeLens/resolve", lambda scene: scene.document
    ),
    "documentLink": _with_resolve(
        "textDocument/documentLink", "documentLink/resolve", lambda scene: scene.document
    ),
    "semanticTokens": _tokens,
    "workspace": _workspace,
    "semanticTokens/range": _simple("semanticTokens/range", lambda scene: scene.within),
    "diagnostic": _diagnostics,
}
"""Each asks one thing and what an editor asks next with the answer."""
