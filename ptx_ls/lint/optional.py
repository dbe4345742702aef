"""The rules that are off unless they are selected by their names."""

from typing import Final

OPTIONAL: Final = frozenset({"suppression-without-reason"})
