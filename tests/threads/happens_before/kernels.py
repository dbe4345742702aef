"""Random kernels whose threads exchange values through shared memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random

THREADS: Final = 40
"""Number of threads of a block: one warp, and a part of another."""
WORDS: Final = 256
_HEAD: Final = f"""\
.visible .entry k(.param .u64 p)
.reqntid {THREADS}
{{
.reg .pred %p<9>;
.reg .b32 %r<40>;
.reg .b64 %rd<4>;
.shared .align 4 .b8 sm[{4 * WORDS}];
mov.u32 %r1, %tid.x;
and.b32 %r2, %r1, 31;
shr.u32 %r3, %r1, 5;
shl.b32 %r4, %r1, 2;
shl.b32 %r5, %r2, 2;
shl.b32 %r6, %r3, 2;
mov.u32 %r7, sm;
add.s32 %r10, %r7, %r4;
add.s32 %r11, %r7, %r5;
add.s32 %r12, %r7, %r6;
sub.s32 %r13, %r7, %r4;
add.s32 %r13, %r13, {4 * (THREADS - 1)};
xor.b32 %r14, %r4, 4;
add.s32 %r14, %r7, %r14;
mov.u32 %r15, sm;
shl.b32 %r16, %r1, 3;
add.s32 %r16, %r7, %r16;
setp.eq.u32 %p1, %r1, 0;
setp.lt.u32 %p2, %r1, 32;
setp.eq.u32 %p3, %r2, 0;
setp.lt.u32 %p4, %r1, 8;
setp.eq.u32 %p6, %r1, 0;
mov.u32 %r17, %r10;
"""
_BASES: Final = ("%r10", "%r11", "%r12", "%r13", "%r14", "%r15", "%r16", "%r17")
_GUARDS: Final = ("", "", "", "@%p1 ", "@%p2 ", "@!%p3 ", "@%p3 ", "@%p4 ", "@!%p2 ", "@%p6 ")
_OFFSETS: Final = (0, 0, 4, 64, 128, 160)


class KernelWriter:
    """Writes a kernel line by line."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.lines = _HEAD.splitlines()
        self._n_labels = 0
        self.has_loop = False

    def finish(self) -> list[str]:
        """Returns the lines of the kernel."""
        return [*self.lines, "ret;", "}"]

    def items(self, count: int, depth: int, *, is_whole: bool) -> None:
        """Writes accesses, barriers where all threads get to them, branches and loops."""
        for _ in range(count):
            kind = self._chance.random()
            if kind < 0.3 and is_whole:
                self.lines.append(
                    self._chance.choice(("bar.sync 0;", "bar.sync 0;", "bar.warp.sync -1;"))
                )
            elif kind < 0.45 and depth:
                self._branch(depth)
            elif kind < 0.55 and depth and is_whole:
                self._loop(depth)
            else:
                self._access()

    def _access(self) -> None:
        base, offset = self._chance.choice(_BASES), self._chance.choice(_OFFSETS)
        guard, where = self._chance.choice(_GUARDS), f"[{base}+{offset}]"
        if self._chance.random() < 0.5:
            self.lines.append(f"{guard}st.shared.u32 {where}, %r1;")
        else:
            self.lines.append(f"{guard}ld.shared.u32 %r{self._chance.randrange(30, 39)}, {where};")

    def _label(self) -> str:
        self._n_labels += 1
        return f"L{self._n_labels}"

    def _branch(self, depth: int) -> None:
        label = self._label()
        self.lines.append(f"@%p{self._chance.randrange(1, 5)} bra {label};")
        self.items(2, depth - 1, is_whole=False)
        self.lines.append(f"{label}:")

    def _loop(self, depth: int) -> None:
        self.has_loop = True
        counter, label = f"%r{20 + depth}", self._label()
        self.lines += [f"mov.u32 {counter}, 0;", f"{label}:"]
        if self._chance.random() < 0.7:
            base, step = self._chance.choice(_BASES[:5]), self._chance.choice((4, 32, 160))
            self.lines += [
                f"mad.lo.s32 %r17, {counter}, {step}, {base};",
                f"setp.eq.u32 %p6, {counter}, {self._chance.randrange(2)};",
            ]
        self.items(3, depth - 1, is_whole=True)
        self.lines += [
            f"add.s32 {counter}, {counter}, 1;",
            f"setp.lt.u32 %p5, {counter}, {self._chance.randrange(2, 4)};",
            f"@%p5 bra {label};",
        ]
