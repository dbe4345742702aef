"""Numbers with more digits than Python turns into an integer."""

import pytest

from ptx_ls.syntax.written import register_ranges
from tests.support.lint import diagnostics, module
from tests.support.reading import MODES, scanned_by

DIGITS = "9" * 5000
ZEROS = "0" * 5000


def check_survives(text: str) -> set[str]:
    """Lints a text in every way, and returns the rules it breaks, which are always the same."""
    found = []
    for compiled in MODES:
        with scanned_by(compiled), pytest.MonkeyPatch.context() as patch:
            patch.setattr(register_ranges, "compiled", compiled)
            found.append(diagnostics(text))
    assert all(each == found[0] for each in found)
    return {str(each.rule) for each in found[0]}


@pytest.mark.parametrize(
    "statement",
    [
        f"mov.u32 %r{DIGITS}, 1;",
        f"@%p{DIGITS} bra L{DIGITS};",
        f"setp.eq.u32 %p1|%p{DIGITS}, %r1, %r2;",
        f"mov.b32 %r1, %envreg{DIGITS};",
        f"{{ .reg .b32 a; mov.b32 a, %r{DIGITS}; }}",
        f"mov.b64 %rd1, {{%r{DIGITS}, %r1}};",
    ],
)
def test_registers(statement: str) -> None:
    assert check_survives(module(statement)) & {"undeclared-register", "undeclared-name"}


@pytest.mark.parametrize("number", [ZEROS + "1", ZEROS + "9"])
def test_zeros_before_the_number_of_a_register(number: str) -> None:
    assert check_survives(module(f"mov.u32 %r{number}, 1;\nst.u32 [%rd1], %r{number};")) == set()


@pytest.mark.parametrize(
    "text",
    [
        f".version {DIGITS}.{DIGITS}\n.target sm_{DIGITS}\n.address_size {DIGITS}\n",
        module(f".reg .b32 %x<{DIGITS}>;\nmov.u32 %x1, %x{DIGITS};"),
        module(f"ts: .branchtargets L<{DIGITS}>;\nbrx.idx %r1, ts;\nL0: ret;"),
        module(f"add.u32 %r1, %r{DIGITS}, {DIGITS};"),
        module(f"bar.sync {DIGITS};\n.loc {DIGITS} {DIGITS} {DIGITS}"),
        module(f"ld.const[{DIGITS}].u32 %r1, [%rd1+{DIGITS}];"),
        module("ret;") + f".const[{DIGITS}] .b32 a;\n.global .align {DIGITS} .b8 b[{DIGITS}];\n",
        module("ret;") + f".func f(.param .align {DIGITS} .b8 a[{DIGITS}]) {{ ret; }}\n",
        module("ret;") + f".func f() .abi_preserve {DIGITS} {{ ret; }}\n",
    ],
    ids=range(9),
)
def test_elsewhere(text: str) -> None:
    check_survives(text)
