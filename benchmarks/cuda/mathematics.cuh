// Straight-line mathematics: library function bodies inlined over and over, in long basic blocks.
#pragma once

template <class Real, int Depth>
struct Chain {
    static __device__ __forceinline__ Real value(Real x, Real y) {
        Real a = pow(x, y) + erf(x) * tgamma(y);
        Real b = sin(a) + cos(y) + exp(y) * log1p(x);
        Real c = cbrt(b) + atan2(a, b) + j0(x) - lgamma(y);
        return Chain<Real, Depth - 1>::value(c + a, b - c);
    }
};

template <class Real>
struct Chain<Real, 0> {
    static __device__ Real value(Real x, Real y) { return x + y; }
};

template <class Real, int Depth>
__global__ void mathematics(Real *out, const Real *in, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        out[i] = Chain<Real, Depth>::value(out[i], in[i]);
    }
}
