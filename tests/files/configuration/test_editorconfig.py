"""The styles that `.editorconfig` files set, and mistakes in these files."""

from pathlib import Path

import pytest

from ptx_ls.files.configuration.discovery import Configurations
from ptx_ls.files.configuration.editorconfig import EditorStyle
from ptx_ls.files.configuration.errors import ConfigurationError


def check_style(folder: Path, text: str, **fields: object) -> None:
    """Checks the style of a file in a folder with an `.editorconfig`."""
    (folder / ".editorconfig").write_text(text, "utf-8")
    line_end = str(fields.pop("line_end", ""))
    found = Configurations().editor_style_of(str(folder / "a.ptx"))
    assert found == EditorStyle(fields, line_end)  # type: ignore[arg-type]


def check_error(folder: Path, text: str, message: str) -> None:
    """Checks the message about an `.editorconfig` with a mistake."""
    path = folder / ".editorconfig"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigurationError) as caught:
        Configurations().editor_style_of(str(folder / "a.ptx"))
    assert str(caught.value) == f"{path}{message}"


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("[*]\nindent_size = 2", {"indent": 2}),
        ("\ufeff[*]\r\nindent_size=2\r\n", {"indent": 2}),
        ("  [*.ptx]  \n  Indent_Size :  2  \n", {"indent": 2}),
        ("; a comment\n# another\n[*]\nindent_size=2", {"indent": 2}),
        ("[*]\nindent_size=2 ; a value has no comment", {}),
        ("indent_size = 2\n", {}),
        ("[*]\nindent_size=2\n[a.*]\nindent_size = unset\n", {}),
        ("[*]\nindent_size=2\n[a.*]\nindent_size = 3\n[b.*]\nindent_size=5", {"indent": 3}),
        ("[*]\nindent_style=TAB\nindent_size=8", {"tabs": True, "indent": 8}),
        ("[*]\nindent_style=tab\ntab_width=8\nindent_size=2", {"tabs": True, "indent": 8}),
        ("[*]\nindent_style=space\ntab_width=8\nindent_size=2", {"tabs": False, "indent": 2}),
        ("[*]\nindent_size=tab\ntab_width=8", {"indent": 8}),
        ("[*]\nindent_style=tab\nindent_size=tab", {"tabs": True}),
        ("[*]\ntab_width=8", {}),
        ("[*]\nmax_line_length=off\nend_of_line=CRLF", {"width": 1000, "line_end": "\r\n"}),
        ("[*]\nend_of_line=cr", {}),
        ("[*]\nindent_size=\nmax_line_length=0x50", {}),
        (f"[{'x' * 1025}]\nindent_size=2\n[{'*' * 1024}]\ntab_width=2\n", {}),
        ("[]\nindent_size=2\n[[]\nindent_size=3\n[{}]\nindent_size=5", {}),
        ("[a.ptx\\]\nindent_size=2", {}),
    ],
)
def test_styles(tmp_path: Path, text: str, fields: dict[str, object]) -> None:
    check_style(tmp_path, f"root = true\n{text}" if text[0] != "\ufeff" else text, **fields)


def test_the_nearest_file_wins(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / ".editorconfig").write_text("root=true\n[sub/*]\nindent_size=2\ntab_width=7\n")
    check_style(tmp_path / "sub", "[*]\nindent_size=3\n", indent=3)
    check_style(tmp_path / "sub", "[*]\nindent_style=tab\n", indent=7, tabs=True)
    check_style(tmp_path / "sub", "Root = True\n[*]\nindent_style=tab\n", tabs=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[*]\nindent_size\n", ":2: expected `key = value`"),
        ("[*\nindent_size=2\n", ":1: expected `key = value`"),
        ("= 2\n", ":1: expected `key = value`"),
        ("#" * 1_000_001, ": larger than 1,000,000 bytes"),
        (
            f"[{'*' * 1000}]\nindent_size=2\n" * 101,
            ": more than 100,000 characters in patterns",
        ),
    ],
)
def test_mistakes(tmp_path: Path, text: str, message: str) -> None:
    check_error(tmp_path, text, message)


def test_sections_that_set_nothing_do_not_count(tmp_path: Path) -> None:
    rules = f"[{'{a,b}' * 200}]\ncharset = utf-8\n" * 500
    check_style(tmp_path, f"root=true\n{rules}[*]\nindent_size=2\n", indent=2)
