// The only access to local memory in its file, at a place that never changes.
kernel void alone(global const int *values) {
  local int last[2][3];
  last[1][2] = values[get_global_id(0)]; //@alone
}
