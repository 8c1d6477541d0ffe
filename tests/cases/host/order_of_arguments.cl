// EXPECT: race
// OPTS: --host order_of_arguments.c
// WHY: which argument is evaluated first is not said: most compilers for x86-64 begin with the last
kernel void spread(global int *data, int stride) { data[get_global_id(0) * stride] = get_global_id(0); }
