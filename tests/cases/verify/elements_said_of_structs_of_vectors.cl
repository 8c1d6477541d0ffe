// EXPECT: oob
// OPTS: --local 16 --groups 2 --assume 'elements(a) == 31'
// WHY: work-item 31 stores to the 32nd vector of 31.
kernel void fill(global float4 *a) {
  a[get_global_id(0)].w = 1.0f;
}
