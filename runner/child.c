/* Environment, fork, exec. */
#include "runner/child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/subprocess.h"
#include "capture/capture.h"
#include "detectors/fills/record.h"
#include "runner/effort.h"
#include "runner/paths.h"
#include "runner/server.h"
#include "wire/launch_change.h"
#include "wire/protocol.h"
#include "wire/turn.h"

static void prepend_variable(const char *name, const char *value) {
  const char *old = getenv(name);
  buffer joined = {0};
  buffer_puts(&joined, value);
  if (old != NULL && old[0] != '\0') buffer_printf(&joined, ":%s", old);
  (void)setenv(name, buffer_text(&joined), 1);
  buffer_free(&joined);
}

/* A path for a variable that is a list: separators in it are avoided by a link beside the socket. */
static char *plain_path(const char *socket, const char *path, const char *link_name) {
  if (strpbrk(path, " :") == NULL) return mem_strdup(path);
  buffer link = {0};
  buffer_append(&link, socket, (size_t)(strrchr(socket, '/') - socket + 1));
  buffer_puts(&link, link_name);
  if (symlink(path, buffer_text(&link)) != 0 && errno != EEXIST) {
    buffer_free(&link);
    return mem_strdup(path); /* loaders then say what they do not find */
  }
  return buffer_take(&link);
}

static void set_or_unset(const char *name, const char *value) {
  if (value != NULL)
    (void)setenv(name, value, 1);
  else
    (void)unsetenv(name);
}

static void prepend_layer(const char *socket, const char *path, const char *link_name) {
  char *layer = plain_path(socket, path, link_name);
  prepend_variable("OPENCL_LAYERS", layer);
  free(layer);
}

/* Where the processes of programs keep what binaries were made of: for all that this process starts. */
static char *binaries;
static pid_t binaries_of;

static void remove_binaries(void) {
  if (getpid() == binaries_of) scratch_close(binaries);
}

static void open_binaries(void) {
  error ignored;
  if (binaries_of != getpid()) {
    binaries_of = getpid();
    binaries = scratch_temporary("cltestcheck-binaries", &ignored);
    (void)atexit(remove_binaries);
  }
}

static void set_environment(const child_options *o, const char *socket) {
  if (o->capture != NULL) /* loaders put a layer on top of those before it: it sees the program's own calls */
    prepend_layer(socket, o->on.capture, SERVER_CAPTURE_LINK);
  prepend_layer(socket, o->on.layer, SERVER_LAYER_LINK);
  (void)setenv(ENV_LAYERS, getenv("OPENCL_LAYERS"), 1);
  (void)setenv(ENV_SOCKET, socket, 1);
  set_or_unset(ENV_CAPTURE_ORDER, o->order ? "1" : NULL);
  set_or_unset(ENV_DEVICE, o->on.device);
  set_or_unset(ENV_OBSERVE, o->observe);
  set_or_unset(ENV_LAUNCH, o->launch);
  set_or_unset(ENV_GUARD_ZONES, o->unguarded ? NULL : "1");
  set_or_unset(ENV_UNAWAITED, o->unawaited ? "1" : NULL);
  set_or_unset(ENV_LEAKS, o->leaks ? "1" : NULL);
  set_or_unset(ENV_WATCH, o->watch);
  char fill[4];
  (void)snprintf(fill, sizeof fill, "%u", o->fill);
  set_or_unset(ENV_FILL, o->fills ? fill : NULL);
  char filling[16];
  (void)snprintf(filling, sizeof filling, "%u", (unsigned)o->filling);
  set_or_unset(ENV_FILLING, o->filling != 0 ? filling : NULL);
  char round[16];
  (void)snprintf(round, sizeof round, "%u", o->cells_round);
  set_or_unset(ENV_CELLS_ROUND, o->cells_round > 0 ? round : NULL);
  set_or_unset(ENV_WORKER, o->worker ? "1" : NULL);
  set_or_unset(ENV_CAPTURE, o->capture);
  char most[24];
  (void)snprintf(most, sizeof most, "%llu", (unsigned long long)o->capture_most);
  if (o->capture != NULL && o->capture_most > 0) (void)setenv(ENV_CAPTURE_CAP, most, 0);
  set_or_unset(ENV_BINARIES, binaries);
  set_or_unset(ENV_BUILDS, builds_folder());
  if (o->perturb != NULL) (void)setenv("MALLOC_PERTURB_", o->perturb, 1);
  (void)setenv("PYOPENCL_NO_CACHE", "1", 0); /* PyOpenCL would hand over cached binaries, which have no source */
  if (o->on.preload != NULL) {
    char *preload = plain_path(socket, o->on.preload, SERVER_PRELOAD_LINK);
    prepend_variable("LD_PRELOAD", preload);
    free(preload);
  }
}

effort effort_so_far;

/* Does not return. A failure to start goes through `report` as errno. */
static void run_child(const child_options *o, const char *socket, const sigset_t *mask, bool foreground, int report) {
  (void)setpgid(0, 0);
  if (foreground) {
    (void)signal(SIGTTOU, SIG_IGN);
    (void)tcsetpgrp(STDIN_FILENO, getpid());
    (void)signal(SIGTTOU, SIG_DFL);
  }
  set_environment(o, socket);
  if (o->processor > 0) (void)setrlimit(RLIMIT_CPU, &(struct rlimit){o->processor, o->processor + 1});
  for (int i = 0; o->own_streams && i < 3; i++) (void)dup2(o->streams[i], i);
  (void)sigprocmask(SIG_SETMASK, mask, NULL);
  execvp(o->argv[0], o->argv);
  int reason = errno;
  if (write(report, &reason, sizeof reason) < 0) _exit(126);
  _exit(127);
}

static int start_error(const char *program, int reason, error *e) {
  if (reason == ENOENT)
    return error_set(e, EXIT_USAGE, "program \"%s\" was not found; give its path, such as ./%s", program, program);
  return error_set(e, EXIT_USAGE, "program \"%s\" could not be started: %s", program, strerror(reason));
}

int child_start(const child_options *o, const char *socket, const sigset_t *mask, bool foreground, pid_t *child,
                error *e) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return error_set(e, EXIT_INTERNAL, "no pipe could be made: %s", strerror(errno));
  open_binaries();
  (void)builds_folder();                     /* made once, here */
  *child = subprocess_fork(!o->own_streams); /* an endless kernel must not outlive us when we are killed */
  if (*child == 0) run_child(o, socket, mask, foreground, report[1]);
  (void)close(report[1]);
  int reason = *child < 0 ? errno : 0;
  ssize_t n = *child < 0 ? 0 : read(report[0], &reason, sizeof reason);
  (void)close(report[0]);
  if (*child < 0 || n == (ssize_t)sizeof reason) {
    if (*child > 0) (void)waitpid(*child, NULL, 0);
    return start_error(o->argv[0], reason, e);
  }
  const bool replays = o->on.replay != NULL && strcmp(o->argv[0], o->on.replay) == 0;
  ++*(replays ? &effort_so_far.replays : &effort_so_far.starts);
  return 0;
}
