/* Products by powers of two, as shifts: the solver for bit-vectors tries all values of a number of few bits one by one to multiply
 * it. The simplifier and the integers know more of products, so formulas are made with these. */
#include "verify/shifts.h"

#include <stdlib.h>

#include "base/memory.h"

static formula *room_for(shifts *x, formula f) {
  const unsigned id = Z3_get_ast_id(x->smt->z3, f);
  if (id >= x->count) {
    x->made = mem_grow(x->made, &x->count, (size_t)id + 1, sizeof *x->made);
  }
  return &x->made[id];
}

/* `parts` are two, and one of them is a power of two: which bit, else 64. */
static unsigned power_of(const smt *s, const formula *parts, unsigned which) {
  uint64_t number = 0;
  const bool power = smt_is_number(s, parts[which], &number) && number != 0 && (number & (number - 1)) == 0;
  return power ? (unsigned)__builtin_ctzll(number) : 64;
}

static formula rebuilt(const smt *s, formula f, Z3_app app, unsigned count, const formula *parts) {
  if (Z3_get_decl_kind(s->z3, Z3_get_app_decl(s->z3, app)) == Z3_OP_BMUL && count == 2) {
    for (unsigned n = 0; n < 2; n++) {
      const unsigned bit = power_of(s, parts, n);
      if (bit < 64) {
        return Z3_mk_bvshl(s->z3, parts[1 - n], smt_number(s, bit, smt_bits(s, parts[1 - n])));
      }
    }
  }
  return Z3_update_term(s->z3, f, count, parts);
}

/* Of parts that are all made. */
static formula make(shifts *x, formula f, Z3_app app, unsigned count) {
  formula *parts = mem_calloc(count + 1, sizeof *parts);
  for (unsigned n = 0; n < count; n++) {
    parts[n] = *room_for(x, Z3_get_app_arg(x->smt->z3, app, n));
  }
  const formula made = count == 0 ? f : rebuilt(x->smt, f, app, count, parts);
  free(parts);
  return made;
}

formula shifts_of(shifts *x, formula f) {
  const Z3_context c = x->smt->z3;
  formula *todo = NULL;
  size_t count = 0, capacity = 0;
  *ARRAY_ADD(todo, count, capacity) = f;
  while (count > 0) {
    const formula at = todo[count - 1];
    const bool is_app = Z3_get_ast_kind(c, at) == Z3_APP_AST;
    const Z3_app app = is_app ? Z3_to_app(c, at) : NULL;
    const unsigned parts = is_app ? Z3_get_app_num_args(c, app) : 0;
    const size_t before = count;
    for (unsigned n = 0; n < parts && *room_for(x, at) == NULL; n++) {
      const formula part = Z3_get_app_arg(c, app, n);
      if (*room_for(x, part) == NULL) {
        *ARRAY_ADD(todo, count, capacity) = part;
      }
    }
    if (count == before) {
      const formula known = *room_for(x, at), made = known != NULL ? known : is_app ? make(x, at, app, parts) : at;
      *room_for(x, at) = made;
      count--;
    }
  }
  free(todo);
  return *room_for(x, f);
}

void shifts_free(shifts *x) {
  free(x->made);
  *x = (shifts){0};
}
