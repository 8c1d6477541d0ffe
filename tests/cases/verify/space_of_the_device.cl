// EXPECT: race
// OPTS: --local 64 --groups 1
// OPTS: 
// WHY: all write a[0]: memory in a space of its own name is shared
kernel void f(__attribute__((opencl_global_device)) int *a) {
  a[0] = get_global_id(0);
}
