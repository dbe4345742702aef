"""Faults around the files: configurations, baselines, streams, reports, and the system."""

from __future__ import annotations

import os
from pathlib import Path

from tests.cli.faults.table import (
    CONFIGURATION,
    GOOD,
    STREAMS,
    SYSTEM,
    UNTIDY,
    WRITING,
    Outcome,
    Setting,
    fault,
)

_READ_ONLY = "a.ptx: read-only, so not changed"
_WRITTEN = Outcome(0, is_written=True)
_FINDING = Outcome(1)
_NO_SPACE = "cannot write the output: No space left on device"


def _ends(message: str) -> Outcome:
    return Outcome(2, message, ends_run=True)


# Configuration, baseline and lists


@fault(CONFIGURATION, _ends("{folder}/ptx-ls.toml: Invalid value (at line 1, column 7)"))
def broken_configuration(folder: Path) -> None:
    """A configuration that is not TOML."""
    (folder / "ptx-ls.toml").write_text("lint =\n")


@fault(
    CONFIGURATION,
    _ends("{folder}/ptx-ls.toml:2: unknown key `selct` (did you mean `select`?)"),
)
def unknown_key(folder: Path) -> None:
    """A configuration with an unknown key."""
    (folder / "ptx-ls.toml").write_text('[lint]\nselct = ["all"]\n')


@fault(CONFIGURATION, _ends("{folder}/ptx-ls.toml: not UTF-8"))
def configuration_in_utf_16(folder: Path) -> None:
    """A configuration in UTF-16."""
    (folder / "ptx-ls.toml").write_text("[lint]\n", "utf-16")


@fault(CONFIGURATION, _ends("{folder}/ptx-ls.toml: nested too deeply"))
def nested_configuration(folder: Path) -> None:
    """A configuration with 100,000 nested lists."""
    (folder / "ptx-ls.toml").write_text("exclude = " + "[" * 100_000)


@fault(CONFIGURATION, _ends("{folder}/ptx-ls.toml: Permission denied"))
def unreadable_configuration(folder: Path) -> Setting:
    """A configuration that the user has no permission to read."""
    (folder / "ptx-ls.toml").touch(0)
    (folder / "a.ptx").write_text(GOOD)
    return Setting(has_rights=False)


@fault(CONFIGURATION, _ends("{folder}/ptx-ls.toml: Is a directory"))
def configuration_is_a_directory(folder: Path) -> None:
    """A directory called `ptx-ls.toml`."""
    (folder / "ptx-ls.toml").mkdir()


@fault(CONFIGURATION, _ends("{folder}/ptx-ls.toml: a FIFO, not a file"))
def configuration_is_a_fifo(folder: Path) -> None:
    """A FIFO called `ptx-ls.toml`."""
    os.mkfifo(folder / "ptx-ls.toml")


@fault(CONFIGURATION, _ends("{folder}/ptx-ls.toml: No such file or directory"))
def configuration_is_a_broken_link(folder: Path) -> None:
    """A broken link called `ptx-ls.toml`."""
    (folder / "ptx-ls.toml").symlink_to("nowhere")


@fault(CONFIGURATION, _ends("/dev/zero: a device, not a file"))
def configuration_is_a_device(_folder: Path) -> Setting:
    """`--config /dev/zero`."""
    return Setting(options=("--config", "/dev/zero"))


@fault(CONFIGURATION, format=_ends("{folder}/.editorconfig: not UTF-8"))
def broken_editorconfig(folder: Path) -> None:
    """An `.editorconfig` in Latin-1."""
    (folder / ".editorconfig").write_bytes(b"[*]\n# \xe9\n")


@fault(CONFIGURATION, format=_ends("{folder}/.editorconfig: a FIFO, not a file"))
def editorconfig_is_a_fifo(folder: Path) -> None:
    """A FIFO called `.editorconfig`."""
    os.mkfifo(folder / ".editorconfig")


@fault(CONFIGURATION, format=_ends("{folder}/.editorconfig: Too many levels of symbolic links"))
def editorconfig_is_a_loop(folder: Path) -> None:
    """A link called `.editorconfig` that leads to itself."""
    (folder / ".editorconfig").symlink_to(".editorconfig")


@fault(CONFIGURATION, format=_ends("{folder}/.editorconfig: larger than 1,000,000 bytes"))
def huge_editorconfig(folder: Path) -> None:
    """An `.editorconfig` of 20 MB."""
    (folder / ".editorconfig").write_text("# long\n" * 3_000_000)


@fault(CONFIGURATION, _WRITTEN, lint=_FINDING)
def hostile_patterns(folder: Path) -> None:
    """Patterns in `.editorconfig` and `.gitignore` that other programs need hours to match."""
    (folder / "a.ptx").write_text(UNTIDY)
    pattern = "*a" * 400 + "b"
    braces = "{a*,b*}" * 100 + "x"
    (folder / ".editorconfig").write_text(
        "".join(f"[{it}]\nindent_style=space\n" for it in (pattern, braces))
    )
    (folder / ".gitignore").write_text(f"{pattern}\n{'**/a/' * 100}b\n")


@fault(CONFIGURATION, lint=_ends("--baseline: baseline: not JSON"))
def broken_baseline(folder: Path) -> Setting:
    """A baseline that is not JSON."""
    (folder / "baseline").write_text("{")
    return Setting(options=("--baseline", "baseline"))


@fault(CONFIGURATION, lint=_ends("--baseline: baseline: a FIFO, not a file"))
def baseline_is_a_fifo(folder: Path) -> Setting:
    """A FIFO as the baseline."""
    os.mkfifo(folder / "baseline")
    return Setting(options=("--baseline", "baseline"))


@fault(CONFIGURATION, _ends("@list: a FIFO, not a file"))
def list_is_a_fifo(folder: Path) -> Setting:
    """`@list`, where `list` is a FIFO."""
    os.mkfifo(folder / "list")
    return Setting(("@list",))


# Files that cannot be written


@fault(WRITING, lint=_FINDING, fix=Outcome(2, _READ_ONLY), format=Outcome(2, _READ_ONLY))
def read_only(folder: Path) -> None:
    """A read-only file, even if the user is root."""
    (folder / "a.ptx").write_text(UNTIDY)
    (folder / "a.ptx").chmod(0o444)


@fault(WRITING, lint=_FINDING, fix=_WRITTEN, format=_WRITTEN)
def read_only_folder(folder: Path) -> Setting:
    """A file in a read-only directory: the file is overwritten."""
    (folder / "d").mkdir()
    (folder / "d/a.ptx").write_text(UNTIDY)
    (folder / "d").chmod(0o555)
    return Setting(("d/a.ptx",), has_rights=False)


@fault(
    WRITING,
    lint=_FINDING,
    fix=Outcome(2, "a.ptx: File too large"),
    format=Outcome(2, "a.ptx: File too large"),
)
def limit_on_files(folder: Path) -> Setting:
    """A limit on file sizes: the old content remains."""
    (folder / "a.ptx").write_text(UNTIDY + "// a comment\n" * 1000)
    return Setting(limits={"RLIMIT_FSIZE": 4096})


@fault(
    WRITING,
    lint=_FINDING,
    fix=Outcome(2, "a.ptx: File too large"),
    format=Outcome(2, "a.ptx: File too large"),
)
def limit_on_linked_files(folder: Path) -> Setting:
    """A limit on file sizes, and a file with two hard links: the old content remains."""
    (folder / "a.ptx").write_text(UNTIDY + "// a comment\n" * 1000)
    os.link(folder / "a.ptx", folder / "b")
    return Setting(limits={"RLIMIT_FSIZE": 4096})


@fault(WRITING, lint=_FINDING, fix=_WRITTEN, format=_WRITTEN)
def symbolic_link(folder: Path) -> None:
    """A symbolic link: the file is written, and the link remains."""
    (folder / "d").mkdir()
    (folder / "d/b.ptx").write_text(UNTIDY)
    (folder / "a.ptx").symlink_to("d/b.ptx")


@fault(
    WRITING,
    fix=Outcome(2, "a.ptx: changed by another program in the meantime, so not overwritten"),
    format=Outcome(2, "a.ptx: changed by another program in the meantime, so not overwritten"),
)
def changed_meanwhile(folder: Path) -> Setting:
    """A file that another program changes after ptx-ls has read it."""
    (folder / "a.ptx").write_text(UNTIDY)
    script = """
from ptx_ls.cli import inputs
read = inputs.read
def read_and_change(file):
    content = read(file)
    if file.path == "a.ptx":
        open("a.ptx", "ab").write(b"// an editor")
    return content
inputs.read = read_and_change
"""
    return Setting(script=script)


@fault(
    WRITING,
    fix=Outcome(2, "a.ptx: No such file or directory"),
    format=Outcome(2, "a.ptx: No such file or directory"),
)
def removed_meanwhile(folder: Path) -> Setting:
    """A file that is removed after ptx-ls has read it."""
    (folder / "a.ptx").write_text(UNTIDY)
    script = """
import os
from ptx_ls.cli import inputs
read = inputs.read
def read_and_remove(file):
    content = read(file)
    if file.path == "a.ptx":
        os.unlink("a.ptx")
    return content
inputs.read = read_and_remove
"""
    return Setting(script=script)


# Streams and reports


@fault(STREAMS, lint=_ends(_NO_SPACE))
def full_output(folder: Path) -> Setting:
    """Standard output on a full disk."""
    (folder / "a.ptx").write_text(UNTIDY)
    return Setting(stdout="/dev/full")


@fault(STREAMS, lint=Outcome(141, ends_run=True, note="the signal SIGPIPE, as in a pipe to `head`"))
def no_reader(folder: Path) -> Setting:
    """Standard output without a reader."""
    (folder / "a.ptx").write_text(UNTIDY)
    return Setting(stdout="no reader")


@fault(STREAMS, lint=_FINDING, fix=_WRITTEN, format=_WRITTEN)
def closed_output(folder: Path) -> Setting:
    """Closed standard output."""
    (folder / "a.ptx").write_text(UNTIDY)
    return Setting(stdout="closed")


@fault(
    STREAMS,
    lint=Outcome(2, "<stdin>: standard input is closed"),
    format=Outcome(2, "<stdin>: standard input is closed"),
)
def closed_input(_folder: Path) -> Setting:
    """Closed standard input."""
    return Setting(("-",), stdin="closed")


@fault(STREAMS, lint=_ends("--output: `r.json` is read-only"))
def read_only_report(folder: Path) -> Setting:
    """A report in a read-only file."""
    (folder / "a.ptx").write_text(UNTIDY)
    (folder / "r.json").touch(0o444)
    return Setting(options=("--output", "json:r.json"))


@fault(STREAMS, lint=_ends("--output: directory `d` is read-only"))
def report_in_a_read_only_folder(folder: Path) -> Setting:
    """A report in a read-only directory."""
    (folder / "a.ptx").write_text(UNTIDY)
    (folder / "d").mkdir(0o555)
    return Setting(options=("--output", "json:d/r.json"), has_rights=False)


@fault(STREAMS, lint=_ends("--output: directory `d` does not exist"))
def report_in_a_missing_folder(_folder: Path) -> Setting:
    """A report in a directory that does not exist."""
    return Setting(options=("--output", "json:d/r.json"))


@fault(STREAMS, lint=Outcome(2, "cannot write the output: /dev/full: No space left on device"))
def full_report(folder: Path) -> Setting:
    """A report on a full disk."""
    (folder / "a.ptx").write_text(UNTIDY)
    return Setting(options=("--output", "json:/dev/full"))


# System


@fault(SYSTEM, lint=_FINDING, fix=_WRITTEN, format=_WRITTEN)
def no_home(folder: Path) -> Setting:
    """An environment without variables, not even `HOME`."""
    (folder / "a.ptx").write_text(UNTIDY)
    return Setting(environment=dict.fromkeys(os.environ))


@fault(SYSTEM, lint=_FINDING, fix=_WRITTEN, format=_WRITTEN)
def odd_locale(folder: Path) -> Setting:
    """A locale without UTF-8, and an accented letter in a file name."""
    (folder / "\u00e9.ptx").write_text(UNTIDY)
    variables = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    return Setting((os.fsdecode("\u00e9.ptx".encode()),), environment=variables)


@fault(SYSTEM, lint=_FINDING, fix=_WRITTEN, format=_WRITTEN)
def unknown_locale(folder: Path) -> Setting:
    """A locale that does not exist."""
    (folder / "a.ptx").write_text(UNTIDY)
    return Setting(environment={"LC_ALL": "xx_YY.none"})


@fault(SYSTEM, _ends("the current directory no longer exists"))
def no_current_directory(_folder: Path) -> Setting:
    """A current directory that was removed."""
    return Setting(
        ("../a.ptx",), script="import os\nos.mkdir('x'); os.chdir('x'); os.rmdir('../x')"
    )


@fault(SYSTEM, lint=_FINDING, fix=_WRITTEN, format=_WRITTEN)
def no_processes(folder: Path) -> Setting:
    """A system that refuses to start more processes: one process does all the work."""
    (folder / "a.ptx").write_text(UNTIDY + "// a comment\n" * 200_000)
    script = """
import os
def refuse():
    raise BlockingIOError(11, "Resource temporarily unavailable")
os.fork = refuse
"""
    return Setting(options=("-j", "2"), script=script)


@fault(SYSTEM, lint=_FINDING, fix=_WRITTEN, format=_WRITTEN)
def few_open_files(folder: Path) -> Setting:
    """A limit of twelve open files: one process does all the work."""
    (folder / "a.ptx").write_text(UNTIDY + "// a comment\n" * 200_000)
    return Setting(options=("-j", "2"), limits={"RLIMIT_NOFILE": 12})
