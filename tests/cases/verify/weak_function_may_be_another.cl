// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: a weak helper is the one that is there
__attribute__((weak)) int place(int i) { return 0; }
kernel void k(global int *a) { a[place(get_local_id(0))] = get_local_id(0); }
