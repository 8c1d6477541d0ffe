/* From sites to edits: how each kind of site is recorded in the text. */
#include "instrument/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define CONTEXT_PARAMETER "__private cltc_context *cltc"
#define KERNEL_PARAMETERS                                                                       \
  "__global uint *restrict cltc_flags, __global uchar *restrict cltc_slots, ulong cltc_first, " \
  "__global uint *restrict cltc_planes, uint cltc_capacity"

/* What the helpers below work on: one function of the program and the edits of its unit. */
typedef struct writer {
  const program *p;
  const unit *u;
  const function *f;
  uint32_t index; /* of the function */
  edits *edits;
} writer;

static uint32_t mask(uint32_t bit) { return 1u << (bit % 32); }

static bool counts_turns(const instance *i) {
  return i->kind == SITE_FOR || i->kind == SITE_WHILE || i->kind == SITE_DO;
}

/* --- conditions ------------------------------------------------------------------------------------------------- */

static bool stands_in(const pp_result *text, uint32_t token, uint32_t from, uint32_t to) {
  for (uint32_t t = from; t < to; t++) {
    if (same_spelling(text, t, token)) {
      return true;
    }
  }
  return false;
}

/* Whether a condition joins tests of several variables of the function (parameters apart), as range checks in two
 * dimensions do: the condition that compilers like to take apart. */
static bool joins_variables(const writer *w, span condition) {
  const pp_result *text = &w->u->text;
  uint32_t first = NO_TOKEN;
  bool joined = false;
  bool several = false;
  for (uint32_t t = condition.first; t <= condition.last; t++) {
    joined = joined || token_is(text, t, "&&") || token_is(text, t, "||");
    if (text->tokens[t].kind == PP_IDENTIFIER && !stands_in(text, t, w->f->front->open, w->f->front->close)) {
      several = several || (first != NO_TOKEN && !same_spelling(text, first, t));
      first = first == NO_TOKEN ? t : first;
    }
  }
  return joined && several;
}

/* Which macro records a branch: see emit.c. */
static const char *branch_form(const writer *w, const instance *i, span condition) {
  if (i->splits) {
    return "CLTC_SPLIT";
  }
  bool hidden = w->f->has_barrier || (i->kind == SITE_IF && joins_variables(w, condition));
  return hidden ? "CLTC_HIDDEN" : "CLTC_BRANCH";
}

/* Whether work-items hash what they decide, or count how often they come by. */
static bool keeps_record(const instance *i) { return i->plane != NONE && !i->in_slots; }

static void edit_branch(const writer *w, const instance *i, span condition) {
  if (i->outcomes == 0) { /* its decision tells */
    if (keeps_record(i)) {
      edit_wrap(w->edits, condition, EDIT_BOTH, text_of("CLTC_VOTE(cltc->h%u, (", (unsigned)i->plane), text_of("))"));
    }
    return;
  }
  char field[32];
  bit_field(w->index, i->bit, field);
  if (!keeps_record(i)) {
    edit_wrap(w->edits, condition, EDIT_BOTH,
              text_of("%s(%s, 0x%xu, 0x%xu, (", branch_form(w, i, condition), field, mask(i->bit), mask(i->bit + 1)),
              text_of("))"));
  } else {
    edit_wrap(
        w->edits, condition, EDIT_BOTH,
        text_of("CLTC_GUARD(cltc->h%u, %s, 0x%xu, 0x%xu, (", (unsigned)i->plane, field, mask(i->bit), mask(i->bit + 1)),
        text_of("))"));
  }
}

static bool one_bit(uint32_t bits) { return bits != 0 && (bits & (bits - 1)) == 0; }

/* Which macro records the way through a decision (emit.c), with the ways that it compares with: those that end true,
 * but for CLTC_PATH_BUT those that end false. */
static const char *decision_form(const writer *w, const instance *i, uint32_t *ways) {
  const instance *owner = i->owner == NONE ? NULL : &w->f->instances[i->owner];
  uint32_t no = ~i->yes & (uint32_t)((UINT64_C(1) << i->outcomes) - 1);
  *ways = i->yes;
  if (owner != NULL && (keeps_record(owner) || owner->splits)) {
    return "CLTC_PATH_KEPT";
  }
  if (!w->f->has_barrier && (owner == NULL || owner->kind != SITE_IF || !joins_variables(w, i->wrapped))) {
    return "CLTC_PATH";
  }
  if (!one_bit(i->yes) && one_bit(no)) {
    *ways = no;
    return "CLTC_PATH_BUT";
  }
  return one_bit(i->yes) ? "CLTC_PATH_ONLY" : "CLTC_PATH_HIDDEN";
}

/* What records the way through a decision beside it, where its branch needs not be hidden; NULL: something else does.
 */
static char *way_beside(const writer *w, uint32_t number) {
  bool hidden = !w->f->has_barrier && joins_variables(w, w->f->instances[number].wrapped);
  return hidden ? NULL : range_check_way(w->p, w->f, number);
}

static bool is_beside(const writer *w, uint32_t number) {
  char *way = way_beside(w, number);
  free(way);
  return way != NULL;
}

/* Its conditions count the way; what the decision gives is read from that. */
static void edit_decision(const writer *w, const instance *i, uint32_t number) {
  if (i->outcomes == 0) {
    return;
  }
  char field[32];
  bit_field(w->index, i->bit, field);
  uint32_t ways = 0;
  const char *form = decision_form(w, i, &ways);
  char *way = way_beside(w, number);
  if (way != NULL) {
    edit_wrap(w->edits, i->wrapped, EDIT_BOTH,
              text_of("%s(%s, %s, (", w->f->has_barrier ? "CLTC_BESIDE_HIDDEN" : "CLTC_BESIDE", field, way),
              text_of("))"));
    free(way);
    return;
  }
  edit_wrap(
      w->edits, i->wrapped, EDIT_BOTH,
      text_of("%s(%s, cltc_p%u, 0x%xu, 0x%xu, (", form, field, (unsigned)number, mask(i->bit), ways << i->bit % 32),
      text_of("))"));
}

static void edit_leaves(const writer *w) {
  for (size_t n = 0; n < w->f->leaf_count; n++) {
    const leaf *l = &w->f->leaves[n];
    if (is_beside(w, l->decision)) {
      continue;
    }
    edit_wrap(w->edits, l->tokens, EDIT_BOTH,
              text_of("%s(cltc_p%u, %uu, (", w->f->has_barrier ? "CLTC_SEEN_HIDDEN" : "CLTC_SEEN",
                      (unsigned)l->decision, (unsigned)l->by),
              text_of("))"));
  }
}

/* A vector condition selects by component and branches nowhere: its components are looked at, then it is used. */
static void edit_select(const writer *w, const instance *i, uint32_t number) {
  const front_conditional *c = &w->u->facts.conditionals[i->conditional];
  char field[32];
  bit_field(w->index, i->bit, field);
  edit_wrap(w->edits, c->condition, EDIT_BOTH,
            text_of("(cltc_s%u = as_%s%u(", (unsigned)number, c->element, (unsigned)c->components),
            text_of("), %s |= (any(cltc_s%u) ? 0x%xu : 0u) | (all(cltc_s%u) ? 0u : 0x%xu), cltc_s%u)", field,
                    (unsigned)number, mask(i->bit), (unsigned)number, mask(i->bit + 1), (unsigned)number));
}

/* `a ?: b`: the condition is the value, so it is kept in a variable of its type. */
static void edit_without_middle(const writer *w, const instance *i, uint32_t number) {
  const front_conditional *c = &w->u->facts.conditionals[i->conditional];
  char field[32];
  bit_field(w->index, i->bit, field);
  char vote[80] = "";
  if (keeps_record(i)) {
    (void)snprintf(vote, sizeof vote, "CLTC_HASH(cltc->h%u, cltc_s%u != 0 ? 1u : 0u), ", (unsigned)i->plane,
                   (unsigned)number);
  }
  edit_wrap(w->edits, c->condition, EDIT_BOTH, text_of("(cltc_s%u = (", (unsigned)number),
            text_of("), %s%s |= cltc_s%u != 0 ? 0x%xu : 0x%xu, cltc_s%u)", vote, field, (unsigned)number, mask(i->bit),
                    mask(i->bit + 1), (unsigned)number));
}

static void edit_loop(const writer *w, const instance *i, uint32_t number) {
  const statement *s = &w->f->syntax.items[i->statement];
  if (span_empty(s->condition)) { /* for (;;) */
    edit_add(w->edits, s->for_second, EDIT_BEFORE, 1, EDIT_BOTH, text_of(" (++cltc_n%u, 1)", (unsigned)number));
    return;
  }
  char field[32];
  bit_field(w->index, i->bit, field);
  char vote[48] = "";
  if (keeps_record(i)) {
    (void)snprintf(vote, sizeof vote, "CLTC_VOTE(cltc->h%u, ", (unsigned)i->plane);
  }
  edit_wrap(w->edits, s->condition, EDIT_BOTH,
            text_of("%s(%s, %u, cltc_n%u, %s(", i->kind == SITE_DO ? "CLTC_DO" : "CLTC_LOOP", field,
                    (unsigned)(i->bit % 32), (unsigned)number, vote),
            text_of(keeps_record(i) ? ")))" : "))"));
}

/* --- switch ------------------------------------------------------------------------------------------------------ */

static void append_tokens(const writer *w, span tokens, buffer *out) {
  const pp_result *text = &w->u->text;
  buffer_append(out, text->text + text->tokens[tokens.first].begin,
                text->tokens[tokens.last].end - text->tokens[tokens.first].begin);
}

/* `value == label`, or within the range of a GNU `case a ... b`. */
static void append_case_test(const writer *w, span label, uint32_t number, buffer *out) {
  for (uint32_t t = label.first; t <= label.last; t++) {
    if (token_is(&w->u->text, t, "...")) {
      buffer_printf(out, "cltc_s%u >= (", (unsigned)number);
      append_tokens(w, (span){label.first, t - 1}, out);
      buffer_printf(out, ") && cltc_s%u <= (", (unsigned)number);
      append_tokens(w, (span){t + 1, label.last}, out);
      buffer_puts(out, ")");
      return;
    }
  }
  buffer_printf(out, "cltc_s%u == (", (unsigned)number);
  append_tokens(w, label, out);
  buffer_puts(out, ")");
}

static bool labels_switch(const writer *w, uint32_t candidate, uint32_t s) {
  const statement *items = w->f->syntax.items;
  return items[candidate].kind == STATEMENT_CASE && items[candidate].tokens.first <= items[s].tokens.last &&
         switch_of_case(&w->f->syntax, candidate) == s;
}

/* The sum of the tests for those labels of switch `i` that start a turn of a loop; empty if none does. */
static void append_turn_tests(const writer *w, const instance *i, uint32_t loop, buffer *out) {
  const syntax *s = &w->f->syntax;
  uint32_t outcome = 0;
  for (uint32_t c = i->statement + 1; c < s->count; c++) {
    const statement *label = &s->items[c];
    if (!labels_switch(w, c, i->statement)) {
      continue;
    }
    uint32_t number = span_empty(label->condition) ? i->outcomes - 1 : outcome++;
    if (starts_turn(s, loop, i->token, label->keyword)) {
      buffer_printf(out, "%s(uint)(cltc->t == %uu)", out->length > 0 ? " + " : "", (unsigned)number);
    }
  }
}

/* A label that is selected inside a loop around which the switch is not starts a turn of the loop. */
static void append_case_turns(const writer *w, const instance *i, buffer *out) {
  span tokens = w->f->syntax.items[i->statement].tokens;
  for (uint32_t n = 0; n < w->f->instance_count; n++) {
    const instance *loop = &w->f->instances[n];
    buffer tests = {0};
    if (counts_turns(loop) && span_has(tokens, loop->token)) {
      append_turn_tests(w, i, loop->statement, &tests);
    }
    if (tests.length > 0) {
      buffer_printf(out, "cltc_n%u += %s, ", (unsigned)n, buffer_text(&tests));
    }
    buffer_free(&tests);
  }
}

static const char *switch_type(const writer *w, const instance *i) {
  for (size_t k = 0; k < w->u->facts.switch_count; k++) {
    if (w->u->facts.switches[k].keyword == i->token) {
      return w->u->facts.switches[k].type;
    }
  }
  return "long";
}

/* Compilers take a time that grows with labels times words for what is kept in variables. Where that tells, the bits
 * are in an array, and a switch of ours gives the number of the label (of a value that the compiler cannot know to be
 * the user's, or it would join the two). Branches are no choice where there are barriers: there the labels are compared
 * one by one, as in a small switch, but not too many in one expression, as the time grows with its square. */
enum { WIDE_SWITCH = 64 };

bool is_wide_switch(const instance *i) { return i->kind == SITE_SWITCH && i->outcomes > WIDE_SWITCH; }

static void append_label_number(const writer *w, const instance *i, uint32_t number, buffer *out) {
  buffer_printf(out, "; switch (cltc_s%u + (%s)cltc->zero) {", (unsigned)number, switch_type(w, i));
  unsigned outcome = 0;
  for (uint32_t c = i->statement + 1; c < w->f->syntax.count; c++) {
    const span label = w->f->syntax.items[c].condition;
    if (labels_switch(w, c, i->statement) && !span_empty(label)) {
      buffer_puts(out, " case ");
      append_tokens(w, label, out);
      buffer_printf(out, ": cltc->t = %uu; break;", outcome++);
    }
  }
  buffer_printf(out, " default: cltc->t = %uu; }", outcome);
}

/* switch (value) body -> { kept = (value); switch (kept) { … } record; switch (kept) body } */
static void edit_wide_switch(const writer *w, const instance *i, uint32_t number) {
  const statement *s = &w->f->syntax.items[i->statement];
  buffer middle = {0};
  append_label_number(w, i, number, &middle);
  buffer_printf(&middle, " CLTC_LABEL(cltc->w%u_%u, cltc->t + %uu) ", (unsigned)w->index, (unsigned)number,
                (unsigned)(i->bit % 32));
  append_case_turns(w, i, &middle);
  buffer_printf(&middle, "(void)0; switch (cltc_s%u)", (unsigned)number);
  edit_add(w->edits, s->keyword, EDIT_REPLACE, 0, EDIT_BOTH, text_of("{ cltc_s%u =", (unsigned)number));
  edit_add(w->edits, s->condition.last + 1, EDIT_AFTER, 0, EDIT_BOTH, buffer_take(&middle));
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
  for (uint32_t c = i->statement + 1; c < w->f->syntax.count; c++) {
    if (!labels_switch(w, c, i->statement) || span_empty(w->f->syntax.items[c].condition)) {
      continue;
    }
    if (wide && outcome % WIDE_SWITCH == 0) {
      buffer_puts(out, outcome == 0 ? ", cltc->v = " : "cltc->t, cltc->t = cltc->v, cltc->v = ");
    }
    buffer_puts(out, "(");
    append_case_test(w, w->f->syntax.items[c].condition, number, out);
    buffer_printf(out, ") ? %uu : ", outcome++);
  }
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
static void edit_switch(const writer *w, const instance *i, uint32_t number) {
  buffer suffix = {0};
  buffer_puts(&suffix, "), ");
  append_label_tests(w, i, number, &suffix);
  if (keeps_record(i)) {
    buffer_printf(&suffix, "CLTC_HASH(cltc->h%u, cltc->t), ", (unsigned)i->plane);
  }
  append_label_bits(w, i, number, &suffix);
  append_case_turns(w, i, &suffix);
  buffer_printf(&suffix, "cltc_s%u", (unsigned)number);
  edit_wrap(w->edits, w->f->syntax.items[i->statement].condition, EDIT_BOTH, text_of("cltc_s%u = (", (unsigned)number),
            buffer_take(&suffix));
}

/* --- regions, barriers ----------------------------------------------------------------------------------------------
 */

static void edit_region(const writer *w, const instance *i) {
  char field[32];
  bit_field(w->index, i->bit, field);
  if (!span_empty(i->wrapped)) {
    edit_wrap(w->edits, i->wrapped, EDIT_BOTH, text_of("(%s |= 0x%xu, (", field, mask(i->bit)), text_of("))"));
    return;
  }
  const statement *s = &w->f->syntax.items[i->statement];
  if (s->kind == STATEMENT_CASE || s->kind == STATEMENT_LABEL) {
    edit_add(w->edits, s->colon, EDIT_AFTER, 0, EDIT_BOTH, text_of(" %s |= 0x%xu;", field, mask(i->bit)));
  } else if (s->kind == STATEMENT_COMPOUND && is_loop(w->f->syntax.items[s->parent].kind)) {
    edit_add(w->edits, s->keyword, EDIT_AFTER, 0, EDIT_BOTH, text_of(" %s |= 0x%xu;", field, mask(i->bit)));
  } else {
    edit_add(w->edits, s->tokens.first, EDIT_BEFORE, UINT32_MAX, EDIT_BOTH,
             text_of("%s |= 0x%xu; ", field, mask(i->bit)));
  }
}

static void edit_barrier(const writer *w, const instance *i) {
  span whole = {i->token, token_match(&w->u->text, i->token + 1)};
  if (keeps_record(i)) {
    edit_wrap(w->edits, whole, EDIT_BOTH, text_of("(++cltc->h%u, ", (unsigned)i->plane), text_of(")"));
    return;
  }
  char field[32];
  bit_field(w->index, i->bit, field);
  edit_wrap(w->edits, whole, EDIT_BOTH, text_of("(%s |= 0x%xu, ", field, mask(i->bit)), text_of(")"));
}

static void edit_instance(const writer *w, uint32_t number) {
  const instance *i = &w->f->instances[number];
  switch (i->kind) {
    case SITE_IF:
      edit_branch(w, i, w->f->syntax.items[i->statement].condition);
      break;
    case SITE_CONDITIONAL: {
      const front_conditional *c = &w->u->facts.conditionals[i->conditional];
      if (c->kept != NULL) {
        edit_without_middle(w, i, number);
      } else if (c->components == 1) {
        edit_branch(w, i, c->condition);
      } else {
        edit_select(w, i, number);
      }
      break;
    }
    case SITE_SWITCH:
      (is_wide_switch(i) && !w->f->has_barrier ? edit_wide_switch : edit_switch)(w, i, number);
      break;
    case SITE_FOR:
    case SITE_WHILE:
    case SITE_DO:
      edit_loop(w, i, number);
      break;
    case SITE_REGION:
      edit_region(w, i);
      break;
    case SITE_BARRIER:
      edit_barrier(w, i);
      break;
    case SITE_CONDITION:
      edit_branch(w, i, i->wrapped);
      break;
    case SITE_DECISION:
      edit_decision(w, i, number);
      break;
    default:
      break;
  }
}

/* --- jumps ------------------------------------------------------------------------------------------------------- */

/* Whether the jump leaves loop `loop`, one of its ancestors. `nearest`: no other loop or switch lies between. */
static bool leaves(const writer *w, uint32_t jump, const statement *loop, bool nearest) {
  switch (w->f->syntax.items[jump].kind) {
    case STATEMENT_RETURN:
      return true;
    case STATEMENT_BREAK:
      return nearest;
    case STATEMENT_GOTO: {
      uint32_t target = goto_target(&w->u->text, &w->f->syntax, jump);
      return target != NO_STATEMENT && !span_has(loop->tokens, w->f->syntax.items[target].keyword);
    }
    default:
      return false;
  }
}

/* Statements that end the counting of the loops that a jump leaves; empty if it leaves none. */
static void append_leaves(const writer *w, uint32_t jump, buffer *out) {
  const statement *items = w->f->syntax.items;
  bool nearest = true;
  for (uint32_t s = items[jump].parent; s != NO_STATEMENT; s = items[s].parent) {
    bool loop = is_loop(items[s].kind);
    for (uint32_t n = 0; loop && n < w->f->instance_count; n++) {
      const instance *i = &w->f->instances[n];
      if (i->statement == s && counts_turns(i) && leaves(w, jump, &items[s], nearest)) {
        char field[32];
        bit_field(w->index, i->bit, field);
        buffer_printf(out, "%s(%s, %u, cltc_n%u); ", i->kind == SITE_DO ? "CLTC_LEAVE_DO" : "CLTC_LEAVE", field,
                      (unsigned)(i->bit % 32), (unsigned)n);
      }
    }
    nearest = nearest && !loop && items[s].kind != STATEMENT_SWITCH;
  }
}

/* The turns that a `goto` starts. */
static void append_turns(const writer *w, uint32_t jump, buffer *out) {
  const syntax *s = &w->f->syntax;
  uint32_t target = s->items[jump].kind == STATEMENT_GOTO ? goto_target(&w->u->text, s, jump) : NO_STATEMENT;
  for (uint32_t n = 0; target != NO_STATEMENT && n < w->f->instance_count; n++) {
    const instance *i = &w->f->instances[n];
    if (counts_turns(i) && starts_turn(s, i->statement, s->items[jump].keyword, s->items[target].keyword)) {
      buffer_printf(out, "++cltc_n%u; ", (unsigned)n);
    }
  }
}

/* Returns whether the function has a `return`. */
static bool edit_jumps(const writer *w) {
  bool returns = false;
  for (uint32_t s = 0; s < w->f->syntax.count; s++) {
    const statement *st = &w->f->syntax.items[s];
    if (st->kind != STATEMENT_RETURN && st->kind != STATEMENT_BREAK && st->kind != STATEMENT_GOTO) {
      continue;
    }
    buffer before = {0};
    append_leaves(w, s, &before);
    append_turns(w, s, &before);
    if (before.length > 0) {
      edit_add(w->edits, st->keyword, EDIT_BEFORE, UINT32_MAX - 1, EDIT_BOTH, text_of("{ %s", buffer_text(&before)));
      edit_add(w->edits, st->tokens.last, EDIT_AFTER, UINT32_MAX - 1, EDIT_BOTH, text_of(" }"));
    }
    buffer_free(&before);
    if (st->kind == STATEMENT_RETURN) {
      returns = true;
      if (w->f->front->kernel) {
        edit_add(w->edits, st->keyword, EDIT_REPLACE, 0, EDIT_PLAIN, text_of("goto cltc_exit"));
      }
    }
  }
  return returns;
}

/* --- functions --------------------------------------------------------------------------------------------------- */

void edit_parameters(edits *e, const pp_result *text, const front_function *front) {
  if (front->no_parameters && token_is(text, front->open + 1, "void")) {
    edit_add(e, front->open + 1, EDIT_REPLACE, 0, EDIT_BOTH, text_of(" "));
  }
  const char *comma = front->no_parameters ? "" : ", ";
  if (front->kernel) {
    edit_add(e, front->close, EDIT_BEFORE, 1, EDIT_PLAIN, text_of("%s" KERNEL_PARAMETERS, comma));
    edit_add(e, front->close, EDIT_BEFORE, 1, EDIT_TWIN, text_of("%s" CONTEXT_PARAMETER, comma));
    edit_add(e, front->name_token, EDIT_SUFFIX, 0, EDIT_TWIN, text_of(TWIN_SUFFIX));
  } else {
    edit_add(e, front->close, EDIT_BEFORE, 1, EDIT_BOTH, text_of("%s" CONTEXT_PARAMETER, comma));
  }
}

void edit_qualifiers(edits *e, const pp_result *text, const front_function *front) {
  uint32_t stop = front->body == NO_TOKEN ? front->end + 1 : front->body;
  for (uint32_t t = front->first; t < stop; t++) {
    if (t == front->open) {
      t = front->close;
    } else if (token_is(text, t, "__kernel") || token_is(text, t, "kernel")) {
      edit_add(e, t, EDIT_REPLACE, 0, EDIT_TWIN, text_of(" "));
    } else if (token_is(text, t, "__attribute__")) {
      uint32_t close = token_match(text, t + 1);
      for (; close != NO_TOKEN && t <= close; t++) {
        edit_add(e, t, EDIT_REPLACE, 0, EDIT_TWIN, text_of(" "));
      }
      t--;
    }
  }
}

static void append_locals(const writer *w, buffer *out) {
  char field[32];
  for (uint32_t n = 0; n < w->f->instance_count; n++) {
    const instance *i = &w->f->instances[n];
    if (counts_turns(i)) {
      buffer_printf(out, " uint cltc_n%u = 0u;", (unsigned)n);
    } else if (i->kind == SITE_DECISION && i->outcomes > 0 && !is_beside(w, n)) {
      buffer_printf(out, " uint cltc_p%u;", (unsigned)n);
    } else if (i->kind == SITE_SWITCH) {
      buffer_printf(out, " %s cltc_s%u;", switch_type(w, i), (unsigned)n);
    } else if (i->conditional != NONE && w->u->facts.conditionals[i->conditional].kept != NULL) {
      buffer_printf(out, " %s cltc_s%u;", w->u->facts.conditionals[i->conditional].kept, (unsigned)n);
    } else if (i->conditional != NONE && w->u->facts.conditionals[i->conditional].components > 1) {
      const front_conditional *c = &w->u->facts.conditionals[i->conditional];
      buffer_printf(out, " %s%u cltc_s%u;", c->element, (unsigned)c->components, (unsigned)n);
    }
  }
  bit_field(w->index, 0, field);
  buffer_printf(out, " %s |= 0x1u;", field);
}

static uint32_t kernel_number(const program *p, uint32_t function_index) {
  for (uint32_t k = 0; k < p->kernel_count; k++) {
    if (p->kernel_functions[k] == function_index) {
      return k;
    }
  }
  return NONE;
}

uint32_t body_start(const pp_result *text, const front_function *front) {
  uint32_t t = front->body;
  for (;;) {
    uint32_t last = t + 1;
    if (last < text->token_count && token_is(text, last, "_Pragma")) {
      last = token_match(text, last + 1);
    } else if (last >= text->token_count || text->tokens[last].kind != PP_PRAGMA) {
      return t;
    }
    if (last == NO_TOKEN || memmem(text->text + text->tokens[t + 1].begin,
                                   text->tokens[last].end - text->tokens[t + 1].begin, "unroll", 6) != NULL) {
      return t; /* belongs to the loop behind it */
    }
    t = last;
  }
}

static void edit_body(const writer *w, bool returns) {
  buffer locals = {0};
  append_locals(w, &locals);
  uint32_t start = body_start(&w->u->text, w->f->front);
  uint32_t kernel = kernel_number(w->p, w->index);
  if (kernel != NONE) {
    buffer entry = {0};
    buffer_puts(&entry,
                " cltc_context cltc_c = {0}; cltc_c.zero = (uint)(cltc_first >> 63);"
                " __private cltc_context *const cltc = &cltc_c;");
    emit_wide_switches(w->p, kernel, &entry);
    edit_add(w->edits, start, EDIT_AFTER, 1, EDIT_PLAIN, buffer_take(&entry));
    buffer exit = {0};
    buffer_puts(&exit, returns ? "cltc_exit: ;" : "");
    emit_kernel_exit(w->p, kernel, &exit);
    buffer_puts(&exit, " ");
    edit_add(w->edits, w->f->front->end, EDIT_BEFORE, 1, EDIT_PLAIN, buffer_take(&exit));
  }
  edit_add(w->edits, start, EDIT_AFTER, 2, EDIT_BOTH, buffer_take(&locals));
}

/* Overloads appear several times in `calls`; one edit serves them all. */
void edit_calls(const program *p, const function *f, edits *e) {
  const pp_result *text = &p->units[f->unit].text;
  for (size_t i = 0; i < f->call_count; i++) {
    uint32_t name = f->calls[i].token;
    if (i > 0 && f->calls[i - 1].token == name) {
      continue;
    }
    uint32_t open = name + 1;
    while (token_is(text, open, ")")) {
      open++;
    }
    uint32_t close = token_is(text, open, "(") ? token_match(text, open) : NO_TOKEN;
    if (close == NO_TOKEN) {
      continue;
    }
    edit_add(e, close, EDIT_BEFORE, 1, EDIT_BOTH, text_of(close == open + 1 ? "cltc" : ", cltc"));
    if (p->functions[f->calls[i].callee].front->kernel) {
      edit_add(e, name, EDIT_SUFFIX, 0, EDIT_BOTH, text_of(TWIN_SUFFIX));
    }
  }
}

/* To be called before other edits, which go inside. */
static void edit_braces(const writer *w) {
  const syntax *s = &w->f->syntax;
  for (uint32_t i = 0; i < s->count; i++) {
    if (needs_braces(s, i)) {
      edit_add(w->edits, s->items[i].tokens.first, EDIT_BEFORE, UINT32_MAX, EDIT_BOTH, text_of("{ "));
      edit_add(w->edits, s->items[i].tokens.last, EDIT_AFTER, UINT32_MAX, EDIT_BOTH, text_of(" }"));
    }
  }
}

static void edit_function(const program *p, uint32_t index, edits *e) {
  const function *f = &p->functions[index];
  writer w = {.p = p, .u = &p->units[f->unit], .f = f, .index = index, .edits = e};
  edit_parameters(e, &w.u->text, f->front);
  if (f->front->kernel) {
    edit_qualifiers(e, &w.u->text, f->front);
  }
  edit_braces(&w);
  for (uint32_t n = 0; n < f->instance_count; n++) {
    edit_instance(&w, n);
  }
  edit_leaves(&w);
  edit_body(&w, edit_jumps(&w));
  edit_calls(p, f, e);
  if (p->gate != NULL) {
    gate_function(p, index, e);
  }
}

const function *defined_elsewhere(const program *p, const front_function *declaration) {
  for (size_t i = 0; i < p->function_count; i++) {
    if (strcmp(p->functions[i].front->name, declaration->name) == 0) {
      return &p->functions[i];
    }
  }
  return NULL;
}

void collect_edits(const program *p, uint32_t unit_index, edits *e) {
  const unit *u = &p->units[unit_index];
  for (uint32_t i = 0; i < p->function_count; i++) {
    if (p->functions[i].unit == unit_index) {
      edit_function(p, i, e);
    }
  }
  for (size_t i = 0; i < u->facts.function_count; i++) {
    const front_function *front = &u->facts.functions[i];
    if (front->body == NO_TOKEN && defined_elsewhere(p, front) != NULL) {
      edit_parameters(e, &u->text, front);
      if (front->kernel) {
        edit_qualifiers(e, &u->text, front);
      }
    }
  }
  edit_sort(e);
}
