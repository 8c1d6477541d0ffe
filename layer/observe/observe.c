/* What is observed, as the environment says, and the kernels' names with what their launches come
 * to. */
#include "layer/observe/observe.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "detectors/fills/record.h"
#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "layer/observe/guard.h"
#include "layer/observe/kernel.h"
#include "layer/observe/memory.h"
#include "layer/observe/vary.h"
#include "wire/protocol.h"
#include "wire/turn.h"

observe_options observe;

static pthread_mutex_t tally_lock = PTHREAD_MUTEX_INITIALIZER;
static tally *tallies; /* never freed: whoever saw one may keep it */

static _Atomic(const char *) first_thread; /* that gave a command, by something of its own */
static atomic_bool several_threads;

void observe_start(void) {
  observe.blocks = environment_is(ENV_OBSERVE, "blocks");
  observe.contents = environment_is(ENV_OBSERVE, "contents");
  observe.reads = observe.blocks || observe.contents || environment_is(ENV_OBSERVE, "1");
  observe.worker = environment_is(ENV_WORKER, "1");
  observe.varies = vary_start() || observe.worker;
  observe.kernels = observe.reads || observe.varies || guards_are_on();
  const char *fill = getenv(ENV_FILL);
  observe.fills = fill != NULL;
  observe.fill = fill != NULL ? (unsigned char)strtoul(fill, NULL, 10) : 0;
  const char *filling = getenv(ENV_FILLING);
  observe.filling = filling != NULL ? (uint32_t)strtoul(filling, NULL, 10) : 0;
  const char *watch = getenv(ENV_WATCH);
  observe.watch = watch != NULL && watch[0] ? strdup(watch) : NULL;
}

void observe_command(void) {
  static _Thread_local char own;
  const char *first = NULL;
  if (observe.reads && !atomic_compare_exchange_strong(&first_thread, &first, &own) && first != &own)
    atomic_store(&several_threads, true);
}

bool observe_threads(void) { return atomic_load(&several_threads); }

static tally *tally_make(const char *name, uint64_t digest) {
  tally *t = tallies;
  while (t != NULL && (t->program != digest || strcmp(t->name, name) != 0)) t = t->next;
  if (t != NULL) return t;
  size_t size = strlen(name) + 1;
  t = calloc(1, sizeof *t + size);
  if (t == NULL) return NULL;
  memcpy(t->name, name, size);
  t->program = digest;
  t->next = tallies;
  tallies = t;
  return t;
}

tally *tally_of(cl_kernel handle, uint64_t digest) {
  size_t size = 0;
  if (driver.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, 0, NULL, &size) != CL_SUCCESS) return NULL;
  scoped char *name = calloc(1, size + 1);
  tally *t = NULL;
  if (name != NULL && driver.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, size, name, NULL) == CL_SUCCESS) {
    pthread_mutex_lock(&tally_lock);
    t = tally_make(name, digest);
    pthread_mutex_unlock(&tally_lock);
  }
  return t;
}

static tally *tally_first(void) {
  pthread_mutex_lock(&tally_lock);
  tally *t = tallies;
  pthread_mutex_unlock(&tally_lock);
  return t;
}

void observe_restart(void) {
  for (tally *t = tally_first(); t != NULL; t = t->next) atomic_store(&t->launches, 0);
}

void observe_launched(kernel *k, cl_command_queue on, const cl_event *event) {
  mark m = {.tally = k->tally, .launch = atomic_fetch_add(&k->tally->launches, 1)};
  if (!observe.reads) return;
  pthread_mutex_lock(&k->lock);
  for (cl_uint i = k->argument_count; i-- > 0;) { /* of several with the same memory the first one stays */
    const argument *a = &k->arguments[i];
    const bool constant = k->constant != NULL && k->constant[i];
    const cl_mem handle = argument_memory(a);
    m.argument = i;
    if (handle != NULL) {
      storage_given(handle, on, event);
      memory_used(handle, on, BARE_LAUNCH, k->tally, i);
    }
    if (a->kind == ARGUMENT_POINTER && !constant)
      memory_mark_pointer(a->pointer, &m);
    else if (handle != NULL && !constant)
      memory_mark(handle, &m);
  }
  pthread_mutex_unlock(&k->lock);
}

void observe_after_fork(void) {
  tally_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  tallies = NULL;
  atomic_store(&first_thread, NULL);
  atomic_store(&several_threads, false);
}
