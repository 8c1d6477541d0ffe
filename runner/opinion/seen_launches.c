/* A launch that was seen as one that is drawn. */
#include "runner/opinion/seen_launches.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/opinion/terms.h"

static void take_argument(const observed_argument *a, replica_argument *to) {
  to->size = a->kind == OBSERVED_INTEGER ? to->is->size : a->size;
  if (a->kind == OBSERVED_INTEGER) {
    to->bytes = mem_calloc(sizeof a->integer, 1);
    memcpy(to->bytes, &a->integer, sizeof a->integer);
  }
}

static void take_launch(const asked_source *s, const signature *of, const observed_launch *l, replica *out) {
  *out = (replica){.source = s, .kernel = of->kernel, .dimensions = l->dimensions, .count = of->count};
  out->arguments = mem_calloc(of->count + 1, sizeof *out->arguments);
  for (size_t i = 0; i < of->count; i++) {
    out->arguments[i].is = &of->parameters[i];
  }
  for (unsigned d = 0; d < 3; d++) {
    out->local[d] = l->local[d];
    out->global[d] = l->local[d] * l->groups[d];
    out->offset[d] = l->offset[d];
  }
  for (size_t i = 0; i < l->argument_count; i++) {
    take_argument(&l->arguments[i], &out->arguments[l->arguments[i].parameter]);
  }
}

/* Contents that are known have bounds. */
static bool contradicts(const contents_facts *said, const contents_facts *seen) {
  return seen->bounded && ((said->distinct && !seen->distinct) || (said->ascending && !seen->ascending) ||
                           (said->bounded && (seen->low < said->low || seen->high > said->high)));
}

static bool fails(const terms *t, const replica *r, const observed_launch *l, bool *understood) {
  bool against = false;
  for (size_t i = 0; i < t->count && !against; i++) {
    int64_t is = 0;
    const bool known = terms_value(t->conditions[i], strlen(t->conditions[i]), r, &is);
    against = known && is == 0;
    *understood = *understood && known;
  }
  for (size_t i = 0; i < l->argument_count && !against; i++) {
    const observed_argument *a = &l->arguments[i];
    contents_facts said;
    against = a->kind == OBSERVED_BUFFER && terms_contents(t, a->parameter, r, &said) && contradicts(&said, &a->facts);
  }
  return against;
}

bool seen_check(const asked_source *s, const asked_kernel *k, const char *assumption, const observed_launch **against) {
  const signature *of = asked_signature(s, k->name);
  premise said = {.kind = PREMISE_EXPRESSION, .text = (char *)assumption};
  const premises one = {&said, 1};
  terms t;
  *against = NULL;
  if (of == NULL) {
    return true;
  }
  terms_read(&one, NULL, of, &t);
  bool understood = t.foreign == NULL;
  for (size_t i = 0; i < k->launch_count && *against == NULL && understood; i++) {
    replica r;
    take_launch(s, of, &k->launches[i], &r);
    *against = fails(&t, &r, &k->launches[i], &understood) ? &k->launches[i] : NULL;
    replica_free(&r);
  }
  terms_free(&t);
  return understood;
}
