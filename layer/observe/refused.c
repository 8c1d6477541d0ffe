/* Calls that the driver has refused: counted by what was refused and why. The first is told at once and the numbers
 * when they have doubled and at the end, so that a program that goes on asking is not slowed down. */
#include "layer/observe/refused.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "layer/common/guest.h"
#include "layer/common/message.h"
#include "layer/common/site.h"
#include "layer/observe/announced.h"
#include "layer/observe/connection.h"
#include "layer/observe/exit.h"
#include "layer/observe/launch.h"
#include "layer/observe/unnoticed.h"
#include "wire/protocol.h"

enum { MOST = 64, NAME_BYTES = 128, DETAIL_BYTES = 160 };

typedef struct refusal {
  const char *call;
  char kernel[NAME_BYTES], detail[DETAIL_BYTES];
  cl_int error;
  call_site site; /* of the first */
  uint64_t count, told;
} refusal;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static refusal refusals[MOST];
static size_t refusal_count;

/* What has not been told yet. With the lock held. */
static void tell(refusal *r) {
  message m;
  message_start(&m, MESSAGE_CALL_REFUSED);
  message_string(&m, r->call);
  message_string(&m, r->kernel);
  message_u32(&m, (uint32_t)r->error);
  message_string(&m, r->detail);
  message_u64(&m, r->count - r->told);
  message_string(&m, r->site.module);
  message_u64(&m, r->site.offset);
  r->told = r->count;
  connection_send(&m);
}

/* Of more than MOST different ones the last place counts the rest, without a detail. */
static refusal *find(const char *call, const char *name, cl_int error, const char *detail) {
  for (size_t i = 0; i < refusal_count; i++) {
    refusal *r = &refusals[i];
    if (r->error == error && strcmp(r->call, call) == 0 && strcmp(r->kernel, name) == 0 &&
        (strcmp(r->detail, detail) == 0 || i == MOST - 1))
      return r;
  }
  if (refusal_count == MOST) return NULL;
  refusal *r = &refusals[refusal_count++];
  *r = (refusal){.call = call, .error = error};
  if (!site_of_call(&r->site)) r->site = (call_site){.module = ""};
  snprintf(r->kernel, sizeof r->kernel, "%s", name);
  snprintf(r->detail, sizeof r->detail, "%s", detail);
  return r;
}

void refused(const char *call, const char *name, cl_int error, const char *detail) {
  if (!connection_alive()) return;
  char cut[NAME_BYTES], words[DETAIL_BYTES];
  snprintf(cut, sizeof cut, "%s", name);
  snprintf(words, sizeof words, "%s", detail);
  exit_before_driver(false);
  pthread_mutex_lock(&lock);
  refusal *r = find(call, cut, error, words);
  if (r != NULL && ++r->count >= 2 * r->told) tell(r);
  pthread_mutex_unlock(&lock);
}

void refused_send(void) {
  if (pthread_mutex_trylock(&lock) != 0) return;
  for (size_t i = 0; i < refusal_count; i++)
    if (refusals[i].told < refusals[i].count) tell(&refusals[i]);
  pthread_mutex_unlock(&lock);
}

void refused_launch(cl_kernel handle, kernel *k, const launch *l, cl_int error) {
  char name[NAME_BYTES] = "", detail[DETAIL_BYTES] = "";
  if (error != CL_INVALID_KERNEL) driver.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
  launch_in_words(l, detail, sizeof detail);
  refused(l->task ? "clEnqueueTask" : "clEnqueueNDRangeKernel", name, error, detail);
  if (handle == NULL) unnoticed_used(NULL, "clEnqueueNDRangeKernel");
  unnoticed_refused(k, name, error, detail);
}

void refused_after_fork(void) {
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  lock = fresh;
  refusal_count = 0;
}
