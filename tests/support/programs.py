"""Programs that some tests need and that may be missing."""

import functools
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

_APT = "apt-get install "


def require_program(
    name: str, install: str, find: Callable[[str], str | Path | None] = shutil.which
) -> Path:
    """Returns the path of a program, or skips the test.

    What a package of Debian or Ubuntu brings is installed, if we may do so without asking.
    Where CI=true is set nothing may be skipped: there the test fails.

    Args:
        name: the program, as it is called.
        install: the command that installs it.
        find: returns the program's path, or None if it is missing.
    """
    found = find(name)
    if found is None and install.startswith(_APT) and _may_install():
        _install(install.removeprefix(_APT))
        found = find(name)
    if found is None:
        give_up(f"needs {name}, to be had by: {install}")
    return Path(found)


def give_up(reason: str) -> NoReturn:
    """Skips the test for something that the machine lacks; where CI=true is set, it fails."""
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def _may_install() -> bool:
    return hasattr(os, "getuid") and os.getuid() == 0 and shutil.which("apt-get") is not None


@functools.cache  # what cannot be installed is not tried again
def _install(packages: str) -> None:
    # Several processes of a test run may want something at the same time: they wait in a line.
    command = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", "--no-install-recommends"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "--yes", *packages.split()]):
        subprocess.run([*command, *arguments], env=environment, capture_output=True, check=False)
