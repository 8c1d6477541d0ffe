/* The original, several times; then what it reaches, how long its kernels take and how long they take in schemas. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "runner/campaign_internal.h"
#include "runner/protocol.h"

enum { FUEL_FACTOR = 100, FUEL_LEAST = 10000, TAIL = 800 };

/* --- the original ------------------------------------------------------------------------------------------------- */

/* The end of what the program wrote; compilers' words about a kernel may be on either. */
static void append_last_words(const campaign_job *j, buffer *out) {
  char text[TAIL + 1];
  int descriptors[] = {j->job.output, j->job.errors};
  const char *lead = "; its last words:\n";
  for (size_t i = 0; i < 2; i++) {
    off_t size = lseek(descriptors[i], 0, SEEK_END);
    ssize_t n = size <= 0 ? 0 : pread(descriptors[i], text, TAIL, size > TAIL ? size - TAIL : 0);
    while (n > 0 && text[n - 1] == '\n') {
      n--;
    }
    if (n > 0) {
      text[n] = '\0';
      buffer_printf(out, "%s%s", lead, text);
      lead = "\n";
    }
  }
}

static void say_failed(campaign *c, const campaign_job *j) {
  buffer text = {0};
  const char *name = c->options->tests[j->test].name;
  if (j->job.timed_out) {
    buffer_printf(&text, "%s ran longer than %g seconds without any mutant", name, j->job.limit);
  } else if (j->job.status > 128) {
    buffer_printf(&text, "%s fails without any mutant: killed by signal %d (%s)", name, j->job.status - 128,
                  strsignal(j->job.status - 128));
  } else {
    buffer_printf(&text, "%s fails without any mutant: exit status %d", name, j->job.status);
  }
  append_last_words(j, &text);
  (void)snprintf(c->out->why, sizeof c->out->why, "%s", buffer_text(&text));
  c->out->baseline_failed = true;
  buffer_free(&text);
}

static int plain_ended(campaign *c, campaign_job *j, error *e) {
  (void)e;
  test_state *t = &c->tests[j->test];
  c->out->status = j->job.status > c->out->status ? j->job.status : c->out->status;
  if (j->job.status != 0 || j->job.timed_out) {
    if (!c->out->baseline_failed) {
      say_failed(c, j);
    }
    return 0;
  }
  t->seconds = j->job.seconds > t->seconds ? j->job.seconds : t->seconds;
  if (t->plain.processes == NULL && t->plain.output[0] == '\0') {
    t->plain = j->seen;
    j->seen = (transcript){0};
  } else {
    transcript_learn(&t->plain, &j->seen);
  }
  return 0;
}

/* `runs` jobs of a kind for each test case. */
static int run_all(campaign *c, run_kind kind, unsigned runs, int (*ended)(campaign *, campaign_job *, error *),
                   error *e) {
  size_t count = c->options->test_count * runs;
  campaign_job **jobs = mem_calloc(count + 1, sizeof(campaign_job *));
  for (size_t i = 0; i < count; i++) {
    jobs[i] = campaign_job_new(c, kind, i % c->options->test_count);
  }
  int result = campaign_run_jobs(c, jobs, count, ended, e);
  free(jobs);
  return result;
}

static int store_unstable(campaign *c, size_t test, const char *what, double share, error *e) {
  campaign_note(c, "%s: %s differs from run to run without any mutant (%.3g %% of its bytes, which are no evidence)",
                c->options->tests[test].name, what, share * 100);
  return db_add_unstable(c->db, c->tests[test].row, what, share, e);
}

/* Names the outputs that differ from run to run; all reads of one argument of one kernel launch are one. */
static int store_unstable_reads(campaign *c, size_t test, error *e) {
  const transcript *t = &c->tests[test].plain;
  int result = 0;
  for (size_t p = 0; p < t->count; p++) {
    for (size_t i = 0; i < t->processes[p].count && result == 0; i++) {
      const transcript_read *r = &t->processes[p].reads[i];
      if (!r->unstable) {
        continue;
      }
      char what[512];
      if (r->kernel[0] == '\0') {
        (void)snprintf(what, sizeof what, "read %zu of the host", i + 1);
      } else {
        (void)snprintf(what, sizeof what, "argument %u of kernel %s after its launch %llu", (unsigned)r->argument,
                       r->kernel, (unsigned long long)r->launch);
      }
      result = store_unstable(c, test, what, transcript_varying(r), e);
    }
  }
  if (result == 0 && t->unstable_count && c->options->oracle == ORACLE_READS) {
    result = store_unstable(c, test, "how often the host reads from the device", 1.0, e);
  }
  if (result == 0 && t->unstable_output && c->options->oracle == ORACLE_OUTPUT) {
    result = store_unstable(c, test, "standard output (see --ignore)", 1.0, e);
  }
  return result;
}

static size_t stable_reads(const transcript *t) {
  size_t count = 0;
  for (size_t p = 0; p < t->count; p++) {
    for (size_t i = 0; i < t->processes[p].count; i++) {
      const transcript_read *r = &t->processes[p].reads[i];
      count += r->there && (!r->unstable || transcript_varying(r) < 1) ? 1 : 0;
    }
  }
  return count;
}

int campaign_baseline(campaign *c, error *e) {
  campaign_phase_begin(c, PHASE_BASELINE, c->options->test_count * c->options->runs);
  if (run_all(c, RUN_PLAIN, 1, plain_ended, e) != 0) {
    return -1;
  }
  if (c->out->baseline_failed || c->out->interrupted) {
    return 0;
  }
  if (c->options->runs > 1 && run_all(c, RUN_PLAIN, c->options->runs - 1, plain_ended, e) != 0) {
    return -1;
  }
  for (size_t t = 0; t < c->options->test_count && !c->out->interrupted && !c->out->baseline_failed; t++) {
    if (store_unstable_reads(c, t, e) != 0) {
      return -1;
    }
    if (c->options->oracle == ORACLE_READS && c->program_count > 0 && stable_reads(&c->tests[t].plain) == 0) {
      campaign_note(
          c,
          "%s reads nothing back from the device that is the same in every run: only its exit status can tell "
          "mutants apart (or its output, with --oracle output)",
          c->options->tests[t].name);
    }
  }
  return 0;
}

/* --- reach, times --------------------------------------------------------------------------------------------------
 */

/* Leaves a program out of the campaign, with its reason. */
static int leave_out(campaign *c, campaign_program *p, const char *refused, error *e) {
  const char *line = refused == NULL ? NULL : strstr(refused, "error:");
  buffer reason = {0};
  if (refused == NULL) {
    buffer_puts(&reason, "with its schema the test does not end as with the original");
  } else {
    buffer_printf(&reason, "the device's compiler refused its schema: %.300s", line == NULL ? refused : line);
  }
  p->reason = buffer_take(&reason);
  return db_add_skipped(c->db, c->run, p->name, p->reason, e);
}

/* A schema that is refused costs its own program; one that changes how the test ends may be any. */
static int schema_ended(campaign *c, campaign_job *j, error *e) {
  bool failed = j->refused != NULL || j->job.status != 0;
  for (size_t i = 0; i < c->program_count && failed; i++) {
    campaign_program *p = c->programs[i];
    bool meant = j->refused == NULL || j->refused_program == MODEL_NONE || j->refused_program == i;
    if (meant && p->reason == NULL && p->schema.mutant_count > 0 && leave_out(c, p, j->refused, e) != 0) {
      return -1;
    }
  }
  if (j->kind == RUN_SCHEMA || j->kind == RUN_REACH) {
    c->first_seconds += j->job.seconds;
  } else if (j->kind == RUN_SCHEMA_TIMES) {
    c->second_seconds += j->job.seconds;
  }
  return 0;
}

static int nothing_ended(campaign *c, campaign_job *j, error *e) {
  (void)c;
  (void)j;
  (void)e;
  return 0;
}

/* How many loop turns a work-item of a mutant may make in all. */
static void set_fuel(campaign *c) {
  for (size_t p = 0; p < c->program_count; p++) {
    uint64_t most = 0;
    for (size_t t = 0; t < c->options->test_count; t++) {
      const test_state *s = &c->tests[t];
      if (p < s->reached_count && s->reached[p] != NULL && s->reached[p][MUTATE_WORD_FUEL] > most) {
        most = s->reached[p][MUTATE_WORD_FUEL];
      }
    }
    uint64_t fuel = most * FUEL_FACTOR + FUEL_LEAST;
    c->programs[p]->fuel = fuel >= UINT32_MAX ? UINT32_MAX - 1 : (uint32_t)fuel;
  }
}

/* What building a kernel costs: the first run of the schemas against the second. */
static void set_build_cost(campaign *c) {
  size_t kernels = 0;
  for (size_t p = 0; p < c->program_count; p++) {
    kernels += c->programs[p]->schema.model.kernel_count;
  }
  double cost = kernels == 0 ? 0 : (c->first_seconds - 2 * c->second_seconds) / (2 * (double)kernels);
  c->build_seconds = cost < 0.05 ? 0.05 : cost;
}

int campaign_prepare(campaign *c, error *e) {
  campaign_phase_begin(c, PHASE_PREPARE, c->options->test_count * 4);
  static const struct {
    run_kind kind;
    int (*ended)(campaign *, campaign_job *, error *);
  } steps[] = {{RUN_REACH, schema_ended},
               {RUN_SCHEMA, schema_ended},
               {RUN_SCHEMA_TIMES, schema_ended},
               {RUN_TIMES, nothing_ended}};
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    if (run_all(c, steps[i].kind, 1, steps[i].ended, e) != 0) {
      return -1;
    }
    if (c->out->interrupted) {
      return 0;
    }
  }
  set_fuel(c);
  set_build_cost(c);
  return 0;
}
