/* A run of an experiment that measures, as commands make one or several of it (measuring.c, cmd_check.c). */
#ifndef CLTC_CLI_MEASURED_H
#define CLTC_CLI_MEASURED_H

#include "cli/measuring.h"
#include "cli/target.h"
#include "runner/plan/plan.h"

typedef struct measured {
  const measuring_command *command;
  const settings *settings;
  plan plan;
  target target;
  char **recorded; /* command line of the recorded test case, NULL: it has none */
  measure_options options;
  experiment_listener listener;
  db *db;
  int64_t id;
  measure_outcome out;
} measured;

/* Plans and runs it, as run `id` of the database, which stays open. `r` has its command; to be freed in every case. */
int measured_run(measured *r, error *e);
void measured_free(measured *r);
/* The exit code of its view, and sentences on how it ended. */
int measured_judge(const measured *r, const view *v);
void measured_say(const measured *r, const view *v, int code);

#endif
