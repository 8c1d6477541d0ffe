/* Which schedules each launch gets. */
#include <string.h>

#include "base/buffer.h"
#include "runner/amplify/internal.h"

static const char *kernel_name(const amplify *a, const gated_launch *l) {
  return session_program_at(a->session, l->program).result->model.kernels[l->kernel].name;
}

static bool is_selected(const amplify *a, const gated_launch *l) {
  const experiment_options *o = &a->options->common;
  const amplify_replay *only = a->options->replay;
  if (only != NULL) {
    return strcmp(kernel_name(a, l), only->kernel) == 0 && l->number == only->launch;
  }
  return kernel_chosen(&o->kernels, kernel_name(a, l));
}

static void add_trials(const amplify *a, gated_launch *l) {
  const experiment_options *o = &a->options->common;
  const amplify_replay *only = a->options->replay;
  if (only == NULL) {
    schedule_add_trials(&a->options->plan, l, schedule_launch_seed(o->seed, kernel_name(a, l), l->number), o->runs);
  } else if (only->schedule.target < l->groups) {
    launch_add_trial(l, &only->schedule, o->runs);
  }
}

/* --- proofs ------------------------------------------------------------------------------------------------------- */

/* A proof is about kernels as they are, and about launches that are known: those of the capture. */
static int read_proofs(amplify *a, error *e) {
  const amplify_options *o = a->options;
  if (!o->trust_proofs || o->replay != NULL || o->mutant != 0 || !amplify_replays(a)) {
    return 0;
  }
  const char *path = amplify_case(a)->capture.path;
  buffer scratch = {0};
  buffer_printf(&scratch, "%s.files", path);
  const int result = proved_read(a->base.db, path, buffer_text(&scratch), &a->proved, e);
  buffer_free(&scratch);
  return result;
}

/* Why all launches of this one's kernel are proved to have one result; NULL: they are not. */
static const char *proof_of(const amplify *a, const gated_launch *l) {
  const char *name = kernel_name(a, l);
  uint64_t launches = 0;
  for (size_t i = 0; i < a->launch_count; i++) {
    launches += strcmp(kernel_name(a, &a->launches[i]), name) == 0 ? 1 : 0;
  }
  return proved_words(&a->proved, name, launches);
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static int plan_launch(amplify *a, gated_launch *l, error *e) {
  const known_program p = session_program_at(a->session, l->program);
  const char *proof = proof_of(a, l);
  l->skipped = schedule_obstacle(l);
  if (l->skipped[0] == '\0' && proof != NULL) {
    l->skipped = proof;
    a->out->proved++;
  }
  l->meant = schedule_is_meant(&p.result->model, l->kernel);
  if (l->skipped[0] == '\0') {
    add_trials(a, l);
    l->skipped = l->trial_count > 0 ? "" : "it has none of the work-groups of --targets";
  }
  a->out->launches++;
  a->out->gated += l->trial_count > 0 ? 1 : 0;
  a->out->most_groups = l->groups > a->out->most_groups ? l->groups : a->out->most_groups;
  const db_launch row = {
      .number = l->number, .groups = l->groups, .local = l->local, .together = l->together, .skipped = l->skipped};
  return db_put_launch(a->base.db, amplify_case(a)->row, p.stored->kernels[l->kernel], &row, &l->row, e);
}

int amplify_plan(amplify *a, error *e) {
  int result = read_proofs(a, e);
  schedule_fill_together(a->launches, a->launch_count);
  for (size_t i = 0; i < a->launch_count && result == 0; i++) {
    a->out->launches_all++;
    if (is_selected(a, &a->launches[i])) {
      result = plan_launch(a, &a->launches[i], e);
    }
  }
  return result;
}
