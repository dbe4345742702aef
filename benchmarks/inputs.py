"""Makes the PTX files that benchmarks use: ``python -m benchmarks.inputs [NAME...]``.

All of them are real output of nvcc for the sources in benchmarks/cuda, or its first functions.
They are kept in benchmarks/.cache, and made again if a source, the flags or nvcc have changed.
"""

import argparse
import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import nvcc

HERE = Path(__file__).resolve().parent
CACHE = HERE / ".cache"
TARGET = "sm_90"


@dataclass(frozen=True, slots=True)
class Compiled:
    """One compilation: a source in benchmarks/cuda, and flags for nvcc."""

    source: str
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """The first functions of another input, up to the first that ends on `lines` or later."""

    of: str
    lines: int


INPUTS: dict[str, Compiled | Cut] = {
    "small": Compiled("small.cu"),
    "mb1": Compiled("mix.cu", ("-DSCALE=1",)),
    "mb10": Compiled("mix.cu", ("-DSCALE=2",)),
    "mb30": Compiled("mix.cu", ("-DSCALE=3",)),
    "debug": Compiled("debug.cu", ("-G",)),
    "mb20": Cut("mb30", 590_000),
    "lines1k": Compiled("small.cu", ("-DTHOUSAND",)),
    "lines100k": Cut("mb10", 100_000),
    "lines1m": Cut("mb30", 1_000_000),
}


def make(name: str) -> Path:
    """Returns the PTX file of an input, and makes it if necessary (seconds to a few minutes).

    Raises `KeyError` for an unknown name, and `nvcc.NvccError` if nvcc is missing or fails.
    """
    recipe = INPUTS[name]
    path = CACHE / f"{name}-{_fingerprint(recipe)}.ptx"
    if not path.exists():
        match recipe:
            case Compiled():
                nvcc.compile_to_ptx(HERE / "cuda" / recipe.source, path, TARGET, recipe.flags)
            case Cut():
                whole = make(recipe.of).read_text(encoding="utf-8")
                partial = path.with_suffix(".part")
                partial.write_text(cut(whole, recipe.lines), encoding="utf-8", newline="\n")
                partial.replace(path)
        for stale in CACHE.glob(f"{name}-*.ptx"):
            if stale != path:
                stale.unlink()
    return path


def cut(text: str, lines: int) -> str:
    """Returns the beginning of a module up to the first function that ends on `lines` or later.

    Returns the whole text if it is shorter. Only for compiler output, where a brace in the first
    column closes a function.
    """
    for line, end in _function_ends(text):
        if line >= lines:
            return text[:end]
    return text


def _function_ends(text: str) -> Iterator[tuple[int, int]]:
    line, counted = 1, 0
    for brace in re.finditer(r"^}[^\n]*\n", text, re.MULTILINE):
        line += text.count("\n", counted, brace.start())
        counted = brace.start()
        yield line, brace.end()


def _fingerprint(recipe: Compiled | Cut) -> str:
    digest = hashlib.sha256(repr(recipe).encode())
    while isinstance(recipe, Cut):
        recipe = INPUTS[recipe.of]
        digest.update(repr(recipe).encode())
    for source in sorted((HERE / "cuda").iterdir()):
        if source.name == recipe.source or source.suffix == ".cuh":
            digest.update(source.read_bytes())
    digest.update(_version().encode())
    return digest.hexdigest()[:10]


def _version() -> str:
    program = nvcc.find()
    if program is None:
        raise nvcc.NvccError(nvcc.HOW_TO_INSTALL)
    run = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=True)
    return run.stdout


def main() -> int:
    """Makes the named inputs, or all, and prints the path and the size of each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(INPUTS))
    try:
        for name in parser.parse_args().names or INPUTS:
            if name not in INPUTS:
                parser.error(f"no input {name!r}: choose from {', '.join(INPUTS)}")
            path = make(name)
            size = path.stat().st_size / 1e6
            lines = path.read_bytes().count(b"\n")
            print(f"{name}: {path} ({size:.1f} MB, {lines} lines)", flush=True)
    except nvcc.NvccError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
