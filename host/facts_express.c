/* Terms as C expressions over what a kernel can see, with the casts that C needs to compute the same. */
#include "host/facts.h"

typedef struct expressing {
  const kernel_view *view;
  const kernel_item *without;
} expressing;

static const host_expression *express(const expressing *x, const host_term *t);

static host_integer type_of(const host_term *t) { return (host_integer){t->bits, t->is_signed}; }

static host_expression *make(const kernel_view *v, host_expression e) {
  host_expression *made = host_take(v->walk->pool, sizeof *made);
  *made = e;
  return made;
}

const host_expression *view_seen(const kernel_view *v, host_seen what, unsigned index, host_integer type) {
  return make(v, (host_expression){.kind = EXPRESSION_SEEN, .seen = what, .index = index, .type = type});
}

const host_expression *view_number(const kernel_view *v, const host_term *t) {
  const bool fits = t->value >= INT32_MIN && t->value <= INT32_MAX && (t->is_signed || t->value >= 0);
  const host_integer type = {t->bits < 32 ? 32 : t->bits, t->is_signed};
  return make(v, (host_expression){
                     .kind = EXPRESSION_NUMBER, .type = fits ? (host_integer){32, true} : type, .value = t->value});
}

const host_expression *view_binary(const kernel_view *v, host_op op, host_integer type, const host_expression *a,
                                   const host_expression *b) {
  return make(v, (host_expression){.kind = EXPRESSION_BINARY, .op = op, .type = type, .a = a, .b = b});
}

const host_expression *view_cast(const kernel_view *v, host_integer to, const host_expression *a) {
  return make(v, (host_expression){.kind = EXPRESSION_CAST, .type = to, .a = a});
}

const host_expression *view_brackets(const kernel_view *v, const host_expression *e, host_brackets brackets) {
  host_expression *made = make(v, *e);
  made->brackets = brackets;
  return made;
}

/* --- what the kernel sees ----------------------------------------------------------------------------------------- */

/* An item that is the term. */
static const host_expression *same_item(const expressing *x, const host_term *t) {
  for (size_t i = 0; i < x->view->count; i++) {
    const kernel_item *item = &x->view->items[i];
    if (item->basis && item != x->without && item->term == t) {
      return item->seen;
    }
  }
  return NULL;
}

/* An item that is the term, or that was widened from it, or that a number was added to. */
static const host_expression *express_item(const expressing *x, const host_term *t) {
  const kernel_view *v = x->view;
  const host_expression *found = same_item(x, t);
  for (size_t i = 0; i < v->count && found == NULL; i++) {
    const kernel_item *item = &v->items[i];
    const host_term *own = item->term;
    if (!item->basis || item == x->without || own->a != t) {
      continue;
    }
    if (own->kind == TERM_BINARY && (own->op == HOST_ADD || own->op == HOST_SUB) && term_is_number(own->b) &&
        t->bits >= 32 && own->b->value >= 0 && own->b->value <= INT32_MAX) {
      const host_op back = own->op == HOST_ADD ? HOST_SUB : HOST_ADD;
      found = view_binary(v, back, type_of(t), item->seen, view_number(v, own->b));
    } else if (own->kind == TERM_CAST && own->bits >= t->bits) {
      found = view_cast(v, type_of(t), item->seen);
    }
  }
  return found;
}

/* --- operations --------------------------------------------------------------------------------------------------- */

/* An operand of an operation; with `strip`, a cast is left out that C makes by itself. */
static const host_expression *express_operand(const expressing *x, const host_term *t, bool strip) {
  const host_expression *found = same_item(x, t);
  if (found == NULL && strip && t->kind == TERM_CAST && t->a->bits > 0) {
    found = express(x, t->a);
  }
  return found != NULL ? found : express(x, t);
}

/* With a cast where it is of another type. */
static const host_expression *as_type(const expressing *x, const host_expression *e, host_integer type) {
  return integer_same(e->type, type) ? e : view_cast(x->view, type, e);
}

static const host_expression *express_binary(const expressing *x, const host_term *t) {
  const host_integer wanted = type_of(t->a);
  const bool shift = t->op == HOST_SHL || t->op == HOST_SHR;
  const bool logical = t->op == HOST_LAND || t->op == HOST_LOR;
  const host_expression *a = express_operand(x, t->a, !shift && !logical);
  const host_expression *b = a == NULL ? NULL : express_operand(x, t->b, !logical);
  if (b == NULL) {
    return NULL;
  }
  if (shift) {
    a = integer_same(integer_promoted(a->type), wanted) ? a : view_cast(x->view, wanted, a);
  } else if (!logical) {
    a = integer_same(integer_usual(a->type, b->type), wanted) ? a : view_cast(x->view, wanted, a);
    b = integer_same(integer_usual(a->type, b->type), wanted) ? b : view_cast(x->view, wanted, b);
  }
  return view_binary(x->view, t->op, type_of(t), a, b);
}

static const host_expression *express_unary(const expressing *x, const host_term *t) {
  const host_expression *a = express_operand(x, t->a, false);
  if (a == NULL) {
    return NULL;
  }
  a = t->op == HOST_NOT ? a : as_type(x, a, type_of(t->a));
  return make(x->view, (host_expression){.kind = EXPRESSION_UNARY, .op = t->op, .type = type_of(t), .a = a});
}

static const host_expression *express_choice(const expressing *x, const host_term *t) {
  const host_expression *a = t->bits == 0 ? NULL : express_operand(x, t->a, false);
  const host_expression *b = a == NULL ? NULL : express_operand(x, t->b, false);
  const host_expression *c = b == NULL ? NULL : express_operand(x, t->c, false);
  return c == NULL ? NULL
                   : make(x->view, (host_expression){.kind = EXPRESSION_CHOICE,
                                                     .type = type_of(t),
                                                     .a = a,
                                                     .b = as_type(x, b, type_of(t)),
                                                     .c = as_type(x, c, type_of(t))});
}

static const host_expression *express_cast(const expressing *x, const host_term *t) {
  const host_expression *a = t->a->bits == 0 ? NULL : express(x, t->a);
  return a == NULL ? NULL : view_cast(x->view, type_of(t), a);
}

static const host_expression *express(const expressing *x, const host_term *t) {
  const host_expression *item = term_is_number(t) ? view_number(x->view, t) : express_item(x, t);
  if (item != NULL) {
    return item;
  }
  switch (t->kind) {
    case TERM_BINARY:
      return express_binary(x, t);
    case TERM_UNARY:
      return express_unary(x, t);
    case TERM_CAST:
      return express_cast(x, t);
    case TERM_CHOICE:
      return express_choice(x, t);
    default:
      return NULL;
  }
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

const host_expression *view_express(const kernel_view *v, const host_term *term) {
  return express(&(expressing){v, NULL}, term);
}

/* Than `==` does: brackets around it may go. */
static bool binds_tighter(const host_term *t) {
  const host_term *inner = t->kind == TERM_CAST ? t->a : t;
  return inner->kind == TERM_BINARY && inner->op >= HOST_ADD && inner->op <= HOST_SHR;
}

const host_expression *view_express_equal(const kernel_view *v, const kernel_item *item) {
  const expressing x = {v, item};
  const host_integer wanted = type_of(item->term);
  const host_expression *e = express_operand(&x, item->term, true);
  if (e != NULL && !integer_same(integer_usual(wanted, e->type), integer_promoted(wanted))) {
    e = express_operand(&x, item->term, false);
  }
  if (e != NULL && binds_tighter(item->term)) {
    e = view_brackets(v, e, BRACKETS_NONE);
  }
  return e == NULL ? NULL : view_binary(v, HOST_EQ, (host_integer){32, true}, item->seen, e);
}

bool view_sees(const kernel_view *v, const host_term *term) {
  if (term == NULL) {
    return false;
  }
  for (size_t i = 0; i < v->count; i++) {
    const host_term *t = v->items[i].term;
    if (v->items[i].basis && t != NULL &&
        (t == term || ((t->kind == TERM_CAST || t->kind == TERM_BINARY) && t->a == term))) {
      return true;
    }
  }
  return view_sees(v, term->a) || view_sees(v, term->b) || view_sees(v, term->c);
}
