/* Texts with a mutant written into each, many in one program: a device's compiler takes far longer for a program of its
 * own than for one function more. Their names get the number of the text after, by macros, so that the text of a
 * mutant stays as it is. Kernels without local memory become functions that one kernel calls, by number. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/edits.h"
#include "schema_support.h"

/* What the texts declare outside of functions, and their macros. */
static const char *const names[] = {"test", "solid", "twice", "scale", "inner", "size", "pair", "s"};
static const char *const macros[] = {"SQUARE", "LIMIT", "CHOOSE", "LABEL", "SIZE"};

static void append_text(buffer *out, const char *text, size_t number) {
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    buffer_printf(out, "#undef %s\n#define %s %s_%zu\n", names[i], names[i], names[i], number);
  for (size_t i = 0; i < sizeof macros / sizeof macros[0]; i++) buffer_printf(out, "#undef %s\n", macros[i]);
  buffer_printf(out, "%s\n", text);
}

/* One kernel that calls the function of a number, which lies after its other numbers. */
static void append_choice(buffer *out, const char *kernel, size_t count) {
  buffer_printf(out,
                "#undef __kernel\n#undef %s\n__kernel void chosen(__global int *out, __global int *in) {\n"
                "  switch (in[%d]) {\n",
                kernel, VALUES);
  for (size_t i = 0; i < count; i++) buffer_printf(out, "  case %zu: %s_%zu(out, in); break;\n", i, kernel, i);
  buffer_puts(out, "  default: break;\n  }\n}\n");
}

written write_texts(device *d, char *const *texts, size_t count, const char *options, const char *kernel) {
  buffer all = {0};
  written w = {.kernel = kernel, .joined = strstr(texts[0], "__local") == NULL && strstr(texts[0], "image") == NULL};
  buffer_puts(&all, w.joined ? "#define __kernel\n" : "");
  for (size_t i = 0; i < count; i++) append_text(&all, texts[i], i);
  if (w.joined) append_choice(&all, kernel, count);
  w.build = device_build(d, buffer_text(&all), options, false);
  if (w.build == NULL) fail("%zu texts do not build:\n%s", count, buffer_text(&all));
  buffer_free(&all);
  return w;
}

outcome run_text(const written *w, size_t index, const int32_t *in) {
  if (w->joined) return build_run(w->build, "chosen", in, false, (uint32_t)index, 0);
  char *name = text_of("%s_%zu", w->kernel, index);
  const outcome o = build_run(w->build, name, in, false, 0, 0);
  free(name);
  return o;
}
