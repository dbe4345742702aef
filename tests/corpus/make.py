"""Regenerates tests/corpus/ptx from tests/corpus/cuda: ``python -m tests.corpus.make [NAME...]``.

Each product is one source compiled for one target with some flags. Its PTX is freed of this
machine's paths and must be accepted by ptxas, else nothing is written and the exit status is 1.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks import nvcc
from ptx_ls.toolchain import ptxas

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "cuda"
PRODUCTS = HERE / "ptx"

EVERYWHERE = ("sm_75", "sm_80", "sm_86", "sm_90a", "sm_100a", "sm_120a")
FLAVOURS = {
    "debug": ("-G",),
    "lineinfo": ("-lineinfo",),
    "rdc": ("-rdc=true",),
    "O0": ("-Xcicc", "-O0"),
    "fast": ("-use_fast_math",),
}

# source -> what is made of it, as TARGET or TARGET/FLAVOUR
PLAN: dict[str, tuple[str, ...]] = {
    "assembly": ("sm_75", "sm_86/debug", "sm_120a/lineinfo"),
    "atomics": ("sm_75", "sm_80", "sm_90a", "sm_100a"),
    "blackwell": ("sm_100a", "sm_100a/debug"),
    "cooperative": (*EVERYWHERE, "sm_90a/lineinfo"),
    "cub_histogram": ("sm_75", "sm_120a", "sm_86/lineinfo"),
    "cub_scan": ("sm_80", "sm_100a"),
    "cub_sort": ("sm_90a",),
    "geforce": ("sm_120a",),
    "half": ("sm_75", "sm_80", "sm_90a", "sm_100a", "sm_120a"),
    "hopper": ("sm_90a", "sm_90a/lineinfo", "sm_90a/O0"),
    "indirect": (*EVERYWHERE, "sm_80/debug", "sm_75/O0"),
    "integers": EVERYWHERE,
    "launch": ("sm_75/rdc", "sm_90a/rdc"),
    "mathematics": ("sm_80", "sm_90a/fast"),
    "memory": ("sm_75", "sm_80", "sm_90a", "sm_100a/debug", "sm_120a"),
    "modern": ("sm_80", "sm_90a", "sm_100a/lineinfo", "sm_120a"),
    "runtime": (*EVERYWHERE, "sm_75/debug", "sm_120a/lineinfo"),
    "templates": ("sm_75", "sm_90a", "sm_120a/O0", "sm_80/lineinfo", "sm_100a/fast"),
    "tensor_cores": ("sm_75", "sm_80", "sm_86/debug", "sm_120a/O0"),
    "textures": ("sm_75", "sm_90a", "sm_120a"),
    "warps": (*EVERYWHERE, "sm_100a/debug"),
    "wmma": ("sm_75", "sm_80", "sm_90a", "sm_120a/lineinfo"),
}


@dataclass(frozen=True, slots=True)
class Product:
    """One PTX file of the corpus: where it comes from and how it is made."""

    source: str
    target: str
    flavour: str = ""

    @property
    def name(self) -> str:
        """The file's name without its suffix, such as ``cub_scan-sm_80-lineinfo``."""
        return "-".join(part for part in (self.source, self.target, self.flavour) if part)

    @property
    def flags(self) -> tuple[str, ...]:
        """The options of nvcc besides the target."""
        return FLAVOURS[self.flavour] if self.flavour else ()


def plan() -> Iterator[Product]:
    """Every product, in the order of the plan."""
    for source, items in PLAN.items():
        for item in items:
            target, _, flavour = item.partition("/")
            yield Product(source, target, flavour)


def without_machine_paths(text: str, toolkit: Path) -> str:
    """``text`` with the source folder and the toolkit's folder replaced by neutral names."""
    text = text.replace(f'"{SOURCES}/', '"').replace(f"{toolkit}/bin/../", f"{toolkit}/")
    return neutral_text(text, {str(SOURCES): "/cuda", str(toolkit): "/cuda"})


def neutral_text(text: str, folders: Mapping[str, str]) -> str:
    """``text`` with folders of this machine replaced, longest first.

    Names in DWARF data keep their length (padded with more slashes): offsets count their bytes.
    """
    folders = dict(sorted(folders.items(), key=lambda item: -len(item[0])))
    for folder, name in folders.items():
        text = text.replace(folder, name)
    pattern = re.compile(r"(?:^\s*\.b8 [\d, ]+(?://[^\n]*)?\n)+", re.MULTILINE)
    return pattern.sub(lambda run: _neutral_bytes(run[0], folders), text)


def _neutral_bytes(run: str, folders: Mapping[str, str]) -> str:
    rows = re.findall(r"(\s*\.b8 )([\d, ]*\d)([^\n]*\n)", run)
    data = bytes(int(number) for _, numbers, _ in rows for number in numbers.split(","))
    for folder, name in folders.items():
        data = data.replace(folder.encode(), name.encode().ljust(len(folder), b"/"))
    left = iter(data)
    return "".join(
        f"{before}{','.join(str(next(left)) for _ in numbers.split(','))}{after}"
        for before, numbers, after in rows
    )


def make(product: Product, program: Path) -> str:
    """Compiles one product; returns "" or why it was refused, in which case the old file stays."""
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / f"{product.name}.ptx"
        try:
            nvcc.compile_to_ptx(
                SOURCES / f"{product.source}.cu", raw, product.target, product.flags, program
            )
        except nvcc.NvccError as error:
            return str(error)
        toolkit = program.resolve().parent.parent
        raw.write_text(without_machine_paths(raw.read_text(), toolkit))
        refusal = refused(raw, product.target, program.with_name("ptxas"))
        if not refusal:
            PRODUCTS.mkdir(exist_ok=True)
            (PRODUCTS / raw.name).write_text(raw.read_text())
        return refusal


def refused(path: Path, target: str, program: Path) -> str:
    """The first complaint of ptxas when it only parses and checks a file; "" if it accepts it."""
    run = ptxas.run(program, path, target)
    if run.status == 0:
        return ""
    return "\n".join(f"line {it.line}: {it.text}" for it in run.messages if it.is_error)


def main() -> int:
    """Makes all products, or those whose name contains one of the arguments."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="part of a product's name")
    names = parser.parse_args().names
    program = nvcc.find()
    if program is None:
        sys.stderr.write(f"{nvcc.HOW_TO_INSTALL}\n")
        return 1
    failures = 0
    for product in plan():
        if names and not any(name in product.name for name in names):
            continue
        refusal = make(product, program)
        failures += bool(refusal)
        sys.stdout.write(f"{product.name}: {refusal or 'ok'}\n")
        sys.stdout.flush()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
