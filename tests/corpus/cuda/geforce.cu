// sm_120a: 4-, 6- and 8-bit mma with and without block scales, and what else the family has.
#include <cstdint>

__global__ void narrow(float *out, const uint32_t *in) {
    float d[4] = {};
    uint32_t a[4] = {in[0], in[1], in[2], in[3]}, b[2] = {in[4], in[5]};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    asm volatile("mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e3m2.e2m1.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    asm volatile("mma.sync.aligned.kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f32.e4m3.e4m3.f32.ue8m0 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, {%10}, {%12, %13}, {%11}, {%12, %13};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(a[0]), "r"(b[0]), "h"(uint16_t(0)), "h"(uint16_t(1)));
    asm volatile("mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, {%10}, {%12, %12}, {%11}, {%12, %12};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(a[1]), "r"(b[1]), "h"(uint16_t(0)));
    asm volatile("mma.sp::ordered_metadata.sync.aligned.kind::mxf4.block_scale.scale_vec::2X.m16n8k128.row.col.f32.e2m1.e2m1.f32.ue8m0 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%8,%9}, {%0,%1,%2,%3}, %10, 0, {%10}, {%11, %11}, {%10}, {%11, %11};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(a[0]), "h"(uint16_t(0)));
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

__global__ void integers(uint32_t *out, uint32_t a, uint32_t b) {
    asm("add.u8x4 %0, %1, %2; max.s8x4 %0, %0, %1; neg.s8x4 %0, %0; add.sat.u16x2 %0, %0, %2;" : "=&r"(out[0]) : "r"(a), "r"(b));
    asm("ldmatrix.sync.aligned.m8n16.x1.shared::cta.b8x16.b4x16_p64 {%0}, [%1];" : "=r"(out[1]) : "r"(a));
    asm("ldmatrix.sync.aligned.m16n16.x1.trans.shared::cta.b8 {%0, %1}, [%2];" : "=r"(out[2]), "=r"(out[3]) : "r"(a));
    uint16_t pair;
    asm("cvt.rn.satfinite.e2m3x2.f32 %0, %1, %2; cvt.rz.ue8m0x2.f32 %0, %1, %2;" : "=&h"(pair) : "f"(1.0f), "f"(2.0f));
    asm("cvt.rn.f16x2.e3m2x2 %0, %1;" : "=r"(out[4]) : "h"(pair));
}
