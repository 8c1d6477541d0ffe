/* Looking through /proc: a daemon is nobody's child any more, but its environment says where it comes from. */
#include "runner/leftover.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "wire/protocol.h"

enum {
  MOST_BYTES = 4 << 20, /* of a file of /proc */
  LOOK_MS = 200,
  START_SECONDS = 1,   /* for what the program has left running, to load OpenCL */
  SILENT_SECONDS = 60, /* of what it left running: longer is not waited where there is no time limit */
  GONE_MS = 100        /* connections of what ended with the program are closed by then */
};

/* What /proc has of this process under that name, as far as we may read it. */
static void read_file(const char *process, const char *name, buffer *out) {
  char path[300];
  char chunk[4096];
  (void)snprintf(path, sizeof path, "/proc/%s/%s", process, name);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  for (ssize_t n; fd >= 0 && out->length < MOST_BYTES && (n = read(fd, chunk, sizeof chunk)) > 0;) {
    buffer_append(out, chunk, (size_t)n);
  }
  if (fd >= 0) {
    (void)close(fd);
  }
}

static bool has(const char *process, const char *file, const void *what, size_t length) {
  buffer text = {0};
  read_file(process, file, &text);
  bool found = text.length > 0 && memmem(text.data, text.length, what, length) != NULL;
  buffer_free(&text);
  return found;
}

static void name_of(const char *process, char *out, size_t size) {
  buffer text = {0};
  read_file(process, "comm", &text);
  (void)snprintf(out, size, "%.*s", (int)strcspn(buffer_text(&text), "\n"), buffer_text(&text));
  buffer_free(&text);
}

static leftover look_through(const buffer *variable) {
  static const char loader[] = "libOpenCL.so";
  leftover found = {0};
  DIR *d = opendir("/proc");
  for (struct dirent *entry = d == NULL ? NULL : readdir(d); entry != NULL && !found.opencl; entry = readdir(d)) {
    const char *process = entry->d_name;
    if (strspn(process, "0123456789") != strlen(process) ||
        !has(process, "environ", variable->data, variable->length + 1)) { /* with the NUL that ends it */
      continue;
    }
    found.pid = (pid_t)strtol(process, NULL, 10);
    found.opencl = has(process, "maps", loader, sizeof loader - 1);
    name_of(process, found.name, sizeof found.name);
  }
  if (d != NULL) {
    (void)closedir(d);
  }
  return found;
}

leftover leftover_find(const char *socket) {
  buffer variable = {0};
  buffer_printf(&variable, ENV_SOCKET "=%s", socket);
  leftover found = look_through(&variable);
  if (found.pid == 0) { /* one that forked and ended after it was listed: its child is on the next list */
    found = look_through(&variable);
  }
  buffer_free(&variable);
  return found;
}

/* --- waiting -------------------------------------------------------------------------------------------------------- */

/* What runs now, looked for now and then: that takes some milliseconds. */
static const leftover *leftover_look(leftover_watch *w, const char *socket) {
  if (clock_now() - w->looked >= LOOK_MS * 1e-3) {
    w->left = leftover_find(socket);
    w->looked = clock_now();
  }
  return &w->left;
}

bool leftover_lingers(leftover_watch *w, const char *socket, size_t connections) {
  const leftover *left = leftover_look(w, socket);
  return (connections > 0 || left->pid != 0) && clock_now() - w->ended < START_SECONDS;
}

bool leftover_awaited(leftover_watch *w, const char *socket, size_t connections, bool limited) {
  const leftover *left = leftover_look(w, socket);
  w->talked = w->talked || (connections > 0 && left->opencl && clock_now() - w->ended > GONE_MS * 1e-3);
  if (connections == 0 && !left->opencl) {
    return left->pid != 0 && clock_now() - w->ended < START_SECONDS;
  }
  return (connections > 0 && limited) || clock_now() - w->heard < (w->patience > 0 ? w->patience : SILENT_SECONDS);
}
