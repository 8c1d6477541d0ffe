/* cltestcheck repair: patches of kernel files that have races and barrier divergence. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/lines.h"
#include "base/say.h"
#include "cli/git.h"
#include "cli/output.h"
#include "cli/proving.h"
#include "proofs/client/request.h"
#include "proofs/repair/file.h"

typedef struct repair_command {
  const settings *settings;
  repair_options options;
  experiment_options experiments;
  line_ranges lines;
  verify_inputs inputs;
  char *engine;
  prover prover;
  second_opinion opinion;
  db *db;
  int64_t run;
  bool *done;      /* a source: it need not be looked at */
  size_t chosen;   /* kernels */
  word_list names; /* of kernels, owned */
  bool remains;
  int code; /* of files that cannot be worked on; 0: of none */
  progress_line line;
  double said; /* when progress was */
} repair_command;

/* The name of the file for `patch`, which takes none that begins with a slash. */
static const char *diff_name(const repair_file *f) {
  const char *path = f->disk == NULL ? f->path : f->disk;
  char here[PATH_MAX];
  const size_t length = getcwd(here, sizeof here) == NULL ? 0 : strlen(here);
  if (length > 0 && strncmp(path, here, length) == 0 && path[length] == '/') path += length;
  while (path[0] == '/' || strncmp(path, "./", 2) == 0) path += path[0] == '/' ? 1 : 2;
  return path;
}

static void note_repair(void *context, const char *text) {
  repair_command *c = context;
  if (!c->settings->report.quiet) progress_note(&c->line, text);
}

/* On a terminal a line that is written over, else one in each ten seconds. */
static void show_progress(void *context, const char *path, size_t tries, double seconds, double most) {
  enum { LINE_SECONDS = 10 };
  repair_command *c = context;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const double now = clock_now();
  c->said = tries == 0 ? now : c->said;
  if (c->settings->report.quiet || (!terminal && now < c->said + LINE_SECONDS)) return;
  c->said = now;
  scoped_buffer line = buffer_with("%s: %zu change%s tried, %.0f of at most %.0f seconds", path, tries,
                                   tries == 1 ? "" : "s", seconds, most);
  if (terminal)
    progress_show(&c->line, buffer_text(&line));
  else
    progress_note(&c->line, buffer_text(&line));
}

static int second_opinion_of_patch(void *context, const asked_source *s, proved_kernel *k, error *e) {
  repair_command *c = context;
  progress_wipe(&c->line);
  return second_opinion_give(&c->opinion, s, k, e);
}

/* What was found is handed over only when all agree on it. */
static int hand_over(repair_command *c, repair_file *f, error *e) {
  const bool changes = repair_changes(&f->repair);
  const repair_programs programs = {c->inputs.sources, c->inputs.count, c->inputs.captures, c->inputs.capture_count,
                                    c->inputs.scratch};
  if (repair_judge(f, &c->options, e) != 0) return -1;
  if (changes && !f->failed &&
      (repair_file_check(f, &c->options, e) != 0 ||
       repair_check_builds(f, &programs, &c->prover, c->done, &c->remains, e) != 0 ||
       repair_check_launches(f, &programs, &c->options, e) != 0 || repair_check_tests(f, &c->options, e) != 0))
    return -1;
  const bool offered = changes && !f->failed;
  const bool in_place = offered && c->settings->repair.in_place && f->disk != NULL;
  if (in_place && repair_file_replace(f->disk, &f->result, e) != 0) return -1;
  scoped_buffer report = {0}, diff = {0};
  if (offered)
    diff_write(diff_name(f), f->repair.text, f->repair.length, buffer_text(&f->result), f->result.length, &diff);
  if (!in_place) (void)fwrite(buffer_text(&diff), 1, diff.length, stdout);
  repair_report(f, in_place, &report);
  if (!c->settings->report.quiet) say(stderr, "%s", buffer_text(&report));
  kept_source kept;
  int result = kept_source_open(c->db, c->run, f->source, &c->prover.options, &kept, e);
  if (result == 0) {
    const db_repair r = {.run = c->run,
                         .name = f->path,
                         .outcome = repair_outcome_name(f),
                         .report = buffer_text(&report),
                         .patch = buffer_text(&diff)};
    result = db_add_repair(c->db, kept.stored.id, &r, e);
  }
  kept_source_free(&kept);
  return result;
}

static int repair_one(repair_command *c, size_t i, error *e) {
  asked_source *source = &c->inputs.sources[i];
  if (source->problem != NULL) {
    /* What is launched of a source that cannot be read here has arguments without names. */
    say(stderr, "cltestcheck: %s: its kernels are not repaired: %s\n", asked_text(source)->name, source->problem);
    c->remains = true;
    return 0;
  }
  if (c->done[i] || (source->observed && source->kernel_count == 0)) return 0;
  const char *path = source->observed ? NULL : c->settings->given.positional.items[i];
  repair_file f;
  int result = repair_file_open(&f, &c->options, path, source, &c->prover, e);
  size_t chosen = 0;
  for (size_t k = 0; k < f.repair.kernel_count; k++) {
    chosen += f.repair.kernels[k].chosen ? 1 : 0;
    *ARRAY_ADD(c->names.items, c->names.count, c->names.capacity) = mem_strdup(f.repair.kernels[k].name);
  }
  c->chosen += chosen;
  if (result == 0 && chosen > 0) {
    result = repair_file_search(&f, e);
    progress_wipe(&c->line);
    result = result != 0 || hand_over(c, &f, e) != 0 ? -1 : 0;
    c->remains = c->remains || (result == 0 && repair_remains(&f));
  }
  repair_file_close(&f);
  return result;
}

static int take_options(repair_command *c, error *e) {
  const settings *s = c->settings;
  if (line_ranges_read(s->sources.lines.items, s->sources.lines.count, &c->lines, e) != 0) return -1;
  repair_options *o = &c->options;
  *o = s->repair;
  o->verify = prove_options_of(s);
  o->kernels = s->report.kernels;
  o->lines = c->lines.items;
  o->line_count = c->lines.count;
  o->max_time = s->experiment.max_time;
  o->device = s->device.name;
  o->platform = s->device.platform;
  o->quiet = s->report.quiet;
  o->experiments = &c->experiments;
  o->second = second_opinion_of_patch;
  o->progress = show_progress;
  o->context = c;
  return 0;
}

/* Launches are run where there is a capture. */
static int find_target(repair_command *c, error *e) {
  c->experiments = experiment_of(c->settings, 1);
  return c->inputs.capture_count == 0 ? 0 : target_find(&c->settings->device, TARGET_ONE, &c->experiments.target, e);
}

static int run_repair(repair_command *c, error *e) {
  const settings *s = c->settings;
  c->engine = engine_find(e);
  c->opinion = (second_opinion){.note = note_repair, .context = c};
  second_opinion_begin(&c->opinion, s);
  if (c->engine == NULL || take_options(c, e) != 0 || verify_inputs_gather(s, true, &c->inputs, e) != 0 ||
      find_target(c, e) != 0)
    return -1;
  /* Parameters of kernels, and what host code says of those of files. */
  for (size_t i = 0; i < c->inputs.count; i++) {
    asked_source *source = &c->inputs.sources[i];
    error ignored;
    const bool read = source->observed || asked_source_read(source, &ignored) == 0;
    if (read && c->inputs.host.given) {
      asked_source_choose(source, &(kernel_choice){0});
      verify_host_apply(&c->inputs.host, source);
    }
  }
  if (db_open(&c->db, s->report.database, DB_WRITE, e) != 0 ||
      db_begin_run(c->db, "repair", CLTC_VERSION, &c->run, e) != 0 || revision_keep(c->db, c->run, e) != 0 ||
      verify_inputs_keep(&c->inputs, c->db, c->run, e) != 0)
    return -1;
  verify_inputs_say(&c->inputs);
  c->done = mem_calloc(c->inputs.count + 1, sizeof *c->done);
  interrupts signals;
  interrupts_begin(&signals, false);
  c->prover = (prover){.engine = c->engine, .options = repair_question(&c->options.verify), .signals = &signals};
  int result = 0;
  for (size_t i = 0; i < c->inputs.count && result == 0; i++) {
    if (repair_one(c, i, e) == 0) continue;
    if (e->code == EXIT_USAGE) /* the next one may do */
      c->code = say_error(e);
    else
      result = -1;
  }
  interrupts_end(&signals);
  if (result == 0) {
    result =
        db_end_run(c->db, c->run, "", c->remains ? EXIT_FOUND : EXIT_FINE, e) != 0 || db_commit(c->db, e) != 0 ? -1 : 0;
  }
  return result;
}

static int cmd_repair(const settings *s, error *e) {
  repair_command c = {.settings = s};
  int code = EXIT_FINE;
  const int result = run_repair(&c, e);
  if (result == 0) second_opinion_say(&c.opinion);
  const bool unmatched = result == 0 && say_unmatched_of(&c.names, &s->report.kernels);
  if (result != 0) {
    code = -1;
  } else if (c.opinion.contradicted > 0) {
    code = EXIT_INTERNAL;
  } else if (c.code != 0) {
    code = c.code;
  } else if (c.inputs.failed) {
    code = EXIT_BASELINE;
  } else if (c.chosen == 0) {
    if (!unmatched) say(stderr, "cltestcheck: nothing was repaired: there is no kernel\n");
    code = EXIT_NOTHING;
  } else if (c.remains) {
    code = EXIT_FOUND;
  }
  second_opinion_end(&c.opinion);
  verify_inputs_free(&c.inputs);
  target_free(&c.experiments.target);
  line_ranges_free(&c.lines);
  mem_free_all(c.names.items, c.names.count);
  free(c.done);
  free(c.engine);
  db_close(c.db);
  return code;
}

const command command_repair = {
    "repair",
    "make a patch that removes races and barrier divergence",
    "[OPTIONS] (FILE.cl… [-- BUILD OPTIONS] | BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
    "Verifies kernels as `cltestcheck verify` does, and for those with a race inside of a work-group or a barrier that "
    "not all work-items reach looks for the cheapest change of barriers with which they are proved: put in, moved, "
    "taken out, or with another fence. Prints the change as a unified diff for `git apply` or `patch -p1`, or makes it "
    "with --in-place; says what was wrong and what was changed on standard error. Exits with 3 when something remains "
    "that barriers cannot repair. It needs what `cltestcheck verify` needs.",
    "cltestcheck repair --local 64 kernels.cl | git apply",
    cmd_repair,
    FOR_REPAIR};
