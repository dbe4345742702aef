"""The folders of the project that the scripts here read and write."""

from __future__ import annotations

from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).resolve().parent
ROOT: Final = DOCS.parent
