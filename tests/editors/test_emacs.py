"""The real Emacs, with both of its clients, set up as the guide says."""

from __future__ import annotations

from pathlib import Path

from tests.editors.sessions import BRANCH, HERE, Facts, Home, check_features, find, guide
from tests.support.programs import require_program

INSTALL = "apt-get install --no-install-recommends emacs-nox elpa-eglot elpa-lsp-mode"


def session(client: str, feature: str, folder: Path) -> Facts:
    """What the driver saw with a client, of the text that all editors are shown."""
    emacs = find("emacs", INSTALL)
    home = Home(folder)
    home.install("Emacs")
    start = folder / ".emacs.d" / "init.el"
    start.write_text(guide(client, "elisp"), "utf-8")
    # Packages are there as after a start without --batch.
    batch: list[str | Path] = [emacs, "--batch", "-f", "package-activate-all"]
    known = f"(princ (if (locate-library \"{feature}\") 'there 'missing))"
    if "there" not in home.run([*batch, "--eval", known]):
        require_program(feature, INSTALL, lambda _: None)
    facts = home.drive([*batch, "-l", start, "-l", HERE / "emacs.el"])
    assert facts["mode"] == "ptx-mode"
    return facts


def test_eglot(tmp_path: Path) -> None:
    check_features(session("Eglot", "eglot", tmp_path))


def test_lsp_mode(tmp_path: Path) -> None:
    # It asks for references without the declaration, and counts every character as one, which for
    # those beyond U+FFFF neither UTF-8 nor UTF-16 does.
    facts = session("lsp-mode", "lsp-mode", tmp_path)
    check_features(facts, underlined="r9;", references=[BRANCH])
