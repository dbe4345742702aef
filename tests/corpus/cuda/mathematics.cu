// The mathematics library in both precisions, and every rounding of the basic operations.
#include <cuComplex.h>

template <class T>
__global__ void library(T *out, T x, T y, int n) {
    T whole;
    int exponent;
    out[0] = sin(x) + cos(y) + tan(x) + asin(y) + acos(x) + atan(y) + atan2(x, y);
    out[1] = sinh(x) + cosh(y) + tanh(x) + asinh(y) + acosh(x) + atanh(y);
    out[2] = exp(x) + exp2(y) + exp10(x) + expm1(y) + log(x) + log2(y) + log10(x) + log1p(y);
    out[3] = pow(x, y) + sqrt(x) + rsqrt(y) + cbrt(x) + rcbrt(y) + hypot(x, y) + norm3d(x, y, x);
    out[4] = erf(x) + erfc(y) + erfinv(x) + normcdf(y) + tgamma(x) + lgamma(y);
    out[5] = j0(x) + y1(y) + jn(n, x) + cyl_bessel_i0(y);
    out[6] = fmod(x, y) + remainder(x, y) + modf(x, &whole) + frexp(y, &exponent) + ldexp(x, exponent);
    out[7] = floor(x) + ceil(y) + trunc(x) + round(y) + rint(x) + nearbyint(y) + T(llrint(x)) + whole;
    out[8] = fabs(x) + copysign(x, y) + nextafter(x, y) + fdim(x, y) + fma(x, y, x) + fmin(x, y) + fmax(x, y);
    out[9] = isnan(x) + isinf(y) + signbit(x) + isfinite(y) + T(ilogb(x)) + logb(y) + sinpi(x) + cospi(y);
    sincos(x, &out[10], &out[11]);
}
template __global__ void library<float>(float *, float, float, int);
template __global__ void library<double>(double *, double, double, int);

__global__ void roundings(float *f, double *d, int *i, long long *l, float x, double y) {
    f[0] = __fadd_rn(x, 1) + __fadd_rz(x, 2) + __fadd_ru(x, 3) + __fadd_rd(x, 4);
    f[1] = __fmul_rn(x, 5) + __fmul_rz(x, 6) + __fmul_ru(x, 7) + __fmul_rd(x, 8);
    f[2] = __fmaf_rn(x, x, 1) + __fmaf_rz(x, x, 2) + __fmaf_ru(x, x, 3) + __fmaf_rd(x, x, 4);
    f[3] = __fdiv_rn(x, 3) + __fdiv_rz(x, 3) + __fdividef(x, 3) + __frcp_ru(x) + __fsqrt_rd(x) + __frsqrt_rn(x);
    f[4] = __sinf(x) + __cosf(x) + __expf(x) + __logf(x) + __powf(x, x) + __saturatef(x) + __tanf(x) + __exp10f(x);
    d[0] = __dadd_rz(y, 1) + __dmul_ru(y, 2) + __fma_rd(y, y, 3) + __ddiv_rn(y, 4) + __drcp_rz(y) + __dsqrt_ru(y);
    i[0] = __float2int_rn(x) + __float2int_rz(x) + __float2int_ru(x) + __double2int_rd(y) + __float_as_int(x);
    i[1] = __double2hiint(y) + __double2loint(y) + __float2uint_rd(x) + __double2uint_ru(y);
    l[0] = __float2ll_ru(x) + __double2ll_rn(y) + __double_as_longlong(y) + __double2ull_rz(y) + __float2ull_rn(x);
    f[5] = __int2float_rz(i[2]) + __uint2float_ru(i[3]) + __ll2float_rd(l[1]) + __ull2float_rn(l[2]) + __double2float_ru(y);
    d[1] = __int2double_rn(i[4]) + __ll2double_rz(l[3]) + __ull2double_ru(l[4]) + __hiloint2double(i[5], i[6]);
}

__global__ void complex(cuDoubleComplex *out, cuFloatComplex *small, cuDoubleComplex a, cuFloatComplex b) {
    out[0] = cuCdiv(cuCmul(a, a), cuCadd(a, cuConj(a)));
    out[1].x = cuCabs(a);
    small[0] = cuCfmaf(b, b, cuCdivf(b, b));
}
