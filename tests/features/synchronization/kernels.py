"""Kernels that synchronise."""

HEAD = """\
.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n)
.reqntid 128
{
.reg .pred %p<9>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
.shared .align 8 .b64 full;
.shared .align 8 .b64 empty;
.shared .align 128 .b8 tile[4096];
ld.param.u64 %rd1, [p];
ld.param.u32 %r1, [n];
setp.ne.u32 %p1, %r1, 0;
mov.u32 %r5, %tid.x;
setp.ge.u32 %p5, %r5, 32;
"""
SPECIALISED = """\
mbarrier.init.shared::cta.b64 [full], 1;
mbarrier.init.shared::cta.b64 [empty], 96;
bar.sync 0;
@%p5 bra CONSUME;

PRODUCE:
mbarrier.try_wait.parity.shared::cta.b64 %p2, [empty], 0;
@!%p2 bra PRODUCE;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 64;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 64, [full];
@%p1 bra PRODUCE;
bra END;
CONSUME:
mbarrier.try_wait.parity.shared::cta.b64 %p2, [full], 0;
@!%p2 bra CONSUME;
ld.shared.u32 %r2, [tile];
mbarrier.arrive.shared::cta.b64 _, [empty];
@%p1 bra CONSUME;
END:
"""
