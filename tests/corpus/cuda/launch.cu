// Dynamic parallelism and separate compilation: launches from the device, symbols of other modules.
#include <cuda_runtime.h>

extern __device__ int elsewhere(int);
extern __device__ float table_elsewhere[16];
extern __constant__ double constant_elsewhere;

template <class T>
__global__ void child(T *data, T value) {
    data[threadIdx.x] += value;
}

__device__ __noinline__ int unused_by_others(int x) { return x * 3; }

__global__ void parent(int *data, float *floats, int depth) {
    if (threadIdx.x == 0) {
        child<<<1, 32>>>(data, elsewhere(depth));
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        child<<<dim3(2, 3), dim3(8, 4), 128, stream>>>(floats, float(constant_elsewhere) + table_elsewhere[depth & 15]);
        child<<<1, 1, 0, cudaStreamTailLaunch>>>(data, unused_by_others(depth));
        if (depth > 0) {
            parent<<<1, 1>>>(data, floats, depth - 1);
        }
        data[0] = cudaGetLastError();
    }
}
