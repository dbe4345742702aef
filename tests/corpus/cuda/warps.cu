// Warp-wide intrinsics: shuffles, votes, matches, reductions, named barriers.
template <class T>
__global__ void shuffles(T *out, T value, unsigned mask, int lane) {
    value += __shfl_sync(mask, value, lane);
    value += __shfl_up_sync(mask, value, 1);
    value += __shfl_down_sync(~0u, value, 4, 16);
    value += __shfl_xor_sync(mask, value, lane, 8);
    out[threadIdx.x] = value;
}
template __global__ void shuffles<int>(int *, int, unsigned, int);
template __global__ void shuffles<float>(float *, float, unsigned, int);
template __global__ void shuffles<double>(double *, double, unsigned, int);
template __global__ void shuffles<unsigned long long>(unsigned long long *, unsigned long long, unsigned, int);

__global__ void votes(unsigned *out, int value, unsigned mask) {
    int whole;
    out[0] = __ballot_sync(mask, value > 3) + __all_sync(mask, value) + __any_sync(~0u, value < 2);
    out[1] = __match_any_sync(mask, value) + __match_all_sync(mask, value, &whole) + whole;
    out[2] = __match_any_sync(mask, (unsigned long long)value << 7);
    out[3] = __activemask() + __syncthreads_count(value) + __syncthreads_and(value) + __syncthreads_or(value);
    __syncwarp(mask);
    asm volatile("bar.sync 1, 64;");
    asm volatile("barrier.sync.aligned 2;");
    asm volatile("bar.arrive %0, %1;" ::"r"(value), "n"(128));
    asm volatile("barrier.arrive 3, 96;");
    asm volatile("{ .reg .pred q; setp.ne.s32 q, %1, 0; barrier.red.popc.u32 %0, 4, 64, q; }" : "=r"(out[5]) : "r"(value));
}

#if __CUDA_ARCH__ >= 800
__global__ void reductions(unsigned *out, unsigned value, int s, unsigned mask) {
    out[0] = __reduce_add_sync(mask, value) + __reduce_min_sync(mask, value) + __reduce_max_sync(mask, s);
    out[1] = __reduce_and_sync(mask, value) ^ __reduce_or_sync(mask, value) ^ __reduce_xor_sync(mask, value);
}
#endif

__global__ void elected(int *out) {
    unsigned lanemask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanemask));
    out[0] = lanemask + warpSize + gridDim.z * blockDim.y + blockIdx.y;
#if __CUDA_ARCH__ >= 900
    unsigned leader;
    asm volatile(
        "{\n\t.reg .pred P;\n\telect.sync %0|P, 0xffffffff;\n\t@P mov.u32 %0, 77;\n\t@!P mov.u32 %0, %%nctaid.z;\n\t}"
        : "=r"(leader));
    out[1] = leader;
#endif
}
