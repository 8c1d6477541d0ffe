/* Test cases that the program itself names (cltestcheck.h): a launch belongs to the one in which it was enqueued. What
 * the program says of them waits here until there is a connection, which the first OpenCL call opens; without any,
 * until the process ends: its test cases may have started others that make such calls. */
#include "layer/observe/test_case.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layer/common/message.h"
#include "layer/observe/connection.h"
#include "layer/observe/evidence.h"
#include "wire/protocol.h"

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

bool test_case_news(void) { return atomic_load(&news); }

/* With the lock held. */
static void say(uint32_t number, bool begins, int status) {
  message m;
  message_start(&m, MESSAGE_TEST_CASE);
  message_u32(&m, number);
  message_u32(&m, begins ? 1 : 0);
  message_u32(&m, (uint32_t)status);
  message_string(&m, state.name);
  message_string(&m, state.command);
  message_append(&state.waiting, &m);
  message_free(&m);
  atomic_store(&news, true);
}

message test_case_take(void) {
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

static void tell(void) {
  if (!connection_alive()) return;
  evidence_boundary();
  connection_tell();
}

static pid_t speaker; /* the process that has named a test case itself */

static void at_exit(void) {
  if (speaker == getpid() && !connection_alive() && test_case_news()) connection_tell();
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

void test_case_start(void) {
  const char *name = getenv(ENV_TEST_CASE), *command = getenv(ENV_TEST_COMMAND);
  pthread_mutex_lock(&state.lock);
  if (name != NULL && name[0] && !state.last) begin(name, command);
  pthread_mutex_unlock(&state.lock);
}

void test_case_again(void) {
  pthread_mutex_lock(&state.lock);
  state.forked = true;
  if (atomic_load(&now)) atomic_store(&news, true);
  pthread_mutex_unlock(&state.lock);
}

void test_case_after_fork(void) {
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  state.lock = fresh;
  state.waiting = (message){0}; /* the parent sends it */
  state.forked = true;
  atomic_store(&news, atomic_load(&now) != 0);
}
