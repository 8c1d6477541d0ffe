/* The order in which a kernel is looked at: the first iterations of its loops for something that really goes wrong, then a
 * proof for any number, then deeper for what the proof could not exclude. */
#include "verify/verdict.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/memory.h"
#include "verify/counterexample.h"
#include "verify/query.h"

/* --- one launch --------------------------------------------------------------------------------------------------- */

typedef enum verdict {
  VERIFIED,
  POSSIBLE_RACE,
  POSSIBLE_DIVERGENCE,
  UNKNOWN,
  UNSUPPORTED,
  OUT_OF_BOUNDS,
  DIVERGENCE,
  RACE
} verdict;
static const char *const words[] = {"verified",    "possible-race", "possible-divergence", "unknown",
                                    "unsupported", "out-of-bounds", "divergence",          "race"};

typedef struct trial {
  const kernel *kernel;
  const request *request;
  const launch *launch;
  effort effort;
  arena *memory; /* of texts that outlive a proof */
  verdict verdict;
  const char *reason;
  json_t *finding; /* NULL: none */
} trial;

static void conclude(trial *t, verdict v, const char *reason, json_t *finding) {
  json_decref(t->finding);
  t->verdict = v;
  t->reason = reason;
  t->finding = finding;
}

static verdict verdict_of_hit(const hit *h) {
  if (h->pair != NULL) {
    return h->abstract ? POSSIBLE_RACE : RACE;
  }
  if (h->mishap->kind == MISHAP_BOUNDS) {
    return OUT_OF_BOUNDS;
  }
  return h->abstract ? POSSIBLE_DIVERGENCE : DIVERGENCE;
}

static void conclude_hit(trial *t, proof *p, hit *h) {
  if (!h->abstract) {
    query_smaller(p, &t->effort, h);
  }
  conclude(t, verdict_of_hit(h), "", counterexample_finding(p, h));
}

static void conclude_refused(trial *t, const proof *p) {
  const char *where = counterexample_where(p, p->refused_at);
  conclude(t, UNSUPPORTED, arena_printf(t->memory, "%s (%s)", p->refused, where), NULL);
}

/* What one way of looking gave. */
typedef enum looked { SAFE, FOUND, OPEN, REFUSED, TOO_LARGE } looked;

/* The first iterations. OPEN: nothing certain was found, and there is more than they show. */
static looked look_bounded(trial *t, bool same_group, unsigned turns, unsigned most, hit *possible) {
  arena memory = {0};
  proof p;
  hit h = {0};
  looked result = OPEN;
  proof_open(&p, t->kernel, t->request, t->launch, same_group, turns, &memory);
  p.most_turns = most;
  if (!proof_run(&p)) {
    result = p.budget == 0 ? TOO_LARGE : REFUSED;
    if (result == REFUSED) {
      conclude_refused(t, &p);
    }
  } else if (query_definite(&p, &t->effort, &h) == ANSWER_YES) {
    conclude_hit(t, &p, &h);
    result = FOUND;
  } else if (p.complete) {
    const answer any = query_any(&p, &t->effort, &h);
    if (any == ANSWER_NO) {
      result = SAFE;
    } else if (any == ANSWER_YES) {
      conclude_hit(t, &p, &h);
      result = FOUND;
    }
  }
  (void)possible;
  proof_close(&p);
  arena_free(&memory);
  return result;
}

/* Any number of iterations. FOUND: something is possible. */
static looked look_any(trial *t, bool same_group) {
  arena memory = {0};
  proof p;
  hit h = {0};
  looked result = OPEN;
  proof_open(&p, t->kernel, t->request, t->launch, same_group, 0, &memory);
  if (!proof_run(&p)) {
    conclude_refused(t, &p);
    result = REFUSED;
  } else {
    p.alive = mem_calloc(p.candidate_count + 1, sizeof *p.alive);
    (void)query_candidates(&p, &t->effort, p.alive);
    const answer any = query_any(&p, &t->effort, &h);
    result = any == ANSWER_NO ? SAFE : any == ANSWER_YES ? FOUND : OPEN;
    if (any == ANSWER_YES) {
      h.abstract = true; /* the iteration is not known to be reached */
      conclude_hit(t, &p, &h);
    }
  }
  proof_close(&p);
  arena_free(&memory);
  return result;
}

static bool only_one(const uint64_t sizes[3]) { return sizes[0] == 1 && sizes[1] == 1 && sizes[2] == 1; }

enum { FEW_TURNS = 1, MANY_TURNS = 5, CERTAIN_TURNS = 40 };

/* Work-items of one group, or of two. true: it is decided. */
static bool decide(trial *t, bool same_group, looked *bounded) {
  if (*bounded == SAFE) {
    return true;
  }
  const looked any = look_any(t, same_group);
  if (any == SAFE) {
    return true;
  }
  if (any == REFUSED) {
    return false;
  }
  const verdict before = t->verdict;
  const char *reason = t->reason;
  json_t *finding = json_incref(t->finding);
  const looked deeper = look_bounded(t, same_group, MANY_TURNS, CERTAIN_TURNS * 4, NULL);
  if (deeper == SAFE) {
    conclude(t, VERIFIED, "", NULL);
  } else if (deeper != FOUND) {
    conclude(t, any == OPEN ? UNKNOWN : before, any == OPEN ? "the solver gave no answer within the limits" : reason,
             json_incref(finding));
  }
  json_decref(finding);
  return deeper == SAFE;
}

static void try_launch(trial *t) {
  const bool modes[] = {true, false};
  looked bounded[2] = {SAFE, SAFE};
  t->verdict = VERIFIED;
  t->reason = "";
  for (unsigned i = 0; i < 2; i++) {
    if (only_one(modes[i] ? t->launch->local : t->launch->groups)) {
      continue;
    }
    bounded[i] = look_bounded(t, modes[i], FEW_TURNS, CERTAIN_TURNS, NULL);
    if (bounded[i] == REFUSED || (bounded[i] == FOUND && t->verdict >= OUT_OF_BOUNDS)) {
      return;
    }
  }
  for (unsigned i = 0; i < 2; i++) {
    if (bounded[i] == FOUND || !decide(t, modes[i], &bounded[i])) {
      return;
    }
  }
}

/* --- a kernel ----------------------------------------------------------------------------------------------------- */

static json_t *answer_new(LLVMValueRef function, const char *word, const char *reason) {
  size_t length = 0;
  const source_place place = module_kernel_place(function);
  json_t *a = json_object();
  json_object_set_new(a, "kernel", json_string(LLVMGetValueName2(function, &length)));
  json_object_set_new(a, "file", json_stringn_nocheck(place.file, place.file_length));
  json_object_set_new(a, "line", json_integer(place.line));
  json_object_set_new(a, "verdict", json_string(word));
  json_object_set_new(a, "reason", json_string(reason));
  return a;
}

json_t *verdict_unknown(LLVMValueRef function, const char *word, const char *reason) {
  json_t *a = answer_new(function, word, reason);
  json_object_set_new(a, "preconditions", json_array());
  json_object_set_new(a, "findings", json_array());
  return a;
}

static void add_effort(json_t *a, double seconds, unsigned queries) {
  struct rusage used;
  json_object_set_new(a, "seconds", json_real(seconds));
  json_object_set_new(a, "queries", json_integer(queries));
  if (getrusage(RUSAGE_SELF, &used) == 0) {
    json_object_set_new(a, "memory", json_integer((json_int_t)used.ru_maxrss * 1024));
  }
}

json_t *verdict_of(const module *m, LLVMValueRef function, const request *r) {
  static const launch anything = {.groups = {SIZE_FREE, 1, 1}, .local = {SIZE_FREE, 1, 1}};
  const double began = clock_now();
  arena memory = {0};
  const char *reason = NULL;
  LLVMValueRef where = NULL;
  size_t length = 0;
  const kernel *k = kernel_read(m, function, &memory, &reason, &where);
  if (k == NULL) {
    json_t *refused = verdict_unknown(function, "unsupported", reason);
    arena_free(&memory);
    return refused;
  }
  const kernel_request *asked = request_kernel(r, LLVMGetValueName2(function, &length));
  trial t = {.kernel = k, .request = r, .memory = &memory, .launch = asked == NULL ? &anything : &asked->any};
  t.effort = (effort){began + r->timeout * 0.9, r->query_timeout, 0};
  try_launch(&t);
  json_t *a = answer_new(function, words[t.verdict], t.reason);
  json_t *findings = json_array();
  if (t.finding != NULL) {
    json_array_append_new(findings, t.finding);
  }
  json_object_set_new(a, "preconditions", json_array());
  json_object_set_new(a, "findings", findings);
  add_effort(a, clock_now() - began, t.effort.queries);
  arena_free(&memory);
  return a;
}
