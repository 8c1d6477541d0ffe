/* Prints a kernel file back from its tree, or says how much of it is typed:
 *   tree_text print|convert|count|unknown FILE [BUILD OPTIONS]
 * `convert` writes implicit conversions, `unknown` lists what has no type. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/frontend.h"
#include "frontend/tree.h"
#include "runner/build/program_request.h"
#include "tests/fixtures/tree_fixture.h"
#include "tree_print.h"

static void list_unknown(const tree *t) {
  for (const tree_node *n = t->unit; n != NULL; n = tree_next(t->unit, n)) {
    const bool expression = tree_is_expression(n->kind);
    if (expression ? n->type == NULL || n->kind == TREE_UNKNOWN_EXPRESSION
                   : n->kind == TREE_UNKNOWN_STATEMENT || n->kind == TREE_UNKNOWN_DECLARATION) {
      const pp_token *first = &t->text->tokens[n->tokens.first];
      const pp_token *last = &t->text->tokens[n->tokens.last];
      printf("%u:%u %s: %.*s\n", first->expanded.line, first->expanded.column, tree_kind_name(n->kind),
             (int)(last->end - first->begin), t->text->text + first->begin);
    }
  }
}

static void show(const tree *t, const char *mode) {
  if (strcmp(mode, "count") == 0) {
    size_t all = 0, typed = 0;
    count_expressions(t, &all, &typed);
    printf("%zu %zu\n", all, typed);
    return;
  }
  if (strcmp(mode, "unknown") == 0) {
    list_unknown(t);
    return;
  }
  buffer out = {0};
  tree_print(t, strcmp(mode, "convert") == 0, &out);
  (void)fputs(buffer_text(&out), stdout);
  buffer_free(&out);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    (void)fputs("usage: tree_text print|convert|count|unknown FILE [BUILD OPTIONS]\n", stderr);
    return 2;
  }
  program_request r;
  pp_result text = {0};
  tree *t = NULL;
  error e;
  int result = request_of_file(&r, argv[2], argv + 3, &e);
  result = result == 0 ? front_source(&r.sources[0].input, &text, &t, &e) : result;
  if (result == 0)
    show(t, argv[1]);
  else
    (void)fprintf(stderr, "%s\n", e.text);
  tree_free(t);
  pp_result_free(&text);
  request_free(&r);
  return result == 0 ? 0 : 1;
}
