/* Conditions like `i >= 1 && i < n - 1`: two tests of private integers that nothing but their values decides. The way
 * through one can be computed beside it, and the branch be left as the user wrote it, which compilers turn into the
 * bounds of a loop over work-items. */
#include <string.h>

#include "base/buffer.h"
#include "instrument/conditions.h"
#include "instrument/writer.h"

/* A variable of the function that is a private integer, to which nothing leads but its name. */
static bool is_private_integer(const unit *u, const function *f, const tree_symbol *variable) {
  bool own = false;
  for (size_t i = 0; i < u->stores.count; i++) {
    const variable_store *s = &u->stores.items[i];
    if (s->variable == variable) {
      if (s->untracked) {
        return false;
      }
      own = own || s->function == f->node;
    }
  }
  return own;
}

static bool is_size(const tree_node *n) {
  static const char *const names[] = {"get_local_size", "get_global_size", "get_num_groups"};
  bool found = false;
  for (size_t i = 0; i < sizeof names / sizeof *names && n->builtin != NULL; i++) {
    found = found || strcmp(n->symbol->name, names[i]) == 0;
  }
  return found;
}

static bool is_pure_node(const unit *u, const function *f, const tree_node *n) {
  switch (n->kind) {
    case TREE_LITERAL:
      return u->text.tokens[n->token].kind == PP_NUMBER;
    case TREE_CONVERT:
    case TREE_PARENTHESES:
    case TREE_LOGICAL:
      return true;
    case TREE_UNARY:
      return n->op != TREE_COMPLEMENT;
    case TREE_BINARY:
      return n->op == TREE_ADD || n->op == TREE_SUBTRACT || n->op == TREE_MULTIPLY ||
             (n->op >= TREE_LESS && n->op <= TREE_NOT_EQUAL);
    case TREE_NAME:
      return is_private_integer(u, f, n->symbol);
    case TREE_CALL:
      return is_size(n);
    default:
      return false;
  }
}

/* Whether it can be evaluated twice, with one result. */
static bool is_pure(const unit *u, const function *f, const tree_node *decision) {
  for (const tree_node *n = decision; n != NULL; n = tree_next(decision, n)) {
    if (!is_pure_node(u, f, n)) {
      return false;
    }
  }
  return true;
}

/* Whether it is about one variable, parameters of the function apart. */
static bool tests_one_variable(const tree_node *decision) {
  const tree_symbol *first = NULL;
  for (const tree_node *n = decision; n != NULL; n = tree_next(decision, n)) {
    const bool counts = n->kind == TREE_NAME && n->symbol->kind != TREE_SYMBOL_PARAMETER;
    if (counts && first != NULL && n->symbol != first) {
      return false;
    }
    first = counts ? n->symbol : first;
  }
  return true;
}

static void append_tokens(const pp_result *text, span tokens, buffer *out) {
  for (uint32_t t = tokens.first; t <= tokens.last; t++) {
    buffer_append(out, text->text + text->tokens[t].begin, text->tokens[t].end - text->tokens[t].begin);
    buffer_putc(out, ' ');
  }
}

/* How far the way's bit is shifted where a condition of decision `number` is seen true. */
static uint32_t shift_of(const function *f, uint32_t number, span test) {
  for (size_t i = 0; i < f->leaf_count; i++) {
    const leaf *l = &f->leaves[i];
    if (l->decision == number && l->tokens.first == test.first && l->tokens.last == test.last) {
      return l->by;
    }
  }
  return 0;
}

static bool is_range_check(const program *p, const function *f, const instance *i, const condition sides[2]) {
  const unit *u = &p->units[f->unit];
  return !p->form->counts_ways && !u->stores.hidden && i->outcomes > 0 && i->owner != NONE &&
         f->instances[i->owner].kind == SITE_IF && f->instances[i->owner].plane == NONE &&
         (is_conjunction(i->node) || f->has_barrier) && sides[0].decision == NULL && sides[1].decision == NULL &&
         !sides[0].negated && !sides[1].negated && is_pure(u, f, i->node) && tests_one_variable(i->node);
}

/* `bit << (left ? by : 0) + …`: the form that PoCL makes the most of between barriers. */
static void append_shifts(const unit *u, bool conjunction, const condition sides[2], uint32_t bit, const uint32_t by[2],
                          buffer *out) {
  buffer_printf(out, "0x%xu << (((", (unsigned)bit);
  append_tokens(&u->text, sides[0].inner, out);
  buffer_printf(out, ") ? %uu : 0u) + ((", (unsigned)by[0]);
  append_tokens(&u->text, sides[0].inner, out);
  buffer_puts(out, conjunction ? ") ? ((" : ") ? 0u : ((");
  append_tokens(&u->text, sides[1].inner, out);
  buffer_printf(out, ") ? %uu : 0u)%s))", (unsigned)by[1], conjunction ? " : 0u" : "");
}

/* `left ? right ? bit : bit : bit`, elsewhere; of && only. */
static void append_bits(const unit *u, const condition sides[2], uint32_t bit, const uint32_t by[2], buffer *out) {
  buffer_puts(out, "(");
  append_tokens(&u->text, sides[0].inner, out);
  buffer_puts(out, ") ? (");
  append_tokens(&u->text, sides[1].inner, out);
  buffer_printf(out, ") ? 0x%xu : 0x%xu : 0x%xu", (unsigned)(bit << (by[0] + by[1])), (unsigned)(bit << by[0]),
                (unsigned)bit);
}

char *range_check_way(const program *p, const function *f, uint32_t number) {
  const unit *u = &p->units[f->unit];
  const instance *i = &f->instances[number];
  const condition sides[] = {read_condition(&u->text, i->node->children[0]),
                             read_condition(&u->text, i->node->children[1])};
  if (!is_range_check(p, f, i, sides)) {
    return NULL;
  }
  const uint32_t by[] = {shift_of(f, number, sides[0].inner), shift_of(f, number, sides[1].inner)};
  buffer way = {0};
  if (f->has_barrier) {
    append_shifts(u, is_conjunction(i->node), sides, 1u << i->bit % 32, by, &way);
  } else {
    append_bits(u, sides, 1u << i->bit % 32, by, &way);
  }
  return buffer_take(&way);
}
