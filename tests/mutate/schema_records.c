/* What kernels record: divisions that a mutant made impossible, loops without an end; and that line numbers stay. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/edits.h"
#include "schema_support.h"

enum { FUEL = 1000 };

typedef struct record_case {
  const char *statement;              /* of a kernel with x = 0, y = -1, low = INT_MIN, n = 3, all read from memory */
  const char *original, *replacement; /* the mutant */
  uint32_t events;
} record_case;

static const record_case cases[] = {
    {"out[0] = n * x;", "*", "/", MUTATE_DIVIDED},
    {"out[0] = x * n;", "*", "/", 0},
    {"out[0] = low + y;", "+", "/", MUTATE_DIVIDED},
    {"out[0] = (low + 1) - y;", "-", "/", 0},
    {"out[0] = (int)((uint)n * (uint)x);", "*", "/", MUTATE_DIVIDED},
    {"out[0] = (int)((uint)low + (uint)y);", "+", "/", 0},
    {"out[0] = (int)((long)n - (long)x);", "-", "/", MUTATE_DIVIDED},
    {"long l = (long)low << 32; out[0] = (int)(l * (long)y);", "*", "/", MUTATE_DIVIDED},
    {"int4 v = (int4)(1, 2, 3, 4) * (int4)(1, 2, x, 4); out[0] = v.x;", "*", "/", MUTATE_DIVIDED},
    {"int4 v = (int4)(1, 2, low, 4) * (int4)(1, 2, y, 4); out[0] = v.x;", "*", "/", MUTATE_DIVIDED},
    {"char4 v = (char4)(1, 2, -128, 4) * (char4)(1, 2, (char)y, 4); out[0] = v.x;", "*", "/", MUTATE_DIVIDED},
    {"uchar4 v = (uchar4)(1, 2, 128, 4) + (uchar4)(1, 2, 255, 4); out[0] = v.x;", "+", "/", 0},
    {"int v = n; v *= x; out[0] = v;", "*=", "/=", MUTATE_DIVIDED},
    {"short v = 7; v -= x; out[0] = v;", "-=", "/=", MUTATE_DIVIDED},
    {"int v = n * x; for (int i = 0; i < 1000000000; i++) out[i & 7] = v;", "*", "/", MUTATE_DIVIDED},
    {"float f = (float)n * (float)x; out[0] = f > 1.0f;", "*", "/", 0},
    {"for (int i = 0; i < n; i++) out[i & 7] = i;", "++", "--", MUTATE_ENDLESS},
    {"for (int i = 0; i < n; i++) out[i & 7] = i;", "<", ">", 0},
    {"for (int i = n; i > x; i--) out[i & 7] = i;", ">", "<", 0},
    {"int i = 0; while (i < n) { out[0] = i; i += 1; }", "+=", "-=", MUTATE_ENDLESS},
    {"int i = 0; do { out[0] = i; } while (i++ < n);", "++", "--", MUTATE_ENDLESS},
    {"for (int i = 0; ; i++) { out[0] = i; if (i == n) break; }", "++", "--", MUTATE_ENDLESS},
    {"int i = 0; again: out[0] = i; i += 1; if (i < n) goto again;", "+=", "-=", MUTATE_ENDLESS},
    {"int i = 0; for (;;) { barrier(CLK_LOCAL_MEM_FENCE); out[0] = i; i += 1; if (i > n) return; }",
     "+=", "-=", MUTATE_ENDLESS},
    {"barrier(CLK_LOCAL_MEM_FENCE); out[0] = n * x;", "*", "/", MUTATE_DIVIDED},
    {"forever(out);", "++", "--", MUTATE_ENDLESS},
};

static outcome run_record(build *b, const char *kernel, uint32_t number) {
  int32_t in[VALUES] = {0, -1, INT32_MIN, 3};
  return build_run(b, kernel, in, true, number, FUEL);
}

static void test_record(device *d, const record_case *c) {
  char *text = text_of(
      "void forever(__global int *out) { for (int i = 0; i < 4; i++) out[i & 7] = i; }\n"
      "__kernel void test(__global int *out, __global int *in) {\n"
      "int x = in[0], y = in[1], low = in[2], n = in[3];\n%s\n}\n",
      c->statement);
  mutate_result r = mutate_text(text, "", NULL, 0);
  build *schema = build_schema(d, &r, "");
  build *clones = build_clones(d, text, "", &r);
  const mutant *m = NULL;
  for (size_t i = 0; i < r.mutant_count && m == NULL; i++) {
    bool fits =
        strcmp(r.mutants[i].original, c->original) == 0 && strcmp(r.mutants[i].replacement, c->replacement) == 0;
    bool here = r.mutants[i].line == 4 || strncmp(c->statement, "forever", 7) == 0;
    m = fits && here ? &r.mutants[i] : NULL;
  }
  if (m == NULL || schema == NULL || clones == NULL) {
    fail("%s: no such mutant, or it does not build", c->statement);
  } else {
    char *name = mutant_clone_name("test", m->number);
    uint32_t selected = run_record(schema, "test", m->number).flags[MUTATE_WORD_EVENTS];
    uint32_t cloned = run_record(clones, name, 0).flags[MUTATE_WORD_EVENTS];
    uint32_t original = run_record(schema, "test", 0).flags[MUTATE_WORD_EVENTS];
    if (selected != c->events || cloned != c->events) {
      fail("%s: schema records %u, clone %u, not %u", c->statement, selected, cloned, c->events);
    }
    if (original != 0 && strstr(c->statement, "1000000000") == NULL) {
      fail("%s: the original records %u", c->statement, original);
    }
    free(name);
  }
  build_free(schema);
  build_free(clones);
  mutate_free(&r);
  free(text);
}

/* Names that stand in the user's lines 3 and 8 must stand there in our text too. Cuts the text up. */
static void check_lines(char *text, const char *form) {
  static const struct {
    const char *name;
    unsigned long line;
  } marks[] = {{"third_line", 3}, {"eighth_line", 8}};
  unsigned long line = 1;
  unsigned found = 0;
  for (char *at = strsep(&text, "\n"); at != NULL; at = strsep(&text, "\n"), line++) {
    if (strncmp(at, "#line ", 6) == 0) {
      line = strtoul(at + 6, NULL, 10) - 1;
    }
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
      found += strstr(at, marks[i].name) != NULL ? 1 : 0;
      if (strstr(at, marks[i].name) != NULL && line != marks[i].line) {
        fail("lines, %s: %s stands in line %lu", form, marks[i].name, line);
      }
    }
  }
  if (found < sizeof marks / sizeof *marks) {
    fail("lines, %s: %u names found", form, found);
  }
}

static void test_lines(void) {
  static const char text[] =
      "int f(int v);\n__kernel void test(__global int *out, __global int *in) {\n"
      "  int third_line = in[0] + 1; for (int i = 0;\n i < in[0];\n i++)\n out[i & 7] = f(i);\n}\n"
      "int f(int v) { int eighth_line = v / 2; return eighth_line + 1; }\n";
  const uint32_t numbers[] = {0, 1, 2, 3};
  mutate_result schema = mutate_text(text, "", NULL, 0);
  mutate_result clones = mutate_text(text, "", numbers, sizeof numbers / sizeof *numbers);
  check_lines(schema.texts[0], "schema");
  check_lines(clones.texts[0], "clones");
  mutate_free(&schema);
  mutate_free(&clones);
}

/* Turns of all 8 work-items, in 2 work-groups, with a mutant that never ends. */
static uint32_t endless_turns(device *d, const char *barrier) {
  char *text = text_of(
      "__kernel void test(__global int *out, __global int *in) {\n"
      "int i = 0, n = in[0], t = (int)get_global_id(0);\n%s out[t] = 0;\nwhile (i < n) { out[t]++; i += 1; }\n}\n",
      barrier);
  mutate_result r = mutate_text(text, "", NULL, 0);
  build *schema = build_schema(d, &r, "");
  uint32_t number = 0, sum = 0;
  for (size_t i = 0; i < r.mutant_count; i++) {
    number = strcmp(r.mutants[i].replacement, "-=") == 0 ? r.mutants[i].number : number;
  }
  const int32_t in[VALUES] = {3};
  const outcome o = build_run(schema, "test", in, false, number, FUEL);
  for (size_t i = 0; i < 8; i++) {
    sum += (uint32_t)o.out[i];
  }
  if (o.flags[MUTATE_WORD_EVENTS] != MUTATE_ENDLESS) {
    fail("fuel%s: records %u", barrier, o.flags[MUTATE_WORD_EVENTS]);
  }
  build_free(schema);
  mutate_free(&r);
  free(text);
  return sum;
}

/* After a work-item without fuel others get none (PoCL does those of a group one after another), but where barriers
 * have to be met. */
static void test_fuel(device *d) {
  const uint32_t alone = endless_turns(d, ""), together = endless_turns(d, " barrier(CLK_LOCAL_MEM_FENCE);");
  if (alone < FUEL || alone > 2 * FUEL) {
    fail("fuel: %u turns of two work-groups", alone);
  }
  if (together != 8 * FUEL) {
    fail("fuel: %u turns of eight work-items with a barrier", together);
  }
}

void test_records(device *d) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    test_record(d, &cases[i]);
  }
  test_lines();
  test_fuel(d);
  printf("records: %zu\n", sizeof cases / sizeof *cases);
}
