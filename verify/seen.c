#include "verify/seen.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verify/capacity.h"
#include "verify/premise.h"
#include "verify/weaken.h"

enum { FIRST = 1 }; /* so many are proved one by one before all are */

typedef struct seeing {
  trial *trial;
  const launch *launches;
  size_t count;
  double began, end; /* of looking at the ends of buffers, launch by launch */
  json_t *common;    /* what proves all launches that are like the first; NULL: nothing yet */
  json_t *needed;    /* and how large buffers have to be for that; NULL: not known */
  bool inside;       /* of launches that are only like the first it is known that accesses stay inside */
} seeing;

/* --- which launches are alike ------------------------------------------------------------------------------------- */

static const buffer_given *buffer_of(const launch *l, const char *name) {
  for (size_t i = 0; i < l->buffer_count; i++) {
    if (strcmp(l->buffers[i].name, name) == 0) {
      return &l->buffers[i];
    }
  }
  return NULL;
}

/* Whether another argument has the same memory. */
static bool is_shared(const launch *l, const buffer_given *b) {
  for (size_t i = 0; i < l->buffer_count; i++) {
    const buffer_given *other = &l->buffers[i];
    if (other != b && !other->local && !b->local && b->memory >= 0 && other->memory == b->memory) {
      return true;
    }
  }
  return false;
}

static bool is_same_memory(const launch *a, const buffer_given *x, const launch *b, const buffer_given *y) {
  return x->local == y->local && x->null == y->null && (x->local || x->memory == y->memory) &&
         (x->offset == y->offset || (!is_shared(a, x) && !is_shared(b, y)));
}

/* Whether what a proof from facts takes from a launch without saying it is the same in another. */
static bool are_alike(const launch *a, const launch *b) {
  if (a->dimensions != b->dimensions || a->buffer_count != b->buffer_count || a->argument_count != b->argument_count) {
    return false;
  }
  for (size_t i = 0; i < a->buffer_count; i++) {
    const buffer_given *other = buffer_of(b, a->buffers[i].name);
    if (other == NULL || !is_same_memory(a, &a->buffers[i], b, other)) {
      return false;
    }
  }
  return true;
}

/* --- how large buffers are ---------------------------------------------------------------------------------------- */

static bool is_used(const seeing *s, const char *name) {
  for (unsigned a = 0; a < LLVMCountParams(s->trial->kernel->function); a++) {
    const LLVMValueRef v = LLVMGetParam(s->trial->kernel->function, a);
    size_t length = 0;
    if (strcmp(LLVMGetValueName2(v, &length), name) == 0) {
      return LLVMGetFirstUse(v) != NULL;
    }
  }
  return false;
}

/* Whether buffers that the kernel uses have a size in the launches: others may have smaller ones. */
static bool sizes_matter(const seeing *s) {
  bool any = false;
  for (size_t i = 0; i < s->launches[0].buffer_count; i++) {
    const buffer_given *b = &s->launches[0].buffers[i];
    any = any || (b->bytes > 0 && is_used(s, b->name));
  }
  return any;
}

static bool wants_sizes(const seeing *s) {
  return !s->trial->left_open && s->trial->request->bounds && sizes_matter(s);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

/* When looking for weaker preconditions ends: after a little, or as long again as the proofs took. */
static double patience(const seeing *s) {
  enum { LEAST = 2 };
  const double now = effort_now(), end = now + LEAST + (now - s->began);
  return end < s->trial->effort.deadline ? end : s->trial->effort.deadline;
}

/* Proves all launches that are like the first at once, from what they have in common. */
static void prove_common(seeing *s) {
  trial *t = s->trial;
  launch *alike = mem_calloc(s->count, sizeof *alike);
  size_t count = 0;
  for (size_t i = 0; i < s->count; i++) {
    if (are_alike(&s->launches[0], &s->launches[i])) {
      alike[count++] = s->launches[i];
    }
  }
  if (count > 0) {
    t->want_inside = t->inside == INSIDE_SHOWN && !t->left_open;
    s->common = weaken(t, alike, count, patience(s));
  }
  s->inside = s->common == NULL || !wants_sizes(s);
  if (!s->inside) {
    s->needed = capacity_needed(t, alike, count, s->common);
    s->inside = s->needed != NULL || weaken_ends(t, alike, count, patience(s));
  }
  free(alike);
  s->end = patience(s);
}

/* Of a launch that is proved but for the ends of its buffers. false: an access leaves one. */
static bool look_at_ends(seeing *s, size_t i) {
  trial *t = s->trial;
  if (effort_now() < s->end) {
    t->launch = &s->launches[i];
    trial_ends(t);
    if (t->verdict == VERIFIED || t->verdict >= OUT_OF_BOUNDS) {
      return t->verdict == VERIFIED;
    }
    json_decref(t->finding);
    t->finding = NULL;
    t->verdict = VERIFIED;
    t->reason = "";
  }
  t->ends_left++;
  return true;
}

/* A launch by itself. false: it goes wrong, or it is not decided. */
static bool prove_one(seeing *s, size_t i) {
  s->trial->launch = &s->launches[i];
  trial_run(s->trial);
  return s->trial->verdict == VERIFIED;
}

static bool all_alike(const seeing *s) {
  bool all = true;
  for (size_t i = 0; i < s->count; i++) {
    all = all && are_alike(&s->launches[0], &s->launches[i]);
  }
  return all;
}

/* Pointers that are null, and those that share memory, are so in the proof. */
static void add_memory(const seeing *s, json_t *premises) {
  const launch *l = &s->launches[0];
  for (size_t i = 0; i < l->buffer_count; i++) {
    const buffer_given *b = &l->buffers[i];
    if (b->null && is_used(s, b->name)) {
      premise_add(premises, "as-seen", arena_printf(s->trial->memory, "%s is null", b->name));
    }
    for (size_t k = 0; k < i; k++) {
      const buffer_given *other = &l->buffers[k];
      const bool shared =
          !b->local && !other->local && !b->null && !other->null && b->memory >= 0 && b->memory == other->memory;
      if (shared && is_used(s, b->name) && is_used(s, other->name)) {
        premise_add(premises, "as-seen",
                    arena_printf(s->trial->memory, "%s and %s lie in one memory, %lld bytes apart", other->name,
                                 b->name, (long long)(b->offset - other->offset)));
      }
    }
  }
}

/* What proves them all, and no more. */
static json_t *rests_on(const seeing *s) {
  const bool common = s->common != NULL && all_alike(s);
  json_t *premises = common          ? json_deep_copy(s->common)
                     : s->count == 1 ? weaken_nothing(s->trial, &s->launches[0])
                                     : json_array();
  if (common) {
    add_memory(s, premises);
  } else if (s->count > 1) {
    premise_add(premises, "other", "one of the launches that were seen");
  }
  if (wants_sizes(s) && common && s->needed != NULL) {
    json_array_extend(premises, s->needed);
  } else if (wants_sizes(s)) {
    premise_add(premises, "inside", "accesses stay inside their buffers, as in the launches that were seen");
  }
  return premises;
}

static bool prove_each(seeing *s, size_t *proved) {
  for (size_t i = 0; i < s->count; i++, (*proved)++) {
    const bool alike = s->common != NULL && are_alike(&s->launches[0], &s->launches[i]);
    const bool good = !alike ? prove_one(s, i) : s->inside || look_at_ends(s, i);
    if (!good) {
      return false;
    }
    if (s->common == NULL && (i + 1 == FIRST || i + 1 == s->count)) { /* now all at once, and all that are like them */
      prove_common(s);
    }
  }
  return true;
}

size_t seen_prove(trial *t, const kernel_request *asked, json_t **preconditions) {
  seeing s = {.trial = t, .launches = asked->launches, .count = asked->launch_count, .began = effort_now()};
  size_t proved = 0;
  *preconditions = prove_each(&s, &proved) ? rests_on(&s) : weaken_nothing(t, t->launch);
  json_decref(s.common);
  json_decref(s.needed);
  return proved;
}
