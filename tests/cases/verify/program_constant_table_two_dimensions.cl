// EXPECT: race
// OPTS: --local 4 --groups 1
// CERTAIN: no
// WHY: rows of two: both have a 1
constant int place[2][2] = {{0, 1}, {1, 2}};
kernel void k(global int *a) { a[place[get_local_id(0) >> 1][get_local_id(0) & 1]] = get_local_id(0); }
