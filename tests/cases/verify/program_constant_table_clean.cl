// EXPECT: clean
// OPTS: --local 8 --groups 2
// WHY: the table has all places once
constant int place[8] = {3, 1, 4, 0, 5, 7, 2, 6};
kernel void k(global int *a) { a[get_group_id(0) * 8 + place[get_local_id(0)]] = get_local_id(0); }
