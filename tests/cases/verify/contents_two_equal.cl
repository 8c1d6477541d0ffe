// EXPECT: race
// CERTAIN: no
// OPTS:
// SAYS: depends on whether index holds the same number twice; --assume 'distinct(index)' excludes that
// WHY: index may hold a number twice, and that is the host's to say: possible, not certain.
kernel void scatter(global int *out, global const int *index) {
  out[index[get_global_id(0)]] = get_global_id(0);
}
