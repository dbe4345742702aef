// Compiled with -G: nothing is inlined or optimised, every line has a .loc, and the DWARF sections are there.
#include "algorithms.cuh"
#include "mathematics.cuh"

#define ALGORITHMS(TYPE)                                                           \
    template void sort_keys<TYPE>(void *, size_t &, const TYPE *, TYPE *, int);    \
    template void reduce<TYPE>(void *, size_t &, const TYPE *, TYPE *, int);       \
    template void scan<TYPE>(void *, size_t &, const TYPE *, TYPE *, int);         \
    template void select<TYPE>(void *, size_t &, const TYPE *, TYPE *, int *, int);

ALGORITHMS(int)
template __global__ void mathematics<float, 3>(float *, const float *, unsigned);
template __global__ void mathematics<double, 3>(double *, const double *, unsigned);
