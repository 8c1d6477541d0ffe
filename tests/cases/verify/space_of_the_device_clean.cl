// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: each its own
kernel void f(__attribute__((opencl_global_device)) int *a) {
  a[get_global_id(0)] = get_global_id(0);
}
