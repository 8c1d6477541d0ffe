// EXPECT: race
// OPTS: --local 32 --groups 2
// OPTS: --local 32
// WHY: the pointers change places before the neighbour's element is read: in turn 0 work-item 0 reads two[1] while work-item 1 writes it.
kernel void smooth(global int *x, local int *one, local int *two, int turns) {
  const int l = get_local_id(0), last = get_local_size(0) - 1;
  local int *from = one, *to = two;
  from[l] = x[get_global_id(0)];
  int sum = 0;
  for (int t = 0; t < turns; t++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    to[l] = from[l] + l;
    local int *const other = from;
    from = to;
    to = other;
    sum += from[l < last ? l + 1 : 0];
  }
  x[get_global_id(0)] = sum;
}
