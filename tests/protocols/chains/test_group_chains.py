"""Which wait covers which operation: compared with random walks through random kernels."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from ptx_ls.document.document import Document
from ptx_ls.protocols.chains.function_chains import FunctionChains
from ptx_ls.protocols.chains.group_chains import GroupChains
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity

HEAD = """\
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<9>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
.shared .align 16 .b8 s[4096];
ld.param.u64 %rd1, [p];
ld.global.u32 %r1, [%rd1];
setp.ne.u32 %p1, %r1, 0;
setp.ne.u32 %p2, %r1, 1;
"""
COPY = "cp.async.ca.shared.global [s], [%rd1], 16;"
COMMIT = "cp.async.commit_group;"
STEPS = (COPY, COPY, COMMIT, COMMIT, "cp.async.wait_all;", *(
    f"cp.async.wait_group {number};" for number in range(3)
))  # fmt: skip


@dataclass
class Walk:
    """A thread on a random path: the line of each copy that is in flight, by groups."""

    open: list[int] = field(default_factory=list)
    committed: list[list[int]] = field(default_factory=list)

    def step(self, line: int, text: str) -> None:
        """Executes a statement."""
        if text == COPY:
            self.open.append(line)
        if text in (COMMIT, "cp.async.wait_all;"):
            self.committed.append(self.open)
            self.open = []
        if "wait" in text:
            left = 0 if "all" in text else int(text.split()[1].rstrip(";"))
            self.committed = self.committed[len(self.committed) - left :] if left else []

    @property
    def in_flight(self) -> set[int]:
        """The lines of copies that are not complete."""
        return {*self.open, *(line for group in self.committed for line in group)}


def check_chains(body: str) -> tuple[GroupChains, dict[int, int]]:
    """Reads a kernel; returns its groups of `cp.async`, and the sites of lines, from 0."""
    document = Document.read(f"{HEAD}{body}\n}}\n")
    located = document.functions[1]
    uniformity = function_uniformity(located.function, module_facts(document))
    assert uniformity.is_known
    chains = FunctionChains(uniformity)
    lines = {
        located.position(site.found.start).line: number
        for number, site in enumerate(chains.sites.sites)
    }
    return chains.groups["cp.async"], lines


def kernel(random_: random.Random) -> list[list[str]]:
    """Returns the blocks of a random kernel; each may branch to any other one."""
    blocks = []
    n_blocks = random_.randrange(2, 6)
    for number in range(n_blocks):
        body = [random_.choice(STEPS) for _ in range(random_.randrange(1, 6))]
        if random_.random() < 0.7:
            body.append(f"@%p{random_.randrange(1, 3)} bra B{random_.randrange(n_blocks)};")
        blocks.append([f"B{number}:", *body])
    return [[COPY, COMMIT], *blocks, ["ret;"]]


def walk_through(
    blocks: list[list[str]], groups: GroupChains, sites: dict[int, int], random_: random.Random
) -> None:
    """Takes a random path, and checks all claims on it."""
    first = HEAD.count("\n")
    lines = [line for block in blocks for line in block]
    starts = {line[:-1]: at for at, line in enumerate(lines) if line.endswith(":")}
    walk, at, seen = Walk(), 0, set[int]()
    for _ in range(300):
        text, line = lines[at], at + first
        if text == "ret;":
            for copy in seen:
                if groups.is_awaited(sites[copy]):
                    assert copy not in walk.in_flight
            return
        walk.step(line, text)
        if text == COPY:
            seen.add(line)
        number = sites.get(line)
        if number is not None and number in groups.waits:
            done = {each.number for each in groups.completed_by(number) if each.is_all}
            assert not {sites[copy] for copy in walk.in_flight} & done
        if number is not None and number in groups.waits | groups.commits:
            pending = groups.in_flight_after(number)
            assert pending is None or len(walk.committed) in pending
        at += 1
        if "bra" in text and random_.random() < 0.5:
            at = starts[text.split()[2].rstrip(";")]


@pytest.mark.parametrize("seed", range(60))
def test_random_walks(seed: int) -> None:
    random_ = random.Random(seed)  # noqa: S311  the same in every run
    blocks = kernel(random_)
    groups, sites = check_chains("\n".join(line for block in blocks for line in block))
    for _ in range(20):
        walk_through(blocks, groups, sites, random_)


def test_a_pipeline() -> None:
    body = [
        COPY, COMMIT, COPY, COMMIT, "L:", "cp.async.wait_group 1;", COPY, COMMIT, "@%p1 bra L;",
        "cp.async.wait_group 0;", "ret;",
    ]  # fmt: skip
    groups, sites = check_chains("\n".join(body))
    first = HEAD.count("\n")
    in_loop, last = sites[first + 5], sites[first + 9]
    oldest, second, later = (sites[first + each] for each in (0, 2, 6))
    assert groups.waits_of(oldest) == [in_loop]
    assert groups.is_awaited(oldest)
    assert groups.waits_of(second) == [in_loop, last]
    assert groups.waits_of(later) == [in_loop, last]
    assert groups.is_awaited(later)
    assert groups.in_flight_after(sites[first + 3]) == range(2, 3)
    assert groups.in_flight_after(in_loop) == range(1, 2)
    assert groups.oldest_after(sites[first + 3]) == [oldest]
    assert {each.number for each in groups.completed_by(last)} >= {second, later}


def test_a_guard_of_its_own() -> None:
    groups, sites = check_chains(f"{COPY}\n{COMMIT}\n@%p1 cp.async.wait_group 0;\nret;")
    copy, wait = min(sites.values()), max(sites.values())
    assert groups.waits_of(copy) == [wait]
    assert not groups.is_awaited(copy)
    assert [each.is_all for each in groups.completed_by(wait)] == [False]
    groups, sites = check_chains(f"@%p1 {COPY}\n@%p1 {COMMIT}\n@%p1 cp.async.wait_group 0;\nret;")
    assert groups.is_awaited(min(sites.values()))
