/* cltestcheck mutate: runs a mutation campaign and reports on it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interval.h"
#include "base/say.h"
#include "cli/git.h"
#include "cli/options.h"
#include "cli/output.h"
#include "reports/common/json.h"
#include "runner/build/build.h"
#include "runner/experiment/run_words.h"

static json_t *mutant_value(const mutate_result *r, const mutant *m) {
  return value_object({"id", json_integer(m->id)}, {"file", value_string(r->model.files[m->file].name)},
                      {"line", json_integer(m->line)}, {"column", json_integer(m->column)},
                      {"operator", value_string(mutate_operators[m->op].name)},
                      {"function", value_string(r->model.functions[m->function].name)},
                      {"original", value_string(m->original)}, {"replacement", value_string(m->replacement)},
                      {"description", m->description == NULL ? json_null() : value_string(m->description)},
                      {"suppressed", json_boolean(m->suppressed)});
}

/* A file with its mutants. */
typedef struct listed_file {
  program_request request;
  mutate_result r;
  bool *chosen; /* one per mutant */
} listed_file;

static int read_file(const char *path, char **built_with, const campaign_options *selected, listed_file *f, error *e) {
  if (request_of_file(&f->request, path, built_with, e) != 0 ||
      build_mutated(&f->request, &(build_mutants){0}, &f->r, e) != 0)
    return -1;
  f->chosen = mem_calloc(f->r.mutant_count + 1, sizeof *f->chosen);
  for (size_t i = 0; i < f->r.mutant_count; i++)
    f->chosen[i] = campaign_selects(selected, &f->r.model, &f->r.mutants[i]);
  return 0;
}

/* As a campaign does that builds these files one after another. */
static void draw(const campaign_options *selected, const listed_file *files, size_t file_count) {
  scoped selection *all = NULL;
  size_t count = 0, capacity = 0;
  for (size_t f = 0; f < file_count; f++) {
    for (size_t i = 0; i < files[f].r.mutant_count; i++) {
      const mutant *m = &files[f].r.mutants[i];
      *ARRAY_ADD(all, count, capacity) = (selection){m->id, m->suppressed, &files[f].chosen[i]};
    }
  }
  campaign_draw(selected, all, count);
}

/* `json` NULL: as text. Returns how many there are. */
static size_t print_file(const listed_file *f, json_t *json) {
  size_t count = 0;
  for (size_t i = 0; i < f->r.mutant_count; i++) {
    if (f->chosen[i] && json != NULL)
      value_add(json, mutant_value(&f->r, &f->r.mutants[i]));
    else if (f->chosen[i]) {
      /* Listing mutants. */
      say(stdout, "%10u  %s:%u:%u  %-7s  %s: ", (unsigned)f->r.mutants[i].id,
          f->r.model.files[f->r.mutants[i].file].name, (unsigned)f->r.mutants[i].line, (unsigned)f->r.mutants[i].column,
          mutate_operators[f->r.mutants[i].op].name, f->r.model.functions[f->r.mutants[i].function].name);
      if (f->r.mutants[i].description != NULL)
        say(stdout, "%s: %s", f->r.mutants[i].original, f->r.mutants[i].description);
      else if (f->r.mutants[i].replacement[0] == '\0')
        say(stdout, "%s deleted", f->r.mutants[i].original);
      else
        say(stdout, "%s -> %s", f->r.mutants[i].original, f->r.mutants[i].replacement);
      say(stdout, "%s\n",
          f->r.mutants[i].suppressed ? "  (suppressed)"
          : f->r.mutants[i].invalid  ? "  (does not compile)"
                                     : "");
    }
    count += f->chosen[i] ? 1 : 0;
  }
  return count;
}

static void free_files(listed_file *files, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mutate_free(&files[i].r);
    request_free(&files[i].request);
    free(files[i].chosen);
  }
  free(files);
}

/* A list is text or, with --format json, one JSON array on standard output; formats of a configuration are those of
 * reports. */
static int find_format(const command_line *s, bool *json, error *e) {
  EACH(const assignment, a, s->assigned->items, s->assigned->count) {
    if (a->level != FROM_COMMAND_LINE || strcmp(a->option->name, "format") != 0) continue;
    if (strcmp(a->value, "json") != 0 && strcmp(a->value, "json=-") != 0 && strcmp(a->value, "text") != 0) {
      return error_set(e, EXIT_USAGE, "--list prints text or, with --format json, JSON to standard output, not \"%s\"",
                       a->value);
    }
    *json = strcmp(a->value, "text") != 0;
  }
  return 0;
}

enum { DEFAULT_LIMIT = 10, LINE_SECONDS = 60 /* between lines of progress without a terminal */ };

typedef struct mutate_run {
  const settings *settings;
  plan plan;
  recorded_run recorded; /* lends the plan what an earlier run knows */
  campaign_options options;
  line_ranges lines;
  changed_lines changed;
  char *identity; /* of the command, for --resume */
  db *db;
  int64_t run;
  campaign_outcome out;
  progress_line line;
  double line_written; /* without a terminal: when the last one was */
} mutate_run;

/* --- progress ----------------------------------------------------------------------------------------------------- */

static const char *const phase_names[] = {
    [PHASE_BASELINE] = "original", [PHASE_CAPTURE] = "capturing",          [PHASE_PREPARE] = "preparing",
    [PHASE_RUNS] = "mutants",      [PHASE_EQUIVALENCE] = "comparing code",
};

/* Without a terminal a line now and then, from the moment on that a short campaign would be over. */
static bool is_due(mutate_run *r) {
  const double now = clock_now();
  const bool due = now - r->line_written > LINE_SECONDS;
  r->line_written = due ? now : r->line_written;
  return due;
}

static void show_progress(void *context, const experiment_progress *common) {
  mutate_run *r = context;
  const campaign_progress *p = (const campaign_progress *)common;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (r->settings->report.quiet || p->common.total == 0 || (!terminal && !is_due(r))) return;
  scoped_buffer line = {0};
  /* "mutants 40/128  3.1/s  survived 6  score 83.3 % (69 to 92)  0:40 left" */
  size_t decided = 0;
  for (size_t s = 0; s < MUTANT_STATUSES; s++) decided += p->of[s];
  if (p->common.phase == PHASE_RUNS)
    buffer_printf(&line, "%s %zu/%zu", phase_names[p->common.phase], decided, p->mutants);
  else
    buffer_printf(&line, "%s %zu/%zu", phase_names[p->common.phase], p->common.done, p->common.total);
  if (p->rate > 0) buffer_printf(&line, "  %.*f/s", p->rate < 10 ? 1 : 0, p->rate);
  if (p->of[MUTANT_SURVIVED] > 0) buffer_printf(&line, "  survived %zu", p->of[MUTANT_SURVIVED]);
  /* The score of those drawn so far, with its interval: "score 83.3 % (69 to 92)". */
  const size_t killed = p->of[MUTANT_KILLED];
  const size_t counted = killed + p->of[MUTANT_UNDECIDED] + p->of[MUTANT_SURVIVED] + p->of[MUTANT_NO_COVERAGE];
  const size_t left = p->mutants > decided ? p->mutants - decided : 0;
  if (counted > 0) {
    const interval i = interval_of(killed, counted, counted + left);
    buffer_printf(&line, "  score %.1f %%", 100 * (double)killed / (double)counted);
    if (left > 0) buffer_printf(&line, " (%.0f to %.0f)", 100 * i.low, 100 * i.high);
  }
  if (p->common.remaining >= 0)
    buffer_printf(&line, "  %u:%02u left", (unsigned)p->common.remaining / 60, (unsigned)p->common.remaining % 60);
  if (terminal) {
    progress_show(&r->line, buffer_text(&line));
  } else {
    (void)fprintf(stderr, "cltestcheck: %s\n", buffer_text(&line));
    (void)fflush(stderr);
  }
}

static void show_note(void *context, const char *text) { progress_note(&((mutate_run *)context)->line, text); }

/* --- before ------------------------------------------------------------------------------------------------------- */

static int read_lines(mutate_run *r, error *e) {
  const settings *s = r->settings;
  if (line_ranges_read(s->sources.lines.items, s->sources.lines.count, &r->lines, e) != 0) return -1;
  r->options.lines = r->lines.items;
  r->options.line_count = r->lines.count;
  if (s->report.since == NULL) return 0;
  if (s->sources.lines.count > 0)
    return error_set(e, EXIT_USAGE, "--lines and --since both choose lines; give one of them");
  if (changed_lines_read(s->report.since, &r->changed, e) != 0) return -1;
  static const line_range none = {"", 0, 0}; /* nothing changed: no line is chosen */
  r->options.lines = r->changed.count > 0 ? r->changed.items : &none;
  r->options.line_count = r->changed.count > 0 ? r->changed.count : 1;
  return 0;
}

/* What the settings say, and what the command makes of it. */
static void take_options(mutate_run *r) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  campaign_options *o = &r->options;
  *o = r->settings->campaign;
  o->common = experiment_of(r->settings, processors > 0 ? (unsigned)processors : 1);
  o->common.limit = o->common.limit > 0 ? o->common.limit : DEFAULT_LIMIT;
  o->common.output = o->common.oracle == ORACLE_OUTPUT;
  o->reveal = o->common.oracle != ORACLE_READS;
  o->common.oracle = ORACLE_READS; /* what kills; the others say what the program is asked for */
  o->verbose = r->settings->report.verbose;
}

static int find_run(mutate_run *r, const char *identity, error *e) {
  if ((r->db == NULL && db_open(&r->db, r->settings->report.database, DB_WRITE, e) != 0) ||
      db_find_unfinished(r->db, "mutate", identity, &r->run, e) != 0)
    return -1;
  return r->run != 0 ? 0
                     : error_set(e, EXIT_USAGE,
                                 "--resume: %s has no unfinished run of this command with these options; start it "
                                 "without --resume",
                                 r->settings->report.database);
}

/* A run that is gone on with knows its program, where the command line names none: the newest that is not complete. */
static int make_plan(mutate_run *r, error *e) {
  const settings *s = r->settings;
  if (!s->mutation.resume || s->given.command != NULL || s->given.positional.count > 0)
    return planning_make(s, &r->plan, e);
  const plan_words asked = planning_words(s);
  return find_run(r, "", e) != 0 ? -1 : recorded_run_plan(&asked, r->db, r->run, &r->plan, &r->recorded, e);
}

/* A threshold that is asked of this command must be one that it can miss. */
static int check_thresholds(const command_line *s, error *e) {
  EACH(const assignment, a, s->assigned->items, s->assigned->count) {
    bool asked = a->value != NULL && (a->level == FROM_COMMAND_LINE || a->level == FROM_SECTION);
    if (asked && strcmp(a->option->name, "fail-under") == 0 && strncmp(a->value, "mutation=", 9) != 0)
      return error_set(e, EXIT_USAGE, "--fail-under %s: mutate measures no coverage; its metric is mutation", a->value);
  }
  return 0;
}

static int prepare_mutate(mutate_run *r, error *e) {
  take_options(r);
  if (check_thresholds(&r->settings->given, e) != 0 ||
      mutate_select_operators(r->settings->mutation.operators, r->options.operators, e) != 0 || make_plan(r, e) != 0 ||
      target_find(&r->settings->device, TARGET_ALIKE, &r->options.common.target, e) != 0 ||
      planning_capture(r->settings, &r->plan, &r->options.common.target, e) != 0 || read_lines(r, e) != 0)
    return -1;
  r->options.common.tests = r->plan.tests;
  r->options.common.test_count = r->plan.count;
  /* Everything that a later run must have in common to go on with this one. */
  const settings *s = r->settings;
  scoped_buffer text = {0};
  for (size_t i = 0; i < r->plan.count; i++)
    buffer_printf(&text, "%s\n%s\n%s\n", r->plan.tests[i].suite, r->plan.tests[i].name, r->plan.tests[i].line);
  buffer_printf(&text, "runs %u operators %s shard %u/%u sample %llu seed %llu oracle %s%s device %s since %s",
                s->experiment.runs, s->mutation.operators, s->experiment.shard, s->experiment.shards,
                (unsigned long long)s->campaign.sample, (unsigned long long)s->experiment.seed,
                transcript_oracle_name(s->experiment.oracle), s->experiment.races ? ",races" : "",
                r->options.common.target.device == NULL ? "" : r->options.common.target.device,
                s->report.since == NULL ? "" : s->report.since);
  const word_list *lists[] = {&s->report.kernels.wanted, &s->report.kernels.exclude, &s->sources.lines,
                              &s->experiment.ignore};
  for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++)
    for (size_t i = 0; i < lists[l]->count; i++) buffer_printf(&text, "\n%zu %s", l, lists[l]->items[i]);
  if (s->experiment.mutant > 0) buffer_printf(&text, "\nmutant %u", (unsigned)s->experiment.mutant);
  r->identity = buffer_take(&text);
  if (!r->settings->mutation.resume)
    return measure_begin(r->settings->report.database, r->settings->given.verb, r->identity, &r->db, &r->run, e);
  return find_run(r, r->identity, e) != 0 ? -1 : db_continue_run(r->db, r->run, e);
}

/* --- after -------------------------------------------------------------------------------------------------------- */

static bool all_refused(const campaign_outcome *out) { return out->refused && out->launches == 0; }

static int judge_mutate(void *context, const view *v) {
  const mutate_run *r = context;
  const campaign_outcome *out = &r->out;
  if (out->common.interrupted) return 130;
  if (out->common.baseline_failed) return EXIT_BASELINE;
  if (out->common.contradicted == 0 && out->common.failing > 0) return EXIT_BASELINE;
  if (out->common.programs == 0 || (out->common.out_of_time && out->counted == 0) || all_refused(out) ||
      say_unmatched(v, &r->settings->report.kernels))
    return EXIT_NOTHING;
  if (out->common.contradicted > 0) return EXIT_INTERNAL;
  return below_thresholds(v, &r->settings->report) || fails_on_memory(&r->settings->fail, v) != NULL ? EXIT_THRESHOLD
                                                                                                     : EXIT_FINE;
}

static bool has_mutants(void *context, const view *v) {
  (void)context;
  return v->mutant_count > 0 || v->finding_count > 0;
}

static void say_end(void *context, const view *v, int code) {
  const mutate_run *r = context;
  if (r->out.common.baseline_failed) {
    say(stderr, "cltestcheck: %s\n", r->out.common.why);
  } else if (r->out.common.interrupted) {
    (void)fputs("cltestcheck: interrupted; every verdict so far is kept, --resume goes on\n", stderr);
  } else if (r->out.common.out_of_time && r->out.counted == 0) {
    (void)fprintf(stderr, "cltestcheck: --max-time was over before any mutant had a verdict: %s; --resume goes on\n",
                  r->out.mutants > 0 ? "all are pending" : "the program had not yet run without one");
  } else if (r->out.common.processes == 0) {
    say(stderr, "cltestcheck: nothing was mutated: %s\n", no_opencl_call());
  } else if (r->out.common.programs == 0) {
    say(stderr, "cltestcheck: nothing was mutated: %s\n",
        v->skipped_count > 0 ? v->skipped[0].reason : "no kernel with a place to mutate was built from source");
  } else if (r->out.mutants == 0 && !leaves_no_kernel(v, &r->settings->report.kernels)) {
    (void)fputs(
        "cltestcheck: no mutant is left by --operators, --kernel, --lines, --since, --mutant, --sample and --shard\n",
        stderr);
  } else if (all_refused(&r->out)) {
    (void)fputs("cltestcheck: no mutant was run: the device refused every launch\n", stderr);
  } else if (r->out.common.contradicted > 0) {
    say(stderr,
        "cltestcheck: %zu of %zu mutants that were run with both engines have two statuses (above): use "
        "--engine rerun for this program, and report it\n",
        r->out.common.contradicted, r->out.common.verified);
  } else if (r->out.common.out_of_time) {
    (void)fprintf(stderr,
                  "cltestcheck: --max-time is over: %zu of %zu mutants are not decided, and the score is that of the "
                  "others, which were drawn at random; --resume goes on\n",
                  r->out.mutants - r->out.decided, r->out.mutants);
  }
  say_failing(&r->out.common, "without any mutant",
              "a mutant is killed where it makes them do something else until then, and none is revealed by them");
  if (!r->settings->report.quiet) framework_hint(&r->settings->tests, r->settings->given.command);
  if (r->out.common.device_denied && r->out.common.programs == 0)
    say_denied(&r->settings->given, &r->options.common.target, r->out.common.denied_type);
  if (code == EXIT_THRESHOLD) {
    say_below(v, &r->settings->report, false);
    say_fails_on_memory(&r->settings->fail, v);
  }
}

static const measure_words words_of = {judge_mutate, has_mutants, NULL, say_end};

static int run_mutate(mutate_run *r, error *e) {
  campaign_outcome *out = &r->out;
  const experiment_listener listener = {r, show_progress, show_note};
  int result = campaign_run(r->db, r->run, &r->options, &listener, out, e);
  progress_wipe(&r->line);
  if (result != 0) return -1;
  const bool whole = !out->common.interrupted && !out->common.out_of_time;
  if (whole && db_end_run(r->db, r->run, out->common.device, out->common.status, e) != 0) return -1;
  return db_commit(r->db, e);
}

static int list(mutate_run *r, error *e) {
  take_options(r);
  if (mutate_select_operators(r->settings->mutation.operators, r->options.operators, e) != 0 || read_lines(r, e) != 0)
    return -1;
  /* A line for each mutant that campaign_selects. */
  bool as_json = false;
  if (find_format(&r->settings->given, &as_json, e) != 0) return -1;
  if (r->settings->given.positional.count == 0)
    return error_set(e, EXIT_USAGE, "--list wants kernel files: cltestcheck mutate --list FILE.cl… [-- BUILD OPTIONS]");
  const size_t file_count = r->settings->given.positional.count;
  listed_file *files = mem_calloc(file_count, sizeof *files);
  for (size_t i = 0; i < file_count; i++) {
    if (read_file(r->settings->given.positional.items[i], r->settings->given.command, &r->options, &files[i], e) != 0) {
      free_files(files, i + 1);
      e->code = e->code == EXIT_INTERNAL ? EXIT_USAGE : e->code; /* the file is at fault, not we */
      return -1;
    }
  }
  draw(&r->options, files, file_count);
  size_t count = 0;
  json_t *json = as_json ? json_array() : NULL;
  for (size_t i = 0; i < file_count; i++) count += print_file(&files[i], json);
  if (as_json) {
    (void)json_dumpf(json, stdout, JSON_INDENT(2));
    (void)fputc('\n', stdout);
    json_decref(json);
  }
  free_files(files, file_count);
  say(stderr, "cltestcheck: %zu mutant%s\n", count, count == 1 ? "" : "s");
  return EXIT_FINE;
}

static int cmd_mutate(const settings *s, error *e) {
  mutate_run r = {.settings = s, .line_written = clock_now()};
  const int code = s->mutation.list ? list(&r, e)
                   : prepare_mutate(&r, e) != 0 || run_mutate(&r, e) != 0
                       ? -1
                       : measure_report(&s->report, r.db, r.run, &words_of, &r);
  line_ranges_free(&r.lines);
  changed_lines_free(&r.changed);
  db_close(r.db);
  plan_free(&r.plan);
  recorded_run_free(&r.recorded);
  target_free(&r.options.common.target);
  free(r.identity);
  return code;
}

const command command_mutate = {
    "mutate",
    "find out how many faults in the kernels the tests would notice",
    "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
    "Makes small faults (mutants) in the OpenCL kernels that the program builds, one at a time, and runs the "
    "program with each: a test that cannot tell the mutant from the original has a gap. A mutant is killed when every "
    "run differs: in what the host reads back, in exit status, by a crash or by time; what differs without a mutant, "
    "too, is no evidence. The program's output is not shown.",
    "cltestcheck mutate --runs 5 --kernel 'gemm*' -- ./my_tests",
    cmd_mutate,
    FOR_MUTATE};
