/* The one socket of this process to cltestcheck. Once it breaks, the layer is inert. The user's program may close or
 * reuse our descriptor: it is only written to while it still is our socket.
 *
 * With it the test cases that the program itself names (cltestcheck.h): a launch belongs to the one in which it was
 * enqueued. What the program says of them waits here until there is a connection, which the first OpenCL call opens;
 * without any, until the process ends: its test cases may have started others that make such calls. */
#include "layer/observe/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "layer/common/guest.h"
#include "layer/observe/enqueue.h"
#include "layer/observe/evidence.h"
#include "layer/observe/queue.h"
#include "wire/protocol.h"

/* ---- test cases ---- */

static struct {
  pthread_mutex_t lock;
  uint32_t last; /* number of the newest */
  char *name, *command;
  bool forked;     /* the connection is new, and has not been told of yet what was begun before */
  message waiting; /* whole messages one after the other */
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_uint now; /* 0: none */
static atomic_bool news;

uint32_t test_case_now(void) { return atomic_load(&now); }

/* Whether messages about test cases wait, and these: to be freed. */
static bool test_case_news(void) { return atomic_load(&news); }

/* With the lock held. */
static void say(uint32_t number, bool begins, int status) {
  message m;
  message_start(&m, MESSAGE_TEST_CASE);
  MESSAGE_PUT(&m, U32(number), U32(begins ? 1 : 0), U32((uint32_t)status), TEXT(state.name), TEXT(state.command));
  message_append(&state.waiting, &m);
  message_free(&m);
  atomic_store(&news, true);
}

static message test_case_take(void) {
  pthread_mutex_lock(&state.lock);
  message own = state.waiting;
  state.waiting = (message){0};
  if (state.forked && atomic_load(&now)) {
    say(atomic_load(&now), true, 0);
    message_append(&state.waiting, &own);
    message_free(&own);
    own = state.waiting;
    state.waiting = (message){0};
  }
  state.forked = false;
  atomic_store(&news, false);
  pthread_mutex_unlock(&state.lock);
  return own;
}

/* With the lock held. */
static void end(int status) {
  const uint32_t number = atomic_exchange(&now, 0);
  if (number) say(number, false, status);
}

static void begin(const char *name, const char *command) {
  end(0);
  free(state.name);
  free(state.command);
  state.name = strdup(name);
  state.command = command != NULL ? strdup(command) : NULL;
  if (state.name == NULL) return;
  say(++state.last, true, 0);
  atomic_store(&now, state.last);
}

void test_case_start(void) {
  const char *name = getenv(ENV_TEST_CASE), *command = getenv(ENV_TEST_COMMAND);
  pthread_mutex_lock(&state.lock);
  if (name != NULL && name[0] && !state.last) begin(name, command);
  pthread_mutex_unlock(&state.lock);
}

/* The connection is a new one: it is told of the test case that has begun. */
static void test_case_again(void) {
  pthread_mutex_lock(&state.lock);
  state.forked = true;
  if (atomic_load(&now)) atomic_store(&news, true);
  pthread_mutex_unlock(&state.lock);
}

/* ---- the connection ---- */

#define FIRST_DESCRIPTOR 200 /* out of the way of the program's own */
#define SEND_SECONDS 30
#define ANSWER_SECONDS 300

static struct {
  pthread_mutex_t lock;
  int fd;
  pid_t pid; /* that opened it, or found that it cannot be opened */
  dev_t device;
  ino_t inode;
} link_ = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

static atomic_bool alive; /* the connection stands; may be read without the lock */

static char socket_path[sizeof((struct sockaddr_un *)0)->sun_path];

static bool still_ours(void) {
  struct stat s;
  return link_.fd >= 0 && fstat(link_.fd, &s) == 0 && s.st_dev == link_.device && s.st_ino == link_.inode;
}

static void link_close(void) {
  if (still_ours()) close(link_.fd);
  link_.fd = -1;
  atomic_store(&alive, false);
}

/* A call that a signal has interrupted is made anew, but a program with a timer must not wait for ever: the kernel's
 * limit starts again with each call. */
static bool again(ssize_t result, uint64_t deadline) { return result < 0 && errno == EINTR && now_ns() < deadline; }

static uint64_t in_seconds(uint64_t seconds) { return now_ns() + seconds * UINT64_C(1000000000); }

static bool send_all(const unsigned char *data, size_t length) {
  if (!still_ours()) {
    link_close();
    return false;
  }
  uint64_t deadline = in_seconds(SEND_SECONDS);
  while (length) {
    ssize_t sent = send(link_.fd, data, length, MSG_NOSIGNAL);
    if (again(sent, deadline)) continue;
    if (sent <= 0) {
      link_close();
      return false;
    }
    data += sent;
    length -= (size_t)sent;
  }
  return true;
}

static bool receive_all(unsigned char *data, size_t length) {
  uint64_t deadline = in_seconds(ANSWER_SECONDS);
  while (length) {
    ssize_t got = recv(link_.fd, data, length, 0);
    if (again(got, deadline)) continue;
    if (got <= 0) {
      link_close();
      return false;
    }
    data += got;
    length -= (size_t)got;
  }
  return true;
}

static void say_hello(void) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  message m;
  message_start(&m, MESSAGE_HELLO);
  MESSAGE_PUT(&m, U32(PROTOCOL_VERSION), U32((uint32_t)getpid()), COUNTED(path, length > 0 ? (size_t)length : 0));
  if (!m.failed) send_all(m.data, m.length);
  message_free(&m);
}

/* A connected descriptor, or -1. */
static int connect_socket(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, socket_path, sizeof address.sun_path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  int high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
  if (high >= 0) {
    close(fd);
    fd = high;
  }
  struct timeval patience = {.tv_sec = SEND_SECONDS};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  patience.tv_sec = ANSWER_SECONDS;
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  int result;
  do {
    result = connect(fd, (struct sockaddr *)&address, sizeof address);
  } while (result != 0 && errno == EINTR);
  if (result != 0 && errno != EISCONN) {
    close(fd);
    return -1;
  }
  return fd;
}

/* With the lock held. */
static bool link_ready(void) {
  if (link_.pid == getpid() && (link_.fd < 0 || still_ours())) return link_.fd >= 0;
  /* The program has closed our descriptor, maybe by closing all that it does not know: another is opened. */
  if (link_.pid == getpid()) test_case_again();
  link_close();
  link_.pid = getpid();
  if (!socket_path[0]) {
    const char *path = getenv(ENV_SOCKET);
    if (path == NULL || strlen(path) >= sizeof socket_path) return false;
    memcpy(socket_path, path, strlen(path) + 1);
  }
  announced_open(socket_path);
  link_.fd = connect_socket();
  struct stat s;
  if (link_.fd < 0) return false;
  if (fstat(link_.fd, &s) != 0) {
    close(link_.fd);
    link_.fd = -1;
    return false;
  }
  link_.device = s.st_dev;
  link_.inode = s.st_ino;
  atomic_store(&alive, true);
  if (guest_started()) /* else this process has made no OpenCL call, and speaks of its test cases alone */
    say_hello();
  return link_.fd >= 0;
}

bool connection_alive(void) { return atomic_load(&alive); }

bool connection_ready(void) {
  int saved = errno;
  pthread_mutex_lock(&link_.lock);
  bool ready = link_ready();
  pthread_mutex_unlock(&link_.lock);
  errno = saved;
  return ready;
}

/* What waits of test cases goes before all that belongs to them. With the lock held. */
static void send_test_cases(void) {
  message m = test_case_news() ? test_case_take() : (message){0};
  if (m.length && !m.failed) send_all(m.data, m.length);
  message_free(&m);
}

/* Sends what waits of test cases. */
static void tell_test_cases(void) {
  int saved = errno;
  pthread_mutex_lock(&link_.lock);
  if (link_ready()) send_test_cases();
  pthread_mutex_unlock(&link_.lock);
  errno = saved;
}

static bool ready_to_send(void) {
  if (!link_ready()) return false;
  send_test_cases();
  return true;
}

void connection_send(message *m) {
  int saved = errno;
  pthread_mutex_lock(&link_.lock);
  if (!m->failed && ready_to_send()) send_all(m->data, m->length);
  pthread_mutex_unlock(&link_.lock);
  message_free(m);
  errno = saved;
}

void connection_tell(uint32_t type, const message_field *fields) {
  message m;
  message_start(&m, type);
  message_put(&m, fields);
  connection_send(&m);
}

static bool receive_answer(uint32_t answer_type, unsigned char **body, size_t *length) {
  unsigned char head[8];
  if (!receive_all(head, sizeof head)) return false;
  wire_reader r = {.at = head, .left = sizeof head};
  uint32_t type = wire_u32(&r);
  uint32_t size = wire_u32(&r);
  *body = type == answer_type && size <= PROTOCOL_MESSAGE_CAP ? malloc((size_t)size + 1) : NULL;
  *length = size;
  if (*body == NULL) {
    link_close();
    return false;
  }
  if (receive_all(*body, size)) return true;
  free(*body);
  *body = NULL;
  return false;
}

bool connection_ask(message *m, uint32_t answer_type, unsigned char **body, size_t *length) {
  int saved = errno;
  pthread_mutex_lock(&link_.lock);
  bool answered =
      !m->failed && ready_to_send() && send_all(m->data, m->length) && receive_answer(answer_type, body, length);
  pthread_mutex_unlock(&link_.lock);
  message_free(m);
  errno = saved;
  return answered;
}

/* ---- what the program says of test cases ---- */

static void tell(void) {
  if (!connection_alive()) return;
  evidence_boundary();
  tell_test_cases();
}

static pid_t speaker; /* the process that has named a test case itself */

static void at_exit(void) {
  if (speaker == getpid() && !connection_alive() && test_case_news()) tell_test_cases();
}

static void speaks(void) {
  speaker = getpid();
  atexit(at_exit);
}

LAYER_EXPORT void cltestcheck_layer_begin(const char *name, const char *command);
LAYER_EXPORT void cltestcheck_layer_begin(const char *name, const char *command) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, speaks);
  pthread_mutex_lock(&state.lock);
  if (name != NULL && name[0]) begin(name, command);
  pthread_mutex_unlock(&state.lock);
  tell();
}

LAYER_EXPORT void cltestcheck_layer_end(int status);
LAYER_EXPORT void cltestcheck_layer_end(int status) {
  pthread_mutex_lock(&state.lock);
  end(status);
  pthread_mutex_unlock(&state.lock);
  tell();
}

void connection_after_fork(void) {
  link_.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  atomic_store(&alive, false);
  state.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  state.waiting = (message){0}; /* the parent sends it */
  state.forked = true;
  atomic_store(&news, atomic_load(&now) != 0);
}

static void send_note(uint32_t number, const char *format, va_list values) {
  char text[1024];
  vsnprintf(text, sizeof text, format, values);
  TELL(MESSAGE_NOTE, U32(number), TEXT(text));
}

void note(const char *format, ...) {
  va_list values;
  va_start(values, format);
  send_note(NO_PROGRAM, format, values);
  va_end(values);
}

void note_uninstrumented(uint32_t number, const char *format, ...) {
  va_list values;
  va_start(values, format);
  send_note(number, format, values);
  va_end(values);
}

void skipped(const char *what, const char *reason) { TELL(MESSAGE_SKIPPED, TEXT(what), TEXT(reason)); }
