/* Loop mutants: how many turns a loop makes when it is skipped, and with one turn less and one more; and the fuel that
 * turns burn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/edits.h"
#include "schema_support.h"

enum { SIZES = 3, SAME = -1 };
static const int sizes[SIZES] = {0, 1, 5};

typedef struct loop_case {
  const char *text;                         /* one loop that counts its turns in c, for n */
  int turns[SIZES];                         /* for the sizes above */
  bool less, more;                          /* whether there is such a mutant */
  int fuel;                                 /* turns of fuel more than turns made */
  int less_turns[SIZES], more_turns[SIZES]; /* where not one less (but for 0) and one more; {SAME}: as usual */
} loop_case;

#define N \
  { 0, 1, 5 }
#define DO \
  { 1, 1, 5 }
#define USUAL .less = true, .more = true, .less_turns = {SAME}, .more_turns = {SAME}
#define NO_LESS .less = false, .more = true, .less_turns = {SAME}, .more_turns = {SAME}

static const loop_case cases[] = {
    {"for (int i = 0; i < n; i++) c++;", N, USUAL},
    {"for (int i = 0; i < n; ++i) { c++; }", N, USUAL},
    {"for (int i = n; i > 0; i--) c++;", N, USUAL},
    {"for (int i = n; i >= 1; i -= 1) c++;", N, USUAL},
    {"for (int i = 0; i != n; i++) c++;", N, USUAL},
    {"for (uint s = 1u; s < (1u << n); s <<= 1) c++;", N, USUAL},
    {"for (int s = 1 << n; s > 1; s /= 2) c++;", N, USUAL},
    {"for (int s = 1; s < (1 << n); s *= 2) c++;", N, USUAL},
    {"for (int s = 1; s < (1 << n); s = s + s) c++;", N, USUAL},
    {"for (int i = 0, j = n; i < j; i++, j--) c++;", {0, 1, 3}, USUAL},
    {"int i = 0, j = 0; for (i = n, j = 0; i > j && j < 100; i--, j = j + 1) c++;", {0, 1, 3}, USUAL},
    {"ushort i; for (i = 0; i < n; i++) c++;", N, USUAL},
    {"float f; for (f = 0.5f; f < n; f += 1.0f) c++;", N, USUAL},
    {"for (__global int *p = in; p < in + n; p++) c++;", N, USUAL},
    {"for (; n > 0; n--) c++;", N, USUAL},
    {"int i = 0; for (; i < n;) { c++; i += 1; }", N, USUAL},
    {"int i = 0; while (i < n) { c++; i++; }", N, USUAL},
    {"int i = 0; while (i < n) { i++; int k = 3; c += k - 2; }", N, USUAL},
    {"while (n--) c++;", N, USUAL},
    {"while (n-- > 0) { c++; }", N, USUAL},
    {"int i = 0; while (i++ < n) c++;", N, USUAL},
    {"int s = 1 << n; while (s >>= 1) c++;", N, USUAL},
    {"int s = n, t; while ((t = s - 1) >= 0) { c++; s = s - 1; }", N, NO_LESS},
    {"int i = 0; while (in[8 + i] < n) { c++; i++; }", N, USUAL},
    {"int i = 0; do { c++; i++; } while (i < n);", DO, USUAL, .fuel = -1},
    {"int i = 0; do c++; while (++i < n);", DO, USUAL, .fuel = -1},
    {"do { c++; } while (n-- > 1);", DO, USUAL, .fuel = -1},
    {"int i = 0; do { ++i; c++; } while (i < n);", DO, USUAL, .fuel = -1},
    {"for (int i = 0; ; i++) { if (i >= n) break; c++; }", N, .fuel = 1},
    {"int i = 0; for (;;) { if (i++ >= n) break; c++; }", N, .fuel = 1},
    {"int i = 0; while (1) { if (i++ >= n) break; c++; }", N, .fuel = 1},
    {"for (int i = 0; i < n; i++) { c++; if (i & 1) continue; in[40] = 1; }", N, USUAL},
    {"for (int i = 0; i < n; i++) { c++; if (i == 3) break; }",
     {0, 1, 4},
     .less = true,
     .more = true,
     .less_turns = {0, 0, 4},
     .more_turns = {1, 2, 4}},
    {"bool done = false; while (!done) { c++; if (c >= n) done = true; }", DO, NO_LESS},
    {"for (int i = 0; i < n; i++) { c++; if (n > 90) i = 5; }", N, NO_LESS},
    {"for (int i = 0; i < n && c < 100; i++) c++;", N, NO_LESS},
    {"int i = 0; while (i < n) { c++; if (n > 90) continue; i++; }", N, NO_LESS},
    {"int i = 0; while (i < n) { c++; if (n < 90) i++; else i += 2; }", N, NO_LESS},
    {"for (int i = 0; i < n; i = next(i)) c++;", N, NO_LESS},
    {"int t[1] = {0}; for (; t[0] < n; t[0]++) c++;", N, NO_LESS},
    {"int i = 0; int *p = &i; for (i = 0; i < n; (*p)++) c++;", N, NO_LESS},
    {"#define STEP(v) (v)++\nfor (int i = 0; i < n; STEP(i)) c++;", N, USUAL},
    {"#define EACH(i, n) for (int i = 0; i < (n); i += 1)\nEACH(k, n) c++;", N, USUAL},
    {"switch (n) { case 7: c = 9; break; default: for (int i = 0; i < n; i++) c++; }", N, USUAL},
    {"if (n < 0) c = 50; else for (int i = 0; i < n; i++) c++;", N, USUAL},
    {"int i = 0; if (n >= 0) do { c++; i++; } while (i < n); else c = 70;", DO, USUAL, .fuel = -1},
    {"int i = 0; if (n >= 0) do c++; while (++i < n); else c = 70;", DO, USUAL, .fuel = -1},
    {"\n#pragma unroll 2\nfor (int i = 0; i < n; i++) c++;", N, USUAL},
    {"__attribute__((opencl_unroll_hint(2))) for (int i = 0; i < n; i++) c++;", N, USUAL},
    {"if (n > 90) goto over; for (int i = 0; i < n; i++) c++; over: ;", N, USUAL},
    {"for (int i = 0; i < n; i++) { barrier(CLK_LOCAL_MEM_FENCE); c++; }", N, USUAL},
    {"for (int i = 0; i < n; i++) if (n > 3) { if (n > 4) c++; } else c++;", N, USUAL},
};

static char *kernel_of(const loop_case *c) {
  return text_of(
      "int next(int i) { return i + 1; }\n"
      "__kernel void test(__global int *out, __global int *in) {\nint c = 0, n = in[0];\n%s\nout[0] = c;\n}\n",
      c->text);
}

static outcome run_size(build *b, const char *kernel, int n, uint32_t fuel) {
  int32_t in[VALUES];
  for (int i = 0; i < VALUES; i++) in[i] = i < 8 ? n : i - 8;
  return build_run(b, kernel, in, true, 0, fuel);
}

static void check_turns(const loop_case *c, build *clones, const mutant *m, const int wanted[SIZES]) {
  char *name = mutant_clone_name("test", m == NULL ? 0 : m->number);
  for (int i = 0; i < SIZES; i++) {
    outcome o = run_size(clones, name, sizes[i], NO_LIMIT);
    if (!o.ran || o.out[0] != wanted[i]) {
      fail("%s\n  %s for n = %d: %d turns, not %d", c->text, m == NULL ? "original" : m->description, sizes[i],
           o.out[0], wanted[i]);
    }
  }
  free(name);
}

static void check_fuel(const loop_case *c, build *schema, build *recording) {
  for (int i = 0; i < SIZES; i++) {
    uint32_t used = run_size(recording, "test", sizes[i], NO_LIMIT).flags[MUTATE_WORD_FUEL];
    uint32_t wanted = (uint32_t)(c->turns[i] + c->fuel);
    if (used != wanted) fail("%s\n  n = %d burns %u, not %u", c->text, sizes[i], used, wanted);
    uint32_t enough = run_size(schema, "test", sizes[i], wanted).flags[MUTATE_WORD_EVENTS];
    uint32_t less =
        wanted == 0 ? MUTATE_ENDLESS : run_size(schema, "test", sizes[i], wanted - 1).flags[MUTATE_WORD_EVENTS];
    if (enough != 0 || less != MUTATE_ENDLESS)
      fail("%s\n  n = %d: events %u with enough fuel, %u with one turn less", c->text, sizes[i], enough, less);
  }
}

/* The mutants of the one loop: which there are, and their turns. */
static void check_mutants(const loop_case *c, build *clones, const mutate_result *r) {
  static const int none[SIZES] = {0, 0, 0};
  bool found[3] = {false, false, false};
  for (size_t i = 0; i < r->mutant_count; i++) {
    const mutant *m = &r->mutants[i];
    if (m->op != MUTATE_LOOP) continue;
    int less[SIZES], more[SIZES];
    for (int n = 0; n < SIZES; n++) {
      less[n] = c->less_turns[0] != SAME ? c->less_turns[n] : c->turns[n] > 0 ? c->turns[n] - 1 : 0;
      more[n] = c->more_turns[0] != SAME ? c->more_turns[n] : c->turns[n] + 1;
    }
    bool is_less = strstr(m->description, "n-1") != NULL;
    bool is_more = strstr(m->description, "n+1") != NULL;
    found[is_less ? 1 : is_more ? 2 : 0] = true;
    check_turns(c, clones, m, is_less ? less : is_more ? more : none);
  }
  if (!found[0] || found[1] != c->less || found[2] != c->more)
    fail("%s\n  skipped %d, n-1 %d, n+1 %d", c->text, found[0], found[1], found[2]);
}

static void test_loop(device *d, const loop_case *c) {
  char *text = kernel_of(c);
  mutate_result r = mutate_text(text, "", NULL, 0);
  build *recording = build_schema(d, &r, "-DCLTC_REACH");
  build *schema = is_full() ? build_schema(d, &r, "") : recording;
  build *clones = build_clones(d, text, "", &r);
  if (schema == NULL || recording == NULL || clones == NULL) {
    fail("%s\n  does not build", c->text);
  } else {
    check_turns(c, clones, NULL, c->turns);
    check_mutants(c, clones, &r);
    check_fuel(c, schema, recording);
  }
  if (schema != recording) build_free(schema);
  build_free(recording);
  build_free(clones);
  mutate_free(&r);
  free(text);
}

/* --- nested loops ------------------------------------------------------------------------------------------------ */

/* Each loop's mutants alone: the inner one's apply at each of its entries. */
static void test_nested(device *d) {
  static const char text[] =
      "__kernel void test(__global int *out, __global int *in) {\n  int c = 0, e = 0, n = in[0];\n"
      "  for (int i = 0; i < n; i++) { e++;\n"
      "    for (int j = 0; j < i + 2; j++)\n      c++;\n  }\n  out[0] = c; out[1] = e;\n}\n";
  static const struct {
    uint32_t line;
    const char *what;
    int outer, inner; /* turns for n = 3 */
  } wanted[] = {{3, "loop skipped", 0, 0},
                {3, "n-1 iterations: i < n - 1", 2, 5},
                {3, "n+1 iterations: i < n + 1", 4, 14},
                {4, "loop skipped", 3, 0},
                {4, "n-1 iterations: j < i + 2 - 1", 3, 6},
                {4, "n+1 iterations: j < i + 2 + 1", 3, 12}};
  mutate_result r = mutate_text(text, "", NULL, 0);
  build *clones = build_clones(d, text, "", &r);
  unsigned checked = 0;
  for (size_t i = 0; i < r.mutant_count; i++) {
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted && r.mutants[i].op == MUTATE_LOOP; k++) {
      if (wanted[k].line == r.mutants[i].line && strcmp(wanted[k].what, r.mutants[i].description) == 0) {
        char *name = mutant_clone_name("test", r.mutants[i].number);
        outcome o = run_size(clones, name, 3, NO_LIMIT);
        checked++;
        if (o.out[0] != wanted[k].inner || o.out[1] != wanted[k].outer)
          fail("nested, line %u, %s: %d and %d turns", wanted[k].line, wanted[k].what, o.out[1], o.out[0]);
        free(name);
      }
    }
  }
  if (checked != sizeof wanted / sizeof *wanted) fail("nested: %u mutants", checked);
  build_free(clones);
  mutate_free(&r);
}

void test_loops(device *d) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) test_loop(d, &cases[i]);
  test_nested(d);
  printf("loops: %zu forms\n", sizeof cases / sizeof *cases + 1);
}

/* What kernels record: divisions that a mutant made impossible, loops without an end; and that line numbers stay. */

enum { FUEL = 1000 };

typedef struct record_case {
  const char *statement;              /* of a kernel with x = 0, y = -1, low = INT_MIN, n = 3, all read from memory */
  const char *original, *replacement; /* the mutant */
  uint32_t events;
} record_case;

static const record_case cases_records[] = {
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
    if (selected != c->events || cloned != c->events)
      fail("%s: schema records %u, clone %u, not %u", c->statement, selected, cloned, c->events);
    if (original != 0 && strstr(c->statement, "1000000000") == NULL)
      fail("%s: the original records %u", c->statement, original);
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
    if (strncmp(at, "#line ", 6) == 0) line = strtoul(at + 6, NULL, 10) - 1;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
      found += strstr(at, marks[i].name) != NULL ? 1 : 0;
      if (strstr(at, marks[i].name) != NULL && line != marks[i].line)
        fail("lines, %s: %s stands in line %lu", form, marks[i].name, line);
    }
  }
  if (found < sizeof marks / sizeof *marks) fail("lines, %s: %u names found", form, found);
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
  for (size_t i = 0; i < r.mutant_count; i++)
    number = strcmp(r.mutants[i].replacement, "-=") == 0 ? r.mutants[i].number : number;
  const int32_t in[VALUES] = {3};
  const outcome o = build_run(schema, "test", in, false, number, FUEL);
  for (size_t i = 0; i < 8; i++) sum += (uint32_t)o.out[i];
  if (o.flags[MUTATE_WORD_EVENTS] != MUTATE_ENDLESS) fail("fuel%s: records %u", barrier, o.flags[MUTATE_WORD_EVENTS]);
  build_free(schema);
  mutate_free(&r);
  free(text);
  return sum;
}

/* After a work-item without fuel others get none (PoCL does those of a group one after another), but where barriers
 * have to be met. */
static void test_fuel(device *d) {
  const uint32_t alone = endless_turns(d, ""), together = endless_turns(d, " barrier(CLK_LOCAL_MEM_FENCE);");
  if (alone < FUEL || alone > 2 * FUEL) fail("fuel: %u turns of two work-groups", alone);
  if (together != 8 * FUEL) fail("fuel: %u turns of eight work-items with a barrier", together);
}

void test_records(device *d) {
  for (size_t i = 0; i < sizeof cases_records / sizeof *cases_records; i++) test_record(d, &cases_records[i]);
  test_lines();
  test_fuel(d);
  printf("records: %zu\n", sizeof cases_records / sizeof *cases_records);
}
