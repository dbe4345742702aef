"""Emacs' mode for PTX without a server: it compiles, colours, indents, comments and lists."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import pytest

from tests.editors.colours import INDENTED, TEXT, check_colours
from tests.editors.contrast import LARGE, contrast
from tests.editors.sessions import HERE, ROOT, Home, find

pytestmark = pytest.mark.slow

MODE: Final = ROOT / "editors" / "emacs" / "ptx-mode.el"
FACES: Final = {
    kind: [f"font-lock-{face}-face" for face in faces.split()]
    for kind, faces in {
        "comment": "comment comment-delimiter",
        "directive": "preprocessor",
        "function": "function-name",
        "label": "constant",
        "modifier": "builtin",
        "opcode": "keyword",
        "predefined": "constant",
        "register": "variable-name",
        "special register": "constant",
        "string": "string",
        "target": "constant",
        "type": "type",
    }.items()
}

BACKGROUNDS: Final = {"dark": "#000000", "light": "#FFFFFF"}
"""Of an Emacs that is not set up."""


def emacs() -> Path:
    return find("emacs", "apt-get install --no-install-recommends emacs-nox")


def test_compiles_without_a_warning(tmp_path: Path) -> None:
    program = emacs()
    copy = tmp_path / MODE.name
    shutil.copy(MODE, copy)
    strict = "(setq byte-compile-error-on-warn t)"
    Home(tmp_path / "home").run(
        [program, "-Q", "--batch", "--eval", strict, "-f", "batch-byte-compile", copy]
    )
    assert copy.with_suffix(".elc").exists()


def test_mode(tmp_path: Path) -> None:
    program = emacs()
    home = Home(tmp_path)
    home.file.write_text(TEXT, "utf-8")
    flat = tmp_path / "flat.ptx"
    flat.write_text("".join(f"{line.strip()}\n" for line in INDENTED.splitlines()), "utf-8")
    home.environment["PTX_FLAT"] = str(flat)
    home.run([program, "-Q", "--batch", "-L", MODE.parent, "-l", HERE / "ptx-mode-colours.el"])
    facts = home.seen()
    assert facts["mode"] == "ptx-mode"
    check_colours(facts["colours"], FACES)
    assert facts["outline"] == {
        "Kernels": ["kernel"],
        "Functions": ["callee"],
        "Labels": ["add", "$done"],
    }
    assert (facts["function begins"], facts["function ends"]) == (6, 23)
    assert facts["comment"] == "    // ret;"
    assert facts["indented"] == INDENTED


def test_colours_are_readable(tmp_path: Path) -> None:
    """The default faces, in a terminal or a window with many colours."""
    program = emacs()
    home = Home(tmp_path)
    home.environment["PTX_FACES"] = " ".join(sorted({it for kind in FACES.values() for it in kind}))
    home.run([program, "-Q", "--batch", "-l", HERE / "default-faces.el"])
    facts = home.seen()
    for name, background in BACKGROUNDS.items():
        assert len(facts[name]) >= 9
        for face, colour in facts[name].items():
            assert contrast(colour, background) >= LARGE, (name, face, colour)
