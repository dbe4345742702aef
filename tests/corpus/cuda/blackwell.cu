// sm_100a: tensor memory and tcgen05, packed float pairs, wide loads, cluster launch control.
#include <cstdint>

__global__ void __cluster_dims__(2, 1, 1) tensor_memory(float *out, uint64_t a, uint64_t b, uint32_t instruction) {
    __shared__ uint32_t base;
    __shared__ __align__(8) uint64_t barrier;
    unsigned slot = unsigned(__cvta_generic_to_shared(&base)), done = unsigned(__cvta_generic_to_shared(&barrier));
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(slot), "n"(128));
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
    asm volatile("tcgen05.fence::before_thread_sync;\n\tbar.sync 0;\n\ttcgen05.fence::after_thread_sync;");
    uint32_t columns = base;
    asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;" ::"r"(columns), "l"(a));
    asm volatile(
        "{\n\t.reg .pred enable;\n\tsetp.ne.b32 enable, %4, 0;\n\t"
        "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, {%5, %5, %5, %5}, enable;\n\t}"
        ::"r"(columns), "l"(a), "l"(b), "r"(instruction), "r"(1), "r"(0));
    asm volatile(
        "{\n\t.reg .pred enable;\n\tsetp.eq.u32 enable, 0, 0;\n\t"
        "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [%0], %1, %2, %3, [%4], [%5], enable;\n\t}"
        ::"r"(columns), "l"(a), "l"(b), "r"(instruction), "r"(columns + 32), "r"(columns + 64));
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(done));
    uint32_t r[8];
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
                 : "r"(columns));
    asm volatile("tcgen05.ld.sync.aligned.16x64b.x2.pack::16b.b32 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(columns));
    asm volatile("tcgen05.wait::ld.sync.aligned;");
    asm volatile("tcgen05.st.sync.aligned.16x128b.x1.b32 [%0], {%1, %2};" ::"r"(columns), "r"(r[0]), "r"(r[1]));
    asm volatile("tcgen05.wait::st.sync.aligned; tcgen05.shift.cta_group::1.down [%0];" ::"r"(columns));
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 128;" ::"r"(columns));
    for (int i = 0; i < 8; ++i) {
        out[i] = __uint_as_float(r[i]);
    }
}

__global__ void pairs(float2 *out, const float2 *in, float *wide) {
    uint64_t a = reinterpret_cast<const uint64_t *>(in)[0], b = reinterpret_cast<const uint64_t *>(in)[1], c;
    asm("add.rn.f32x2 %0, %1, %2;\n\tfma.rn.ftz.f32x2 %0, %0, %1, %2;\n\tmul.rz.f32x2 %0, %0, %2;" : "=&l"(c) : "l"(a), "l"(b));
    reinterpret_cast<uint64_t *>(out)[0] = c;
    float v[8];
    asm volatile("ld.global.nc.L2::evict_last.v8.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];"
                 : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]), "=f"(v[4]), "=f"(v[5]), "=f"(v[6]), "=f"(v[7]) : "l"(in));
    asm volatile("max.f32 %0, %0, %1, %2; min.NaN.f32 %0, %0, %1, %2;" : "+f"(v[0]) : "f"(v[1]), "f"(v[2]));
    asm volatile("redux.sync.max.abs.NaN.f32 %0, %0, 0xffffffff;" : "+f"(v[3]));
    asm volatile("st.global.v8.b32 [%0], {%1,%2,%3,%4,%1,%2,%3,%4};" ::"l"(wide), "f"(v[0]), "f"(v[3]), "f"(v[4]), "f"(v[7]));
    uint16_t small;
    asm("{ .reg .b8 byte; cvt.rn.satfinite.e2m1x2.f32 byte, %1, %2; cvt.u16.u8 %0, byte; }" : "=h"(small) : "f"(v[0]), "f"(v[1]));
    out[1].x = small;
}

__global__ void work_stealing(uint32_t *out) {
    __shared__ __align__(16) uint4 response;
    __shared__ __align__(8) uint64_t barrier;
    unsigned to = unsigned(__cvta_generic_to_shared(&response)), on = unsigned(__cvta_generic_to_shared(&barrier));
    asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];" ::"r"(to), "r"(on));
    uint32_t x, y, z, yes;
    asm volatile(
        "{\n.reg .pred canceled;\n.reg .b128 handle;\nld.shared.b128 handle, [%4];\n"
        "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 canceled, handle;\n"
        "@canceled clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%0, %1, %2, _}, handle;\n"
        "selp.u32 %3, 1, 0, canceled;\n}"
        : "=r"(x), "=r"(y), "=r"(z), "=r"(yes) : "r"(to));
    asm volatile("st.bulk.weak.shared::cta [%0], 256, 0;" ::"l"(uint64_t(to)));
    asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster; fence.release.gpu;");
    out[0] = x + y + z + yes;
}
