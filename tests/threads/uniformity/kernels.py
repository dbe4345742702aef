"""Random kernels in which threads talk to each other, part and meet again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.values.random_kernels import KernelWriter

if TYPE_CHECKING:
    import random

_TOGETHER: Final = (
    *("shfl.sync.idx.b32 D, A, 0, 31, -1", "shfl.sync.idx.b32 D, A, 5, 31, -1"),
    *("vote.sync.ballot.b32 D, P, -1", "ld.global.u32 D, [L]", "ld.param.u32 D, [n]"),
    *("mov.u32 D, %tid.x", "mov.u32 D, %laneid", "mov.u32 D, %ctaid.x", "shr.u32 D, A, 5"),
    *("and.b32 D, A, -32", "and.b32 D, A, 31", "mov.u32 D, %tid.y", "mov.u32 D, %ntid.x"),
    "mad.lo.s32 D, A, 64, A",
)
_PREDICATES: Final = (
    *("vote.sync.any.pred D, P, -1", "vote.sync.all.pred D, P, -1", "elect.sync _|D, -1"),
    *("setp.lt.u32 D, A, 5", "setp.lt.u32 D, A, 32", "setp.eq.s32 D, A, 0", "setp.ge.u32 D, A, 40"),
)


class ThreadKernelWriter(KernelWriter):
    """Writes a random kernel of small blocks."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self.threads = chance.choice([(64, 1, 1), (64, 1, 1), (16, 4, 1), (40, 1, 1), (32, 2, 1)])
        self.is_stated = self.threads != (64, 1, 1) or chance.random() < 0.6

    def kernel(self) -> str:
        """Returns the text of a kernel."""
        text = super().kernel()
        if not self.is_stated:
            text = text.replace(".reqntid", ".maxntid")
        return text

    def _statement(self) -> None:
        chance = self._chance
        if chance.random() < 0.55:
            super()._statement()
            return
        family, templates = chance.choice([("%r", _TOGETHER), ("%p", _PREDICATES)])
        text = chance.choice(templates)
        target = self._register(family)
        text = text.replace("D", target)
        for letter, other in (("A", "%r"), ("P", "%p"), ("L", "%rd")):
            text = text.replace(letter, self._register(other, also_counters=other != "%rd"))
        guard = f"@{self._register('%p')} " if chance.random() < 0.1 else ""
        self.lines.append(f"{guard}{text};")

    def _block(self, n_statements: int, depth: int) -> None:
        kind = self._chance.random()
        if kind < 0.12:
            self._unstructured()
        elif kind < 0.2:
            self._shared_head()
        super()._block(n_statements, depth)

    def _unstructured(self) -> None:
        """Writes branches into each other's parts, as `a || b` is compiled."""
        body, other, end = self._label(), self._label(), self._label()
        self._statement()
        self.lines.append(f"@{self._register('%p')} bra {body};")
        self._statement()
        self.lines.append(f"@{self._register('%p')} bra {other};")
        self._statement()
        self.lines += [f"bra {end};", f"{body}:"]
        self._statement()
        self.lines.append(f"{other}:")
        self._statement()
        self.lines.append(f"{end}:")
        self._statement()

    def _shared_head(self) -> None:
        """Writes two loops with one head, of which the inner one may end at different times."""
        head, counter = self._label(), self._register("%r")
        self.lines += [f"mov.u32 {counter}, 0;", f"{head}:", f"add.s32 {counter}, {counter}, 1;"]
        self._statement()
        inner, outer = "%p4", "%p5"
        limit = self._chance.choice(["2", self._register("%r")])
        self.lines += [f"setp.lt.u32 {inner}, {counter}, {limit};", f"@{inner} bra {head};"]
        self._statement()
        self.lines += [f"setp.lt.u32 {outer}, {counter}, 4;", f"@{outer} bra {head};"]
