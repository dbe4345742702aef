; Compiled by the NVPTX back end of LLVM.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@table = addrspace(4) constant [4 x float] [float 1.0, float 2.5, float -0.0, float 0x3FD5555560000000], align 16
@name = private unnamed_addr addrspace(1) constant [6 x i8] c"hello\00", align 1
@state = addrspace(1) global { i32, [3 x i16], ptr addrspace(1) } { i32 7, [3 x i16] [i16 1, i16 -2, i16 3], ptr addrspace(1) @counter }, align 8
@counter = internal addrspace(1) global i32 0, align 4
@scratch = internal addrspace(3) global [32 x i64] undef, align 8
@functions = addrspace(1) global [2 x ptr] [ptr @helper, ptr @recurse], align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare void @llvm.nvvm.barrier0()
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.sqrt.f32(float)
declare i32 @llvm.ctpop.i32(i32)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare i32 @external(i32, ptr)
define internal i32 @helper(i32 %x) noinline { %r = mul i32 %x, 3 ret i32 %r }
define i32 @recurse(i32 %n) {
entry:
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %more, label %done
more:
  %m = sub i32 %n, 1
  %r = call i32 @recurse(i32 %m)
  %s = add i32 %r, %n
  ret i32 %s
done:
  ret i32 0
}
define { float, i64 } @pair(<2 x float> %v, i128 %w, [2 x i8] %b) {
  %e = extractelement <2 x float> %v, i32 1
  %t = trunc i128 %w to i64
  %x = extractvalue [2 x i8] %b, 1
  %z = sext i8 %x to i64
  %y = add i64 %t, %z
  %p = insertvalue { float, i64 } undef, float %e, 0
  %q = insertvalue { float, i64 } %p, i64 %y, 1
  ret { float, i64 } %q
}
define ptx_kernel void @kernel(ptr addrspace(1) %out, ptr %generic, float %f, double %d, i8 %small, i1 %flag, <4 x float> %v, { i32, i64 } %s, ptr byval([16 x i8]) align 4 %agg) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cy = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %i = zext i32 %tid to i64
  %p = getelementptr float, ptr addrspace(1) %out, i64 %i
  %a = load float, ptr addrspace(1) %p
  %tp = getelementptr [4 x float], ptr addrspace(4) @table, i64 0, i64 %i
  %b = load float, ptr addrspace(4) %tp
  %c = call float @llvm.fma.f32(float %a, float %b, float %f)
  %q = call float @llvm.sqrt.f32(float %c)
  %dv = fdiv float %q, %a
  %cmp = fcmp ult float %dv, 1.0
  %sel = select i1 %cmp, float %dv, float 0x400921FB60000000
  br i1 %flag, label %left, label %right
left:
  %slot = getelementptr [32 x i64], ptr addrspace(3) @scratch, i32 0, i32 %tid
  %old = atomicrmw add ptr addrspace(3) %slot, i64 5 seq_cst
  call void @llvm.nvvm.barrier0()
  %w = load <4 x i32>, ptr addrspace(1) %out, align 16
  %w1 = mul <4 x i32> %w, <i32 1, i32 2, i32 3, i32 4>
  store <4 x i32> %w1, ptr addrspace(1) %out, align 16
  %sw = and i32 %tid, 7
  switch i32 %sw, label %join [ i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 i32 4, label %c4 ]
c0: store i32 1, ptr %generic br label %join
c1: store i32 3, ptr %generic br label %join
c2: store i64 7, ptr %generic br label %join
c3: store i8 %small, ptr %generic br label %join
c4: store double %d, ptr %generic br label %join
right:
  %fp = load ptr, ptr addrspace(1) @functions
  %r = call i32 %fp(i32 %cy)
  %buf = alloca [10 x i32]
  %bp = getelementptr [10 x i32], ptr %buf, i32 0, i32 %cy
  store i32 %r, ptr %bp
  %ex = call i32 @external(i32 %r, ptr %buf)
  %pop = call i32 @llvm.ctpop.i32(i32 %ex)
  %rev = call i32 @llvm.bitreverse.i32(i32 %pop)
  %lz = call i64 @llvm.ctlz.i64(i64 %i, i1 false)
  %lz32 = trunc i64 %lz to i32
  %fs = call i32 @llvm.fshl.i32(i32 %rev, i32 %lz32, i32 7)
  %si = sitofp i32 %fs to float
  store float %si, ptr addrspace(1) %p
  %cx = cmpxchg ptr addrspace(1) @counter, i32 1, i32 %fs acq_rel monotonic
  %sum = add i32 %rev, %ex
  %div = sdiv i32 %sum, 7
  %rem = urem i32 %div, %cy
  store volatile i32 %rem, ptr addrspace(1) @counter
  %ag = load i32, ptr %agg
  store i32 %ag, ptr addrspace(1) @counter
  %h = fptrunc float %sel to half
  %h2 = fadd half %h, 0xH3C00
  store half %h2, ptr %generic
  fence seq_cst
  br label %join
join:
  %ph = phi float [ %sel, %left ], [ 1.0, %c0 ], [ 2.0, %c1 ], [ %sel, %c2 ], [ 0.0, %c3 ], [ %f, %c4 ], [ %dv, %right ]
  store float %ph, ptr addrspace(1) %p
  %asm = call i32 asm sideeffect "{ .reg .b32 t; mov.b32 t, %clock; add.s32 $0, t, $1; }", "=r,r"(i32 %tid)
  store i32 %asm, ptr addrspace(1) @counter
  ret void
}
