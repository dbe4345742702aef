"""Edits of a kernel of a million lines, and of a declaration with very many uses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from benchmarks.performance.editor import (
    Language,
    TimedEditor,
    c,
    digit,
    operand_end,
    ptx,
    python,
    statement_lines,
)
from benchmarks.performance.measurement import Goal, Peer, Sample, Samples, Situation
from benchmarks.performance.peer_texts import c_text, python_text
from benchmarks.performance.server import text_of
from benchmarks.performance.subject import Subject
from benchmarks.process import no_litter, wait_for_rest
from tests.server.client import edit

_KEY, _BRACE, _COMMENT, _RENAMED = "key", "brace", "comment", "renamed"
_N_KEYS = 20
_N_BRACES = 2
_N_COMMENTS = 4
_N_RENAMED = 3
_N_LINES = 1_000_000
_COUNTER = (3, len(".global .align 4 .u32 counter"))  # the end of the name in the text
_SEED = 3


def situations() -> list[Situation[Subject]]:
    """Returns both."""
    kernel = "one kernel of 1M lines: from {} to diagnostics"
    return [
        Situation(
            "giant-kernel",
            (
                Goal(_KEY, kernel.format("a key press"), "ms", 30),
                Goal(_BRACE, kernel.format("the deletion of its `{`"), "ms", 500),
                Goal(_COMMENT, kernel.format("the undo of `/*`"), "ms", 20),
            ),
            _kernel,
            (
                Peer("ruff", partial(_key_of_peer, python, partial(python_text, 0)), 1),
                Peer("clangd", partial(_key_of_peer, c, partial(c_text, 0)), 1),
            ),
            2,
        ),
        Situation(
            "renamed-global",
            (
                Goal(
                    _RENAMED,
                    "a global with 100,000 uses: from its rename to diagnostics",
                    "ms",
                    500,
                ),
            ),
            _renamed,
            (),
            2,
        ),
    ]


def _kernel(subject: Subject) -> Samples:
    text = text_of("kernel1m")
    lines = text.splitlines()
    with TimedEditor(ptx(subject)) as editor, no_litter():
        editor.opens(text)
        editor.waits_for_diagnostics()
        wait_for_rest(editor.process.pid)
        found: Samples = {
            _KEY: _keys(editor, lines, _N_KEYS),
            _COMMENT: [_comment(editor, len(lines) // 2 + number) for number in range(_N_COMMENTS)],
            _BRACE: [_brace(editor, lines.index("{")) for _ in range(_N_BRACES)],
        }
        return found


def _keys(editor: TimedEditor, lines: list[str], count: int) -> list[Sample]:
    """Types a digit at the end of random lines, and deletes it; returns the times of both."""
    random = Random(_SEED)  # noqa: S311  the same in every run
    places = statement_lines(lines)
    found = []
    for _ in range(count):
        line = random.choice(places)
        found += [editor.edited(it) for it in digit(line, operand_end(lines[line]))]
    return found


def _brace(editor: TimedEditor, line: int) -> Sample:
    spent = editor.edited(edit((line, 0), (line, 1), ""))
    editor.edited(edit((line, 0), (line, 0), "{"))
    wait_for_rest(editor.process.pid)
    return spent


def _comment(editor: TimedEditor, line: int) -> Sample:
    editor.edited(edit((line, 0), (line, 0), "/*"))
    wait_for_rest(editor.process.pid)
    return editor.edited(edit((line, 0), (line, 2), ""))


def _key_of_peer(language: Callable[[], Language], text_of_lines: Callable[[int], str]) -> Samples:
    """Types one digit, and deletes it: each takes seconds, and with clangd half a minute."""
    text = text_of_lines(_N_LINES)
    with TimedEditor(language()) as editor, no_litter():
        editor.opens(text)
        editor.waits_for_diagnostics()
        return {_KEY: _keys(editor, text.splitlines(), 1)}


def _renamed(subject: Subject) -> Samples:
    text = text_of("uses100k")
    line, column = _COUNTER
    typed, deleted = digit(line, column)
    with TimedEditor(ptx(subject)) as editor:
        editor.opens(text)
        editor.waits_for_diagnostics()
        found = []
        for _ in range(_N_RENAMED):
            wait_for_rest(editor.process.pid)
            found.append(editor.edited(typed))
            wait_for_rest(editor.process.pid)
            editor.edited(deleted)
        return {_RENAMED: found}
