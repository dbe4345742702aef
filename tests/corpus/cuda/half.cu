// Half, bfloat16 and 8-bit floating point: arithmetic, comparison, conversion, packed forms.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__global__ void halves(__half *out, const __half *in, float f, double d, int i, short s, unsigned long long u) {
    __half a = in[0], b = in[1], c = in[2];
    out[0] = __hadd(a, b);
    out[1] = __hfma(a, b, c);
    out[2] = __hdiv(a, b);
    out[3] = hsqrt(a) + hrcp(b) + hexp(c) + hlog2(a) + hsin(b) + htanh(c);
    out[4] = __hadd_sat(a, b) - __hmul_sat(b, c) * __habs(a);
    out[5] = __hmax(a, b) < __hmin_nan(b, c) ? a : -b;
    out[6] = __float2half_rz(f);
    out[7] = __double2half(d);
    out[8] = __int2half_ru(i);
    out[9] = __short2half_rd(s);
    out[10] = __ull2half_rn(u);
    out[11] = hfloor(a) + hceil(b) + htrunc(c) + hrint(a);
    out[12] = __hisnan(a) || __hisinf(b) ? a : b;
    out[13] = __ushort_as_half(__half2ushort_rz(a)) + __int2half_rn(__half2int_rd(b));
    out[14] = __shfl_xor_sync(~0u, a, 3);
}

__global__ void pairs(__half2 *out, const __half2 *in, unsigned *masks) {
    __half2 a = in[0], b = __ldg(in + 1), c = in[2];
    out[0] = __hfma2(a, b, c);
    out[1] = __hadd2_sat(a, b);
    out[2] = h2exp2(a);
    out[3] = __lowhigh2highlow(a);
    out[4] = __hgt2(a, b);
    out[5] = __hmin2(a, __hmax2(b, c));
    out[6] = __hfma2_relu(a, b, c);
    out[7] = __hneg2(h2rsqrt(a));
    masks[0] = __hltu2_mask(a, b) + __hbeq2(a, b) + __hne2_mask(b, c);
}

__global__ void brains(__nv_bfloat16 *out, __nv_bfloat162 *wide, const __nv_bfloat16 *in, float f) {
    __nv_bfloat16 a = in[0], b = in[1];
    out[0] = a * b + a;
    out[1] = __float2bfloat16_rn(f);
#if __CUDA_ARCH__ >= 800
    out[2] = __hfma_relu(a, b, a);
    wide[3] = __hfma2_relu(wide[1], wide[2], wide[3]);
#endif
    out[3] = hexp(a) / hsqrt(b);
    out[4] = __hmax_nan(a, b);
    wide[0] = wide[1] * wide[2] + wide[3];
    wide[1] = __floats2bfloat162_rn(f, 2 * f);
    wide[2] = __hmul2(wide[0], wide[1]);
    out[5] = __hlt(a, b) ? __hneg(a) : __habs(b);
    out[6] = __hadd(__ushort2bfloat16_rn(__bfloat162ushort_rz(a)), __int2bfloat16_rn(3));
}

__global__ void bytes(__nv_fp8_e4m3 *e4, __nv_fp8_e5m2 *e5, __nv_fp8x4_e4m3 *packed, float4 *out, const float *in) {
    e4[0] = __nv_fp8_e4m3(in[0]);
    e5[0] = __nv_fp8_e5m2(__float2half(in[1]));
    packed[0] = __nv_fp8x4_e4m3(make_float4(in[0], in[1], in[2], in[3]));
    out[0] = static_cast<float4>(packed[1]);
    out[1].x = float(e4[1]) + float(e5[1]);
}
