// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: id 0, size 1 of a dimension that is not there
kernel void k(global int *a) { a[get_global_id(0) * get_global_size(3) + get_global_id(7)] = 1; }
