/* Crashes: a device's compiler, or the device, may die of instrumented source and take the user's process with it.
 * Nothing in that process can prevent it, so the session remembers what each process has in hand, and when one is gone
 * without goodbye the test case runs once more with those programs untouched. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/session/internal.h"
#include "runner/session/leaks.h"
#include "runner/session/unawaited.h"

/* Under which name a crash is remembered. */
static const char *fact_of(const session *s) {
  return s->kernels == KERNEL_GATED ? "crash when gated of version " CLTC_VERSION : "crash of version " CLTC_VERSION;
}

static const char crashed_reason[] =
    "the device's compiler, or the device, crashed on the instrumented source; untouched it ends otherwise";
static const char gated_reason[] =
    "the device's compiler, or the device, crashed on or hung in the gated source; untouched it ends otherwise";

static bool same(const session_pending *a, uint32_t program, uint32_t kernel) {
  return a->program == program && a->kernel == kernel;
}

void client_takes(session_client *c, uint32_t program, uint32_t kernel) {
  for (size_t i = 0; i < c->pending_count; i++) {
    if (same(&c->pending[i], program, kernel)) {
      return;
    }
  }
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
    p->suspected = true;
    p->suspected_kernel = c->pending[i].kernel;
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
      if (p->suspected_kernel != MODEL_NONE) {
        buffer_printf(&text, "kernel %s of ", p->result.model.kernels[p->suspected_kernel].name);
      }
      buffer_puts(&text, p->name);
      return buffer_take(&text);
    }
  }
  return NULL;
}

void session_hold_back(session *s) {
  for (size_t i = 0; i < s->program_count; i++) {
    s->programs[i].held = s->programs[i].suspected;
  }
}

static int leave_untouched(session *s, session_program *p, error *e) {
  s->summary.programs -= p->built && !p->launched ? 1 : 0;
  p->built = false;
  p->reason = mem_strdup(s->kernels == KERNEL_GATED ? gated_reason : crashed_reason);
  if (db_put_fact(s->db, fact_of(s), p->key, true, e) != 0 || db_drop_program(s->db, s->run, p->stored.id, e) != 0) {
    return -1;
  }
  return session_skip(s, p->name, p->reason, e);
}

int session_judge(session *s, bool guilty, error *e) {
  int result = 0;
  for (size_t i = 0; i < s->program_count; i++) {
    session_program *p = &s->programs[i];
    if (guilty && p->held && result == 0) {
      result = leave_untouched(s, p, e);
    }
    p->suspected = p->held = false;
  }
  return result;
}

char *recall_crash(session *s, const program_request *r) {
  int value = -1;
  error ignored;
  if (db_get_fact(s->db, fact_of(s), r->key, &value, &ignored) != 0 || value != 1) {
    return NULL;
  }
  return mem_strdup("the device's compiler, or the device, crashed on the instrumented source in an earlier run");
}
