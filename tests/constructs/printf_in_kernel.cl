__kernel void test(__global int *out) {
  int i = get_global_id(0);
  if (i == 2)
    printf("item %d of %d: %s ? %d : %%\n", i, (int)get_global_size(0), i > 1 ? "many" : "few", i ? 5 : 6);
  out[i] = printf("") == 0 ? 1 : 2;
}
// printf, with ?: among its arguments and in its text.
// range: 4 2
// code: 1-6
// site: function 1 entered |
// site: if 3 true, false |
// site: conditional 4 true | false
// site: conditional 4 true | false
// site: conditional 5 true | false
// lines:
// findings: 0
