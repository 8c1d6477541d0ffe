// EXPECT: clean
// OPTS: --host svm_copied_and_waited_clean.c
// WHY: the copy is over before the assignment
kernel void spread(global int *data, int stride) { data[get_global_id(0) * stride] = get_global_id(0); }
