// Accesses to local memory at places that never change, one of a word and one of a byte in it.
kernel void byte(global const int *values) {
  local int last[2][3];
  if (get_local_id(0) == 0) {
    last[1][2] = values[get_global_id(0)]; //@word
  }
  local char *p = (local char *)&(last[0][0]);
  if (get_local_id(0) == 1) {
    p[sizeof(int) * 5 + 2] = 42; //@byte
  }
}
