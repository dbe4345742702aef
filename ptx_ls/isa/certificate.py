"""The results of the last comparison with ptxas, by opcode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Certificate:
    """The counts of one opcode; see docs/certification.md."""

    statements: int
    """Statements that the database allows."""
    accepted: int
    """Statements that the database allows and ptxas accepts."""
    mutations: int
    """Statements with a single mutation that were compared."""
    cells: int
    """Pairs of a version and a target that were compared."""
    false_alarms: int
    """Statements that ptxas accepts and the database rejects."""
    missed: int
    """Mutations and pairs that ptxas rejects and the database accepts."""
    excused: int
    """Differences that only a named exception excuses."""

    @property
    def is_clean(self) -> bool:
        """Whether ptxas accepts exactly what the database accepts."""
        return self.accepted + self.excused >= self.statements > 0 and not self.false_alarms


def read_certificates(raw: Mapping[str, Any]) -> dict[str, Certificate]:
    """Returns the certificates by opcode, from the content of `data/certified.toml`."""
    return {
        opcode: Certificate(
            statements=counts["legal"],
            accepted=counts["accepted"],
            mutations=counts["mutations"],
            cells=counts["cells"],
            false_alarms=counts["false_alarms"],
            missed=counts["missed"],
            excused=counts["excused"],
        )
        for opcode, counts in raw.get("opcode", {}).items()
    }
