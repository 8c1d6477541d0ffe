/* One definite finding after another. */
#include "runner/counterexample/confirm.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "runner/counterexample/emit.h"
#include "runner/counterexample/simulate.h"

/* "KERNEL-RULE-1": the source's name goes first, as several may have a kernel of that name. */
static char *test_name(const verify_source *s, const verify_answer *a, size_t number) {
  const char *file = verify_text(s)->name, *slash = strrchr(file, '/');
  file = slash == NULL ? file : slash + 1;
  buffer name = {0};
  buffer_printf(&name, "%.*s-%s-%s-%zu", (int)strcspn(file, "."), file, a->kernel, a->findings[number].rule,
                number + 1);
  for (char *c = name.data; *c != '\0'; c++) {
    *c = isalnum((unsigned char)*c) != 0 || *c == '_' ? *c : '-';
  }
  return buffer_take(&name);
}

static int write_test(const confirm_options *o, const replica *r, const verify_answer *a, size_t number, error *e) {
  char *name = test_name(r->source, a, number);
  int result = o->tests == NULL ? 0 : emit_test(r, o->tests, name, e);
  result = result == 0 && o->keep != NULL ? o->keep(o->context, r, name, e) : result;
  free(name);
  return result;
}

static int confirm_one(const confirm_options *o, const verify_source *s, const verify_answer *a, size_t number,
                       confirmation *out, size_t *tests, error *e) {
  replica r;
  const char *problem = replica_make(s, a->kernel, &a->findings[number], &r);
  int result = 0;
  if (problem != NULL) {
    *out = (confirmation){CONFIRMED_NOT_LAUNCHABLE, mem_strdup(problem)};
  } else {
    if (o->scratch != NULL) {
      *out = simulate(&r, o->scratch, o->same_value);
    }
    result = write_test(o, &r, a, number, e);
    *tests += result == 0 && o->tests != NULL ? 1 : 0;
  }
  replica_free(&r);
  return result;
}

confirmation *confirm(const confirm_options *o, const verify_source *s, const verify_answer *a, size_t *tests,
                      error *e) {
  confirmation *all = mem_calloc(a->finding_count + 1, sizeof *all);
  for (size_t i = 0; i < a->finding_count; i++) {
    const bool asked = a->findings[i].definite && (o->scratch != NULL || o->tests != NULL || o->keep != NULL);
    if (asked && confirm_one(o, s, a, i, &all[i], tests, e) != 0) {
      confirmations_free(all, a->finding_count);
      return NULL;
    }
  }
  return all;
}

void confirmations_free(confirmation *c, size_t count) {
  for (size_t i = 0; c != NULL && i < count; i++) {
    free(c[i].why);
  }
  free(c);
}
