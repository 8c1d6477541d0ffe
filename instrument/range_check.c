/* Conditions like `i >= 1 && i < n - 1`: two tests of private integers that nothing but their values decides. The way
 * through one can be computed beside it, and the branch be left as the user wrote it, which compilers turn into the
 * bounds of a loop over work-items. */
#include "base/buffer.h"
#include "instrument/rewrite.h"

/* A variable of the function by whose name no other kind of variable goes anywhere. */
static bool is_private_integer(const unit *u, const function *f, uint32_t name) {
  bool own = false;
  for (size_t i = 0; i < u->facts.store_count; i++) {
    const front_store *s = &u->facts.stores[i];
    if (same_spelling(&u->text, s->name, name)) {
      if (s->untracked) {
        return false;
      }
      own = own || span_has((span){f->front->first, f->front->end}, s->token);
    }
  }
  return own;
}

/* Whether it can be evaluated twice, with one result. */
static bool is_pure(const unit *u, const function *f, span tokens) {
  static const char *const operators[] = {"(", ")", "+", "-", "*", "<", ">", "<=", ">=", "==", "!=", "!", "&&", "||"};
  for (uint32_t t = tokens.first; t <= tokens.last; t++) {
    const pp_kind kind = u->text.tokens[t].kind;
    bool pure = kind == PP_NUMBER || (kind == PP_IDENTIFIER && is_private_integer(u, f, t));
    for (size_t i = 0; i < sizeof operators / sizeof *operators && kind == PP_PUNCTUATOR; i++) {
      pure = pure || token_is(&u->text, t, operators[i]);
    }
    if (!pure) {
      return false;
    }
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

static bool is_range_check(const program *p, const function *f, const instance *i, const front_logical *l) {
  const unit *u = &p->units[f->unit];
  return p->gate == NULL && !f->has_barrier && !u->facts.hidden_stores && i->outcomes > 0 && i->owner != NONE &&
         f->instances[i->owner].kind == SITE_IF && l != NULL && l->conjunction && l->left.logical == NO_TOKEN &&
         l->right.logical == NO_TOKEN && !l->left.negated && !l->right.negated && is_pure(u, f, i->wrapped);
}

char *range_check_way(const program *p, const function *f, uint32_t number) {
  const unit *u = &p->units[f->unit];
  const instance *i = &f->instances[number];
  const front_logical *l = front_find_logical(&u->facts, i->token);
  if (!is_range_check(p, f, i, l)) {
    return NULL;
  }
  const uint32_t neither = 1u << i->bit % 32;
  const uint32_t left = neither << shift_of(f, number, l->left.inner);
  buffer way = {0};
  buffer_puts(&way, "(");
  append_tokens(&u->text, l->left.inner, &way);
  buffer_puts(&way, ") ? (");
  append_tokens(&u->text, l->right.inner, &way);
  buffer_printf(&way, ") ? 0x%xu : 0x%xu : 0x%xu", (unsigned)(left << shift_of(f, number, l->right.inner)),
                (unsigned)left, (unsigned)neither);
  return buffer_take(&way);
}
