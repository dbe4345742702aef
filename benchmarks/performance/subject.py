"""Versions of ptx-ls, each installed in a folder of its own as users install it."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_DROPPED = ("PYTHONDONTWRITEBYTECODE", "PTX_LS_DEBUG", "PTX_LS_PURE")


@dataclass(frozen=True, slots=True)
class Subject:
    """A version of ptx-ls in a folder of packages."""

    folder: Path

    def command(self, *arguments: str) -> tuple[str, ...]:
        """Returns a command of ptx-ls, for `environment`."""
        return (sys.executable, "-m", "ptx_ls", *arguments)

    @property
    def environment(self) -> dict[str, str]:
        """The variables with which Python imports this version, which has its own user cache.

        There are no results of earlier lint runs in it.
        """
        kept = {name: value for name, value in os.environ.items() if name not in _DROPPED}
        cache = str(self.folder.with_name(f"{self.folder.name}-cache"))
        path = {"PYTHONPATH": str(self.folder), "PYTHONSAFEPATH": "1"}  # not from where it starts
        return {**kept, **path, "XDG_CACHE_HOME": cache, "PTX_LS_CACHE_DIR": ""}


def installed(tree: Path, folder: Path) -> Subject:
    """Builds the sources in `tree`, compiled parts included, and installs them in `folder`.

    Raises `RuntimeError` if the build fails.
    """
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), str(tree)]
    environment = {name: value for name, value in os.environ.items() if name not in _DROPPED}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"could not build ptx-ls from {tree}:\n{done.stderr}")
    return Subject(folder)


def checked_out(revision: str, folder: Path) -> Path:
    """Writes the files of a commit to a new folder, and returns it.

    Raises `RuntimeError` if there is no such commit.
    """
    command = ["git", "archive", "--format=tar", f"{revision}^{{commit}}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace").strip())
    archive = folder.with_suffix(".tar")
    archive.write_bytes(done.stdout)
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    archive.unlink()
    return folder


def name_of(revision: str) -> str:
    """Returns the short name of a commit. Raises `RuntimeError` if there is none."""
    command = ["git", "rev-parse", "--short", "--verify", f"{revision}^{{commit}}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"no commit {revision!r}: {done.stderr.strip()}")
    return done.stdout.strip()
