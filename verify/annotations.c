/* Annotations become calls of functions without a body, which calls.c knows. */
#include "verify/annotations.h"

#include <stdbool.h>
#include <string.h>

static const char marker[] = "cltestcheck:";

/* What stands before a source: our own names, then GPUVerify's for the same. */
/* A function of a pointer into any memory. */
#define OF_SPACE(result, name, space) \
  result " __attribute__((overloadable)) __cltc_" name "(const volatile " space " void *);\n"
#define POINTERS(result, name) \
  OF_SPACE(result, name, "__global") OF_SPACE(result, name, "__local") OF_SPACE(result, name, "__private")
/* What holds in front of a barrier, for both work-items of a group. */
#define BARRIER_INVARIANT(suffix) \
  "#define __barrier_invariant_" suffix "(e, ...) __cltc_assert((!__cltc_same_group()) | (bool)(e))\n"

static const char declarations[] =
    "void __cltc_requires(bool); void __cltc_assume(bool); void __cltc_assert(bool); int __cltc_invariant(bool);\n"
    "int __cltc_candidate(bool); bool __cltc_any(void); bool __cltc_enabled(void); bool __cltc_same_group(void);\n"
    "bool __cltc_uniform(long); bool __cltc_distinct(long); long __cltc_other(long); bool __cltc_all(bool);\n"
    "#define __requires(e) __cltc_requires(e)\n"
    "#define __assume(e) __cltc_assume(e)\n"
    "#define __assert(e) __cltc_assert(e)\n"
    "#define __invariant(e) __cltc_invariant(e)\n"
    "#define __global_invariant(e) __cltc_invariant(e)\n"
    "#define __candidate_invariant(e) __cltc_candidate(e)\n"
    "#define __candidate_global_invariant(e) __cltc_candidate(e)\n"
    "#define __implies(a, b) (!(a) || (b))\n"
    "#define __ite(c, a, b) ((c) ? (a) : (b))\n"
    "#define __enabled() __cltc_enabled()\n"
    "#define __dominator_enabled() __cltc_any()\n"
    "#define __same_group __cltc_same_group()\n"
    "#define __uniform_int(e) __cltc_uniform(e)\n"
    "#define __uniform_bool(e) __cltc_uniform((long)(bool)(e))\n"
    "#define __distinct_int(e) __cltc_distinct(e)\n"
    "#define __distinct_bool(e) __cltc_distinct((long)(bool)(e))\n"
    "#define __other_int(e) ((int)__cltc_other(e))\n"
    "#define __other_bool(e) ((bool)__cltc_other((long)(bool)(e)))\n"
    "#define __other_ptr_base(e) __cltc_any()\n"
    "#define __all(e) __cltc_all(e)\n"
    "#define __exclusive(e) (!__cltc_all(e))\n"
    "#define __at_most_one(e) (!__cltc_all(e))\n"
    "#define __old_int(e) ((int)__cltc_any())\n"
    BARRIER_INVARIANT("1")
    BARRIER_INVARIANT("2")
    BARRIER_INVARIANT("3")
    BARRIER_INVARIANT("4")
    BARRIER_INVARIANT("5")
    BARRIER_INVARIANT("6")
    BARRIER_INVARIANT("7")
    BARRIER_INVARIANT("8")
    BARRIER_INVARIANT("9")
    BARRIER_INVARIANT("10")
    BARRIER_INVARIANT("11")
    BARRIER_INVARIANT("12")
    BARRIER_INVARIANT("13")
    BARRIER_INVARIANT("14")
    BARRIER_INVARIANT("15")
    BARRIER_INVARIANT("16")
    BARRIER_INVARIANT("17")
    BARRIER_INVARIANT("18")
    BARRIER_INVARIANT("19")
    BARRIER_INVARIANT("20")
    BARRIER_INVARIANT("binary_1")
    BARRIER_INVARIANT("binary_2")
    BARRIER_INVARIANT("binary_3")
    BARRIER_INVARIANT("binary_4")
    BARRIER_INVARIANT("binary_5")
    BARRIER_INVARIANT("binary_6")
    BARRIER_INVARIANT("binary_7")
    BARRIER_INVARIANT("binary_8")
    BARRIER_INVARIANT("binary_9")
    BARRIER_INVARIANT("binary_10")
    "#define __read_permission(...)\n"
    "#define __requires_fresh_array(...)\n"
    "#define __global_requires_fresh_array(...)\n"
    "void __cltc_global_requires(bool); void __cltc_global_assert(bool); void __cltc_unchecked(void);\n"
    "#define __global_requires(e) __cltc_global_requires(e)\n"
    "#define __global_assert(e) __cltc_global_assert(e)\n"
    "#define __function_wide_invariant(e) __cltc_assert(e)\n"
    "#define __function_wide_candidate_invariant(e)\n"
    "#define __ensures(e) __cltc_unchecked()\n"
    "#define __global_ensures(e) __cltc_unchecked()\n"
    "#define __array_snapshot(...) __cltc_unchecked()\n"
    POINTERS("bool", "read")
    POINTERS("bool", "written")
    POINTERS("size_t", "read_at")
    POINTERS("size_t", "written_at")
    POINTERS("size_t", "offset")
    POINTERS("void", "reads_from")
    POINTERS("void", "writes_to")
    "#define __read(p) __cltc_read(p)\n"
    "#define __write(p) __cltc_written(p)\n"
    "#define __no_read(p) (!__cltc_read(p))\n"
    "#define __no_write(p) (!__cltc_written(p))\n"
    "#define __read_implies(p, e) (!__cltc_read(p) | (bool)(e))\n"
    "#define __write_implies(p, e) (!__cltc_written(p) | (bool)(e))\n"
    "#define __read_offset_bytes(p) __cltc_read_at(p)\n"
    "#define __write_offset_bytes(p) __cltc_written_at(p)\n"
    "#define __ptr_offset_bytes(p) __cltc_offset(p)\n"
    "#define __read_offset(p) (__cltc_read_at(p) / sizeof(*(p)))\n"
    "#define __write_offset(p) (__cltc_written_at(p) / sizeof(*(p)))\n"
    "#define __reads_from(p) __cltc_reads_from(p)\n"
    "#define __reads_from_local(p) __cltc_reads_from(p)\n"
    "#define __writes_to(p) __cltc_writes_to(p)\n"
    "#define __writes_to_local(p) __cltc_writes_to(p)\n"
    "#define __atomic_has_taken_value(...) __cltc_any()\n"
    "#define __add_noovfl_unsigned_int(a, b) __cltc_sum(a, b)\n"
    "#define __add_noovfl_int(a, b) __cltc_sum_int(a, b)\n"
    "static inline uint __cltc_sum(uint a, uint b) { __cltc_assume(a + b >= a); return a + b; }\n"
    "static inline int __cltc_sum_int(int a, int b) { return a + b; }\n"
    "static inline bool __cltc_fits(uint a, uint b, uint c, uint d) {\n"
    "  return ((ulong)a + b + c + d) >> 32 == 0;\n"
    "}\n"
    "#define __cltc_of_four(a, b, c, d, ...) __cltc_fits(a, b, c, d)\n"
    "#define __add_noovfl(...) __cltc_of_four(__VA_ARGS__, 0, 0, 0, 0)\n"
    "#define __mod_pow2(a, b) ((a) & ((b) - 1))\n"
    "#define __non_temporal_loads_begin()\n"
    "#define __non_temporal_loads_end()\n";

static const char *const names[] = {"__requires",   "__assume",  "__assert",  "__invariant",      "__global_",
                                    "__candidate_", "__ensures", "__enabled", "__function_wide_", "__barrier_invariant",
                                    "__read",       "__no_",     "__write",   "__add_noovfl",     "__array_snapshot"};

static bool has_annotation(const char *source) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strstr(source, names[i]) != NULL) {
      return true;
    }
  }
  return strstr(source, marker) != NULL;
}

void annotations_declare(const char *source, buffer *to) {
  if (has_annotation(source)) {
    buffer_puts(to, declarations);
  }
}

/* The call for a comment's text from after the marker to the end of the line; false: it is another kind. */
static bool expand_comment(const char *at, size_t length, buffer *to) {
  static const struct {
    const char *word, *call;
  } kinds[] = {{"invariant", "__cltc_invariant"}, {"requires", "__cltc_requires"}, {"assert", "__cltc_assert"}};
  const size_t space = strspn(at, " \t");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const size_t word = strlen(kinds[i].word);
    if (space + word < length && strncmp(at + space, kinds[i].word, word) == 0 && at[space + word] == ' ') {
      buffer_printf(to, "%s(%.*s);", kinds[i].call, (int)(length - space - word), at + space + word);
      return true;
    }
  }
  return false;
}

void annotations_expand(const char *source, buffer *to) {
  for (const char *line = source; *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    const char *comment = strstr(line, "//");
    const char *mark = comment == NULL || comment >= line + length ? NULL : strstr(comment, marker);
    const bool ours =
        mark != NULL && mark < line + length && strspn(comment + 2, " \t") == (size_t)(mark - comment - 2);
    if (ours) {
      const char *text = mark + sizeof marker - 1;
      buffer_append(to, line, (size_t)(comment - line));
      if (!expand_comment(text, (size_t)(line + length - text), to)) {
        buffer_append(to, comment, (size_t)(line + length - comment));
      }
    } else {
      buffer_append(to, line, length);
    }
    line += length;
    if (*line == '\n') {
      buffer_putc(to, '\n');
      line++;
    }
  }
}
