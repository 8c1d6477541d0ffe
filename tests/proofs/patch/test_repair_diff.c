/* Unified diffs: applied by a slow reader of our own they give the new text, and they are the shortest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka needs these before it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/lines.h"
#include "base/memory.h"
#include "proofs/patch/spots.h"
#include "tests/fuzz/random.h"

enum { ROUNDS = 3000, LINES = 24 };

typedef struct drawn_text {
  const char *lines[LINES];
  size_t count;
  bool open; /* the last line has no end */
} drawn_text;

static void join(const drawn_text *t, buffer *out) {
  for (size_t i = 0; i < t->count; i++)
    buffer_printf(out, "%s%s", t->lines[i], t->open && i + 1 == t->count ? "" : "\n");
}

/* Lines of a text one by one. */
static char *next_line(const char **at) {
  const char *end = strchr(*at, '\n');
  const size_t length = end == NULL ? strlen(*at) : (size_t)(end - *at) + 1;
  char *line = mem_strndup(*at, length);
  *at += length;
  return line;
}

static void copy_old(const char **old, size_t *line, size_t until, buffer *out) {
  while (*line < until) {
    char *l = next_line(old);
    buffer_puts(out, l);
    free(l);
    (*line)++;
  }
}

/* Follows the diff through the old text; counts the lines that it changes. */
static size_t apply(const char *diff, const char *old, buffer *out) {
  size_t changed = 0, line = 1; /* the next of the old text */
  const char *at = diff;
  bool first = true;
  while (*at != '\0') {
    char *l = next_line(&at);
    const bool open = at[0] == '\\'; /* the end of this line is the diff's */
    if (open) {
      free(next_line(&at));
      l[strlen(l) - 1] = '\0';
    }
    size_t begin = 0, count = 0, to = 0, to_count = 0;
    if (sscanf(l, "@@ -%zu,%zu +%zu,%zu @@", &begin, &count, &to, &to_count) == 4) {
      copy_old(&old, &line, count == 0 ? begin + 1 : begin, out);
      first = false;
    } else if (!first && l[0] == '+') {
      buffer_puts(out, l + 1);
      changed++;
    } else if (!first) {
      char *mine = next_line(&old);
      assert_string_equal(mine, l + 1);
      buffer_puts(out, l[0] == ' ' ? mine : "");
      changed += l[0] == '-' ? 1 : 0;
      free(mine);
      line++;
    }
    free(l);
  }
  buffer_puts(out, old);
  return changed;
}

static bool same_line(const drawn_text *a, size_t i, const drawn_text *b, size_t k) {
  return strcmp(a->lines[i], b->lines[k]) == 0 && (a->open && i + 1 == a->count) == (b->open && k + 1 == b->count);
}

/* Lines that must change, by the table of the longest common subsequence. */
static size_t least_changes(const drawn_text *a, const drawn_text *b) {
  size_t longest[LINES + 1][LINES + 1] = {{0}};
  for (size_t i = 1; i <= a->count; i++) {
    for (size_t k = 1; k <= b->count; k++) {
      const size_t up = longest[i - 1][k], left = longest[i][k - 1];
      longest[i][k] = same_line(a, i - 1, b, k - 1) ? longest[i - 1][k - 1] + 1 : up > left ? up : left;
    }
  }
  return a->count + b->count - 2 * longest[a->count][b->count];
}

static void draw(random_state *r, drawn_text *t) {
  static const char *const words[] = {"a", "b", "", "\tc d\r", "-e", "+f"};
  t->count = fuzz_below(r, LINES);
  t->open = fuzz_below(r, 4) == 0;
  for (size_t i = 0; i < t->count; i++) t->lines[i] = words[fuzz_below(r, 6)];
  if (t->count > 0 && t->open && t->lines[t->count - 1][0] == '\0') t->open = false; /* there is no such line */
}

static void test_random_texts(void **state) {
  (void)state;
  random_state r = {11};
  for (size_t round = 0; round < ROUNDS; round++) {
    drawn_text a, b;
    draw(&r, &a);
    b = a;
    if (fuzz_below(&r, 3) == 0)
      draw(&r, &b);
    else if (b.count > 0)
      b.lines[fuzz_below(&r, (uint32_t)b.count)] = "changed";
    buffer old = {0}, new = {0}, diff = {0}, made = {0};
    join(&a, &old);
    join(&b, &new);
    diff_write("x.cl", buffer_text(&old), old.length, buffer_text(&new), new.length, &diff);
    const size_t changed = apply(buffer_text(&diff), buffer_text(&old), &made);
    assert_string_equal(buffer_text(&made), buffer_text(&new));
    assert_int_equal(changed, least_changes(&a, &b));
    buffer_free(&old);
    buffer_free(&new);
    buffer_free(&diff);
    buffer_free(&made);
  }
}

static void expect(const char *name, const char *old, const char *new, const char *wanted) {
  buffer diff = {0};
  diff_write(name, old, strlen(old), new, strlen(new), &diff);
  assert_string_equal(buffer_text(&diff), wanted);
  buffer_free(&diff);
}

static void test_known_diffs(void **state) {
  (void)state;
  expect("x.cl", "a\n", "a\n", "");
  expect("x.cl", "1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nx\n5\n6\n7\n8\n",
         "--- a/x.cl\n+++ b/x.cl\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+x\n 5\n 6\n 7\n");
  expect("d/x y.cl", "a", "b\n",
         "--- a/d/x y.cl\t\n+++ b/d/x y.cl\t\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n");
  expect("x.cl", "", "b\n", "--- a/x.cl\n+++ b/x.cl\n@@ -0,0 +1,1 @@\n+b\n");
}

/* Two changes are one hunk as long as their lines of context touch. */
static void test_hunks(void **state) {
  (void)state;
  for (size_t between = 4; between < 9; between++) {
    buffer old = {0}, new = {0}, diff = {0};
    buffer_puts(&new, "x\n");
    for (size_t i = 0; i < between; i++) {
      buffer_printf(&old, "%zu\n", i);
      buffer_printf(&new, "%zu\n", i);
    }
    buffer_puts(&new, "y\n");
    diff_write("x.cl", buffer_text(&old), old.length, buffer_text(&new), new.length, &diff);
    size_t hunks = 0;
    for (const char *at = buffer_text(&diff); (at = strstr(at, "\n@@")) != NULL; at++) hunks++;
    assert_int_equal(hunks, between <= 6 ? 1 : 2);
    buffer_free(&old);
    buffer_free(&new);
    buffer_free(&diff);
  }
}

/* Each byte of the changed text that the original has comes from there; others are of the change's site. */
static void test_origins(void **state) {
  (void)state;
  const char *text = "one\ntwo\nthree\n";
  patch p = {0};
  patch_add(&p, 8, 0, mem_strdup("NEW\n"), 1);
  patch_add(&p, 4, 4, mem_strdup("2\n"), 2);
  patch_add(&p, 8, 0, mem_strdup("again\n"), 3);
  buffer out = {0};
  patch_apply(&p, text, strlen(text), &out);
  assert_string_equal(buffer_text(&out), "one\n2\nNEW\nagain\nthree\n");
  const struct {
    const char *word;
    size_t origin;
    uint32_t spot;
  } known[] = {{"one", 0, PATCH_NO_SPOT}, {"2", 4, 2}, {"NEW", 8, 1}, {"again", 8, 3}, {"three", 8, PATCH_NO_SPOT}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    uint32_t spot = 0;
    const size_t at = (size_t)(strstr(buffer_text(&out), known[i].word) - buffer_text(&out));
    assert_int_equal(patch_origin(&p, at, &spot), known[i].origin);
    assert_int_equal(spot, known[i].spot);
  }
  assert_int_equal(text_offset(text, strlen(text), 3, 2), 9);
  assert_true(text_offset(text, strlen(text), 9, 1) == PATCH_NOWHERE);
  assert_int_equal(line_at(text, 9), 3);
  buffer_free(&out);
  patch_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_texts), cmocka_unit_test(test_known_diffs),
                                     cmocka_unit_test(test_hunks), cmocka_unit_test(test_origins)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
