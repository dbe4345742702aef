"""Makes the PTX files that benchmarks use: ``python -m benchmarks.inputs [NAME...]``.

Most are real output of nvcc for the sources in benchmarks/cuda, or are cut or joined from that.
They are kept in benchmarks/.cache, and made again if a source, the flags or nvcc have changed.
"""

import argparse
import hashlib
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks import nvcc, triton_kernels
from benchmarks.ptx_texts import cut, one_kernel, repeated, uses_of_a_global
from benchmarks.triton_kernels import Variant

HERE = Path(__file__).resolve().parent
CACHE = HERE / ".cache"
TARGET = "sm_90"


@dataclass(frozen=True, slots=True)
class Compiled:
    """One compilation: a source in benchmarks/cuda, and flags for nvcc."""

    source: str
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Derived:
    """A text that `how` makes of another input, of a size in lines or bytes."""

    of: str
    how: Callable[[str, int], str]
    size: int


@dataclass(frozen=True, slots=True)
class Written:
    """A text that `how` writes by itself, of a size."""

    how: Callable[[int], str]
    size: int


Recipe = Compiled | Derived | Written | Variant

INPUTS: dict[str, Recipe] = {
    "tiny": Compiled("tiny.cu"),
    "small": Compiled("small.cu"),
    "cutlass": Compiled("tiles.cu"),
    "triton": Variant("matmul", "fp16", 80, (128, 128, 64)),
    "mb1": Compiled("mix.cu", ("-DSCALE=1",)),
    "mb10": Compiled("mix.cu", ("-DSCALE=2",)),
    "mb30": Compiled("mix.cu", ("-DSCALE=3",)),
    "debug": Compiled("debug.cu", ("-G",)),
    "mb20": Derived("mb30", cut, 590_000),
    "mb70": Derived("mb30", repeated, 68_000_000),
    "lines1k": Compiled("small.cu", ("-DTHOUSAND",)),
    "lines100k": Derived("mb10", cut, 100_000),
    "lines1m": Derived("mb30", cut, 1_000_000),
    "kernel1m": Derived("mb10", one_kernel, 1_000_000),
    "uses100k": Written(uses_of_a_global, 100_000),
}


def make(name: str) -> Path:
    """Returns the PTX file of an input, and makes it if necessary (seconds to a few minutes).

    Raises `KeyError` for an unknown name, and `RuntimeError` if a compiler is missing or fails.
    """
    recipe = INPUTS[name]
    path = CACHE / f"{name}-{_fingerprint(recipe)}.ptx"
    if not path.exists():
        match recipe:
            case Compiled():
                nvcc.compile_to_ptx(HERE / "cuda" / recipe.source, path, TARGET, recipe.flags)
            case Derived():
                whole = make(recipe.of).read_text(encoding="utf-8")
                _write(path, recipe.how(whole, recipe.size))
            case Written():
                _write(path, recipe.how(recipe.size))
            case Variant():
                _write(path, triton_kernels.compiled(recipe))
        for stale in CACHE.glob(f"{name}-*.ptx"):
            if stale != path:
                stale.unlink()
    return path


def _write(path: Path, text: str) -> None:
    """Writes a file completely or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".part")
    partial.write_text(text, encoding="utf-8", newline="\n")
    partial.replace(path)


def _fingerprint(recipe: Recipe) -> str:
    digest = hashlib.sha256()
    while isinstance(recipe, Derived):
        digest.update(f"{recipe.how.__name__} {recipe.size} ".encode())
        digest.update(Path(recipe.how.__code__.co_filename).read_bytes())
        recipe = INPUTS[recipe.of]
    match recipe:
        case Compiled():
            digest.update(repr(recipe).encode())
            for source in sorted((HERE / "cuda").iterdir()):
                if source.name == recipe.source or source.suffix == ".cuh":
                    digest.update(source.read_bytes())
            digest.update(_version().encode())
        case Variant():
            digest.update(repr(recipe).encode() + triton_kernels.SOURCE.read_bytes())
        case Written():
            digest.update(f"{recipe.how.__name__} {recipe.size}".encode())
            digest.update(Path(recipe.how.__code__.co_filename).read_bytes())
    return digest.hexdigest()[:10]


@cache
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
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
