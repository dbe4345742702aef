"""The cost of `ptx-ls lint` with the results of an earlier run."""

from __future__ import annotations

import shutil
from functools import cache
from itertools import count, cycle, islice
from pathlib import Path

from benchmarks import inputs, many_files
from benchmarks.cli_cost import cpu_seconds
from benchmarks.performance.measurement import Goal, Sample, Samples, Situation
from benchmarks.performance.subject import Subject

_FIGURE = "cpu"
_STATUSES = (0, 1)
_N_FILES = 500
_LARGEST = 150_000
_EDITED_CHARACTERS = 50_000_000
_ADDED = "add.s32"
_EDITED = "sub.s32"
_MS = 1000
_N_SMALL = 12
"""Number of runs on a small file with and without the cache, of which the fastest count."""


def situations(scratch: Path) -> list[Situation[Subject]]:
    """Returns all of them; files and caches are written to `scratch`."""
    return [_unchanged(scratch), _edited(scratch), _small(scratch)]


def _cpu(subject: Subject, folder: Path, *arguments: object) -> float:
    """Returns the CPU time of a lint in one process, with the cache in a folder."""
    command = [*subject.command("lint", "-q", "-j", "1"), *map(str, arguments)]
    environment = {**subject.environment, "PTX_LS_CACHE_DIR": str(folder)}
    return cpu_seconds(command, _STATUSES, environment)


def _cache_folder(scratch: Path, subject: Subject) -> Path:
    return scratch / f"lint-cache-{subject.folder.name}"


def _unchanged(scratch: Path) -> Situation[Subject]:
    folder = scratch / "cached-files"

    @cache
    def files() -> Path:
        folder.mkdir()
        sources = [*many_files.of_nvcc(), *many_files.of_others()]
        texts = (path.read_text("utf-8") for path in cycle(sources) if _is_small(path))
        for number, text in enumerate(islice(texts, _N_FILES)):
            (folder / f"{number:03}.ptx").write_text(f"{text}// {number}\n", "utf-8")
        return folder

    def run(subject: Subject) -> Samples:
        return {_FIGURE: [Sample(_cpu(subject, _cache_folder(scratch, subject), files()))]}

    title = f"second lint of {_N_FILES} unchanged files, CPU"
    return Situation("cache-unchanged", (Goal(_FIGURE, title, "s", 0.3),), run, (), 7, True)


def _is_small(path: Path) -> bool:
    return path.stat().st_size < _LARGEST


def _edited(scratch: Path) -> Situation[Subject]:
    path = scratch / "edited.ptx"

    @cache
    def texts() -> tuple[str, str]:
        whole = inputs.make("mb70").read_text("utf-8")
        text = whole[: whole.rindex("\n}\n", 0, _EDITED_CHARACTERS) + 3]
        at = text.index(_ADDED, len(text) // 2)
        return text, text[:at] + _EDITED + text[at + len(_ADDED) :]

    def run(subject: Subject) -> Samples:
        folder = _cache_folder(scratch, subject)
        shutil.rmtree(folder, ignore_errors=True)
        before, after = texts()
        path.write_text(before, "utf-8")
        _cpu(subject, folder, path)
        path.write_text(after, "utf-8")
        with_cache = _cpu(subject, folder, path)
        without = _cpu(subject, folder, "--no-cache", path)
        return {_FIGURE: [Sample(with_cache / without)]}

    title = "lint of 50 MB with one function edited, against a run without the cache, CPU"
    return Situation("cache-edited", (Goal(_FIGURE, title, "x", 0.15),), run, (), 5)


def _small(scratch: Path) -> Situation[Subject]:
    path = scratch / "small.ptx"
    numbers = count()

    def run(subject: Subject) -> Samples:
        text = inputs.make("tiny").read_text("utf-8")
        with_cache, without = [], []
        for number in islice(numbers, _N_SMALL):
            path.write_text(f"{text}// {number}\n", "utf-8")  # a text that is not in the cache
            without.append(_cpu(subject, _cache_folder(scratch, subject), "--no-cache", path))
            with_cache.append(_cpu(subject, _cache_folder(scratch, subject), path))
        return {_FIGURE: [Sample((min(with_cache) - min(without)) * _MS)]}

    title = "time that the cache adds to the lint of a new file of 35 lines, CPU"
    return Situation("cache-small", (Goal(_FIGURE, title, "ms", 5),), run, (), 5, True)
