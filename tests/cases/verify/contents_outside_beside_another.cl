// EXPECT: oob
// OPTS: --assume 'elements(out) >= 8'
// WHY: that index may hold large numbers is the host's to say; that the last elements of tail lie outside is the kernel's own fault.
kernel void shift(global int *out, global const int *index) {
  local int seen[64];
  local int tail[8];
  if (get_local_id(0) == 0) {
    seen[index[0]] = 1;
    tail[index[0] & 7] = 2;
    tail[8 + (index[1] & 3)] = 3;
  }
}
