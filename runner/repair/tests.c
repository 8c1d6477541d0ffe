/* Runs the user's tests below the guest that gives them the changed source (layer/replace/). */
#include "runner/repair/tests.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/say.h"
#include "base/scratch.h"
#include "base/subprocess.h"
#include "runner/paths.h"
#include "wire/protocol.h"
#include "wire/replace.h"

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
  if (others != NULL && others[0] != '\0') {
    buffer_printf(&layers, ":%s", others);
  }
  (void)setenv("OPENCL_LAYERS", buffer_text(&layers), 1);
  (void)setenv(ENV_LAYERS, buffer_text(&layers), 1);
  (void)setenv(ENV_REPLACE, folder, 1);
  buffer_free(&layers);
  free(link);
}

static void work(void *context, int out) {
  const testing *t = context;
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (t->folder != NULL) {
    put_below_guest(t->folder);
  }
  if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
      dup2(out, STDERR_FILENO) >= 0) {
    (void)execl("/bin/sh", "sh", "-c", t->command, (char *)NULL);
  }
  _exit(SUBPROCESS_NO_PROGRAM);
}

/* Whether the command succeeds: 1 or 0; -1 with `e`. `why` says how it ended. */
static int succeeds(const testing *t, buffer *out, buffer *why, error *e) {
  const subprocess s = {.work = work, .context = (void *)t, .deadline = clock_now() + SECONDS, .interruptible = true};
  subprocess_end end;
  int status = 0;
  if (subprocess_read(&s, out, &end, &status, e) != 0) {
    return -1;
  }
  if (end == SUBPROCESS_INTERRUPTED) {
    return error_set(e, 130, "interrupted; nothing was changed");
  }
  if (end != SUBPROCESS_ENDED) {
    buffer_printf(why, "was ended after %d seconds", SECONDS);
    return 0;
  }
  if (WIFSIGNALED(status)) {
    buffer_printf(why, "was ended by signal %d", WTERMSIG(status));
  } else {
    buffer_printf(why, "ends with %d", WEXITSTATUS(status));
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
}

/* --- the folder of the guest -------------------------------------------------------------------------------------- */

static int write_text(const char *folder, const char *name, const char *text, size_t length, error *e) {
  char *path = path_in(folder, name);
  FILE *f = fopen(path, "wbe");
  const bool written = f != NULL && fwrite(text, 1, length, f) == length;
  const bool closed = f != NULL && fclose(f) == 0;
  if (!written || !closed) {
    (void)error_set(e, EXIT_INTERNAL, "cannot write %s, which the tests need", path);
  }
  free(path);
  return written && closed ? 0 : -1;
}

static int fill_folder(const repair_file *f, const char *folder, error *e) {
  char *library = own_path(GUEST);
  if (library == NULL) {
    return error_set(e, EXIT_INTERNAL, "%s is not where cltestcheck looks for it; install it again", GUEST);
  }
  char *link = path_in(folder, GUEST);
  const bool linked = symlink(library, link) == 0;
  free(link);
  free(library);
  if (!linked) {
    return error_set(e, EXIT_INTERNAL, "cannot make files in %s, which the tests need", folder);
  }
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

static void show(const repair_options *s, const buffer *out) {
  const size_t length = out->length < SHOWN_MOST ? out->length : SHOWN_MOST;
  if (!s->quiet && length > 0) {
    say(stderr, "%.*s", (int)length, buffer_text((buffer *)out) + out->length - length);
  }
}

/* What the command says without the change, where it failed with it. */
static int judge_failure(repair_file *f, const repair_options *s, const buffer *out, buffer *why, error *e) {
  buffer before = {0}, ignored = {0}, text = {0};
  const testing plain = {.command = s->check};
  const int fine = succeeds(&plain, &before, &ignored, e);
  if (fine == 1) {
    show(s, out);
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
  if (s->check == NULL || f->failed) {
    return 0;
  }
  char *folder = scratch_temporary("cltestcheck-check", e);
  if (folder == NULL) {
    return -1;
  }
  const int result = fill_folder(f, folder, e) != 0 ? -1 : run_tests(f, s, folder, e);
  scratch_close(folder);
  return result;
}
