"""Output of compilers other than nvcc, if they are installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.accuracy.fresh import CACHE
from tests.corpus import make_others

_REQUIRED = {
    "llvm": "llvmlite",
    "numba": "numba-cuda[cu13]",
    "triton": "triton",
    "nvrtc": "nvidia-cuda-nvrtc-cu12",
}
"""The package that each producer of `make_others` needs, and nothing else here."""


def other_files() -> Iterator[Path]:
    """Yields PTX of our kernels from each compiler that is installed; prints which are not.

    With Triton, the kernels are also compiled for more targets than the corpus has.
    """
    for name, (prefix, produce) in make_others.PRODUCERS.items():
        try:
            yield from _written(prefix, produce())
            if name == "triton":
                yield from _written(prefix, _more_of_triton())
        except (ImportError, StopIteration, OSError) as error:
            print(f"no output of {name}: pip install {_REQUIRED[name]} ({error})")


def _more_of_triton() -> Iterable[tuple[str, str]]:
    for capability in (80, 86, 89, 90, 100, 120):
        yield from make_others.triton(capability)


def _written(prefix: str, products: Iterable[tuple[str, str]]) -> Iterator[Path]:
    CACHE.mkdir(parents=True, exist_ok=True)
    for name, text in products:
        path = CACHE / f"{prefix}{name}.ptx"
        path.write_text(text, encoding="utf-8")
        yield path
