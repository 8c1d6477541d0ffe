/* From a capture to the launches in it, and to the proofs that cover these. */
#include "runner/amplify/proved.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "capture/capture.h"
#include "runner/engine/keep.h"
#include "runner/sources/observe.h"

static proved *find(proved_list *l, const char *kernel) { return NAMED(l->items, l->count, kernel, kernel); }

/* The proof that covers a launch, 0: none does. */
static int find_proof(db *d, const asked_source *s, const asked_kernel *k, const observed_launch *l, int64_t *proof,
                      error *e) {
  launch_cover wanted[2];
  const size_t count = covers_wanted(s, k, l, wanted);
  int result = 0;
  *proof = 0;
  for (size_t i = 0; i < count && *proof == 0 && result == 0; i++) {
    result = db_find_cover(d, wanted[i].key, proof, e);
  }
  return result;
}

/* One of the proofs that cover all launches of a kernel, 0: not all are covered. */
static int find_proofs(db *d, const asked_source *s, const asked_kernel *k, int64_t *proof, error *e) {
  int result = 0;
  *proof = 0;
  if (k->uneven > 0 || k->distinct != k->launch_count) {
    return 0; /* not all are known */
  }
  for (size_t i = 0; i < k->launch_count && result == 0; i++) {
    result = find_proof(d, s, k, &k->launches[i], proof, e);
    if (*proof == 0) {
      break;
    }
  }
  return result;
}

/* Kernels of one name in several sources are taken together. */
static int add_kernel(db *d, const asked_source *s, const asked_kernel *k, proved_list *to, error *e) {
  int64_t proof = 0;
  const int result = find_proofs(d, s, k, &proof, e);
  proved *p = find(to, k->name);
  const bool others = p == NULL || p->proof != 0;
  if (p == NULL) {
    p = ARRAY_ADD(to->items, to->count, to->capacity);
    *p = (proved){.kernel = mem_strdup(k->name)};
  }
  p->launches += k->made;
  p->proof = others ? proof : 0;
  return result;
}

static void say(proved_list *l) {
  for (size_t i = 0; i < l->count; i++) {
    if (l->items[i].proof != 0) {
      buffer words = {0};
      buffer_printf(&words, "proved: one result (proof %lld)", (long long)l->items[i].proof);
      l->items[i].words = buffer_take(&words);
    }
  }
}

/* Where one source cannot be read, its launches are not known, of whatever kernels. */
static bool all_known(const observation *o) {
  bool known = true;
  for (size_t i = 0; i < o->count; i++) {
    known = known && o->sources[i].problem == NULL;
  }
  return known;
}

static int look(db *d, const observation *o, proved_list *out, error *e) {
  int result = 0;
  for (size_t i = 0; i < o->count && result == 0; i++) {
    for (size_t k = 0; k < o->sources[i].kernel_count && result == 0; k++) {
      result = add_kernel(d, &o->sources[i], &o->sources[i].kernels[k], out, e);
    }
  }
  say(out);
  return result;
}

int proved_read(db *d, const char *path, const char *scratch, proved_list *out, error *e) {
  *out = (proved_list){0};
  char *const nothing[] = {NULL};
  capture c;
  observation o = {0};
  error ignored;
  int result = 0;
  (void)mkdir(scratch, 0700);
  if (capture_read(path, &c, &ignored) == 0) {
    if (c.unsuitable == NULL && observe_capture(&c, scratch, nothing, &o, &ignored) == 0 && all_known(&o)) {
      result = look(d, &o, out, e);
    }
    capture_free(&c);
  }
  for (size_t i = 0; i < o.count; i++) {
    asked_source_free(&o.sources[i]);
  }
  free(o.sources);
  return result;
}

const char *proved_words(const proved_list *l, const char *kernel, uint64_t launches) {
  const proved *p = find((proved_list *)l, kernel);
  return p != NULL && p->launches == launches ? p->words : NULL;
}

void proved_free(proved_list *l) {
  for (size_t i = 0; i < l->count; i++) {
    free(l->items[i].kernel);
    free(l->items[i].words);
  }
  free(l->items);
  *l = (proved_list){0};
}
