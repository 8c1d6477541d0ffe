/* cltestcheck generate: kernel cases for kernels that have no tests. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/say.h"
#include "cli/generated_report.h"
#include "cli/output.h"
#include "cli/proving.h"
#include "generate/file.h"
#include "proofs/client/request.h"
#include "runner/paths.h"

enum { SECONDS = 60, PROOF_SHARE = 4, PROOF_LEAST = 3, PROOF_MOST = 30 };

typedef struct generate_command {
  const settings *settings;
  verify_inputs inputs;
  experiment_options experiments;
  char *scratch;
  char **paths;       /* of the files that are written, one a kernel file */
  char **files;       /* kernel files: those that were given, or that hold what tests build, */
  char **built;       /* and the options of each */
  bool tests;         /* it starts from tests that there are */
  asked_kernel *seen; /* their launches, by the kernels of the source that is worked on */
  size_t before_killed;
  db *db;
  int64_t run;
  interrupts signals;
  proved_kernel *proofs; /* of the file that is worked on */
  size_t proof_count, proof_capacity;
  word_list written; /* paths of files with cases */
  word_list names;   /* of kernels */
  size_t cases, tried, killed, mutants;
  settings other_settings; /* --against FILE: which names that file; */
  verify_inputs others;    /* and what it holds */
  size_t compared;         /* inputs */
  bool found, interrupted;
  progress_line line;
  char *engine;  /* for proofs, NULL: there is none */
  prover prover; /* by it */
} generate_command;

static double seconds_of(const settings *s) { return s->experiment.max_time > 0 ? s->experiment.max_time : SECONDS; }

static void show_progress(void *context, const search *s) {
  generate_command *c = context;
  char line[240];
  if (c->settings->report.quiet || isatty(STDERR_FILENO) == 0) return;
  (void)snprintf(line, sizeof line,
                 "%.30s: %zu of %zu outcomes taken, %zu of %zu mutants killed by %zu cases, %u inputs", s->kernel,
                 outcomes_taken(&s->outcomes), s->outcomes.count, mutants_of(&s->mutants, MUTANT_KILLED),
                 mutants_of(&s->mutants, MUTANT_STATUSES), s->kept_count, s->tried);
  progress_show(&c->line, line);
}

/* --- the contract ------------------------------------------------------------------------------------------------- */

static char *recall(void *context, const char *key) {
  generate_command *c = context;
  char *answer = NULL;
  error ignored;
  return db_find_proof(c->db, key, &answer, &ignored) != 0 ? NULL : answer;
}

static int take_proved(void *context, const asked_source *s, proved_kernel *k, error *e) {
  generate_command *c = context;
  (void)s;
  if (k->answer.wrong_assumption) {
    (void)error_set(e, EXIT_USAGE, "%s", k->answer.reason);
    proved_kernel_free(k);
    return -1;
  }
  *ARRAY_ADD(c->proofs, c->proof_count, c->proof_capacity) = *k;
  *k = (proved_kernel){0};
  return 0;
}

static void find_engine(generate_command *c) {
  const double share = seconds_of(c->settings) / PROOF_SHARE;
  error none;
  c->engine = engine_find(&none);
  if (c->engine == NULL) {
    if (!c->settings->report.quiet)
      progress_note(&c->line, "without the proof engine, sizes are those that runs stay inside of");
    return;
  }
  c->prover = (prover){.engine = c->engine,
                       .options = prove_options_of(c->settings),
                       .signals = &c->signals,
                       .listener = {c, recall, take_proved}};
  c->prover.options.timeout = share < PROOF_LEAST ? PROOF_LEAST : share > PROOF_MOST ? PROOF_MOST : share;
  engine_digest(c->engine, c->prover.digest);
}

/* What verify needs of launches. Where it cannot be asked, runs alone say what is right. */
static int prove(generate_command *c, const asked_source *s, error *e) {
  const int result = c->engine == NULL ? 0 : prove_source(&c->prover, s, e);
  c->interrupted = c->interrupted || c->prover.interrupted;
  return result;
}

static void forget_proofs(generate_command *c) {
  for (size_t i = 0; i < c->proof_count; i++) proved_kernel_free(&c->proofs[i]);
  c->proof_count = 0;
}

/* Among those from `from` to `to`. */
static const verify_answer *proof_of(const generate_command *c, const char *kernel, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (strcmp(c->proofs[i].answer.kernel, kernel) == 0) return &c->proofs[i].answer;
  return NULL;
}

/* --- a kernel file ------------------------------------------------------------------------------------------------ */

static char *options_of(const settings *s) {
  buffer text = {0};
  for (size_t i = 0; s->given.command != NULL && s->given.command[i] != NULL; i++) {
    const bool spaces = strpbrk(s->given.command[i], " \t") != NULL;
    buffer_printf(&text, "%s%s%s%s", i > 0 ? " " : "", spaces ? "\"" : "", s->given.command[i], spaces ? "\"" : "");
  }
  return buffer_take(&text);
}

static int search_all(generate_command *c, const asked_source *s, search_options *o, search *all, error *e) {
  int result = 0;
  for (size_t k = 0; k < s->kernel_count && result == 0 && !c->interrupted; k++) {
    search *one = &all[k];
    one->proof = proof_of(c, one->kernel, 0, c->proof_count);
    o->seen = c->seen == NULL ? NULL : &c->seen[k];
    result = search_run(one, s, o, e);
    c->interrupted = c->interrupted || one->interrupted;
    c->cases += one->kept_count;
    c->tried += one->tried;
    c->killed += mutants_of(&one->mutants, MUTANT_KILLED);
    c->before_killed += one->mutants.killed_by_tests;
    c->mutants += mutants_of(&one->mutants, MUTANT_STATUSES);
  }
  progress_wipe(&c->line);
  return result;
}

static int write_file(generate_command *c, size_t index, const char *options, const asked_source *s, const search *all,
                      error *e) {
  size_t kept = 0;
  for (size_t k = 0; k < s->kernel_count; k++) {
    kept += all[k].kept_count;
    c->found = generated_report(&all[k], c->settings->report.quiet) || c->found;
  }
  if (kept == 0) return 0;
  *ARRAY_ADD(c->written.items, c->written.count, c->written.capacity) = c->paths[index];
  if (c->tests && generated_source(c->files[index], asked_text(s)->text, e) != 0) return -1;
  return generated_write(c->paths[index], c->files[index], options, all, s->kernel_count, e);
}

/* What tests launch is where the search begins, and no condition of the proof. */
static void take_launches(generate_command *c, asked_source *s) {
  if (!c->tests) return;
  c->seen = mem_calloc(s->kernel_count + 1, sizeof *c->seen);
  for (size_t k = 0; k < s->kernel_count; k++) {
    asked_kernel *own = &s->kernels[k];
    c->seen[k] = (asked_kernel){.launches = own->launches, .launch_count = own->launch_count};
    own->launches = NULL;
    own->launch_count = own->launch_capacity = 0;
    own->made = own->distinct = own->uneven = 0;
  }
  s->observed = false;
}

static int generate_file(generate_command *c, size_t index, error *e) {
  const settings *s = c->settings;
  const asked_source *source = &c->inputs.sources[index];
  const char *path = c->files[index], *options = c->built[index];
  char whole[PATH_MAX];
  scoped_buffer copy = buffer_with("%s/%s", c->scratch, path_end(path));
  if (access(path, R_OK) != 0) { /* it is written with the first case */
    if (generated_source(buffer_text(&copy), asked_text(source)->text, e) != 0) return -1;
    path = buffer_text(&copy);
  }
  scoped search *all = mem_calloc(source->kernel_count + 1, sizeof *all);
  for (size_t k = 0; k < source->kernel_count; k++) all[k].kernel = source->kernels[k].name;
  search_options o = {.base = &c->experiments,
                      .folder = c->scratch,
                      .file = realpath(path, whole) == NULL ? path : whole,
                      .options = options,
                      .assumed = s->proof.assume.items,
                      .assumed_count = s->proof.assume.count,
                      .seed = s->experiment.seed,
                      .seconds = seconds_of(s),
                      .prover = c->engine == NULL ? NULL : &c->prover,
                      .captures = {(const char **)c->inputs.captures, c->inputs.capture_count, 0},
                      .signals = &c->signals,
                      .progress = show_progress,
                      .context = c};
  take_launches(c, &c->inputs.sources[index]);
  int result = source->kernel_count == 0 ? 0 : prove(c, source, e);
  result = result == 0 ? search_all(c, source, &o, all, e) : -1;
  result = result == 0 ? write_file(c, index, options, source, all, e) : -1;
  for (size_t k = 0; k < source->kernel_count; k++) search_free(&all[k]);
  forget_proofs(c);
  for (size_t k = 0; c->seen != NULL && k < source->kernel_count; k++) {
    for (size_t i = 0; i < c->seen[k].launch_count; i++) observed_launch_free(&c->seen[k].launches[i]);
    free(c->seen[k].launches);
  }
  free(c->seen);
  c->seen = NULL;
  return result;
}

/* --- against another ---------------------------------------------------------------------------------------------- */

/* What launches of a kernel have to be like, besides what is said of its arguments: sizes that it asks for. */
static void add_sizes(const asked_source *s, const char *kernel, const verify_answer *proof, word_list *to) {
  uint64_t sizes[3] = {0};
  draw_required(kernel, asked_text(s)->text, sizes);
  for (unsigned i = 0; i < 3; i++) {
    if (sizes[i] > 0) {
      *ARRAY_ADD(to->items, to->count, to->capacity) =
          mem_printf("get_local_size(%u) == %llu", i, (unsigned long long)sizes[i]);
    }
  }
  for (size_t i = 0; proof != NULL && i < proof->preconditions.count; i++) {
    const char *text = proof->preconditions.items[i].text;
    if (proof->preconditions.items[i].kind == PREMISE_EXPRESSION && strncmp(text, "get_", 4) == 0)
      *ARRAY_ADD(to->items, to->count, to->capacity) = mem_strdup(text);
  }
}

typedef struct pair {
  const asked_source *source;
  const char *path, *kernel; /* path: of the file */
  const verify_answer *proof;
} pair;

/* Inputs that are drawn for the one are given to the other, too. */
static int compare_one_way(generate_command *c, const pair *own, const pair *other, const char *options,
                           const word_list *assumed, against *a, search *out, error *e) {
  const settings *s = c->settings;
  char here[PATH_MAX], there[PATH_MAX];
  a->other = (bench){.base = &c->experiments,
                     .folder = c->scratch,
                     .file = realpath(other->path, there) == NULL ? other->path : there,
                     .options = options,
                     .kernel = other->kernel};
  a->of = asked_signature(other->source, other->kernel);
  a->source = other->source;
  a->tolerance.relative = s->cases.tolerance;
  *out = (search){.kernel = own->kernel, .proof = own->proof};
  const search_options o = {.base = &c->experiments,
                            .folder = c->scratch,
                            .file = realpath(own->path, here) == NULL ? own->path : here,
                            .options = options,
                            .assumed = (const char *const *)assumed->items,
                            .assumed_count = assumed->count,
                            .seed = s->experiment.seed,
                            .seconds = seconds_of(s),
                            .against = a,
                            .no_mutants = a->reference,
                            .signals = &c->signals,
                            .progress = show_progress,
                            .context = c};
  const int result = search_run(out, own->source, &o, e);
  c->interrupted = c->interrupted || out->interrupted;
  progress_wipe(&c->line);
  return result;
}

static int compare_pair(generate_command *c, const pair *reference, const pair *kernel, const char *options, error *e) {
  const signature *own = asked_signature(kernel->source, kernel->kernel);
  char *obstacle = against_obstacle(own, asked_signature(reference->source, reference->kernel));
  against there = {0}, here = {.reference = true};
  search first = {0}, second = {0};
  word_list assumed = {0};
  if (obstacle != NULL) {
    const int refused = error_set(e, EXIT_USAGE, "--against: %s", obstacle);
    free(obstacle);
    return refused;
  }
  for (size_t i = 0; i < c->settings->proof.assume.count; i++)
    *ARRAY_ADD(assumed.items, assumed.count, assumed.capacity) = mem_strdup(c->settings->proof.assume.items[i]);
  add_sizes(reference->source, reference->kernel, reference->proof, &assumed);
  add_sizes(kernel->source, kernel->kernel, kernel->proof, &assumed);
  int result = compare_one_way(c, reference, kernel, options, &assumed, &there, &first, e);
  if (result == 0 && there.difference == NULL && !c->interrupted)
    result = compare_one_way(c, kernel, reference, options, &assumed, &here, &second, e);
  else
    second.kernel = kernel->kernel;
  if (result == 0) {
    const comparison all = {&there, &here, &first, &second};
    c->found = generated_comparison(&all, c->settings->report.quiet) || c->found;
    c->compared += there.compared + here.compared;
  }
  search_free(&first);
  search_free(&second);
  against_free(&there);
  against_free(&here);
  for (size_t i = 0; i < assumed.count; i++) free((char *)assumed.items[i]);
  free(assumed.items);
  return result;
}

static bool is_kernel_of(const asked_source *s, const char *kernel) {
  bool is = false;
  for (size_t i = 0; i < s->signature_count; i++) is = is || strcmp(s->signatures[i].kernel, kernel) == 0;
  return is;
}

/* The kernel of the reference that one of these is held against; NULL: none. */
static const char *reference_of(const generate_command *c, const asked_source *reference, const char *kernel,
                                size_t kernels) {
  const char *said = c->settings->cases.against;
  if (c->others.count == 0) return strcmp(said, kernel) == 0 ? NULL : said;
  return is_kernel_of(reference, kernel)                   ? kernel
         : kernels == 1 && reference->signature_count == 1 ? reference->signatures[0].kernel
                                                           : NULL;
}

static int compare_file(generate_command *c, size_t index, error *e) {
  const asked_source *source = &c->inputs.sources[index];
  const bool apart = c->others.count > 0;
  const asked_source *reference = apart ? &c->others.sources[0] : source;
  const char *path = c->files[index];
  scoped char *options = options_of(c->settings);
  int result = prove(c, source, e);
  const size_t own = c->proof_count;
  result = result == 0 && apart ? prove(c, reference, e) : result;
  for (size_t k = 0; k < source->kernel_count && result == 0 && !c->interrupted; k++) {
    const char *name = source->kernels[k].name, *other = reference_of(c, reference, name, source->kernel_count);
    if (other != NULL) {
      const pair a = {reference, apart ? c->settings->cases.against : path, other,
                      proof_of(c, other, apart ? own : 0, c->proof_count)};
      const pair b = {source, path, name, proof_of(c, name, 0, own)};
      result = compare_pair(c, &a, &b, options, e);
    } else if (apart) {
      result = error_set(e, EXIT_USAGE, "--against: %s has no kernel %s", c->settings->cases.against, name);
    }
  }
  forget_proofs(c);
  return result;
}

/* The file of --against, if it is one; else each file must have a kernel of that name. */
static int read_reference(generate_command *c, error *e) {
  const char *said = c->settings->cases.against;
  const size_t length = strlen(said);
  if (length < 3 || strcmp(said + length - 3, ".cl") != 0) {
    for (size_t i = 0; i < c->inputs.count; i++) {
      if (!is_kernel_of(&c->inputs.sources[i], said)) {
        return error_set(e, EXIT_USAGE, "--against: %s has no kernel %s, and a file ends with .cl",
                         c->settings->given.positional.items[i], said);
      }
    }
    return 0;
  }
  c->other_settings = *c->settings;
  c->other_settings.given.positional.items = (const char **)&c->settings->cases.against;
  c->other_settings.given.positional.count = 1;
  if (verify_inputs_gather(&c->other_settings, true, &c->others, e) != 0) return -1;
  if (c->others.count != 1 || asked_source_read(&c->others.sources[0], e) != 0)
    return error_set(e, EXIT_USAGE, "--against: %s is no kernel file that can be read", said);
  asked_source_choose(&c->others.sources[0], &(kernel_choice){0});
  return 0;
}

/* --- before and after --------------------------------------------------------------------------------------------- */

static int read_sources(generate_command *c, error *e) {
  for (size_t i = 0; i < c->inputs.count; i++) {
    asked_source *s = &c->inputs.sources[i];
    if (c->tests && s->problem != NULL) return error_set(e, EXIT_NOTHING, "%s", s->problem);
    if (!c->tests && asked_source_read(s, e) != 0) {
      e->code = EXIT_USAGE;
      return -1;
    }
    if (s->signature_count == 0 && !c->tests)
      return error_set(e, EXIT_USAGE, "%s has no kernels", c->settings->given.positional.items[i]);
    for (size_t n = 0; n < s->signature_count; n++)
      *ARRAY_ADD(c->names.items, c->names.count, c->names.capacity) = s->signatures[n].kernel;
    asked_source_choose(s, &c->settings->report.kernels);
  }
  return 0;
}

static const char *folder_of(const settings *s) {
  return s->cases.generated == NULL ? "generated" : s->cases.generated;
}

/* The file on disk that a program has a source from; else one that cases will stand beside. */
static char *file_of_tests(const generate_command *c, const asked_source *s) {
  const request_source *t = asked_text(s);
  buffer path = buffer_with("%s%s%s", t->root == NULL ? "" : t->root, t->root == NULL || t->root[0] == '\0' ? "" : "/",
                            t->name == NULL ? "" : t->name);
  if (!generated_holds(buffer_text(&path), t->text)) {
    buffer_free(&path);
    buffer_printf(&path, "%s/%s.cl", folder_of(c->settings), s->kernel_count > 0 ? s->kernels[0].name : "kernels");
  }
  return buffer_take(&path);
}

/* Whether nothing is to be done for a kernel file: it is another shard's, or its cases are there. */
static bool is_left(const generate_command *c, size_t index) {
  const settings *s = c->settings;
  const bool mine = s->experiment.shards == 0 || index % s->experiment.shards == s->experiment.shard - 1;
  return !mine || (s->mutation.resume && c->paths != NULL && access(c->paths[index], F_OK) == 0);
}

/* Before anything is searched for: whether all files can be written. */
static int name_files(generate_command *c, error *e) {
  const char *folder = folder_of(c->settings);
  c->paths = mem_calloc(c->inputs.count + 1, sizeof *c->paths);
  for (size_t i = 0; i < c->inputs.count; i++) {
    c->paths[i] = generated_path(folder, c->files[i]);
    if (!is_left(c, i) && generated_check(c->paths[i], e) != 0) return -1;
    for (size_t k = 0; k < i; k++) {
      if (strcmp(c->paths[k], c->paths[i]) == 0) {
        return error_set(e, EXIT_USAGE, "the tests of %s and of %s would both be %s: give one of them, or --output",
                         c->files[k], c->files[i], c->paths[i]);
      }
    }
  }
  return 0;
}

static int prepare(generate_command *c, error *e) {
  const settings *s = c->settings;
  if (s->given.positional.count == 0 && s->given.command == NULL)
    return error_set(e, EXIT_USAGE,
                     "generate wants kernel files, or tests: cltestcheck generate KERNEL.cl… [-- BUILD OPTIONS], or "
                     "cltestcheck generate -- PROGRAM");
  if (verify_inputs_gather(s, true, &c->inputs, e) != 0) return -1;
  c->tests = c->inputs.observed;
  if (c->tests && s->cases.against != NULL)
    return error_set(e, EXIT_USAGE, "--against takes kernel files (FILE.cl), and no tests");
  c->experiments = experiment_of(s, 1);
  if (read_sources(c, e) != 0) return -1;
  c->files = mem_calloc(c->inputs.count + 1, sizeof *c->files);
  c->built = mem_calloc(c->inputs.count + 1, sizeof *c->built);
  for (size_t i = 0; i < c->inputs.count; i++) {
    const asked_source *source = &c->inputs.sources[i];
    c->files[i] = c->tests ? file_of_tests(c, source) : mem_strdup(s->given.positional.items[i]);
    c->built[i] = c->tests ? mem_strdup(asked_text(source)->options) : options_of(s);
  }
  if ((s->cases.against == NULL && name_files(c, e) != 0) || (s->cases.against != NULL && read_reference(c, e) != 0) ||
      target_find(&s->device, TARGET_ONE, &c->experiments.target, e) != 0)
    return -1;
  if (c->experiments.target.replay == NULL) return replay_is_missing(e);
  c->scratch = scratch_temporary("cltestcheck-generate", e);
  return c->scratch == NULL ? -1 : measure_begin(s->report.database, "generate", NULL, &c->db, &c->run, e);
}

static void ignore_progress(void *context, const experiment_progress *p) { (void)context, (void)p; }
static void ignore_note(void *context, const char *text) { (void)context, (void)text; }

static int measure_files(generate_command *c, const word_list *words, int64_t run, error *e) {
  const plan_words w = {.verb = "generate", .words = *words, .any_reads = true, .quiet = true};
  const experiment_listener nobody = {NULL, ignore_progress, ignore_note};
  plan p = {0};
  measure_outcome out;
  measure_options o = {.common = c->experiments, .form = FORM_COVERAGE, .silent = true};
  int result = plan_make(&w, &p, e);
  o.common.tests = p.tests;
  o.common.test_count = p.count;
  o.common.limit = 0;
  o.common.max_time = 0;
  result = result == 0 ? measure_run(c->db, run, &o, &nobody, &out, e) : -1;
  plan_free(&p);
  return result;
}

/* The tests that there are, and the files that were written, run once under coverage: what the database has of them. */
static int measure(generate_command *c, error *e) {
  const settings *s = c->settings;
  const word_list tests = {(const char **)c->inputs.captures, c->inputs.capture_count, 0};
  int64_t runs[2] = {c->run, 0};
  view before = {0}, after;
  int result = 0;
  if (c->tests && tests.count > 0) {
    result =
        db_begin_run(c->db, "generate", CLTC_VERSION, &runs[1], e) != 0 ? -1 : measure_files(c, &tests, runs[1], e);
    result = result == 0 ? load_view(c->db, &runs[1], 1, &s->report, &before, e) : -1;
  }
  if (result == 0) result = measure_files(c, &c->written, c->run, e);
  if (result == 0 && load_view(c->db, runs, runs[1] == 0 ? 1 : 2, &s->report, &after, e) == 0) {
    if (!s->report.quiet) {
      const report_options text = terminal_options(&s->report, stdout);
      generated_table(runs[1] == 0 ? NULL : &before, &after, &text, c->before_killed, c->killed, c->mutants);
    }
    view_free(&after);
  }
  if (runs[1] != 0) view_free(&before);
  return result;
}

static void say_files(const generate_command *c) {
  if (c->settings->report.quiet) return;
  for (size_t i = 0; i < c->written.count; i++)
    say(stdout, "%s has the cases; to run them: cltestcheck run %s\n", c->written.items[i], c->written.items[i]);
  if (c->interrupted) say(stdout, "Interrupted: this is what was reached by then.\n");
}

static int run(generate_command *c, error *e) {
  int result = prepare(c, e);
  interrupts_begin(&c->signals, false);
  if (result == 0) find_engine(c);
  for (size_t i = 0; i < c->inputs.count && result == 0 && !c->interrupted; i++)
    result = is_left(c, i) ? 0 : c->settings->cases.against != NULL ? compare_file(c, i, e) : generate_file(c, i, e);
  interrupts_end(&c->signals);
  return result == 0 && c->written.count > 0 ? measure(c, e) : result;
}

/* In an earlier run, or in another shard. */
static bool all_left(const generate_command *c) {
  bool all = c->inputs.count > 0;
  for (size_t i = 0; i < c->inputs.count; i++) all = all && is_left(c, i);
  return all;
}

static int cmd_generate(const settings *s, error *e) {
  generate_command c = {.settings = s};
  int code = run(&c, e);
  if (code == 0) {
    const bool unmatched = say_unmatched_of(&c.names, &s->report.kernels);
    say_files(&c);
    code = c.interrupted                                               ? 130
           : c.found                                                   ? EXIT_FOUND
           : (c.cases + c.compared == 0 && !all_left(&c)) || unmatched ? EXIT_NOTHING
                                                                       : EXIT_FINE;
  }
  if (c.paths != NULL) mem_free_all(c.paths, c.inputs.count);
  if (c.files != NULL) {
    mem_free_all(c.files, c.inputs.count);
    mem_free_all(c.built, c.inputs.count);
  }
  free(c.written.items);
  free(c.names.items);
  free(c.proofs);
  free(c.engine);
  verify_inputs_free(&c.inputs);
  verify_inputs_free(&c.others);
  target_free(&c.experiments.target);
  scratch_close(c.scratch);
  db_close(c.db);
  return code;
}

const command command_generate = {
    "generate",
    "write the tests that kernels lack",
    "[OPTIONS] KERNEL.cl… [-- BUILD OPTIONS]\n[OPTIONS] [SUITE.yaml… CAPTURE…] [-- PROGRAM ARGS]",
    "Writes kernel cases (docs/kernel-cases.md) for the kernels of a file, without a host program: DIR/KERNEL.yaml. "
    "Inputs are drawn: sizes, scalars and contents that satisfy what `cltestcheck verify` finds to be needed and what "
    "--assume says, with the constants of the source and their neighbours. They run on the device, and an input is "
    "kept only if it takes an outcome of a branch, a case of a loop or a barrier that none before it takes, or kills a "
    "mutant. With a program, a suite or a capture in place of kernel files, the search begins with what these launch, "
    "and cases "
    "are for what they do not take or kill. An input that leaves its memory, races or diverges is no test; where "
    "`verify` says the same of the kernel, it "
    "is shown, and the exit status is 3. A file that you have changed is not written again (docs/generate.md). With "
    "--against nothing is written, and two kernels get the same inputs: the exit status is 3 if they differ on one.",
    "cltestcheck generate blur.cl -- -DTILE=16",
    cmd_generate,
    FOR_GENERATE};
