"""Fresh compiler output: our CUDA sources, compiled for many targets with many flags."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks import nvcc
from tests.corpus.make import PLAN, SOURCES

CACHE = Path(__file__).resolve().parents[1] / ".cache" / "fresh"
TARGETS = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100a", "sm_120a")
FLAGS: tuple[tuple[str, ...], ...] = (
    (),
    ("-Xcicc", "-O0"),
    ("-Xcicc", "-O1"),
    ("-G",),
    ("-lineinfo",),
    ("-use_fast_math",),
    ("-rdc=true",),
    ("-maxrregcount=32",),
    ("-ftz=true", "-prec-div=false", "-prec-sqrt=false"),
    ("-fmad=false",),
    ("--extra-device-vectorization",),
    ("-G", "-rdc=true"),
    ("-lineinfo", "-use_fast_math", "-rdc=true"),
)


@dataclass(frozen=True, slots=True)
class Recipe:
    """One compilation: a source, a target and flags."""

    source: str
    target: str
    flags: tuple[str, ...]

    @property
    def path(self) -> Path:
        """The file that it makes; a different one when the source changes."""
        digest = hashlib.sha256((SOURCES / f"{self.source}.cu").read_bytes())
        digest.update(repr(self.flags).encode())
        return CACHE / f"{self.source}-{self.target}-{digest.hexdigest()[:8]}.ptx"


def recipes() -> Iterator[Recipe]:
    """Yields every target with every set of flags, each for two sources, which take turns."""
    for turn, flags in enumerate(FLAGS):
        for shift, target in enumerate(TARGETS):
            fit = [name for name in PLAN if _fits(name, target)]
            first = (2 * turn + 5 * shift) % len(fit)
            for source in (fit[first], fit[(first + 1) % len(fit)]):
                yield Recipe(source, target, flags)


def _fits(source: str, target: str) -> bool:
    """Whether a source compiles for a target: one in `PLAN`, or a later one if it is portable."""
    targets = {item.partition("/")[0] for item in PLAN[source]}
    if target in targets:
        return True
    if len(targets) == 1 and min(targets)[-1] == "a":
        return False  # made for the features of one architecture
    return _number(target) >= min(map(_number, targets))


def _number(target: str) -> int:
    return int(target.removeprefix("sm_").rstrip("af"))


def fresh_files(n_processes: int) -> Iterator[Path]:
    """Yields the files of all recipes, compiled if they do not exist yet (minutes).

    A source that does not compile for a target is left out. Raises `NvccError` if nvcc is missing.
    """
    program = nvcc.find()
    if program is None:
        raise nvcc.NvccError(nvcc.HOW_TO_INSTALL)

    def compiled(recipe: Recipe) -> Path | None:
        if not recipe.path.exists():
            source = SOURCES / f"{recipe.source}.cu"
            try:
                nvcc.compile_to_ptx(source, recipe.path, recipe.target, recipe.flags, program)
            except nvcc.NvccError:
                return None
        return recipe.path

    with ThreadPoolExecutor(n_processes) as pool:
        for path in pool.map(compiled, dict.fromkeys(recipes())):
            if path is not None:
                yield path
