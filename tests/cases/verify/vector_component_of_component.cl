// EXPECT: race
// OPTS: --local 2 --groups 1
// WHY: v.lo.even.hi are the elements 4 and 6 of sixteen. Work-item 1 stores element 6, too.
kernel void part(global int16 *v) {
  if (get_local_id(0) == 0) {
    v->lo.even.hi = (int2)(7, 8);
  } else {
    v->s6 = 9;
  }
}
