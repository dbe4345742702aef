"""Compiles the ISA data into the wheel, so that an installed ptx-ls never has to."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileIsaData(BuildHookInterface[Any]):
    """Writes `ptx_ls/isa/data/compiled.marshal` before a wheel is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Called by hatchling; an editable install compiles when the data is first used."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root))
        from ptx_ls.isa.build import build  # noqa: PLC0415  needs the path above

        data = root / "ptx_ls" / "isa" / "data"
        (data / "compiled.marshal").write_bytes(build(data))
