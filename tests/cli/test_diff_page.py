"""The example in docs/diff.md is what the command prints."""

import re
from pathlib import Path

import pytest

from ptx_ls.cli.main import main

PAGE = Path(__file__).parents[2] / "docs" / "diff.md"


def test_the_output_on_the_page_is_real(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text("utf-8")
    for name, text in zip(
        ("old.ptx", "new.ptx"), re.findall(r"```ptx\n(.*?)```", page, re.DOTALL), strict=True
    ):
        Path(name).write_text(text, encoding="utf-8")
    shown = re.search(r"\$ (ptx-ls diff [^\n]*)\n(.*?)```", page, re.DOTALL)
    assert shown
    assert main(shown[1].split()[1:]) == 1
    assert capsys.readouterr().out == shown[2]
