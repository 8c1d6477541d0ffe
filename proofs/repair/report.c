/* Sentences about repairs. */
#include "proofs/repair/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/facts/uniform.h"
#include "proofs/patch/spots.h"

bool repair_remains(const repair_file *f) {
  for (size_t i = 0; i < f->repair.kernel_count; i++) {
    const repair_kernel *k = &f->repair.kernels[i];
    const bool fine = k->outcome == REPAIR_FINE || k->outcome == REPAIR_DONE;
    if (k->chosen && (!fine || (f->objections != NULL && f->objections[i] != NULL))) return true;
  }
  return f->failed;
}

static uint32_t line_of(const repair_file *f, uint32_t token) { return f->text.tokens[token].expanded.line; }

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static const char *word_of(const flaw *f) {
  switch (f->kind) {
    case FLAW_RACE: return f->definite ? "race" : "possible race";
    case FLAW_BETWEEN: return f->definite ? "race between work-groups" : "possible race between work-groups";
    case FLAW_DIVERGENCE: return f->definite ? "barrier divergence" : "possible barrier divergence";
    default: return "not decided";
  }
}

static void say_flaw(buffer *out, const flaw *f, const uint32_t lines[2]) {
  char where[80] = "";
  if (lines[0] != 0 && lines[1] != 0 && lines[0] != lines[1])
    (void)snprintf(where, sizeof where, ", lines %u and %u", lines[0], lines[1]);
  else if (lines[0] != 0)
    (void)snprintf(where, sizeof where, ", line %u", lines[0]);
  buffer_printf(out, "  %s%s: %s\n", word_of(f), where, f->message);
}

/* An update in one of the lines could be atomic. */
static bool has_update(const repair_file *f, const uint32_t lines[2]) {
  for (const tree_node *n = f->tree->unit; n != NULL; n = tree_next(f->tree->unit, n)) {
    update ignored;
    const char *why = NULL;
    if (tree_is_statement(n->kind) &&
        (line_of(f, n->tokens.first) == lines[0] || line_of(f, n->tokens.first) == lines[1]) &&
        update_find(&f->text, n, &ignored, &why))
      return true;
  }
  return false;
}

/* The statement of a kernel's body in which a line stands; NULL: in none. */
static const tree_node *statement_at(const repair_file *f, const char *kernel, uint32_t line) {
  for (size_t i = 0; i < f->tree->function_count; i++) {
    const tree_node *body = tree_body(f->tree->functions[i]);
    const bool of_it = body != NULL && strcmp(f->tree->functions[i]->symbol->name, kernel) == 0;
    for (uint32_t c = 0; of_it && c < body->child_count; c++) {
      const span s = body->children[c]->tokens;
      if (line >= line_of(f, s.first) && line <= line_of(f, s.last - 1)) return body->children[c];
    }
  }
  return NULL;
}

static bool is_work_item(const tree_builtin *called) { return called != NULL && called->kind == TREE_WORK_ITEM; }

/* Whether another kernel can compute what the variable was set to where it is declared. */
static bool can_compute(const tree_node *declaration) {
  const tree_node *value = declaration->child_count > 0 ? declaration->children[0] : NULL;
  bool can = value != NULL && !tree_has_effects(value, is_work_item);
  for (const tree_node *n = value; n != NULL && can; n = tree_next(value, n))
    can = n->kind != TREE_SUBSCRIPT && n->kind != TREE_DEREFERENCE && !n->arrow;
  return can;
}

/* Whether a variable or parameter of the kernel has in front of `from` got what nobody has behind it, in another kernel. */
static bool is_lost(const stores *all, const tree_node *kernel, const tree_symbol *s, uint32_t from) {
  const tree_node *declared = s->declaration;
  if (declared == NULL || declared->token >= from || tree_function_of(declared) != kernel) return false;
  if (s->type->space == TREE_SPACE_LOCAL ||
      (s->type->kind == TREE_TYPE_POINTER && s->type->element->space == TREE_SPACE_LOCAL))
    return true;
  bool lost = s->kind == TREE_SYMBOL_VARIABLE && !can_compute(declared);
  for (size_t i = 0; i < all->count && !lost; i++) {
    const variable_store *at = &all->items[i];
    lost = at->variable == s && at->name < from && at->name != declared->token && !at->parameter;
  }
  return lost;
}

/* Whether a kernel can end after the one line and another begin with the other: not inside of a loop or a condition, and not where
 * what the one has in local memory or in variables is used in the other. */
static bool can_split(const repair_file *f, const repair_kernel *k, uint32_t a, uint32_t b) {
  const tree_node *x = statement_at(f, k->name, a), *y = statement_at(f, k->name, b);
  if (x == NULL || y == NULL || x == y) return false;
  const uint32_t from = x->tokens.first > y->tokens.first ? x->tokens.first : y->tokens.first;
  const tree_node *kernel = tree_function_of(x);
  const stores all = read_stores(f->tree, f->options);
  bool lost = all.hidden;
  for (const tree_node *n = kernel; n != NULL && !lost; n = tree_next(kernel, n))
    lost = n->kind == TREE_NAME && n->token >= from && n->symbol != NULL && is_lost(&all, kernel, n->symbol, from);
  free(all.items);
  return !lost;
}

/* What helps where no barrier does. */
static void say_advice(buffer *out, const repair_file *f, const repair_kernel *k) {
  const uint32_t first = k->failing[0], second = k->failing[1];
  const bool between = k->outcome == REPAIR_BETWEEN || k->outcome == REPAIR_PART;
  const char *atomics = !f->repair.atomics && has_update(f, k->failing) ? "--atomics; or " : "";
  if (between && can_split(f, k, first, second)) {
    buffer_printf(out, "  what helps: %stwo kernels, split between lines %u and %u; or other elements for each group\n",
                  atomics, first < second ? first : second, first < second ? second : first);
  } else if (between) {
    buffer_printf(out, "  what helps: %sother elements for each group\n", atomics);
  } else if (k->outcome == REPAIR_NO_PLACE && k->failed.kind == FLAW_RACE && first == second && first != 0) {
    if (k->failed.both_write || atomics[0] != '\0')
      buffer_printf(out, "  what helps: %sother elements for each work-item\n", atomics);
    else
      buffer_printf(out, "  what helps: two statements with a barrier between them in place of line %u\n", first);
  }
}

/* What no barrier is for. */
static void say_other(buffer *out, const repair_file *f, const repair_kernel *k, const char *objection) {
  if (k->chosen && objection != NULL && k->outcome == REPAIR_FINE) {
    buffer_printf(out, "%s: kernel %s has nothing that a barrier repairs; what remains:\n  %s\n", f->path, k->name,
                  objection);
  }
}

static const char *outcome_text(const repair_file *f, const repair_kernel *k) {
  switch (k->outcome) {
    case REPAIR_DONE: return f->failed ? "is not repaired" : "is repaired";
    case REPAIR_PART: return "is repaired in part";
    case REPAIR_UNDECIDED: return "is not decided";
    default: return "is not repaired";
  }
}

static void say_kernel(buffer *out, const repair_file *f, const repair_kernel *k) {
  if (k->outcome == REPAIR_FINE || !k->chosen) return;
  const bool done = k->outcome == REPAIR_DONE, part = k->outcome == REPAIR_PART;
  buffer_printf(out, "%s: kernel %s %s\n", f->path, k->name, outcome_text(f, k));
  if (k->first.kind != FLAW_UNDECIDED) say_flaw(out, &k->first, k->lines);
  if (done) {
    buffer_printf(out, "  %s with the change%s%s\n", f->failed ? "free of that" : "verified",
                  k->last.preconditions[0] == '\0' ? "" : ", provided that ", k->last.preconditions);
    return;
  }
  if (part) {
    buffer_printf(out, "  verified with the change inside of each work-group; what remains:\n");
    say_flaw(out, &k->failed, k->failing);
  } else if (k->failed.message != NULL && strcmp(k->failed.message, k->first.message) != 0) {
    buffer_printf(out, k->outcome == REPAIR_BETWEEN ? "  and what no barrier repairs:\n"
                                                    : "  what remains with other barriers:\n");
    say_flaw(out, &k->failed, k->failing);
  } else if (k->first.kind == FLAW_UNDECIDED) {
    buffer_printf(out, "  %s\n", k->first.message);
  }
  if (k->why != NULL) buffer_printf(out, "  not repaired: %s\n", k->why);
  say_advice(out, f, k);
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

static void name_place(const repair_file *f, const repair_spot *s, char *out, size_t size) {
  const bool behind = s->kind == SPOT_BEHIND || (s->kind == SPOT_WAIT && s->statement == s->copy);
  (void)snprintf(out, size, "%s line %u",
                 behind                  ? "after"
                 : s->kind == SPOT_SPLIT ? "between computing and storing the value in"
                                         : "in front of",
                 line_of(f, behind ? s->statement->tokens.last : s->statement->tokens.first));
}

static void say_change(buffer *out, const repair_file *f, size_t i, uint32_t moved_from) {
  const repair_spot *s = &f->spots.items[i];
  const unsigned flags = f->repair.flags[i];
  char place[60];
  if (s->kind == SPOT_ATOMIC) {
    char *text = update_text(&f->text, &s->update);
    buffer_printf(out, "%s: made atomic in line %u: %s\n", f->path, line_of(f, s->update.node->tokens.first), text);
    free(text);
  } else if (s->kind == SPOT_WAIT) {
    char *text = wait_text(&f->text, s->copy);
    name_place(f, s, place, sizeof place);
    buffer_printf(out, "%s: put in: %.*s %s\n", f->path, (int)strlen(text) - 1, text, place);
    free(text);
  } else if (s->kind == SPOT_COUNT) {
    buffer_printf(out, "%s: the wait of line %u is for all %u events\n", f->path, line_of(f, s->token),
                  wait_short(&f->text, s->statement));
  } else if (s->kind == SPOT_MOVED) {
    if (spots_is_spare(&f->spots, f->repair.flags, s)) {
      buffer_printf(out, "%s: taken out: the wait of line %u, which not all work-items reach\n", f->path,
                    line_of(f, s->token));
    } else {
      buffer_printf(out, "%s: the wait of line %u, which not all work-items reach, is moved after line %u\n", f->path,
                    line_of(f, s->token), line_of(f, s->around->tokens.last));
    }
  } else if (s->kind != SPOT_BARRIER) {
    name_place(f, s, place, sizeof place);
    if (moved_from != 0) {
      buffer_printf(out, "%s: the barrier of line %u, which not all work-items reach, is moved: barrier(%s) %s\n",
                    f->path, moved_from, fence_text(flags), place);
    } else {
      buffer_printf(out, "%s: put in: barrier(%s) %s\n", f->path, fence_text(flags), place);
    }
  } else if (flags == 0 && (moved_from == 0 || f->repair.set.banned[i] == 0)) {
    buffer_printf(out, "%s: taken out: the barrier of line %u, %s\n", f->path, line_of(f, s->token),
                  f->repair.set.banned[i] != 0 ? "which not all work-items reach" : "which is not needed");
  } else if (flags != 0) {
    buffer_printf(out, "%s: the barrier of line %u has %s now\n", f->path, line_of(f, s->token), fence_text(flags));
  }
}

/* One that is taken out and one that is put in of a function are one that is moved: the line that it was in. */
static uint32_t moved_from(const repair_file *f) {
  size_t in = 0, out = 0;
  const tree_node *to = NULL, *from = NULL;
  uint32_t line = 0;
  for (size_t i = 0; i < f->spots.count; i++) {
    const repair_spot *s = &f->spots.items[i];
    if (s->kind == SPOT_BARRIER && f->repair.flags[i] == 0 && f->repair.set.banned[i] != 0) {
      out++;
      from = s->function;
      line = line_of(f, s->token);
    } else if (spots_is_place(s) && f->repair.flags[i] != 0) {
      in++;
      to = s->function;
    }
  }
  return in == 1 && out == 1 && from == to ? line : 0;
}

static void say_changes(buffer *out, const repair_file *f, const unsigned *flags) {
  const uint32_t from = moved_from(f);
  for (size_t i = 0; i < f->spots.count; i++)
    if (flags[i] != f->repair.set.existing[i]) say_change(out, f, i, from);
}

static void say_others(buffer *out, const repair_file *f) {
  for (size_t i = 0; i < f->repair.other_count; i++) {
    for (size_t k = 0; k < f->spots.count; k++) {
      if (f->repair.others[i][k] != 0 && f->repair.flags[k] == 0) {
        char place[60];
        name_place(f, &f->spots.items[k], place, sizeof place);
        buffer_printf(out, "%s: as good: barrier(%s) %s\n", f->path, fence_text(f->repair.others[i][k]), place);
      }
    }
  }
}

void repair_report(const repair_file *f, bool applied, buffer *out) {
  size_t wrong = 0, chosen = 0;
  for (size_t i = 0; i < f->repair.kernel_count; i++) {
    const repair_kernel *k = &f->repair.kernels[i];
    const char *objection = f->objections == NULL ? NULL : f->objections[i];
    say_kernel(out, f, k);
    say_other(out, f, k, objection);
    chosen += k->chosen ? 1 : 0;
    wrong += k->chosen && (k->outcome != REPAIR_FINE || objection != NULL) ? 1 : 0;
  }
  if (wrong == 0) {
    buffer_printf(out, "%s: nothing to repair: %zu kernel%s verified\n", f->path, chosen,
                  chosen == 1 ? " is" : "s are");
  }
  if (!repair_changes(&f->repair)) return;
  say_changes(out, f, f->repair.flags);
  say_others(out, f);
  if (f->built == NULL && f->failed) {
    /* it came not that far */
  } else if (f->built != NULL) {
    buffer_printf(out, "%s: the changed source is built by %s\n", f->path, f->built);
  } else {
    buffer_printf(out, "%s: the changed source was not built by a device: there is none here that builds this file\n",
                  f->path);
  }
  for (size_t i = 0; i < f->step_count; i++) buffer_printf(out, "%s: %s\n", f->path, f->steps[i]);
  if (f->failed) {
    buffer_printf(out, "%s: the patch is not offered\n", f->path);
  } else if (f->disk == NULL) {
    buffer_printf(out,
                  "%s: the program's source is in no file that was found; the patch is for its text, under this name\n",
                  f->path);
  }
  if (applied) buffer_printf(out, "%s is changed\n", f->path);
}

const char *repair_outcome_name(const repair_file *f) {
  bool wrong = false, part = false;
  for (size_t i = 0; i < f->repair.kernel_count; i++) {
    const repair_kernel *k = &f->repair.kernels[i];
    wrong = wrong || (k->chosen && k->outcome != REPAIR_FINE && k->outcome != REPAIR_DONE);
    part = part || k->outcome == REPAIR_DONE || k->outcome == REPAIR_PART;
  }
  if (f->failed) return "refused";
  return wrong ? (part ? "part" : "remains") : repair_changes(&f->repair) ? "repaired" : "fine";
}
