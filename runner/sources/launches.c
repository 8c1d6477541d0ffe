/* Launches as lists of numbers that are compared one by one. */
#include "runner/sources/launches.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { STORED_MOST = 1024, CHOSEN_LOCAL = 64 };

/* --- comparing ---------------------------------------------------------------------------------------------------- */

static size_t differing(const uint64_t *a, const uint64_t *b) {
  size_t count = 0;
  for (int i = 0; i < 3; i++) {
    count += a[i] != b[i] ? 1 : 0;
  }
  return count;
}

static size_t facts_apart(const contents_facts *a, const contents_facts *b) {
  const bool same = a->distinct == b->distinct && a->ascending == b->ascending && a->identity == b->identity &&
                    a->bounded == b->bounded && a->low == b->low && a->high == b->high;
  return same ? 0 : 1;
}

static size_t arguments_apart(const observed_argument *a, const observed_argument *b) {
  if (a->kind != b->kind || a->parameter != b->parameter) {
    return 1;
  }
  if (a->kind == OBSERVED_INTEGER) {
    return a->integer != b->integer ? 1 : 0;
  }
  if (a->kind == OBSERVED_BYTES) {
    return a->size != b->size || memcmp(a->bytes, b->bytes, a->size) != 0 ? 1 : 0;
  }
  return (a->size != b->size ? 1u : 0u) + (a->null != b->null ? 1u : 0u) + (a->memory != b->memory ? 1u : 0u) +
         (a->offset != b->offset ? 1u : 0u) + facts_apart(&a->facts, &b->facts);
}

size_t launches_apart(const observed_launch *a, const observed_launch *b) {
  size_t count = (a->dimensions != b->dimensions ? 1u : 0u) + (a->local_chosen != b->local_chosen ? 1u : 0u);
  count += differing(a->local, b->local) + differing(a->groups, b->groups) + differing(a->offset, b->offset);
  if (a->argument_count != b->argument_count) {
    return count + 1;
  }
  for (size_t i = 0; i < a->argument_count; i++) {
    count += arguments_apart(&a->arguments[i], &b->arguments[i]);
  }
  return count;
}

/* --- collecting --------------------------------------------------------------------------------------------------- */

void launches_add(asked_kernel *k, observed_launch *l) {
  k->made++;
  for (size_t i = k->launch_count; i-- > 0;) { /* mostly it is like one of the last */
    if (launches_apart(&k->launches[i], l) == 0) {
      k->launches[i].count++;
      observed_launch_free(l);
      return;
    }
  }
  k->distinct++;
  if (k->launch_count == STORED_MOST) {
    observed_launch_free(l);
    return;
  }
  l->count = 1;
  l->first = k->made;
  *ARRAY_ADD(k->launches, k->launch_count, k->launch_capacity) = *l;
  *l = (observed_launch){0};
}

static void swap(observed_launch *a, observed_launch *b) {
  const observed_launch other = *a;
  *a = *b;
  *b = other;
}

void launches_narrow(asked_kernel *k) {
  if (k->launch_count <= LAUNCHES_MOST) {
    return;
  }
  size_t *nearest = mem_calloc(k->launch_count, sizeof *nearest); /* of those that are taken */
  for (size_t i = 0; i < k->launch_count; i++) {
    nearest[i] = launches_apart(&k->launches[0], &k->launches[i]);
  }
  for (size_t taken = 1; taken < LAUNCHES_MOST; taken++) {
    size_t furthest = taken;
    for (size_t i = taken; i < k->launch_count; i++) {
      furthest = nearest[i] > nearest[furthest] ? i : furthest;
    }
    swap(&k->launches[taken], &k->launches[furthest]);
    nearest[furthest] = nearest[taken];
    for (size_t i = taken + 1; i < k->launch_count; i++) {
      const size_t apart = launches_apart(&k->launches[taken], &k->launches[i]);
      nearest[i] = apart < nearest[i] ? apart : nearest[i];
    }
  }
  for (size_t i = LAUNCHES_MOST; i < k->launch_count; i++) {
    observed_launch_free(&k->launches[i]);
  }
  k->launch_count = LAUNCHES_MOST;
  free(nearest);
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

/* A size that a driver may take: the largest that fits, up to that of most devices' warps. */
static uint64_t divisor(uint64_t global) {
  uint64_t local = CHOSEN_LOCAL;
  while (global % local != 0) {
    local--;
  }
  return local;
}

bool launches_size(observed_launch *l, uint32_t dimensions, const uint64_t *global, const uint64_t *local) {
  l->dimensions = dimensions;
  l->local_chosen = local == NULL;
  for (uint32_t i = 0; i < 3; i++) {
    const uint64_t items = i < dimensions ? global[i] : 1;
    l->local[i] = i >= dimensions ? 1 : local != NULL ? local[i] : i == 0 && items > 0 ? divisor(items) : 1;
    if (items == 0 || l->local[i] == 0 || items % l->local[i] != 0) {
      return false;
    }
    l->groups[i] = items / l->local[i];
  }
  return true;
}
