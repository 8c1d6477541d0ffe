// EXPECT: race
// OPTS: --local 64 --groups 2
// WHY: a function without a body gets memory that others see; it writes what it wants
void __attribute__((overloadable)) put(global int *p, int i);
kernel void k(global int *out) { put(out + 4 * get_global_id(0), 9); }
