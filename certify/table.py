"""The certification table: every figure with its goal, what was seen, and the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from certify.exceptions import NamedException, read_exceptions, stale
from certify.tally import Measure
from certify.whole import WholeResult
from certify.workers import FormFacts, OpcodeResult

LEGAL_PER_FORM = 1000
LEAST_MUTATIONS = 150_000
DETECTED = 0.995
GATE_MISSES = 0.005
REFERENCE_MISSES = 0.01


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the table."""

    name: str
    goal: str
    seen: str
    is_met: bool
    excused: int = 0
    """How many cases only named exceptions excuse."""

    @property
    def verdict(self) -> str:
        """`met`, `met, N named exceptions` or `MISSED`."""
        if not self.is_met:
            return "MISSED"
        return f"met, {self.excused} named exceptions" if self.excused else "met"


def total(name: str, measures: Iterable[Measure]) -> Measure:
    """The sum of measures."""
    sum_ = Measure(name)
    for measure in measures:
        sum_.add(measure)
    return sum_


def figures(result: WholeResult, exceptions: Sequence[NamedException]) -> list[Figure]:
    """The rows about instructions."""
    opcodes = list(result.opcodes.values())
    legal = total("legal", (found.legal for found in opcodes))
    excluded = total("excluded", (found.excluded for found in opcodes))
    mutations = total("mutations", (found.mutations for found in opcodes))
    gates = total("gates", result.gates.values())
    unused = stale(exceptions, reasons(result))
    return [
        _forms([form for found in opcodes for form in found.forms]),
        _accepted(legal),
        _none("combinations of modifiers that the data excludes and ptxas accepts", excluded),
        _none("single mutations that ptxas accepts and ptx-ls reports", mutations),
        _detected(mutations),
        _touched(opcodes),
        _columns(result),
        _none("cells of the grid where we say error and ptxas accepts", gates),
        _silent_cells(gates),
        *reference_figures(result.reference),
        Figure("named exceptions that no longer occur", "0", str(len(unused)), not unused),
    ]


def reasons(result: WholeResult) -> set[str]:
    """The reasons of all exceptions that were needed."""
    measures = [
        measure
        for found in result.opcodes.values()
        for measure in (found.legal, found.excluded, found.mutations)
    ]
    return {reason for measure in (*measures, *result.gates.values()) for reason in measure.named}


def _forms(forms: Sequence[FormFacts]) -> Figure:
    enumerated = [form for form in forms if form.is_enumerated]
    full = [form for form in forms if not form.is_enumerated and form.n_legal >= LEGAL_PER_FORM]
    silent = [form for form in forms if not form.n_accepted]
    seen = f"{len(enumerated)} enumerated, {len(full)} sampled, of {len(forms)}"
    if silent:
        seen += f"; {len(silent)} without an accepted statement"
    return Figure(
        f"forms with all legal statements tried, or a sample of at least {LEGAL_PER_FORM:,}",
        "all",
        seen,
        len(enumerated) + len(full) == len(forms) and not silent,
    )


def _accepted(legal: Measure) -> Figure:
    n_legal = legal.both_accept + legal.n_misses
    share = legal.both_accept / n_legal if n_legal else 0.0
    return Figure(
        "statements that the data allows and ptxas accepts",
        "100 %",
        f"{percent(share)} of {n_legal:,}",
        n_legal > 0 and not legal.n_misses and not legal.n_false_alarms,
        legal.n_named,
    )


def _none(name: str, measure: Measure) -> Figure:
    accepted = measure.both_accept + measure.n_false_alarms
    of = f"{accepted:,} accepted" if measure.both_accept else f"{measure.total:,}"
    seen = f"{measure.n_false_alarms} of {of}"
    return Figure(name, "0", seen, measure.total > 0 and not measure.n_false_alarms)


def _detected(mutations: Measure) -> Figure:
    share = mutations.both_reject / mutations.rejected if mutations.rejected else 0.0
    crashes = f"; {len(mutations.crashes)} crashes of ptxas left out" if mutations.crashes else ""
    return Figure(
        "single mutations that ptxas rejects and ptx-ls reports",
        f">= {percent(DETECTED)} of >= {LEAST_MUTATIONS:,}",
        f"{percent(share)} of {mutations.rejected:,}{crashes}",
        share >= DETECTED and mutations.rejected >= LEAST_MUTATIONS,
        mutations.n_named,
    )


def _touched(opcodes: Sequence[OpcodeResult]) -> Figure:
    places = [found.touched for found in opcodes]
    modifiers = sum(place.modifiers for place in places)
    operands = sum(place.operands for place in places)
    all_modifiers = sum(place.all_modifiers for place in places)
    all_operands = operands + sum(len(place.operands_left) for place in places)
    mutated = sum(found.mutations.total > 0 for found in opcodes)
    return Figure(
        "opcodes; modifiers; operands of forms that were mutated",
        "all",
        f"{mutated} of {len(opcodes)}; {modifiers:,} of {all_modifiers:,}; "
        f"{operands:,} of {all_operands:,}",
        (mutated, modifiers, operands) == (len(opcodes), all_modifiers, all_operands),
    )


def _columns(result: WholeResult) -> Figure:
    valid = result.n_columns - len(result.invalid_columns)
    return Figure(
        "pairs of a version and one of its targets that ptxas accepts",
        "all",
        f"{valid} of {result.n_columns}",
        result.n_columns > 0 and not result.invalid_columns,
    )


def _silent_cells(gates: Measure) -> Figure:
    share = gates.n_misses / gates.rejected if gates.rejected else 1.0
    return Figure(
        "cells of the grid that ptxas rejects and ptx-ls accepts",
        f"<= {percent(GATE_MISSES)}",
        f"{percent(share)} of {gates.rejected:,} rejected",
        share <= GATE_MISSES,
        gates.n_named,
    )


def reference_figures(measures: Iterable[Measure]) -> list[Figure]:
    """Two rows for each enumerated set of directives, special registers, pragmas."""
    rows = []
    for measure in measures:
        rows.append(_none(f"{measure.name} that ptxas accepts and ptx-ls reports", measure))
        share = measure.n_misses / measure.rejected if measure.rejected else 0.0
        rows.append(
            Figure(
                f"{measure.name} that ptxas rejects and ptx-ls does not report",
                f"<= {percent(REFERENCE_MISSES)}",
                f"{percent(share)} of {measure.rejected:,}",
                share <= REFERENCE_MISSES,
                measure.n_named,
            )
        )
    return rows


def percent(share: float) -> str:
    """A share as text; what is not all is never rounded up to all."""
    shown = f"{share * 100:.3f}".rstrip("0").rstrip(".")
    return "99.999 %" if shown == "100" and share < 1 else f"{shown} %"


def text(rows: Sequence[Figure]) -> str:
    """The table for a terminal."""
    head = ("figure, against ptxas", "goal", "seen", "")
    cells = [head, *((row.name, row.goal, row.seen, row.verdict) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(3)]
    lines = []
    for line in cells:
        padded = [part.ljust(width) for part, width in zip(line, widths, strict=False)]
        lines.append("  ".join((*padded, line[3])).rstrip())
    return "\n".join(lines)


__all__ = ["Figure", "figures", "read_exceptions", "reference_figures", "text", "total"]
