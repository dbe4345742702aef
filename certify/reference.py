"""Special registers, directives and pragmas against ptxas: an enumerated set of small modules.

Three measures: special registers, directives (with declarations, headers and debug data), pragmas.
The gates of all three are in a fourth, over versions and targets.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from certify.modules import Answer, Case, Frame, ModuleOracle, our_errors
from certify.oracle import Configuration, configuration_of
from certify.reference_directives import bare, directive_cases, is_function_directive
from certify.reference_modules import module_cases, pragma_cases, target_cases
from certify.reference_registers import reads, register_cases
from certify.tally import Measure
from ptx_ls import isa
from ptx_ls.isa.version import parse_target

RECORDED = Path(__file__).resolve().parent.parent / "tests" / "isa" / "verdicts-reference"
SAMPLE = 1500
"""Cases of a measure that `measure_reference` asks about, unless it is told to take all."""
PER_FILE = 600
"""Verdicts kept of each measure."""
_TARGETS = (
    "sm_10 sm_13 sm_20 sm_30 sm_35 sm_50 sm_60 sm_70 sm_75 sm_80 sm_89 sm_90 sm_90a sm_100 "
    "sm_100f sm_107 sm_120a"
).split()
"""Targets at which something about the three changes, and some more."""


def measure_reference(program: Path, seed: int, *, full: bool = False) -> list[Measure]:
    """Asks that ptxas about all cases, or about a sample of each measure that `seed` chooses."""
    oracle = ModuleOracle(program)
    try:
        return [measured(name, oracle.judge(cases)) for name, cases in enumerated(seed, full=full)]
    finally:
        oracle.close()


def enumerated(seed: int, *, full: bool) -> Iterator[tuple[str, list[Case]]]:
    """The cases of each measure by its name."""
    for name, cases in (
        ("special registers", register_cases()),
        ("directives", (*directive_cases(), *module_cases(), *target_cases())),
        ("pragmas", pragma_cases()),
    ):
        yield name, _sampled(cases, seed, SAMPLE if not full else None)
    yield "reference gates", list(gate_cases(seed, full=full))


def _sampled(cases: Iterable[Case], seed: int, limit: int | None) -> list[Case]:
    """So many of them, in their order, so that those of one file stay together."""
    unique = list(dict.fromkeys(cases))
    if limit is None or len(unique) <= limit:
        return unique
    chance = random.Random(seed)  # noqa: S311  not for secrets
    chosen = sorted(chance.sample(range(len(unique)), limit))
    return [unique[index] for index in chosen]


def gate_cases(seed: int, *, full: bool) -> Iterator[Case]:
    """Registers, directives and pragmas in all versions, on the targets where something changes."""
    chance = random.Random(seed)  # noqa: S311  not for secrets
    database = isa.database()
    for version in database.versions.values():
        names = [
            name
            for name in _TARGETS
            if parse_target(name) and version.number >= database.targets[name].since
        ]
        for name in names if full else chance.sample(names, min(3, len(names))):
            yield from _gated(Configuration(version.name, name))


def _gated(configuration: Configuration) -> Iterator[Case]:
    yield from reads(configuration)
    database = isa.database()
    for directive in database.directives.values():
        if is_function_directive(directive) and not directive.requires:
            head = ".func" if directive.owners == (".func",) else ".entry"
            text = f"{head} NAME () {bare(directive)} {{ ret; }}"
            yield Case(Frame.MODULE, configuration, text, f"gate of {directive.name}")
        elif directive.scopes[:1] == ("module",) and directive.name in _ALONE:
            text = bare(directive)
            yield Case(Frame.MODULE, configuration, text, f"gate of {directive.name}")
    for pragma in database.pragmas.values():
        text = f'.entry NAME () {{ .pragma "{pragma.name} 1"; ret; }}'
        yield Case(Frame.MODULE, configuration, text, f"gate of pragma {pragma.name}")


_ALONE = (".entry", ".extern", ".visible", ".weak", ".common", ".const", ".global", ".shared")
"""Directives whose examples stand for themselves in every version."""


def measured(name: str, answers: Iterable[Answer]) -> Measure:
    """The comparison of both sides' answers."""
    measure = Measure(name)
    for answer in answers:
        case = answer.case
        where = f"{case.text}   [{case.configuration}]"
        if answer.theirs is None and answer.ours is None:
            measure.both_accept += 1
        elif answer.theirs is not None and answer.ours is not None:
            measure.both_reject += 1
        elif answer.ours is not None:
            measure.false_alarms[f"{case.cause}: {answer.ours}"].append(where)
        else:
            measure.misses[f"{case.cause}: {answer.theirs}"].append(where)
        frame = f"{case.frame.value} {case.configuration}"
        measure.verdicts.append((frame, case.text, answer.theirs is None))
    return measure


def record(measures: Iterable[Measure], seed: int) -> None:
    """Writes a sample of the verdicts of each measure, as many accepted as rejected if it can."""
    RECORDED.mkdir(parents=True, exist_ok=True)
    for measure in measures:
        chance = random.Random(seed)  # noqa: S311  not for secrets
        chosen: list[tuple[str, str, bool]] = []
        for is_accepted in (True, False):
            group = sorted({each for each in measure.verdicts if each[2] is is_accepted})
            chosen += chance.sample(group, min(len(group), PER_FILE // 2))
        lines = [
            f"{frame}\t{'+' if is_accepted else '-'}\t{text}\n"
            for frame, text, is_accepted in sorted(chosen)
        ]
        path = RECORDED / f"{measure.name.replace(' ', '-')}.tsv"
        path.write_text("".join(lines), encoding="utf-8")


def recorded(path: Path) -> Mapping[bool, list[Case]]:
    """The cases of a file that ptxas accepted, and those that it rejected."""
    found: dict[bool, list[Case]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        frame, sign, text = line.split("\t")
        name, _, configuration = frame.partition(" ")
        found[sign == "+"].append(Case(Frame(name), configuration_of(configuration), text))
    return found


def report(program: Path, seed: int, *, full: bool, is_recorded: bool) -> int:
    """Prints the measures, and what they found; 1 when we reject anything that ptxas accepts."""
    measures = measure_reference(program, seed, full=full)
    for measure in measures:
        print(
            f"{measure.name:<18} {measure.total:>6} compared: {measure.both_accept} accepted by "
            f"both, {measure.both_reject} rejected by both, {measure.n_false_alarms} FALSE ALARMS, "
            f"{measure.n_misses} misses"
        )
        for title, causes in (("FALSE ALARM", measure.false_alarms), ("miss", measure.misses)):
            for cause, examples in sorted(causes.items(), key=lambda item: -len(item[1]))[:_SHOWN]:
                print(f"    {title} x{len(examples)}  {cause}\n        {examples[0]}")
    if is_recorded:
        record(measures, seed)
    return 1 if any(measure.n_false_alarms for measure in measures) else 0


_SHOWN = 12


def silent(cases: Iterable[Case]) -> list[Case]:
    """The cases that the linter accepts, each checked by itself."""
    return [case for case in cases if not our_errors([case])]
