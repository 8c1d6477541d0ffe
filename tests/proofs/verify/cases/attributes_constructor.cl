// What runs before a kernel is not followed.
__attribute__((constructor)) void begin(void) {}

// expect unsupported after_it
// because a constructor
kernel void after_it(global int *a) { a[get_global_id(0)] = 1; }
