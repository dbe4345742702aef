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

    A package of Debian or Ubuntu is installed if that needs no password.
    Where CI=true is set, nothing may be skipped, so the test fails instead.

    Args:
        name: the program's name on the command line.
        install: the command that installs it.
        find: returns the program's path, or None if it is missing.
    """
    found = find(name)
    if found is None and install.startswith(_APT) and _may_install():
        _install(install.removeprefix(_APT))
        found = find(name)
    if found is None:
        give_up(f"needs {name}; install it with: {install}")
    return Path(found)


def give_up(reason: str) -> NoReturn:
    """Skips the test because the machine lacks something; where CI=true is set, fails it."""
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def _may_install() -> bool:
    return hasattr(os, "getuid") and os.getuid() == 0 and shutil.which("apt-get") is not None


@functools.cache  # a package that could not be installed is not tried again
def _install(packages: str) -> None:
    # Several processes of a test run may install something at the same time: they take turns.
    command = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", "--no-install-recommends"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "--yes", *packages.split()]):
        subprocess.run([*command, *arguments], env=environment, capture_output=True, check=False)
