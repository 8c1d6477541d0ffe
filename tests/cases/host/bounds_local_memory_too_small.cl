// EXPECT: oob
// OPTS: --host bounds_local_memory_too_small.c
// WHY: the host gives local memory for 64 floats, and groups have 128 work-items: work-item 64 stores to t[64].
kernel void reverse(global float *data, local float *t) {
  const uint l = get_local_id(0), n = get_local_size(0);
  t[l] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = t[n - 1 - l];
}
