"""The file that colours PTX in Kate, read by the highlighter that Kate has."""

from __future__ import annotations

import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.editors.colours import KINDS, TEXT, check_colours
from tests.editors.sessions import ROOT, Home, find

pytestmark = pytest.mark.slow


class _Styles(HTMLParser):
    """The style of every character in `<pre>`, by line."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[list[str]] = [[]]
        self._style = ""
        self._is_code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "pre":
            self._is_code = True
        elif tag == "span":
            self._style = dict(attrs).get("style") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "span":
            self._style = ""
        elif tag == "pre":
            self._is_code = False

    def handle_data(self, data: str) -> None:
        for character in data if self._is_code else "":
            if character == "\n":
                self.lines.append([])
            else:
                self.lines[-1].append(self._style)


def test_each_kind_has_a_colour(tmp_path: Path) -> None:
    program = find("kate-syntax-highlighter", "apt-get install libkf5syntaxhighlighting-tools")
    home = Home(tmp_path)
    folder = tmp_path / ".local" / "share" / "org.kde.syntax-highlighting" / "syntax"
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "editors" / "kate" / "ptx.xml", folder)
    home.file.write_text(TEXT, "utf-8")
    home.environment["QT_QPA_PLATFORM"] = "offscreen"
    page = tmp_path / "page.html"
    home.run([program, "--syntax", "PTX", "--output", page, home.file])
    styles = _Styles()
    styles.feed(page.read_text("utf-8").replace("<pre>\n", "<pre>"))
    # Its names are not in the page. The first word of a kind tells how that kind looks.
    lines = TEXT.splitlines()
    looks = {
        kind: [styles.lines[line - 1][lines[line - 1].index(word) + 1]]
        for line, word, kind in reversed(KINDS)
    }
    check_colours(styles.lines, looks)
    named = ("comment", "directive", "opcode", "register", "special register", "string", "label")
    assert len({looks[kind][0] for kind in named}) == len(named)
