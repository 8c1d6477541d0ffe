// EXPECT: race
// OPTS: --host kernel_in_lambda_stride_zero.cpp
// WHY: the launch in the lambda has stride 0.
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
