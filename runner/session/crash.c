/* Crashes: a device's compiler, or the device, may die of instrumented source and take the user's process with it.
 * Nothing in that process can prevent it, so the session remembers what each process has in hand, and when one is gone
 * without goodbye the test case runs once more with those programs untouched. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/session/internal.h"

/* Under which name a crash of a kernel, or of a program (""), is remembered; to be freed. */
static char *fact_of(const session *s, const char *kernel) {
  buffer text = {0};
  buffer_printf(&text, "crash %sof%s%s%s version " CLTC_VERSION, s->kernels == KERNEL_GATED ? "when gated " : "",
                kernel[0] == '\0' ? "" : " kernel ", kernel, kernel[0] == '\0' ? "" : " in");
  return buffer_take(&text);
}

static const char crashed_reason[] =
    "the device's compiler, or the device, crashed on the instrumented source; untouched it ends otherwise";
static const char gated_reason[] =
    "the device's compiler, or the device, crashed on or hung in the gated source; untouched it ends otherwise";

static bool same(const session_pending *a, uint32_t program, uint32_t kernel) {
  return a->program == program && a->kernel == kernel;
}

void client_takes(session_client *c, uint32_t program, uint32_t kernel) {
  for (size_t i = 0; i < c->pending_count; i++)
    if (same(&c->pending[i], program, kernel)) return;
  *ARRAY_ADD(c->pending, c->pending_count, c->pending_capacity) = (session_pending){program, kernel};
}

void client_leaves(session_client *c, uint32_t program, uint32_t kernel) {
  for (size_t i = 0; i < c->pending_count; i++) {
    if (same(&c->pending[i], program, kernel)) {
      c->pending[i] = c->pending[--c->pending_count];
      break;
    }
  }
  if (c->pending_count == 0) {
    free(c->pending);
    c->pending = NULL;
    c->pending_capacity = 0;
  }
}

void session_client_gone(session *s, session_client *c) {
  for (size_t i = 0; i < c->pending_count && !c->ended; i++) {
    session_program *p = &s->programs[c->pending[i].program];
    const uint32_t kernel = c->pending[i].kernel;
    p->suspected = true;
    if (kernel == MODEL_NONE || s->kernels == KERNEL_GATED) /* whose launches are ordered together */
      p->suspected_whole = true;
    else
      p->kernels[kernel].suspected = true;
  }
  leaks_client_gone(s, c);
  unawaited_client_gone(s, c);
  free(c->pending);
  free(c->named);
  *c = (session_client){0};
}

char *session_suspect(const session *s) {
  for (size_t i = 0; i < s->program_count; i++) {
    const session_program *p = &s->programs[i];
    if (p->suspected) {
      buffer text = {0};
      for (size_t k = 0; k < p->result.model.kernel_count; k++)
        if (p->kernels[k].suspected)
          buffer_printf(&text, "%s %s", text.length == 0 ? "kernel" : ",", p->result.model.kernels[k].name);
      buffer_puts(&text, text.length == 0 ? "" : " of ");
      buffer_puts(&text, p->name);
      return buffer_take(&text);
    }
  }
  return NULL;
}

void session_clear(session_program *p) {
  p->suspected = p->suspected_whole = false;
  for (size_t k = 0; p->kernels != NULL && k < p->result.model.kernel_count; k++) p->kernels[k].suspected = false;
}

void session_hold_back(session *s) {
  for (size_t i = 0; i < s->program_count; i++) s->programs[i].held = s->programs[i].suspected;
}

static int remember(session *s, const session_program *p, const char *kernel, error *e) {
  char *fact = fact_of(s, kernel);
  const int result = db_put_fact(s->db, fact, p->key, true, e);
  free(fact);
  return result;
}

static int skip_kernel(session *s, session_program *p, size_t kernel, const char *reason, error *e) {
  const char *name = p->result.model.kernels[kernel].name;
  buffer what = {0};
  buffer_printf(&what, "kernel %s of %s", name, p->name);
  p->kernels[kernel].left = true;
  const int result = session_skip(s, buffer_text(&what), reason, e);
  buffer_free(&what);
  return result;
}

/* The kernels that are suspected, or, where the build is, all. */
static int leave_untouched(session *s, session_program *p, error *e) {
  for (size_t k = 0; k < p->result.model.kernel_count && !p->suspected_whole; k++)
    if (p->kernels[k].suspected &&
        (remember(s, p, p->result.model.kernels[k].name, e) != 0 || skip_kernel(s, p, k, crashed_reason, e) != 0))
      return -1;
  if (!p->suspected_whole) return 0;
  s->summary.programs -= p->built && !p->launched ? 1 : 0;
  p->built = false;
  p->reason = mem_strdup(s->kernels == KERNEL_GATED ? gated_reason : crashed_reason);
  if (remember(s, p, "", e) != 0 || db_drop_program(s->db, s->run, p->stored.id, e) != 0) return -1;
  return session_skip(s, p->name, p->reason, e);
}

int session_judge(session *s, bool guilty, error *e) {
  int result = 0;
  for (size_t i = 0; i < s->program_count; i++) {
    session_program *p = &s->programs[i];
    if (guilty && p->held && result == 0) result = leave_untouched(s, p, e);
    session_clear(p);
    p->held = false;
  }
  return result;
}

int session_drop_left(session *s, error *e) {
  int result = 0;
  for (size_t i = 0; i < s->program_count && result == 0; i++) {
    const session_program *p = &s->programs[i];
    bool left = false;
    for (size_t k = 0; p->kernels != NULL && k < p->result.model.kernel_count; k++) left = left || p->kernels[k].left;
    result = left && !p->launched && !s->aside ? db_drop_program(s->db, s->run, p->stored.id, e) : 0;
  }
  return result;
}

static bool recalls(session *s, const char *key, const char *kernel) {
  int value = -1;
  error ignored;
  char *fact = fact_of(s, kernel);
  const bool known = db_get_fact(s->db, fact, key, &value, &ignored) == 0 && value == 1;
  free(fact);
  return known;
}

static const char recalled[] =
    "the device's compiler, or the device, crashed on the instrumented source in an earlier run";

char *recall_crash(session *s, const program_request *r) {
  return recalls(s, r->key, "") ? mem_strdup(recalled) : NULL;
}

int recall_crashes(session *s, session_program *p, error *e) {
  int result = 0;
  for (size_t k = 0; k < p->result.model.kernel_count && result == 0; k++)
    result = recalls(s, p->key, p->result.model.kernels[k].name) ? skip_kernel(s, p, k, recalled, e) : 0;
  return result;
}
