// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: what is added is what was got: one work-item after another, used is 2^k - 1 after k of them. From the 33rd on all get 2^32 - 1, and then 0, and store to out[0].
kernel void own(global int *out, global uint *used) {
  const uint x = atomic_add(used, 1u);
  const uint y = atomic_add(used, x);
  if (x > 0) {
    out[y] = get_global_id(0);
  }
}
