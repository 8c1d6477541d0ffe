// EXPECT: clean
// OPTS: --assume 'distinct(index)'
// OPTS: --assume 'distinct(index)' --assume '0 <= index[i] && index[i] < n'
// WHY: no two work-items read the same place where all numbers of index are different.
kernel void scatter(global int *out, global const int *index, int n) {
  out[index[get_global_id(0)]] = get_global_id(0);
}
