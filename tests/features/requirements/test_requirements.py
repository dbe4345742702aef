"""Requirements against statements by themselves, and against ptxas on compiler output."""

import re
from pathlib import Path
from typing import Final

import pytest

from ptx_ls import isa
from ptx_ls.features.requirements.requirements import Requirements, requirements
from ptx_ls.features.requirements.requirements_text import details, needed_by, obstacles, summary
from ptx_ls.isa.version import describe_version
from ptx_ls.toolchain import ptxas

CORPUS: Final = Path(__file__).parents[2] / "corpus" / "ptx"
HEADER: Final = ".version {}\n.target {}\n.address_size 64\n"
KERNEL: Final = """\
.visible .entry kernel()
{{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .f32 %f<9>;
    .reg .b64 %rd<9>;
    {}
    ret;
}}
"""
VERSION: Final = re.compile(r"(?m)^(\s*\.version\s+)[\d.]+")
FILES: Final = (
    "atomics-sm_90a", "cooperative-sm_80", "half-sm_75", "indirect-sm_86", "memory-sm_75",
    "numba-sm_75-warp", "triton-sm_80-atomics", "wmma-sm_90a",
)  # fmt: skip


def check_needs(
    body: str, version: str, target: str, *, declared: tuple[str, str] = ("9.0", "sm_90a")
) -> Requirements:
    """Checks the least version on any target, and the oldest target, of a kernel."""
    found = requirements(HEADER.format(*declared) + KERNEL.format(body))
    assert (found.version.value, found.target.value) == (version, target)
    return found


def test_nothing_special() -> None:
    found = check_needs("mov.b32 %r1, %r2;", "2.3", "sm_10")
    assert found.version.forced_by[0].what == ".address_size"
    assert summary(found) == "needs PTX ISA 8.0 for `sm_90a`, and declares 9.0"


def test_instruction() -> None:
    found = check_needs("shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;", "6.0", "sm_30")
    (forcing,) = found.version.forced_by
    assert (forcing.line, forcing.what) == (9, "shfl.sync.bfly.b32")
    assert needed_by(forcing) == "PTX ISA 6.0 and sm_30 or newer"


def test_modifier_and_special_register() -> None:
    found = check_needs(
        "mov.u32 %r1, %clusterid.x;\nfma.rn.relu.f32 %f1, %f2, %f3, %f4;", "7.8", "sm_90"
    )
    assert {demand.what for demand in found.target.forced_by} == {"%clusterid"}


def test_the_first_line_that_forces() -> None:
    found = check_needs("bar.warp.sync -1;\nbar.warp.sync -1;", "6.0", "sm_30")
    assert [demand.line for demand in found.version.forced_by] == [9]


def test_architecture_specific() -> None:
    found = check_needs("setmaxnreg.inc.sync.aligned.u32 96;", "8.0", "sm_90a")
    assert found.lock is not None
    assert found.lock.value == "f"
    assert [demand.what for demand in found.lock.forced_by] == ["setmaxnreg.inc.sync.aligned.u32"]


def test_one_architecture_only() -> None:
    found = check_needs("wgmma.fence.sync.aligned;", "8.0", "sm_90a")
    assert found.lock is not None
    assert (found.lock.value, found.targets) == ("a", ("sm_90a",))
    assert "runs only on `sm_90a`" in list(details(found))


def test_what_ptxas_only_advises_is_no_need() -> None:
    bulk = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
    body = f"{bulk} [%r1], [%rd1], 16, [%r1], %rs1;"
    found = check_needs(f".reg .b16 %rs<2>; {body}", "8.0", "sm_90")
    assert found.lock is None
    assert {"sm_100a", "sm_120"} <= {*found.targets}
    mma = "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e4m3.e5m2.f32"
    vectors = "{%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4}"
    found = check_needs(f"{mma} {vectors};", "8.6", "sm_100a", declared=("9.3", "sm_120a"))
    assert {"sm_100f", "sm_110a", "sm_121f"} <= {*found.targets}


def test_what_is_in_the_way() -> None:
    found = check_needs(
        "shfl.sync.idx.b32 %r1, %r2, 1, 31, -1;\ncp.async.wait_all;", "7.0", "sm_80"
    )
    assert [demand.what for demand in obstacles(found, "6.5", None)] == ["cp.async.wait_all"]
    assert [demand.line for demand in obstacles(found, "5.0", "sm_50")] == [9, 10]
    assert obstacles(found, "7.0", "sm_80") == []


@pytest.mark.parametrize(("version", "target"), [("6.9", None), (None, "sm_1"), (None, "debug")])
def test_unknown_versions_and_targets(version: str | None, target: str | None) -> None:
    with pytest.raises(ValueError, match=re.escape(version or target or "")):
        obstacles(requirements(HEADER.format("7.0", "sm_80")), version, target)


def test_what_only_rules_know() -> None:
    text = HEADER.format("8.3", "sm_80") + KERNEL.format('.pragma "used_bytes_mask 3";')
    found = requirements(text).version_of_target
    assert found is not None
    assert (found.value, found.forced_by[0].line) == ("8.3", 9)


@pytest.mark.parametrize(
    ("text", "version", "what"),
    [
        (".version 8.5\n.target sm_20\n.entry kernel(.param .u32 n) { ret; }", "1.4", "n"),
        ('.version 8.5\n.target sm_20\n.file 1 "a.c", 5, 6\n.entry kernel() { ret; }', "3.2", "5"),
        (
            ".version 8.5\n.target sm_75\n.entry kernel(.param .b8 n[5000]) { ret; }",
            "8.1",
            "kernel",
        ),
    ],
)
def test_what_stands_in_no_instruction(text: str, version: str, what: str) -> None:
    found = requirements(text)
    assert found.version.value == version
    assert [demand.what for demand in found.version.forced_by] == [what]


def test_a_value_decides() -> None:
    header, body = HEADER.format("9.0", "sm_103a"), "tensormap.replace.tile.swizzle_mode"
    for value, oldest in ((3, "sm_90a"), (4, "sm_103a")):
        text = f"{body}.global.b1024.b32 [%rd1], {value};"
        assert requirements(header + KERNEL.format(text)).target.value == oldest


def test_a_letter_that_nothing_needs() -> None:
    found = check_needs("mov.u32 %r1, %clusterid.x;", "7.8", "sm_90")
    assert any(line.startswith("nothing in the module needs `sm_90a`") for line in details(found))


def test_families_and_architectures_are_told_apart() -> None:
    body = "tensormap.replace.tile.rank.global.b1024.b32 [%rd1], 3;"
    found = requirements(HEADER.format("9.0", "sm_90a") + KERNEL.format(body))
    only = "runs only on `sm_90a` and the families `sm_100f`, `sm_110f` and `sm_120f`"
    assert only in list(details(found))


@pytest.mark.parametrize("text", ["", "\n", "}", ".version", ".version 1", "@#$", "add.u32 %r1"])
def test_no_module(text: str) -> None:
    assert requirements(text).is_possible


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "needs `sm_10` or newer, but declares no known target"),
        (
            ".version 8.0\n.target sm_999\n",
            "needs `sm_10` or newer, but declares the unknown `sm_999`",
        ),
        (
            HEADER.format("8.0", "sm_75") + KERNEL.format("redux.sync.add.s32 %r1, %r2, -1;"),
            "needs `sm_80` or newer, but declares `sm_75`",
        ),
    ],
)
def test_targets_that_will_not_do(text: str, expected: str) -> None:
    assert summary(requirements(text)) == expected


def test_nothing_has_it_all() -> None:
    both = "wgmma.fence.sync.aligned;\ntcgen05.fence::before_thread_sync;"
    found = requirements(HEADER.format("9.0", "sm_90a") + KERNEL.format(both))
    assert not found.is_possible
    assert summary(found) == "uses features that no version and target support together"
    assert list(details(found)) == [
        "conflicting features:",
        "  line 10: `wgmma.fence.sync.aligned`",
        "  line 11: `tcgen05.fence::before_thread_sync`",
    ]


@pytest.mark.slow
@pytest.mark.skipif(ptxas.find() is None, reason="needs ptxas")
@pytest.mark.parametrize("name", FILES)
def test_ptxas_takes_the_least_version_and_no_older_one(name: str, tmp_path: Path) -> None:
    text = (CORPUS / f"{name}.ptx").read_text(encoding="utf-8")
    found = requirements(text)
    least = found.version_of_target
    assert least is not None
    names = [describe_version(number) for number in sorted(isa.database().versions)]
    older = names[names.index(least.value) - 1]
    program, source = ptxas.find(), tmp_path / "module.ptx"
    assert program is not None
    for version, status in ((least.value, 0), (older, 255)):
        source.write_text(VERSION.sub(rf"\g<1>{version}", text, count=1), encoding="utf-8")
        assert ptxas.run(program, source, found.context.target[0]).status == status


def test_the_first_line_of_several_is_told() -> None:
    lines = [f"ld.global.nc.f32 %f1, [%rd1{offset}];" for offset in ("", "+4", "+-4")]
    for _ in range(9):  # shapes are kept in sets, whose order is another one each time
        text = HEADER.format("9.0", "sm_90a") + KERNEL.format("\n".join(lines))
        (found,) = [it for it in requirements(text).demands if it.what == "ld.global.nc.f32"]
        assert text.splitlines()[found.line].strip() == lines[0]
