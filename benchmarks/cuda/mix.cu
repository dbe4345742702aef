// One module that looks like a real library. -DSCALE=1, 2 or 3 chooses about 1, 10 or 30 MB of PTX.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "algorithms.cuh"
#include "mathematics.cuh"
#include "matrices.cuh"

#define ALGORITHMS(TYPE)                                                                            \
    template void sort_keys<TYPE>(void *, size_t &, const TYPE *, TYPE *, int);                     \
    template void reduce<TYPE>(void *, size_t &, const TYPE *, TYPE *, int);                        \
    template void scan<TYPE>(void *, size_t &, const TYPE *, TYPE *, int);                          \
    template void select<TYPE>(void *, size_t &, const TYPE *, TYPE *, int *, int);                 \
    template void merge_sort<TYPE>(void *, size_t &, TYPE *, int);
#define PAIRS(KEY, VALUE)                                                                           \
    template void sort_pairs<KEY, VALUE>(void *, size_t &, const KEY *, KEY *, const VALUE *, VALUE *, int);
#define HISTOGRAM(TYPE) \
    template void histogram<TYPE>(void *, size_t &, const TYPE *, int *, TYPE, TYPE, int);
#define MATHEMATICS(TYPE, DEPTH) \
    template __global__ void mathematics<TYPE, DEPTH>(TYPE *, const TYPE *, unsigned);
#define MULTIPLY(ITEM, SUM, TILE) \
    template __global__ void multiply<ITEM, SUM, TILE>(SUM *, const ITEM *, const ITEM *, int);
#define TENSOR(ITEM, SUM, TILE) \
    template __global__ void multiply_on_tensor_cores<ITEM, SUM, TILE>(SUM *, const ITEM *, const ITEM *, int);

// about 1 MB
template void sort_keys<int>(void *, size_t &, const int *, int *, int);
template void scan<float>(void *, size_t &, const float *, float *, int);
template void select<float>(void *, size_t &, const float *, float *, int *, int);
MATHEMATICS(float, 2)
MATHEMATICS(double, 2)
MULTIPLY(float, float, 8)
TENSOR(__half, float, 2)

#if SCALE >= 2  // about 10 MB
ALGORITHMS(unsigned int)
ALGORITHMS(double)
PAIRS(unsigned long long, float)
PAIRS(float, short)
HISTOGRAM(float)
HISTOGRAM(int)
MATHEMATICS(float, 5)
MATHEMATICS(double, 6)
MULTIPLY(short, int, 12)
MULTIPLY(double, double, 8)
MULTIPLY(__nv_bfloat16, float, 8)
TENSOR(__half, __half, 4)
TENSOR(__nv_bfloat16, float, 4)
TENSOR(signed char, int, 3)
ALGORITHMS(long long)
ALGORITHMS(unsigned char)
ALGORITHMS(short)
ALGORITHMS(unsigned long long)
#endif

#if SCALE >= 3  // about 30 MB
template void sort_keys<float>(void *, size_t &, const float *, float *, int);
template void reduce<float>(void *, size_t &, const float *, float *, int);
template void merge_sort<float>(void *, size_t &, float *, int);
ALGORITHMS(char)
ALGORITHMS(long)
ALGORITHMS(unsigned long)
ALGORITHMS(__half)
ALGORITHMS(__nv_bfloat16)
ALGORITHMS(signed char)
ALGORITHMS(unsigned short)
PAIRS(double, double)
PAIRS(int, long long)
PAIRS(unsigned char, int)
PAIRS(long long, unsigned char)
PAIRS(short, double)
PAIRS(unsigned int, unsigned int)
PAIRS(signed char, short)
PAIRS(unsigned short, float)
HISTOGRAM(double)
HISTOGRAM(unsigned char)
MATHEMATICS(double, 12)
MATHEMATICS(float, 40)
MATHEMATICS(float, 20)
MATHEMATICS(float, 30)
MATHEMATICS(double, 24)
MATHEMATICS(double, 20)
MATHEMATICS(double, 28)
MULTIPLY(float, float, 16)
MULTIPLY(double, double, 12)
MULTIPLY(float, double, 16)
MULTIPLY(short, float, 16)
MULTIPLY(int, long long, 12)
MULTIPLY(signed char, int, 16)
MULTIPLY(unsigned char, unsigned int, 16)
MULTIPLY(__half, float, 16)
TENSOR(unsigned char, int, 4)
#endif
