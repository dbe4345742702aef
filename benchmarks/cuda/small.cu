// A small kernel file, as one opens most often.
extern "C" __global__ void saxpy(float *__restrict__ y, const float *__restrict__ x, float a, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
        y[i] = a * x[i] + y[i];
    }
}

extern "C" __global__ void block_sum(float *out, const float *in, int count) {
    __shared__ float partial[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
        sum += in[i];
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(~0u, sum, offset);
    }
    if (threadIdx.x % 32 == 0) {
        partial[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < blockDim.x / 32; ++i) {
            sum += partial[i];
        }
        out[blockIdx.x] = sum;
    }
}

#ifdef THOUSAND  // as many lines of PTX, about
#include "mathematics.cuh"
#include "matrices.cuh"

template __global__ void multiply<float, float, 4>(float *, const float *, const float *, int);
template __global__ void multiply<short, int, 4>(int *, const short *, const short *, int);
template __global__ void multiply_on_tensor_cores<__half, float, 1>(float *, const __half *, const __half *, int);
#endif
