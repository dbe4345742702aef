"""How long an editor waits for the server to start, and how much memory it takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks import inputs
from benchmarks.performance.editor import Language, TimedEditor, c, ptx, python, statement_lines
from benchmarks.performance.measurement import Goal, Peer, Sample, Samples, Situation
from benchmarks.performance.peer_texts import c_text, python_text
from benchmarks.performance.subject import Subject
from benchmarks.process import resident_bytes, wait_for_rest
from tests.server.profiles import VSCODE

_INITIALIZE, _HOVER, _MEMORY = "initialize", "hover", "memory"
_INDENT = 4  # columns; in PTX it is within the first word after a tab
_N_SMALL = 5000  # bytes


def situations() -> list[Situation[Subject]]:
    """Returns the start, and the memory of a large document."""
    return [
        Situation(
            "start",
            (
                Goal(_INITIALIZE, "server: start to the answer of `initialize`", "ms", 50),
                Goal(_HOVER, "server: start to the first hover in a small file", "ms", 450),
            ),
            lambda subject: _start(ptx(subject), text_of("small")),
            (
                Peer("ruff", lambda: _start(python(), python_text(_N_SMALL))),
                Peer("clangd", lambda: _start(c(), c_text(_N_SMALL))),
            ),
            9,
            is_warmed=True,
        ),
        Situation(
            "server-memory",
            (Goal(_MEMORY, "memory of a checked document of 20 MB", "x its size", 2.5),),
            lambda subject: _memory(ptx(subject), text_of("mb20"), text_of("tiny")),
            (
                Peer("ruff", partial(_memory_of_peer, python, python_text), 1),
                Peer("clangd", partial(_memory_of_peer, c, c_text), 1),
            ),
            2,
        ),
    ]


def text_of(name: str) -> str:
    """Returns the text of an input. Raises `RuntimeError` if it cannot be made."""
    return inputs.make(name).read_text(encoding="utf-8")


def _start(language: Language, text: str) -> Samples:
    with TimedEditor(language, VSCODE) as editor:
        editor.opens(text)
        line = statement_lines(text.splitlines())[0]
        editor.asks("hover", position={"line": line, "character": _INDENT})
        return {_INITIALIZE: [editor.initialized], _HOVER: [editor.since_start()]}


def _memory(language: Language, text: str, small: str) -> Samples:
    with TimedEditor(language) as editor:
        editor.opens(small, "small")  # loads what any document needs
        editor.waits_for_diagnostics()
        wait_for_rest(editor.process.pid)
        before = resident_bytes(editor.process.pid)
        editor.opens(text)
        editor.waits_for_diagnostics()
        wait_for_rest(editor.process.pid)
        grown = resident_bytes(editor.process.pid) - before
    return {_MEMORY: [Sample(grown / len(text.encode()))]}


def _memory_of_peer(language: Callable[[], Language], text: Callable[[int], str]) -> Samples:
    return _memory(language(), text(len(text_of("mb20"))), text(_N_SMALL))
