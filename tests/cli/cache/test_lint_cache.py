"""`ptx-ls lint` with the cache prints the same as without, and does not check again."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from ptx_ls import lint
from ptx_ls.cli.cache import known, program
from ptx_ls.cli.cache.folder import VARIABLE
from ptx_ls.cli.main import main
from ptx_ls.cli.reports.choice import OutputFormat
from ptx_ls.document.document import Document
from ptx_ls.semantics.recognition import begins_as_ptx

CORPUS: Final = Path(__file__).parents[2] / "corpus"
CLEAN: Final = ".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry k() {\n    ret;\n}\n"
WRONG: Final = CLEAN.replace(
    "ret;", ".reg .b32 %r<3>;\n    ad.s32 %r1, %r2, 3;\n    add.s32 %r1, %r2 3;\n    ret;"
)
FIXABLE: Final = CLEAN.replace("{\n", "{\n    .reg .pred %p<2>;\n    setp.eq.s32 %p1 1, 2;\n")
FORMATS: Final = [each.value for each in OutputFormat]
needs_posix = pytest.mark.skipif(os.name != "posix", reason="folders have modes")


@pytest.fixture(autouse=True)
def in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "files").mkdir()
    monkeypatch.chdir(tmp_path / "files")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(known, "MIN_CHARACTERS", 0)
    yield
    gc.enable()  # the command leaves it switched off


Run = tuple[int, str, str]


class Lint:
    """Runs `ptx-ls lint` in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys, self._monkeypatch = capsys, monkeypatch

    def run(self, *arguments: str) -> Run:
        """Returns the exit status and the output."""
        status = main(["lint", "-j", "1", *arguments])
        return status, *self._capsys.readouterr()

    def check_same(self, *arguments: str, n_checks: int = 0) -> None:
        """Compares runs without a cache, with one, and with what that left, which checks less."""
        fresh = self.run("--no-cache", *arguments)
        assert self.run(*arguments) == fresh
        self.check_again(fresh, *arguments, n_checks=n_checks)

    def check_again(self, expected: Run, *arguments: str, n_checks: int = 0) -> None:
        """Compares a run with an expected one; it may check `n_checks` texts."""
        checked = []

        def count(*given: object, **options: object) -> object:
            checked.append(given)
            return check(*given, **options)  # type: ignore[arg-type]  # those of the caller

        check = lint.lint
        with self._monkeypatch.context() as patch:
            patch.setattr(lint, "lint", count)
            assert self.run(*arguments) == expected
        assert len(checked) == n_checks


@pytest.fixture
def lint_twice(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Lint:
    return Lint(capsys, monkeypatch)


def create(name: str, text: str) -> None:
    Path(name).write_text(text, "utf-8", newline="")


@pytest.mark.parametrize("form", FORMATS)
def test_forms_of_report(lint_twice: Lint, form: str) -> None:
    create("a.ptx", CLEAN)
    create("b.ptx", WRONG)
    lint_twice.check_same("--output-format", form, ".")


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--severity", "error"),
        ("--severity", "hint"),
        ("--ignore", "unknown-opcode"),
        ("--select", "syntax-error"),
        ("--statistics",),
        ("--max-alike", "1"),
        ("--fail-on", "warning"),
        ("--unsafe-fixes",),
        ("-q",),
    ],
)
def test_options(lint_twice: Lint, options: Sequence[str]) -> None:
    create("a.ptx", CLEAN)
    create("b.ptx", WRONG)
    n_checks = 1 if "--unsafe-fixes" in options else 0  # what can be fixed is checked
    lint_twice.check_same(*options, ".", n_checks=n_checks)


def test_result_of_other_rules_is_not_used(lint_twice: Lint) -> None:
    create("b.ptx", WRONG)
    lint_twice.run("b.ptx")
    expected = lint_twice.run("--no-cache", "--ignore", "unknown-opcode", "b.ptx")
    lint_twice.check_again(expected, "--ignore", "unknown-opcode", "b.ptx", n_checks=1)


def test_other_severities_are_another_result(lint_twice: Lint) -> None:
    create("b.ptx", FIXABLE)
    lint_twice.run("b.ptx")
    create("ptx-ls.toml", '[lint.severity]\nall = "hint"\n')
    lint_twice.check_same("b.ptx")


def test_fixes_that_one_form_needs_are_found_later(lint_twice: Lint) -> None:
    create("b.ptx", CLEAN.replace("ret;", ".reg .b32 %r<3>;\n    add.lo.s32 %r1, %r2, 3;"))
    expected = lint_twice.run("--no-cache", "--output-format", "json", "b.ptx")
    lint_twice.run("--output-format", "concise", "b.ptx")
    lint_twice.check_again(expected, "--output-format", "json", "b.ptx", n_checks=1)
    lint_twice.check_again(expected, "--output-format", "json", "b.ptx")


def test_fix_changes_the_file_again(lint_twice: Lint) -> None:
    create("b.ptx", FIXABLE)
    first = lint_twice.run("--fix", "--unsafe-fixes", "b.ptx")
    fixed = Path("b.ptx").read_text("utf-8")
    assert fixed != FIXABLE
    create("b.ptx", FIXABLE)
    lint_twice.run("b.ptx")
    assert lint_twice.run("--fix", "--unsafe-fixes", "b.ptx") == first
    assert Path("b.ptx").read_text("utf-8") == fixed


def test_nothing_to_fix(lint_twice: Lint) -> None:
    create("a.ptx", CLEAN)
    create("b.ptx", CLEAN.replace("ret;", "ad.s32 %r1, %r2, 3;"))
    lint_twice.check_same("--fix", ".")


def test_baseline(lint_twice: Lint) -> None:
    create("b.ptx", WRONG)
    lint_twice.run("--baseline", "known.json", "--update-baseline", "b.ptx")
    lint_twice.check_same("--baseline", "known.json", "b.ptx")
    create("b.ptx", WRONG.replace("    ret;", "    sb.s32 %r1, %r2, 3;\n    ret;"))
    lint_twice.check_same("--baseline", "known.json", "b.ptx")


def test_same_text_in_another_file(lint_twice: Lint) -> None:
    create("a.ptx", WRONG)
    create("b.ptx", WRONG)
    lint_twice.run("a.ptx")
    lint_twice.check_again(lint_twice.run("--no-cache", "b.ptx"), "b.ptx")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"\xef\xbb\xbf" + WRONG.encode(),
        WRONG.encode() + b"// \xe9\n",
        WRONG.replace("\n", "\r\n").encode(),
        WRONG.encode("utf-16"),
        b"\x7fELF",
        b"int main(void) { return 0; }\n",
    ],
)
def test_unusual_contents(lint_twice: Lint, content: bytes) -> None:
    for name in ("a.ptx", "b.cu"):
        Path(name).write_bytes(content)
        assert lint_twice.run(name) == lint_twice.run("--no-cache", name)
        assert lint_twice.run(name) == lint_twice.run("--no-cache", name)


def test_text_that_is_not_ptx_by_its_name(lint_twice: Lint) -> None:
    text = "__global__ void k() {}\n"
    create("a.ptx", text)
    create("a.cu", text)
    lint_twice.run("a.ptx")
    status, _, err = lint_twice.run("a.cu")
    assert (status, "not PTX" in err) == (2, True)


def test_edits_of_a_file(lint_twice: Lint) -> None:
    for text in (CLEAN, WRONG, CLEAN + CLEAN[CLEAN.index(".visible") :].replace("k()", "m()")):
        create("a.ptx", text)
        lint_twice.check_same("a.ptx")


def test_no_cache_reads_and_writes_nothing(lint_twice: Lint, tmp_path: Path) -> None:
    create("a.ptx", CLEAN)
    expected = lint_twice.run("--no-cache", "a.ptx")
    create("ptx-ls.toml", "cache = false\n")
    assert lint_twice.run("a.ptx") == expected
    assert not (tmp_path / "cache").exists()


def test_result_of_another_program_is_not_used(
    lint_twice: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    create("a.ptx", CLEAN)
    expected = lint_twice.run("a.ptx")
    monkeypatch.setattr(program, "program_digest", lambda: b"another")
    lint_twice.check_again(expected, "a.ptx", n_checks=1)


def damaged(content: bytes) -> Iterator[bytes]:
    yield b""
    yield content[: len(content) // 2]
    yield content[:-1] + bytes([content[-1] ^ 1])
    yield content + b"\0"


@pytest.mark.parametrize("number", range(4))
def test_damaged_cache(lint_twice: Lint, tmp_path: Path, number: int) -> None:
    create("b.ptx", WRONG)
    expected = lint_twice.run("b.ptx")
    entries = [path for path in (tmp_path / "cache").glob("??/*") if path.is_file()]
    assert len(entries) == 3
    for path in entries:
        path.write_bytes([*damaged(path.read_bytes())][number])
    lint_twice.check_again(expected, "b.ptx", n_checks=1)
    lint_twice.check_again(expected, "b.ptx")


def spoil_by_file(folder: Path) -> None:
    folder.write_text("not a folder")


def spoil_by_other_files(folder: Path) -> None:
    folder.mkdir()
    (folder / "notes").touch()


def spoil_by_mode(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)


@pytest.mark.parametrize(
    "spoil",
    [spoil_by_file, spoil_by_other_files, pytest.param(spoil_by_mode, marks=needs_posix)],
)
def test_folder_that_cannot_be_used(
    lint_twice: Lint, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    create("a.ptx", CLEAN)
    status, out, err = lint_twice.run("--no-cache", "a.ptx")
    spoil(tmp_path / "cache")
    found, shown, said = lint_twice.run("a.ptx")
    assert (found, shown) == (status, out)
    note, rest = said.split("\n", 1)
    assert note.startswith("ptx-ls: running without a cache: ")
    assert rest == err


def test_disk_that_is_full(
    lint_twice: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create("a.ptx", "")
    lint_twice.run(".")  # makes the folder
    create("a.ptx", CLEAN)
    create("b.ptx", WRONG)
    expected = lint_twice.run("--no-cache", ".")
    before = sorted((tmp_path / "cache").rglob("*"))

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    assert lint_twice.run(".") == expected
    left = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert [path for path in left if path not in before] == []


def test_cache_command(
    lint_twice: Lint, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "cache"
    assert (main(["cache", "path"]), capsys.readouterr()) == (0, (f"{folder}\n", ""))
    assert (main(["cache", "clean"]), capsys.readouterr()) == (0, ("", ""))
    create("a.ptx", CLEAN)
    expected = lint_twice.run("a.ptx")
    assert main(["cache", "clean"]) == 0
    assert capsys.readouterr() == ("", f"Deleted 0.0 MB in {folder}\n")
    lint_twice.check_again(expected, "a.ptx", n_checks=1)


def test_only_a_cache_is_cleaned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "files" / "ab"
    other.mkdir()
    (other / "precious").touch()
    assert main(["cache", "clean", "--cache-dir", str(tmp_path / "files")]) == 2
    assert "is not a cache of ptx-ls" in capsys.readouterr().err
    assert (other / "precious").exists()


@pytest.mark.slow
def test_runs_at_the_same_time_in_several_processes(lint_twice: Lint) -> None:
    padding = "// so much that it is worth a second process\n" * 15_000
    for number in range(6):
        create(f"{number}.ptx", [CLEAN, WRONG][number % 2] + f"// {number}\n" + padding)
    _, expected, _ = lint_twice.run("--no-cache", ".")
    command = [sys.executable, "-m", "ptx_ls", "lint", "-q", "-j", "2", "."]
    for _ in range(2):
        runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
        assert [run.communicate()[0] for run in runs] == [expected] * 3
    lint_twice.check_again(lint_twice.run("--no-cache", "."), ".")


def is_stored(content: bytes) -> bool:
    """Whether a text begins as PTX; others are checked each time."""
    document = Document.read(content.decode("utf-8"))
    return begins_as_ptx(document.lines, document.records)


@pytest.mark.slow
def test_corpus(lint_twice: Lint) -> None:
    n_checks = 0
    for path in sorted(CORPUS.rglob("*.ptx")):
        content = path.read_bytes()
        Path(f"{path.parent.name}-{path.name}").write_bytes(content)
        n_checks += b"\0" not in content and not is_stored(content)
    for form in ("json", "full", "sarif", "gitlab"):
        options = ("--max-alike", "0", "--output-format", form)
        lint_twice.check_same(*options, ".", n_checks=n_checks)
