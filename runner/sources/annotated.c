#include "runner/sources/annotated.h"

#include <stdbool.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

/* What each is in C. What only stands inside of others goes with them. */
static const struct {
  const char *name, *parameters, *is;
} annotations[] = {
    {"__requires", "(...)", "((void)0)"},
    {"__global_requires", "(...)", "((void)0)"},
    {"__ensures", "(...)", "((void)0)"},
    {"__global_ensures", "(...)", "((void)0)"},
    {"__assume", "(...)", "((void)0)"},
    {"__assert", "(...)", "((void)0)"},
    {"__global_assert", "(...)", "((void)0)"},
    {"__invariant", "(...)", "1"},
    {"__global_invariant", "(...)", "1"},
    {"__candidate_invariant", "(...)", "1"},
    {"__candidate_global_invariant", "(...)", "1"},
    {"__function_wide_invariant", "(...)", "((void)0)"},
    {"__function_wide_candidate_invariant", "(...)", "((void)0)"},
    {"__reads_from", "(...)", "((void)0)"},
    {"__reads_from_local", "(...)", "((void)0)"},
    {"__writes_to", "(...)", "((void)0)"},
    {"__writes_to_local", "(...)", "((void)0)"},
    {"__read_permission", "(...)", "((void)0)"},
    {"__write_permission", "(...)", "((void)0)"},
    {"__requires_fresh_array", "(...)", "((void)0)"},
    {"__global_requires_fresh_array", "(...)", "((void)0)"},
    {"__array_snapshot", "(...)", "((void)0)"},
    {"__non_temporal_loads_begin", "()", "((void)0)"},
    {"__non_temporal_loads_end", "()", "((void)0)"},
    {"__non_temporal_stores_begin", "()", "((void)0)"},
    {"__non_temporal_stores_end", "()", "((void)0)"},
    {"__implies", "(a,b)", "(!(a)||(b))"},
    {"__ite", "(c,a,b)", "((c)?(a):(b))"},
    {"__add_noovfl_unsigned_int", "(a,b)", "((a)+(b))"},
    {"__add_noovfl_int", "(a,b)", "((a)+(b))"},
    {"__add_noovfl", "(...)", "1"},
    {"__mod_pow2", "(a,b)", "((a)&((b)-1))"},
};

static bool is_in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Whether the text uses the name and does not say itself what it is. */
static bool is_used(const char *text, const char *name) {
  const size_t length = strlen(name);
  bool used = false;
  for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
    if (is_in_name(at[length]) || (at > text && is_in_name(at[-1]))) {
      continue;
    }
    const char *line = at;
    while (line > text && line[-1] != '\n') {
      line--;
    }
    if (strncmp(line + strspn(line, " \t"), "#", 1) == 0) {
      return false;
    }
    used = true;
  }
  return used;
}

char *annotated_options(const char *text, const char *options) {
  buffer out = {0};
  buffer_puts(&out, options == NULL ? "" : options);
  for (size_t i = 0; strstr(text, "__") != NULL && i < sizeof annotations / sizeof annotations[0]; i++) {
    if (is_used(text, annotations[i].name)) {
      buffer_printf(&out, "%s-D%s%s=%s", out.length == 0 ? "" : " ", annotations[i].name, annotations[i].parameters,
                    annotations[i].is);
    }
  }
  static const char barriers[] = "__barrier_invariant_";
  for (const char *at = strstr(text, barriers); at != NULL; at = strstr(at + 1, barriers)) {
    const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
    buffer_printf(&out, "%s-D%.*s(...)=((void)0)", out.length == 0 ? "" : " ", (int)length, at);
  }
  return buffer_take(&out);
}
