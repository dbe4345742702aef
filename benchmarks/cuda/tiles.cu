// Products of matrices as CUTLASS writes them: stages of asynchronous copies under predicates,
// ldmatrix and mma, all unrolled and in inline assembly.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ __forceinline__ void copy_if(unsigned destination, const void *source, bool is_inside) {
    asm volatile(
        "{\n"
        "  .reg .pred p;\n"
        "  setp.ne.b32 p, %0, 0;\n"
        "  @p cp.async.cg.shared.global.L2::128B [%1], [%2], %3;\n"
        "}\n" ::"r"(int(is_inside)), "r"(destination), "l"(source), "n"(16));
}

__device__ __forceinline__ void load_matrices(uint32_t (&to)[4], unsigned from) {
    asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(from));
}

template <class Item>
__device__ void multiply(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1);

template <>
__device__ __forceinline__ void multiply<__half>(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <>
__device__ __forceinline__ void multiply<__nv_bfloat16>(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <class Item, int Rows, int Columns, int Stages>
__global__ void __launch_bounds__(128) tiles(Item *out, const Item *left, const Item *right, float alpha, float beta, int m, int n, int k) {
    extern __shared__ __align__(16) unsigned char memory[];
    constexpr int stage = (Rows + Columns) * 16 * 32;
    unsigned shared = unsigned(__cvta_generic_to_shared(memory)), lane = threadIdx.x;
    float sums[Rows][2 * Columns][4] = {};
    auto fetch = [&](int step) {
        unsigned to = shared + step % Stages * stage;
#pragma unroll
        for (int i = 0; i < Rows; ++i) {
            int row = blockIdx.x * Rows * 16 + i * 16 + lane / 4, column = step * 16 + lane % 4 * 8;
            copy_if(to + i * 512 + (lane ^ lane / 8) * 16, left + int64_t(row) * k + column, row < m && column < k);
        }
#pragma unroll
        for (int j = 0; j < Columns; ++j) {
            int row = blockIdx.y * Columns * 16 + j * 16 + lane / 4, column = step * 16 + lane % 4 * 8;
            copy_if(to + (Rows + j) * 512 + (lane ^ lane / 8) * 16, right + int64_t(row) * k + column, row < n && column < k);
        }
        asm volatile("cp.async.commit_group;\n" ::);
    };
#pragma unroll
    for (int step = 0; step < Stages - 1; ++step) {
        fetch(step);
    }
#pragma unroll 2
    for (int step = 0; step * 16 < k; ++step) {
        asm volatile("cp.async.wait_group %0;\n" ::"n"(Stages - 2));
        __syncthreads();
        uint32_t a[Rows][4], b[Columns][4];
        unsigned from = shared + step % Stages * stage;
#pragma unroll
        for (int i = 0; i < Rows; ++i) {
            load_matrices(a[i], from + i * 512 + (lane ^ lane / 8) * 16);
        }
#pragma unroll
        for (int j = 0; j < Columns; ++j) {
            load_matrices(b[j], from + (Rows + j) * 512 + (lane ^ lane / 8) * 16);
        }
#pragma unroll
        for (int j = 0; j < Columns; ++j) {
#pragma unroll
            for (int i = 0; i < Rows; ++i) {
                multiply<Item>(sums[i][2 * j], a[i], b[j][0], b[j][1]);
                multiply<Item>(sums[i][2 * j + 1], a[i], b[j][2], b[j][3]);
            }
        }
        fetch(step + Stages - 1);
    }
#pragma unroll
    for (int i = 0; i < Rows; ++i) {
#pragma unroll
        for (int j = 0; j < 2 * Columns; ++j) {
            int row = blockIdx.x * Rows * 16 + i * 16 + lane / 4, column = blockIdx.y * Columns * 16 + j * 8 + lane % 4 * 2;
            if (row < m && column < n) {
                Item *to = out + int64_t(row) * n + column;
                to[0] = Item(alpha * sums[i][j][0] + beta * float(to[0]));
                to[1] = Item(alpha * sums[i][j][1] + beta * float(to[1]));
            }
        }
    }
}

template __global__ void tiles<__nv_bfloat16, 4, 3, 4>(__nv_bfloat16 *, const __nv_bfloat16 *, const __nv_bfloat16 *, float, float, int, int, int);
template __global__ void tiles<__half, 4, 8, 3>(__half *, const __half *, const __half *, float, float, int, int, int);
