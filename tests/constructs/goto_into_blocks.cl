int branches(int n) {
  int s = 0;
  if (n == 1) goto yes;
  goto no;
  if (n > 0) {
    s += 1;
  yes:
    s += 2;
  } else {
    s += 4;
  no:
    s += 8;
  }
  s += 16;
  return s;
}
int single(int n) {
  int s = 0;
  goto yes;
  if (n > 5)
    yes: s += 1;
  s += 2;
  if (n > 7) goto no;
  if (n > 6)
    s += 4;
  else
    no: s += 8;
  s += 16;
  {
    s += 32;
    goto deep;
  }
  {
    s += 64;
    {
    deep:
      s += 128;
    }
    s += 256;
  }
  return s;
}
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = branches(i) + single(i);
}
// Branches that are jumped into, i = 0, 1: their conditions are not asked; what follows them is executed all the same,
// and so is the `}` that ends a block that is jumped into (line 9).
// range: 2 1
// code: 1-46
// site: function 1 entered |
// site: if 3 true, false |
// site: if 5 | true, false
// site: function 17 entered |
// site: if 20 | true, false
// site: if 23 false | true
// site: if 24 false | true
// site: function 43 entered |
// lines: 5 6 10 20 25 33 34 35
// findings: 0
