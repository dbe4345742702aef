// sm_90a: bulk and tensor copies, transaction barriers, clusters, wgmma, register reallocation.
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>

struct alignas(64) Map {
    uint64_t words[16];
};

__device__ __forceinline__ void wait(unsigned barrier, unsigned parity) {
    asm volatile(
        "{\n"
        ".reg .pred P1;\n"
        "LAB_WAIT: \n"
        "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1, %2;\n"
        "@P1 bra DONE;\n"
        "bra     LAB_WAIT;\n"
        "DONE:\n"
        "}" ::"r"(barrier), "r"(parity), "r"(0x989680));
}

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(384, 1)
    copies(const __grid_constant__ Map map, float *out, const float *in, int x, int y) {
    extern __shared__ __align__(1024) float tile[];
    __shared__ __align__(8) uint64_t full;
    unsigned barrier = unsigned(__cvta_generic_to_shared(&full));
    unsigned destination = unsigned(__cvta_generic_to_shared(tile));
    if (threadIdx.x == 0) {
        asm volatile("prefetch.tensormap [%0];" ::"l"(&map));
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(1));
        asm volatile("fence.mbarrier_init.release.cluster;\n\tfence.proxy.async.shared::cta;");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(8192));
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                     ::"r"(destination), "l"(&map), "r"(barrier), "r"(x), "r"(y) : "memory");
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint "
                     "[%0], [%1, {%3, %4, %5}], [%2], %6, %7;"
                     ::"r"(destination), "l"(&map), "r"(barrier), "r"(x), "r"(y), "r"(0), "h"(uint16_t(3)), "l"(0x12F0000000000000ull));
        asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};"
                     ::"r"(destination), "l"(&map), "r"(barrier), "r"(x), "r"(y), "r"(0), "r"(1), "h"(uint16_t(1)), "h"(uint16_t(2)));
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     ::"r"(destination), "l"(in), "r"(1024), "r"(barrier));
    }
    wait(barrier, 0);
    asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%2}], [%1];" ::"l"(&map), "r"(destination), "r"(x));
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {%2, %3}], [%1];"
                 ::"l"(&map), "r"(destination), "r"(x), "r"(y));
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%0], [%1], 64;" ::"l"(out), "r"(destination));
    asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" ::"l"(&map), "r"(x), "r"(y));
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group.read 0;\n\tcp.async.bulk.wait_group 1;" ::: "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(&map));
}

__global__ void clusters(uint32_t *out) {
    __shared__ uint32_t mine[32];
    unsigned here = unsigned(__cvta_generic_to_shared(mine)), there, rank;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(1));
    asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : "r"(there));
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(there), "r"(rank), "r"(there + 64));
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%0], %1, [%2];"
                 ::"r"(there), "r"(rank), "r"(there + 64));
    asm volatile("ld.shared::cluster.u32 %0, [%1+4]; st.shared::cluster.u32 [%1], %0;" : "=&r"(rank) : "r"(there));
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there));
    asm volatile("mov.u32 %0, %%cluster_ctarank; mov.u32 %0, %%cluster_nctaid.x; mov.u32 %0, %%clusterid.y;" : "=r"(out[1]));
    asm volatile("{ .reg .pred e; mov.pred e, %%is_explicit_cluster; selp.u32 %0, 1, 0, e; }" : "=r"(out[2]));
    asm volatile("griddepcontrol.wait; griddepcontrol.launch_dependents;");
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(here), "r"(rank), "r"(there));
    asm volatile("multimem.ld_reduce.relaxed.sys.global.add.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(out[3]), "=r"(out[4]), "=r"(out[5]), "=r"(out[6]) : "l"(out));
    asm volatile("multimem.red.release.gpu.global.or.b32 [%0], %1;" ::"l"(out), "r"(rank));
    out[0] = rank;
}

__global__ void warpgroup(float *out, uint64_t left, uint64_t right) {
    float d[16] = {};
    uint32_t a[4] = {1, 2, 3, 4};
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 "
        "{%0,   %1,   %2,   %3,   %4,   %5,   %6,   %7,   \n %8,   %9,   %10,  %11,  %12,  %13,  %14,  %15},\n"
        " %16,\n %17,\n p,   1,  -1, 0, 1;\n}\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
          "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
        : "l"(left), "l"(right), "r"(1));
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 1, 1, 1;\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(right));
    asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    for (int i = 0; i < 16; ++i) {
        out[i * 128 + threadIdx.x] = d[i];
    }
}

__global__ void from_library(int *out, const int *in) {
    __shared__ alignas(16) int buffer[256];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
    }
    __syncthreads();
    cuda::memcpy_async(buffer, in, cuda::aligned_size_t<16>(sizeof(buffer)), barrier);
    barrier.arrive_and_wait();
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
    out[threadIdx.x] = buffer[255 - threadIdx.x];
}
