/* Captures with the changed source, given to replay, coverage, races and amplify of this very program. */
#include "cli/repair_check.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/subprocess.h"
#include "capture/capture.h"

enum { WORDS_MOST = 256, SECONDS = 600 };

typedef struct checking {
  repair_file *file;
  const settings *settings;
  const char *folder;                   /* for files; commands run there, as no configuration is found */
  char *as_it_is, *changed, *forgetful; /* captures; the last without what the program read */
} checking;

static void add_step(repair_file *f, bool failed, char *text) {
  *ARRAY_ADD(f->steps, f->step_count, f->step_capacity) = (repair_step){text, failed};
  f->failed = f->failed || failed;
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

typedef struct command_line {
  char *words[WORDS_MOST];
  size_t count;
  const char *folder;
} command_line;

static void add(command_line *l, const char *word) {
  if (l->count + 1 < WORDS_MOST) {
    l->words[l->count++] = (char *)word;
  }
}

static void work(void *context, int out) {
  const command_line *l = context;
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (chdir(l->folder) == 0 && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
      dup2(nothing, STDERR_FILENO) >= 0) {
    (void)execv("/proc/self/exe", l->words);
  }
}

/* The exit status of this program with these words, -1: it has none. */
static int run(command_line *l, buffer *out, error *e) {
  const subprocess s = {.work = work, .context = l, .deadline = clock_now() + SECONDS, .interruptible = true};
  subprocess_end end;
  int status = 0;
  if (subprocess_read(&s, out, &end, &status, e) != 0) {
    return -1;
  }
  if (end == SUBPROCESS_INTERRUPTED) {
    return error_set(e, 130, "interrupted; nothing was changed");
  }
  return end == SUBPROCESS_ENDED && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_INTERNAL;
}

static command_line begin(const checking *c, const char *verb) {
  command_line l = {.folder = c->folder};
  add(&l, "cltestcheck");
  add(&l, verb);
  if (c->settings->device != NULL) {
    add(&l, "--device");
    add(&l, c->settings->device);
  }
  if (c->settings->platform != NULL) {
    add(&l, "--platform");
    add(&l, c->settings->platform);
  }
  return l;
}

/* The kernels that are to be looked at; with `parts` also those that are as they should be inside of groups. */
static bool is_fine(const repair_kernel *k, bool parts) {
  return k->outcome == REPAIR_DONE || k->outcome == REPAIR_FINE || (parts && k->outcome == REPAIR_PART);
}

/* The exit status; EXIT_NOTHING where there is no such kernel. */
static int experiment(const checking *c, const char *verb, const char *capture_file, bool parts, error *e) {
  command_line l = begin(c, verb);
  if (strcmp(verb, "races") == 0 && c->settings->no_benign) {
    add(&l, "--fail-on");
    add(&l, "benign");
  }
  const size_t before = l.count;
  for (size_t i = 0; i < c->file->repair.kernel_count; i++) {
    if (is_fine(&c->file->repair.kernels[i], parts)) {
      add(&l, "--kernel");
      add(&l, c->file->repair.kernels[i].name);
    }
  }
  if (l.count == before) {
    return EXIT_NOTHING;
  }
  add(&l, "--quiet");
  add(&l, capture_file);
  buffer out = {0};
  const int status = run(&l, &out, e);
  buffer_free(&out);
  return status;
}

/* --- replays ------------------------------------------------------------------------------------------------------ */

/* What the replay says: "3 of 3 reads as captured", or the first that differs up to the `;`. */
static int replay_once(const checking *c, const char *capture_file, buffer *said, error *e) {
  command_line l = begin(c, "replay");
  add(&l, capture_file);
  const int status = run(&l, said, e);
  if (said->length > 0) {
    said->data[strcspn(said->data, ",;\n")] = '\0';
  }
  return status;
}

/* A race or divergence that was found, in the kernels that were changed. */
static bool had_race(const repair_file *f) {
  for (size_t i = 0; i < f->repair.kernel_count; i++) {
    const repair_kernel *k = &f->repair.kernels[i];
    if ((k->outcome == REPAIR_DONE || k->outcome == REPAIR_PART) && k->first.kind != FAULT_NONE) {
      return true;
    }
  }
  return false;
}

static int compare(checking *c, error *e) {
  enum { REPEATS = 3 };
  buffer before = {0}, after = {0}, text = {0};
  int status = EXIT_FINE;
  for (int i = 0; i < REPEATS && status == EXIT_FINE; i++) {
    buffer_free(&before);
    status = replay_once(c, c->as_it_is, &before, e);
  }
  const bool steady = status == EXIT_FINE;
  const int changed = status < 0 ? -1 : replay_once(c, c->changed, &after, e);
  if (changed == EXIT_FINE) {
    buffer_printf(&text, "its launches with the change: %s", buffer_text(&after));
  } else if (changed == EXIT_USAGE && after.length > 0 && !steady) {
    buffer_printf(&text, "its launches as they are do not give the same each time on this device; with the change, %s",
                  buffer_text(&after));
  } else if (changed == EXIT_USAGE && after.length > 0 && had_race(c->file)) {
    buffer_printf(&text, "its launches with the change: %s: what was wrong shows on this device", buffer_text(&after));
  } else if (changed == EXIT_USAGE && after.length > 0) {
    buffer_printf(&text, "its launches with the change: %s", buffer_text(&after));
  } else if (changed >= 0) {
    buffer_puts(&text, "its launches with the change cannot be done again on this device");
  }
  const bool failed = changed != EXIT_FINE && (changed != EXIT_USAGE || (steady && !had_race(c->file)));
  if (changed >= 0) {
    add_step(c->file, failed, buffer_take(&text));
  }
  buffer_free(&before);
  buffer_free(&after);
  buffer_free(&text);
  return changed < 0 ? -1 : 0;
}

/* --- divergence, races, orders ----------------------------------------------------------------------------------- */

static int look_for_divergence(checking *c, error *e) {
  const int status = experiment(c, "coverage", c->forgetful, true, e);
  if (status < 0) {
    return -1;
  }
  const bool seen = status == EXIT_FINE || status == EXIT_FOUND || status == EXIT_THRESHOLD;
  add_step(c->file, status == EXIT_FOUND,
           mem_strdup(status == EXIT_FOUND ? "coverage of these launches: not all work-items of a group reach a barrier"
                      : seen               ? "coverage of these launches: no barrier divergence"
                                           : "coverage of these launches: they cannot be observed on this device"));
  return 0;
}

/* A kernel with a race that remains between groups is not asked. In a build that is not proved there may be others. What
 * relies on work-items that run in step races where they do not. */
static int look_for_races(checking *c, error *e) {
  if (c->settings->warp_sync > 0) {
    return 0;
  }
  const int status = experiment(c, "races", c->forgetful, false, e);
  const bool found = status == EXIT_FOUND || status == EXIT_THRESHOLD;
  const char *text = "races in these launches: they cannot be checked on this device";
  if (status < 0 || status == EXIT_NOTHING) {
    return status < 0 ? -1 : 0;
  }
  if (found && c->file->unproved) {
    text = "races in these launches: work-items race, and a build of this source is not verified";
  } else if (found) {
    text = "races in these launches: work-items race with the change";
  } else if (status == EXIT_FINE) {
    text = "races in these launches: none";
  }
  add_step(c->file, found && !c->file->unproved, mem_strdup(text));
  return 0;
}

/* Whether a launch of the file has several work-groups. Where a driver chooses their size that is not known. */
static bool has_groups(const verify_source *s) {
  bool several = false;
  for (size_t i = 0; i < s->kernel_count; i++) {
    const verify_kernel *k = &s->kernels[i];
    for (size_t n = 0; n < k->launch_count; n++) {
      const uint64_t *groups = k->launches[n].groups;
      several = several || groups[0] * groups[1] * groups[2] > 1;
    }
    several = several || k->uneven > 0;
  }
  return several;
}

static int try_orders(checking *c, error *e) {
  int status = experiment(c, "amplify", c->forgetful, false, e);
  const int before = status == EXIT_FINE || status == EXIT_NOTHING || status < 0
                         ? EXIT_FINE
                         : experiment(c, "amplify", c->as_it_is, false, e);
  if (status < 0 || before < 0) {
    return -1;
  }
  const char *text = "amplify of these launches: they cannot be put in order on this device";
  if (status == EXIT_FINE) {
    text = "amplify of these launches: no order of work-groups makes a difference";
  } else if (status == EXIT_NOTHING && !has_groups(c->file->source)) {
    text = "amplify of these launches: none has several work-groups";
  } else if (status == EXIT_FOUND && before == EXIT_FOUND) {
    text = "amplify of these launches: orders of work-groups make a difference, as without the change";
  } else if (status == EXIT_FOUND) {
    text = "amplify of these launches: orders of work-groups make a difference, and none without the change";
  }
  add_step(c->file, status == EXIT_FOUND && before != EXIT_FOUND, mem_strdup(text));
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
  capture_change_of what = {verify_text(c->file->source)->text, buffer_text(&c->file->result), false};
  int result = capture_change(c->as_it_is, c->changed, &what, &changed, e);
  if (result != 0 || changed == 0) {
    return result;
  }
  what.forget = true;
  result = capture_change(c->as_it_is, c->forgetful, &what, &changed, e) != 0 ? -1 : compare(c, e);
  int (*const looks[])(checking *, error *) = {look_for_divergence, look_for_races, try_orders};
  for (size_t i = 0; i < sizeof looks / sizeof looks[0] && result == 0 && !c->file->failed; i++) {
    result = looks[i](c, e);
  }
  return result;
}

int repair_check_launches(repair_file *f, const verify_inputs *in, const settings *s, error *e) {
  checking c = {.file = f, .settings = s, .folder = in->scratch};
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

static int check_build(repair_file *f, const verify_source *other, const prover *p, bool *remains, error *e) {
  bool with = false, without = false;
  const char *text = verify_text(other)->text;
  int result = repair_verified(p, other, buffer_text(&f->result), f->result.length, &with, e);
  if (result >= 0 && !with) {
    result = repair_verified(p, other, text, strlen(text), &without, e);
  }
  if (result < 0) {
    return -1;
  }
  const char *options = verify_text(other)->options;
  buffer said = {0};
  buffer_printf(&said, "built with %s, it is %s", options[0] == '\0' ? "no options" : options,
                with      ? "verified with the change, too"
                : without ? "not verified with the change, and is without"
                          : "verified neither with the change nor without");
  add_step(f, without, buffer_take(&said));
  f->unproved = f->unproved || !with;
  *remains = *remains || !with;
  return 0;
}

int repair_check_builds(repair_file *f, const verify_inputs *in, const prover *p, bool *done, bool *remains, error *e) {
  for (size_t i = 0; i < in->count; i++) {
    const verify_source *other = &in->sources[i];
    if (other == f->source || !other->observed || other->problem != NULL || other->kernel_count == 0 ||
        strcmp(verify_text(other)->text, verify_text(f->source)->text) != 0) {
      continue;
    }
    if (check_build(f, other, p, remains, e) != 0) {
      return -1;
    }
    done[i] = true;
  }
  return 0;
}
