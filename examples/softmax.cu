// The source of softmax.ptx, which is nvcc's real output:
//   nvcc -ptx -arch=sm_80 -lineinfo -std=c++17 softmax.cu
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

template <class Item>
__device__ float load(const Item *row, int i) {
    return float(row[i]);
}

__device__ void store(float *row, int i, float value) { row[i] = value; }
__device__ void store(__half *row, int i, float value) { row[i] = __float2half(value); }

// One block per row; `partial` holds one value per warp.
template <class Item, int Threads>
__global__ void __launch_bounds__(Threads) softmax(Item *out, const Item *__restrict__ in, int columns) {
    __shared__ float partial[Threads / 32];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const Item *row = in + size_t(blockIdx.x) * columns;

    float largest = -INFINITY;
    for (int i = threadIdx.x; i < columns; i += Threads) {
        largest = fmaxf(largest, load(row, i));
    }
    largest = cg::reduce(warp, largest, cg::greater<float>());
    if (warp.thread_rank() == 0) {
        partial[warp.meta_group_rank()] = largest;
    }
    block.sync();
    for (float value : partial) {
        largest = fmaxf(largest, value);
    }
    block.sync();

    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += Threads) {
        sum += __expf(load(row, i) - largest);
    }
    sum = cg::reduce(warp, sum, cg::plus<float>());
    if (warp.thread_rank() == 0) {
        partial[warp.meta_group_rank()] = sum;
    }
    block.sync();
    sum = 0;
    for (float value : partial) {
        sum += value;
    }

    Item *result = out + size_t(blockIdx.x) * columns;
    for (int i = threadIdx.x; i < columns; i += Threads) {
        store(result, i, __expf(load(row, i) - largest) / sum);
    }
}

template __global__ void softmax<float, 128>(float *, const float *, int);
template __global__ void softmax<__half, 256>(__half *, const __half *, int);
