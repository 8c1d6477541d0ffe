/* A poll-driven server on a Unix socket, and programs that are started with it. */
#include "runner/server.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/subprocess.h"
#include "capture/capture.h"
#include "detectors/fills/record.h"
#include "runner/isolate.h"
#include "runner/paths.h"
#include "wire/fields.h"
#include "wire/launch_change.h"
#include "wire/protocol.h"

enum { READ_AT_ONCE = 64 }; /* chunks: whoever sends without end must not keep us from everything else */

typedef struct connection {
  int fd;
  buffer in;
  buffer out;  /* an answer that the other side has not taken yet: until it has, we read nothing more of it */
  size_t sent; /* bytes of it */
  void *client;
} connection;

struct server {
  server_handler handler;
  char *directory;
  char path[96];
  int listener;
  int launches; /* file in which processes count them */
  connection *connections;
  size_t count, capacity;
  bool failed;
  error error;
};

/* Without the file nothing is counted, and nothing is missed. */
static void open_count(server *v) {
  char path[sizeof v->path + sizeof LAUNCHES_SUFFIX];
  (void)snprintf(path, sizeof path, "%s" LAUNCHES_SUFFIX, v->path);
  v->launches = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (v->launches >= 0 && ftruncate(v->launches, sizeof(launches_file)) != 0) {
    (void)close(v->launches);
    v->launches = -1;
  }
}

/* Read and not mapped: whoever makes the file shorter must not end this process. */
static launches_file read_launches(const server *v) {
  launches_file f = {0};
  if (v->launches < 0 || pread(v->launches, &f, sizeof f, 0) != (ssize_t)sizeof f) return (launches_file){0};
  f.last[sizeof f.last - 1] = '\0';
  return f;
}

uint64_t server_launches(const server *v) { return read_launches(v).announced; }

bool server_last_launch(const server *v, char *text, size_t size) {
  const launches_file f = read_launches(v);
  if (f.made == 0 || f.last[0] == '\0') {
    (void)snprintf(text, size, "no kernel had been launched");
    return false;
  }
  (void)snprintf(text, size, "the last launch, number %llu, was of %s and %s", (unsigned long long)f.made, f.last,
                 f.ended >= f.made ? "had ended" : "may not have ended");
  return true;
}

int server_open(server **out, const server_handler *h, error *e) {
  server *v = mem_calloc(1, sizeof *v);
  v->handler = *h;
  v->listener = -1;
  v->launches = -1;
  const char *base = access("/tmp", W_OK) == 0 ? "/tmp" : "/dev/shm"; /* a socket's path must be short */
  v->directory = scratch_open(base, "cltestcheck", e);
  if (v->directory == NULL) {
    free(v);
    return -1;
  }
  (void)snprintf(v->path, sizeof v->path, "%s/socket", v->directory);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, v->path, strlen(v->path) + 1);
  v->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (v->listener < 0 || bind(v->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
      listen(v->listener, 128) != 0) {
    int reason = errno;
    server_close(v);
    return error_set(e, EXIT_INTERNAL, "no socket could be made in /tmp: %s", strerror(reason));
  }
  open_count(v);
  *out = v;
  return 0;
}

static void drop(server *v, size_t index) {
  (void)close(v->connections[index].fd);
  buffer_free(&v->connections[index].in);
  buffer_free(&v->connections[index].out);
  v->handler.gone(v->handler.context, v->connections[index].client);
  free(v->connections[index].client);
  v->connections[index] = v->connections[--v->count];
}

void server_close(server *v) {
  if (v == NULL) return;
  while (v->count > 0) drop(v, v->count - 1);
  const launches_file done = read_launches(v);
  effort_so_far.built += done.built;
  effort_so_far.kept += done.kept;
  if (v->listener >= 0) (void)close(v->listener);
  if (v->launches >= 0) (void)close(v->launches);
  scratch_close(v->directory);
  free(v->connections);
  free(v);
}

const char *server_path(const server *v) { return v->path; }

size_t server_connections(const server *v) { return v->count; }

const error *server_error(const server *v) { return v->failed ? &v->error : NULL; }

size_t server_descriptors(const server *v, struct pollfd *out, size_t room) {
  if (room > 0) out[0] = (struct pollfd){.fd = v->listener, .events = POLLIN};
  for (size_t i = 0; i < v->count && i + 1 < room; i++) {
    const connection *c = &v->connections[i];
    out[i + 1] = (struct pollfd){.fd = c->fd, .events = c->out.length > 0 ? POLLOUT : POLLIN};
  }
  return v->count + 1;
}

/* Sends as much of the answer as the other side takes now: it may have been stopped, or never read. What it will not
 * take because it is gone is dropped: what it said before that can still be read. */
static void send_some(connection *c) {
  while (c->sent < c->out.length) {
    ssize_t n = send(c->fd, c->out.data + c->sent, c->out.length - c->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      c->sent += (size_t)n;
    } else if (errno != EINTR) {
      if (errno == EAGAIN || errno == EWOULDBLOCK) return;
      break;
    }
  }
  buffer_free(&c->out);
  c->sent = 0;
}

static void answer_with(connection *c, const buffer *answer) {
  if (answer->length == 0) return;
  buffer_append(&c->out, answer->data, answer->length);
  send_some(c);
}

void server_answer(server *v, const void *client, const buffer *answer) {
  for (size_t i = 0; i < v->count; i++)
    if (v->connections[i].client == client) answer_with(&v->connections[i], answer);
}

/* Takes the whole messages out of a connection's buffer, up to one whose answer has to wait; false when the connection
 * must end. */
static bool take_messages(server *v, connection *c) {
  size_t used = 0;
  bool fine = true;
  while (fine && c->out.length == 0 && c->in.length - used >= 8) {
    wire_reader header = {.at = (unsigned char *)c->in.data + used, .left = 8};
    uint32_t type = wire_u32(&header);
    uint32_t length = wire_u32(&header);
    if (length > PROTOCOL_MESSAGE_CAP) return false;
    if (c->in.length - used - 8 < length) break;
    scoped_buffer answer = {0};
    if (v->handler.message(v->handler.context, c->client, type, c->in.data + used + 8, length, &answer, &v->error) !=
        0) {
      v->failed = true;
      fine = false;
    }
    answer_with(c, &answer);
    used += 8 + (size_t)length;
  }
  if (used > 0) {
    memmove(c->in.data, c->in.data + used, c->in.length - used);
    c->in.length -= used;
  }
  return fine;
}

/* Reads what is there, as far as it is read at once; false at the end of the connection. */
static bool read_some(connection *c) {
  char chunk[65536];
  for (int i = 0; i < READ_AT_ONCE; i++) {
    ssize_t n = recv(c->fd, chunk, sizeof chunk, MSG_DONTWAIT);
    if (n > 0)
      buffer_append(&c->in, chunk, (size_t)n);
    else if (n == 0 || errno != EINTR)
      return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }
  return true;
}

/* False when the connection must end. */
static bool serve_connection(server *v, connection *c) {
  send_some(c);
  if (c->out.length > 0) return true;
  bool more = read_some(c);
  return take_messages(v, c) && more && !c->in.overflowed;
}

static void accept_all(server *v) {
  int fd;
  while ((fd = accept4(v->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
    if (v->failed) {
      (void)close(fd);
      continue;
    }
    connection *c = ARRAY_ADD(v->connections, v->count, v->capacity);
    *c = (connection){.fd = fd, .client = mem_calloc(1, v->handler.client_size)};
  }
}

void server_serve(server *v, const struct pollfd *polled, size_t count) {
  for (size_t i = 1; i < count; i++) {
    if (polled[i].revents == 0) continue;
    for (size_t k = 0; k < v->count; k++) {
      if (v->connections[k].fd == polled[i].fd) {
        if (!serve_connection(v, &v->connections[k])) drop(v, k);
        break;
      }
    }
  }
  if (count > 0 && polled[0].revents != 0) accept_all(v);
  while (v->failed && v->count > 0) drop(v, v->count - 1);
}

/* Looking through /proc: a daemon is nobody's child any more, but its environment says where it comes from. */

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
  for (ssize_t n; fd >= 0 && out->length < MOST_BYTES && (n = read(fd, chunk, sizeof chunk)) > 0;)
    buffer_append(out, chunk, (size_t)n);
  if (fd >= 0) (void)close(fd);
}

static bool has(const char *process, const char *file, const void *what, size_t length) {
  scoped_buffer text = {0};
  read_file(process, file, &text);
  return text.length > 0 && memmem(text.data, text.length, what, length) != NULL;
}

static leftover look_through(const buffer *variable) {
  static const char loader[] = "libOpenCL.so";
  leftover found = {0};
  DIR *d = opendir("/proc");
  for (struct dirent *entry = d == NULL ? NULL : readdir(d); entry != NULL && !found.opencl; entry = readdir(d)) {
    const char *process = entry->d_name;
    if (strspn(process, "0123456789") != strlen(process) ||
        !has(process, "environ", variable->data, variable->length + 1)) /* with the NUL that ends it */
      continue;
    found.pid = (pid_t)strtol(process, NULL, 10);
    found.opencl = has(process, "maps", loader, sizeof loader - 1);
    scoped_buffer text = {0};
    read_file(process, "comm", &text);
    (void)snprintf(found.name, (sizeof found.name), "%.*s", (int)strcspn(buffer_text(&text), "\n"), buffer_text(&text));
  }
  if (d != NULL) (void)closedir(d);
  return found;
}

leftover leftover_find(const char *socket) {
  scoped_buffer variable = buffer_with(ENV_SOCKET "=%s", socket);
  leftover found = look_through(&variable);
  if (found.pid == 0) /* one that forked and ended after it was listed: its child is on the next list */
    found = look_through(&variable);
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
  if (connections == 0 && !left->opencl) return left->pid != 0 && clock_now() - w->ended < START_SECONDS;
  return (connections > 0 && limited) || clock_now() - w->heard < (w->patience > 0 ? w->patience : SILENT_SECONDS);
}

/* Environment, fork, exec. */

static void prepend_variable(const char *name, const char *value) {
  const char *old = getenv(name);
  scoped_buffer joined = {0};
  buffer_puts(&joined, value);
  if (old != NULL && old[0] != '\0') buffer_printf(&joined, ":%s", old);
  (void)setenv(name, buffer_text(&joined), 1);
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

/* A number that is not 0. */
static void set_number(const char *name, uint64_t number) {
  char text[24];
  (void)snprintf(text, sizeof text, "%llu", (unsigned long long)number);
  set_or_unset(name, number != 0 ? text : NULL);
}

static void prepend_layer(const char *socket, const char *path, const char *link_name) {
  scoped char *layer = plain_path(socket, path, link_name);
  prepend_variable("OPENCL_LAYERS", layer);
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

effort effort_so_far;

/* Does not return. A failure to start goes through `report` as errno. */
static void run_child(const child_options *o, const char *socket, const sigset_t *mask, bool foreground, int report) {
  (void)setpgid(0, 0);
  if (foreground) {
    (void)signal(SIGTTOU, SIG_IGN);
    (void)tcsetpgrp(STDIN_FILENO, getpid());
    (void)signal(SIGTTOU, SIG_DFL);
  }
  if (o->capture != NULL) /* loaders put a layer on top of those before it: it sees the program's own calls */
    prepend_layer(socket, o->on.capture, SERVER_CAPTURE_LINK);
  prepend_layer(socket, o->on.layer, SERVER_LAYER_LINK);
  (void)setenv(ENV_LAYERS, getenv("OPENCL_LAYERS"), 1);
  (void)setenv(ENV_SOCKET, socket, 1);
  set_number(ENV_CAPTURE_ORDER, o->order);
  set_or_unset(ENV_DEVICE, o->on.device);
  set_or_unset(ENV_OBSERVE, o->observe);
  set_or_unset(ENV_LAUNCH, o->launch);
  set_number(ENV_GUARD_ZONES, !o->unguarded);
  set_number(ENV_UNAWAITED, o->unawaited);
  set_number(ENV_LEAKS, o->leaks);
  set_or_unset(ENV_WATCH, o->watch);
  char fill[4];
  (void)snprintf(fill, sizeof fill, "%u", o->fill);
  set_or_unset(ENV_FILL, o->fills ? fill : NULL);
  set_number(ENV_FILLING, o->filling);
  set_number(ENV_CELLS_ROUND, o->cells_round);
  set_number(ENV_WORKER, o->worker);
  set_or_unset(ENV_CAPTURE, o->capture);
  if (o->capture != NULL && o->capture_most > 0 && getenv(ENV_CAPTURE_CAP) == NULL)
    set_number(ENV_CAPTURE_CAP, o->capture_most);
  set_or_unset(ENV_BINARIES, binaries);
  set_or_unset(ENV_BUILDS, builds_folder());
  if (o->perturb != NULL) (void)setenv("MALLOC_PERTURB_", o->perturb, 1);
  (void)setenv("PYOPENCL_NO_CACHE", "1", 0); /* PyOpenCL would hand over cached binaries, which have no source */
  if (o->on.preload != NULL) {
    scoped char *preload = plain_path(socket, o->on.preload, SERVER_PRELOAD_LINK);
    prepend_variable("LD_PRELOAD", preload);
  }
  if (o->processor > 0) (void)setrlimit(RLIMIT_CPU, &(struct rlimit){o->processor, o->processor + 1});
  if (o->unwatched) {
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    (void)dup2(nowhere, STDIN_FILENO);
    (void)dup2(o->output > 0 ? o->output : nowhere, STDOUT_FILENO);
    (void)dup2(o->errors > 0 ? o->errors : nowhere, STDERR_FILENO);
  }
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
  (void)builds_folder();                   /* made once, here */
  *child = subprocess_fork(!o->unwatched); /* an endless kernel must not outlive us when we are killed */
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
