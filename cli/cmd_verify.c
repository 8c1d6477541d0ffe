/* cltestcheck verify: proofs of race and divergence freedom of kernels, and counterexamples. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/proving.h"
#include "proofs/client/request.h"
#include "proofs/opinion/opinion.h"
#include "runner/experiment/run_words.h"

typedef struct verify_command {
  const settings *settings;
  verify_inputs inputs;
  char *engine;
  prover prover;
  db *db;
  int64_t run;
  kept_source kept; /* the source that is being worked on */
  confirm_options confirm;
  second_opinion opinion;
  size_t kernels;      /* to be verified, as far as is known */
  size_t done, reused; /* of them */
  size_t found;        /* with a definite finding */
  bool unmatched;      /* --kernel and --exclude leave none of the kernels, which was said */
  int code;            /* of sources that cannot be worked on; 0: of none */
  progress_line line;
} verify_command;

static void show_progress(verify_command *c, const char *doing) {
  if (c->settings->report.quiet || isatty(STDERR_FILENO) == 0) return;
  char line[200];
  int n = snprintf(line, sizeof line, "%zu/%zu kernels", c->done, c->kernels);
  if (c->found > 0) n += snprintf(line + n, sizeof line - (size_t)n, "  races and other faults %zu", c->found);
  if (doing != NULL) (void)snprintf(line + n, sizeof line - (size_t)n, "  %.60s", doing);
  progress_show(&c->line, line);
}

static void note_verify(void *context, const char *text) {
  verify_command *c = context;
  if (!c->settings->report.quiet) progress_note(&c->line, text);
}

static char *recall(void *context, const char *key) {
  verify_command *c = context;
  char *answer = NULL;
  error ignored;
  return c->settings->verify.no_cache || db_find_proof(c->db, key, &answer, &ignored) != 0 ? NULL : answer;
}

/* Of sources that could not be read here the engine names kernels that nobody wants. */
static bool chosen(const verify_command *c, const char *kernel) {
  return kernel_chosen(&c->settings->report.kernels, kernel);
}

static int take_proved(void *context, const asked_source *s, proved_kernel *k, error *e) {
  verify_command *c = context;
  int result = 0;
  if (chosen(c, k->answer.kernel)) {
    if (second_opinion_give(&c->opinion, s, k, e) != 0) c->prover.interrupted = true; /* what was proved stays */
    confirmation *confirmed = confirm(&c->confirm, s, &k->answer, e);
    c->kernels += s->every ? 1 : 0;
    c->done++;
    if (k->answer.wrong_assumption && c->code == 0) {
      progress_note(&c->line, k->answer.reason);
      c->code = EXIT_USAGE;
    }
    c->reused += k->reused ? 1 : 0;
    for (size_t i = 0; i < k->answer.finding_count; i++) {
      if (!k->answer.findings[i].row.possible) {
        c->found++;
        break;
      }
    }
    result = confirmed == NULL ? -1 : keep_proof(&c->kept, k, confirmed, e);
    confirmations_free(confirmed, k->answer.finding_count);
    show_progress(c, NULL);
  }
  proved_kernel_free(k);
  return result;
}

/* --- work --------------------------------------------------------------------------------------------------------- */

/* Adds the names of the source's kernels; false: they are not known before the engine has read it. */
static bool add_names(const asked_source *source, word_list *names) {
  for (size_t k = 0; k < source->signature_count && !source->observed; k++)
    *ARRAY_ADD(names->items, names->count, names->capacity) = source->signatures[k].kernel;
  for (size_t k = 0; k < source->kernel_count && source->observed; k++)
    *ARRAY_ADD(names->items, names->count, names->capacity) = source->kernels[k].name;
  return !source->every;
}

/* Whether some kernel can make something of an assumption; `*name`: what none knows. */
static bool is_understood(const verify_command *c, const char *assumption, const char **name, size_t *length) {
  bool known = false;
  for (size_t i = 0; i < c->inputs.count && !known; i++) {
    const asked_source *s = &c->inputs.sources[i];
    known = s->every || s->kernel_count == 0;
    for (size_t k = 0; k < s->kernel_count && !known; k++) {
      const signature *of = asked_signature(s, s->kernels[k].name);
      known = of == NULL || request_knows_names(assumption, of, name, length);
    }
  }
  return known;
}

static int check_assumptions(const verify_command *c, error *e) {
  const word_list *all = &c->settings->proof.assume;
  const char *name = "";
  size_t length = 0;
  for (size_t i = 0; i < all->count; i++) {
    if (!is_understood(c, all->items[i], &name, &length)) {
      return error_set(e, EXIT_USAGE, "--assume '%s': no kernel has an argument %.*s", all->items[i], (int)length,
                       name);
    }
  }
  return 0;
}

static int verify_one(verify_command *c, asked_source *s, error *e) {
  if (s->problem != NULL) {
    /* What is launched of a source that cannot be read here has arguments without names. */
    progress_wipe(&c->line);
    say(stderr, "cltestcheck: %s: its kernels are not verified: %s\n", asked_text(s)->name, s->problem);
    return db_add_skipped(c->db, c->run, asked_text(s)->name, s->problem, e);
  }
  show_progress(c, asked_text(s)->name);
  int result = kept_source_open(c->db, c->run, s, &c->prover.options, &c->kept, e);
  if (result == 0 && prove_source(&c->prover, s, e) != 0) {
    if (e->code == EXIT_INTERNAL) {
      result = -1;
    } else { /* the next one may do */
      progress_wipe(&c->line);
      c->code = say_error(e);
      result = db_add_skipped(c->db, c->run, asked_text(s)->name, e->text, e);
    }
  }
  kept_source_free(&c->kept);
  return result;
}

/* What is assumed is not used where launches were seen, as they say what they are. They are held against it. */
static void check_launches(verify_command *c, const asked_source *s, const asked_kernel *k) {
  const signature *of = asked_signature(s, k->name);
  for (size_t i = 0; i < c->settings->proof.assume.count; i++) {
    const char *assumed = c->settings->proof.assume.items[i], *name = NULL;
    const observed_launch *against = NULL;
    size_t length = 0;
    scoped char *text = NULL;
    const bool about_it = of != NULL && request_knows_names(assumed, of, &name, &length);
    const bool understood = !about_it || seen_check(s, k, assumed, &against);
    if (against != NULL) {
      text = mem_printf("--assume '%s' does not hold for launch %llu of kernel %s", assumed,
                        (unsigned long long)against->first, k->name);
    } else if (!understood) {
      text = mem_printf("--assume '%s' cannot be held against the launches of kernel %s", assumed, k->name);
    }
    if (text != NULL) {
      progress_note(&c->line, text);
      c->code = EXIT_USAGE;
    }
  }
}

static int verify_all(verify_command *c, error *e) {
  interrupts signals;
  interrupts_begin(&signals, false);
  c->prover = (prover){.engine = c->engine,
                       .options = prove_options_of(c->settings),
                       .signals = &signals,
                       .listener = {c, recall, take_proved}};
  engine_digest(c->engine, c->prover.digest);
  int result = 0;
  for (size_t i = 0; i < c->inputs.count && result == 0 && !c->prover.interrupted; i++) {
    asked_source *s = &c->inputs.sources[i];
    if (s->kernel_count > 0 || s->every) {
      for (size_t k = 0; k < s->kernel_count && s->observed; k++) check_launches(c, s, &s->kernels[k]);
      result = verify_one(c, s, e);
    }
  }
  interrupts_end(&signals);
  progress_wipe(&c->line);
  return result;
}

static int keep_overlaps(verify_command *c, error *e) {
  int result = 0;
  for (size_t i = 0; i < c->inputs.overlaps.count && result == 0; i++) {
    const overlap *o = &c->inputs.overlaps.items[i];
    const size_t source = overlap_source(o);
    /* One of transfers alone counts always. */
    const char *first = o->first.command.kernel, *second = o->second.command.kernel;
    if (!((first[0] == '\0' && second[0] == '\0') || (first[0] != '\0' && chosen(c, first)) ||
          (second[0] != '\0' && chosen(c, second))))
      continue;
    if (source == SIZE_MAX) {
      result = keep_overlap(c->db, c->run, 0, NULL, o, e);
      continue;
    }
    const bool open = kept_source_open(c->db, c->run, &c->inputs.sources[source], &c->prover.options, &c->kept, e) == 0;
    result = open ? keep_overlap(c->db, c->run, 0, &c->kept, o, e) : -1;
    kept_source_free(&c->kept);
  }
  return result;
}

/* --- after -------------------------------------------------------------------------------------------------------- */

static bool has_definite(const view *v) {
  for (size_t i = 0; i < v->finding_count; i++)
    if (!v->findings[i].possible && v->findings[i].suppressed == NULL && !finding_is_aside(&v->findings[i]))
      return true;
  return false;
}

static bool has_possible(const view *v) {
  for (size_t i = 0; i < v->finding_count; i++)
    if (v->findings[i].possible && v->findings[i].suppressed == NULL) return true;
  for (size_t i = 0; i < v->proof_count; i++)
    if (strcmp(v->proofs[i].verdict, "unknown") == 0 || strcmp(v->proofs[i].verdict, "unsupported") == 0) return true;
  return false;
}

static int judge_verify(void *context, const view *v) {
  const verify_command *c = context;
  if (c->opinion.contradicted > 0) return EXIT_INTERNAL;
  if (c->code != 0) return c->code;
  if (has_definite(v)) return EXIT_FOUND;
  if (c->prover.interrupted) return 130;
  if (c->inputs.failed) return EXIT_BASELINE;
  if (c->done == 0 && v->finding_count == 0) return EXIT_NOTHING;
  const bool below = (c->settings->fail.possible && has_possible(v)) || below_thresholds(v, &c->settings->report) ||
                     fails_on_memory(&c->settings->fail, v) != NULL;
  return below ? EXIT_THRESHOLD : EXIT_FINE;
}

static void say_outcome(void *context, const view *v, int exit) {
  verify_command *c = context;
  if (c->prover.interrupted)
    note_verify(c, "interrupted; what was decided so far is kept");
  else if (c->done == 0 && c->code == 0 && !c->unmatched) {
    const bool narrowed = c->settings->report.kernels.wanted.count + c->settings->report.kernels.exclude.count > 0;
    note_verify(c, narrowed             ? "nothing was verified: --kernel and --exclude leave no kernel"
                   : c->inputs.observed ? "nothing was verified: no kernel that was built from source was launched"
                                        : "nothing was verified: there is no kernel");
  }
  if (c->reused > 0) {
    scoped char *text = mem_printf(
        "%zu of %zu kernels are as an earlier run of this database has proved them (--no-cache proves them anew)",
        c->reused, c->done);
    note_verify(c, text);
  }
  second_opinion_say(&c->opinion);
  say_below(v, &c->settings->report, false);
  if (exit == EXIT_THRESHOLD) say_fails_on_memory(&c->settings->fail, v);
}

static bool has_any(void *context, const view *v) {
  return ((verify_command *)context)->done > 0 || v->finding_count > 0;
}

static const measure_words words_of = {judge_verify, has_any, NULL, say_outcome};

static int run_verify(verify_command *c, error *e) {
  c->engine = engine_find(e);
  c->opinion = (second_opinion){.note = note_verify, .context = c};
  second_opinion_begin(&c->opinion, c->settings);
  if (c->engine == NULL || verify_inputs_gather(c->settings, false, &c->inputs, e) != 0) return -1;
  c->opinion.captures = c->inputs.captures;
  c->opinion.capture_count = c->inputs.capture_count;
  /* Which kernels there are. What cannot be read here the engine may still read. */
  const settings *s = c->settings;
  for (size_t i = 0; i < c->inputs.count; i++) {
    asked_source *source = &c->inputs.sources[i];
    error ignored;
    if (!source->observed) (void)asked_source_read(source, &ignored);
  }
  /* Says which globs match nothing. */
  word_list names = {0};
  bool known = true;
  for (size_t i = 0; i < c->inputs.count; i++) known = add_names(&c->inputs.sources[i], &names) && known;
  c->unmatched = known && say_unmatched_of(&names, &c->settings->report.kernels);
  free(names.items);
  for (size_t i = 0; i < c->inputs.count; i++) {
    asked_source *source = &c->inputs.sources[i];
    asked_source_choose(source, &s->report.kernels);
    verify_host_apply(&c->inputs.host, source);
    c->kernels += source->kernel_count;
  }
  c->confirm = (confirm_options){.run = s->verify.no_confirm ? NULL : second_opinion_confirm, .runner = &c->opinion};
  if (s->cases.emit != NULL) {
    c->confirm.keep = emit_replica;
    c->confirm.context = (void *)s->cases.emit;
  }
  if (check_assumptions(c, e) != 0 ||
      measure_begin(c->settings->report.database, c->settings->given.verb, NULL, &c->db, &c->run, e) != 0 ||
      verify_inputs_keep(&c->inputs, c->db, c->run, e) != 0 || verify_all(c, e) != 0 || keep_overlaps(c, e) != 0)
    return -1;
  return (!c->prover.interrupted && db_end_run(c->db, c->run, "", c->code, e) != 0) || db_commit(c->db, e) != 0 ? -1
                                                                                                                : 0;
}

static int cmd_verify(const settings *s, error *e) {
  verify_command c = {.settings = s};
  const int code = run_verify(&c, e) == 0 ? measure_report(&s->report, c.db, c.run, &words_of, &c) : -1;
  second_opinion_end(&c.opinion);
  verify_inputs_free(&c.inputs);
  free(c.engine);
  db_close(c.db);
  return code;
}

const command command_verify = {
    "verify",
    "prove kernels free of races and barrier divergence, or show one",
    "[OPTIONS] (FILE.cl… [-- BUILD OPTIONS] | BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
    "Proves kernels free of data races, barrier divergence and accesses past the end of buffers, for all work-items, "
    "or finds a counterexample: two work-items, their accesses, arguments and sizes. Of a kernel file nothing is run: "
    "sizes and arguments are any, or as --local, --groups and --assume say. A program runs once, unmodified; its "
    "launches say what sizes and arguments can be, and the report says which of that a proof needs. Exits with 3 when "
    "something was found that depends on nothing unknown. It needs clang-19 and a build of cltestcheck with Z3 "
    "(`cltestcheck doctor`).",
    "cltestcheck verify --local 64 --assume 'n > 0' kernels.cl -- -DN=64",
    cmd_verify,
    FOR_VERIFY};
