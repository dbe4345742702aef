// What recent toolkits added: scoped atomics as built-ins, 128 bits, pipelines, 4- and 6-bit floats, alloca, assumptions.
#include <cstdint>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>

__global__ void built_in_atomics(unsigned *u, unsigned long long *w, float *f, int *s) {
    __nv_atomic_store_n(u, 3u, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
    unsigned seen = __nv_atomic_load_n(u, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    seen += __nv_atomic_fetch_add(u, 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_add(f, 1.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_max(s, int(seen), __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_fetch_xor(w, 7ull, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
    u[1] = seen;
}

#if __CUDA_ARCH__ >= 900
__global__ void sixteen_bytes(unsigned __int128 *p) {
    unsigned __int128 old = *p, next = old + 1;
    __nv_atomic_compare_exchange(p, &old, &next, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_exchange(p, &next, &old, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
    p[1] = old;
}
#endif

__global__ void pipelined(float *out, const float *in, int count) {
    extern __shared__ float stages[];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline();
    for (int i = 0; i < count; ++i) {
        pipe.producer_acquire();
        cuda::memcpy_async(stages + threadIdx.x, in + i * blockDim.x + threadIdx.x, sizeof(float), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        out[i] += stages[threadIdx.x];
        pipe.consumer_release();
    }
}

__global__ void tiny_floats(uint8_t *out, float2 *wide, __half2 *halves, const float2 *in, const float4 *quads) {
    out[0] = __nv_cvt_float2_to_fp4x2(in[0], __NV_E2M1, cudaRoundNearest);
    out[1] = __nv_cvt_float_to_fp6(in[1].x, __NV_E3M2, cudaRoundNearest);
    reinterpret_cast<__nv_fp6x2_e2m3 *>(out)[1] = __nv_fp6x2_e2m3(in[2]);
    reinterpret_cast<__nv_fp4x4_e2m1 *>(out)[2] = __nv_fp4x4_e2m1(quads[0]);
    halves[0] = __half2(__nv_cvt_fp4x2_to_halfraw2(out[9], __NV_E2M1));
    wide[0] = float2(reinterpret_cast<__nv_fp6x2_e3m2 *>(out)[7]);
}

__global__ void dynamic_stack(int *out, int n) {
    __builtin_assume(n > 0 && n < 100);
    int *space = static_cast<int *>(alloca(n * sizeof(int)));
    for (int i = 0; i < n; ++i) {
        space[i] = out[i];
    }
    switch (space[n / 2] & 3) {
        case 0: out[0] = 1; break;
        case 1: out[1] = 2; break;
        case 2: out[2] = 3; break;
        case 3: out[3] = 4; break;
        default: __builtin_unreachable();
    }
    if (__builtin_expect(space[0] == 7, 0)) {
        __trap();
    }
}

__global__ void hints(float4 *out, const float4 *in, int n) {
#pragma unroll 1
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        out[i] = in[i];
    }
#pragma unroll 4
    for (int i = 0; i < n; ++i) {
        out[i].x += float(i);
    }
}
