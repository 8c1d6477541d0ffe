/* Recording which label a switch selects. */
#include <stdlib.h>

#include "instrument/conditions.h"
#include "instrument/writer.h"

static void append_tokens(const writer *w, span tokens, buffer *out) {
  const pp_result *text = &w->u->text;
  buffer_append(out, text->text + text->tokens[tokens.first].begin,
                text->tokens[tokens.last].end - text->tokens[tokens.first].begin);
}

/* `value == label`, or within the range of a GNU `case a ... b`. */
static void append_case_test(const writer *w, const tree_node *label, uint32_t number, buffer *out) {
  const span value = statement_condition(label);
  const tree_node *lowest = label->children[0];
  const tree_node *highest = label->children[1];
  if (highest != NULL) {
    buffer_printf(out, "cltc_s%u >= (", (unsigned)number);
    append_tokens(w, (span){value.first, lowest->tokens.last}, out);
    buffer_printf(out, ") && cltc_s%u <= (", (unsigned)number);
    append_tokens(w, (span){highest->tokens.first, value.last}, out);
  } else {
    buffer_printf(out, "cltc_s%u == (", (unsigned)number);
    append_tokens(w, value, out);
  }
  buffer_puts(out, ")");
}

/* The sum of the tests for those labels of switch `i` that start a turn of a loop; empty if none does. */
static void append_turn_tests(const writer *w, const instance *i, const tree_node *loop, buffer *out) {
  size_t count = 0;
  const tree_node **labels = cases_of_switch(&w->f->statements, i->node, &count);
  uint32_t outcome = 0;
  for (size_t k = 0; k < count; k++) {
    uint32_t number = labels[k]->kind == TREE_DEFAULT ? i->outcomes - 1 : outcome++;
    if (starts_turn(loop, i->token, statement_begin(labels[k]))) {
      buffer_printf(out, "%s(uint)(cltc->t == %uu)", out->length > 0 ? " + " : "", (unsigned)number);
    }
  }
  free(labels);
}

/* A label that is selected inside a loop around which the switch is not starts a turn of the loop. */
static void append_case_turns(const writer *w, const instance *i, buffer *out) {
  const span tokens = statement_tokens(i->node);
  for (uint32_t n = 0; n < w->f->instance_count; n++) {
    const instance *loop = &w->f->instances[n];
    buffer tests = {0};
    if (counts_turns(loop) && span_has(tokens, loop->token)) {
      append_turn_tests(w, i, loop->node, &tests);
    }
    if (tests.length > 0) {
      buffer_printf(out, "cltc_n%u += %s, ", (unsigned)n, buffer_text(&tests));
    }
    buffer_free(&tests);
  }
}

const char *switch_type(const instance *i) {
  const tree_node *n = i->node == NULL ? NULL : condition_node(i->node);
  const tree_type *type = n == NULL ? NULL : n->type;
  const bool wide = type == NULL || type->size > 4;
  return type != NULL && type->is_unsigned ? (wide ? "ulong" : "uint") : (wide ? "long" : "int");
}

/* Compilers take a time that grows with labels times words for what is kept in variables. Where that tells, the bits
 * are in an array, and a switch of ours gives the number of the label (of a value that the compiler cannot know to be
 * the user's, or it would join the two). Branches are no conditional where there are barriers: there the labels are compared
 * one by one, as in a small switch, but not too many in one expression, as the time grows with its square. */
enum { WIDE_SWITCH = 64 };

bool is_wide_switch(const instance *i) { return i->kind == SITE_SWITCH && i->outcomes > WIDE_SWITCH; }

static void append_label_number(const writer *w, const instance *i, uint32_t number, buffer *out) {
  buffer_printf(out, "; switch (cltc_s%u + (%s)cltc->zero) {", (unsigned)number, switch_type(i));
  unsigned outcome = 0;
  size_t count = 0;
  const tree_node **labels = cases_of_switch(&w->f->statements, i->node, &count);
  for (size_t k = 0; k < count; k++) {
    if (labels[k]->kind == TREE_CASE) {
      buffer_puts(out, " case ");
      append_tokens(w, statement_condition(labels[k]), out);
      buffer_printf(out, ": cltc->t = %uu; break;", outcome++);
    }
  }
  free(labels);
  buffer_printf(out, " default: cltc->t = %uu; }", outcome);
}

/* switch (value) body -> { kept = (value); switch (kept) { … } record; switch (kept) body } */
static void edit_wide_switch(const writer *w, const instance *i, uint32_t number) {
  const tree_node *s = i->node;
  buffer middle = {0};
  append_label_number(w, i, number, &middle);
  buffer_printf(&middle, " CLTC_LABEL(cltc->w%u_%u, cltc->t + %uu) ", (unsigned)w->index, (unsigned)number,
                (unsigned)(i->bit % 32));
  append_case_turns(w, i, &middle);
  buffer_printf(&middle, "(void)0; switch (cltc_s%u)", (unsigned)number);
  edit_add(w->edits, statement_begin(s), EDIT_REPLACE, 0, EDIT_BOTH, text_of("{ cltc_s%u =", (unsigned)number));
  edit_add(w->edits, s->parts->close, EDIT_AFTER, 0, EDIT_BOTH, buffer_take(&middle));
  edit_add(w->edits, s->tokens.last, EDIT_AFTER, UINT32_MAX, EDIT_BOTH, text_of(" }"));
}

/* `cltc->t = ` the number of the label that the value selects, of all labels of switch `i` in one expression; of a wide
 * one in several, which the compiler cannot join. */
static void append_label_tests(const writer *w, const instance *i, uint32_t number, buffer *out) {
  const bool wide = is_wide_switch(i);
  unsigned outcome = 0;
  buffer_puts(out, "cltc->t = ");
  if (wide) {
    buffer_printf(out, "%uu", (unsigned)i->outcomes - 1);
  }
  size_t count = 0;
  const tree_node **labels = cases_of_switch(&w->f->statements, i->node, &count);
  for (size_t k = 0; k < count; k++) {
    if (labels[k]->kind == TREE_DEFAULT) {
      continue;
    }
    if (wide && outcome % WIDE_SWITCH == 0) {
      buffer_puts(out, outcome == 0 ? ", cltc->v = " : "cltc->t, cltc->t = cltc->v, cltc->v = ");
    }
    buffer_puts(out, "(");
    append_case_test(w, labels[k], number, out);
    buffer_printf(out, ") ? %uu : ", outcome++);
  }
  free(labels);
  if (wide) {
    buffer_puts(out, "cltc->t, cltc->t = cltc->v, ");
  } else {
    buffer_printf(out, "%uu, ", outcome);
  }
}

static void append_label_bits(const writer *w, const instance *i, uint32_t number, buffer *out) {
  if (is_wide_switch(i)) {
    buffer_printf(out, "cltc->w%u_%u[(cltc->t + %uu) >> 5] |= 1u << ((cltc->t + %uu) & 31u), ", (unsigned)w->index,
                  (unsigned)number, (unsigned)(i->bit % 32), (unsigned)(i->bit % 32));
    return;
  }
  for (uint32_t bit = i->bit; bit < i->bit + i->outcomes; bit = (bit / 32 + 1) * 32) {
    char field[32];
    bit_field(w->index, bit, field);
    unsigned skipped = (unsigned)(bit - i->bit);
    buffer_printf(out, "%s |= cltc->t >= %uu && cltc->t < %uu ? 1u << (cltc->t - %uu + %uu) : 0u, ", field, skipped,
                  (unsigned)(skipped + 32 - bit % 32), skipped, (unsigned)(bit % 32));
  }
}

/* The value is kept, the number of the label that it selects goes to cltc->t, its bit is set. */
static void edit_small_switch(const writer *w, const instance *i, uint32_t number) {
  buffer suffix = {0};
  buffer_puts(&suffix, "), ");
  append_label_tests(w, i, number, &suffix);
  if (keeps_record(i)) {
    buffer_printf(&suffix, "CLTC_HASH(cltc->h%u, cltc->t), ", (unsigned)i->plane);
  }
  append_label_bits(w, i, number, &suffix);
  append_case_turns(w, i, &suffix);
  buffer_printf(&suffix, "cltc_s%u", (unsigned)number);
  edit_wrap(w->edits, statement_condition(i->node), text_of("cltc_s%u = (", (unsigned)number), buffer_take(&suffix));
}

void edit_switch(const writer *w, const instance *i, uint32_t number) {
  (is_wide_switch(i) && !w->f->has_barrier ? edit_wide_switch : edit_small_switch)(w, i, number);
}
