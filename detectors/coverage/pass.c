/* Coverage's edits: how each kind of site is recorded in the text. */
#include "detectors/coverage/pass.h"

#include <stdio.h>
#include <stdlib.h>

#include "instrument/discover.h"

static inline bool counts_turns(const instance *i) {
  return i->kind == SITE_FOR || i->kind == SITE_WHILE || i->kind == SITE_DO;
}

/* Whether work-items hash what they decide, or count how often they come by. */
static inline bool keeps_record(const instance *i) { return i->plane != NONE && !i->in_slots; }

/* Recording which label a switch selects. */

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
    if (starts_turn(loop, i->token, statement_begin(labels[k])))
      buffer_printf(out, "%s(uint)(cltc->t == %uu)", out->length > 0 ? " + " : "", (unsigned)number);
  }
  free(labels);
}

/* A label that is selected inside a loop around which the switch is not starts a turn of the loop. */
static void append_case_turns(const writer *w, const instance *i, buffer *out) {
  const span tokens = statement_tokens(i->node);
  for (uint32_t n = 0; n < w->f->instance_count; n++) {
    const instance *loop = &w->f->instances[n];
    buffer tests = {0};
    if (counts_turns(loop) && span_has(tokens, loop->token)) append_turn_tests(w, i, loop->node, &tests);
    if (tests.length > 0) buffer_printf(out, "cltc_n%u += %s, ", (unsigned)n, buffer_text(&tests));
    buffer_free(&tests);
  }
}

/* The type of the condition of a switch after promotion: "int", "uint", "long", "ulong". */
static const char *switch_type(const instance *i) {
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
  if (wide) buffer_printf(out, "%uu", (unsigned)i->outcomes - 1);
  size_t count = 0;
  const tree_node **labels = cases_of_switch(&w->f->statements, i->node, &count);
  for (size_t k = 0; k < count; k++) {
    if (labels[k]->kind == TREE_DEFAULT) continue;
    if (wide && outcome % WIDE_SWITCH == 0)
      buffer_puts(out, outcome == 0 ? ", cltc->v = " : "cltc->t, cltc->t = cltc->v, cltc->v = ");
    buffer_puts(out, "(");
    append_case_test(w, labels[k], number, out);
    buffer_printf(out, ") ? %uu : ", outcome++);
  }
  free(labels);
  if (wide)
    buffer_puts(out, "cltc->t, cltc->t = cltc->v, ");
  else
    buffer_printf(out, "%uu, ", outcome);
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
  if (keeps_record(i)) buffer_printf(&suffix, "CLTC_HASH(cltc->h%u, cltc->t), ", (unsigned)i->plane);
  append_label_bits(w, i, number, &suffix);
  append_case_turns(w, i, &suffix);
  buffer_printf(&suffix, "cltc_s%u", (unsigned)number);
  edit_wrap(w->edits, statement_condition(i->node), text_of("cltc_s%u = (", (unsigned)number), buffer_take(&suffix));
}

/* `number`: of the instance. */
static void edit_switch(const writer *w, const instance *i, uint32_t number) {
  (is_wide_switch(i) && !w->f->has_barrier ? edit_wide_switch : edit_small_switch)(w, i, number);
}

/* --- conditions ------------------------------------------------------------------------------------------------- */

static bool stands_in(const pp_result *text, uint32_t token, uint32_t from, uint32_t to) {
  for (uint32_t t = from; t < to; t++)
    if (same_spelling(text, t, token)) return true;
  return false;
}

/* Whether a condition joins tests of several variables of the function (parameters apart), as range checks in two
 * dimensions do: the condition that compilers like to take apart. */
static bool joins_variables(const writer *w, const tree_node *decides) {
  const pp_result *text = &w->u->text;
  uint32_t first = NO_TOKEN;
  bool joined = false;
  bool several = false;
  for (const tree_node *n = decides; n != NULL; n = tree_next(decides, n)) joined = joined || n->kind == TREE_LOGICAL;
  for (uint32_t t = decides->tokens.first; t <= decides->tokens.last; t++) {
    if (text->tokens[t].kind == PP_IDENTIFIER && !stands_in(text, t, w->f->parameters.first, w->f->parameters.last)) {
      several = several || (first != NO_TOKEN && !same_spelling(text, first, t));
      first = first == NO_TOKEN ? t : first;
    }
  }
  return joined && several;
}

/* Which macro records a branch: see pass_text.c. */
static const char *branch_form(const writer *w, const instance *i) {
  if (i->splits) return "CLTC_SPLIT";
  bool hidden = w->f->has_barrier || (i->kind == SITE_IF && joins_variables(w, condition_node(i->node)));
  return hidden ? "CLTC_HIDDEN" : "CLTC_BRANCH";
}

static void edit_branch(const writer *w, const instance *i, span tokens) {
  if (i->outcomes == 0) { /* its decision tells */
    if (keeps_record(i))
      edit_wrap(w->edits, tokens, text_of("CLTC_VOTE(cltc->h%u, (", (unsigned)i->plane), text_of("))"));
    return;
  }
  char field[32];
  bit_field(w->index, i->bit, field);
  if (!keeps_record(i)) {
    edit_wrap(w->edits, tokens,
              text_of("%s(%s, 0x%xu, 0x%xu, (", branch_form(w, i), field, mask(i->bit), mask(i->bit + 1)),
              text_of("))"));
  } else {
    edit_wrap(
        w->edits, tokens,
        text_of("CLTC_GUARD(cltc->h%u, %s, 0x%xu, 0x%xu, (", (unsigned)i->plane, field, mask(i->bit), mask(i->bit + 1)),
        text_of("))"));
  }
}

static bool one_bit(uint32_t bits) { return bits != 0 && (bits & (bits - 1)) == 0; }

/* Which macro records the way through a decision (pass_text.c), with the ways that it compares with: those that end true,
 * but for CLTC_PATH_BUT those that end false. */
static const char *decision_form(const writer *w, const instance *i, uint32_t *ways) {
  const instance *owner = i->owner == NONE ? NULL : &w->f->instances[i->owner];
  uint32_t no = ~i->yes & (uint32_t)((UINT64_C(1) << i->outcomes) - 1);
  *ways = i->yes;
  if (owner != NULL && (keeps_record(owner) || owner->splits)) return "CLTC_PATH_KEPT";
  if (!w->f->has_barrier && (owner == NULL || owner->kind != SITE_IF || !joins_variables(w, i->node)))
    return "CLTC_PATH";
  if (!one_bit(i->yes) && one_bit(no)) {
    *ways = no;
    return "CLTC_PATH_BUT";
  }
  return one_bit(i->yes) ? "CLTC_PATH_ONLY" : "CLTC_PATH_HIDDEN";
}

/* What records the way through a decision beside it, where its branch needs not be hidden; NULL: something else does.
 */
static char *way_beside(const writer *w, uint32_t number) {
  bool hidden = !w->f->has_barrier && joins_variables(w, w->f->instances[number].node);
  return hidden ? NULL : range_check_way(w->p, w->f, number);
}

static bool is_beside(const writer *w, uint32_t number) {
  char *way = way_beside(w, number);
  free(way);
  return way != NULL;
}

/* Its conditions count the way; what the decision gives is read from that. */
static void edit_decision(const writer *w, const instance *i, uint32_t number) {
  if (i->outcomes == 0) return;
  char field[32];
  bit_field(w->index, i->bit, field);
  uint32_t ways = 0;
  const char *macro = decision_form(w, i, &ways);
  char *way = way_beside(w, number);
  if (way != NULL) {
    edit_wrap(w->edits, i->wrapped,
              text_of("%s(%s, %s, (", w->f->has_barrier ? "CLTC_BESIDE_HIDDEN" : "CLTC_BESIDE", field, way),
              text_of("))"));
    free(way);
    return;
  }
  edit_wrap(
      w->edits, i->wrapped,
      text_of("%s(%s, cltc_p%u, 0x%xu, 0x%xu, (", macro, field, (unsigned)number, mask(i->bit), ways << i->bit % 32),
      text_of("))"));
}

static void edit_leaves(const writer *w) {
  for (size_t n = 0; n < w->f->leaf_count; n++) {
    const leaf *l = &w->f->leaves[n];
    if (is_beside(w, l->decision)) continue;
    edit_wrap(w->edits, l->tokens,
              text_of("%s(cltc_p%u, %uu, (", w->f->has_barrier ? "CLTC_SEEN_HIDDEN" : "CLTC_SEEN",
                      (unsigned)l->decision, (unsigned)l->by),
              text_of("))"));
  }
}

/* A vector condition selects by component and branches nowhere: its components are looked at, then it is used. */
static void edit_select(const writer *w, const instance *i, uint32_t number) {
  const conditional c = read_conditional(i->node);
  char field[32];
  bit_field(w->index, i->bit, field);
  edit_wrap(w->edits, c.condition,
            text_of("(cltc_s%u = as_%s%u(", (unsigned)number, conditional_element(i->node), (unsigned)c.components),
            text_of("), %s |= (any(cltc_s%u) ? 0x%xu : 0u) | (all(cltc_s%u) ? 0u : 0x%xu), cltc_s%u)", field,
                    (unsigned)number, mask(i->bit), (unsigned)number, mask(i->bit + 1), (unsigned)number));
}

/* `a ?: b`: the condition is the value, so it is kept in a variable of its type. */
static void edit_without_middle(const writer *w, const instance *i, uint32_t number) {
  char field[32];
  bit_field(w->index, i->bit, field);
  char vote[80] = "";
  if (keeps_record(i)) {
    (void)snprintf(vote, sizeof vote, "CLTC_HASH(cltc->h%u, cltc_s%u != 0 ? 1u : 0u), ", (unsigned)i->plane,
                   (unsigned)number);
  }
  edit_wrap(w->edits, read_conditional(i->node).condition, text_of("(cltc_s%u = (", (unsigned)number),
            text_of("), %s%s |= cltc_s%u != 0 ? 0x%xu : 0x%xu, cltc_s%u)", vote, field, (unsigned)number, mask(i->bit),
                    mask(i->bit + 1), (unsigned)number));
}

static void edit_loop(const writer *w, const instance *i, uint32_t number) {
  const span tokens = statement_condition(i->node);
  if (span_empty(tokens)) { /* for (;;) */
    edit_add(w->edits, i->node->parts->ends[1], EDIT_BEFORE, 1, EDIT_BOTH,
             text_of(" (++cltc_n%u, 1)", (unsigned)number));
    return;
  }
  char field[32];
  bit_field(w->index, i->bit, field);
  char vote[48] = "";
  if (keeps_record(i)) (void)snprintf(vote, sizeof vote, "CLTC_VOTE(cltc->h%u, ", (unsigned)i->plane);
  edit_wrap(w->edits, tokens,
            text_of("%s(%s, %u, cltc_n%u, %s(", i->kind == SITE_DO ? "CLTC_DO" : "CLTC_LOOP", field,
                    (unsigned)(i->bit % 32), (unsigned)number, vote),
            text_of(keeps_record(i) ? ")))" : "))"));
}

/* --- regions, barriers -------------------------------------------------------------------------------------------- */

static void edit_region(const writer *w, const instance *i) {
  char field[32];
  bit_field(w->index, i->bit, field);
  if (!span_empty(i->wrapped)) {
    edit_wrap(w->edits, i->wrapped, text_of("(%s |= 0x%xu, (", field, mask(i->bit)), text_of("))"));
    return;
  }
  if (is_label(i->node)) {
    edit_add(w->edits, i->node->parts->colon, EDIT_AFTER, 0, EDIT_BOTH, text_of(" %s |= 0x%xu;", field, mask(i->bit)));
  } else if (i->node->kind == TREE_COMPOUND && tree_is_loop(i->node->parent->kind)) {
    edit_add(w->edits, statement_begin(i->node), EDIT_AFTER, 0, EDIT_BOTH,
             text_of(" %s |= 0x%xu;", field, mask(i->bit)));
  } else {
    edit_add(w->edits, statement_tokens(i->node).first, EDIT_BEFORE, UINT32_MAX, EDIT_BOTH,
             text_of("%s |= 0x%xu; ", field, mask(i->bit)));
  }
}

static void edit_meeting(const writer *w, const instance *i, uint32_t number) {
  if (i->kind == SITE_ASYNC) edit_arguments(w, i, number);
  if (i->plane == NONE && i->outcomes == 0) return;
  span whole = {i->token, token_parentheses(&w->u->text, i->token).last};
  if (keeps_record(i)) {
    edit_wrap(w->edits, whole, text_of("(++cltc->h%u, ", (unsigned)i->plane), text_of(")"));
    return;
  }
  char field[32];
  bit_field(w->index, i->bit, field);
  edit_wrap(w->edits, whole, text_of("(%s |= 0x%xu, ", field, mask(i->bit)), text_of(")"));
}

static void edit_instance(const writer *w, uint32_t number) {
  const instance *i = &w->f->instances[number];
  switch (i->kind) {
    case SITE_IF: edit_branch(w, i, statement_condition(i->node)); break;
    case SITE_CONDITIONAL: {
      const conditional c = read_conditional(i->node);
      if (c.kept != NULL)
        edit_without_middle(w, i, number);
      else if (c.components == 1)
        edit_branch(w, i, c.condition);
      else
        edit_select(w, i, number);
      break;
    }
    case SITE_SWITCH: edit_switch(w, i, number); break;
    case SITE_FOR:
    case SITE_WHILE:
    case SITE_DO: edit_loop(w, i, number); break;
    case SITE_REGION: edit_region(w, i); break;
    case SITE_BARRIER:
    case SITE_ASYNC: edit_meeting(w, i, number); break;
    case SITE_CONDITION: edit_branch(w, i, i->wrapped); break;
    case SITE_DECISION: edit_decision(w, i, number); break;
    default: break;
  }
}

/* --- jumps ------------------------------------------------------------------------------------------------------- */

/* Whether the jump leaves loop `loop`, one of its ancestors. `nearest`: no other loop or switch lies between. */
static bool leaves(const tree_node *jump, const tree_node *loop, bool nearest) {
  switch (jump->kind) {
    case TREE_RETURN: return true;
    case TREE_BREAK: return nearest;
    case TREE_GOTO: {
      const tree_node *target = goto_target(jump);
      return target != NULL && !span_has(statement_tokens(loop), statement_begin(target));
    }
    default: return false;
  }
}

/* Statements that end the counting of the loops that a jump leaves; empty if it leaves none. */
static void append_leaves(const writer *w, const tree_node *jump, buffer *out) {
  bool nearest = true;
  for (const tree_node *s = statement_around(jump); s != NULL; s = statement_around(s)) {
    bool loop = tree_is_loop(s->kind);
    for (uint32_t n = 0; loop && n < w->f->instance_count; n++) {
      const instance *i = &w->f->instances[n];
      if (i->node == s && counts_turns(i) && leaves(jump, s, nearest)) {
        char field[32];
        bit_field(w->index, i->bit, field);
        buffer_printf(out, "%s(%s, %u, cltc_n%u); ", i->kind == SITE_DO ? "CLTC_LEAVE_DO" : "CLTC_LEAVE", field,
                      (unsigned)(i->bit % 32), (unsigned)n);
      }
    }
    nearest = nearest && !loop && s->kind != TREE_SWITCH;
  }
}

/* The turns that a `goto` starts. */
static void append_turns(const writer *w, const tree_node *jump, buffer *out) {
  const tree_node *target = jump->kind == TREE_GOTO ? goto_target(jump) : NULL;
  for (uint32_t n = 0; target != NULL && n < w->f->instance_count; n++) {
    const instance *i = &w->f->instances[n];
    if (counts_turns(i) && starts_turn(i->node, statement_begin(jump), statement_begin(target)))
      buffer_printf(out, "++cltc_n%u; ", (unsigned)n);
  }
}

/* Returns whether the function has a `return`. */
static bool edit_jumps(const writer *w) {
  bool returns = false;
  for (size_t s = 0; s < w->f->statements.count; s++) {
    const tree_node *n = w->f->statements.items[s];
    if (n->kind != TREE_RETURN && n->kind != TREE_BREAK && n->kind != TREE_GOTO) continue;
    buffer before = {0};
    append_leaves(w, n, &before);
    append_turns(w, n, &before);
    if (before.length > 0) {
      edit_add(w->edits, statement_begin(n), EDIT_BEFORE, UINT32_MAX - 1, EDIT_BOTH,
               text_of("{ %s", buffer_text(&before)));
      edit_add(w->edits, n->tokens.last, EDIT_AFTER, UINT32_MAX - 1, EDIT_BOTH, text_of(" }"));
    }
    buffer_free(&before);
    if (n->kind == TREE_RETURN) {
      returns = true;
      if (w->f->node->symbol->kernel)
        edit_add(w->edits, statement_begin(n), EDIT_REPLACE, 0, EDIT_PLAIN, text_of("goto cltc_exit"));
    }
  }
  return returns;
}

/* --- functions --------------------------------------------------------------------------------------------------- */

/* The variable that has the condition of a ?: which is looked at before it is used. */
static void append_kept_condition(const instance *i, uint32_t number, buffer *out) {
  const conditional c = read_conditional(i->node);
  if (c.kept != NULL)
    buffer_printf(out, " %s cltc_s%u;", c.kept, (unsigned)number);
  else if (c.components > 1)
    buffer_printf(out, " %s%u cltc_s%u;", conditional_element(i->node), (unsigned)c.components, (unsigned)number);
}

static void append_locals(const writer *w, buffer *out) {
  char field[32];
  for (uint32_t n = 0; n < w->f->instance_count; n++) {
    const instance *i = &w->f->instances[n];
    if (counts_turns(i))
      buffer_printf(out, " uint cltc_n%u = 0u;", (unsigned)n);
    else if (i->kind == SITE_DECISION && i->outcomes > 0 && !is_beside(w, n))
      buffer_printf(out, " uint cltc_p%u;", (unsigned)n);
    else if (i->kind == SITE_SWITCH)
      buffer_printf(out, " %s cltc_s%u;", switch_type(i), (unsigned)n);
    else if (i->kind == SITE_CONDITIONAL)
      append_kept_condition(i, n, out);
  }
  append_argument_locals(w, out);
  bit_field(w->index, 0, field);
  buffer_printf(out, " %s |= 0x1u;", field);
}

static uint32_t kernel_number(const program *p, uint32_t function_index) {
  for (uint32_t k = 0; k < p->kernel_count; k++)
    if (p->kernel_functions[k] == function_index) return k;
  return NONE;
}

static void edit_body(const writer *w, bool returns) {
  buffer locals = {0};
  append_locals(w, &locals);
  uint32_t start = body_start(&w->u->text, w->f);
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
    edit_add(w->edits, w->f->body.last, EDIT_BEFORE, 1, EDIT_PLAIN, buffer_take(&exit));
  }
  edit_add(w->edits, start, EDIT_AFTER, 2, EDIT_BOTH, buffer_take(&locals));
}

/* To be called before other edits, which go inside. */
static void edit_braces(const writer *w) {
  const statements *s = &w->f->statements;
  for (size_t i = 0; i < s->count; i++) {
    const tree_node *n = s->items[i];
    if (needs_braces(s, n)) {
      edit_add(w->edits, statement_tokens(n).first, EDIT_BEFORE, UINT32_MAX, EDIT_BOTH, text_of("{ "));
      edit_add(w->edits, n->tokens.last, EDIT_AFTER, UINT32_MAX, EDIT_BOTH, text_of(" }"));
    }
  }
}

static void coverage_function(const void *state, const program *p, uint32_t index, edits *e) {
  (void)state;
  const function *f = &p->functions[index];
  const writer w = {.p = p, .u = &p->units[f->unit], .f = f, .index = index, .edits = e};
  edit_braces(&w);
  for (uint32_t n = 0; n < f->instance_count; n++) edit_instance(&w, n);
  edit_leaves(&w);
  edit_event_stores(&w);
  edit_body(&w, edit_jumps(&w));
}

static int coverage_begin(program *p, void **state, error *e) {
  (void)state, (void)e;
  find_guards(p);
  lay_out_kernels(p);
  return 0;
}

const pass coverage_pass = {.begin = coverage_begin,
                            .members = coverage_members,
                            .macros = coverage_macros,
                            .function = coverage_function,
                            .kernels = coverage_kernels};

const form_text counted_text = {.title = "/* Instrumented by cltestcheck. */\n", .passes = {&coverage_pass}};
