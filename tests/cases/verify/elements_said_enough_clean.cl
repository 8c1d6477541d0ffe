// EXPECT: clean
// OPTS: --local 64 --groups 4 --assume 'elements(a) == 256' --assume 'get_global_offset(0) == 0'
// WHY: numbers 0 to 255 stay inside 256 elements.
kernel void fill(global int *a) {
  a[get_global_id(0)] = 1;
}
