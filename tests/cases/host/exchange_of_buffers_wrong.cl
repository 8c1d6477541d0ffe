// EXPECT: race
// OPTS: --host exchange_of_buffers_wrong.c
// RESTS: from and to are different memory
// WHY: the exchange gives both arguments one buffer: in the second launch a work-item reads what its neighbour stores.
kernel void spread(global int *from, global int *to) {
  to[get_global_id(0)] = from[get_global_id(0) + 1];
}
