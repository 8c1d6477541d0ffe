// EXPECT: clean
// OPTS: --local 64 --groups 4
// WHY: __builtin_align_down of an aligned pointer is that pointer
kernel void k(global int *a) {
  global int *p = (global int *)__builtin_align_down((global char *)(a + get_global_id(0)), 4);
  *p = get_global_id(0);
}
