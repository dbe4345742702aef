"""Named exceptions: where ptxas is known to be wrong, or decides by what no statement shows."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("exceptions.toml")


@dataclass(frozen=True, slots=True)
class NamedException:
    """One exception: which statements of an opcode it covers, and why."""

    opcode: str
    statement: str
    """Regular expression that is found in the statement."""
    error: str
    """Regular expression that is found in the message of ptxas."""
    reason: str

    def covers(self, statement: str, error: str) -> bool:
        """True for a statement of its opcode and a message that it is about."""
        opcode = re.split(r"[. ;]", statement, maxsplit=1)[0]
        return (
            opcode == self.opcode
            and re.search(self.statement, statement) is not None
            and re.search(self.error, error) is not None
        )


@cache
def read_exceptions(path: Path = FILE) -> tuple[NamedException, ...]:
    """Reads the file of exceptions. Raises ValueError for an entry without a reason."""
    with path.open("rb") as file:
        entries = tomllib.load(file).get("exception", [])
    found = tuple(
        NamedException(
            entry["opcode"], entry.get("statement", ""), entry.get("error", ""), entry["reason"]
        )
        for entry in entries
    )
    for exception in found:
        if not exception.reason.strip():
            raise ValueError(f"{path.name}: an exception of {exception.opcode} has no reason")
    return found


def find_exception(
    exceptions: Iterable[NamedException], statement: str, error: str
) -> NamedException | None:
    """The first exception that covers a statement ptxas rejects with `error`."""
    for exception in exceptions:
        if exception.covers(statement, error):
            return exception
    return None


def stale(exceptions: Sequence[NamedException], seen: Iterable[str]) -> list[NamedException]:
    """Exceptions whose reason is not among the `seen` ones: what they name occurs no longer."""
    reasons = set(seen)
    return [exception for exception in exceptions if exception.reason not in reasons]
