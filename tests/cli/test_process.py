"""The command as a process: what only shows outside of pytest's own."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from ptx_ls import __version__

pytestmark = pytest.mark.slow

CLEAN = ".version 8.0\n.target sm_80\n.address_size 64\n"
WRONG = f"{CLEAN}.entry k()\n{{\n    xaddd.s32 1;\n    ret;\n}}\n"
PADDING = "// so much that it is worth a second process\n" * 50_000

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="as Linux does it")


@pytest.fixture(autouse=True)
def in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "PTX_LS_DEBUG"):
        monkeypatch.delenv(name, raising=False)


def check_command(
    *arguments: str,
    status: int,
    stdin: bytes = b"",
    variables: Mapping[str, str] | None = None,
) -> tuple[str, str]:
    """Runs `ptx-ls`, checks the exit status, and returns what it writes to stdout and stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "ptx_ls", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **(variables or {})},
    )
    assert done.returncode == status, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


def start(*arguments: str) -> subprocess.Popen[bytes]:
    """Starts a Python that can be interrupted, even where whoever runs the tests ignores that.

    A background job of a shell ignores it, as some CI does, and so do all that it starts.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.fixture(params=["taken", "ignored"])
def sigint_of_the_tests(request: pytest.FixtureRequest) -> Iterator[None]:
    """Both ways in which the tests may have been started."""
    is_ignored = request.param == "ignored"
    before = signal.signal(
        signal.SIGINT, signal.SIG_IGN if is_ignored else signal.default_int_handler
    )
    yield
    signal.signal(signal.SIGINT, before)


def script(body: str) -> list[str]:
    """Arguments of a Python that runs the command with something amiss in it."""
    imported = ("os, sys, time", "ptx_ls.cli.linting.check as check")
    head = "".join(f"import {each}\n" for each in imported) + "from ptx_ls.cli.main import main\n"
    return ["-c", head + textwrap.dedent(body)]


def create(name: str, text: str) -> str:
    Path(name).write_text(text, "utf-8")
    return name


def test_version() -> None:
    assert check_command("--version", status=0) == (f"ptx-ls {__version__}\n", "")


def test_clean_file() -> None:
    create("a.ptx", CLEAN)
    assert check_command("lint", "a.ptx", status=0) == ("", "Found no problems in 1 file\n")


def test_findings() -> None:
    create("a.ptx", WRONG)
    out, err = check_command("lint", "a.ptx", "--output-format", "concise", status=1)
    assert out.startswith("a.ptx:6:5: error: ")
    assert out.endswith("[unknown-opcode]\n")
    assert err == "Found 1 error in 1 file (1 checked)\n"


def test_standard_input() -> None:
    arguments = ("lint", "-", "--stdin-filename", "k.ptx", "--output-format", "json")
    out, _ = check_command(*arguments, status=1, stdin=WRONG.encode())
    assert [(it["path"], it["line"], it["column"]) for it in json.loads(out)] == [("k.ptx", 6, 5)]


@needs_linux
def test_closed_streams() -> None:
    command = f"{sys.executable} -m ptx_ls lint - <&- >&- 2>&-"
    assert subprocess.run(["/bin/sh", "-c", command], check=False).returncode == 2


def test_no_colours_in_a_pipe() -> None:
    create("a.ptx", WRONG)
    plain, _ = check_command("lint", "a.ptx", status=1)
    coloured, _ = check_command("lint", "a.ptx", status=1, variables={"FORCE_COLOR": "1"})
    assert "\x1b" not in plain
    assert "\x1b[1;31merror" in coloured


def test_any_encoding_of_the_output_will_do() -> None:
    create("中.ptx", WRONG.replace("xaddd", "/* \U0001f600 */ xaddd"))
    variables = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    out, err = check_command("lint", "中.ptx", "nö.ptx", status=2, variables=variables)
    assert " --> \\u4e2d.ptx:6:" in out
    assert "/* \\U0001f600 */ xaddd" in out
    assert "ptx-ls: n\\xf6.ptx: " in err


@needs_linux
def test_path_that_is_no_text() -> None:
    create(os.fsdecode(b"n\xff.ptx"), WRONG)
    out, _ = check_command("lint", ".", "--output-format", "concise", status=1)
    assert out.startswith("n\\xff.ptx:6:5: ")


def test_bytes_in_an_older_encoding_are_told_once() -> None:
    header = b".version 8.0 // \xe9\n.target sm_90 // \xe9 \xe8\n"
    Path("a.ptx").write_bytes(header + b".global .b32 gr\xf6\xdfe; // \xfc\n")
    out, _ = check_command("lint", "a.ptx", "--output-format", "concise", status=1)
    first, second = out.splitlines()
    assert first.startswith(r"a.ptx:1:17: warning: `\xe9` (and 2 more) is not UTF-8: ptxas ignores")
    assert second.startswith(r"a.ptx:3:16: error: `\xf6\xdf` outside of a comment")


def test_several_processes_write_the_same_as_one() -> None:
    for name in "abcdefgh":
        create(f"{name}.ptx", WRONG + (PADDING if name in "ae" else ""))
    Path("d.ptx").write_bytes(b"\0")
    for output_format in ("full", "concise", "json"):
        arguments = ("lint", ".", "nope", "--output-format", output_format)
        alone = check_command(*arguments, "-j", "1", status=2)
        assert check_command(*arguments, "-j", "3", status=2) == alone
        assert alone[0].count("unknown-opcode") == 7 * (2 if output_format == "json" else 1)


def test_no_editor_library_is_loaded() -> None:
    create("a.ptx", WRONG)
    body = "main(['lint', 'a.ptx']); print(*sys.modules)"
    done = subprocess.run([sys.executable, *script(body)], capture_output=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.decode().split()}
    assert "ptx_ls" in loaded
    assert loaded & {"pygls", "lsprotocol", "asyncio", "concurrent", "multiprocessing"} == set()


def check_loaded(command: str, text: str, loaded: str, *not_loaded: str) -> None:
    """Runs a command on a text; a module is loaded then, and none that begins with the others."""
    create("a.ptx", text)
    head = "import sys\nfrom ptx_ls.cli.main import main\n"
    body = f"main(['{command}', 'a.ptx']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", head + body], capture_output=True, check=True)
    modules = done.stdout.decode().split()
    assert loaded in modules
    assert [name for name in modules if name.startswith(not_loaded)] == []


def test_what_explains_errors_is_not_loaded_for_a_correct_file() -> None:
    kernel = CLEAN + ".entry k()\n{\n    bar.sync 0;\n}\n"
    check_loaded("lint", kernel, "ptx_ls.isa.checking.check", "ptx_ls.isa.diagnosis")


def test_what_lints_is_not_loaded_to_lay_out_a_correct_file() -> None:
    kernel = CLEAN + ".entry k()\n{\nbar.sync 0;\n}\n"
    unwanted = (
        "ptx_ls.lint",
        "ptx_ls.semantics.symbols.module",
        "ptx_ls.semantics.problems.instructions",
    )
    check_loaded("format", kernel, "ptx_ls.semantics.recognition", *unwanted)


@pytest.mark.parametrize(
    "configuration",
    ["", '[lint]\nignore = ["names"]\n[[overrides]]\nfiles = ["b*"]\nignore = ["all"]\n'],
)
@pytest.mark.parametrize("text", [CLEAN, WRONG])
def test_nothing_that_checks_is_loaded_for_a_file_in_the_cache(
    text: str, configuration: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PTX_LS_CACHE_DIR", "cache")
    create("ptx-ls.toml", configuration)
    create("a.ptx", text)
    for output_format in ("full", "json", "github", "gitlab"):
        arguments = ("lint", "--output-format", output_format, "a.ptx")
        check_command(*arguments, status=int(text is WRONG))
        body = f"main({arguments!r}); print('\\n', *sys.modules)"
        done = subprocess.run([sys.executable, *script(body)], capture_output=True, check=True)
        packages = ("ptx_ls.document", "ptx_ls.isa", "ptx_ls.semantics", "ptx_ls.syntax")
        unwanted = (*packages, *(f"ptx_ls.lint.{it}" for it in ("engine", "rules.", "session")))
        loaded = [it for it in done.stdout.decode().split() if it.startswith(unwanted)]
        assert loaded == []


@needs_linux
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_reader_of_the_output_leaves(monkeypatch: pytest.MonkeyPatch, unbuffered: str) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    create("a.ptx", CLEAN + ".entry k()\n{\n" + "    xaddd.s32 1;\n" * 5000 + "}\n")
    with start("-m", "ptx_ls", "lint", "--max-alike", "0", "a.ptx") as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 141


@needs_linux
def test_full_disk() -> None:
    create("a.ptx", WRONG)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ptx_ls", "lint", "a.ptx"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.decode() == f"ptx-ls: cannot write the output: {os.strerror(28)}\n"


@needs_linux
@pytest.mark.usefixtures("sigint_of_the_tests")
def test_interrupted() -> None:
    process = start("-m", "ptx_ls", "lint", "-")
    assert process.stdin is not None
    process.stdin.write(b" " * 1_000_000)  # more than a pipe holds: the command reads
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert (process.returncode, err) == (130, b"ptx-ls: interrupted\n")


def start_hanging() -> tuple[subprocess.Popen[bytes], list[int]]:
    """A run whose two workers never come to an end, and their numbers."""
    for name in "ab":
        create(f"{name}.ptx", PADDING)
    body = """
    def hang(file, **_):
        os.write(1, b"%d\\n" % os.getpid())
        time.sleep(600)
    check.check = hang
    sys.exit(main(["lint", ".", "-j", "2"]))
    """
    process = start(*script(body))
    assert process.stdout is not None
    workers = [int(process.stdout.readline()) for _ in range(2)]
    return process, workers


@needs_linux
@pytest.mark.usefixtures("sigint_of_the_tests")
def test_interrupted_with_several_processes() -> None:
    process, workers = start_hanging()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert (process.returncode, err) == (130, b"ptx-ls: interrupted\n")
    assert not any(map(is_running, workers))


@needs_linux
def test_workers_do_not_outlive_a_killed_parent() -> None:
    process, workers = start_hanging()
    process.kill()
    process.communicate()  # until the last of them closes the pipe
    give_up = time.monotonic() + 60
    while any(map(is_running, workers)) and time.monotonic() < give_up:
        time.sleep(0.01)
    assert not any(map(is_running, workers))


def is_running(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text("utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@needs_linux
def test_a_worker_dies() -> None:
    for name in "ab":
        create(f"{name}.ptx", PADDING)
    body = """
    def die(file, **_):
        os._exit(9)
    check.check = die
    sys.exit(main(["lint", ".", "-j", "2"]))
    """
    done = subprocess.run([sys.executable, *script(body)], capture_output=True, check=False)
    assert done.returncode == 3
    assert done.stderr.decode().startswith("ptx-ls: a.ptx: not linted: a worker process died")


def test_traceback_on_demand() -> None:
    create("a.ptx", CLEAN)
    body = """
    def stumble(*_, **__):
        raise RuntimeError("stumbled")
    from ptx_ls import lint
    lint.lint = stumble
    sys.exit(main(["lint", "a.ptx"]))
    """
    command = [sys.executable, *script(body)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 3
    (line,) = done.stderr.decode().splitlines()  # no summary of nothing
    assert line.startswith("ptx-ls: a.ptx: internal error: RuntimeError: stumbled; please report")
    environment = {**os.environ, "PTX_LS_DEBUG": "1"}
    done = subprocess.run(command, capture_output=True, check=False, env=environment)
    assert done.stderr.startswith(b"Traceback (most recent call last):\n")
