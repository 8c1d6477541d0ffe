// EXPECT: race
// OPTS: --local 64 --groups 2
// BUILD: -DZ=0
// WHY: what i % 0 gives is undefined: all work-items may store to one element
kernel void k(global int *out) { out[get_global_id(0) % Z] = get_global_id(0); }
