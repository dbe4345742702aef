// Cooperative groups: tiles, coalesced and labelled groups, the grid, clusters where there are any.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

template <unsigned Size>
__global__ void tiles(int *out, const int *in) {
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<Size>(block);
    int value = in[block.thread_rank()];
    value += cg::reduce(tile, value, cg::plus<int>());
    value ^= cg::exclusive_scan(tile, value);
    value += tile.shfl_xor(value, 1) + tile.any(value) + tile.ballot(value > 3);
    out[block.thread_rank()] = value + tile.meta_group_rank();
    block.sync();
}
template __global__ void tiles<4>(int *, const int *);
template __global__ void tiles<32>(int *, const int *);

__device__ int add_once(int *counter) {
    auto active = cg::coalesced_threads();
    int before = 0;
    if (active.thread_rank() == 0) {
        before = atomicAdd(counter, active.size());
    }
    return active.shfl(before, 0) + active.thread_rank();
}

__global__ void compact(int *out, const int *in, int *counter) {
    int value = in[threadIdx.x];
    if (value > 0) {
        out[add_once(counter)] = value;
    }
    auto same = cg::labeled_partition(cg::coalesced_threads(), value & 3);
    out[same.size()] += same.num_threads();
}

__global__ void whole_grid(float *data) {
    auto grid = cg::this_grid();
    data[grid.thread_rank()] += 1.0f;
    grid.sync();
    data[grid.size() - grid.thread_rank()] *= 2.0f;
}

__global__ void staged(float *out, const float *in, int count) {
    extern __shared__ float stage[];
    auto block = cg::this_thread_block();
    for (int base = 0; base < count; base += block.size()) {
        cg::memcpy_async(block, stage, in + base, sizeof(float) * block.size());
        cg::wait(block);
        out[base + block.thread_rank()] = stage[block.size() - 1 - block.thread_rank()];
        block.sync();
    }
}

#if __CUDA_ARCH__ >= 900
__global__ void __cluster_dims__(2, 2, 1) neighbours(float *out) {
    __shared__ float mine[64];
    auto cluster = cg::this_cluster();
    mine[threadIdx.x] = threadIdx.x * 0.5f;
    cluster.sync();
    float *theirs = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % cluster.num_blocks());
    out[cluster.thread_rank()] = theirs[threadIdx.x];
    cluster.barrier_wait(cluster.barrier_arrive());
}
#endif
