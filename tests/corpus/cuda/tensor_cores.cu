// mma, ldmatrix, cp.async and friends of sm_75 to sm_86, by inline assembly.
#include <cstdint>

__global__ void turing(uint32_t *out, const uint32_t *in) {
    __shared__ __align__(128) uint32_t tile[1024];
    unsigned address = unsigned(__cvta_generic_to_shared(tile)) + 16 * threadIdx.x;
    uint32_t a[4], b[2], c[4] = {0, 0, 0, 0};
    float f[4] = {0, 0, 0, 0};
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(address));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(address));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    asm volatile("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.u8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+r"(c[0]), "+r"(c[1]) : "r"(a[0]), "r"(b[0]));
    asm volatile("mma.sync.aligned.m8n8k32.row.col.s32.u4.s4.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+r"(c[0]), "+r"(c[1]) : "r"(a[0]), "r"(b[0]));
    asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+r"(c[0]), "+r"(c[1]) : "r"(a[0]), "r"(b[0]));
    out[threadIdx.x] = c[0] ^ c[1] ^ __float_as_uint(f[0] + f[1] + f[2] + f[3]) ^ in[0];
}

#if __CUDA_ARCH__ >= 800
__global__ void ampere(float *out, const uint32_t *in, uint32_t *index) {
    __shared__ __align__(128) uint32_t tile[1024];
    unsigned address = unsigned(__cvta_generic_to_shared(tile)) + 16 * threadIdx.x;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(in));
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(address), "l"(in), "r"(8));
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; cp.async.ca.shared.global [%0], [%1], 8, p; }"
                 ::"r"(address), "l"(in), "r"(index[0]));
    asm volatile("discard.global.L2 [%0], 128;" ::"l"(in));
    asm volatile("cp.async.commit_group; cp.async.wait_group 1; cp.async.wait_all;" ::: "memory");
    uint64_t policy;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 0f3F000000;" : "=l"(policy));
    asm volatile("ld.global.L1::no_allocate.L2::cache_hint.L2::256B.v4.u32 {%0,%1,%2,%3}, [%4], %5;"
                 : "=r"(tile[0]), "=r"(tile[1]), "=r"(tile[2]), "=r"(tile[3]) : "l"(in), "l"(policy));
    float f[4] = {1, 2, 3, 4};
    uint32_t a[4] = {in[0], in[1], in[2], in[3]}, b[2] = {in[4], in[5]};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    asm volatile("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, "
                 "{%0,%1,%2,%3}, %12, 0x0;"
                 : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(a[0]), "r"(a[1]), "r"(index[1]));
    double d[2] = {0, 1};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(d[0]), "+d"(d[1]) : "d"(2.0), "d"(3.0));
    out[threadIdx.x] = f[0] + f[1] + f[2] + f[3] + float(d[0] + d[1]);
    uint32_t t;
    asm("cvt.rna.tf32.f32 %0, %1; cvt.rn.bf16x2.f32 %0, %1, %1;" : "=&r"(t) : "f"(f[0]));
    asm("ex2.approx.f16x2 %0, %0; tanh.approx.f16x2 %0, %0; fma.rn.relu.bf16x2 %0, %0, %0, %0;" : "+r"(t));
    asm volatile("redux.sync.xor.b32 %0, %0, -1;" : "+r"(t));
    index[2] = t;
}

__global__ void barriers(uint64_t *out) {
    __shared__ uint64_t barrier;
    unsigned address = unsigned(__cvta_generic_to_shared(&barrier));
    uint64_t state;
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address), "r"(blockDim.x));
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address));
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(address));
    asm volatile("{ .reg .pred done; AGAIN: mbarrier.test_wait.shared.b64 done, [%0], %1; @!done bra.uni AGAIN; }"
                 ::"r"(address), "l"(state));
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(reinterpret_cast<uint32_t *>(out)[0]) : "l"(state));
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(address));
}
#endif
