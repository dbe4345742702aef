// Inline assembly of every shape: scopes, bare register names, comments, several statements a line, labels, directives.
__global__ void scopes(int *out, float *floats, int a, int b) {
    asm volatile(
        "{\n"
        "  .reg .pred p, q;        // two predicates\n"
        "  .reg .s32 first, second<3>;\n"
        "  setp.lt.s32 p|q, %1, %2;\n"
        "  mov.s32 first, %1; mov.s32 second0, %2;\n"
        "@p add.s32 first, first, second0;\n"
        "@!q sub.s32 first, first, 0x10;\n"
        "  { .reg .s32 first; mov.s32 first, 7; add.s32 second1, first, 1; }\n"
        "  mad.lo.s32 %0, first, 3, second1;\n"
        "}"
        : "=r"(out[0]) : "r"(a), "r"(b));
    asm volatile(
        "{ .reg .pred again; .reg .u32 i; mov.u32 i, 0;\n"
        "loop_%=: add.u32 i, i, 1; setp.lt.u32 again, i, %1; @again bra loop_%=; mov.u32 %0, i; }"
        : "=r"(out[1]) : "r"(b));
    asm("{.reg .b16 lo,hi; mov.b32 {lo,hi}, %1; cvt.f32.f16 %0, hi;}" : "=f"(floats[0]) : "r"(a));
    asm("/* a block\n comment */ mov.b64 {%0, %1}, %2;" : "=r"(out[2]), "=r"(out[3]) : "l"(0x0123456789abcdefll));
    asm volatile("st.global.cs.v2.f32 [%0+8], {%1, 0f3F800000};" ::"l"(floats), "f"(2.0f) : "memory");
    asm volatile("ld.volatile.global.v4.u32 {%0,%1,_,%2}, [%3];" : "=r"(out[4]), "=r"(out[5]), "=r"(out[6]) : "l"(out));
    asm volatile("prefetch.global.L2 [%0];\n\tprefetchu.L1 [%0];" ::"l"(out));
    asm("slct.f32.s32 %0, %1, 0f00000000, %2;" : "=f"(floats[1]) : "f"(1.0f), "r"(a));
    asm("cnot.b32 %0, %1;\n\t prmt.b32.f4e %0, %0, %2, 2;" : "=&r"(out[7]) : "r"(a), "r"(b));
    asm("{ .reg .pred p; testp.infinite.f32 p, %1; selp.b32 %0, 1, 0, p; }" : "=r"(out[8]) : "f"(floats[3]));
    asm("{ .reg .f64 d; cvt.f64.f32 d, %1; copysign.f64 d, d, 0dBFF0000000000000; cvt.rzi.sat.s8.f64 %0, d; }"
        : "=r"(out[9]) : "f"(floats[2]));
    asm volatile("pmevent 3; nanosleep.u32 20; fence.sc.cta; fence.acq_rel.gpu; membar.sys;");
    asm volatile(".pragma \"nounroll\";");
    asm volatile("{ .local .align 8 .b8 spill[24]; .reg .u64 at; mov.u64 at, spill; st.local.u8 [at+3], %0; }" ::"r"(a));
    asm volatile("{ .shared .align 16 .f32 shared_in_asm[4][8]; st.shared.f32 [shared_in_asm+4], 0f40000000; }");
}

__global__ void carries(unsigned *out, unsigned long long a, unsigned b) {
    asm("add.cc.u32 %0, %2, %3; addc.cc.u32 %1, %2, 0; subc.u32 %1, %1, %3;"
        : "=&r"(out[0]), "=&r"(out[1]) : "r"(b), "r"(77));
    asm("mad.lo.cc.u32 %0, %1, %2, %0; madc.hi.u32 %0, %1, %2, 0;" : "+r"(out[2]) : "r"(b), "r"(3));
    asm("mul.wide.u32 %0, %1, -1; mad.wide.u32 %0, %1, 5, %0; shf.l.wrap.b32 %2, %1, %1, 3;"
        : "+l"(a), "+r"(b), "=r"(out[3]));
    asm("bfe.s64 %0, %1, 8, 40; brev.b64 %0, %0; clz.b64 %2, %0; popc.b64 %2, %1;" : "=&l"(a), "+l"(a), "=r"(out[4]));
    out[5] = unsigned(a);
}

__global__ void generic(unsigned *out, void *pointer) {
    asm volatile("{ .reg .pred p; .reg .b64 t; isspacep.shared p, %1; cvta.to.shared.u64 t, %1;\n\t"
                 "@p ld.shared.u32 %0, [t]; cvta.shared.u64 t, t; }" : "=r"(out[0]) : "l"(pointer));
    asm volatile("atom.global.add.u32 %0, [%1], 1; red.global.max.u32 [%1+4], %0;\n\t"
                 "atom.relaxed.gpu.global.cas.b32 %0, [%1], %0, 5;" : "+r"(out[1]) : "l"(out) : "memory");
    asm volatile("st.release.sys.global.u32 [%1], 3; ld.acquire.cta.global.u32 %0, [%1];" : "=r"(out[2]) : "l"(out));
}
