"""The requests of an editor after each key in a document of a million lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from benchmarks.performance import colours
from benchmarks.performance.editor import TimedEditor, digit, operand_end, ptx, statement_lines
from benchmarks.performance.measurement import Goal, Peer, Sample, Samples, Situation
from benchmarks.performance.server import text_of
from benchmarks.performance.subject import Subject
from benchmarks.process import no_litter, wait_for_rest
from tests.server.profiles import VSCODE

_SEED = 7
_N_LINES_SHOWN = 60
_N_KEYS = 40
_N_KEYS_OF_WHOLE = 5
_VISIBLE, _COLOURS = "visible", "first tokens"
_WHOLE = {
    "documentSymbol": "symbols",
    "codeLens": "lenses",
    "documentLink": "links",
    "foldingRange": "folding ranges",
    "semanticTokens/full/delta": "token changes",
    "diagnostic": "diagnostics",
}
"""Requests about the whole document that an editor makes with each key."""


def situations() -> list[Situation[Subject]]:
    """Returns the only one: all is asked in one session, because opening takes seconds."""
    visible = "a key press, then 7 requests about what is visible, 1M lines, p95"
    return [
        Situation(
            "million-lines",
            (
                Goal(_COLOURS, "first tokens of the whole document, 1M lines", "ms", 1000),
                Goal(_VISIBLE, visible, "ms", 8, 0.95),
                *(
                    Goal(method, f"a key press, then a request for all {what}, 1M lines", "ms", 40)
                    for method, what in _WHOLE.items()
                ),
            ),
            _run,
            (
                Peer("Pygments", lambda: {_COLOURS: [colours.of_pygments(text_of("lines1m"))]}, 1),
                Peer(
                    "tree-sitter",
                    lambda: {_COLOURS: [colours.of_tree_sitter(text_of("lines1m"))]},
                    1,
                ),
            ),
            3,
        )
    ]


def _run(subject: Subject) -> Samples:
    text = text_of("lines1m")
    with TimedEditor(ptx(subject), VSCODE) as editor, no_litter():
        editor.opens(text)
        editor.asks("diagnostic")
        wait_for_rest(editor.process.pid)
        session = _Session(editor, text)
        return {
            _COLOURS: [session.first_tokens()],
            _VISIBLE: [session.visible() for _ in range(_N_KEYS)],
            **{
                method: [session.whole(method) for _ in range(_N_KEYS_OF_WHOLE)]
                for method in _WHOLE
            },
        }


class _Session:
    """An editor that shows random places of a text in turn, and types and deletes digits there."""

    def __init__(self, editor: TimedEditor, text: str) -> None:
        self._editor = editor
        self._lines = text.splitlines()
        self._places = statement_lines(self._lines)
        self._random = Random(_SEED)  # noqa: S311  the same in every run
        self._results: dict[str, str] = {}

    def first_tokens(self) -> Sample:
        """Returns the time of all tokens."""
        return self._editor.measured(lambda: self._ask("semanticTokens/full"))

    def visible(self) -> Sample:
        """Returns the time from a key press to the last answer about the lines around it."""
        line, undo = self._place()
        self._editor.asks_all(self._requests(line))  # the user looks at them first

        def act() -> None:
            self._editor.types(digit(line, self._column(line))[0])
            self._editor.asks_all(self._requests(line))

        spent = self._editor.measured(act)
        undo()
        return spent

    def whole(self, method: str) -> Sample:
        """Returns the time from a key press to the answer about the whole document."""
        line, undo = self._place()
        if method not in self._results:
            self._ask("semanticTokens/full" if "Tokens" in method else method)

        def act() -> None:
            self._editor.types(digit(line, self._column(line))[0])
            self._ask(method)

        spent = self._editor.measured(act)
        undo()
        return spent

    def _place(self) -> tuple[int, Callable[[], None]]:
        """Returns a random line, and what deletes the digit that is typed there."""
        line = self._random.choice(self._places)
        back = digit(line, self._column(line))[1]

        def undo() -> None:
            self._editor.types(back)
            self._ask("diagnostic")

        return line, undo

    def _column(self, line: int) -> int:
        return operand_end(self._lines[line])

    def _ask(self, method: str) -> Any:  # noqa: ANN401
        previous = self._results.get("semanticTokens" if "Tokens" in method else method)
        more = {"previousResultId": previous} if previous is not None else {}
        result = self._editor.asks(method, **more)
        if isinstance(result, dict) and "resultId" in result:
            self._results["semanticTokens" if "Tokens" in method else method] = result["resultId"]
        return result

    def _requests(self, line: int) -> list[tuple[str, Mapping[str, object]]]:
        cursor = {"line": line, "character": self._column(line) - 1}
        first = max(0, line - _N_LINES_SHOWN // 2)
        last = min(len(self._lines) - 1, first + _N_LINES_SHOWN)
        shown = {
            "start": {"line": first, "character": 0},
            "end": {"line": last, "character": 0},
        }
        at, selection = {"position": cursor}, {"start": cursor, "end": cursor}
        return [
            ("semanticTokens/range", {"range": shown}),
            ("inlayHint", {"range": shown}),
            ("codeAction", {"range": selection, "context": {"diagnostics": [], "triggerKind": 2}}),
            ("documentHighlight", at),
            ("linkedEditingRange", at),
            ("hover", at),
            ("signatureHelp", at),
        ]
