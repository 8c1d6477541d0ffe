// EXPECT: clean
// OPTS: --host order_of_operands_clean.c
// WHY: the function changes nothing
kernel void spread(global int *data, int stride) { data[get_global_id(0) * stride] = get_global_id(0); }
