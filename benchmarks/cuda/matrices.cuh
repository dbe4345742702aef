// Register-tiled products, fully unrolled: many live registers, few branches.
#pragma once
#include <mma.h>

template <class Item, class Sum, int Tile>
__global__ void multiply(Sum *out, const Item *left, const Item *right, int size) {
    Sum sums[Tile][Tile] = {};
    for (int k = 0; k < size; k += 4) {
#pragma unroll
        for (int step = 0; step < 4; ++step) {
            Item row[Tile], column[Tile];
#pragma unroll
            for (int i = 0; i < Tile; ++i) {
                row[i] = left[(k + step) * size + i * 32 + threadIdx.x];
                column[i] = right[(k + step) * size + i * 32 + threadIdx.y];
            }
#pragma unroll
            for (int i = 0; i < Tile; ++i) {
#pragma unroll
                for (int j = 0; j < Tile; ++j) {
                    sums[i][j] += Sum(row[i]) * Sum(column[j]);
                }
            }
        }
    }
#pragma unroll
    for (int i = 0; i < Tile; ++i) {
#pragma unroll
        for (int j = 0; j < Tile; ++j) {
            out[(i * 32 + threadIdx.x) * size + j * 32 + threadIdx.y] = sums[i][j];
        }
    }
}

template <class Item, class Sum, int Tile>
__global__ void multiply_on_tensor_cores(Sum *out, const Item *left, const Item *right, int size) {
    using namespace nvcuda::wmma;
    __shared__ Item tiles[2][Tile * 16 * 16];
    fragment<accumulator, 16, 16, 16, Sum> sums[Tile][Tile];
#pragma unroll
    for (int i = 0; i < Tile * Tile; ++i) {
        fill_fragment(sums[i / Tile][i % Tile], Sum(0));
    }
    for (int k = 0; k < size; k += 16) {
#pragma unroll
        for (int i = 0; i < Tile * 8; ++i) {
            tiles[0][i * 32 + threadIdx.x] = left[k * size + i * 32 + threadIdx.x];
            tiles[1][i * 32 + threadIdx.x] = right[k * size + i * 32 + threadIdx.x];
        }
        __syncthreads();
        fragment<matrix_a, 16, 16, 16, Item, row_major> rows[Tile];
        fragment<matrix_b, 16, 16, 16, Item, col_major> columns[Tile];
#pragma unroll
        for (int i = 0; i < Tile; ++i) {
            load_matrix_sync(rows[i], tiles[0] + i * 256, 16);
            load_matrix_sync(columns[i], tiles[1] + i * 256, 16);
        }
#pragma unroll
        for (int i = 0; i < Tile * Tile; ++i) {
            mma_sync(sums[i / Tile][i % Tile], rows[i / Tile], columns[i % Tile], sums[i / Tile][i % Tile]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < Tile * Tile; ++i) {
        store_matrix_sync(out + i * 256, sums[i / Tile][i % Tile], 16, mem_row_major);
    }
}
