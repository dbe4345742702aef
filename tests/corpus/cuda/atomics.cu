// Atomics of every kind and scope, fences, and the libcu++ memory model.
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T>
__global__ void integers(T *global, T value) {
    __shared__ T shared[32];
    shared[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&shared[value & 31], value);
    atomicMin(&shared[threadIdx.x], value);
    T old = atomicMax(global, value) + atomicAnd(global + 1, value) + atomicOr(global + 2, value);
    old += atomicXor(global + 3, old) + atomicExch(global + 4, old) + atomicCAS(global + 5, old, value);
    global[threadIdx.x] = old + shared[threadIdx.x];
}
template __global__ void integers<int>(int *, int);
template __global__ void integers<unsigned>(unsigned *, unsigned);
template __global__ void integers<unsigned long long>(unsigned long long *, unsigned long long);

__global__ void scoped(unsigned *p, float *f, double *d, __half *h, __half2 *h2) {
    p[0] = atomicInc(p + 1, 7) + atomicDec(p + 2, 9) + atomicSub(p + 3, 1);
    f[0] = atomicAdd(f + 1, 1.5f) + atomicExch(f + 2, 0.0f);
    d[0] = atomicAdd(d + 1, 2.5);
    atomicAdd(h, __float2half(1.0f));
    atomicAdd(h2, __floats2half2_rn(1.0f, 2.0f));
    atomicAdd_block(p + 4, 1u);
    atomicAdd_system(p + 5, 2u);
    atomicCAS_block(p + 6, 1u, 2u);
    atomicMax_system(p + 7, 3u);
    atomicCAS(reinterpret_cast<unsigned short *>(p) + 16, 1, 2);
    __threadfence();
    __threadfence_block();
    __threadfence_system();
}

template <class T, cuda::thread_scope Scope>
__global__ void ordered(T *data, T value) {
    cuda::atomic_ref<T, Scope> ref(*data);
    ref.store(value, cuda::memory_order_release);
    T seen = ref.load(cuda::memory_order_acquire);
    seen += ref.fetch_add(value, cuda::memory_order_relaxed);
    seen += ref.fetch_sub(value, cuda::memory_order_seq_cst);
    seen += ref.exchange(seen, cuda::memory_order_acq_rel);
    T expected = seen;
    ref.compare_exchange_strong(expected, value, cuda::memory_order_acq_rel, cuda::memory_order_relaxed);
    ref.fetch_max(expected, cuda::memory_order_release);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, Scope);
    cuda::atomic_thread_fence(cuda::memory_order_acquire, Scope);
    data[1] = seen + ref.load(cuda::memory_order_seq_cst);
}
#define ORDERED(T) \
    template __global__ void ordered<T, cuda::thread_scope_block>(T *, T); \
    template __global__ void ordered<T, cuda::thread_scope_device>(T *, T); \
    template __global__ void ordered<T, cuda::thread_scope_system>(T *, T); \
    template __global__ void ordered<T, cuda::thread_scope_thread>(T *, T);
ORDERED(int)
ORDERED(unsigned long long)
ORDERED(float)
ORDERED(short)
