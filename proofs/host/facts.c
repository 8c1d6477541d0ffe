/* Facts of a launch: what its arguments and sizes have to do with each other. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "proofs/host/walk.h"

/* --- options ------------------------------------------------------------------------------------------------------ */

static const char unknown[] = "\xe2\x80\xa6"; /* `…` */

static void put_value(const host_term *value, buffer *out, bool *known);

/* What printf makes of a format. */
static void put_format(const host_term *format, buffer *out, bool *known) {
  const host_term *values = format->a;
  for (const char *c = format->text; *c != '\0'; c++) {
    if (*c != '%') {
      buffer_putc(out, *c);
      continue;
    }
    if (c[1] == '%') {
      buffer_putc(out, *++c);
      continue;
    }
    const size_t flags = 1 + strspn(c + 1, "lzhjt");
    const bool simple = c[flags] != '\0' && strchr("dius", c[flags]) != NULL;
    const size_t length = flags + strcspn(c + flags, "diouxXeEfFgGaAcspn");
    if (simple && values != NULL && values->kind == TERM_PAIR) {
      put_value(values->a, out, known);
    } else {
      buffer_puts(out, unknown);
      *known = false;
    }
    values = values != NULL && values->kind == TERM_PAIR ? values->b : NULL;
    c += c[length] == '\0' ? length - 1 : length;
  }
}

static void put_value(const host_term *value, buffer *out, bool *known) {
  if (value->kind == TERM_TEXT) {
    buffer_puts(out, value->text);
  } else if (value->kind == TERM_FORMAT) {
    put_format(value, out, known);
  } else if (term_is_number(value)) {
    buffer_printf(out, value->is_signed ? "%" PRId64 : "%" PRIu64, value->value);
  } else {
    buffer_puts(out, unknown);
    *known = false;
  }
}

/* The options of clBuildProgram, as far as they are known. */
static void find_options(const met_launch *m, host_launch *out) {
  const host_term *options = m->options;
  buffer text = {0};
  if (options == NULL || (options->kind != TERM_TEXT && options->kind != TERM_FORMAT && !term_is_null(options))) return;
  out->options_known = true;
  if (!term_is_null(options)) put_value(options, &text, &out->options_known);
  out->options = mem_strdup(buffer_text(&text));
  buffer_free(&text);
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

/* Terms as C expressions over what a kernel can see, with the casts that C needs to compute the same. */

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

static const host_expression *view_seen(const kernel_view *v, host_seen what, unsigned index, host_integer type) {
  return make(v, (host_expression){.kind = EXPRESSION_SEEN, .seen = what, .index = index, .type = type});
}

static const host_expression *view_number(const kernel_view *v, const host_term *t) {
  const bool fits = t->value >= INT32_MIN && t->value <= INT32_MAX && (t->is_signed || t->value >= 0);
  const host_integer type = {t->bits < 32 ? 32 : t->bits, t->is_signed};
  return make(v, (host_expression){
                     .kind = EXPRESSION_NUMBER, .type = fits ? (host_integer){32, true} : type, .value = t->value});
}

static const host_expression *view_binary(const kernel_view *v, c_operator op, host_integer type,
                                          const host_expression *a, const host_expression *b) {
  return make(v, (host_expression){.kind = EXPRESSION_BINARY, .op = op, .type = type, .a = a, .b = b});
}

static const host_expression *view_cast(const kernel_view *v, host_integer to, const host_expression *a) {
  return make(v, (host_expression){.kind = EXPRESSION_CAST, .type = to, .a = a});
}

/* The same, written with other brackets. */
static const host_expression *view_brackets(const kernel_view *v, const host_expression *e, host_brackets brackets) {
  host_expression *made = make(v, *e);
  made->brackets = brackets;
  return made;
}

/* --- what the kernel sees ----------------------------------------------------------------------------------------- */

/* An item that is the term. */
static const host_expression *same_item(const expressing *x, const host_term *t) {
  for (size_t i = 0; i < x->view->count; i++) {
    const kernel_item *item = &x->view->items[i];
    if (item->basis && item != x->without && item->term == t) return item->seen;
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
    if (!item->basis || item == x->without || own->a != t) continue;
    if (own->kind == TERM_BINARY && (own->op == OP_ADD || own->op == OP_SUBTRACT) && term_is_number(own->b) &&
        t->bits >= 32 && own->b->value >= 0 && own->b->value <= INT32_MAX) {
      const c_operator back = own->op == OP_ADD ? OP_SUBTRACT : OP_ADD;
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
  if (found == NULL && strip && t->kind == TERM_CAST && t->a->bits > 0) found = express(x, t->a);
  return found != NULL ? found : express(x, t);
}

/* With a cast where it is of another type. */
static const host_expression *as_type(const expressing *x, const host_expression *e, host_integer type) {
  return integer_same(e->type, type) ? e : view_cast(x->view, type, e);
}

static const host_expression *express_binary(const expressing *x, const host_term *t) {
  const host_integer wanted = type_of(t->a);
  const bool shift = t->op == OP_SHIFT_LEFT || t->op == OP_SHIFT_RIGHT;
  const bool logical = t->op == OP_LOGICAL_AND || t->op == OP_LOGICAL_OR;
  const host_expression *a = express_operand(x, t->a, !shift && !logical);
  const host_expression *b = a == NULL ? NULL : express_operand(x, t->b, !logical);
  if (b == NULL) return NULL;
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
  if (a == NULL) return NULL;
  a = t->op == OP_NOT ? a : as_type(x, a, type_of(t->a));
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
  if (item != NULL) return item;
  switch (t->kind) {
    case TERM_BINARY: return express_binary(x, t);
    case TERM_UNARY: return express_unary(x, t);
    case TERM_CAST: return express_cast(x, t);
    case TERM_CHOICE: return express_choice(x, t);
    default: return NULL;
  }
}

/* A term over the items that are a basis. NULL: the kernel cannot see all of it. */
static const host_expression *view_express(const kernel_view *v, const host_term *term) {
  return express(&(expressing){v, NULL}, term);
}

/* Than `==` does: brackets around it may go. */
static bool binds_tighter(const host_term *t) {
  const host_term *inner = t->kind == TERM_CAST ? t->a : t;
  return inner->kind == TERM_BINARY && inner->op >= OP_ADD && inner->op <= OP_SHIFT_RIGHT;
}

/* "ITEM == TERM", over other items. */
static const host_expression *view_express_equal(const kernel_view *v, const kernel_item *item) {
  const expressing x = {v, item};
  const host_integer wanted = type_of(item->term);
  const host_expression *e = express_operand(&x, item->term, true);
  if (e != NULL && !integer_same(integer_usual(wanted, e->type), integer_promoted(wanted)))
    e = express_operand(&x, item->term, false);
  if (e != NULL && binds_tighter(item->term)) e = view_brackets(v, e, BRACKETS_NONE);
  return e == NULL ? NULL : view_binary(v, OP_EQUAL, (host_integer){32, true}, item->seen, e);
}

/* Whether something that the kernel sees is part of the term. */
static bool view_sees(const kernel_view *v, const host_term *term) {
  if (term == NULL) return false;
  for (size_t i = 0; i < v->count; i++) {
    const host_term *t = v->items[i].term;
    if (v->items[i].basis && t != NULL &&
        (t == term || ((t->kind == TERM_CAST || t->kind == TERM_BINARY) && t->a == term)))
      return true;
  }
  return view_sees(v, term->a) || view_sees(v, term->b) || view_sees(v, term->c);
}

enum { LONGEST_FACT = 400 };

typedef struct fact_list {
  kernel_view *view;
  host_fact *facts;
  size_t count, capacity;
} fact_list;

static bool is_long(const host_expression *e) {
  buffer text = {0};
  expression_write(e, NULL, &text);
  const bool result = text.length > LONGEST_FACT;
  buffer_free(&text);
  return result;
}

/* Nothing where it is known already, or where nobody would read it. */
static host_fact *add(fact_list *l, host_fact_kind kind, const host_expression *e, host_where where) {
  for (size_t i = 0; i < l->count; i++)
    if (expression_same(l->facts[i].expression, e)) return NULL;
  if (is_long(e)) return NULL;
  host_fact *f = ARRAY_ADD(l->facts, l->count, l->capacity);
  *f = (host_fact){.kind = kind, .expression = e, .file = where.file == NULL ? "" : where.file, .line = where.line};
  return f;
}

static const host_integer truth = {32, true};
static const host_integer size = {64, false};

static const host_expression *number(const kernel_view *v, int64_t value) {
  return view_number(v, &(host_term){.value = value, .bits = 64, .is_signed = true});
}

static void see(kernel_view *v, const host_term *term, host_where where, host_seen what, unsigned index) {
  if (term != NULL && term_is_integer(term)) {
    const host_integer type = {term->bits, term->is_signed};
    v->items[v->count++] = (kernel_item){.seen = view_seen(v, what, index, type), .term = term, .where = where};
  }
}

static bool is_atom(const host_term *t) {
  return t->kind == TERM_SYMBOL || t->kind == TERM_APPLY || (t->kind == TERM_CAST && is_atom(t->a));
}

/* Items with which others are written: first variables, then what cannot be written otherwise. */
static void find_basis(kernel_view *v) {
  for (int atoms = 1; atoms >= 0; atoms--) {
    for (size_t i = 0; i < v->count; i++) {
      kernel_item *item = &v->items[i];
      item->basis = item->basis || (is_atom(item->term) == (atoms != 0) && view_express(v, item->term) == NULL);
    }
  }
}

static void look(kernel_view *v) {
  const met_launch *m = v->met;
  for (unsigned i = 0; i < m->argument_count; i++) {
    const met_argument *a = &m->arguments[i];
    if (!a->local) see(v, a->value, a->setter == NULL ? m->node->where : a->setter->where, SEEN_ARGUMENT, i);
  }
  for (unsigned d = 0; d < m->dimensions; d++) see(v, m->local[d], m->node->where, SEEN_LOCAL_SIZE, d);
  for (unsigned d = 0; d < m->dimensions; d++) see(v, m->global[d], m->node->where, SEEN_GLOBAL_SIZE, d);
  for (unsigned d = 0; d < m->dimensions; d++) see(v, m->offset[d], m->node->where, SEEN_GLOBAL_OFFSET, d);
  find_basis(v);
}

/* --- facts -------------------------------------------------------------------------------------------------------- */

static void add_equalities(fact_list *l) {
  for (size_t i = 0; i < l->view->count; i++) {
    const kernel_item *item = &l->view->items[i];
    const host_expression *e = view_express_equal(l->view, item);
    if (e != NULL) (void)add(l, term_is_number(item->term) ? HOST_FACT_CONSTANT : HOST_FACT_RELATION, e, item->where);
  }
}

static bool is_among(const host_expression *e, const host_expression *all) {
  return all != NULL &&
         (expression_same(e, all) || (all->op == OP_LOGICAL_OR && (is_among(e, all->a) || is_among(e, all->b))));
}

/* The values of a choice that nobody can see through; NULL: one of them cannot be seen. */
static const host_expression *values_of(const kernel_view *v, const kernel_item *item, const host_term *term,
                                        const host_expression *before, int *left) {
  if (term->kind == TERM_CHOICE && --*left > 0) {
    before = values_of(v, item, term->b, before, left);
    return before == NULL ? NULL : values_of(v, item, term->c, before, left);
  }
  kernel_item one = *item;
  one.term = term;
  const host_expression *e = view_express_equal(v, &one);
  if (e == NULL || is_among(e, before)) return e == NULL ? NULL : before;
  e = view_brackets(v, e, BRACKETS_NONE);
  return before == NULL ? e : view_brackets(v, view_binary(v, OP_LOGICAL_OR, truth, before, e), BRACKETS_NONE);
}

static void add_choices(fact_list *l) {
  for (size_t i = 0; i < l->view->count; i++) {
    const kernel_item *item = &l->view->items[i];
    if (!item->basis || item->term->kind != TERM_CHOICE) continue;
    int left = 8;
    kernel_view others = *l->view;
    others.items[i].basis = false;
    const host_expression *e = values_of(&others, item, item->term, NULL, &left);
    if (e != NULL) (void)add(l, HOST_FACT_RELATION, e, item->where);
  }
}

/* --- rounding ----------------------------------------------------------------------------------------------------- */

static bool is_power_of_two(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

/* Whether the product with a number of at most 32 bits has room for it. */
static bool has_room(const host_term *product, const host_term *rest, int64_t number) {
  return product->is_signed ||
         (product->bits == 64 && rest->kind == TERM_CAST && rest->a->bits <= 32 && number < INT32_MAX);
}

/* A number that divides the value of a size. Sizes are no negative numbers, so casts do not change them. */
static int64_t divisor(const host_term *t) {
  if (t->kind == TERM_CAST && t->a->bits > 0 && t->a->bits <= t->bits) {
    const int64_t inner = divisor(t->a);
    return is_power_of_two(inner) || term_keeps_size(t) ? inner : 1;
  }
  if (t->kind == TERM_CHOICE) {
    const int64_t a = term_is_number(t->b) ? t->b->value : divisor(t->b);
    const int64_t b = term_is_number(t->c) ? t->c->value : divisor(t->c);
    return a == b ? a : 1;
  }
  if (t->kind != TERM_BINARY || t->op != OP_MULTIPLY) return 1;
  const host_term *number = term_is_number(t->a) ? t->a : t->b;
  const host_term *rest = number == t->a ? t->b : t->a;
  if (!term_is_number(number) || number->value <= 0) return 1;
  return has_room(t, rest, number->value) || is_power_of_two(number->value) ? number->value : 1;
}

static const host_term *plain(const host_term *t) { return term_keeps_size(t) ? t->a : t; }

/* The integer that a number of type double is exactly; NULL: none that we know. */
static const host_term *exact(host_terms *t, const host_term *a) {
  if (a->kind == TERM_REAL && a->real >= -1e9 && a->real <= 1e9 && a->real == (double)(int64_t)a->real)
    return term_number(t, (int64_t)a->real, 64, true);
  if (a->kind != TERM_APPLY) return NULL;
  if (strcmp(a->text, "double") == 0 && a->a->bits > 0 && a->a->bits <= 32) return term_cast(t, a->a, 64, true);
  const bool sum = strcmp(a->text, "+") == 0;
  if ((!sum && strcmp(a->text, "-") != 0) || a->b == NULL) return NULL;
  const host_term *left = exact(t, a->a);
  const host_term *right = exact(t, a->b);
  const bool plain = a->a->weight + a->b->weight < 12; /* few enough numbers of 32 bits for a double */
  return left == NULL || right == NULL || !plain ? NULL : term_binary(t, sum ? OP_ADD : OP_SUBTRACT, left, right);
}

/* Of ceil(x / c) * c, computed in double with x of 32 bits: x. The quotient of such numbers is rounded to no integer that
 * it does not reach. */
static const host_term *rounded_by_ceil(host_terms *t, const host_term *count, const host_term *unit) {
  if (count->kind != TERM_APPLY || strcmp(count->text, "truncate") != 0 || count->a->kind != TERM_APPLY ||
      strcmp(count->a->text, "ceil") != 0)
    return NULL;
  const host_term *quotient = count->a->a;
  if (quotient->kind != TERM_APPLY || strcmp(quotient->text, "/") != 0 || !term_is_number(unit)) return NULL;
  const host_term *by = exact(t, quotient->b);
  return by != NULL && term_is(by, unit->value) && unit->value > 0 ? exact(t, quotient->a) : NULL;
}

/* Of ((x + k) / c) * c with k + 1 >= c: x. NULL: it is nothing like it. */
static const host_term *rounded_up(host_terms *terms, const host_term *t) {
  t = plain(t);
  if (t->kind != TERM_BINARY || t->op != OP_MULTIPLY) return NULL;
  const host_term *quotient = plain(t->a);
  const host_term *unit = plain(t->b);
  const host_term *by_ceil = rounded_by_ceil(terms, quotient, unit);
  if (by_ceil != NULL) return by_ceil;
  if (quotient->kind != TERM_BINARY || quotient->op != OP_DIVIDE) {
    quotient = plain(t->b);
    unit = plain(t->a);
  }
  if (quotient->kind != TERM_BINARY || quotient->op != OP_DIVIDE) return NULL;
  const host_term *by = plain(quotient->b);
  const host_term *sum = plain(quotient->a);
  const bool equal = by == unit || (term_is_number(by) && term_is(unit, by->value));
  if (!equal || sum->kind != TERM_BINARY || (sum->op != OP_ADD && sum->op != OP_SUBTRACT)) return NULL;
  if (sum->op == OP_ADD && term_is_number(by) && term_is_number(sum->b) && sum->b->value == by->value - 1)
    return sum->a;
  if (sum->op == OP_SUBTRACT && term_is(sum->b, 1) && sum->a->kind == TERM_BINARY && sum->a->op == OP_ADD)
    return plain(sum->a->b) == by ? sum->a->a : plain(sum->a->a) == by ? sum->a->b : NULL;
  return NULL;
}

static void add_rounding(fact_list *l, unsigned d) {
  const kernel_view *v = l->view;
  const host_term *global = v->met->global[d];
  if (global == NULL || term_is_number(global)) return;
  const int64_t unit = divisor(global);
  const host_expression *seen = view_seen(v, SEEN_GLOBAL_SIZE, d, size);
  if (unit > 1) {
    const host_expression *rest = view_binary(v, OP_REMAINDER, size, seen, number(v, unit));
    rest = view_brackets(v, rest, BRACKETS_NONE);
    (void)add(l, HOST_FACT_ROUNDING, view_binary(v, OP_EQUAL, truth, rest, number(v, 0)), v->met->node->where);
  }
  const host_term *least = rounded_up(&v->walk->memory.terms, global);
  const host_expression *inner = least == NULL ? NULL : view_express(v, least);
  if (inner != NULL) {
    inner = view_cast(v, size, view_brackets(v, inner, BRACKETS_ALWAYS));
    (void)add(l, HOST_FACT_ROUNDING, view_binary(v, OP_GREATER_EQUAL, truth, seen, inner), v->met->node->where);
  }
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

/* How many elements of a size so many bytes are; NULL: the kernel cannot see it. */
static const host_expression *express_count(const kernel_view *v, const host_term *bytes, int64_t each) {
  if (term_is_number(bytes)) return number(v, (int64_t)((uint64_t)bytes->value / (uint64_t)each));
  if (bytes->kind == TERM_BINARY && bytes->op == OP_MULTIPLY) {
    const host_term *factor = term_is_number(bytes->a) ? bytes->a : bytes->b;
    const host_term *rest = factor == bytes->a ? bytes->b : bytes->a;
    if (term_is_number(factor) && factor->value > 0 && factor->value % each == 0 &&
        has_room(bytes, rest, factor->value)) {
      host_terms *t = &v->walk->memory.terms;
      const host_term *left = term_number(t, factor->value / each, bytes->bits, bytes->is_signed);
      const host_expression *e = view_express(v, term_binary(t, OP_MULTIPLY, rest, left));
      return e == NULL ? NULL : view_brackets(v, e, BRACKETS_NONE);
    }
  }
  const host_expression *inner = view_express(v, bytes);
  if (inner == NULL) return NULL;
  const host_integer type = integer_promoted(inner->type);
  inner = view_brackets(v, inner, BRACKETS_ALWAYS);
  return each == 1 ? inner : view_brackets(v, view_binary(v, OP_DIVIDE, type, inner, number(v, each)), BRACKETS_NONE);
}

static void add_elements(fact_list *l, unsigned index) {
  const kernel_view *v = l->view;
  const met_argument *a = &v->met->arguments[index];
  static const int64_t sizes[] = {1, 2, 4, 8, 16};
  if (a->bytes == NULL) return;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    const int64_t each = a->measured > 0 ? a->measured : sizes[i];
    const host_expression *count = express_count(v, a->bytes, each);
    if (count == NULL) return;
    const host_node *from = a->maker != NULL ? a->maker : a->setter;
    const host_expression *seen = view_seen(v, SEEN_ELEMENTS, index, size);
    host_fact *f = add(l, HOST_FACT_ELEMENTS, view_binary(v, OP_EQUAL, truth, seen, count),
                       from == NULL ? v->met->node->where : from->where);
    if (f != NULL) {
      f->element_size = (unsigned)each;
      f->argument = index;
    }
    if (a->measured > 0) return;
  }
}

/* --- the launch --------------------------------------------------------------------------------------------------- */

static int memory_number(const host_object *memory, const host_object **seen, size_t *count) {
  for (size_t i = 0; i < *count; i++)
    if (seen[i] == memory) return (int)i;
  seen[(*count)++] = memory;
  return (int)*count - 1;
}

static host_argument_kind kind_of(const met_argument *a, const host_object *memory) {
  if (a->local) return HOST_ARGUMENT_LOCAL;
  if (memory != NULL) return HOST_ARGUMENT_MEMORY;
  if (a->value != NULL && term_is_integer(a->value)) return HOST_ARGUMENT_VALUE;
  return a->value != NULL && (a->value->real_number || a->value->kind == TERM_REAL) ? HOST_ARGUMENT_OTHER
                                                                                    : HOST_ARGUMENT_UNKNOWN;
}

static void describe_arguments(const met_launch *m, host_launch *out) {
  const host_object *seen[MOST_ARGUMENTS];
  size_t seen_count = 0;
  out->argument_count = m->argument_count;
  out->arguments = mem_calloc(m->argument_count + 1, sizeof *out->arguments);
  for (unsigned i = 0; i < m->argument_count; i++) {
    const met_argument *a = &m->arguments[i];
    host_argument *o = &out->arguments[i];
    const host_object *memory = a->value == NULL || a->local ? NULL : walk_object(a->value, OBJECT_MEMORY);
    o->kind = kind_of(a, memory);
    o->size = a->local ? 0 : a->size;
    o->is_signed = o->kind == HOST_ARGUMENT_VALUE && a->value->is_signed;
    o->memory = memory == NULL ? -1 : memory_number(memory, seen, &seen_count);
  }
}

static void describe_sizes(const met_launch *m, host_launch *out) {
  out->dimensions = m->dimensions;
  for (unsigned d = 0; d < 3; d++) {
    if (d >= m->dimensions && m->dimensions > 0) {
      out->local[d] = 1;
      out->groups[d] = 1;
      out->offset_known[d] = true;
      continue;
    }
    const bool local = m->local[d] != NULL && term_is_number(m->local[d]) && m->local[d]->value > 0;
    out->local[d] = local ? (uint64_t)m->local[d]->value : 0;
    if (local && m->global[d] != NULL && term_is_number(m->global[d]) &&
        (uint64_t)m->global[d]->value % out->local[d] == 0)
      out->groups[d] = (uint64_t)m->global[d]->value / out->local[d];
    out->offset_known[d] = m->offset[d] != NULL && term_is_number(m->offset[d]);
    out->offset[d] = out->offset_known[d] ? (uint64_t)m->offset[d]->value : 0;
  }
}

/* That a factor of a size is positive: where the factor itself is not seen, the size is, and no launch or buffer has none. */
static bool follows_from_size(const host_condition *c) {
  const host_term *t = c->term;
  return c->kind == HOST_FACT_ALLOCATION && t->kind == TERM_BINARY && (t->op == OP_NOT_EQUAL || t->op == OP_GREATER) &&
         term_is(t->b, 0);
}

/* Whether what is launched is all that the facts allow. Of a number that nobody has followed to its beginning they allow
 * others. */
static bool is_followed(const kernel_view *v) {
  for (size_t i = 0; i < v->count; i++) {
    if (!term_is_followed(v->items[i].term)) return false;
    for (const host_condition *c = v->met->conditions; c != NULL; c = c->before)
      if (term_share_symbol(c->term, v->items[i].term) && !follows_from_size(c) &&
          !(view_sees(v, c->term) && view_express(v, c->term) != NULL))
        return false;
  }
  return true;
}

void facts_of_launch(host_walk *w, const met_launch *met, host_launch *out) {
  kernel_view view = {.walk = w, .met = met};
  fact_list list = {.view = &view};
  look(&view);
  out->kernel = met->kernel == NULL ? NULL : mem_strdup(met->kernel);
  out->file = met->node->where.file;
  out->line = met->node->where.line;
  describe_sizes(met, out);
  out->followed = is_followed(&view);
  describe_arguments(met, out);
  add_equalities(&list);
  add_choices(&list);
  for (unsigned d = 0; d < met->dimensions; d++) add_rounding(&list, d);
  for (const host_condition *c = list.view->met->conditions; c != NULL; c = c->before) {
    const host_expression *e = view_sees(list.view, c->term) ? view_express(list.view, c->term) : NULL;
    if (e != NULL) (void)add(&list, c->kind, e, c->where);
  }
  for (unsigned i = 0; i < met->argument_count; i++) add_elements(&list, i);
  out->facts = list.facts;
  out->fact_count = list.count;
  find_options(met, out);
}
