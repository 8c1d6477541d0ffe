// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: an own atomic_add of a short, without a body, is none of OpenCL's: given memory that others see
short __attribute__((overloadable)) atomic_add(volatile global short *p, short v);
kernel void f(volatile global short *o) {
  atomic_add(o, (short)1);
}
