// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: the function is get_group_id under another name
size_t __attribute__((overloadable)) my_id(uint) __asm__("_Z12get_group_idj");
kernel void k(global int *a) { a[my_id(0)] = get_local_id(0); }
