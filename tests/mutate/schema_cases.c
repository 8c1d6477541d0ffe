/* Every kind of place: each mutant, switched in the schema and built in as a clone, gives what the user's source gives
 * with the mutant written into it by hand. The sources are parenthesised where another operator would bind
 * otherwise, and index with masks, so that mutants stay in bounds. Lines marked `never` are not executed. */
#include "schema_cases.h"

/* The usual kernel: `i` of the work-item, 8 numbers of its own in `o`, with room around them. */
#define KERNEL(body)                                                   \
  "#pragma OPENCL FP_CONTRACT OFF\n"                                   \
  "__kernel void test(__global int *out, __global int *in) {\n"        \
  "  const int i = (int)get_global_id(0); // cltestcheck: no-mutate\n" \
  "  __global int *o = out + 8 + i * 12; // cltestcheck: no-mutate\n"  \
  "  const int a = in[i], b = in[i + 8]; // cltestcheck: no-mutate\n" body "\n}\n"

static const test_case cases[] = {
    {"integers", "arith,bit", "",
     KERNEL("o[0] = (a + b) - (a * 3); o[1] = (a * b) % 17;\n"
            "o[2] = (a / b) + ((-a) * (b - 60)); o[3] = ((a & b) | 5) ^ (~a);\n"
            "o[4] = (a << 3) >> (b & 3); o[5] = (int)((uint)a >> 2);")},
    {"narrow and wide integers", "arith,bit,assign", "",
     KERNEL("char c = (char)a; uchar u = (uchar)b; short s = (short)(c * u);\n"
            "ulong l = ((ulong)a << 33) + (ulong)b; long m = (long)l / (b + 1);\n"
            "c += 100; u -= 200; s <<= 3; l >>= 5; m *= -7L;\n"
            "o[0] = c; o[1] = u; o[2] = s; o[3] = (int)l; o[4] = (int)m; o[5] = (int)(l % 1000u);")},
    {"unsigned", "arith,rel", "",
     KERNEL("uint x = (uint)a, y = (uint)b; o[0] = (int)(x - y); o[1] = (int)(x / y);\n"
            "o[2] = (int)((x * y) % 13u); o[3] = x > y; o[4] = (x - y) < 5u; o[5] = (-x) >= y;")},
    {"floats", "arith,assign,rel", "",
     KERNEL("float f = (float)a * 0.5f, g = (float)b + 0.25f;\n"
            "float h = (f * g) + (f / g); h += f; h -= 2.0f; h *= g; h /= 3.0f; f++; --g;\n"
            "o[0] = as_int(h); o[1] = as_int(-f); o[2] = f < g; o[3] = (f == 4.0f); o[4] = as_int(g); int k = a; k *= "
            "1.5f; o[5] = k;")},
    {"doubles", "arith,rel,const", "",
     KERNEL("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
            "double d = (double)a / 3.0; d += 0.125; o[0] = (int)(d * 1000.0); o[1] = d > 7.0;")},
    {"comparisons", "rel", "",
     KERNEL("o[0] = a < b; o[1] = a <= b; o[2] = a > b; o[3] = a >= b; o[4] = a == b; o[5] = a != b;\n"
            "if (a < 10) o[6] = 1; else o[6] = b >= 20 ? 2 : 3;")},
    {"lazy operators", "logic", "",
     KERNEL("int n = 0; o[0] = (a < 12) && (++n > 0); o[1] = n; o[2] = (a < 12) || (++n > 1); o[3] = n;\n"
            "if (!(a > 10) || ((b & 1) && (n < 2))) o[4] = 1; o[5] = !a; o[6] = !(!b) + !(a - 10);\n"
            "__global int *p = a > 11 ? in : 0; float f = (float)(a - 13); if (p && !f) o[7] = 5; else if (!p) o[7] = "
            "6;")},
    {"not of other types", "logic", "",
     KERNEL("uint u = (uint)a - 10u; float f = (float)b - 21.0f; o[0] = !u; o[1] = (int)(2.5f * (float)!f); o[2] = !u "
            "&& !f;\n"
            "int4 v = (int4)(a - 9, b, 0, 1); v = !v; o[3] = v.x; o[4] = v.z; bool t = !u; o[5] = t + 1;")},
    {"steps", "arith", "",
     KERNEL("int x = a; uint u = 5u; char c = 127; float f = 1.5f; int2 w = (int2)(3, "
            "4);\n"
            "x++; --u; o[0] = x++; o[1] = ++x; o[2] = c++; o[3] = c; o[4] = (int)(u-- & 15u);\n"
            "f++; o[5] = (int)(f++ * 10.0f); o[5] += (int)f; w--; o[6] = w.x; o[7]++;\n"
            "int last = o[7]--; o[7] += last * 10;")},
    {"pointers", "arith,assign,rel", "",
     KERNEL("__global int *p = in + 24; // cltestcheck: no-mutate\n"
            "__global int *q = p + 3; uint two = 2u;\n"
            "p += 2; q -= 1; o[0] = *(p + 1); o[1] = *(q - two); o[2] = p < q; o[3] = p == q; o[4] = *p++; o[5] = "
            "*(--p);\n"
            "o[6] = (int)(q - p); o[7] = q != (p + 1);")},
    {"compound assignments", "assign", "",
     KERNEL("o[0] = a; o[1] = a; o[2] = a; o[3] = a; o[4] = a; o[5] = a; o[6] = a; o[7] = b;\n"
            "o[0] += b; o[1] -= b; o[2] *= b; o[3] /= b; o[4] %= b; o[5] <<= 2; o[6] &= b; o[7] ^= (o[6] |= a);\n"
            "int x = 3; o[(x & 1) + 1] += (x -= 2); float4 v = (float4)(1.0f, 2.0f, 3.0f, 4.0f); v *= 2.0f; v.yz -= 1; "
            "v.x /= (float)b;\n"
            "o[3] = (int)(v.x * 100.0f + v.y * 10.0f + v.z);")},
    {"assignment with side effects", "assign", "",
     KERNEL("int x = 2, y = a; o[x++] += a; o[x++] -= b; o[x++] |= (y ^= 3, y + 1); o[0] = x;")},
    {"vectors", "arith,bit,assign,rel,logic", "",
     KERNEL("int4 v = (int4)(a, b, 7, -3), w = (int4)(2, 5, 1, 9); float4 f = convert_float4(v) * 0.5f + 1;\n"
            "v = (v + w) * 3; w = (v > w) & (v != 6); v %= (int4)(7); v <<= 1; w = ~w; char4 c = convert_char4(v) - "
            "(char)2; c /= (char4)(3);\n"
            "f -= 2.0f; f = f / (float4)(3.0f, 2.0f, 1.0f, 4.0f); w = w || v; o[0] = v.x + v.y; o[1] = w.z; o[2] = "
            "c.w; o[3] = as_int(f.x); o[4] = (-f).y > 0;\n"
            "uint2 u = (uint2)(3u, 4u) * (uint2)(a, b); o[5] = (int)(u.x ^ u.y); o[6] = any(f > 1.0f); o[7] = w.x;")},
    {"literals", "const", "",
     KERNEL("o[0] = a + 5; o[1] = b - 1; o[2] = (a * 0x10) + 07; o[3] = as_int((float)a * 2.5f); float4 v = "
            "(float4)(1.0f, 2, 0.5f, (float)b);\n"
            "o[4] = (int)(v.x + v.y + v.z); o[5] = max(a, 12); o[6] = (int)((ulong)a + 3ul); for (int k = 0; k < 4; k "
            "+= 1) o[7] += k;\n"
            "switch (a & 3) { case 1: o[0] += 9; break; default: break; }")},
    {"in macros", "arith,rel,logic,const", "",
     "#define SQUARE(x) ((x) * (x))\n#define LIMIT 15\n#define CHOOSE(c, x, y) (((c) && ((x) > LIMIT)) ? (x) : ((y) + "
     "1))\n" KERNEL("o[0] = SQUARE(a + 1) - SQUARE(b); o[1] = CHOOSE(a > 9, a, b); o[2] = CHOOSE(b, b - 3, a); o[3] = "
                    "SQUARE(2.5f) > (float)a;")},
    {"in macros that are sizes and labels", "arith,const", "",
     "#define LABEL 12\n#define SIZE (LABEL * 2)\nint size(void) { int t[SIZE]; return (int)sizeof(t); }\n" KERNEL(
         "int t[LABEL]; o[0] = (int)sizeof(t) + LABEL; o[1] = SIZE + size();\n"
         "switch (a) { case LABEL: o[2] = 1; break;\n case SIZE: o[2] = 2; break; // never\n default: break; }\n"
         "__attribute__((opencl_unroll_hint(LABEL))) for (int k = 0; k < a; k++) o[3] += k;")},
    {"in functions", "arith,rel,const", "",
     "typedef struct { int x; float y; } pair;\nint twice(int v);\nfloat scale(float f, pair p) { return (f * p.y) + "
     "(float)p.x; }\n"
     "int twice(int v) { if (v > 11) return v + v; return 2 * v; }\n"
     "__kernel void inner(__global int *p, int v) { if (v < 0) return; p[0] = twice(v) - 1; }\n" KERNEL(
         "pair p = {a, 0.5f}; o[0] = twice(a); o[1] = (int)scale((float)b, p); inner(o + 2, b); if (a == 13) return; "
         "o[3] = twice(twice(b)); \nif (a > 100) {\n o[4] = a * 7; // never\n }")},
    {"work-item functions", "index", "",
     "__kernel void test(__global int *out, __global int *in) {\n"
     "  uint d = 0; __global int *o = out + (get_global_id(0) & 7) * 8;\n"
     "  out[((get_global_id(0)) * 8) & 63] = (int)get_local_id(0) + (int)get_global_size(0);\n"
     "  out[((get_local_id(0) + (get_group_id(0)) * (get_local_size(0))) * 8 + 1) & 63] = "
     "(int)get_num_groups(d);\n}\n"},
    /* each work-item stays with its own elements: without a barrier, too, there is one result */
    {"barriers and local memory", "barrier,fence,local", "",
     "__kernel void test(__global int *out, __global int *in) {\n"
     "  __local int t[8]; const int l = (int)get_local_id(0), i = (int)get_global_id(0);\n"
     "  t[l] = 3; t[l + 4] = 9; t[l] = in[i]; t[l + 4] = 0;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  out[i * 8] = t[l] "
     "+ t[4 + l];\n"
     "  for (int k = 0; k < 2; k++) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); t[l + 4] = t[l] + k; "
     "mem_fence(CLK_GLOBAL_MEM_FENCE); }\n"
     "  barrier(CLK_GLOBAL_MEM_FENCE); out[i * 8 + 1] = t[4 + l];\n}\n"},
    {"atomics", "atomic", "",
     KERNEL("__local int t[4]; volatile __global int *p = o; __global uint *u = (__global uint *)o + 3; int l = i & 3; "
            "t[l] = a;\n"
            "atomic_add(p, b); atomic_sub(p + 1, 3); atomic_inc(o + 2); atomic_dec(u); atomic_xchg(o + 4, a); "
            "atomic_min(p + 5, -2);\n"
            "atomic_max(u + 3, 9u); atomic_and(&o[1], 255); atomic_or(&o[1], 4096); atomic_xor(&o[0], a); "
            "atomic_cmpxchg(p + 7, 0, b); atom_add(p + 2, 5);\n"
            "atomic_xchg((__global float *)(o + 4), 1.5f); atomic_add(&t[l], 4); o[0] += t[l]; atomic_cmpxchg(o + 7, "
            "b, 77);")},
    {"atomics on atomic types", "atomic", "-cl-std=CL3.0",
     KERNEL(
         "volatile __global atomic_int *p = (volatile __global atomic_int *)o; __global atomic_uint *u = (__global "
         "atomic_uint *)(o + 3);\n"
         "__global atomic_long *q = (__global atomic_long *)(o + 4); __global atomic_float *f = (__global atomic_float "
         "*)(o + 6);\n"
         "__local atomic_int t[4]; __local atomic_flag s[4]; int l = i & 3; float g = 2.5f; atomic_init(&t[l], b);\n"
         "o[7] = atomic_fetch_add(p, b) + atomic_fetch_sub(p + 1, 3);\n"
         "atomic_fetch_or(p + 2, 12); atomic_fetch_xor_explicit(p + 2, a, memory_order_relaxed);\n"
         "o[7] += atomic_fetch_and_explicit(p + 2, 7, memory_order_relaxed, memory_scope_device);\n"
         "atomic_fetch_max(u, 9u); atomic_fetch_min_explicit(u, 7u, memory_order_acq_rel);\n"
         "atomic_fetch_add_explicit(q, 1L << 33, memory_order_relaxed); o[7] += (int)(atomic_exchange(q, -5L) >> "
         "32);\n"
         "atomic_store(f, 2.5f); o[7] += 100 * atomic_compare_exchange_strong(f, &g, 4.0f);\n"
         "o[7] += 1000 * atomic_compare_exchange_weak_explicit(f, &g, 1.0f, memory_order_seq_cst, "
         "memory_order_relaxed); o[7] += (int)(g * 8.0f);\n"
         "atomic_store_explicit(&t[l], a, memory_order_relaxed); o[7] += atomic_exchange_explicit(t + l, 5, "
         "memory_order_relaxed, memory_scope_work_group) * atomic_load(&t[l]);\n"
         "atomic_flag_clear(&s[l]); o[7] += 2000 * atomic_flag_test_and_set(&s[l]); o[7] += 3 * "
         "atomic_flag_test_and_set_explicit(&s[l], memory_order_acquire);\n"
         "atomic_flag_clear_explicit(&s[l], memory_order_release); o[7] += atomic_flag_test_and_set(&s[l]);")},
    {"flat image", "image", "",
     "__constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
     "__kernel void test(__global int *out, __global int *in, read_only image2d_t m) {\n"
     "  const int i = (int)get_global_id(0); int2 c = (int2)(i, 3);\n"
     "  out[i * 8] = read_imagei(m, s, c).x; out[i * 8 + 1] = read_imagei(m, s, (float2)(2.5f, (float)i)).x;\n}\n"},
    {"solid image", "image", "",
     "__constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
     "__kernel void solid(__global int *out, __global int *in, read_only image3d_t m) {\n"
     "  const int i = (int)get_global_id(0);\n"
     "  out[i * 8] = read_imagei(m, s, (int4)(i, 4, 2, 0)).x;\n}\n"},
    {"OpenCL C 1.1", "paper", "-cl-std=CL1.1",
     KERNEL("o[0] = (a * b) / 3; for (int k = 0; k < 3; k++) o[1] += k * b;")},
    {"OpenCL C 2.0", "paper,index", "-cl-std=CL2.0",
     KERNEL("o[0] = (a * 3) - b; work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
            "__global int *g = o; g += 1; *g = ((int)get_local_id(0) & 3) - 2;")},
    {"OpenCL C 3.0", "paper", "-cl-std=CL3.0", KERNEL("o[0] = (a * b) / 3; o[1] = a > b || b < 20;")},
};

void test_cases(device *d) {
  static int32_t input[VALUES];
  /* a: 9 … 16, b: 21, 20, …; never 0, and some equal to the numbers that the cases compare with. */
  for (int i = 0; i < VALUES; i++) input[i] = i < 8 ? 9 + i : i < 16 ? 29 - i : 100 + i * 7;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) (void)check_case(d, &cases[i], input, true);
  check_operators_seen();
}
