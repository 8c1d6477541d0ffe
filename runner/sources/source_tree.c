/* Preprocessing until no question is left, and the tree of that. */
#include "runner/sources/source_tree.h"

#include "base/memory.h"
#include "frontend/frontend.h"

enum { ROUNDS_MOST = 64 };

typedef struct answering {
  pp_input input;
  pp_fact *facts;
  size_t count, capacity;
} answering;

/* In a process that ends soon: nothing is freed. */
static void add_fact(answering *a, const char *expression) {
  char *copy = mem_strdup(expression);
  *ARRAY_ADD(a->facts, a->count, a->capacity) = (pp_fact){copy, front_answer(copy, a->input.options)};
  a->input.facts = a->facts;
  a->input.fact_count = a->count;
}

int source_tree_make(const pp_input *in, source_tree_use use, buffer *out, error *e) {
  answering a = {.input = *in};
  pp_result text;
  int result = 0;
  for (int round = 0; (result = pp_run(&a.input, &text, e)) == 0 && text.question_count > 0; round++) {
    if (round == ROUNDS_MOST) {
      pp_result_free(&text);
      return error_set(e, EXIT_USAGE, "%s: its conditionals depend on each other without end", in->name);
    }
    for (size_t i = 0; i < text.question_count; i++) {
      add_fact(&a, text.questions[i]);
    }
    pp_result_free(&text);
  }
  tree *t = NULL;
  if (result == 0 && (result = tree_build(&text, text.other_options, &t, e)) == 0) {
    use.put(use.context, &text, t, out);
  }
  tree_free(t);
  pp_result_free(&text);
  return result;
}
