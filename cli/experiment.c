/* What commands that run experiments share: the target, the test cases, options, the run in the database, progress,
 * kernel cases of findings. */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/say.h"
#include "base/subprocess.h"
#include "cli/git.h"
#include "cli/options.h"
#include "cli/output.h"
#include "runner/devices.h"
#include "runner/experiment/run_words.h"
#include "runner/paths.h"

int target_find(const device_settings *s, target_devices which, target *out, error *e) {
  *out = (target){.layer = own_path("libcltestcheck-layer.so")};
  out->capture = own_path("libcltestcheck-capture.so");
  out->replay = own_path("cltestcheck-replay");
  out->preload = s->preload ? own_path("libcltestcheck-preload.so") : NULL;
  if (out->layer == NULL || (s->preload && out->preload == NULL))
    return error_set(e, EXIT_INTERNAL, "the layer library is not where cltestcheck looks for it; install it again");
  /* Finding libraries and device. */
  device *all = NULL;
  if (s->name == NULL && s->platform == NULL) return 0;
  if (devices_choose_all(s->name, s->platform, which != TARGET_ANY, &all, &out->device_count, e) != 0) return -1;
  out->devices = mem_calloc(out->device_count, sizeof *out->devices);
  for (size_t i = 0; i < out->device_count; i++)
    out->devices[i] = mem_printf("%u:%u", (unsigned)all[i].platform, (unsigned)all[i].index);
  free(all);
  out->device = out->devices[0];
  return which != TARGET_ONE || out->device_count == 1
             ? 0
             : error_set(e, EXIT_USAGE, "--device %s: this command runs on one device; mutate and amplify take several",
                         s->name);
}

void target_free(target *t) {
  free(t->layer);
  free(t->capture);
  free(t->replay);
  free(t->preload);
  mem_free_all(t->devices, t->device_count);
}

/* "pytest", "py.test-3", "python3 -m pytest". */
static bool is_pytest(char *const *argv) {
  const char *name = path_end(argv[0]);
  if (strncmp(name, "python", 6) == 0) {
    for (size_t i = 1; argv[i] != NULL && argv[i][0] == '-'; i++)
      if (strcmp(argv[i], "-m") == 0) return argv[i + 1] != NULL && strcmp(argv[i + 1], "pytest") == 0;
    return false;
  }
  return strncmp(name, "pytest", 6) == 0 || strncmp(name, "py.test", 7) == 0;
}

static bool is_ctest(char *const *argv) { return strcmp(path_end(argv[0]), "ctest") == 0; }

static bool file_holds(const char *path, const char *text) {
  struct stat status;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  bool found = false;
  if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    const size_t size = (size_t)status.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) {
      found = memmem(bytes, size, text, strlen(text)) != NULL;
      (void)munmap(bytes, size);
    }
  }
  if (file >= 0) (void)close(file);
  return found;
}

/* Linked with it, statically or not; and not asked for one of its tests already. */
static bool is_gtest(char *const *argv) {
  for (size_t i = 1; argv[i] != NULL; i++)
    if (strncmp(argv[i], "--gtest_filter=", 15) == 0 && strpbrk(argv[i] + 15, "*:?-") == NULL) return false;
  return strchr(argv[0], '/') != NULL &&
         (file_holds(argv[0], "gtest_list_tests") || file_holds(argv[0], "libgtest.so"));
}

static const struct {
  bool (*is)(char *const *argv);
  const char *sentence;
} frameworks[] = {
    {is_pytest, "pytest ran as one test case; with --pytest each of its tests is one"},
    {is_ctest, "ctest ran as one test case; with --ctest FOLDER, in place of the program, each of its tests is one"},
    {is_gtest, "this GoogleTest program ran as one test case; with --gtest each of its tests is one"},
};

void framework_hint(const test_settings *s, char *const *program) {
  if (program == NULL || program[0] == NULL || s->pytest || s->gtest || s->ctest != NULL) return;
  for (size_t i = 0; i < sizeof frameworks / sizeof frameworks[0]; i++) {
    if (frameworks[i].is(program)) {
      say(stderr, "cltestcheck: %s\n", frameworks[i].sentence);
      return;
    }
  }
}

experiment_options experiment_of(const settings *s, unsigned jobs) {
  experiment_options o = s->experiment;
  o.jobs = o.jobs > 0 ? o.jobs : jobs;
  o.kernels = s->report.kernels;
  return o;
}

void say_failing(const experiment_outcome *out, const char *without, const char *what) {
  if (out->failing > 0 && !out->baseline_failed && !out->interrupted) {
    say(stderr, "cltestcheck: %zu test case%s %s (exit status 4): %s\n", out->failing,
        out->failing == 1 ? " fails" : "s fail", without, what);
  }
}

/* The beginning and the end of commands that measure. */

int measure_begin(const char *database, const char *verb, const char *kept, db **d, int64_t *run, error *e) {
  return db_open(d, database, DB_WRITE, e) != 0 || db_begin_run(*d, verb, CLTC_VERSION, run, e) != 0 ||
                 (kept != NULL && db_set_settings(*d, *run, kept, e) != 0) || revision_keep(*d, *run, e) != 0
             ? -1
             : 0;
}

/* Whether a format that was asked for goes to standard error, in the place of the text. */
static bool goes_to_stderr(const report_settings *s) {
  bool any = false;
  for (size_t i = 0; i < s->format_count; i++) any = any || s->formats[i].file == NULL;
  return any;
}

static int write_reports(const report_settings *s, const view *v, int code, const measure_words *said, void *context,
                         error *e) {
  if (said->has_text(context, v) && !s->quiet && !goes_to_stderr(s)) {
    const int result = said->text == NULL ? write_text(v, s, code, stderr, e) : said->text(context, v, code, e);
    if (result != 0) return result;
  }
  return write_formats(v, s, code, stderr, e);
}

int measure_report(const report_settings *s, db *d, int64_t run, const measure_words *said, void *context) {
  view v;
  error e;
  if (load_view(d, &run, 1, s, &v, &e) != 0) return say_error(&e);
  const int code = said->judge(context, &v), result = write_reports(s, &v, code, said, context, &e);
  said->say(context, &v, code);
  view_free(&v);
  return result == 0 ? code : say_error(&e);
}

/* --- progress ----------------------------------------------------------------------------------------------------- */

void progress_show(progress_line *l, const char *text) {
  (void)fprintf(stderr, "\r%.79s\033[K", text);
  (void)fflush(stderr);
  l->shown = true;
}

void progress_wipe(progress_line *l) {
  if (l->shown) {
    (void)fputs("\r\033[K", stderr);
    l->shown = false;
  }
}

void progress_note(progress_line *l, const char *text) {
  progress_wipe(l);
  say(stderr, "cltestcheck: %s\n", text);
}

/* From settings to the words of a plan. */

plan_words planning_words(const settings *s) {
  const bool amplifies = strcmp(s->given.verb, "amplify") == 0 && s->experiment.oracle != ORACLE_EXIT;
  return (plan_words){.verb = s->given.typed,
                      .words = s->given.positional,
                      .command = s->given.command,
                      .tests = s->tests,
                      .any_reads = strcmp(s->given.verb, "races") == 0 || amplifies,
                      .quiet = s->report.quiet};
}

int planning_make(const settings *s, plan *out, error *e) {
  const plan_words w = planning_words(s);
  return plan_make(&w, out, e);
}

capture_wish planning_wish(const settings *s, const char *kept) {
  return (capture_wish){.given = &s->given, .timeout = s->experiment.limit, .quiet = s->report.quiet, .kept = kept};
}

/* A temporary database for a session. */

int recording_open(recording *r, uint32_t mutant_id, error *e) {
  *r = (recording){.directory = captures_open(e)};
  if (r->directory == NULL) return -1;
  scoped_buffer path = buffer_with("%s/db", r->directory);
  int result = db_open(&r->db, buffer_text(&path), DB_WRITE, e);
  if (result != 0 || db_begin_run(r->db, "capture", CLTC_VERSION, &r->run, e) != 0) return -1;
  r->session = session_new(r->db, r->run, &(session_options){.kernels = KERNEL_COUNTED, .mutant = mutant_id});
  int64_t test_case = 0;
  if (db_begin_test_case(r->db, r->run, "", "capture", "", &test_case, e) != 0) return -1;
  char *nothing[] = {"", NULL};
  session_begin_test_case(r->session, test_case, nothing);
  return 0;
}

void recording_close(recording *r) {
  session_free(r->session);
  db_close(r->db);
  captures_close(r->directory);
}

void say_note(void *context, const char *text) {
  (void)context;
  say(stderr, "cltestcheck: %s\n", text);
}

static size_t count_kind(const capture *c, capture_kind first, capture_kind last) {
  size_t count = 0;
  for (size_t i = 0; i < c->command_count; i++)
    count += c->commands[i].kind >= first && c->commands[i].kind <= last ? 1 : 0;
  return count;
}

/* "3 launches": a number and what it counts. */
static void say_count(size_t count, const char *what, const char *end) {
  say(stderr, "%zu %s%s%s", count, what, count == 1 ? "" : what[strlen(what) - 1] == 'h' ? "es" : "s", end);
}

static void say_size(double bytes, const char *end) {
  const bool small = bytes < 1 << 20;
  say(stderr, "%.1f %s%s", bytes / (small ? 1 << 10 : 1 << 20), small ? "KiB" : "MiB", end);
}

/* The program has ended: its capture becomes the file, unless it is no good. */
static int keep_capture(const char *raw, const char *file, const capture_wish *wish, error *e) {
  capture c;
  if (access(raw, F_OK) != 0) {
    return error_set(e, EXIT_NOTHING,
                     "nothing was captured: the program made nothing on an OpenCL device (if it does use OpenCL, its "
                     "loader knows no layers)");
  }
  if (capture_read(raw, &c, e) != 0) return -1;
  int result = 0;
  if (c.unsuitable != NULL && !wish->partly)
    result = error_set(e, EXIT_NOTHING, "nothing was captured: the program cannot be replayed: %s", c.unsuitable);
  capture_free(&c);
  if (result != 0 || capture_pack(raw, file, e) != 0 || capture_read(file, &c, e) != 0) return -1;
  if (!wish->quiet) {
    double bytes = 0;
    for (size_t i = 0; i < c.blob_count; i++) bytes += (double)c.blobs[i].size;
    say(stderr, "cltestcheck: %s: ", file);
    say_count(count_kind(&c, CAPTURE_LAUNCH, CAPTURE_LAUNCH), "launch", " of ");
    say_count(count_kind(&c, CAPTURE_KERNEL, CAPTURE_CLONE), "kernel", ", ");
    say_count(count_kind(&c, CAPTURE_READ, CAPTURE_READ_IMAGE), "read", "; ");
    say_size(bytes, " of data in ");
    say_size((double)c.stored_bytes, ". It holds the program's data and kernels: mind whom you give it to\n");
  }
  capture_free(&c);
  return 0;
}

/* The program has ended without any work for a device. */
static int say_no_work(const capture_wish *wish, const target *t, const recording *r, const program_end *h, error *e) {
  const session_summary seen = session_summarise(r->session);
  if (seen.device_denied) {
    say_denied(wish->given, t, seen.denied_type);
    return error_set(e, EXIT_NOTHING, "nothing was captured: the program got no device");
  }
  return h->status == 0
             ? 0
             : error_set(e, EXIT_BASELINE, "the program itself %s %d before it did anything on an OpenCL device",
                         h->status > 128 ? "was killed by signal" : "failed with exit status",
                         h->status > 128 ? h->status - 128 : h->status);
}

/* The program has failed after something was captured. */
static int say_failed(char **argv, const program_end *h, const char *kept, error *e) {
  if (h->status <= 128)
    return error_set(e, EXIT_BASELINE, "the program itself failed with exit status %d; %s", h->status, kept);
  char next[1024];
  scoped char *line = shell_line(argv);
  crash_advice(h->status, line, false, next, sizeof next);
  return error_set(e, EXIT_BASELINE, "the program itself was killed by signal %d (%s); %s; %s%s%s", h->status - 128,
                   strsignal(h->status - 128), h->last_launch, kept, next[0] == '\0' ? "" : ". ", next);
}

static int run_program(char **argv, const target *t, const char *file, const capture_wish *wish, recording *r,
                       error *e) {
  capture_file raw;
  capture_file_init(&raw, r->directory, 0, "");
  program_options how = {.child = {.argv = argv, .on = *t, .capture = raw.path, .unwatched = wish->silent},
                         .timeout = wish->timeout,
                         .form = FORM_UNTOUCHED,
                         .name = argv[0],
                         .waiting = say_note};
  how.child.on.preload = NULL;
  program_end h;
  int result = program_run(r->session, r->db, &how, &h, e);
  if (result == 0 && (h.timed_out || h.interrupted))
    result = error_set(e, h.interrupted ? 130 : EXIT_BASELINE, "the program was ended before its end: no capture");
  if (result == 0 && access(raw.path, F_OK) != 0) result = say_no_work(wish, t, r, &h, e);
  if (result == 0 && keep_capture(raw.path, file, wish, e) != 0)
    result = -1;
  else if (result == 0 && h.status != 0)
    result = say_failed(argv, &h, wish->kept, e);
  capture_file_free(&raw);
  return result;
}

int capture_program(char **argv, const target *t, const char *file, const capture_wish *wish, error *e) {
  recording r = {0};
  if (t->capture == NULL)
    return error_set(e, EXIT_INTERNAL, "the capture layer is not where cltestcheck looks for it; install it again");
  const bool open = recording_open(&r, 0, e) == 0;
  int result = open ? run_program(argv, t, file, wish, &r, e) : -1;
  error other;
  if (wish->found != NULL && r.db != NULL && db_load(r.db, &r.run, 1, wish->found, &other) != 0 && result == 0) {
    *e = other;
    result = -1;
  }
  recording_close(&r);
  return result;
}

int planning_capture(const settings *s, const plan *p, const target *t, error *e) {
  const char *file = s->tests.capture;
  capture_wish wish = planning_wish(s, "its capture was kept");
  wish.silent = true;
  if (file == NULL) return 0;
  if (p->count != 1) {
    return error_set(e, EXIT_USAGE, "--capture %s keeps what one test case does, and there are %zu; give one program",
                     file, p->count);
  }
  if (p->tests[0].capture != NULL) return capture_pack(p->tests[0].capture, file, e);
  const int result = capture_program(p->tests[0].argv, t, file, &wish, e);
  const bool failed = result != 0 && e->code == EXIT_BASELINE && strstr(e->text, wish.kept) != NULL;
  return failed ? 0 : result; /* it will fail once more */
}

/* Findings of a run, and counterexamples, become kernel cases: a test case, a kernel, its capture, its description. */

typedef struct wanted {
  size_t test;
  char *kernel;
} wanted;

typedef struct emission {
  const char *directory; /* of the option */
  const report_settings *report;
  const capture_wish *wish;
  const plan *plan;
  const target *target;
  char *scratch;
  wanted *items;
  size_t count, capacity;
  error *e;
} emission;

static void want(emission *x, const char *suite, const char *name, const char *kernel) {
  size_t test = 0;
  while (test < x->plan->count &&
         (strcmp(x->plan->tests[test].suite, suite) != 0 || strcmp(x->plan->tests[test].name, name) != 0))
    test++;
  bool known = test == x->plan->count || !kernel_chosen(&x->report->kernels, kernel);
  for (size_t i = 0; i < x->count; i++)
    known = known || (x->items[i].test == test && strcmp(x->items[i].kernel, kernel) == 0);
  if (!known) *ARRAY_ADD(x->items, x->count, x->capacity) = (wanted){test, mem_strdup(kernel)};
}

static int want_findings(emission *x, const view *v, db *d) {
  EACH(const db_finding, f, v->findings, v->finding_count) {
    db_seen seen;
    bool found = false;
    if (f->suppressed != NULL || f->proved || f->kernel == NULL || f->kernel[0] == '\0') continue;
    if (db_finding_test(d, f->id, &found, &seen, x->e) != 0) return -1;
    if (found) want(x, seen.suite, seen.name, f->kernel);
    db_free_seen(&seen);
  }
  return 0;
}

/* --- what is written ---------------------------------------------------------------------------------------------- */

/* The capture of a test case; free the path. NULL with the error set. */
static char *capture_of(const emission *x, size_t test) {
  const experiment_test *t = &x->plan->tests[test];
  scoped_buffer path = {0};
  if (t->capture != NULL) return mem_strdup(t->capture);
  buffer_printf(&path, "%s/%zu", x->scratch, test);
  struct stat status;
  if (stat(buffer_text(&path), &status) != 0 &&
      capture_program(t->argv, x->target, buffer_text(&path), x->wish, x->e) != 0 &&
      (x->e->code != EXIT_BASELINE || stat(buffer_text(&path), &status) != 0))
    return NULL;
  return buffer_take(&path);
}

/* Makes a folder of --emit-cases if it is not there. */
static int emit_folder(const char *folder, error *e) {
  return mkdir(folder, 0777) == 0 || errno == EEXIST
             ? 0
             : error_set(e, EXIT_USAGE, "the folder %s of --emit-cases cannot be made: %s", folder, strerror(errno));
}

/* DIR/KERNEL, or DIR/KERNEL-2 where that is there already. */
static char *free_folder(const char *directory, const char *kernel) {
  for (unsigned number = 1;; number++) {
    scoped_buffer path = {0};
    struct stat status;
    buffer_printf(&path, number == 1 ? "%s/%s" : "%s/%s-%u", directory, kernel, number);
    if (stat(buffer_text(&path), &status) != 0) return buffer_take(&path);
  }
}

static int write_case(const emission *x, const wanted *w) {
  capture c = {0};
  size_t ignored = 0;
  char *path = capture_of(x, w->test);
  if (path == NULL || capture_read(path, &c, x->e) != 0) {
    free(path);
    return -1;
  }
  scoped char *folder = free_folder(x->directory, w->kernel);
  const case_description how = {.name = w->kernel, .folder = folder, .reader = case_kernels_read, .kernel = w->kernel};
  int result = emit_folder(folder, x->e) != 0 ? -1 : case_describe(&c, &how, &ignored, x->e);
  if (result == 0) {
    say(stderr, "cltestcheck: %s/suite.yaml has the launches of kernel %s in %s\n", folder, w->kernel,
        x->plan->tests[w->test].name);
  } else if (x->e->code == EXIT_NOTHING) { /* which is no reason to keep the others from being written */
    say(stderr, "cltestcheck: kernel %s in %s: %s\n", w->kernel, x->plan->tests[w->test].name, x->e->text);
    result = 0;
  }
  free(path);
  capture_free(&c);
  return result;
}

static int emit(emission *x, db *d, const int64_t *runs, size_t count) {
  view v;
  if (load_view(d, runs, count, x->report, &v, x->e) != 0) return -1;
  EACH(const db_launch, l, v.launches, v.launch_count) {
    bool found = false;
    for (size_t k = 0; k < l->schedule_count; k++) {
      const char *verdict = l->schedules[k].verdict;
      found = found || (l->schedules[k].suppressed == NULL &&
                        (strcmp(verdict, "race") == 0 || strcmp(verdict, "deadlock") == 0 ||
                         strcmp(verdict, "crash") == 0 || strcmp(verdict, "order-dependent") == 0));
    }
    if (found) {
      const view_test_case *t = &v.test_cases[l->test_case];
      want(x, t->suite, t->name, v.kernels[l->kernel].name);
    }
  }
  int result = want_findings(x, &v, d);
  view_free(&v);
  if (result == 0 && x->count > 0) {
    x->scratch = scratch_temporary("cltestcheck-emit", x->e);
    result = x->scratch == NULL ? -1 : emit_folder(x->directory, x->e);
  }
  for (size_t i = 0; i < x->count && result == 0; i++) result = write_case(x, &x->items[i]);
  return result;
}

int emit_cases(const settings *s, const plan *p, const target *t, db *d, const int64_t *runs, size_t count, int code) {
  error e = {0};
  capture_wish wish = planning_wish(s, "");
  wish.quiet = wish.silent = true;
  emission x = {.directory = s->cases.emit, .report = &s->report, .wish = &wish, .plan = p, .target = t, .e = &e};
  if (s->cases.emit == NULL) return code;
  const int result = emit(&x, d, runs, count);
  for (size_t i = 0; i < x.count; i++) free(x.items[i].kernel);
  free(x.items);
  scratch_close(x.scratch);
  return result == 0 ? code : say_error(&e);
}

/* A counterexample as a case. */

int emit_replica_quietly(const char *folder, const replica *r, const char *name, error *e) {
  capture c = {0};
  size_t ignored = 0;
  scoped_buffer path = buffer_with("%s/%s", folder, name);
  const case_description how = {.name = name, .folder = buffer_text(&path), .reader = case_kernels_read};
  replica_capture(r, &c);
  const int result = emit_folder(folder, e) != 0 || emit_folder(buffer_text(&path), e) != 0 ||
                             case_describe(&c, &how, &ignored, e) != 0
                         ? -1
                         : 0;
  capture_free(&c);
  return result;
}

int emit_replica(void *folder, const replica *r, const char *name, error *e) {
  const int result = emit_replica_quietly(folder, r, name, e);
  if (result == 0)
    say(stderr, "cltestcheck: %s/%s/suite.yaml has the launch of a counterexample\n", (const char *)folder, name);
  return result;
}
