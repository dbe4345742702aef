"""Compiles the ISA data into the wheel, so that an installed ptx-ls never has to."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileIsaData(BuildHookInterface[Any]):
    """Adds `ptx_ls/isa/data/compiled.marshal` to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling; an editable install compiles when the data is first used."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root))
        from ptx_ls.isa.build import build  # noqa: PLC0415  needs the path above

        self._scratch = tempfile.TemporaryDirectory(prefix="ptx-ls-isa-")
        compiled = Path(self._scratch.name) / "compiled.marshal"
        compiled.write_bytes(build(root / "ptx_ls" / "isa" / "data"))
        # Not into the tree: a file without a stamp there would hide later edits of the data.
        build_data["force_include"][str(compiled)] = "ptx_ls/isa/data/compiled.marshal"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Called by hatchling once the wheel is packed."""
        if version != "editable":
            self._scratch.cleanup()
