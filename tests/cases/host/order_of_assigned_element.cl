// EXPECT: race
// OPTS: --host order_of_assigned_element.c
// WHY: whether the index is computed before the function is called is not said
kernel void spread(global int *data, int stride) { data[get_global_id(0) * stride] = get_global_id(0); }
