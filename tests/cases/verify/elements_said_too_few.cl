// EXPECT: oob
// OPTS: --local 64 --groups 4 --assume 'elements(a) == 100'
// OPTS: --local 64 --groups 4 --assume 'elements(a) == 255'
// WHY: work-item 255 stores to a[255], and a is said to have fewer than 256 elements.
kernel void fill(global int *a) {
  a[get_global_id(0)] = 1;
}
