#define N 3
enum { COUNT = N > 2 ? 4 : 1 };
struct pad { char bytes[N > 1 ? 8 : 4]; };
__kernel void test(__global int *out) {
  enum { HERE = N > 2 ? 5 : 6 };
  int i = get_global_id(0);
  int array[N > 2 ? 2 : 1] = {0, 1};
  size_t s = sizeof(i ? 1 : 2L) + sizeof(char[N ? 3 : 4]);
  switch (i) {
    case N > 2 ? 1 : 2:
      array[0] = 3;
  }
  __local int scratch[N > 5 ? 8 : 16];
  scratch[get_local_id(0)] = i;
  out[i] = array[0] + array[1] + (int)s + (int)sizeof(struct pad) + COUNT + HERE + scratch[get_local_id(0)];
}
// ?: in sizeof, enumerators, array sizes, case labels: never evaluated by a work-item, no site.
// range: 4 2
// code: 4-16
// site: function 4 entered |
// site: switch 9 case 3 > 2 ? 1 : 2, default |
// lines:
// findings: 0
