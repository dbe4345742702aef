"""Programs that some tests need and that may be missing."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def require_program(
    name: str, install: str, find: Callable[[str], str | Path | None] = shutil.which
) -> Path:
    """Returns the path of a program, or skips the test.

    Where CI=true is set nothing may be skipped: there the test fails.

    Args:
        name: the program, as it is called.
        install: the command that installs it.
        find: returns the program's path, or None if it is missing.
    """
    found = find(name)
    if found is not None:
        return Path(found)
    reason = f"needs {name}, to be had by: {install}"
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(reason)
    pytest.skip(reason)
