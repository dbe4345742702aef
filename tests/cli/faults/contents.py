"""Faults of contents: what is not PTX, and PTX that is too large."""

from __future__ import annotations

from pathlib import Path

from tests.cli.faults.table import (
    BODY,
    CONTENTS,
    GOOD,
    HEAD,
    SIZES,
    UNTIDY,
    Outcome,
    Setting,
    fault,
)

_REFUSED = "not changed, because it cannot be parsed as PTX"
_CONVERT = "but PTX must be ASCII or UTF-8; `iconv -f UTF-16 -t UTF-8 FILE` converts it"
WRITTEN = Outcome(0, is_written=True)
_MEMORY = 4_000_000_000
"""The limit on the memory of commands that read large files, in bytes."""


@fault(CONTENTS, lint=Outcome(1), fix=Outcome(1), format=Outcome(0))
def empty(folder: Path) -> None:
    """An empty file."""
    (folder / "a.ptx").touch()


@fault(CONTENTS, Outcome(2, "a.ptx: a binary file: NUL at byte 12 (line 1)"))
def nul(folder: Path) -> None:
    """NUL bytes."""
    (folder / "a.ptx").write_text(UNTIDY.replace("\n", "\0\n", 1))


@fault(CONTENTS, Outcome(2, f"a.ptx: encoded as UTF-16, {_CONVERT}"))
def utf_16(folder: Path) -> None:
    """UTF-16."""
    (folder / "a.ptx").write_text(UNTIDY, "utf-16")


@fault(
    CONTENTS,
    Outcome(2, f"a.ptx: encoded as UTF-16LE, {_CONVERT.replace('UTF-16 ', 'UTF-16LE ')}"),
)
def utf_16_without_mark(folder: Path) -> None:
    """UTF-16 without a byte order mark."""
    (folder / "a.ptx").write_text(UNTIDY, "utf-16-le")


@fault(
    CONTENTS,
    lint=Outcome(1),
    fix=Outcome(0, is_written=True, note="without the mark"),
    format=Outcome(0, is_written=True, note="with the mark"),
)
def byte_order_mark(folder: Path) -> None:
    """UTF-8 with a byte order mark."""
    (folder / "a.ptx").write_text(UNTIDY, "utf-8-sig")


@fault(
    CONTENTS,
    lint=Outcome(1),
    fix=Outcome(0, is_written=True, note="the byte is kept"),
    format=Outcome(0, is_written=True, note="the byte is kept"),
)
def latin_1(folder: Path) -> None:
    """A comment that is not UTF-8."""
    (folder / "a.ptx").write_text(f"{UNTIDY}// \u00e9\n", "latin-1")


@fault(
    CONTENTS,
    lint=Outcome(1),
    fix=Outcome(0, is_written=True, note="every line ending is kept"),
    format=Outcome(0, is_written=True, note="every line ending is kept, a missing one is added"),
)
def line_ends(folder: Path) -> None:
    r"""Both `\r\n` and `\n` as line endings, and no newline at the end of the file."""
    text = UNTIDY.removesuffix("\n").replace("\n", "\r\n", 3)
    (folder / "a.ptx").write_text(text, newline="")


@fault(
    CONTENTS,
    lint=Outcome(2, "a.cu: not PTX: `.cu` is the extension of a file in another language"),
    fix=Outcome(2, "a.cu: not PTX: `.cu` is the extension of a file in another language"),
    format=Outcome(2, f"a.cu: {_REFUSED}: `.cu` is the extension of a file in another language"),
)
def other_language(folder: Path) -> Setting:
    """A program in CUDA C++."""
    (folder / "a.cu").write_text("int  main() {  }\n")
    return Setting(("a.cu",))


@fault(
    CONTENTS,
    lint=Outcome(1),
    fix=Outcome(1),
    format=Outcome(2, f"a.ptx: {_REFUSED}: line 7 has a syntax error"),
)
def syntax_error(folder: Path) -> None:
    """A statement that cannot be parsed."""
    (folder / "a.ptx").write_text(GOOD.replace("ret;", "ret (;"))


@fault(
    SIZES,
    lint=Outcome(1),
    fix=Outcome(1),
    format=Outcome(2, f"a.ptx: {_REFUSED}: line 7 has a syntax error"),
)
def parentheses(folder: Path) -> None:
    """40,000 nested parentheses."""
    deep = "(" * 40_000 + ")" * 40_000
    (folder / "a.ptx").write_text(GOOD.replace("ret;", f"mov.u32 %r1, {deep};"))


@fault(SIZES, lint=Outcome(1), fix=Outcome(1))
def blocks(folder: Path) -> None:
    """40,000 nested blocks."""
    (folder / "a.ptx").write_text(GOOD.replace("ret;", "{" * 40_000 + "}" * 40_000))


@fault(SIZES, lint=Outcome(1), fix=WRITTEN, format=WRITTEN)
def long_line(folder: Path) -> Setting:
    """10 MB in one line."""
    (folder / "a.ptx").write_text(
        GOOD.replace("    ret;", f"bar 0; /* {'x' * 200} */ " * 45_000 + "ret;")
    )
    return Setting(limits={"RLIMIT_AS": _MEMORY})


@fault(SIZES, lint=Outcome(0), format=Outcome(0))
def large(folder: Path) -> Setting:
    """200 MB, mostly comments."""
    (folder / "a.ptx").write_text(f"{GOOD}\n" + f"// {'x' * 1000}\n" * 200_000)
    return Setting(limits={"RLIMIT_AS": _MEMORY})


@fault(SIZES, Outcome(2, "a.ptx: not enough memory"))
def memory(folder: Path) -> Setting:
    """A file that needs more memory than is available."""
    body = BODY.replace("ret;", "membar.cta;\n" * 8_000_000 + "ret;")
    (folder / "a.ptx").write_text(f"{HEAD}.visible .entry k(){body}")
    return Setting(limits={"RLIMIT_AS": 200_000_000})
