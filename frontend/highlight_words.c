/* Names that OpenCL C gives a meaning though they are no keywords, as tables. */
#include "frontend/highlight_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Sorted. With a 2, 3, 4, 8 or 16 after them, those marked are vectors. */
static const struct {
  const char *name;
  bool vector;
} types[] = {
    {"atomic_double", false},
    {"atomic_flag", false},
    {"atomic_float", false},
    {"atomic_int", false},
    {"atomic_intptr_t", false},
    {"atomic_long", false},
    {"atomic_ptrdiff_t", false},
    {"atomic_size_t", false},
    {"atomic_uint", false},
    {"atomic_ulong", false},
    {"bool", false},
    {"char", true},
    {"clk_event_t", false},
    {"double", true},
    {"event_t", false},
    {"float", true},
    {"half", true},
    {"int", true},
    {"intptr_t", false},
    {"long", true},
    {"memory_order", false},
    {"memory_scope", false},
    {"ndrange_t", false},
    {"ptrdiff_t", false},
    {"queue_t", false},
    {"reserve_id_t", false},
    {"sampler_t", false},
    {"short", true},
    {"signed", false},
    {"size_t", false},
    {"uchar", true},
    {"uint", true},
    {"uintptr_t", false},
    {"ulong", true},
    {"unsigned", false},
    {"ushort", true},
    {"void", false},
};

/* Functions, sorted. */
static const char *const functions[] = {
    "abs",
    "abs_diff",
    "acos",
    "acosh",
    "acospi",
    "add_sat",
    "all",
    "any",
    "asin",
    "asinh",
    "asinpi",
    "async_work_group_copy",
    "async_work_group_strided_copy",
    "atan",
    "atan2",
    "atan2pi",
    "atanh",
    "atanpi",
    "barrier",
    "bitselect",
    "cbrt",
    "ceil",
    "clamp",
    "clz",
    "copysign",
    "cos",
    "cosh",
    "cospi",
    "cross",
    "ctz",
    "degrees",
    "distance",
    "dot",
    "enqueue_kernel",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fast_distance",
    "fast_length",
    "fast_normalize",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "fract",
    "frexp",
    "hadd",
    "hypot",
    "ilogb",
    "isequal",
    "isfinite",
    "isgreater",
    "isgreaterequal",
    "isinf",
    "isless",
    "islessequal",
    "islessgreater",
    "isnan",
    "isnormal",
    "isnotequal",
    "isordered",
    "isunordered",
    "ldexp",
    "length",
    "lgamma",
    "lgamma_r",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "mad",
    "mad24",
    "mad_hi",
    "mad_sat",
    "max",
    "maxmag",
    "mem_fence",
    "min",
    "minmag",
    "mix",
    "modf",
    "mul24",
    "mul_hi",
    "nan",
    "nextafter",
    "normalize",
    "popcount",
    "pow",
    "pown",
    "powr",
    "prefetch",
    "printf",
    "radians",
    "read_mem_fence",
    "remainder",
    "remquo",
    "rhadd",
    "rint",
    "rootn",
    "rotate",
    "round",
    "rsqrt",
    "select",
    "shuffle",
    "shuffle2",
    "sign",
    "signbit",
    "sin",
    "sincos",
    "sinh",
    "sinpi",
    "smoothstep",
    "sqrt",
    "step",
    "sub_sat",
    "tan",
    "tanh",
    "tanpi",
    "tgamma",
    "trunc",
    "upsample",
    "vec_step",
    "wait_group_events",
    "write_mem_fence",
};

/* Families of functions, by how their names begin. */
static const char *const families[] = {"as_",   "atom_",  "atomic_",     "convert_",  "get_",
                                       "half_", "intel_", "native_",     "read_imag", "sub_group_",
                                       "vload", "vstore", "work_group_", "write_imag"};

/* Constants, by how their names begin, and others. */
static const char *const constant_families[] = {"CLK_",  "FLT_", "DBL_",   "M_E",           "M_LN",
                                                "M_LOG", "M_PI", "M_SQRT", "memory_order_", "memory_scope_"};
static const char *const constants[] = {"CHAR_BIT", "CHAR_MAX", "CHAR_MIN",  "HUGE_VALF", "INFINITY",  "INT_MAX",
                                        "INT_MIN",  "LONG_MAX", "LONG_MIN",  "MAXFLOAT",  "NAN",       "NULL",
                                        "SHRT_MAX", "SHRT_MIN", "UCHAR_MAX", "UINT_MAX",  "ULONG_MAX", "USHRT_MAX"};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])
enum { LONGEST = 40 };

static bool begins(const char *name, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (strncmp(name, list[i], strlen(list[i])) == 0) {
      return true;
    }
  }
  return false;
}

static int compare_name(const void *key, const void *item) { return strcmp(key, *(const char *const *)item); }

static bool among(const char *name, const char *const *list, size_t count) {
  return bsearch(name, list, count, sizeof *list, compare_name) != NULL;
}

/* Does the name end in a number of components? Cuts it off. */
static bool cut_components(char *name) {
  static const char *const endings[] = {"16", "2", "3", "4", "8"};
  size_t length = strlen(name);
  for (size_t i = 0; i < COUNT(endings); i++) {
    size_t n = strlen(endings[i]);
    if (length > n && strcmp(name + length - n, endings[i]) == 0) {
      name[length - n] = '\0';
      return true;
    }
  }
  return false;
}

static bool is_type(char *name) {
  size_t length = strlen(name);
  if (strncmp(name, "image", 5) == 0 && length > 7 && isdigit((unsigned char)name[5]) &&
      strcmp(name + length - 2, "_t") == 0) {
    return true;
  }
  for (int cut = 0; cut < 2; cut++) {
    for (size_t i = 0; i < COUNT(types); i++) {
      if (strcmp(types[i].name, name) == 0 && (cut == 0 || types[i].vector)) {
        return true;
      }
    }
    if (cut == 0 && !cut_components(name)) {
      return false;
    }
  }
  return false;
}

int highlight_word(const char *text, size_t length, bool called) {
  char name[LONGEST];
  if (length >= sizeof name) {
    return -1;
  }
  memcpy(name, text, length);
  name[length] = '\0';
  if (begins(name, constant_families, COUNT(constant_families)) || among(name, constants, COUNT(constants)) ||
      (called && (begins(name, families, COUNT(families)) || among(name, functions, COUNT(functions))))) {
    return HIGHLIGHT_BUILTIN;
  }
  return is_type(name) ? HIGHLIGHT_TYPE : -1;
}
