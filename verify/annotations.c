/* Annotations become calls of functions without a body, which calls.c knows. */
#include "verify/annotations.h"

#include <stdbool.h>
#include <string.h>

static const char marker[] = "cltestcheck:";

/* What stands before a source: our own names, then GPUVerify's for the same. What speaks of the log of accesses, which this
 * way of proving does not have, may be anything. */
static const char declarations[] =
    "void __cltc_requires(bool); void __cltc_assume(bool); void __cltc_assert(bool); int __cltc_invariant(bool);\n"
    "int __cltc_candidate(bool); bool __cltc_any(void); bool __cltc_enabled(void); bool __cltc_same_group(void);\n"
    "bool __cltc_uniform(long); bool __cltc_distinct(long); long __cltc_other(long); bool __cltc_all(bool);\n"
    "#define __requires(e) __cltc_requires(e)\n"
    "#define __global_requires(e) __cltc_requires(e)\n"
    "#define __assume(e) __cltc_assume(e)\n"
    "#define __assert(e) __cltc_assert(e)\n"
    "#define __global_assert(e) __cltc_assert(e)\n"
    "#define __invariant(e) __cltc_invariant(e)\n"
    "#define __global_invariant(e) __cltc_invariant(e)\n"
    "#define __candidate_invariant(e) __cltc_candidate(e)\n"
    "#define __candidate_global_invariant(e) __cltc_candidate(e)\n"
    "#define __ensures(e)\n"
    "#define __global_ensures(e)\n"
    "#define __function_wide_invariant(e)\n"
    "#define __function_wide_candidate_invariant(e)\n"
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
    "#define __read(p) __cltc_any()\n"
    "#define __write(p) __cltc_any()\n"
    "#define __no_read(p) __cltc_any()\n"
    "#define __no_write(p) __cltc_any()\n"
    "#define __read_implies(p, e) __cltc_any()\n"
    "#define __write_implies(p, e) __cltc_any()\n"
    "#define __read_offset_bytes(p) ((size_t)__cltc_any())\n"
    "#define __write_offset_bytes(p) ((size_t)__cltc_any())\n"
    "#define __ptr_offset_bytes(p) ((size_t)__cltc_any())\n"
    "#define __read_offset(p) ((size_t)__cltc_any())\n"
    "#define __write_offset(p) ((size_t)__cltc_any())\n"
    "#define __barrier_invariant(...)\n"
    "#define __barrier_invariant_1(...)\n"
    "#define __barrier_invariant_2(...)\n"
    "#define __barrier_invariant_3(...)\n"
    "#define __barrier_invariant_4(...)\n"
    "#define __barrier_invariant_5(...)\n"
    "#define __barrier_invariant_6(...)\n"
    "#define __barrier_invariant_7(...)\n"
    "#define __barrier_invariant_8(...)\n"
    "#define __barrier_invariant_9(...)\n"
    "#define __barrier_invariant_10(...)\n"
    "#define __barrier_invariant_11(...)\n"
    "#define __barrier_invariant_12(...)\n"
    "#define __barrier_invariant_13(...)\n"
    "#define __barrier_invariant_14(...)\n"
    "#define __barrier_invariant_15(...)\n"
    "#define __barrier_invariant_16(...)\n"
    "#define __barrier_invariant_17(...)\n"
    "#define __barrier_invariant_18(...)\n"
    "#define __barrier_invariant_19(...)\n"
    "#define __barrier_invariant_20(...)\n"
    "#define __barrier_invariant_binary_1(...)\n"
    "#define __barrier_invariant_binary_2(...)\n"
    "#define __barrier_invariant_binary_3(...)\n"
    "#define __barrier_invariant_binary_4(...)\n"
    "#define __barrier_invariant_binary_5(...)\n"
    "#define __barrier_invariant_binary_6(...)\n"
    "#define __barrier_invariant_binary_7(...)\n"
    "#define __barrier_invariant_binary_8(...)\n"
    "#define __barrier_invariant_binary_9(...)\n"
    "#define __barrier_invariant_binary_10(...)\n"
    "#define __read_permission(...)\n"
    "#define __array_snapshot(...)\n"
    "#define __requires_fresh_array(...)\n"
    "#define __global_requires_fresh_array(...)\n"
    "#define __reads_from(...)\n"
    "#define __reads_from_local(...)\n"
    "#define __writes_to(...)\n"
    "#define __writes_to_local(...)\n"
    "#define __mod_pow2(a, b) ((a) & ((b) - 1))\n"
    "#define __add_noovfl_unsigned_int(a, b) ((a) + (b))\n"
    "#define __add_noovfl_int(a, b) ((a) + (b))\n"
    "#define __add_noovfl(...) __cltc_any()\n"
    "#define __non_temporal_loads_begin()\n"
    "#define __non_temporal_loads_end()\n";

static const char *const names[] = {
    "__requires",   "__assume",  "__assert",     "__invariant",      "__global_",
    "__candidate_", "__ensures", "__enabled",    "__function_wide_", "__barrier_invariant",
    "__read_",      "__write",   "__add_noovfl", "__array_snapshot"};

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

/* The call for a comment's text from behind the marker to the end of the line; false: it is another kind. */
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
