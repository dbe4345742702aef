"""Adds to a wheel what the sources lack: the compiled ISA data, and the scanner compiled from C.

The scanner is optional. Where it cannot be compiled, ptx-ls does the same in Python.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import sysconfig
import tempfile
import textwrap
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_SYNTAX = "ptx_ls/syntax"
_SOURCES = f"{_SYNTAX}/inner_loops"
"""The folder of the C sources of `_scanner`."""
_PURE = "PTX_LS_PURE"
"""Set in the environment, it asks for a wheel without compiled code, which runs anywhere."""


class BuildHook(BuildHookInterface[Any]):
    """Adds `ptx_ls/isa/data/compiled.marshal` and `ptx_ls/syntax/_scanner` to a wheel.

    An editable install gets the scanner only, beside its source; the data is compiled when it is
    first used.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it packs the wheel."""
        self._scratch = tempfile.TemporaryDirectory(prefix="ptx-ls-build-")
        root, scratch = Path(self.root), Path(self._scratch.name)
        scanner = self._scanner(root, scratch)
        if version == "editable":
            _put_beside_source(root / _SYNTAX, scanner)
            return
        if scanner is not None:
            build_data["force_include"][str(scanner)] = f"{_SYNTAX}/{scanner.name}"
            build_data["pure_python"] = False
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["tag"] = f"cp311-abi3-{platform}"
        compiled = scratch / "compiled.marshal"
        compiled.write_bytes(_isa_data(root))
        # Not into the tree: a file without a stamp there would hide later edits of the data.
        build_data["force_include"][str(compiled)] = "ptx_ls/isa/data/compiled.marshal"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Called by hatchling once the wheel is packed."""
        self._scratch.cleanup()

    def _scanner(self, root: Path, scratch: Path) -> Path | None:
        """The compiled scanner; None where it is not wanted or cannot be had."""
        if os.environ.get(_PURE, "") not in ("", "0"):
            reason = f"{_PURE} is set"
        elif sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
            reason = "this Python has no stable ABI"
        else:
            try:
                return compile_scanner(root, scratch)
            except Exception as error:  # noqa: BLE001  compilers fail in many ways, none matters
                reason = textwrap.shorten(f"{type(error).__name__}: {error}", 160)
        self.app.display_warning(f"ptx-ls: built without its scanner in C ({reason})")
        return None


def compile_scanner(root: Path, scratch: Path) -> Path:
    """Compiles `_scanner` into a folder, and returns the module; raises where that fails."""
    from setuptools import Distribution, Extension  # noqa: PLC0415  slow, and not always needed
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    sources = root / _SOURCES
    extension = Extension(
        "_scanner",
        # An absolute path would be repeated below `build_temp`.
        [os.path.relpath(each) for each in sorted(sources.glob("*.c"))],
        define_macros=[("SCANNER_SOURCE", source_hash(sources))],
        py_limited_api=True,
    )
    command = build_ext(Distribution({"name": "ptx-ls", "ext_modules": [extension]}))
    command.build_lib = str(scratch)
    command.build_temp = str(scratch / "objects")
    command.ensure_finalized()
    command.run()
    return Path(command.get_ext_fullpath(extension.name))


def source_hash(sources: Path) -> str:
    """Returns the mark by which `scanner.py` recognises the scanner compiled from a folder.

    It does not depend on the line ends that git has checked out.
    """
    texts = [each.read_text("utf-8") for each in sorted(sources.glob("*.[ch]"))]
    return hashlib.sha256("".join(texts).encode()).hexdigest()[:12]


def _put_beside_source(folder: Path, scanner: Path | None) -> None:
    """Replaces the scanner of an editable install, at once, for it may be in use."""
    if scanner is not None:
        fresh = shutil.copy(scanner, folder / f"{scanner.name}.new")
        Path(fresh).replace(folder / scanner.name)
    for old in (*folder.glob("_scanner*.so"), *folder.glob("_scanner*.pyd")):
        if scanner is None or old.name != scanner.name:
            old.unlink()


def _isa_data(root: Path) -> bytes:
    sys.path.insert(0, str(root))
    from ptx_ls.isa.notation.build import build  # noqa: PLC0415  needs the path above

    return build(root / "ptx_ls" / "isa" / "data")
