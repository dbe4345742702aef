"""The real Emacs with both of its clients, set up with the commands in the guide."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.sessions import BRANCH, HERE, Facts, Home, check_features, find, guide
from tests.support.programs import require_program

pytestmark = pytest.mark.slow

INSTALL = "apt-get install --no-install-recommends emacs-nox elpa-eglot elpa-lsp-mode"


def installed(client: str, feature: str, folder: Path) -> tuple[Home, list[str | Path]]:
    """A home in which the guide for a client was followed, and the command that starts Emacs."""
    emacs = find("emacs", INSTALL)
    home = Home(folder)
    home.install("Emacs")
    start = folder / ".emacs.d" / "init.el"
    start.write_text(guide(client, "elisp"), "utf-8")
    # Packages are there as after a start without --batch.
    batch: list[str | Path] = [emacs, "--batch", "-f", "package-activate-all"]
    known = f"(princ (if (locate-library \"{feature}\") 'there 'missing))"

    def found(_: str) -> Path | None:
        return emacs if "there" in home.run([*batch, "--eval", known]) else None

    require_program(feature, INSTALL, found)  # Emacs may have been installed without it
    return home, [*batch, "-l", start]


def session(client: str, feature: str, folder: Path) -> Facts:
    """The observations of the driver with a client, for the text that all editors show."""
    home, emacs = installed(client, feature, folder)
    facts = home.drive([*emacs, "-l", HERE / "emacs.el"])
    assert facts["mode"] == "ptx-mode"
    assert facts["completed"] == "\tld.global"
    return facts


def test_eglot(tmp_path: Path) -> None:
    facts = session("Eglot", "eglot", tmp_path)  # which shows nothing but the message
    check_features(facts, related="\nline 11: `%r<4>` is declared here")


def test_lsp_mode(tmp_path: Path) -> None:
    # It asks for references without the declaration, and counts every character as one, which for
    # those beyond U+FFFF neither UTF-8 nor UTF-16 does.
    facts = session("lsp-mode", "lsp-mode", tmp_path)
    check_features(facts, underlined="r9;", references=[BRANCH])
    assert facts["token"] == "lsp-face-semhl-constant"


@pytest.mark.parametrize(("client", "feature"), [("Eglot", "eglot"), ("lsp-mode", "lsp-mode")])
def test_a_server_that_is_missing(client: str, feature: str, tmp_path: Path) -> None:
    home, emacs = installed(client, feature, tmp_path)
    home.without_server()
    # Both clients start after the command that opened the file; Eglot fails then.
    begin = "(ignore-errors (run-hooks 'post-command-hook))"
    printed = home.run([*emacs, "--eval", f'(progn (find-file "{home.file}") {begin})'])
    assert printed.count("was not found: run") == 1
