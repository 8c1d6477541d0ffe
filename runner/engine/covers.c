/* Digests of what is proved, and of what has to be. */
#include "runner/engine/covers.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "runner/engine/request.h"

/* The kernel as it is built. Which folders are searched for headers is no matter: the digest has the
 * headers. */
static void digest_kernel(digester *d, const asked_source *s, const char *kernel) {
  char word[4096];
  const char *at = asked_text(s)->options;
  digest_begin(d);
  digest_text(d, "cover");
  digest_text(d, CLTC_VERSION);
  digest_text(d, s->digests.texts);
  digest_text(d, kernel);
  while ((at += strspn(at, " \t")), *at != '\0') {
    const size_t length = strcspn(at, " \t");
    const bool searched = strncmp(at, "-I", 2) == 0;
    if (!searched) {
      (void)snprintf(word, sizeof word, "%.*s", (int)length, at);
      digest_text(d, length < sizeof word ? word : at);
    }
    at += length;
    if (searched && length == 2) { /* its folder is a word of its own, which may be quoted */
      at += strspn(at, " \t");
      const char *close = *at == '"' ? strchr(at + 1, '"') : NULL;
      at += close != NULL ? (size_t)(close - at) + 1 : strcspn(at, " \t");
    }
  }
}

static void cover_launch(const asked_source *s, const char *kernel, const observed_launch *l, const signature *of,
                         cover *out) {
  digester d;
  buffer text = {0};
  request_launch_text(l, of, &text);
  digest_kernel(&d, s, kernel);
  digest_text(&d, "launch");
  digest_text(&d, buffer_text(&text));
  digest_end(&d, out->key);
  buffer_free(&text);
}

static void cover_all(const asked_source *s, const char *kernel, unsigned dimensions, cover *out) {
  digester d;
  char number[16];
  (void)snprintf(number, sizeof number, "%u", dimensions);
  digest_kernel(&d, s, kernel);
  digest_text(&d, "all launches");
  digest_text(&d, number);
  digest_end(&d, out->key);
}

/* Proofs about files are about buffers that do not overlap and ids that begin at 0; those about launches need nothing
 * else once they rest on nothing. */
static bool is_plain(const observed_launch *l) {
  for (size_t i = 0; i < l->argument_count; i++) {
    for (size_t k = 0; k < i; k++) {
      if (l->arguments[i].kind == OBSERVED_BUFFER && l->arguments[k].kind == OBSERVED_BUFFER &&
          l->arguments[i].memory == l->arguments[k].memory) {
        return false;
      }
    }
  }
  return l->offset[0] + l->offset[1] + l->offset[2] == 0;
}

/* --- what is covered ---------------------------------------------------------------------------------------------- */

/* What holds in plain launches, which alone are looked up. */
static bool is_usual(const premise *p) {
  unsigned dimension = 0, offset = 1;
  return p->kind == PREMISE_EVEN ||
         (p->kind == PREMISE_EXPRESSION && sscanf(p->text, "get_global_offset(%u) == %u", &dimension, &offset) == 2 &&
          offset == 0);
}

/* Whether the proof rests on nothing but a number of dimensions, from `*least` to `*most`. */
static bool rests_on_dimensions(const verify_answer *a, unsigned *least, unsigned *most) {
  const char *only = NULL;
  char relation = 0;
  *least = 1;
  *most = 3;
  for (size_t i = 0; i < a->preconditions.count; i++) {
    if (!is_usual(&a->preconditions.items[i])) {
      if (only != NULL) {
        return false;
      }
      only = a->preconditions.items[i].text;
    }
  }
  if (only == NULL) {
    return true;
  }
  if (sscanf(only, "get_work_dim() %c= %u", &relation, most) != 2) {
    return false;
  }
  *least = relation == '=' ? *most : 1;
  return (relation == '=' || relation == '<') && *most >= 1 && *most <= 3;
}

/* Of all launches: those with the dimensions that were looked at. Of launches that were seen without a word on that: theirs. */
static size_t add_all(const asked_source *s, const verify_answer *a, const asked_kernel *k, cover *out) {
  size_t count = 0;
  unsigned least = 0, most = 0;
  if (a->host != NULL || (!s->observed && asked_signature(s, a->kernel) == NULL) ||
      !rests_on_dimensions(a, &least, &most)) {
    return 0;
  }
  for (unsigned dimensions = least; dimensions <= most; dimensions++) {
    bool looked_at = !s->observed || a->preconditions.count > 0;
    for (size_t i = 0; k != NULL && i < k->launch_count; i++) {
      looked_at = looked_at || k->launches[i].dimensions == dimensions;
    }
    if (looked_at) {
      cover_all(s, a->kernel, dimensions, &out[count++]);
    }
  }
  return count;
}

size_t covers_of(const asked_source *s, const prove_options *o, const verify_answer *a, cover *out) {
  if (a->verdict != ANSWER_VERIFIED || a->order_shows || a->conditional || o->warp > 0 || s->digests.texts[0] == '\0') {
    return 0;
  }
  const asked_kernel *k = asked_kernel_find(s, a->kernel);
  const signature *of = asked_signature(s, a->kernel);
  size_t count = add_all(s, a, k, out);
  for (size_t i = 0; k != NULL && of != NULL && a->proved == a->given && i < k->launch_count; i++) {
    if (!k->launches[i].local_chosen) {
      cover_launch(s, a->kernel, &k->launches[i], of, &out[count++]);
    }
  }
  return count;
}

/* --- what is wanted ----------------------------------------------------------------------------------------------- */

size_t covers_wanted(const asked_source *s, const asked_kernel *k, const observed_launch *l, cover out[2]) {
  const signature *of = asked_signature(s, k->name);
  size_t count = 0;
  if (of == NULL || s->digests.texts[0] == '\0') {
    return 0;
  }
  if (!l->local_chosen) {
    cover_launch(s, k->name, l, of, &out[count++]);
  }
  if (is_plain(l)) {
    cover_all(s, k->name, l->dimensions, &out[count++]);
  }
  return count;
}
