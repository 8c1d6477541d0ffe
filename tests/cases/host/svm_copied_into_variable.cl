// EXPECT: race
// OPTS: --host svm_copied_into_variable.c
// WHY: the copy may arrive after the assignment
kernel void spread(global int *data, int stride) { data[get_global_id(0) * stride] = get_global_id(0); }
