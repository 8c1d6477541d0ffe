/* Commands of the capture, one after another, and the lock that keeps their order. */
#include <stdlib.h>
#include <time.h>

#include "layer/capture/layer.h"

#define TRIES_AT_EXIT 1000
#define TRY_NS 1000000 /* between two */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool on;
static cl_device_id device; /* of all commands; NULL: there was none yet */

bool recording(void) { return atomic_load(&on); }

void recording_set(bool value) { atomic_store(&on, value); }

bool record_begin(void) {
  if (!recording()) return false;
  pthread_mutex_lock(&lock);
  if (recording()) return true;
  pthread_mutex_unlock(&lock);
  return false;
}

void record_end(void) { pthread_mutex_unlock(&lock); }

void record_release(object_kind kind, void *handle) {
  if (record_begin()) {
    free(object_release(kind, handle));
    record_end();
  }
}

void record_end_blocking(cl_command_queue queue, bool blocking) {
  if (blocking && queue_in_order(queue)) own_memory_finished(queue);
  record_end();
}

bool record_begin_at_exit(void) {
  for (int i = 0; i < TRIES_AT_EXIT; i++) {
    if (pthread_mutex_trylock(&lock) == 0) return true;
    nanosleep(&(struct timespec){.tv_nsec = TRY_NS}, NULL);
  }
  return false;
}

static void record_device(void) {
  char *key = device_key(device);
  const char *strings[] = {key != NULL ? key : ""};
  size_t size = 0;
  const unsigned char *payload = file_ready() ? encode_strings(NULL, strings, 1, &size) : NULL;
  if (payload != NULL) file_record(RECORD_DEVICE, payload, size);
  free(key);
}

/* With the lock. Whether all commands, with one in the queue, go to one device. */
static bool is_of_device(cl_command_queue queue) {
  cl_device_id its = queue_device(queue);
  if (device == NULL && its != NULL) {
    device = its;
    record_device();
  }
  return its == device;
}

bool record_begin_command(cl_command_queue queue) {
  if (!record_begin()) return false;
  if (!is_of_device(queue) && !file_is_for_order()) unsuitable("commands went to more than one device");
  return true;
}

bool record_begin_ahead(cl_command_queue queue) {
  const bool begun = record_begin(), can = begun && is_of_device(queue) && device != NULL;
  if (begun && !can) record_end();
  return can;
}

bool record_begin_call(const host_call *call) {
  if (!record_begin_command(call->queue)) return false;
  order_record(call);
  return true;
}

void record(const capture_command *c) {
  size_t length = 0;
  if (!file_ready()) return;
  const unsigned char *payload = encode(c, &length);
  if (payload != NULL)
    file_record(c->kind, payload, length);
  else
    unsuitable("the capture ran out of memory");
}

void record_ahead(const capture_command *c) {
  size_t length = 0;
  const unsigned char *payload = file_ready() ? encode(c, &length) : NULL;
  if (payload != NULL) file_record_ahead(c->kind, payload, length);
}

void refuse(const char *reason) {
  if (!record_begin()) return;
  unsuitable("%s", reason);
  record_end();
}

void record_after_fork(void) {
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  lock = fresh;
  device = NULL;
}
