// EXPECT: clean
// OPTS: --local 2 --groups 1
// WHY: v.lo.even.hi are the elements 4 and 6 of sixteen; work-item 1 stores and reads all of the odd ones, 0, 2 and the upper half.
kernel void part(global int16 *v) {
  if (get_local_id(0) == 0) {
    v->lo.even.hi = (int2)(7, 8);
  } else {
    v->odd += 1;
    v->lo.even.lo = v->odd.lo.lo;
    v->hi = 3;
  }
}
