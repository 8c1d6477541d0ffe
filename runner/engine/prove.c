/* Asks for what is not known yet, and answers for what the engine is silent about. */
#include "runner/engine/prove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "runner/engine/answer.h"
#include "runner/engine/engine.h"
#include "runner/engine/prove_ways.h"
#include "runner/engine/request.h"
#include "runner/sources/signature.h"

static const parameter *parameter_of(const signature *of, const char *name) {
  for (size_t i = 0; i < of->count; i++) {
    const parameter *p = &of->parameters[i];
    if (strcmp(p->name, name) == 0 && (p->kind == PARAMETER_GLOBAL || p->kind == PARAMETER_LOCAL)) {
      return p;
    }
  }
  return NULL;
}

static void tell_element(answer_finding *f, const parameter *p) {
  const uint64_t byte = f->element * f->element_size;
  f->byte = byte % p->size;
  f->has_byte = f->element_size < p->size;
  f->element = byte / p->size;
  f->element_size = p->size;
}

/* The engine counts in the bytes of an access: of a member of a structure, or of a vector in a buffer of numbers, that is no
 * element of the buffer. Tells them by the parameter's type. */
static void elements_tell(verify_answer *a, const signature *of) {
  for (size_t i = 0; of != NULL && i < a->finding_count; i++) {
    answer_finding *f = &a->findings[i];
    const parameter *p = f->has_element && strcmp(f->space, "image") != 0 ? parameter_of(of, f->array) : NULL;
    if (p != NULL && p->size > 0 && f->element_size > 0 && f->element_size != p->size) {
      tell_element(f, p);
    }
  }
}

typedef struct proving {
  prover *prover;
  const asked_source *source;
  bool *wanted; /* kernels of the source that have no answer yet */
  char *
      *not_all; /* why what is said of a kernel is not so for every run of its host code; NULL: nothing is to be said */
  size_t asked; /* that the engine is asked for */
} proving;

void proved_kernel_free(proved_kernel *k) {
  answer_free(&k->answer);
  free(k->text);
  *k = (proved_kernel){0};
}

/* What we did to the launches before the engine saw them. */
static void say_launches(const asked_kernel *kernel, verify_answer *a) {
  char text[200];
  if (kernel->distinct > kernel->launch_count) {
    (void)snprintf(text, sizeof text, "of %llu different launches only %zu were looked at, the most different ones",
                   (unsigned long long)kernel->distinct, kernel->launch_count);
    answer_assume(a, text);
  }
  if (kernel->uneven > 0) {
    (void)snprintf(text, sizeof text,
                   "%llu launches whose last work-groups are smaller than the others were not looked at",
                   (unsigned long long)kernel->uneven);
    answer_assume(a, text);
  }
  for (size_t i = 0; i < kernel->launch_count; i++) {
    const observed_launch *l = &kernel->launches[i];
    if (l->local_chosen) {
      (void)snprintf(text, sizeof text,
                     "where the program leaves the size of work-groups to the driver, that is %llu work-items for a "
                     "launch of %llu",
                     (unsigned long long)l->local[0], (unsigned long long)(l->local[0] * l->groups[0]));
      answer_assume(a, text);
      return; /* one says it */
    }
  }
}

static bool says_dimensions(const verify_answer *a) {
  static const char words[] = "get_work_dim()";
  for (size_t i = 0; i < a->preconditions.count; i++) {
    if (strncmp(a->preconditions.items[i].text, words, sizeof words - 1) == 0) {
      return true;
    }
  }
  return false;
}

/* Dimensions and sizes that the request names. With any sizes, less dimensions are among them: they have sizes of 1. */
static void say_sizes(const prove_options *o, const signature *of, verify_answer *a) {
  const unsigned most = o->local_dimensions > o->group_dimensions ? o->local_dimensions : o->group_dimensions;
  const unsigned dimensions = most > 0 ? most : of != NULL ? of->dimensions : 0;
  char text[100];
  if (dimensions > 0 && !says_dimensions(a) && (dimensions < 3 || of == NULL || of->asks_dimensions)) {
    const bool exactly = most > 0 || dimensions == 1 || of->asks_dimensions;
    (void)snprintf(text, sizeof text, "get_work_dim() %s %u", exactly ? "==" : "<=", dimensions);
    answer_require_expression(a, text);
  }
  for (unsigned i = 0; i < 3; i++) {
    if (i < o->local_dimensions && o->local[i] > 0) {
      (void)snprintf(text, sizeof text, "get_local_size(%u) == %llu", i, (unsigned long long)o->local[i]);
      answer_require_expression(a, text);
    }
    if (i < o->group_dimensions && o->groups[i] > 0) {
      (void)snprintf(text, sizeof text, "get_num_groups(%u) == %llu", i, (unsigned long long)o->groups[i]);
      answer_require_expression(a, text);
    }
  }
}

/* The engine takes the launches in order and ends with the first that goes wrong. */
static void say_which_launch(const asked_kernel *kernel, verify_answer *a) {
  if (kernel->made < 2 || a->verdict == ANSWER_VERIFIED || a->given != kernel->launch_count || a->proved >= a->given) {
    return;
  }
  for (size_t i = 0; i < a->finding_count; i++) {
    answer_finding *f = &a->findings[i];
    const observed_launch *l =
        &kernel->launches[f->has_launch && f->launch < kernel->launch_count ? f->launch : a->proved];
    f->launch_number = l->first;
    f->launches_made = kernel->made;
  }
}

static int hand_over(const proving *g, proved_kernel *k, error *e) {
  const asked_kernel *kernel = asked_kernel_find(g->source, k->answer.kernel);
  elements_tell(&k->answer, asked_signature(g->source, k->answer.kernel));
  if (!g->source->observed && k->answer.host == NULL && k->answer.verdict == ANSWER_VERIFIED) {
    say_sizes(&g->prover->options, asked_signature(g->source, k->answer.kernel), &k->answer);
  } else if (kernel != NULL) {
    say_launches(kernel, &k->answer);
    say_which_launch(kernel, &k->answer);
  }
  if (kernel != NULL && g->not_all[kernel - g->source->kernels] != NULL) {
    answer_assume(&k->answer, g->not_all[kernel - g->source->kernels]);
  }
  const prove_listener *l = &g->prover->listener;
  return l->proved(l->context, g->source, k, e);
}

/* What an earlier run has proved. An answer that cannot be read any more is as good as none. */
static bool recall(const proving *g, const asked_kernel *kernel, int *result, error *e) {
  const prover *p = g->prover;
  proved_kernel k = {.reused = true};
  request_key(g->source, &p->options, kernel, p->digest, k.key);
  k.text = p->listener.recall == NULL || k.key[0] == '\0' ? NULL : p->listener.recall(p->listener.context, k.key);
  error ignored;
  if (k.text == NULL || answer_read(k.text, strlen(k.text), &k.answer, &ignored) != 0 ||
      strcmp(k.answer.kernel, kernel->name) != 0) {
    proved_kernel_free(&k);
    return false;
  }
  *result = hand_over(g, &k, e);
  return true;
}

/* The kernel of the source that an answer is about; SIZE_MAX: none that was asked for. */
static size_t asked_index(const proving *g, const char *name) {
  for (size_t i = 0; i < g->source->kernel_count; i++) {
    if (g->wanted[i] && strcmp(g->source->kernels[i].name, name) == 0) {
      return i;
    }
  }
  return SIZE_MAX;
}

static int take_line(void *context, const char *line, size_t length, error *e) {
  proving *g = context;
  proved_kernel k = {0};
  if (answer_read(line, length, &k.answer, e) != 0) {
    proved_kernel_free(&k);
    return -1;
  }
  const size_t i = asked_index(g, k.answer.kernel);
  if (i == SIZE_MAX && !g->source->every) {
    proved_kernel_free(&k);
    return 0;
  }
  if (i != SIZE_MAX) {
    g->wanted[i] = false;
    if (k.answer.verdict != ANSWER_UNKNOWN) { /* another time there may be more time */
      request_key(g->source, &g->prover->options, &g->source->kernels[i], g->prover->digest, k.key);
    }
  }
  k.text = mem_strndup(line, length);
  return hand_over(g, &k, e);
}

/* Kernels of which the engine has said nothing. */
static int answer_for_silent(const proving *g, const char *why, error *e) {
  int result = 0;
  for (size_t i = 0; i < g->source->kernel_count && result == 0; i++) {
    if (g->wanted[i]) {
      proved_kernel k = {0};
      answer_unknown(g->source->kernels[i].name, asked_text(g->source)->name, why, &k.answer);
      result = hand_over(g, &k, e);
    }
  }
  return result;
}

static int ask(proving *g, error *e) {
  prover *p = g->prover;
  buffer request = {0};
  request_write(g->source, &p->options, g->wanted, &request);
  const engine_listener listener = {g, take_line};
  engine_end end;
  const double patience = ENGINE_PATIENCE(p->options.timeout);
  int result =
      request.overflowed
          ? error_set(e, EXIT_USAGE, "%s: the launches of its kernels are more than can be asked about",
                      asked_text(g->source)->name)
          : engine_run(p->engine, buffer_text(&request), request.length, patience, p->signals, &listener, &end, e);
  buffer_free(&request);
  if (result != 0) {
    return -1;
  }
  p->interrupted = end.interrupted;
  char why[160];
  if (end.silent) {
    (void)snprintf(why, sizeof why, "the proof engine said nothing for %.0f seconds and was ended", patience);
  } else {
    (void)snprintf(why, sizeof why, "the proof engine ended with status %d and without an answer", end.status);
  }
  if (g->source->every && end.status != 0) {
    return error_set(e, EXIT_INTERNAL, "%s: %s", asked_text(g->source)->name, why);
  }
  return p->interrupted ? 0 : answer_for_silent(g, why, e);
}

/* What host code says is enough: of a kernel file always, of launches that were seen where it proves all of them. */
static bool is_enough(const proving *g, const asked_kernel *kernel, bool all, verify_answer *a) {
  if (!g->source->observed) {
    return true;
  }
  if (!all || a->verdict != ANSWER_VERIFIED) {
    return false;
  }
  a->given = a->proved = kernel->launch_count;
  return true;
}

/* A kernel with ways: an answer for all runs of the host code; or of what was seen, and why not for all. */
static int prove_hosted(proving *g, size_t i, error *e) {
  const asked_kernel *kernel = &g->source->kernels[i];
  proved_kernel k = {0};
  bool all = false;
  const bool checked = ways_check(g->source, kernel, &all, e) == 0;
  const int result = checked ? prove_ways(g->prover, g->source, kernel, &k.answer, e) : -1;
  if (result == 0 && !g->prover->interrupted) {
    g->wanted[i] = !is_enough(g, kernel, all, &k.answer);
    if (!g->wanted[i]) {
      return hand_over(g, &k, e);
    }
    buffer text = {0};
    buffer_printf(&text, "not for every run of %s: there %s%s%s", kernel->host, verify_verdict_name(k.answer.verdict),
                  k.answer.reason[0] == '\0' ? "" : ", ", k.answer.reason);
    g->not_all[i] = buffer_take(&text);
  }
  proved_kernel_free(&k);
  return result;
}

/* Of a kernel whose launches all have last work-groups that are smaller than the others. */
static int refuse_uneven(const proving *g, const asked_kernel *kernel, error *e) {
  proved_kernel k = {0};
  answer_unknown(kernel->name, asked_text(g->source)->name,
                 "the last work-groups of its launches are smaller than the others, which proofs do not follow",
                 &k.answer);
  k.answer.verdict = ANSWER_UNSUPPORTED;
  return hand_over(g, &k, e);
}

static int prove_kernel(proving *g, size_t i, error *e) {
  const asked_kernel *kernel = &g->source->kernels[i];
  int result = 0;
  if (g->source->observed && kernel->launch_count == 0) {
    return refuse_uneven(g, kernel, e);
  }
  g->wanted[i] = true;
  if (kernel->way_count > 0) {
    result = prove_hosted(g, i, e);
  }
  if (result == 0 && g->wanted[i] && !g->prover->interrupted) {
    g->wanted[i] = !recall(g, kernel, &result, e);
  }
  g->asked += g->wanted[i] ? 1 : 0;
  return result;
}

int prove_source(prover *p, const asked_source *s, error *e) {
  proving g = {.prover = p, .source = s};
  g.wanted = mem_calloc(s->kernel_count + 1, sizeof *g.wanted);
  g.not_all = mem_calloc(s->kernel_count + 1, sizeof *g.not_all);
  int result = 0;
  for (size_t i = 0; i < s->kernel_count && result == 0; i++) {
    result = prove_kernel(&g, i, e);
  }
  if (result == 0 && !p->interrupted && (g.asked > 0 || s->every)) {
    result = ask(&g, e);
  }
  mem_free_all(g.not_all, s->kernel_count);
  free(g.wanted);
  return result;
}
