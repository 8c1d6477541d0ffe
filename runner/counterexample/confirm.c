/* One definite finding after another. */
#include "runner/counterexample/confirm.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"

/* "KERNEL-RULE-1": the source's name goes first, as several may have a kernel of that name. */
static char *case_name(const asked_source *s, const verify_answer *a, size_t number) {
  const char *file = path_end(asked_text(s)->name);
  buffer name = {0};
  buffer_printf(&name, "%.*s-%s-%s-%zu", (int)strcspn(file, "."), file, a->kernel, a->findings[number].rule,
                number + 1);
  for (char *c = name.data; *c != '\0'; c++) {
    *c = isalnum((unsigned char)*c) != 0 || *c == '_' ? *c : '-';
  }
  return buffer_take(&name);
}

static int keep_launch(const confirm_options *o, const replica *r, const verify_answer *a, size_t number, error *e) {
  if (o->keep == NULL) {
    return 0;
  }
  char *name = case_name(r->source, a, number);
  const int result = o->keep(o->context, r, name, e);
  free(name);
  return result;
}

/* Replicas of the findings that are asked about: those of others are zeroed. */
static replica *make_all(const confirm_options *o, const asked_source *s, const verify_answer *a, confirmation *out) {
  replica *all = mem_calloc(a->finding_count + 1, sizeof *all);
  const bool wanted = o->run != NULL || o->keep != NULL;
  for (size_t i = 0; i < a->finding_count; i++) {
    const char *problem = NULL;
    if (a->findings[i].seen) {
      out[i] =
          (confirmation){CONFIRMED_YES, mem_strdup("a run of this launch with the ends of memory watched shows it")};
    } else if (wanted && a->findings[i].definite) {
      problem = replica_make(s, a->kernel, &a->findings[i], &all[i]);
    }
    if (problem != NULL) {
      out[i] = (confirmation){CONFIRMED_NOT_LAUNCHABLE, mem_strdup(problem)};
      replica_free(&all[i]);
    }
  }
  return all;
}

/* Those that are run on a device, in one go. */
static void run_all(const confirm_options *o, const verify_answer *a, const replica *all, confirmation *out) {
  replica *launches = mem_calloc(a->finding_count + 1, sizeof *launches);
  confirmation *became = mem_calloc(a->finding_count + 1, sizeof *became);
  size_t count = 0;
  for (size_t i = 0; i < a->finding_count; i++) {
    if (all[i].source != NULL) {
      launches[count++] = all[i];
    }
  }
  const bool ran = count > 0 && o->run != NULL && o->run(o->runner, launches, count, a->seconds, became) == 0;
  for (size_t i = 0, k = 0; i < a->finding_count && ran; i++) {
    if (all[i].source != NULL) {
      out[i] = became[k++];
    }
  }
  free(launches);
  free(became);
}

confirmation *confirm(const confirm_options *o, const asked_source *s, const verify_answer *a, error *e) {
  confirmation *out = mem_calloc(a->finding_count + 1, sizeof *out);
  replica *all = make_all(o, s, a, out);
  int result = 0;
  run_all(o, a, all, out);
  for (size_t i = 0; i < a->finding_count; i++) {
    if (all[i].source != NULL && result == 0) {
      result = keep_launch(o, &all[i], a, i, e);
    }
    replica_free(&all[i]);
  }
  free(all);
  if (result != 0) {
    confirmations_free(out, a->finding_count);
    return NULL;
  }
  return out;
}

void confirmations_free(confirmation *c, size_t count) {
  for (size_t i = 0; c != NULL && i < count; i++) {
    free(c[i].why);
  }
  free(c);
}
