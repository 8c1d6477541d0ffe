// EXPECT: race
// OPTS: --host static_local_of_global.cpp
// WHY: in C++ the static variable gets its value when the function is first called: 0
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
