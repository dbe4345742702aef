// The warp matrix API over the types and shapes it offers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

template <class Item, class Sum, int M, int N, int K, class LayoutA, class LayoutB>
__global__ void product(Sum *out, const Item *a, const Item *b, const Sum *c, int stride) {
    wmma::fragment<wmma::matrix_a, M, N, K, Item, LayoutA> left;
    wmma::fragment<wmma::matrix_b, M, N, K, Item, LayoutB> right;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
    wmma::load_matrix_sync(left, a, stride);
    wmma::load_matrix_sync(right, b, stride);
    wmma::load_matrix_sync(sum, c, stride, wmma::mem_col_major);
    wmma::mma_sync(sum, left, right, sum);
    for (int i = 0; i < sum.num_elements; ++i) {
        sum.x[i] = sum.x[i] * Sum(2);
    }
    wmma::store_matrix_sync(out, sum, stride, wmma::mem_row_major);
}

#define PRODUCT(Item, Sum, M, N, K, A, B) \
    template __global__ void product<Item, Sum, M, N, K, wmma::A, wmma::B>( \
        Sum *, const Item *, const Item *, const Sum *, int);
PRODUCT(__half, __half, 16, 16, 16, row_major, col_major)
PRODUCT(__half, float, 32, 8, 16, col_major, row_major)
PRODUCT(__half, float, 8, 32, 16, row_major, row_major)
PRODUCT(signed char, int, 16, 16, 16, row_major, col_major)
PRODUCT(unsigned char, int, 32, 8, 16, col_major, col_major)

__global__ void small_integers(int *out, const int *a, const int *b, const int *c) {
    wmma::fragment<wmma::matrix_a, 8, 8, 32, wmma::experimental::precision::s4, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, wmma::experimental::precision::s4, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 8, 8, 32, int> sum;
    wmma::load_matrix_sync(left, a, 32);
    wmma::load_matrix_sync(right, b, 32);
    wmma::load_matrix_sync(sum, c, 8, wmma::mem_row_major);
    wmma::mma_sync(sum, left, right, sum, true);
    wmma::store_matrix_sync(out, sum, 8, wmma::mem_row_major);
}

#if __CUDA_ARCH__ >= 800
PRODUCT(__nv_bfloat16, float, 16, 16, 16, row_major, col_major)

__global__ void tensor_float(float *out, const float *a, const float *b) {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
    wmma::fill_fragment(sum, 1.0f);
    wmma::load_matrix_sync(left, a, 8);
    wmma::load_matrix_sync(right, b, 16);
    for (int i = 0; i < left.num_elements; ++i) {
        left.x[i] = wmma::__float_to_tf32(left.x[i]);
    }
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

__global__ void doubles(double *out, const double *a, const double *b) {
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
    wmma::fill_fragment(sum, 0.0);
    wmma::load_matrix_sync(left, a, 4);
    wmma::load_matrix_sync(right, b, 4);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(out, sum, 8, wmma::mem_col_major);
}
#endif
