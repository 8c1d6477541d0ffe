/* What all work-items of a group do alike, asked of a tree: decisions, expressions, range checks. The expectations come
 * from reading each body. */
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/buffer.h"
#include "frontend/facts/uniform.h"
#include "tests/fixtures/tree_fixture.h"

#define LID "(int)get_local_id(0)"

/* Bodies of k(__global int *a, int n). By source order of what is asked about: an `if` is 'u' (uniform) or 'v' (it
 * varies), with 's' after it if the second statement of the body is reached by those alone that took it alike. A && or ||
 * is 'r' (a range check) or '-'. */
static const struct {
  const char *body, *decisions, *logical;
} samples[] = {
    {"if (n > 3) a[0] = 1;", "u", ""},
    {"if (a[n] > 3) return; a[0] = 1;", "vs", ""},
    {"if (" LID " > 3) { return; } a[0] = 1;", "vs", ""},
    {"if (" LID " > 3) a[1] = 1; a[0] = 1;", "v", ""},
    {"int i = n; if (i) a[0] = i;", "u", ""},
    {"int i = n; i = " LID "; if (i) a[0] = i;", "v", ""},
    {"int i = 0; if (a[0]) i = 1; if (i) a[0] = i;", "vv", ""}, /* a constant, given where some come only */
    {"if (a[0]) { if (n) a[1] = 1; }", "vv", ""},
    {"if (n > 1 && n < 9) a[0] = 1;", "u", "r"},
    {"int i = " LID ", j = i; if (i > 1 && i < n) a[0] = j;", "v", "r"},
    {"int i = " LID ", j = i; if (i > 1 && j < n) a[0] = j;", "v", "-"}, /* two variables */
    {"int i = " LID "; if (i++ > 1 || i < n) a[0] = i;", "v", "-"},      /* not twice */
    {"if (a[0] > 1 || a[0] < -1) a[0] = 1;", "v", "-"},                  /* memory may change */
    {"int i = n; int *p = &i; *p = " LID "; if (i) a[0] = 1;", "v", ""},
};

static void ask_if(const uniform_scope *s, tree_node *n, buffer *seen) {
  const tree_node *block = tree_body(s->graph->function);
  const tree_node_list one = {.items = &n, .count = 1};
  bool uniform = false;
  find_uniform(s, &one, &uniform);
  buffer_putc(seen, uniform ? 'u' : 'v');
  if (n->parent == block && n->index + 1 < block->child_count && n->index == 0 && took_alike(n, block->children[1]))
    buffer_putc(seen, 's');
}

static void test_samples(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
    buffer text = {0}, decisions = {0}, logical = {0};
    buffer_printf(&text, "__kernel void k(__global int *a, int n) { %s }\n", samples[i].body);
    tree_fixture f = tree_fixture_open(buffer_text(&text), "");
    f.tree->text = &f.text; /* which has moved */
    const tree_node *kernel = f.tree->functions[0];
    const tree_graph graph = tree_graph_read(f.tree);
    statements all = list_statements(kernel);
    const stores stored = read_stores(f.tree, "");
    const uniform_scope s = {f.tree, &graph.functions[0], &all, &stored, true};
    for (tree_node *n = tree_body(kernel); n != NULL; n = tree_next(kernel, n))
      if (n->kind == TREE_IF)
        ask_if(&s, n, &decisions);
      else if (n->kind == TREE_LOGICAL)
        buffer_putc(&logical, is_range_check(f.tree, &stored, n) ? 'r' : '-');
    if (strcmp(buffer_text(&decisions), samples[i].decisions) != 0) print_error("%s\n", samples[i].body);
    assert_string_equal(buffer_text(&decisions), samples[i].decisions);
    assert_string_equal(buffer_text(&logical), samples[i].logical);
    statements_free(&all);
    free(stored.items);
    tree_fixture_close(&f);
    buffer_free(&text);
    buffer_free(&decisions);
    buffer_free(&logical);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
