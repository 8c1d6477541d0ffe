// EXPECT: clean
// OPTS: --host unsigned_product_wide_clean.c
// RESTS: inside
// WHY: the product has 64 bits: it does not come round
kernel void k(global int *a) { a[get_global_id(0) * (get_global_size(0) % 48 == 0)] = get_global_id(0) + 1000 * get_global_id(1); }
