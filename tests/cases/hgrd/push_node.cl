// EXPECT: race
// OPTS: --host push_node.c
// WHY: two work-items read one size of the list, and both write that place.
kernel void push(global int *list, global int *size, global const int *wanted, int n) {
  int v = get_global_id(0);
  if (v < n && wanted[v] != 0) {
    int at = *size;
    *size = at + 1;
    list[at] = v;
  }
}
