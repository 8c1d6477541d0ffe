// EXPECT: clean
// OPTS: --host kernel_name_plain_clean.cpp
// WHY: the program launches spread with stride 4 only.
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
