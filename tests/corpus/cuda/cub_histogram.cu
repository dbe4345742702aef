// cub: histogram, and block- and warp-wide collectives in a kernel of our own.
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_histogram.cuh>
#include <cub/warp/warp_scan.cuh>

void histogram(void *scratch, size_t &size, const float *samples, int *bins, int count) {
    cub::DeviceHistogram::HistogramEven(scratch, size, samples, bins, 65, 0.0f, 1.0f, count);
}

template <int Threads>
__global__ void collectives(int *keys, float *out) {
    using Sort = cub::BlockRadixSort<int, Threads, 2>;
    using Scan = cub::BlockScan<int, Threads>;
    using Reduce = cub::BlockReduce<float, Threads>;
    using Warp = cub::WarpScan<int>;
    __shared__ union {
        typename Sort::TempStorage sort;
        typename Scan::TempStorage scan;
        typename Reduce::TempStorage reduce;
        typename Warp::TempStorage warp[Threads / 32];
    } scratch;
    int mine[2] = {keys[2 * threadIdx.x], keys[2 * threadIdx.x + 1]};
    Sort(scratch.sort).SortBlockedToStriped(mine);
    __syncthreads();
    int before = 0;
    Scan(scratch.scan).ExclusiveSum(mine[0], before);
    __syncthreads();
    Warp(scratch.warp[threadIdx.x / 32]).InclusiveSum(mine[1], mine[1]);
    __syncthreads();
    float sum = Reduce(scratch.reduce).Sum(float(before + mine[1]));
    if (threadIdx.x == 0) {
        out[blockIdx.x] = sum;
    }
}

template __global__ void collectives<128>(int *, float *);
