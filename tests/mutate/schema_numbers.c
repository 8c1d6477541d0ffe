/* Numbers at the ends of their types: mutants that overflow, divide, shift too far and convert out of range give in each
 * form what the text gives with the mutant written into it. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "schema_cases.h"

#define A "const int a = in[i], b = in[i + 8], s = in[i + 16]; // cltestcheck: no-mutate\n"
#define L "const long l = (long)in[i] << 32 | in[i + 8], m = (long)in[i + 8] << 31; // cltestcheck: no-mutate\n"
#define LOW "#define LOW(x) ((int)((x) ^ ((x) >> 32))) // cltestcheck: no-mutate\n"
#define KERNEL(body)                                                   \
  "#pragma OPENCL FP_CONTRACT OFF\n" LOW                               \
  "__kernel void test(__global int *out, __global int *in) {\n"        \
  "  const int i = (int)get_global_id(0); // cltestcheck: no-mutate\n" \
  "  __global int *o = out + 8 + i * 14; // cltestcheck: no-mutate\n" body "\n}\n"

static const test_case cases[] = {
    {"int", "arith,rel,logic", "",
     KERNEL(A
            "o[0] = a + b; o[1] = a - b; o[2] = a * b; o[3] = a / b; o[4] = a % b;\n"
            "o[5] = (a * b) / s; o[6] = (a - s) % b; o[7] = (-a) ^ b; o[8] = (a + s) > b; o[9] = (a * s) <= (b - a);\n"
            "o[10] = !(a + b); o[11] = ((a & 1) == 0) || (b > 5);")},
    {"shifts", "bit,arith", "",
     KERNEL(A "o[0] = a << s; o[1] = a >> s; o[2] = a << 33; o[3] = a >> 40; o[4] = (uint)a >> s; o[5] = ~(a << b);\n"
              "o[6] = (a & s) | (b ^ a); o[7] = a << (s + b); o[8] = a >> (s * b); o[9] = 1 << (-s); o[10] = (short)a "
              "<< s;\n"
              "o[11] = LOW((long)a << s); o[12] = LOW((ulong)b >> (s - 40));")},
    {"compound", "assign,arith", "",
     KERNEL(A
            "int x = a; x += b; o[0] = x; x = a; x -= b; o[1] = x; x = a; x *= b; o[2] = x; x = a; x /= b; o[3] = x;\n"
            "x = a; x %= b; o[4] = x; x = a; x <<= s; o[5] = x; x = a; x >>= s; o[6] = x; x = a; x &= b; o[7] = x;\n"
            "x = a; x |= s; o[8] = x; x = a; x ^= s; o[9] = x; x = a; x++; o[10] = x; x = a; o[11] = x--; o[12] = x;\n"
            "o[13] = a; o[13] *= 3;")},
    {"narrow", "assign,arith,bit", "",
     KERNEL(A "char c = (char)a; short t = (short)b; uchar u = (uchar)b; ushort v = (ushort)a;\n"
              "c += s; o[0] = c; t *= b; o[1] = t; u -= a; o[2] = u; v /= s; o[3] = v; c <<= s; o[4] = c; t %= a; o[5] "
              "= t;\n"
              "u >>= s; o[6] = u; v *= v; o[7] = v; c++; o[8] = c; --u; o[9] = u; o[10] = (char)(c * t); o[11] = "
              "(short)(v - "
              "u);\n"
              "o[12] = (uchar)(c + u) / (t | 1); o[13] = v % s;")},
    {"uint", "arith,bit,assign,rel", "",
     KERNEL("const uint a = (uint)in[i], b = (uint)in[i + 8], s = (uint)in[i + 16]; // cltestcheck: no-mutate\n"
            "uint x = a; o[0] = (int)(a + b); o[1] = (int)(a - b); o[2] = (int)(a * b); o[3] = (int)(a / b);\n"
            "o[4] = (int)(a % b); o[5] = (int)(a << s); o[6] = (int)(a >> s); x += b; x *= s; o[7] = (int)x; x /= b; "
            "o[8] = (int)x;\n"
            "o[9] = (a - b) > s; o[10] = (int)(-a); o[11] = (a * b) == (b + a); x--; o[12] = (int)x;")},
    {"long", "arith,bit,assign", "",
     KERNEL(A L
            "o[0] = LOW(l + m); o[1] = LOW(l - m); o[2] = LOW(l * m); o[3] = LOW(l / m); o[4] = LOW(l % m);\n"
            "o[5] = LOW(l << s); o[6] = LOW(l >> s); long x = l; x *= m; o[7] = LOW(x); x = l; x -= m; o[8] = LOW(x);\n"
            "x = l; x /= m; o[9] = LOW(x); x <<= s; o[10] = LOW(x); o[11] = LOW(-l); o[12] = (int)(l * a); x += 1; "
            "x++; o[13] "
            "= LOW(x);")},
    {"vectors", "arith,bit,assign", "",
     KERNEL(
         A "int4 v = (int4)(a, b, s, 7), w = (int4)(b, a, 3, s); char4 c = convert_char4(v); long2 z = (long2)(a, b);\n"
           "ushort2 u = convert_ushort2(w.xy); int4 x = v * w; o[0] = x.x; o[1] = x.y; x = v + w; o[2] = x.x ^ x.z;\n"
           "x = v << w; o[3] = x.x; o[4] = x.w; c *= (char4)(3); o[5] = c.x; o[6] = c.w; c += c; o[7] = c.y;\n"
           "z *= (long2)(123456789L); o[8] = LOW(z.x); u -= (ushort2)(9); o[9] = u.x; w /= (int4)(b, 3, 5, -7); o[10] "
           "= w.x; o[11] "
           "= w.w;\n"
           "v -= (int4)(1000000000); o[12] = v.x; x >>= v; o[13] = x.y ^ (-v).x;")},
    {"conversions", "arith,assign,const", "",
     KERNEL(
         A
         "float f = (float)a, g = (float)b; double d = (double)a;\n"
         "o[0] = (int)(f * 0.5f); o[1] = (char)(a + b); o[2] = convert_char_sat(a - b); o[3] = convert_int_sat(f * "
         "g);\n"
         "o[4] = (short)(a * 3); o[5] = as_int(f / g); o[6] = convert_uchar_sat(f - g); o[7] = LOW((long)(f * 2.0f));\n"
         "o[8] = (int)(f * 4.7f); o[9] = convert_short_sat(d * 2.0); f += g; o[10] = as_int(f); o[11] = "
         "(uchar)(s - 1);\n"
         "o[0] ^= convert_int_sat(g / 0.001f);")},
    {"loops", "arith,rel,assign,const", "",
     KERNEL(A "int n = 0, x = a; for (int k = 0; k < 5; k++) { x = (x * 31) + b; n += x; } o[0] = n; o[1] = x;\n"
              "uchar u = 250; while (u > 3) { u += 7; n -= u; } o[2] = n; o[3] = u;\n"
              "short t = 32000; for (int k = 9; k >= 1; k--) { t += 300; n *= 7; } o[4] = t; o[5] = n;")},
    {"literals", "const", "",
     KERNEL(
         A
         "o[0] = a + 2147483647; o[1] = a - 0x7fffffff; o[2] = b * 65536; o[3] = a / 3; o[4] = a % 2; o[5] = a << 31;\n"
         "o[6] = b >> 1; o[7] = (char)(a * 127); o[8] = LOW(a + 9223372036854775807L); o[9] = (int)(b + 4294967295u); "
         "o[10] = -2147483647 - a;\n"
         "o[11] = (short)(s * 32767);")},
};

/* Pairs whose sum, difference or product is too large, and amounts of shifts beyond the width of any type. No divisor
 * of a text as it is written is zero. */
static const int32_t ends[3][8] = {{2147483647, -2147483647 - 1, -2147483647, 7, -3, 1 << 30, 0x12345678, -2000000000},
                                   {2147483647, 3, -5, 100000, -2147483647 - 1, 65537, -7, 255},
                                   {1, 2, 31, 32, 33, 100, -1, 63}};

void test_numbers(device *d) {
  static int32_t numbers[VALUES];
  for (int i = 0; i < VALUES; i++) numbers[i] = i < 24 ? ends[i / 8][i % 8] : i * 1234567;
  size_t tried = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) tried += check_case(d, &cases[i], numbers, false);
  if (tried < 500) fail("%zu mutants are no five hundred", tried);
}
