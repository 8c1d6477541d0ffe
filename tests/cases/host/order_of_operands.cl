// EXPECT: race
// OPTS: --host order_of_operands.c
// WHY: which operand is evaluated first is not said: the sum may be 0
kernel void spread(global int *data, int stride) { data[get_global_id(0) * stride] = get_global_id(0); }
