/* Range checks (facts/range_check.h) of two conditions, like `i >= 1 && i < n - 1`. The way through one can be computed
 * beside it, and the branch be left as the user wrote it, which compilers turn into the bounds of a loop over
 * work-items. */
#include "frontend/facts/range_check.h"

#include "base/buffer.h"
#include "instrument/conditions.h"
#include "instrument/writer.h"

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

static bool goes_beside(const program *p, const function *f, const instance *i, const condition sides[2]) {
  const unit *u = &p->units[f->unit];
  return !p->form->counts_ways && i->outcomes > 0 && i->owner != NONE && f->instances[i->owner].kind == SITE_IF &&
         f->instances[i->owner].plane == NONE && (is_conjunction(i->node) || f->has_barrier) &&
         sides[0].decision == NULL && sides[1].decision == NULL && !sides[0].negated && !sides[1].negated &&
         is_range_check(u->tree, &u->stores, i->node);
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
  if (!goes_beside(p, f, i, sides)) {
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
