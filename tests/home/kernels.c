/* Random kernels: text that looks like OpenCL C, with comments, strings, directives and blanks of all kinds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/home/written.h"

uint32_t random_below(random_source *r, uint32_t n) {
  r->state ^= r->state << 13;
  r->state ^= r->state >> 7;
  r->state ^= r->state << 17;
  return (uint32_t)((r->state >> 11) % n);
}

static void put(kernel_text *k, const char *s, written_kind kind) {
  for (; *s != '\0'; s++) {
    k->kinds = mem_grow(k->kinds, &k->capacity, k->text.length + 1, 1);
    k->kinds[k->text.length] = (unsigned char)(*s == ' ' || *s == '\n' || *s == '\t' ? WRITTEN_BLANK : kind);
    buffer_putc(&k->text, *s);
  }
}

static void code(kernel_text *k, const char *s) { put(k, s, WRITTEN_CODE); }

static void number(kernel_text *k, random_source *r) {
  char text[32];
  (void)snprintf(text, sizeof text, random_below(r, 2) == 0 ? "%u" : "%u.5f", random_below(r, 1000));
  code(k, text);
}

static void expression(kernel_text *k, random_source *r, int depth) {
  static const char *const operators[] = {"+", " - ", " * ", "/", " % ", " < ", "&&", " || ", "<<", " & ", " == "};
  static const char *const operands[] = {"x", "y", "a[i]", "get_global_id(0)", "min(x, y)", "b[i + 1]", "(float4)(x)"};
  uint32_t kind = depth > 3 ? random_below(r, 2) : random_below(r, 5);
  if (kind == 0) {
    number(k, r);
  } else if (kind == 1) {
    code(k, operands[random_below(r, sizeof operands / sizeof operands[0])]);
  } else {
    code(k, kind == 2 ? "(" : "");
    expression(k, r, depth + 1);
    code(k, operators[random_below(r, sizeof operators / sizeof operators[0])]);
    expression(k, r, depth + 1);
    code(k, kind == 2 ? ")" : "");
  }
}

static void line_end(kernel_text *k, random_source *r) {
  uint32_t kind = random_below(r, 8);
  if (kind == 0)
    put(k, " // the 'rest' of \"it\" \\ 100 %", WRITTEN_COMMENT);
  else if (kind == 1)
    put(k, "  /* two\n   lines { */", WRITTEN_COMMENT);
  put(k, kind == 2 ? "\n\n" : kind == 3 ? "\t\n" : "\n", WRITTEN_BLANK);
}

static void statement(kernel_text *k, random_source *r, int depth) {
  static const char *const heads[] = {"if (", "while (", "for (int j = 0; j < 4 && "};
  for (int i = 0; i <= depth; i++) put(k, random_below(r, 9) == 0 ? "\t" : "  ", WRITTEN_BLANK);
  uint32_t kind = depth > 2 ? 0 : random_below(r, 6);
  if (kind < 3) {
    code(k, random_below(r, 2) == 0 ? "x = " : "a[i] += ");
    expression(k, r, 0);
    code(k, ";");
  } else if (kind == 3) {
    code(k, "printf(\"%d\\n\", x);");
  } else {
    uint32_t head = random_below(r, 3);
    code(k, heads[head]);
    expression(k, r, 1);
    code(k, head == 2 ? "; j++) {" : ") {");
    line_end(k, r);
    for (uint32_t n = 1 + random_below(r, 3); n > 0; n--) statement(k, r, depth + 1);
    code(k, "}");
  }
  line_end(k, r);
}

kernel_text random_kernel(random_source *r, unsigned serial) {
  kernel_text k = {0};
  char name[64];
  if (random_below(r, 3) == 0) put(&k, "// What it does\n", WRITTEN_COMMENT);
  if (random_below(r, 3) == 0) code(&k, "#define SIZE_OF_IT (1 << 4)\n");
  for (uint32_t kernels = 1 + random_below(r, 2); kernels > 0; kernels--) {
    (void)snprintf(name, sizeof name, "__kernel void work_%u_%u(", serial, kernels);
    code(&k, name);
    code(&k, "__global float *a, __global const float *b, int x, int y)");
    code(&k, random_below(r, 2) == 0 ? " {" : "\n{");
    line_end(&k, r);
    code(&k, "  int i = get_global_id(0);\n");
    for (uint32_t n = 2 + random_below(r, 6); n > 0; n--) statement(&k, r, 0);
    code(&k, "}\n");
  }
  return k;
}

void kernel_free(kernel_text *k) {
  buffer_free(&k->text);
  free(k->kinds);
}

kernel_text changed_kernel(random_source *r, const kernel_text *k) {
  kernel_text other = {0};
  const char *s = buffer_text(&k->text);
  size_t at = random_below(r, (uint32_t)k->text.length);
  while (k->kinds[at] != WRITTEN_CODE || strchr("xyabij", s[at]) == NULL || strchr(" (+-", s[at - 1]) == NULL) {
    at = (at + 1) % k->text.length;
    at = at == 0 ? 1 : at;
  }
  for (size_t i = 0; i < k->text.length; i++) {
    char one[] = {i == at ? 'q' : s[i], '\0'};
    put(&other, one, (written_kind)k->kinds[i]);
  }
  return other;
}
