// EXPECT: div
// OPTS: --local 16 --groups 2
// WHY: the barrier of the helper is reached only where the first operand is true
static int meet(void) { barrier(CLK_LOCAL_MEM_FENCE); return 1; }
kernel void k(global int *out) {
  out[get_global_id(0)] = get_local_id(0) > 3 && meet();
}
