// EXPECT: clean
// OPTS: --local 64 --groups 4
// BUILD: -cl-std=CL2.0
// WHY: clang writes bitcode that LLVM does not read; text would do, or a sentence that names clang
kernel void k(global int *a) {
  global int *p = (global int *)__builtin_assume_aligned(a, 64);
  p[get_global_id(0)] = get_global_id(0);
}
