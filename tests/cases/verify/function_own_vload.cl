// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: an own vload4(int, ...) that is no function of OpenCL is given memory that others see, and may write it
int4 __attribute__((overloadable)) vload4(int i, global int *p);
kernel void f(global int *a) {
  int4 v = vload4((int)0, a);
}
