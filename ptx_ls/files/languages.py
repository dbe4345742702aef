"""Names of files that contain a language other than PTX."""

from __future__ import annotations

import os.path
from typing import Final

_SUFFIXES: Final = frozenset(
    {
        *(".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".m"),
        *(".cu", ".cuh", ".cl", ".hip", ".ll", ".mlir", ".td", ".sass", ".f", ".f90", ".cuf"),
        *(".py", ".pyi", ".pyx", ".ipynb", ".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".pl"),
        *(".rs", ".go", ".java", ".kt", ".js", ".mjs", ".ts", ".rb", ".lua", ".jl", ".zig", ".cs"),
        *(".md", ".rst", ".tex", ".html", ".css", ".xml", ".svg", ".csv", ".tsv", ".log"),
        *(".json", ".jsonl", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".cmake", ".mk", ".bazel"),
        *(".diff", ".patch", ".sql", ".proto", ".gitignore"),
    }
)
_NAMES: Final = frozenset({"makefile", "dockerfile", "cmakelists.txt", "gnumakefile"})


_SCRIPT: Final = "#!"


class OtherLanguageError(ValueError):
    """A file is in another language; the message says why."""


def other_language_of(path: str, text: str) -> str:
    """Returns why a text that does not begin as PTX is in another language; "" if it may be PTX."""
    if text.startswith(_SCRIPT):
        return f"`{_SCRIPT}` begins a script"
    return other_language(path)


def other_language(path: str) -> str:
    """Returns why a path or URI does not name PTX, as a clause; "" if its text must decide."""
    name = os.path.basename(path)
    suffix = os.path.splitext(name)[1]
    if name.lower() in _NAMES or suffix.lower() in _SUFFIXES:
        kind = "extension" if suffix else "name"
        return f"`{suffix or name}` is the {kind} of a file in another language"
    return ""
