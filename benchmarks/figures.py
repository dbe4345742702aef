"""The figures that benchmarks report beside their goals, as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value, and the goal that it should not exceed (None if it has no goal).

    With `is_minimum` it should not be less than the goal. `remark` says what was measured, or
    gives related figures.
    """

    name: str
    value: float
    unit: str
    goal: float | None = None
    remark: str = ""
    is_minimum: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the goal is met."""
        if self.goal is None:
            return True
        return self.value >= self.goal if self.is_minimum else self.value <= self.goal

    def row(self) -> str:
        """Returns the figure as a line of text."""
        digits = 4 if self.is_minimum else 3
        value = f"{self.value:.{digits}g} {self.unit}"
        sign = ">=" if self.is_minimum else "<="
        goal = "" if self.goal is None else f"{sign} {self.goal:g} {self.unit}"
        verdict = "" if self.goal is None else "ok" if self.is_met else "MISSED"
        return f"{self.name:44}{value:>12}  {goal:>12}  {verdict:7} {self.remark}".rstrip()


def quantile(values: Sequence[float], share: float) -> float:
    """Returns the value that a share of the values, between 0 and 1, does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
