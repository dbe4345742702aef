"""Writes the words of PTX into the files of editors/ that colour it.

Everything else in these files is written by hand: only the text between the two marks is replaced.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Final

from docs.folders import ROOT
from docs.generators.vocabulary import Vocabulary, vocabulary

EDITORS: Final = ROOT / "editors"
BEGIN: Final = "Words, written by ./dev docs"
END: Final = "End of the words"
_WIDTH: Final = 98


def files() -> dict[Path, str]:
    """The text of each file with words, by its path."""
    words = vocabulary()
    writers: dict[str, Callable[[Vocabulary], Iterator[str]]] = {
        "vim/syntax/ptx.vim": _vim,
        "emacs/ptx-mode.el": _emacs,
        "kate/ptx.xml": _kate,
        "sublime/PTX.sublime-syntax": _sublime,
    }
    return {
        EDITORS / name: _filled((EDITORS / name).read_text("utf-8"), write(words))
        for name, write in writers.items()
    }


def _filled(text: str, lines: Iterator[str]) -> str:
    """The text with other lines between the line of each mark. ValueError: a mark is missing."""
    old = text.split("\n")
    first = next((at for at, line in enumerate(old) if BEGIN in line), None)
    last = next((at for at, line in enumerate(old) if END in line), None)
    if first is None or last is None:
        raise ValueError(f"no lines with {BEGIN!r} and {END!r}")
    return "\n".join([*old[: first + 1], *lines, *old[last:]])


def _lists(words: Vocabulary) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each list with what it is called."""
    for field in fields(words):
        yield field.name, getattr(words, field.name)


def _wrapped(words: tuple[str, ...], indent: str, width: int = _WIDTH) -> list[str]:
    return textwrap.wrap(
        " ".join(words),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _vim(words: Vocabulary) -> Iterator[str]:
    groups = {
        "opcodes": "Opcode nextgroup=ptxSuffix",
        "directives": "Directive contained",
        "types": "Type contained",
        "spaces": "Space contained",
        "modifiers": "Modifier contained",
        "registers": "SpecialRegister",
        "predefined": "Predefined",
        "targets": "Target",
    }
    for name, each in _lists(words):
        begin = f"syntax keyword ptx{groups[name]}"
        for line in _wrapped(each, "", _WIDTH - len(begin)):
            yield f"{begin} {line}"


def _emacs(words: Vocabulary) -> Iterator[str]:
    for name, each in _lists(words):
        if name == "modifiers":
            continue  # a rule colours any word after an opcode
        lines = _wrapped(tuple(f'"{word}"' for word in each), "    ", 79)
        lines[0] = f"  '({lines[0].strip()}"
        lines[-1] += ")"
        yield f"(defconst ptx-{name}"
        yield from lines
        yield f'  "Words of PTX: {name}.")'
        yield ""


def _kate(words: Vocabulary) -> Iterator[str]:
    for name, each in _lists(words):
        if name == "modifiers":
            continue
        yield f'    <list name="{name}">'
        for word in each:
            yield f"      <item>{word}</item>"
        yield "    </list>"


def _sublime(words: Vocabulary) -> Iterator[str]:
    for name, each in _lists(words):
        # Longer words first: an alternative ends at the first word that fits.
        ordered = sorted(each, key=lambda word: (-len(word), word))
        yield f"  {name}: (?:{'|'.join(ordered)})"
