"""The web site of ptx-ls."""

from __future__ import annotations

from typing import Final

SITE: Final = "https://ptx-ls.readthedocs.io"
"""The address of the pages that `./dev site` makes from docs/: all links to it begin with this."""
