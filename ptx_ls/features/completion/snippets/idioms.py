"""Idioms of PTX as snippets: their purpose, requirements and text, in the notation of `snippet`.

Each declares the registers, labels and variables that it uses; `complete_idiom` renames those that
are taken. Unchanged, each is legal PTX.
"""

from __future__ import annotations

from typing import Final

from ptx_ls.features.completion.snippets.idiom import Idiom

IDIOMS: Final = (
    Idiom(
        "grid-stride loop",
        "A loop that divides the elements among the threads of the whole grid.",
        "2.3",
        "sm_20",
        """\
.reg .pred %more;
.reg .b32 %i, %n, %step, %block, %threads;
mov.u32 %n, «1024»;
mov.u32 %block, %ctaid.x;
mov.u32 %threads, %ntid.x;
mov.u32 %i, %tid.x;
mad.lo.u32 %i, %block, %threads, %i;
mov.u32 %step, %nctaid.x;
mul.lo.u32 %step, %step, %threads;
setp.lt.u32 %more, %i, %n;
@!%more bra GRID_END;
GRID_LOOP:
«// element %i»
add.u32 %i, %i, %step;
setp.lt.u32 %more, %i, %n;
@%more bra GRID_LOOP;
GRID_END:""",
    ),
    Idiom(
        "warp sum",
        "Sums one value from each lane with `shfl.sync`; every lane gets the sum.",
        "6.0",
        "sm_30",
        """\
.reg .b32 %sum, %other;
mov.b32 %sum, «1»;
shfl.sync.bfly.b32 %other, %sum, 16, 31, 0xffffffff;
add.s32 %sum, %sum, %other;
shfl.sync.bfly.b32 %other, %sum, 8, 31, 0xffffffff;
add.s32 %sum, %sum, %other;
shfl.sync.bfly.b32 %other, %sum, 4, 31, 0xffffffff;
add.s32 %sum, %sum, %other;
shfl.sync.bfly.b32 %other, %sum, 2, 31, 0xffffffff;
add.s32 %sum, %sum, %other;
shfl.sync.bfly.b32 %other, %sum, 1, 31, 0xffffffff;
add.s32 %sum, %sum, %other;""",
    ),
    Idiom(
        "warp ballot",
        "Finds the lanes where a condition holds, their number, and this lane's rank among them.",
        "6.0",
        "sm_30",
        """\
.reg .pred %wants;
.reg .b32 %lane, %lanes, %count, %rank;
mov.u32 %lane, %laneid;
setp.«lt».u32 %wants, %lane, «16»;
vote.sync.ballot.b32 %lanes, %wants, 0xffffffff;
popc.b32 %count, %lanes;
mov.u32 %rank, %lanemask_lt;
and.b32 %rank, %rank, %lanes;
popc.b32 %rank, %rank;""",
    ),
    Idiom(
        "elect one lane",
        "One lane of the warp acts for all lanes.",
        "8.0",
        "sm_90",
        """\
.reg .pred %elected;
elect.sync _|%elected, 0xffffffff;
@!%elected bra ELECT_END;
«// one lane»
ELECT_END:""",
    ),
    Idiom(
        "mbarrier arrive and wait",
        "All threads of the block arrive at an mbarrier object and wait for its phase.",
        "7.0",
        "sm_80",
        """\
.shared .align 8 .b64 mbar;
.reg .pred %first, %arrived;
.reg .b32 %thread, %threads;
.reg .b64 %state;
mov.u32 %thread, %tid.x;
mov.u32 %threads, %ntid.x;
setp.eq.u32 %first, %thread, 0;
@%first mbarrier.init.shared.b64 [mbar], %threads;
bar.sync 0;
«// work»
mbarrier.arrive.shared.b64 %state, [mbar];
MBAR_WAIT:
mbarrier.test_wait.shared.b64 %arrived, [mbar], %state;
@!%arrived bra MBAR_WAIT;""",
    ),
    Idiom(
        "mbarrier phase loop",
        "Waits for successive phases of an mbarrier object, by their parity.",
        "7.8",
        "sm_90",
        """\
.shared .align 8 .b64 mbar;
.reg .pred %first, %arrived, %more;
.reg .b32 %thread, %threads, %parity, %round;
mov.u32 %thread, %tid.x;
mov.u32 %threads, %ntid.x;
setp.eq.u32 %first, %thread, 0;
@%first mbarrier.init.shared.b64 [mbar], %threads;
bar.sync 0;
mov.b32 %parity, 0;
mov.b32 %round, «8»;
MBAR_ROUND:
«// work»
mbarrier.arrive.shared.b64 _, [mbar];
MBAR_WAIT:
mbarrier.try_wait.parity.shared.b64 %arrived, [mbar], %parity;
@!%arrived bra MBAR_WAIT;
xor.b32 %parity, %parity, 1;
sub.u32 %round, %round, 1;
setp.ne.u32 %more, %round, 0;
@%more bra MBAR_ROUND;""",
    ),
    Idiom(
        "cluster barrier",
        "All threads of the cluster wait for each other.",
        "7.8",
        "sm_90",
        """\
barrier.cluster.arrive.aligned;
«// work that needs no other block»
barrier.cluster.wait.aligned;""",
    ),
    Idiom(
        "cp.async copy",
        "Each thread copies 16 bytes from global to shared memory, and all wait for them.",
        "7.0",
        "sm_80",
        """\
.shared .align 16 .b8 tile[«4096»];
.reg .b32 %thread, %to;
.reg .b64 %from;
mov.u64 %from, «0»;
mov.u32 %thread, %tid.x;
mov.u32 %to, tile;
mad.lo.u32 %to, %thread, 16, %to;
mad.wide.u32 %from, %thread, 16, %from;
cp.async.cg.shared.global [%to], [%from], 16;
cp.async.commit_group;
cp.async.wait_group 0;
bar.sync 0;""",
        has_pointers=True,
    ),
    Idiom(
        "cp.async double buffer",
        "A pipeline of two tiles: while one is used, `cp.async` fills the other.",
        "7.0",
        "sm_80",
        """\
.shared .align 16 .b8 tiles[8192];
.reg .pred %more;
.reg .b32 %thread, %base, %stage, %to, %left;
.reg .b64 %from;
mov.u64 %from, «0»;
mov.u32 %left, «16»;
mov.u32 %thread, %tid.x;
mov.u32 %base, tiles;
mad.lo.u32 %base, %thread, 16, %base;
mad.wide.u32 %from, %thread, 16, %from;
mov.b32 %stage, 0;
cp.async.cg.shared.global [%base], [%from], 16;
cp.async.commit_group;
TILE_LOOP:
sub.u32 %left, %left, 1;
setp.ne.u32 %more, %left, 0;
xor.b32 %stage, %stage, 4096;
add.u32 %to, %base, %stage;
add.u64 %from, %from, 4096;
@%more cp.async.cg.shared.global [%to], [%from], 16;
cp.async.commit_group;
cp.async.wait_group 1;
bar.sync 0;
«// use the tile that is not at %to»
bar.sync 0;
@%more bra TILE_LOOP;""",
        has_pointers=True,
    ),
    Idiom(
        "cp.async.bulk copy",
        "One thread starts a bulk copy to shared memory; all wait on an mbarrier object.",
        "8.0",
        "sm_90",
        """\
.shared .align 128 .b8 bulk_tile[4096];
.shared .align 8 .b64 bulk_bar;
.reg .pred %first, %done;
.reg .b32 %thread;
.reg .b64 %from;
mov.u64 %from, «0»;
mov.u32 %thread, %tid.x;
setp.eq.u32 %first, %thread, 0;
@%first mbarrier.init.shared::cta.b64 [bulk_bar], 1;
@%first fence.mbarrier_init.release.cluster;
bar.sync 0;
@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [bulk_bar], 4096;
@%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
	[bulk_tile], [%from], 4096, [bulk_bar];
BULK_WAIT:
mbarrier.try_wait.parity.shared::cta.b64 %done, [bulk_bar], 0;
@!%done bra BULK_WAIT;""",
        has_pointers=True,
    ),
    Idiom(
        "ldmatrix and mma step",
        "A warp loads 16x16 and 16x8 matrices from shared memory and multiplies them.",
        "7.0",
        "sm_80",
        """\
.shared .align 16 .b8 a_tile[512];
.shared .align 16 .b8 b_tile[256];
.reg .b32 %lane, %row, %half, %from_a, %from_b;
.reg .b32 %a0, %a1, %a2, %a3, %b0, %b1;
.reg .f32 %c0, %c1, %c2, %c3;
mov.f32 %c0, 0f00000000;
mov.f32 %c1, 0f00000000;
mov.f32 %c2, 0f00000000;
mov.f32 %c3, 0f00000000;
mov.u32 %lane, %laneid;
and.b32 %row, %lane, 15;
shr.u32 %half, %lane, 4;
mov.u32 %from_a, a_tile;
mad.lo.u32 %from_a, %row, 32, %from_a;
mad.lo.u32 %from_a, %half, 16, %from_a;
mov.u32 %from_b, b_tile;
mad.lo.u32 %from_b, %row, 16, %from_b;
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%from_a];
ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%b0, %b1}, [%from_b];
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
	{%c0, %c1, %c2, %c3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%c0, %c1, %c2, %c3};""",
    ),
    Idiom(
        "compare-and-swap loop",
        "Updates a value in global memory atomically, with any computation.",
        "2.3",
        "sm_20",
        """\
.reg .pred %again;
.reg .b32 %old, %seen, %new;
.reg .b64 %cell;
mov.u64 %cell, «0»;
ld.global.b32 %old, [%cell];
CAS_LOOP:
mov.b32 %seen, %old;
«add.s32 %new, %seen, 1;»
atom.global.cas.b32 %old, [%cell], %seen, %new;
setp.ne.b32 %again, %old, %seen;
@%again bra CAS_LOOP;""",
        has_pointers=True,
    ),
    Idiom(
        "switch",
        "Jumps to one of several labels, selected by a number.",
        "6.0",
        "sm_30",
        """\
.reg .b32 %case;
mov.u32 %case, «0»;
CASES: .branchtargets CASE_0, CASE_1;
brx.idx %case, CASES;
CASE_0:
«// 0»
bra CASE_END;
CASE_1:
«// 1»
CASE_END:""",
    ),
    Idiom(
        "kernel",
        "A kernel in which each thread works on one element of an array.",
        "2.3",
        "sm_20",
        """\
.visible .entry «kernel»(
	.param .u64 data,
	.param .u32 n
)
{
	.reg .pred %p<2>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<4>;

	ld.param.u64 %rd1, [data];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.u32 %r5, %r2, %r3, %r4;
	setp.ge.u32 %p1, %r5, %r1;
	@%p1 bra END;
	cvta.to.global.u64 %rd2, %rd1;
	mul.wide.u32 %rd3, %r5, 4;
	add.u64 %rd3, %rd2, %rd3;
	«// element %r5, at %rd3»
END:
	ret;
}""",
        in_function=False,
        has_pointers=True,
    ),
    Idiom(
        "device function",
        "A function with a parameter and a result.",
        "2.3",
        "sm_20",
        """\
.func (.param .b32 result) «function»(
	.param .b32 x
)
{
	.reg .b32 %r<2>;

	ld.param.b32 %r1, [x];
	«// work»
	st.param.b32 [result], %r1;
	ret;
}""",
        in_function=False,
    ),
)


def find(name: str) -> Idiom | None:
    """Returns the idiom called `name`; None if there is none."""
    return next((idiom for idiom in IDIOMS if idiom.name == name), None)
