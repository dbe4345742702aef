"""Faults that happen during a run, or between two."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.faults.running import command_of, environment_of, run
from tests.cli.faults.table import DEFAULT, FORMATTED, GOOD, UNTIDY, Setting, incident

_READY = """
from ptx_ls.cli import inputs
write = inputs.write
def announce(*arguments):
    print("ready", flush=True)
    write(*arguments)
inputs.write = announce
"""
_N_KILLS = 8
_N_FILES = 40
_LARGE = UNTIDY + "// a comment\n" * 200_000


def names_in(folder: Path) -> list[str]:
    """The names of all that is in a folder, sorted."""
    return sorted(each.name for each in folder.iterdir())


def fill(path: Path) -> None:
    """Writes a file until the disk is full."""
    with path.open("wb", buffering=0) as stream:
        while True:
            try:
                stream.write(b"x")
            except OSError:
                return


@incident("The file has its old or its new content, and no other file remains.")
def killed(folder: Path) -> None:
    """`format` is killed while it writes a file."""
    path = folder / "a.ptx"
    path.write_text(_LARGE)
    assert run("format", folder).returncode == 0
    formatted = path.read_text()
    for number in range(_N_KILLS):
        path.write_text(_LARGE)
        command = command_of("format", Setting(script=_READY))
        with subprocess.Popen(
            [*command, "a.ptx"],
            cwd=folder,
            env=environment_of(DEFAULT),
            stdout=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            time.sleep(number * 0.002)  # seconds
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            process.stdout.read()  # until the process that completes the write has ended
        assert path.read_text() in (_LARGE, formatted)
        assert names_in(folder) == ["a.ptx"]


@incident("The run ends with status 130 and one line, and no process remains.")
def interrupted(folder: Path) -> None:
    """Ctrl-C."""
    (folder / "a.ptx").write_text(_LARGE)
    script = """
import signal
from ptx_ls.cli import inputs
signal.signal(signal.SIGINT, signal.default_int_handler)
inputs.read = lambda _: signal.raise_signal(signal.SIGINT)
"""
    done = run("lint", folder, Setting(script=script))
    assert (done.returncode, done.stderr) == (130, b"ptx-ls: interrupted\n")


@incident("Both runs end with status 0, and every file is formatted once.")
def two_runs(folder: Path) -> None:
    """Two runs format the same files at once."""
    for number in range(_N_FILES):
        (folder / f"{number}.ptx").write_text(UNTIDY)
    command = [*command_of("format", DEFAULT), "."]
    variables = environment_of(DEFAULT)
    runs = [
        subprocess.Popen(command, cwd=folder, env=variables, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    for each in runs:
        _, err = each.communicate()
        assert each.returncode == 0, err
    assert len(names_in(folder)) == _N_FILES
    assert {path.read_text() for path in folder.iterdir()} == {FORMATTED}


@incident("Both runs write a complete report, and one of the reports remains.")
def two_reports(folder: Path) -> None:
    """Two runs write the same report at once."""
    (folder / "a.ptx").write_text(UNTIDY)
    command = [*command_of("lint", DEFAULT), "--output", "sarif:r.sarif", "a.ptx"]
    variables = environment_of(DEFAULT)
    runs = [
        subprocess.Popen(
            command, cwd=folder, env=variables, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        for _ in range(2)
    ]
    for each in runs:
        _, err = each.communicate()
        assert each.returncode == 1, err
    found = (folder / "r.sarif").read_bytes()
    run("lint", folder, Setting(options=("--output", "sarif:alone.sarif")))
    assert found == (folder / "alone.sarif").read_bytes()
    assert names_in(folder) == ["a.ptx", "alone.sarif", "r.sarif"]


def with_cache(folder: Path) -> Setting:
    """A setting with a cache in a folder."""
    return Setting((".",), environment={"PTX_LS_CACHE_DIR": str(folder / "cache")})


@incident("The result is the same as without a cache.")
def broken_cache(folder: Path) -> None:
    """Damaged files in the cache."""
    (folder / "a.ptx").write_text(UNTIDY)
    expected = run("lint", folder, Setting((".",)))
    setting = with_cache(folder)
    run("lint", folder, setting)
    entries = [path for path in (folder / "cache").rglob("*") if path.is_file()]
    assert entries
    for damage in (b"", b"{}", b"\0" * 1000):
        for path in entries:
            path.write_bytes(path.read_bytes()[:20] + damage)
        done = run("lint", folder, setting)
        assert (done.returncode, done.stdout) == (expected.returncode, expected.stdout)
        assert done.stderr.endswith(expected.stderr)  # after a line if the folder is not a cache


@incident("The result is the same as without a cache.")
def closed_cache(folder: Path) -> None:
    """The cache is a file, or a directory that the user may not write to."""
    (folder / "a.ptx").write_text(UNTIDY)
    expected = run("lint", folder, Setting((".",)))
    cache = folder / "cache"
    cache.write_text("")
    for setting in (with_cache(folder), with_cache(folder)._replace(has_rights=False)):
        done = run("lint", folder, setting)
        assert (done.returncode, done.stdout) == (expected.returncode, expected.stdout)
        assert done.stderr.endswith(expected.stderr)
        if cache.is_file():
            cache.unlink()
            cache.mkdir(mode=0o500)
    cache.chmod(0o700)


@incident("The results are the same as without a cache.")
def shared_cache(folder: Path) -> None:
    """Several runs use the same cache at once."""
    for number in range(_N_FILES):
        (folder / f"{number}.ptx").write_text(f"{UNTIDY}// {number}\n")
    expected = run("lint", folder, Setting((".",)))
    setting = with_cache(folder)
    command = [*command_of("lint", setting), "."]
    variables = environment_of(setting)
    runs = [
        subprocess.Popen(
            command, cwd=folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(3)
    ]
    for each in runs:
        found = each.communicate()
        assert (each.returncode, *found) == (1, expected.stdout, expected.stderr)


@incident("Status 2 and `No space left on device`. Every file keeps its old content.")
def full_disk(folder: Path) -> None:
    """`format` and `lint --fix` on a full disk."""
    disk = folder / "disk"
    disk.mkdir()
    mount, unmount = shutil.which("mount"), shutil.which("umount")
    if mount is None or unmount is None:
        pytest.skip("needs mount and umount")
    mounting = [mount, "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if subprocess.run(mounting, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a file system of limited size")
    try:
        text = UNTIDY.replace("bar 0;", "bar 0;\n" * 1500)
        (disk / "a.ptx").write_text(text)
        (disk / "b.ptx").write_text(text)
        os.link(disk / "b.ptx", disk / "c")
        fill(disk / "filler")
        for command in ("lint --fix", "format"):
            done = run(command, disk, Setting(("a.ptx", "b.ptx"), ("-q",)))
            expected = [f"ptx-ls: {name}: No space left on device" for name in ("a.ptx", "b.ptx")]
            assert done.stderr.decode().splitlines() == expected
            assert done.returncode == 2
            assert {(disk / name).read_text() for name in "a.ptx b.ptx c".split()} == {text}
            assert names_in(disk) == ["a.ptx", "b.ptx", "c", "filler"]
    finally:
        subprocess.run([unmount, str(disk)], check=True)


@incident("The files are processed in any order, and reported in the order of their names.")
def many_processes(folder: Path) -> None:
    """A file that cannot be read, among files that several processes read."""
    for number in range(4):
        (folder / f"{number}.ptx").write_text(GOOD + "// a comment\n" * 50_000)
    (folder / "2.ptx").write_bytes(b"\xff\xfe" * 400_000)
    done = run("lint", folder, Setting((".",), ("-j", "2")))
    assert done.returncode == 2
    assert done.stderr.startswith(b"ptx-ls: 2.ptx: encoded as UTF-16")
    assert done.stderr.endswith(b"\nFound no problems in 3 files\n")
