// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: reads only, own place
kernel void k(global const int *a, global int *b, int n) {
  int sum = 0;
  for (global const int *p = a; p < a + n; p++) sum += *p;
  b[get_global_id(0)] = sum;
}
