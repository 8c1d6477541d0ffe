/* Sources and launches that proofs are about, made of what the command line names; second opinions on the proofs. */
#include "cli/proving.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/rules.h"
#include "base/say.h"
#include "base/subprocess.h"
#include "proofs/opinion/opinion.h"
#include "reports/words/words.h"
#include "runner/devices.h"

/* Reads host code, and says what it does not show. */

enum { NOTES_MOST = 5 };

static void add_note(verify_host *h, char *text) { *ARRAY_ADD(h->notes, h->note_count, h->note_capacity) = text; }

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Odd code may crash libclang, or take its time: then a process of its own finds that out, which reads it first. */
static int try_to_read(void *context, buffer *out, error *e) {
  host_facts facts;
  (void)out;
  const int result = host_read(context, &facts, e);
  host_free(&facts);
  return result;
}

static int take_nothing(void *context, const void *bytes, size_t length) {
  (void)context;
  (void)bytes;
  (void)length;
  return 0;
}

static int read_safely(const verify_host *h, host_input *in, host_facts *out, error *e) {
  const isolated_work work = {in, try_to_read, take_nothing};
  error why;
  if (isolated(&work, &why) != 0) {
    return why.code == EXIT_INTERNAL ? error_set(e, EXIT_USAGE, "%s cannot be read: %s", h->name, why.text)
                                     : error_set(e, why.code, "%s", why.text);
  }
  return host_read(in, out, e);
}

static int read_code(const verify_settings *p, verify_host *h, error *e) {
  char **options = p->host_options == NULL ? NULL : shell_split(p->host_options);
  if (p->host_options != NULL && options == NULL) {
    return error_set(e, EXIT_USAGE,
                     "--host-options \"%s\": words are wanted, with quotes around what a shell would expand",
                     p->host_options);
  }
  size_t option_count = 0;
  while (options != NULL && options[option_count] != NULL) option_count++;
  scoped host_source *sources = mem_calloc(p->hosts.count + 1, sizeof *sources);
  for (size_t i = 0; i < p->hosts.count; i++)
    sources[i] = (host_source){p->hosts.items[i], (const char *const *)options, option_count};
  host_input in = {sources, p->hosts.count, p->compile_commands};
  const int result = read_safely(h, &in, &h->facts, e);
  shell_free(options);
  return result;
}

static int check_files(const verify_settings *p, error *e) {
  for (size_t i = 0; i < p->hosts.count; i++) {
    if (pipe_refuse(p->hosts.items[i], e) != 0) return -1;
    if (access(p->hosts.items[i], R_OK) != 0)
      return error_set(e, EXIT_USAGE, "host file \"%s\" cannot be read", p->hosts.items[i]);
  }
  return 0;
}

/* What its clBuildProgram says. A kernel that is built in several ways is not known in one. */
static int find_options(verify_host *h, error *e) {
  const char *found = NULL;
  bool unknown = false;
  for (size_t i = 0; i < h->facts.launch_count; i++) {
    unknown = unknown || (h->facts.launches[i].kernel != NULL && h->facts.launches[i].options == NULL);
    const char *own = h->facts.launches[i].options_known ? h->facts.launches[i].options : NULL;
    if (own != NULL && found != NULL && strcmp(own, found) != 0) {
      return error_set(e, EXIT_USAGE,
                       "%s builds kernels with several options (\"%s\", \"%s\"); give those that are meant after --",
                       h->name, found, own);
    }
    found = own == NULL ? found : own;
  }
  h->options = mem_strdup(found == NULL ? "" : found);
  if (strstr(h->options, "\xe2\x80\xa6") != NULL) {
    return error_set(e, EXIT_USAGE,
                     "%s builds kernels with options that are not constant (%s); give those that are meant after --",
                     h->name, h->options);
  }
  if (unknown) {
    scoped_buffer note =
        buffer_with("kernels are built with the options \"%s\", which %s does not show of all", h->options, h->name);
    add_note(h, buffer_take(&note));
  }
  return 0;
}

/* What was not followed, once, for the person. */
static void say_notes(const verify_host *h) {
  for (size_t i = 0; i < h->facts.note_count && i < NOTES_MOST; i++)
    say(stderr, "cltestcheck: %s: %s\n", h->name, h->facts.notes[i]);
  if (h->facts.note_count > NOTES_MOST) {
    say(stderr, "cltestcheck: %s: and %zu more places that were not followed\n", h->name,
        h->facts.note_count - NOTES_MOST);
  }
}

static char *name_of(const verify_settings *s) {
  scoped_buffer name = buffer_with("%s", path_end(s->hosts.count > 0 ? s->hosts.items[0] : s->compile_commands));
  const size_t more = s->hosts.count - (s->hosts.count > 0 ? 1 : 0);
  if (more > 0) buffer_printf(&name, " and %zu more", more);
  return buffer_take(&name);
}

/* Reads the host code that the command line names, if it names any. Where that gives build options those of the host code do
 * not count. Release in every case. */
static int verify_host_read(const settings *all, verify_host *h, error *e) {
  const verify_settings *s = &all->verify;
  const prove_options *o = &all->proof;
  *h = (verify_host){.given = s->hosts.count > 0 || s->compile_commands != NULL};
  if (!h->given)
    return s->host_options == NULL ? 0 : error_set(e, EXIT_USAGE, "--host-options are for the files of --host");
  if (o->local.dimensions > 0 || o->groups.dimensions > 0) {
    return error_set(e, EXIT_USAGE, "--%s and %s exclude each other: the host code says which sizes there are",
                     o->local.dimensions > 0 ? "local" : "groups",
                     s->hosts.count > 0 ? "--host" : "--compile-commands");
  }
  h->name = name_of(s);
  if (check_files(s, e) != 0 || read_code(s, h, e) != 0) return -1;
  if (!all->report.quiet) say_notes(h);
  if (h->facts.launch_count == 0 && h->facts.unknown_launches == 0) {
    return error_set(e, EXIT_USAGE, "%s: no launch of a kernel was found in it (%s)", h->name,
                     host_is_python(s->hosts.count > 0 ? s->hosts.items[0] : "") ? "of a program made with PyOpenCL"
                                                                                 : "clEnqueueNDRangeKernel");
  }
  scoped_buffer text = {0};
  if (h->facts.unknown_launches > 0) {
    buffer_printf(&text, "%zu launch%s of %s may be of any kernel, as the host code does not show of which",
                  h->facts.unknown_launches, h->facts.unknown_launches == 1 ? "" : "es", h->name);
    add_note(h, buffer_take(&text));
  }
  if (!h->facts.complete)
    add_note(h, mem_printf("%s has code that was not read, and that may launch kernels", h->name));
  if (all->given.command != NULL) {
    h->options = mem_strdup("");
    return 0;
  }
  return find_options(h, e);
}

static void verify_host_free(verify_host *h) {
  if (h->given) host_free(&h->facts);
  mem_free_all(h->notes, h->note_count);
  free(h->name);
  free(h->options);
  *h = (verify_host){0};
}

void verify_host_apply(verify_host *h, asked_source *s) {
  if (!h->given) return;
  ways_add(s, &h->facts, h->name);
  for (size_t i = 0; i < s->kernel_count; i++) {
    s->kernels[i].host_complete = h->facts.complete && h->facts.unknown_launches == 0;
    s->kernels[i].host_whole = h->facts.complete;
    s->kernels[i].host_notes = h->notes;
    s->kernels[i].host_note_count = h->note_count;
  }
}

/* --- kernel files ------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *word, const char *end) {
  const size_t length = strlen(word), tail = strlen(end);
  return length > tail && strcmp(word + length - tail, end) == 0;
}

static bool is_kernel_file(const char *word) { return ends_with(word, ".cl") || ends_with(word, ".ocl"); }

static int add_file(char **built_with, const char *path, verify_inputs *to, error *e) {
  program_request file;
  char here[PATH_MAX];
  int result = request_of_file(&file, path, built_with, e);
  if (result == 0 && getcwd(here, sizeof here) == NULL)
    result = error_set(e, EXIT_USAGE, "the current folder cannot be named: %s", strerror(errno));
  if (result == 0) {
    const char *slash = strrchr(path, '/');
    scoped_buffer options = buffer_with("%s", file.sources[0].options);
    if (to->host.options != NULL && built_with == NULL) buffer_puts(&options, to->host.options);
    const int folder = slash == NULL ? 1 : slash == path ? 1 : (int)(slash - path); /* includes may lie there */
    const char *quote = strcspn(path, " \t") < (size_t)folder ? "\"" : "";          /* some compilers take no quotes */
    buffer_printf(&options, "%s-I %s%.*s%s", options.length > 0 ? " " : "", quote, folder, slash == NULL ? "." : path,
                  quote);
    asked_source *source = ARRAY_ADD(to->sources, to->count, to->capacity);
    asked_source_init(source, file.sources[0].text, file.sources[0].input.length, buffer_text(&options), here, NULL);
    request_source *text = &source->request.sources[0];
    free(text->name);
    text->name = project_name(path, &text->root);
    text->input.name = text->name;
  }
  request_free(&file);
  return result;
}

/* After -- of kernel files: a word with a sign, or the value of the one before. */
static int check_build_options(const command_line *s, error *e) {
  static const char *const with_value[] = {"-D", "-I", "-U", "-x", "-include"};
  bool value = false;
  for (size_t i = 0; s->command != NULL && s->command[i] != NULL; i++) {
    const char *word = s->command[i];
    if (word[0] != '-' && !value) {
      return error_set(e, EXIT_USAGE,
                       "after -- of kernel files stand build options, and \"%s\" is none; %s takes kernel files or "
                       "programs, not both",
                       word, s->verb);
    }
    value = false;
    for (size_t k = 0; k < sizeof with_value / sizeof with_value[0]; k++)
      value = value || strcmp(word, with_value[k]) == 0;
  }
  return 0;
}

static int add_files(const command_line *s, verify_inputs *out, error *e) {
  int result = check_build_options(s, e);
  for (size_t i = 0; i < s->positional.count && result == 0; i++) {
    const char *word = s->positional.items[i];
    result = is_kernel_file(word)
                 ? add_file(s->command, word, out, e)
                 : error_set(e, EXIT_USAGE,
                             "%s takes kernel files or programs, not both: \"%s\" is no kernel file (FILE.cl)", s->verb,
                             word);
  }
  return result;
}

/* --- programs ----------------------------------------------------------------------------------------------------- */

static int add_capture(verify_inputs *to, const char *path, char *const *argv, error *e) {
  capture c;
  if (capture_read(path, &c, e) != 0) return -1;
  if (c.unsuitable != NULL) {
    say(stderr, "cltestcheck: %s: %s: what it launched before that is looked at, and nothing after it\n",
        argv[0] != NULL ? argv[0] : path, c.unsuitable);
  }
  run_made all = {0};
  observation o = {to->sources, to->count, to->capacity, to->keep ? NULL : &all};
  int result = observe_capture(&c, to->scratch, argv, &o, e);
  if (result == 0 && !to->keep) overlaps_find(&c, &all, o.sources, o.count, &to->overlaps);
  made_free(&all);
  to->sources = o.sources;
  to->count = o.count;
  to->capacity = o.capacity;
  if (c.unsuitable == NULL) /* else it cannot be replayed */
    *ARRAY_ADD(to->captures, to->capture_count, to->capture_capacity) = mem_strdup(path);
  capture_free(&c);
  return result;
}

/* What a test case replays is known without a run. */
static int take_capture(const char *capture_path, verify_inputs *to, error *e) {
  char *const nothing[] = {NULL};
  scoped_buffer file = buffer_with("%s/capture-%zu", to->scratch, to->capture_count);
  return rename(capture_path, buffer_text(&file)) != 0
             ? error_set(e, EXIT_INTERNAL, "cannot move %s to %s", capture_path, buffer_text(&file))
             : add_capture(to, buffer_text(&file), nothing, e);
}

/* Runs a program once in the terminal, and looks at what it launched. */
static int add_program(const capture_wish *how, char **argv, const target *t, verify_inputs *to, error *e) {
  scoped_buffer file = buffer_with("%s/capture-%zu", to->scratch, to->capture_count);
  /* As capture_program; with `keep` what the program prints goes to standard error. */
  const bool apart = to->keep;
  view *found = ARRAY_ADD(to->found, to->found_count, to->found_capacity);
  const int out = apart ? dup(STDOUT_FILENO) : -1;
  if (out >= 0) {
    (void)fflush(stdout);
    (void)dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  capture_wish wish = *how;
  wish.found = found;
  int result = capture_program(argv, t, buffer_text(&file), &wish, e);
  if (out >= 0) {
    (void)dup2(out, STDOUT_FILENO);
    (void)close(out);
  }
  if (result != 0 && e->code == EXIT_BASELINE && access(buffer_text(&file), R_OK) == 0) {
    say(stderr, "cltestcheck: %s: %s\n", argv[0], e->text);
    to->failed = true;
    result = 0;
  }
  if (result == 0) result = add_capture(to, buffer_text(&file), argv, e);
  return result;
}

/* A file that is no program either. */
static bool is_other_file(const char *word) {
  struct stat s;
  return stat(word, &s) == 0 && S_ISREG(s.st_mode) && access(word, X_OK) != 0 && !ends_with(word, ".yaml") &&
         !ends_with(word, ".yml");
}

/* Captures on the command line are read as they are. */
static int add_captures(const command_line *s, word_list *others, verify_inputs *out, error *e) {
  int result = 0;
  for (size_t i = 0; i < s->positional.count && result == 0; i++) {
    const char *word = s->positional.items[i];
    if (plan_names_capture(word)) {
      char *const nothing[] = {NULL};
      result = add_capture(out, word, nothing, e);
    } else if (is_other_file(word)) {
      result = error_set(
          e, EXIT_USAGE,
          "\"%s\" is no kernel file (FILE.cl), no suite (SUITE.yaml) and no capture; a program stands after --", word);
    } else {
      *ARRAY_ADD(others->items, others->count, others->capacity) = word;
    }
  }
  return result;
}

static int add_programs(const settings *s, verify_inputs *out, error *e) {
  word_list others = {0};
  plan p = {0};
  target t = {0};
  out->observed = true;
  out->scratch = scratch_temporary("cltestcheck-verify", e);
  int result = (out->scratch == NULL ? -1 : 0) == 0 ? add_captures(&s->given, &others, out, e) : -1;
  const capture_wish how = {
      .given = &s->given, .quiet = true, .kept = "what it launched before is verified", .partly = true};
  plan_words words_left = planning_words(s);
  words_left.words = others;
  if (result == 0 && (others.count > 0 || s->given.command != NULL || s->given.positional.count == 0)) {
    result = plan_make(&words_left, &p, e) != 0 ? -1 : target_find(&s->device, TARGET_ONE, &t, e);
    for (size_t i = 0; i < p.count && result == 0; i++) {
      const char *given = p.tests[i].capture;
      result = given != NULL ? take_capture(given, out, e) : add_program(&how, p.tests[i].argv, &t, out, e);
    }
  }
  target_free(&t);
  plan_free(&p);
  free(others.items);
  return result;
}

/* --- both --------------------------------------------------------------------------------------------------------- */

static int check_options(const prove_options *s, bool keep, error *e) {
  const struct {
    bool given;
    const char *name;
  } only_files[] = {{s->local.dimensions > 0, "local"},
                    {s->groups.dimensions > 0, "groups"},
                    {keep && s->assume.count > 0, "assume"},
                    {s->alias, "alias"}};
  for (size_t i = 0; i < sizeof only_files / sizeof only_files[0]; i++) {
    if (only_files[i].given) {
      return error_set(e, EXIT_USAGE, "--%s is for kernel files; of a program, its launches say that",
                       only_files[i].name);
    }
  }
  return 0;
}

int verify_inputs_gather(const settings *s, bool keep, verify_inputs *out, error *e) {
  *out = (verify_inputs){.keep = keep};
  bool files = false;
  if (verify_host_read(s, &out->host, e) != 0) return -1;
  for (size_t i = 0; i < s->given.positional.count; i++) files = files || is_kernel_file(s->given.positional.items[i]);
  if (files) return add_files(&s->given, out, e);
  if (s->given.positional.count == 0 && s->given.command == NULL) {
    return error_set(e, EXIT_USAGE, "%s wants kernel files, or a program after --, such as: cltestcheck %s kernels.cl",
                     s->given.verb, s->given.verb);
  }
  return check_options(&s->proof, keep, e) != 0 ? -1 : add_programs(s, out, e);
}

static int keep_found(const view *v, db *d, int64_t run, error *e) {
  int result = 0;
  for (size_t i = 0; i < v->finding_count && result == 0; i++) {
    const db_finding *f = &v->findings[i];
    scoped_buffer distinct = {0};
    finding_message(v, f, &distinct);
    const db_finding row = {.of.run = run,
                            .rule = f->rule,
                            .detail = f->detail,
                            .witness = f->witness,
                            .witness_count = f->witness_count,
                            .distinct = buffer_text(&distinct)};
    result = db_put_finding(d, &row, e);
  }
  return result;
}

int verify_inputs_keep(const verify_inputs *in, db *d, int64_t run, error *e) {
  int result = 0;
  for (size_t i = 0; i < in->found_count && result == 0; i++) result = keep_found(&in->found[i], d, run, e);
  return result;
}

void verify_inputs_say(const verify_inputs *in) {
  EACH(const view, v, in->found, in->found_count) {
    for (size_t f = 0; f < v->finding_count; f++) {
      scoped_buffer text = {0};
      finding_message(v, &v->findings[f], &text);
      say(stderr, "cltestcheck: not what it seems: %s\n", buffer_text(&text));
    }
  }
}

void verify_inputs_free(verify_inputs *in) {
  for (size_t i = 0; i < in->count; i++) asked_source_free(&in->sources[i]);
  mem_free_all(in->captures, in->capture_count);
  for (size_t i = 0; i < in->found_count; i++) view_free(&in->found[i]);
  free(in->found);
  free(in->sources);
  overlaps_free(&in->overlaps);
  verify_host_free(&in->host);
  scratch_close(in->scratch);
  *in = (verify_inputs){0};
}

enum { TIMEOUT = 30 };

prove_options prove_options_of(const settings *s) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  prove_options o = s->proof;
  o.timeout = s->experiment.limit > 0 ? s->experiment.limit : TIMEOUT;
  o.jobs = s->experiment.jobs > 0 ? s->experiment.jobs : processors < 1 ? 1 : (unsigned)processors;
  return o;
}

/* A contradiction is a fault of ours: it comes with the launch, as a kernel case that can be sent. */

void second_opinion_begin(second_opinion *o, const settings *s) {
  o->device = &s->device;
  o->kept = s->cases.emit;
  o->verify = prove_options_of(s);
  o->experiments = experiment_of(s, 1);
  o->launches = s->verify.second_opinion;
}

__attribute__((format(printf, 2, 3))) static void note(const second_opinion *o, const char *format, ...) {
  va_list arguments;
  scoped_buffer text = {0};
  va_start(arguments, format);
  buffer_vprintf(&text, format, arguments);
  va_end(arguments);
  o->note(o->context, buffer_text(&text));
}

/* When the first kernel needs it: whatever is missing then is said once. */
static bool begin_opinion(second_opinion *o) {
  device *devices = NULL;
  size_t count = 0;
  error e;
  if (o->begun) return !o->none;
  o->begun = true;
  o->none =
      devices_list(&devices, &count, &e) != 0 || target_find(o->device, TARGET_ONE, &o->experiments.target, &e) != 0;
  free(devices);
  if (!o->none && o->experiments.target.replay == NULL)
    o->none = error_set(&e, EXIT_INTERNAL, "the program cltestcheck-replay is not where cltestcheck looks for it") != 0;
  o->scratch = o->none ? NULL : scratch_temporary("cltestcheck-opinion", &e);
  o->none = o->none || o->scratch == NULL;
  if (o->none) {
    note(o, "no proof is held against runs (a second opinion): %s", e.text);
    return false;
  }
  return true;
}

static void contradict(second_opinion *o, const opinion *found, proved_kernel *k) {
  scoped_buffer reason = {0};
  o->contradicted++;
  char made[] = "/tmp/cltestcheck-contradiction-XXXXXX";
  const char *folder = o->kept != NULL ? o->kept : mkdtemp(made);
  scoped_buffer text = {0}, name = {0};
  error e;
  buffer_printf(&text, "kernel %s is not verified: a run contradicts the proof: %s", k->answer.kernel, found->why);
  buffer_printf(&name, "contradiction-%s", k->answer.kernel);
  if (folder != NULL && emit_replica_quietly(folder, &found->launch, buffer_text(&name), &e) == 0) {
    buffer_printf(&text, "; this is a fault of cltestcheck: please send it %s/%s/suite.yaml, which has the launch",
                  folder, buffer_text(&name));
  }
  note(o, "%s", buffer_text(&text));
  buffer_printf(&reason, "a run contradicts the proof: %s", found->why);
  answer_undecided(&k->answer, buffer_text(&reason));
  k->key[0] = '\0'; /* it is not to be taken over */
}

static void agree(second_opinion *o, const opinion *found, proved_kernel *k) {
  o->agreed++;
  o->made += found->launches;
  k->answer.opinion = found->launches;
  if (k->text != NULL) {
    char *text = answer_with_opinion(k->text, found->launches);
    free(k->text);
    k->text = text;
  }
}

static void blame_compiler(const second_opinion *o, const opinion *found, const char *kernel) {
  note(o,
       "kernel %s is verified, and yet a run on this device goes wrong: %s; with -cl-opt-disable it does not, so "
       "the device's compiler is at fault",
       kernel, found->why);
}

static void blame_undefined(const second_opinion *o, const opinion *found, const verify_answer *a) {
  const bool overflow = premises_have(&a->assumptions, PREMISE_OVERFLOW);
  note(o, "kernel %s is verified where %s; a run in which it may %sgoes wrong: %s", a->kernel,
       overflow ? "signed arithmetic does not overflow" : "nothing is divided by 0", overflow ? "" : "be ", found->why);
}

/* --- launches that were seen -------------------------------------------------------------------------------------- */

typedef struct seen_outside {
  const asked_source *source;
  verify_answer *answer;
  bool found;
} seen_outside;

static const char *copy_text(seen_outside *s, const char *text) {
  return mem_arena_copy(&s->answer->texts, text == NULL ? "" : text);
}

static bool leaves_memory(const db_finding *f) { return rule_is(f->rule, RULE_ADDRESS) && f->place_count > 0; }

/* A finding of `memory` as one of the proof, which is out of bounds from then on. */
static void take_outside(void *context, const view *v) {
  seen_outside *s = context;
  for (size_t i = 0; i < v->finding_count && !s->found; i++) {
    const db_finding *f = &v->findings[i];
    const bool of_it = f->kernel != NULL && strcmp(f->kernel, s->answer->kernel) == 0;
    if (!of_it || !leaves_memory(f)) continue;
    const db_detail *d = &f->detail;
    answer_undecided(s->answer, "");
    for (size_t k = 0; k < s->answer->assumptions.count; k++) { /* which does not hold */
      premise *p = &s->answer->assumptions.items[k];
      if (p->kind == PREMISE_INSIDE) *p = s->answer->assumptions.items[--s->answer->assumptions.count];
    }
    s->answer->verdict = ANSWER_OUT_OF_BOUNDS;
    mem_arena *m = &s->answer->texts;
    db_place *place = mem_arena_array(m, 1, sizeof *place);
    *place = (db_place){.role = copy_text(s, f->places[0].role),
                        .access = copy_text(s, f->places[0].access),
                        .how = "",
                        .who = "",
                        .line = f->places[0].line,
                        .column = f->places[0].column};
    answer_words *files = mem_arena_array(m, 1, sizeof *files);
    files->items = mem_arena_array(m, 1, sizeof *files->items);
    files->items[files->count++] = copy_text(s, asked_text(s->source)->name);
    const bool launch = d->launch.known && s->answer->given > 0;
    const db_detail detail = {.object = copy_text(s, d->object),
                              .space = copy_text(s, d->space),
                              .pixel = d->pixel == NULL ? NULL : copy_text(s, d->pixel),
                              .size = {d->size.value > 0, d->size.value},
                              .element = d->element,
                              .element_size = {d->element_size.value > 0, d->element_size.value},
                              .byte = d->byte,
                              .launch = {launch, d->launch.value},
                              .launches = {launch, s->answer->given},
                              .call = copy_text(s, d->call),
                              .cause = copy_text(s, d->cause)};
    s->answer->findings = mem_arena_array(m, 1, sizeof *s->answer->findings);
    s->answer->findings[0] =
        (answer_finding){.row = {.rule = copy_text(s, f->rule), .detail = detail, .places = place, .place_count = 1},
                         .files = files,
                         .seen = true};
    s->answer->finding_count = 1;
    s->found = true;
  }
}

/* Whether the form that is built for the second opinion shows it already, in a short time. */
static bool stays_inside(const second_opinion *o, const char *kernel, const char *path) {
  enum { SECONDS = 2, WALL = 20 };
  const trial_options how = {.base = &o->experiments,
                             .kernels.wanted = {&kernel, 1, 1},
                             .folder = o->scratch,
                             .limit = WALL * SECONDS,
                             .processor = SECONDS,
                             .strict = true};
  trial_result seen = {0};
  error ignored;
  return trial_run(&trial_accesses, &how, path, &seen, &ignored) == 0 && seen.code != EXIT_BASELINE && seen.inside;
}

/* The launches that were seen are made again with the ends of memory watched. True: the kernel is not verified. */
static bool goes_outside(second_opinion *o, const asked_source *s, proved_kernel *k) {
  const char *kernel = k->answer.kernel;
  seen_outside found = {.source = s, .answer = &k->answer};
  if (!s->observed || o->verify.no_bounds ||
      !(premises_have(&k->answer.assumptions, PREMISE_INSIDE) || strstr(asked_text(s)->text, "*)") != NULL))
    return false;
  for (size_t i = 0; i < o->capture_count && !found.found; i++) {
    if (stays_inside(o, kernel, o->captures[i])) continue;
    enum { WALL = 20, LEAST = 15 };
    const double seconds = k->answer.seconds > LEAST ? k->answer.seconds : LEAST;
    const trial_options how = {.base = &o->experiments,
                               .kernels.wanted = {&kernel, 1, 1},
                               .folder = o->scratch,
                               .limit = WALL * seconds,
                               .processor = (unsigned)(seconds + 0.999),
                               .look = take_outside,
                               .context = &found};
    trial_result seen = {0};
    error e;
    const int result = trial_run(&trial_memory, &how, o->captures[i], &seen, &e);
    if (result != 0 || seen.code == EXIT_BASELINE) {
      note(o, "kernel %s: the launches that were seen did not run to their end with the ends of memory watched",
           kernel);
    }
  }
  if (found.found) k->key[0] = '\0'; /* it is not to be taken over */
  return found.found;
}

/* --- each kernel -------------------------------------------------------------------------------------------------- */

static opinion_options options_of(const second_opinion *o) {
  return (opinion_options){
      .watching = {.base = &o->experiments, .folder = o->scratch, .same_value = o->verify.no_benign},
      .launches = o->launches,
      .verify = &o->verify};
}

/* Where it cannot be done, something else may be asked; an interruption shows in what comes next. */
int second_opinion_confirm(void *context, const replica *launches, size_t count, double seconds, confirmation *out) {
  second_opinion *o = context;
  error ignored;
  if (o->launches == 0 || !begin_opinion(o) || o->verify.warp > 0) return -1;
  const opinion_options asked = options_of(o);
  return opinion_confirm(&asked, launches, count, seconds, out, &ignored);
}

int second_opinion_give(second_opinion *o, const asked_source *s, proved_kernel *k, error *e) {
  if (o->launches == 0 || k->answer.verdict != ANSWER_VERIFIED) return 0;
  if (o->capture_count > 0 && s->observed && begin_opinion(o) && goes_outside(o, s, k)) return 0;
  if (k->answer.opinion > 0) { /* of the run that the proof is taken over from */
    o->earlier++;
    o->made_earlier += k->answer.opinion;
    return 0;
  }
  if (!begin_opinion(o)) return 0;
  const opinion_options asked = options_of(o);
  opinion found;
  const int result = opinion_ask(&asked, s, &k->answer, &found, e);
  if (result != 0) {
    *ARRAY_ADD(o->without.items, o->without.count, o->without.capacity) =
        mem_printf("no second opinion of kernel %s: %s", k->answer.kernel, e->text);
    opinion_free(&found);
    return e->code == 130 ? -1 : 0;
  }
  if (found.kind == OPINION_CONTRADICTS)
    contradict(o, &found, k);
  else if (found.kind == OPINION_COMPILER)
    blame_compiler(o, &found, k->answer.kernel);
  else if (found.kind == OPINION_OVERFLOW)
    blame_undefined(o, &found, &k->answer);
  else if (found.kind == OPINION_AGREES)
    agree(o, &found, k);
  if (found.kind == OPINION_NONE || (found.kind == OPINION_AGREES && found.why != NULL)) {
    *ARRAY_ADD(o->without.items, o->without.count, o->without.capacity) = mem_printf(
        "%s kernel %s: %s", found.kind == OPINION_AGREES ? "not all of the second opinion of" : "no second opinion of",
        k->answer.kernel, found.why);
  }
  opinion_free(&found);
  return 0;
}

void second_opinion_say(second_opinion *o) {
  enum { MOST = 5 };
  if (o->agreed > 0) {
    note(o, "second opinion: %llu launches of %zu verified kernel%s, with accesses and barriers watched, %s",
         (unsigned long long)o->made, o->agreed, o->agreed == 1 ? "" : "s",
         o->agreed == 1 ? "do not contradict its proof" : "contradict none of the proofs");
  }
  if (o->earlier > 0) {
    note(o, "second opinion of an earlier run: %llu launches of %zu verified kernel%s contradicted no proof",
         (unsigned long long)o->made_earlier, o->earlier, o->earlier == 1 ? "" : "s");
  }
  for (size_t i = 0; i < o->without.count && i < MOST; i++) note(o, "%s", o->without.items[i]);
  if (o->without.count > MOST)
    note(o, "and of %zu more kernels there is none, or not all of it", o->without.count - MOST);
}

void second_opinion_end(second_opinion *o) {
  mem_free_all(o->without.items, o->without.count);
  target_free(&o->experiments.target);
  scratch_close(o->scratch);
}
