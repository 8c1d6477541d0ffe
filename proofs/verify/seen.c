/* Launches that were seen: the first, those that are like it, and how large buffers have to be.
 * Soundness: docs/verify.md, Why it is right, Preconditions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/verify/trial.h"

/* --- how large buffers have to be --------------------------------------------------------------------------------- */

/* Expressions of numbers of elements: those that hold in all launches, and of these what a proof uses. */

enum { SECONDS = 4, SECONDS_A_QUERY = 1 };

typedef struct claims {
  const trial *trial;
  const launch *launches;
  size_t launch_count;
  const char **texts;
  const char **buffers; /* that they are about, which stand together */
  size_t count, capacity, buffer_capacity;
  bool given; /* those that are needed are among what holds */
} claims;

static void add(claims *c, const char *buffer, const char *text) {
  size_t same = c->count;
  *ARRAY_ADD(c->texts, c->count, c->capacity) = text;
  *ARRAY_ADD(c->buffers, same, c->buffer_capacity) = buffer;
}

/* --- what may be claimed ------------------------------------------------------------------------------------------ */

/* A number of a launch that a buffer may have as many elements as. */
typedef struct quantity {
  const char *text;
  uint64_t (*of)(const launch *l, const char *text);
} quantity;

static uint64_t size_of(const launch *l, const char *text) {
  const unsigned d = (unsigned)(strchr(text, '(')[1] - '0');
  return strncmp(text, "get_local_size", 14) == 0   ? l->local[d]
         : strncmp(text, "get_num_groups", 14) == 0 ? l->groups[d]
         : strchr(text, '*') == NULL                ? l->local[d] * l->groups[d]
         : l->local[2] * l->groups[2] == 1
             ? l->local[0] * l->groups[0] * l->local[1] * l->groups[1] * l->local[2] * l->groups[2]
             : UINT64_MAX;
}

static uint64_t argument_of(const launch *l, const char *text) {
  for (size_t i = 0; i < l->argument_count; i++) {
    const argument_given *a = &l->arguments[i];
    int64_t number = 0;
    if (a->integer && strcmp(a->name, text) == 0) {
      memcpy(&number, a->bytes, sizeof number);
      return number < 0 ? UINT64_MAX : (uint64_t)number;
    }
  }
  return UINT64_MAX;
}

static const buffer_given *buffer_in(const launch *l, const char *name) {
  for (size_t i = 0; i < l->buffer_count; i++)
    if (strcmp(l->buffers[i].name, name) == 0) return &l->buffers[i];
  return NULL;
}

/* The buffer has at least so many elements in all launches; and if it always has some more, with these. */
static void claim(claims *c, const char *buffer, unsigned element, quantity q) {
  enum { MOST_MORE = 4096 };
  uint64_t more = UINT64_MAX;
  for (size_t i = 0; i < c->launch_count; i++) {
    const buffer_given *b = buffer_in(&c->launches[i], buffer);
    const uint64_t number = q.of(&c->launches[i], q.text);
    if (b == NULL || number > b->bytes / element) return;
    more = b->bytes / element - number < more ? b->bytes / element - number : more;
  }
  mem_arena *m = c->trial->memory;
  add(c, buffer, mem_arena_printf(m, "elements(%s) >= %s", buffer, q.text));
  if (more > 0 && more < MOST_MORE)
    add(c, buffer, mem_arena_printf(m, "elements(%s) >= %s + %llu", buffer, q.text, (unsigned long long)more));
}

/* From those that say what the buffer is for to a number. */
static void claim_all(claims *c, const char *buffer, unsigned element) {
  static const quantity sizes[] = {{"get_global_size(0)", size_of},
                                   {"get_global_size(1)", size_of},
                                   {"get_num_groups(0)", size_of},
                                   {"get_local_size(0)", size_of},
                                   {"get_global_size(0) * get_global_size(1)", size_of}};
  for (size_t i = 0; i < c->launches[0].argument_count; i++)
    if (c->launches[0].arguments[i].integer &&
        module_argument(c->trial->kernel->function, c->launches[0].arguments[i].name) >= 0)
      claim(c, buffer, element, (quantity){c->launches[0].arguments[i].name, argument_of});
  const bool flat = c->launches[0].dimensions <= 1;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (!flat || strstr(sizes[i].text, "(1)") == NULL) claim(c, buffer, element, sizes[i]);
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < c->launch_count; i++) {
    const buffer_given *b = buffer_in(&c->launches[i], buffer);
    least = b == NULL ? 0 : b->bytes / element < least ? b->bytes / element : least;
  }
  if (least > 0)
    add(c, buffer, mem_arena_printf(c->trial->memory, "elements(%s) >= %llu", buffer, (unsigned long long)least));
}

/* false: there is a buffer whose elements cannot be counted, or ids that do not begin at 0. */
static bool collect(claims *c) {
  const kernel *k = c->trial->kernel;
  for (size_t i = 0; i < c->launch_count; i++)
    if ((c->launches[i].offset[0] | c->launches[i].offset[1] | c->launches[i].offset[2]) != 0) return false;
  for (uint32_t a = 0; a < k->argument_count; a++) {
    const char *name = module_name(LLVMGetParam(k->function, a));
    const buffer_given *b = buffer_in(&c->launches[0], name);
    const unsigned element = assumptions_element_bytes(k, a);
    if (b == NULL || LLVMGetFirstUse(LLVMGetParam(k->function, a)) == NULL) continue;
    if (element == 0) return false;
    claim_all(c, name, element);
  }
  return true;
}

/* --- the proof ---------------------------------------------------------------------------------------------------- */

/* Of dimensions that are left out: of these nothing is assumed. */
static bool speaks_of_others(const char *text, unsigned dimensions) {
  return (dimensions < 2 && strstr(text, "(1)") != NULL) || (dimensions < 3 && strstr(text, "(2)") != NULL);
}

/* A launch of which these premises hold, whose buffers have any number of elements; `only`: of so many dimensions, 0: as the
 * premises say. */
static launch any_launch(const launch *first, const json_t *premises, unsigned only) {
  launch l = {.count = 1};
  unsigned dimensions = DIMENSIONS;
  l.assume = mem_calloc(json_array_size(premises) + 1, sizeof *l.assume);
  l.buffers = mem_calloc(first->buffer_count + 1, sizeof *l.buffers);
  for (size_t i = 0; i < json_array_size(premises); i++) {
    const char *text = json_string_value(json_array_get(premises, i));
    if (text != NULL) (void)sscanf(text, "get_work_dim() == %u", &dimensions);
  }
  dimensions = only > 0 && only < dimensions ? only : dimensions;
  for (size_t i = 0; i < json_array_size(premises); i++) {
    const char *text = json_string_value(json_array_get(premises, i));
    if (text != NULL && strstr(text, "get_work_dim") == NULL && !speaks_of_others(text, dimensions))
      l.assume[l.assume_count++] = text;
  }
  l.dimensions = dimensions < DIMENSIONS ? dimensions : 0;
  for (unsigned d = 0; d < DIMENSIONS; d++) l.local[d] = l.groups[d] = d < dimensions ? SIZE_FREE : 1;
  for (size_t i = 0; i < first->buffer_count; i++) {
    l.buffers[i] = first->buffers[i];
    l.buffers[i].bytes = 0;
    l.buffers[i].counted = true;
    l.buffers[i].contents = (contents_known){0};
  }
  l.buffer_count = first->buffer_count;
  return l;
}

/* Notes the claims with which there is still an access that leaves: they hold in the model of one. */
static void note_useless(const proof *p, Z3_solver s, bool *useless) {
  const Z3_model m = Z3_solver_get_model(p->smt.z3, s);
  Z3_model_inc_ref(p->smt.z3, m);
  for (size_t i = 0; i < p->claim_count; i++) useless[i] = useless[i] || query_says(p, m, p->claims[i]);
  Z3_model_dec_ref(p->smt.z3, m);
}

/* Whether all accesses to the buffer (NULL: to what has its own size) stay inside where these claims hold. */
static bool stays_inside(const proof *p, effort *f, const char *buffer, const bool *claimed, bool *useless) {
  const Z3_context z3 = p->smt.z3;
  formula *any = mem_calloc(p->mishap_count + 1, sizeof *any);
  size_t count = 0;
  Z3_solver s = query_solver(p, false);
  for (size_t i = 0; i < p->claim_count; i++)
    if (claimed[i]) query_assert(p, s, p->claims[i]);
  for (size_t i = 0; i < p->candidate_count; i++)
    query_assert(p, s, p->alive[i] ? p->candidates[i]->holds : smt_not(&p->smt, p->candidates[i]->holds));
  for (size_t i = 0; i < p->mishap_count; i++) {
    const mishap *m = &p->mishaps[i];
    const object *o = m->kind == MISHAP_BOUNDS ? &p->objects[m->access->object] : NULL;
    if (o != NULL && (o->size == NULL ? buffer == NULL : buffer != NULL && strcmp(o->name, buffer) == 0))
      any[count++] = smt_and(&p->smt, m->reached, m->condition);
  }
  query_assert(p, s, smt_any(&p->smt, any, count));
  const Z3_lbool leaves = count == 0 ? Z3_L_FALSE : query_ask(p, f, s, NULL, 0);
  if (leaves == Z3_L_TRUE) note_useless(p, s, useless);
  Z3_solver_dec_ref(z3, s);
  free(any);
  return leaves == Z3_L_FALSE;
}

/* Finds the first claim about a buffer with which accesses to it stay inside. */
static bool use_one(const proof *p, effort *f, const claims *c, size_t first, size_t end, bool *used) {
  bool *useless = mem_calloc(p->claim_count + 1, sizeof *useless);
  bool shown = stays_inside(p, f, c->buffers[first], used, useless);
  for (size_t i = first; i < end && !shown && !c->given; i++) {
    if (!useless[i]) {
      used[i] = true;
      shown = stays_inside(p, f, c->buffers[first], used, useless);
      used[i] = shown;
    }
  }
  free(useless);
  return shown;
}

/* Which claims show that all accesses stay inside; false: none do. */
static bool use_claims(const proof *p, effort *f, const claims *c, bool *used) {
  bool *useless = mem_calloc(p->claim_count + 1, sizeof *useless);
  bool shown = stays_inside(p, f, NULL, used, useless);
  free(useless);
  for (size_t first = 0, end = 0; first < c->count && shown; first = end) {
    while (end < c->count && c->buffers[end] == c->buffers[first]) end++;
    shown = use_one(p, f, c, first, end, used);
  }
  return shown;
}

static bool prove(trial *t, const launch *l, const claims *c, bool *used) {
  mem_arena memory = {0};
  proof p;
  effort limited = t->effort;
  limited.deadline = effort_now() + SECONDS;
  limited.query_seconds = SECONDS_A_QUERY;
  proof_open(&p, t->kernel, t->request, l, true, 0, true, &memory);
  p.alone = true; /* races are not noted */
  p.claim_texts = c->texts;
  p.claim_count = c->count;
  bool shown = proof_run(&p);
  if (shown) {
    p.alive = mem_calloc(p.candidate_count + 1, sizeof *p.alive);
    shown = query_candidates(&p, &limited, p.alive) && use_claims(&p, &limited, c, used);
  }
  t->effort.queries = limited.queries;
  proof_close(&p);
  mem_arena_free(&memory);
  return shown;
}

static json_t *try_claims(trial *t, const claims *c, const json_t *premises, unsigned only, bool any_offset) {
  launch l = any_launch(c->launches, premises, only);
  for (unsigned d = 0; d < DIMENSIONS; d++) l.any_offset[d] = any_offset && l.groups[d] == SIZE_FREE;
  bool *used = mem_calloc(c->count + 1, sizeof *used);
  json_t *needed = NULL;
  if (prove(t, &l, c, used)) {
    needed = json_array();
    for (size_t i = 0; i < c->count; i++)
      if (used[i]) json_array_append_new(needed, json_string(c->texts[i]));
  }
  free(used);
  free((void *)l.assume);
  free(l.buffers);
  return needed;
}

static bool has_text(const json_t *premises, const char *beginning) {
  for (size_t i = 0; i < json_array_size(premises); i++) {
    const char *text = json_string_value(json_array_get(premises, i));
    if (text != NULL && strncmp(text, beginning, strlen(beginning)) == 0) return true;
  }
  return false;
}

/* The claims are about ids that begin at 0: says so where they do not hold for others. */
static void add_offsets(trial *t, const claims *c, const json_t *premises, json_t *needed) {
  const unsigned dimensions = c->launches[0].dimensions, told = kernel_dimensions(t->kernel, true);
  json_t *all = json_copy((json_t *)premises);
  json_array_extend(all, needed);
  claims given = *c;
  given.given = true;
  json_t *any = try_claims(t, &given, all, 0, true);
  for (unsigned d = 0; d < (dimensions < told ? dimensions : told) && any == NULL; d++) {
    const char *text = mem_arena_printf(t->memory, "get_global_offset(%u) == 0", d);
    if (!has_text(premises, text)) json_array_append_new(needed, json_string(text));
  }
  json_decref(any);
  json_decref(all);
}

/* Of a kernel that is proved for launches: what of these premises (the preconditions of the rest) and of the sizes of their
 * buffers shows that no access leaves its buffer, in any launch for which it holds. A list of expressions, to be added to the
 * premises, owned by the caller; NULL: none were found. */
static json_t *capacity_needed(trial *t, const launch *launches, size_t count, const json_t *premises) {
  claims c = {.trial = t, .launches = launches, .launch_count = count};
  json_t *needed = NULL;
  if (collect(&c)) {
    const unsigned dimensions = launches[0].dimensions, told = kernel_dimensions(t->kernel, true);
    needed = try_claims(t, &c, premises, told, false); /* a work-item does the same, whatever there is in the others */
    if (needed == NULL && dimensions > 0 && dimensions < told && !has_text(premises, "get_work_dim()")) {
      needed = try_claims(t, &c, premises, dimensions, false);
      if (needed != NULL) {
        const char *text = mem_arena_printf(t->memory, "get_work_dim() == %u", dimensions);
        json_array_insert_new(needed, 0, json_string(text));
      }
    }
  }
  if (json_array_size(needed) > 0) add_offsets(t, &c, premises, needed);
  free((void *)c.texts);
  free((void *)c.buffers);
  return needed;
}

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

/* Whether another argument has the same memory. */
static bool is_shared(const launch *l, const buffer_given *b) {
  for (size_t i = 0; i < l->buffer_count; i++) {
    const buffer_given *other = &l->buffers[i];
    if (other != b && !other->local && !b->local && b->memory >= 0 && other->memory == b->memory) return true;
  }
  return false;
}

static bool is_same_memory(const launch *a, const buffer_given *x, const launch *b, const buffer_given *y) {
  return x->local == y->local && x->null == y->null && (x->local || x->memory == y->memory) &&
         (x->offset == y->offset || (!is_shared(a, x) && !is_shared(b, y)));
}

/* Whether what a proof from facts takes from a launch without saying it is the same in another. */
static bool are_alike(const launch *a, const launch *b) {
  if (a->dimensions != b->dimensions || a->buffer_count != b->buffer_count) return false;
  for (size_t i = 0; i < a->buffer_count; i++) {
    const buffer_given *other = buffer_in(b, a->buffers[i].name);
    if (other == NULL || !is_same_memory(a, &a->buffers[i], b, other)) return false;
  }
  return true;
}

/* --- how large buffers are ---------------------------------------------------------------------------------------- */

static bool is_used(const seeing *s, const char *name) {
  const LLVMValueRef function = s->trial->kernel->function;
  const int a = module_argument(function, name);
  return a >= 0 && LLVMGetFirstUse(LLVMGetParam(function, (unsigned)a)) != NULL;
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
  for (size_t i = 0; i < s->count; i++)
    if (are_alike(&s->launches[0], &s->launches[i])) alike[count++] = s->launches[i];
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
    if (t->verdict == VERIFIED || t->verdict >= OUT_OF_BOUNDS) return t->verdict == VERIFIED;
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
  for (size_t i = 0; i < s->count; i++) all = all && are_alike(&s->launches[0], &s->launches[i]);
  return all;
}

/* Pointers that are null, and those that share memory, are so in the proof. */
static void add_memory(const seeing *s, json_t *premises) {
  const launch *l = &s->launches[0];
  for (size_t i = 0; i < l->buffer_count; i++) {
    const buffer_given *b = &l->buffers[i];
    if (b->null && is_used(s, b->name))
      premise_add(premises, "as-seen", mem_arena_printf(s->trial->memory, "%s is null", b->name));
    for (size_t k = 0; k < i; k++) {
      const buffer_given *other = &l->buffers[k];
      const bool shared =
          !b->local && !other->local && !b->null && !other->null && b->memory >= 0 && b->memory == other->memory;
      if (shared && is_used(s, b->name) && is_used(s, other->name)) {
        premise_add(premises, "as-seen",
                    mem_arena_printf(s->trial->memory, "%s and %s lie in one memory, %lld bytes apart", other->name,
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
  if (common)
    add_memory(s, premises);
  else if (s->count > 1)
    premise_add(premises, "other", "one of the launches that were seen");
  if (wants_sizes(s) && common && s->needed != NULL)
    json_array_extend(premises, s->needed);
  else if (wants_sizes(s))
    premise_add(premises, "inside", "accesses stay inside their buffers, as in the launches that were seen");
  return premises;
}

static bool prove_each(seeing *s, size_t *proved) {
  for (size_t i = 0; i < s->count; i++, (*proved)++) {
    const bool alike = s->common != NULL && are_alike(&s->launches[0], &s->launches[i]);
    const bool good = !alike ? prove_one(s, i) : s->inside || look_at_ends(s, i);
    if (!good) return false;
    if (s->common == NULL && (i + 1 == FIRST || i + 1 == s->count)) /* now all at once, and all that are like them */
      prove_common(s);
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
