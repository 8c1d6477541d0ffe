/* Tests of a changed source: captured launches, and the user's tests below the guest that gives it to them
 * (layer/replace/). */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/files.h"
#include "base/say.h"
#include "base/subprocess.h"
#include "proofs/repair/file.h"
#include "runner/amplify/trial.h"
#include "runner/paths.h"
#include "wire/protocol.h"

enum { SECONDS = 600, SHOWN_MOST = 4000 };

#define GUEST "libcltestcheck-replace.so"

typedef struct testing {
  const char *command;
  const char *folder; /* NULL: without the change */
} testing;

static char *path_in(const char *folder, const char *name) {
  buffer path = {0};
  buffer_printf(&path, "%s/%s", folder, name);
  return buffer_take(&path);
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static void put_below_guest(const char *folder) {
  char *link = path_in(folder, GUEST);
  const char *others = getenv("OPENCL_LAYERS");
  buffer layers = {0};
  buffer_puts(&layers, link);
  if (others != NULL && others[0] != '\0') buffer_printf(&layers, ":%s", others);
  (void)setenv("OPENCL_LAYERS", buffer_text(&layers), 1);
  (void)setenv(ENV_LAYERS, buffer_text(&layers), 1);
  (void)setenv(ENV_REPLACE, folder, 1);
  buffer_free(&layers);
  free(link);
}

static void work(void *context, int out) {
  const testing *t = context;
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (t->folder != NULL) put_below_guest(t->folder);
  if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
      dup2(out, STDERR_FILENO) >= 0)
    (void)execl("/bin/sh", "sh", "-c", t->command, (char *)NULL);
  _exit(SUBPROCESS_NO_PROGRAM);
}

/* Whether the command succeeds: 1 or 0; -1 with `e`. `why` says how it ended. */
static int succeeds(const testing *t, buffer *out, buffer *why, error *e) {
  const subprocess s = {.work = work, .context = (void *)t, .deadline = clock_now() + SECONDS, .interruptible = true};
  subprocess_end end;
  int status = 0;
  if (subprocess_read(&s, out, &end, &status, e) != 0) return -1;
  if (end == SUBPROCESS_INTERRUPTED) return error_set(e, 130, "interrupted; nothing was changed");
  if (end != SUBPROCESS_ENDED) {
    buffer_printf(why, "was ended after %d seconds", SECONDS);
    return 0;
  }
  if (WIFSIGNALED(status))
    buffer_printf(why, "was ended by signal %d", WTERMSIG(status));
  else
    buffer_printf(why, "ends with %d", WEXITSTATUS(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
}

/* --- the folder of the guest -------------------------------------------------------------------------------------- */

static int write_text(const char *folder, const char *name, const char *text, size_t length, error *e) {
  char *path = path_in(folder, name);
  FILE *f = fopen(path, "wbe");
  const bool written = f != NULL && fwrite(text, 1, length, f) == length;
  const bool closed = f != NULL && fclose(f) == 0;
  if (!written || !closed) (void)error_set(e, EXIT_INTERNAL, "cannot write %s, which the tests need", path);
  free(path);
  return written && closed ? 0 : -1;
}

static int fill_folder(const repair_file *f, const char *folder, error *e) {
  char *library = own_path(GUEST);
  if (library == NULL)
    return error_set(e, EXIT_INTERNAL, "%s is not where cltestcheck looks for it; install it again", GUEST);
  char *link = path_in(folder, GUEST);
  const bool linked = symlink(library, link) == 0;
  free(link);
  free(library);
  if (!linked) return error_set(e, EXIT_INTERNAL, "cannot make files in %s, which the tests need", folder);
  return write_text(folder, REPLACE_BEFORE, f->repair.text, f->repair.length, e) != 0 ||
                 write_text(folder, REPLACE_AFTER, buffer_text(&f->result), f->result.length, e) != 0 ||
                 write_text(folder, REPLACE_USED, "", 0, e) != 0
             ? -1
             : 0;
}

static bool was_built(const char *folder) {
  char *path = path_in(folder, REPLACE_USED);
  struct stat info;
  const bool built = stat(path, &info) == 0 && info.st_size > 0;
  free(path);
  return built;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* What the command says without the change, where it failed with it. */
static int judge_failure(repair_file *f, const repair_options *s, const buffer *out, buffer *why, error *e) {
  buffer before = {0}, ignored = {0}, text = {0};
  const testing plain = {.command = s->check};
  const int fine = succeeds(&plain, &before, &ignored, e);
  if (fine == 1) {
    const size_t length = out->length < SHOWN_MOST ? out->length : SHOWN_MOST;
    if (!s->quiet && length > 0) say(stderr, "%.*s", (int)length, buffer_text((buffer *)out) + out->length - length);
  }
  if (fine >= 0) {
    buffer_printf(&text, "the command of --tests %s with the change, and %s", buffer_text(why),
                  fine == 1 ? "succeeds without it" : "fails without it, too");
    repair_file_step(f, fine == 1, buffer_take(&text));
  }
  buffer_free(&before);
  buffer_free(&ignored);
  buffer_free(&text);
  return fine < 0 ? -1 : 0;
}

static int run_tests(repair_file *f, const repair_options *s, const char *folder, error *e) {
  buffer out = {0}, why = {0};
  const testing changed = {.command = s->check, .folder = folder};
  const int fine = succeeds(&changed, &out, &why, e);
  int result = fine < 0 ? -1 : 0;
  if (fine >= 0 && !was_built(folder)) {
    repair_file_step(f, true,
                     mem_strdup("the command of --tests builds this source nowhere, or with a loader that knows no "
                                "layers: it says nothing of the change"));
  } else if (fine == 1) {
    repair_file_step(f, false, mem_strdup("the command of --tests succeeds with the change"));
  } else if (fine == 0) {
    result = judge_failure(f, s, &out, &why, e);
  }
  buffer_free(&out);
  buffer_free(&why);
  return result;
}

int repair_check_tests(repair_file *f, const repair_options *s, error *e) {
  if (s->check == NULL || f->failed) return 0;
  char *folder = scratch_temporary("cltestcheck-check", e);
  if (folder == NULL) return -1;
  const int result = fill_folder(f, folder, e) != 0 ? -1 : run_tests(f, s, folder, e);
  scratch_close(folder);
  return result;
}

/* Captures with the changed source, given to replays and to experiments. */

enum { REPLAY_SECONDS = 600 };

typedef struct checking {
  repair_file *file;
  const repair_options *settings;
  const char *folder;                   /* for files */
  char *as_it_is, *changed, *forgetful; /* captures; the last without what the program read */
} checking;

/* The kernels that are to be looked at; with `parts` also those that are as they should be inside of groups. */
static bool is_fine(const repair_kernel *k, bool parts) {
  return k->outcome == REPAIR_DONE || k->outcome == REPAIR_FINE || (parts && k->outcome == REPAIR_PART);
}

/* What an experiment says of the capture; EXIT_NOTHING where there is no such kernel. */
static int experiment(const checking *c, const trial_kind *kind, const char *path, bool parts, trial_result *out,
                      error *e) {
  const repair *r = &c->file->repair;
  const char **names = mem_calloc(r->kernel_count + 1, sizeof *names);
  size_t count = 0;
  for (size_t i = 0; i < r->kernel_count; i++)
    if (is_fine(&r->kernels[i], parts)) names[count++] = r->kernels[i].name;
  const trial_options o = {.base = c->settings->experiments,
                           .kernels.wanted = {names, count, count},
                           .folder = c->folder,
                           .limit = REPLAY_SECONDS};
  *out = (trial_result){.code = EXIT_NOTHING};
  const int result = count == 0 ? 0 : trial_run(kind, &o, path, out, e);
  free(names);
  return result;
}

/* --- replays ------------------------------------------------------------------------------------------------------ */

static int replay_once(const checking *c, const char *path, replay_record *record, bool *known, error *e) {
  const experiment_options *o = c->settings->experiments;
  const replaying r = {
      .program = o->target.replay, .capture = path, .device = o->target.device, .timeout = REPLAY_SECONDS};
  replaying_end end;
  return replaying_compare(&r, c->folder, record, known, &end, e) != 0 ? -1 : end.status;
}

static void say_reads(const replay_record *r, buffer *out) {
  if (r->differs)
    buffer_printf(out, "read %llu differs from the captured one", (unsigned long long)r->number);
  else
    buffer_printf(out, "%llu of %llu reads as captured", (unsigned long long)r->known, (unsigned long long)r->known);
}

/* A race or divergence that was found, in the kernels that were changed. */
static bool had_race(const repair_file *f) {
  for (size_t i = 0; i < f->repair.kernel_count; i++) {
    const repair_kernel *k = &f->repair.kernels[i];
    if ((k->outcome == REPAIR_DONE || k->outcome == REPAIR_PART) && k->first.kind != FLAW_NONE) return true;
  }
  return false;
}

static int compare(checking *c, error *e) {
  enum { REPEATS = 3 };
  replay_record record;
  bool known = false;
  int status = EXIT_FINE;
  for (int i = 0; i < REPEATS && status == EXIT_FINE; i++) status = replay_once(c, c->as_it_is, &record, &known, e);
  const bool steady = status == EXIT_FINE;
  status = status < 0 ? -1 : replay_once(c, c->changed, &record, &known, e);
  if (status < 0) return -1;
  buffer text = {0};
  const bool shows = known && record.differs && (!steady || had_race(c->file));
  if (!known) {
    buffer_puts(&text, "its launches with the change cannot be done again on this device");
  } else if (record.differs && !steady) {
    buffer_puts(&text, "its launches as they are do not give the same each time on this device; with the change, ");
    say_reads(&record, &text);
  } else {
    buffer_puts(&text, "its launches with the change: ");
    say_reads(&record, &text);
    buffer_puts(&text, shows ? ": what was wrong shows on this device" : "");
  }
  repair_file_step(c->file, !known || (record.differs && !shows), buffer_take(&text));
  return 0;
}

/* --- divergence, races, orders ----------------------------------------------------------------------------------- */

static int look_for_divergence(checking *c, error *e) {
  trial_result seen_by;
  if (experiment(c, &trial_coverage, c->forgetful, true, &seen_by, e) != 0) return -1;
  const int status = seen_by.code;
  const bool seen = status == EXIT_FINE || status == EXIT_FOUND || status == EXIT_THRESHOLD;
  repair_file_step(
      c->file, status == EXIT_FOUND,
      mem_strdup(status == EXIT_FOUND ? "coverage of these launches: not all work-items of a group reach a barrier"
                 : seen               ? "coverage of these launches: no barrier divergence"
                                      : "coverage of these launches: they cannot be observed on this device"));
  return 0;
}

/* A kernel with a race that remains between groups is not asked. In a build that is not proved there may be others. What
 * relies on work-items that run in step races where they do not. */
static int look_for_races(checking *c, error *e) {
  if (c->settings->verify.warp > 0) return 0;
  trial_result seen;
  if (experiment(c, &trial_races, c->forgetful, false, &seen, e) != 0) return -1;
  const int status = seen.code;
  const bool benign = status == EXIT_FINE && seen.benign && c->settings->verify.no_benign;
  const bool found = status == EXIT_FOUND || benign;
  const char *text = "races in these launches: they cannot be checked on this device";
  if (status == EXIT_NOTHING) return 0;
  if (found && c->file->unproved)
    text = "races in these launches: work-items race, and a build of this source is not verified";
  else if (found)
    text = "races in these launches: work-items race with the change";
  else if (status == EXIT_FINE)
    text = "races in these launches: none";
  repair_file_step(c->file, found && !c->file->unproved, mem_strdup(text));
  return 0;
}

/* Whether a launch of the file has several work-groups. Where a driver chooses their size that is not known. */
static bool has_groups(const asked_source *s) {
  bool several = false;
  for (size_t i = 0; i < s->kernel_count; i++) {
    const asked_kernel *k = &s->kernels[i];
    for (size_t n = 0; n < k->launch_count; n++) {
      const uint64_t *groups = k->launches[n].groups;
      several = several || groups[0] * groups[1] * groups[2] > 1;
    }
    several = several || k->uneven > 0;
  }
  return several;
}

static int try_orders(checking *c, error *e) {
  trial_result with, without = {.code = EXIT_FINE};
  if (experiment(c, &trial_amplify, c->forgetful, false, &with, e) != 0) return -1;
  const int status = with.code;
  const bool asks = status != EXIT_FINE && status != EXIT_NOTHING;
  if (asks && experiment(c, &trial_amplify, c->as_it_is, false, &without, e) != 0) return -1;
  const int before = without.code;
  const char *text = "amplify of these launches: they cannot be put in order on this device";
  if (status == EXIT_FINE)
    text = "amplify of these launches: no order of work-groups makes a difference";
  else if (status == EXIT_NOTHING && !has_groups(c->file->source))
    text = "amplify of these launches: none has several work-groups";
  else if (status == EXIT_FOUND && before == EXIT_FOUND)
    text = "amplify of these launches: orders of work-groups make a difference, as without the change";
  else if (status == EXIT_FOUND)
    text = "amplify of these launches: orders of work-groups make a difference, and none without the change";
  repair_file_step(c->file, status == EXIT_FOUND && before != EXIT_FOUND, mem_strdup(text));
  return 0;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static char *name_in(const checking *c, const char *name) {
  buffer path = {0};
  buffer_printf(&path, "%s/%s", c->folder, name);
  return buffer_take(&path);
}

/* Where the capture has this source. */
static int check_capture(checking *c, error *e) {
  size_t changed = 0;
  capture_change_of what = {asked_text(c->file->source)->text, buffer_text(&c->file->result), false};
  int result = capture_change(c->as_it_is, c->changed, &what, &changed, e);
  if (result != 0 || changed == 0) return result;
  what.forget = true;
  result = capture_change(c->as_it_is, c->forgetful, &what, &changed, e) != 0 ? -1 : compare(c, e);
  int (*const looks[])(checking *, error *) = {look_for_divergence, look_for_races, try_orders};
  for (size_t i = 0; i < sizeof looks / sizeof looks[0] && result == 0 && !c->file->failed; i++)
    result = looks[i](c, e);
  return result;
}

int repair_check_launches(repair_file *f, const repair_programs *in, const repair_options *s, error *e) {
  checking c = {.file = f, .settings = s, .folder = in->folder};
  c.changed = name_in(&c, "changed");
  c.forgetful = name_in(&c, "changed-launches");
  int result = 0;
  for (size_t i = 0; i < in->capture_count && result == 0 && !f->failed; i++) {
    c.as_it_is = realpath(in->captures[i], NULL);
    result = c.as_it_is == NULL ? 0 : check_capture(&c, e);
    free(c.as_it_is);
  }
  free(c.changed);
  free(c.forgetful);
  return result;
}

/* --- other builds ------------------------------------------------------------------------------------------------- */

static int check_build(repair_file *f, const asked_source *other, const prover *p, bool *remains, error *e) {
  bool with = false, without = false;
  const char *text = asked_text(other)->text;
  int result = repair_verified(p, other, buffer_text(&f->result), f->result.length, &with, e);
  if (result >= 0 && !with) result = repair_verified(p, other, text, strlen(text), &without, e);
  if (result < 0) return -1;
  const char *options = asked_text(other)->options;
  buffer said = {0};
  buffer_printf(&said, "built with %s, it is %s", options[0] == '\0' ? "no options" : options,
                with      ? "verified with the change, too"
                : without ? "not verified with the change, and is without"
                          : "verified neither with the change nor without");
  repair_file_step(f, without, buffer_take(&said));
  f->unproved = f->unproved || !with;
  *remains = *remains || !with;
  return 0;
}

int repair_check_builds(repair_file *f, const repair_programs *in, const prover *p, bool *done, bool *remains,
                        error *e) {
  for (size_t i = 0; i < in->count; i++) {
    const asked_source *other = &in->sources[i];
    if (other == f->source || !other->observed || other->problem != NULL || other->kernel_count == 0 ||
        strcmp(asked_text(other)->text, asked_text(f->source)->text) != 0)
      continue;
    if (check_build(f, other, p, remains, e) != 0) return -1;
    done[i] = true;
  }
  return 0;
}
