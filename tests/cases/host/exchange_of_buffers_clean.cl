// EXPECT: clean
// OPTS: --host exchange_of_buffers_clean.c
// WHY: the two buffers change places.
kernel void spread(global int *from, global int *to) {
  to[get_global_id(0)] = from[get_global_id(0) + 1];
}
