// EXPECT: div
// OPTS: --local 16 --groups 2
// WHY: the third case leaves the loop
kernel void k(global int *out) {
  for (int i = 0; i < 4; i++) {
    switch (get_local_id(0) & 3) { case 0: case 1: break; case 2: continue; default: goto done; }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
done:
  out[get_global_id(0)] = 1;
}
