// EXPECT: race
// OPTS: --host product_of_unsigned_wraps.c
// WHY: the product of 32 bits comes round: 89478486 * 48 is 32, which 48 does not divide
kernel void k(global int *a) { a[get_global_id(0) * (get_global_size(0) % 48 == 0)] = get_global_id(0) + 1000 * get_global_id(1); }
