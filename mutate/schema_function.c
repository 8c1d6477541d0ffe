/* All edits of one function: parameters, entry and exit, calls, places, loops, and in clones its name. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "instrument/edit.h"
#include "mutate/schema.h"

void put(const schema_writer *w, uint32_t token, enum edit_place where, span around, uint32_t layer, char *text) {
  edit_add(w->edits, token, where, (around.last - around.first + 1) * LAYERS + layer, EDIT_BOTH, text);
}

uint32_t mutant_here(const schema_writer *w, const place *p) {
  return w->number == SCHEMA_TEXT || w->number <= p->first || w->number > p->first + p->count
             ? NONE
             : w->number - p->first - 1;
}

/* --- replaced tokens --------------------------------------------------------------------------------------------- */

void replace_span(schema_writer *w, span tokens, char *text) {
  *ARRAY_ADD(w->replaced, w->replaced_count, w->replaced_capacity) = (replaced_span){tokens, text};
}

static bool belongs_to(const edit *e, span tokens) {
  uint32_t widest = (tokens.last - tokens.first + 1) * LAYERS + LAYERS - 1;
  bool outside = e->extent > widest && ((e->token == tokens.first && e->place == EDIT_BEFORE) ||
                                        (e->token == tokens.last && e->place == EDIT_AFTER));
  return span_has(tokens, e->token) && !outside;
}

static void apply_replaced(schema_writer *w) {
  for (size_t i = 0; i < w->replaced_count; i++) {
    span tokens = w->replaced[i].tokens;
    size_t kept = 0;
    for (size_t k = 0; k < w->edits->count; k++) {
      if (belongs_to(&w->edits->items[k], tokens)) {
        free(w->edits->items[k].text);
      } else {
        w->edits->items[kept++] = w->edits->items[k];
      }
    }
    w->edits->count = kept;
    for (uint32_t t = tokens.first; t <= tokens.last; t++) {
      edit_add(w->edits, t, EDIT_REPLACE, 0, EDIT_BOTH, t == tokens.first ? w->replaced[i].text : text_of("%s", ""));
    }
  }
  free(w->replaced);
  w->replaced = NULL;
  w->replaced_count = w->replaced_capacity = 0;
}

/* --- names ------------------------------------------------------------------------------------------------------- */

/* In clones: the function's own name and those that it calls. */
static void edit_names(const schema_writer *w) {
  edit_add(w->edits, w->f->node->token, EDIT_SUFFIX, 1, EDIT_BOTH, mutant_clone_name("", w->number));
  for (size_t i = 0; i < w->f->call_count; i++) {
    const call *c = &w->f->calls[i];
    if (i == 0 || w->f->calls[i - 1].token != c->token) {
      edit_add(w->edits, c->token, EDIT_SUFFIX, 1, EDIT_BOTH,
               mutant_clone_name("", number_of_callee(w->copies, w->p, w->number, c->callee)));
    }
  }
}

/* --- entry and exit ---------------------------------------------------------------------------------------------- */

static bool has_barrier(const schema_writer *w, uint32_t index) {
  const tree_node *root = w->p->functions[index].node;
  for (const tree_node *n = root; n != NULL; n = tree_next(root, n)) {
    if (n->kind == TREE_CALL && n->builtin != NULL && n->builtin->kind == TREE_BARRIER) {
      return true;
    }
  }
  return false;
}

static bool has_wide_switch(const function *f) {
  bool wide = false;
  for (size_t i = 0; i < f->instance_count; i++) {
    wide = wide || is_wide_switch(&f->instances[i]);
  }
  return wide;
}

/* What a kernel has in the functions that it reaches. */
typedef struct kernel_needs {
  bool *words; /* of the reach record */
  uint32_t word_count;
  bool barrier, wide_switch;
} kernel_needs;

static void find_needs(const schema_writer *w, kernel_needs *needs) {
  size_t count = 0;
  uint32_t *reach = reachable_functions(w->p, w->index, &count);
  for (size_t i = 0; i < count; i++) {
    needs->barrier = needs->barrier || has_barrier(w, reach[i]);
    needs->wide_switch = needs->wide_switch || has_wide_switch(&w->p->functions[reach[i]]);
    for (size_t k = 0; k < w->places->count; k++) {
      if (w->places->items[k].function == reach[i]) {
        needs->words[w->places->items[k].number / 32] = true;
      }
    }
  }
  free(reach);
}

/* Compilers keep words that are read one by one in variables: after a switch that takes them as long as labels times
 * words. What a loop reads stays in memory. */
static void append_keep(const kernel_needs *needs, buffer *out) {
  uint32_t first = needs->word_count;
  uint32_t end = 0;
  const bool loop = needs->wide_switch && !needs->barrier;
  for (uint32_t i = 0; i < needs->word_count; i++) {
    if (needs->words[i] && !loop) {
      buffer_printf(out, " CLTC_KEEP%s(%u)", needs->barrier ? "_EVENLY" : "", (unsigned)i);
    }
    first = needs->words[i] && i < first ? i : first;
    end = needs->words[i] ? i + 1 : end;
  }
  if (loop && first < end) {
    buffer_printf(out, " CLTC_KEEP_WORDS(%u, %u)", (unsigned)first, (unsigned)end);
  }
}

/* What stands at the beginning of a kernel and at its end. */
static void append_frame(const schema_writer *w, uint32_t place_count, buffer *begin, buffer *out) {
  kernel_needs needs = {.word_count = place_count / 32 + 1};
  needs.words = mem_calloc(needs.word_count, sizeof *needs.words);
  find_needs(w, &needs);
  buffer_printf(begin, " CLTC_BEGIN%s", needs.barrier ? "_EVENLY" : "");
  append_keep(&needs, out);
  buffer_printf(out, " CLTC_END%s ", needs.barrier ? "_EVENLY" : "");
  free(needs.words);
}

/* Returns become jumps to the exit. */
static bool edit_returns(const schema_writer *w) {
  bool any = false;
  for (size_t s = 0; s < w->f->statements.count; s++) {
    const tree_node *n = w->f->statements.items[s];
    if (n->kind == TREE_RETURN) {
      edit_add(w->edits, statement_begin(n), EDIT_REPLACE, 0, EDIT_PLAIN, text_of("goto cltc_exit"));
      any = true;
    }
  }
  return any;
}

/* A size, label or attribute has its value as soon as the function is entered. */
static char *marks_of_fixed(const schema_writer *w) {
  buffer out = {0};
  for (size_t i = 0; i < w->places->count; i++) {
    const place *p = &w->places->items[i];
    if (p->kind == PLACE_FIXED && p->function == w->index) {
      buffer_printf(&out, " CLTC_MARK(%u, 0x%x)", (unsigned)p->number / 32, 1u << (p->number % 32));
    }
  }
  return out.length == 0 ? NULL : buffer_take(&out);
}

static void edit_body(schema_writer *w) {
  uint32_t start = body_start(&w->u->text, w->f);
  if (w->f->node->symbol->kernel) {
    uint32_t place_count = 0;
    for (size_t i = 0; i < w->places->count; i++) {
      place_count = w->places->items[i].number >= place_count ? w->places->items[i].number + 1 : place_count;
    }
    buffer begin = {0}, exit = {0};
    buffer_puts(&exit, edit_returns(w) ? " cltc_exit: ;" : "");
    append_frame(w, place_count, &begin, &exit);
    edit_add(w->edits, start, EDIT_AFTER, 1, EDIT_PLAIN, buffer_take(&begin));
    edit_add(w->edits, w->f->body.last, EDIT_BEFORE, 1, EDIT_PLAIN, buffer_take(&exit));
  }
  if (w->locals.length > 0) {
    edit_add(w->edits, start, EDIT_AFTER, 2, EDIT_BOTH, buffer_take(&w->locals));
  }
  char *marks = marks_of_fixed(w);
  if (marks != NULL) {
    edit_add(w->edits, start, EDIT_AFTER, 3, EDIT_BOTH, marks);
  }
}

void schema_edits(schema_writer *w) {
  edit_declared(w->edits, &w->u->text, w->f->node);
  edit_calls(w->p, w->f, w->edits);
  if (w->number != SCHEMA_TEXT) {
    edit_names(w);
  }
  for (size_t i = 0; i < w->places->count; i++) {
    if (w->places->items[i].function == w->index && w->places->items[i].count > 0) {
      edit_place(w, &w->places->items[i]);
    }
  }
  edit_loops(w);
  apply_replaced(w);
  edit_body(w);
  buffer_free(&w->locals);
  edit_sort(w->edits);
}
