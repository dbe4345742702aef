// Integer intrinsics: bit counting, permutes, funnel shifts, dot products, wide multiplication, packed SIMD, saturation.
__global__ void bits(unsigned *out, unsigned a, unsigned b, unsigned long long c, int s) {
    out[0] = __popc(a) + __popcll(c) + __clz(s) + __clzll(c) + __ffs(s) + __ffsll(c);
    out[1] = __brev(a) + unsigned(__brevll(c));
    out[2] = __byte_perm(a, b, 0x5410) + __byte_perm(a, b, s);
    out[3] = __funnelshift_l(a, b, s) + __funnelshift_r(a, b, s);
    out[4] = __funnelshift_lc(a, b, s) + __funnelshift_rc(a, b, s);
    out[5] = __dp4a(a, b, 7u) + __dp4a(int(a), int(b), s);
    out[6] = __dp2a_lo(int(a), int(b), s) + __dp2a_hi(a, b, 3u);
    out[7] = __mulhi(s, 77) + __umulhi(a, b) + __mul24(s, s) + __umul24(a, b);
    out[8] = __sad(s, 3, a) + __usad(a, b, 9) + __hadd(s, 4) + __rhadd(s, 5) + __uhadd(a, b);
    out[9] = unsigned(__mul64hi(c, 99)) + unsigned(__umul64hi(c, c));
    out[10] = min(s, 3) + max(a, b) + abs(s) + unsigned(llabs((long long)c));
}

__global__ void packed(unsigned *out, unsigned a, unsigned b) {
    out[0] = __vadd4(a, b) ^ __vsub2(a, b) ^ __vabs4(a) ^ __vneg2(b);
    out[1] = __vaddss2(a, b) ^ __vsubus4(a, b) ^ __vavgu4(a, b) ^ __vhaddu2(a, b);
    out[2] = __vmaxs4(a, b) ^ __vminu2(a, b) ^ __vsadu4(a, b) ^ __vabsdiffs2(a, b);
    out[3] = __vcmpeq4(a, b) ^ __vcmpgtu2(a, b) ^ __vsetles4(a, b) ^ __vsetne2(a, b);
    out[4] = __viaddmax_s16x2(a, b, 3) ^ __vimax3_u32(a, b, 5) ^ __vibmin_u16x2(a, b, nullptr, nullptr);
}

__global__ void wide(__int128 *out, unsigned __int128 a, long long b) {
    out[0] = __int128(a) * b;
    out[1] = a + 5;
    out[2] = a << (b & 127);
    out[3] = a / (b | 1);
    out[4] = a > 3 ? b : -b;
}

__global__ void fields(unsigned *out, unsigned a, int s) {
    unsigned field;
    asm("bfe.u32 %0, %1, 4, 9;" : "=r"(field) : "r"(a));
    asm("bfi.b32 %0, %1, %2, 8, %3;" : "=r"(out[1]) : "r"(field), "r"(a), "n"(5));
    asm("lop3.b32 %0, %1, %2, %3, 0xCA;" : "=r"(out[2]) : "r"(field), "r"(a), "r"(s));
    asm("{ .reg .u32 t<2>; add.cc.u32 t0, %1, %2; addc.u32 t1, %1, 0; xor.b32 %0, t0, t1; }"
        : "=r"(out[3]) : "r"(field), "r"(a));
    asm("vadd.s32.u32.s32.sat %0, %1.b1, %2.h0;" : "=r"(out[4]) : "r"(a), "r"(s));
    asm("sad.s32 %0, %1, %2, -1; // trailing comment" : "=r"(out[5]) : "r"(s), "r"(s));
    asm("bmsk.clamp.b32 %0, %1, 3;" : "=r"(out[6]) : "r"(a));
    asm("szext.wrap.s32 %0, %1, 5;" : "=r"(out[7]) : "r"(s));
    asm("fns.b32 %0, %1, 0, 2;" : "=r"(out[8]) : "r"(a));
    asm("bfind.shiftamt.s32 %0, %1;" : "=r"(out[9]) : "r"(s));
}

template <class T>
__global__ void switches(T *out, T a) {
    switch (a) {
        case 0: out[0] = a + 2; break;
        case 1: out[3] = a ^ 5; break;
        case 2: out[a] = a; break;
        case 3: out[1] = a * a; break;
        case 4: out[2] = a - 1; break;
        case 5: out[7] = a << 3; break;
        case 6: out[9] = a / 3; break;
        case 7: out[8] = a % 7; break;
        default: out[5] = ~a;
    }
}
template __global__ void switches<int>(int *, int);
template __global__ void switches<unsigned long long>(unsigned long long *, unsigned long long);
