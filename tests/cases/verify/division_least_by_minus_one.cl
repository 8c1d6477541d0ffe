// EXPECT: race
// OPTS: --local 64 --groups 1 --assume 'n == -2147483648'
// RESTS: no signed overflow at
// WHY: n may be the least number, and what that gives divided by -1 is any number for each: different numbers into out[0]
kernel void f(global int *out, int n) {
  out[0] = n / -1;
}
