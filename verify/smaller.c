/* The same counterexample with smaller numbers. */
#include "verify/query.h"

static formula all_of(const proof *p, const hit *h) {
  return h->pair != NULL ? smt_and(&p->smt, h->pair->reached, h->abstract ? h->pair->race : h->pair->certain)
                         : smt_and(&p->smt, h->mishap->reached, h->mishap->condition);
}

/* Adds the wish if it can be had; then the model is one that has it. */
static void wish(const proof *p, effort *f, Z3_solver s, formula wanted, hit *h) {
  const Z3_context c = p->smt.z3;
  if (wanted == p->smt.yes || wanted == p->smt.no) {
    return;
  }
  Z3_solver_push(c, s);
  query_assert(p, s, wanted);
  if (query_ask(p, f, s, NULL, 0) == Z3_L_TRUE) {
    Z3_model m = Z3_solver_get_model(c, s);
    Z3_model_inc_ref(c, m);
    Z3_model_dec_ref(c, h->model);
    h->model = m;
    return; /* the wish stays */
  }
  Z3_solver_pop(c, s, 1);
}

/* As small as halving makes it. */
static void wish_small(const proof *p, effort *f, Z3_solver s, formula number, hit *h) {
  const unsigned bits = smt_bits(&p->smt, number);
  uint64_t now = 0;
  if (smt_is_number(&p->smt, number, &now)) {
    return;
  }
  static const uint64_t limits[] = {0, 1, 2, 3, 4, 8, 16, 32, 64, 256, 1024, 65536};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    formula current = NULL;
    if (Z3_model_eval(p->smt.z3, h->model, number, true, &current) && smt_is_number(&p->smt, current, &now) &&
        now <= limits[i]) {
      wish(p, f, s, smt_equal(&p->smt, number, smt_number(&p->smt, now, bits)), h);
      return;
    }
    if (bits < 64 && limits[i] >> bits != 0) {
      return;
    }
    const Z3_model before = h->model;
    wish(p, f, s, Z3_mk_bvule(p->smt.z3, number, smt_number(&p->smt, limits[i], bits)), h);
    if (h->model != before) {
      return;
    }
  }
}

/* Integers above 0: with a width or a stride of 0 nobody launches. */
static void wish_positive(const proof *p, effort *f, Z3_solver s, hit *h) {
  for (uint32_t a = 0; a < p->kernel->argument_count; a++) {
    const value *v = p->arguments[a];
    const LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(p->kernel->function, a));
    if (v != NULL && v->kind == VALUE_NUMBER && LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
        smt_bits(&p->smt, v->number) > 1) {
      wish(p, f, s, Z3_mk_bvsgt(p->smt.z3, v->number, smt_number(&p->smt, 0, smt_bits(&p->smt, v->number))), h);
    }
  }
}

void query_smaller(proof *p, effort *f, hit *h) {
  enum { CELLS_MOST = 8 };
  effort limited = *f;
  const double soon = effort_now() + 2;
  limited.deadline = soon < f->deadline ? soon : f->deadline;
  limited.query_seconds = 0.5;
  Z3_solver s = query_solver(p, h->mishap == NULL || h->mishap->kind != MISHAP_BOUNDS);
  query_assert(p, s, all_of(p, h));
  for (size_t i = 0; i < p->no_overflow_count; i++) {
    query_assert(p, s, p->no_overflow[i]);
  }
  wish_positive(p, &limited, s, h);
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    wish_small(p, &limited, s, p->local_size[d], h);
    wish_small(p, &limited, s, p->groups[d], h);
  }
  for (unsigned t = 0; t < THREADS; t++) {
    for (unsigned d = 0; d < DIMENSIONS; d++) {
      wish_small(p, &limited, s, p->group_id[t][d], h);
      wish_small(p, &limited, s, p->local_id[t][d], h);
    }
  }
  for (uint32_t a = 0; a < p->kernel->argument_count; a++) {
    const value *v = p->arguments[a];
    if (v != NULL && v->kind == VALUE_NUMBER && smt_bits(&p->smt, v->number) > 1) {
      wish_small(p, &limited, s, v->number, h);
    }
  }
  for (size_t i = 0; i < p->cell_count && i < CELLS_MOST; i++) {
    if (smt_bits(&p->smt, p->cells[i].content) > 1 && smt_bits(&p->smt, p->cells[i].content) <= 64) {
      wish_small(p, &limited, s, p->cells[i].content, h);
    }
  }
  Z3_solver_dec_ref(p->smt.z3, s);
  f->queries = limited.queries;
}
