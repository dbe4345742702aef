"""Random kernels: straight code, branches, loops, guards and conversions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

_HEAD: Final = """.version 8.5
.target sm_90
.address_size 64
.shared .align 16 .b8 sm[1024];
.visible .entry k(.param .u64 p, .param .u32 n, .param .u32 m)
{directives}
{{
.reg .pred %p<6>;
.reg .b16 %rs<3>;
.reg .b32 %r<10>;
.reg .b64 %rd<5>;
"""
N_REGISTERS: Final = {"%p": 4, "%rs": 3, "%r": 8, "%rd": 5}
"""The registers that random instructions use; loops count in others."""
_COMPARED: Final = ("eq", "ne", "lt", "le", "gt", "ge")
_NUMBERS: Final = (0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 100, 255, 256, 1023, 65535)
_WORDS: Final = (
    *("add.s32 D,A,B", "sub.u32 D,A,B", "mul.lo.s32 D,A,B", "mad.lo.s32 D,A,B,A", "neg.s32 D,A"),
    *("and.b32 D,A,B", "or.b32 D,A,B", "xor.b32 D,A,B", "not.b32 D,A", "abs.s32 D,A"),
    *("shl.b32 D,A,N", "shr.u32 D,A,N", "shr.s32 D,A,N", "shl.b32 D,A,B", "shr.u32 D,A,B"),
    *("min.s32 D,A,B", "max.s32 D,A,B", "min.u32 D,A,B", "max.u32 D,A,B", "popc.b32 D,A"),
    *("bfe.u32 D,A,N,N", "bfe.s32 D,A,N,N", "bfi.b32 D,A,B,N,N", "prmt.b32 D,A,B,12816"),
    *("div.u32 D,A,K", "rem.u32 D,A,K", "div.s32 D,A,K", "rem.s32 D,A,K", "clz.b32 D,A"),
    *("mul.hi.u32 D,A,B", "mul.hi.s32 D,A,B", "lop3.b32 D,A,B,A,150", "add.sat.s32 D,A,B"),
    *("mov.b32 D,A", "mov.b32 D,N", "mov.u32 D,S", "mov.u32 D,S", "add.s32 D,A,1", "add.s32 D,A,4"),
    *("mov.u32 D,sm", "mov.u32 D,sm+16", "ld.param.u32 D,[n]", "ld.param.u32 D,[m]"),
    *(
        "selp.b32 D,A,B,P",
        "cvt.u32.u64 D,L",
        "cvt.u32.u16 D,H",
        "cvt.s32.s16 D,H",
        "cvt.u32.u8 D,A",
    ),
    *("cvt.sat.s8.s32 D,A", "shf.l.wrap.b32 D,A,B,N", "mul.lo.s32 D,A,4", "and.b32 D,A,N"),
)
_LONGS: Final = (
    *("mul.wide.s32 D,A,B", "mul.wide.u32 D,A,4", "mad.wide.s32 D,A,4,L", "cvt.s64.s32 D,A"),
    *("cvt.u64.u32 D,A", "add.s64 D,L,M", "sub.s64 D,L,M", "shl.b64 D,L,N", "and.b64 D,L,N"),
    *("mov.b64 D,L", "mov.b64 D,N", "mov.b64 D,{A,B}", "mov.b64 D,{A,0}", "mov.u64 D,sm"),
    *("ld.param.u64 D,[p]", "cvta.shared.u64 D,L", "cvta.to.shared.u64 D,L", "add.s64 D,L,8"),
    *("mul.lo.s64 D,L,M", "shr.s64 D,L,N", "shr.u64 D,L,N", "or.b64 D,L,M", "selp.b64 D,L,M,P"),
    *("min.u64 D,L,M", "sub.s64 D,L,16", "mad.lo.s64 D,L,8,M", "neg.s64 D,L"),
)
_HALVES: Final = (
    "cvt.u16.u32 D,A",
    "add.s16 D,H,H",
    "mul.lo.s16 D,H,H",
    "mov.b16 D,H",
    "and.b16 D,H,N",
)
_PREDICATES: Final = (
    *("setp.C.s32 D,A,B", "setp.C.u32 D,A,B", "setp.C.s32 D,A,N", "setp.C.u32 D,A,N"),
    *("setp.C.s64 D,L,M", "setp.C.u64 D,L,N", "and.pred D,P,P", "or.pred D,P,P", "not.pred D,P"),
    *("xor.pred D,P,P", "mov.pred D,P", "setp.C.and.s32 D,A,N,P", "setp.C.or.u32 D,A,N,P"),
    *("setp.C.and.s32 D,A,N,!P", "setp.C.s32 D,S0,N"),
)
SPECIAL: Final = ("%tid.x", "%tid.y", "%ctaid.x", "%ntid.x", "%laneid", "%nctaid.x")


class KernelWriter:
    """Writes a random kernel."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.lines: list[str] = []
        self._n_labels = 0
        self.threads = chance.choice([None, None, (64, 1, 1), (256, 1, 1), (16, 8, 1)])

    def kernel(self) -> str:
        """Returns the text of a kernel that writes all its registers first."""
        directives = "" if self.threads is None else ".reqntid {}, {}, {}".format(*self.threads)
        self.lines = _HEAD.format(directives=directives).splitlines()
        for family, count in N_REGISTERS.items():
            for number in range(count + 2 * (family in ("%r", "%p"))):
                self._initialize(f"{family}{number}", family)
        self._block(self._chance.randint(6, 14), 0)
        self.lines += ["ret;", "}"]
        return "\n".join(self.lines) + "\n"

    def _initialize(self, register: str, family: str) -> None:
        number = self._chance.choice(_NUMBERS)
        if family == "%p":
            self.lines.append(f"setp.lt.u32 {register}, 1, {number};")
        else:
            width = {"%rs": 16, "%r": 32, "%rd": 64}[family]
            self.lines.append(f"mov.b{width} {register}, {number};")

    def _label(self) -> str:
        self._n_labels += 1
        return f"L{self._n_labels}"

    def _block(self, n_statements: int, depth: int) -> None:
        for _ in range(n_statements):
            kind = self._chance.random()
            if kind < 0.12 and depth < 3:
                self._choice(depth)
            elif kind < 0.24 and depth < 2:
                self._loop(depth)
            else:
                self._statement()

    def _statement(self) -> None:
        chance = self._chance
        kind = chance.random()
        if kind < 0.5:
            family, template = "%r", chance.choice(_WORDS)
        elif kind < 0.72:
            family, template = "%rd", chance.choice(_LONGS)
        elif kind < 0.8:
            family, template = "%rs", chance.choice(_HALVES)
        else:
            family, template = "%p", chance.choice(_PREDICATES)
        guard = (
            f"@{chance.choice(['', '!'])}{self._register('%p')} " if chance.random() < 0.12 else ""
        )
        self.lines.append(f"{guard}{self._filled(template, self._register(family))};")

    def _filled(self, template: str, target: str) -> str:
        opcode, _, operands = template.partition(" ")
        opcode = opcode.replace(".C.", f".{self._chance.choice(_COMPARED)}.")
        parts = [self._operand(each, target) for each in operands.split(",")]
        return f"{opcode} {', '.join(parts)}"

    def _operand(self, text: str, target: str) -> str:
        chance = self._chance
        start = "{" if text.startswith("{") else "!" if text.startswith("!") else ""
        end = "}" if text.endswith("}") else ""
        name = text[len(start) : len(text) - len(end)]
        choices: dict[str, Callable[[], str]] = {
            "D": lambda: target,
            "A": lambda: self._register("%r", also_counters=True),
            "B": lambda: self._register("%r") if chance.random() < 0.6 else self._number(),
            "L": lambda: self._register("%rd"),
            "M": lambda: self._register("%rd"),
            "H": lambda: self._register("%rs"),
            "P": lambda: self._register("%p"),
            "N": self._number,
            "K": lambda: str(chance.choice([1, 2, 3, 8, 10, 32])),
            "S": lambda: chance.choice(SPECIAL),
            "S0": lambda: self._register("%r", also_counters=True),
        }
        return start + choices.get(name, lambda: name)() + end

    def _number(self) -> str:
        sign = "-" if self._chance.random() < 0.1 else ""
        return f"{sign}{self._chance.choice(_NUMBERS)}"

    def _register(self, family: str, *, also_counters: bool = False) -> str:
        count = N_REGISTERS[family] + 2 * (also_counters and self._chance.random() < 0.5)
        return f"{family}{self._chance.randrange(count)}"

    def _choice(self, depth: int) -> None:
        other, end = self._label(), self._label()
        predicate = self._register("%p")
        if self._chance.random() < 0.8:
            self.lines.append(f"{self._filled(self._chance.choice(_PREDICATES[:4]), predicate)};")
        self.lines.append(f"@{self._chance.choice(['', '!'])}{predicate} bra {other};")
        self._block(self._chance.randint(1, 4), depth + 1)
        if self._chance.random() < 0.5:
            self.lines += [f"bra {end};", f"{other}:"]
            self._block(self._chance.randint(1, 4), depth + 1)
            self.lines.append(f"{end}:")
        else:
            self.lines.append(f"{other}:")
        if self._chance.random() < 0.1:
            self.lines.append(f"@{self._register('%p')} ret;")

    def _loop(self, depth: int) -> None:
        chance = self._chance
        again, end = self._label(), self._label()
        counter, predicate = f"%r{N_REGISTERS['%r'] + depth}", f"%p{N_REGISTERS['%p'] + depth}"
        start = chance.choice([0, 0, 0, 1, 10, 64, -4])
        step = chance.choice([1, 1, 1, 2, 4, -1, -2, 3])
        if chance.random() < 0.7:
            self.lines.append(f"mov.u32 {counter}, {start};")
        elif chance.random() < 0.5:
            self.lines.append(f"mov.u32 {counter}, %tid.x;")
        limit = chance.choice(["4", "10", "16", "0", self._register("%r")])
        operator = chance.choice(_COMPARED)
        sign = chance.choice("su")
        test = f"setp.{operator}.{sign}32 {predicate}, {counter}, {limit};"
        self.lines.append(f"{again}:")
        is_tested_first = chance.random() < 0.4
        if is_tested_first:
            self.lines += [test, f"@!{predicate} bra {end};"]
        self._block(chance.randint(1, 4), depth + 1)
        if chance.random() < 0.15:
            self.lines.append(f"@{self._register('%p')} bra {end};")
        changes = [f"add.s32 {counter}, {counter}, {step};"]
        if chance.random() < 0.2:
            changes = [f"add.s32 %r0, {counter}, {step};", f"mov.u32 {counter}, %r0;"]
        guard = f"@{self._register('%p')} " if chance.random() < 0.08 else ""
        self.lines += [guard + each for each in changes]
        if chance.random() < 0.3:
            pointer = self._register("%rd")
            self.lines.append(f"add.s64 {pointer}, {pointer}, {chance.choice([4, 8, 16])};")
        if is_tested_first:
            self.lines.append(f"bra {again};")
        else:
            self.lines += [test, f"@{predicate} bra {again};"]
        self.lines.append(f"{end}:")
