/* How many launches have been made whose evidence is to come, and which was the last of all, in a file that all
 * processes of the program share with cltestcheck: it stands when a process ends before its evidence has been read. */
#include "layer/observe/announced.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layer/common/builds.h"
#include "layer/common/guest.h"
#include "wire/protocol.h"

enum { TRIES = 100000, NAME_BYTES = 100 };

/* The same as launches_file, for processes that write at the same time. */
typedef struct shared_launches {
  _Atomic uint64_t announced;
  uint64_t made, ended;
  _Atomic uint64_t built, kept;
  _Atomic uint32_t lock;
  char last[sizeof((launches_file *)0)->last];
} shared_launches;
_Static_assert(sizeof(shared_launches) == sizeof(launches_file), "they are the same file");

static _Atomic(shared_launches *) file; /* NULL: there is none */

/* The last launch of this process. */
static pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  uint64_t number;
  cl_command_queue queue;
  cl_event event; /* the program's; only to be compared */
} own;

static _Thread_local struct {
  uint64_t number;
  char before[sizeof((launches_file *)0)->last]; /* what was the last launch before it */
} under_way;

void announced_open(const char *socket_path) {
  char path[256];
  struct stat s;
  if (atomic_load(&file) != NULL || snprintf(path, sizeof path, "%s" LAUNCHES_SUFFIX, socket_path) >= (int)sizeof path)
    return;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *at = MAP_FAILED;
  if (fstat(fd, &s) == 0 && s.st_size == sizeof(launches_file))
    at = mmap(NULL, sizeof(launches_file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (at != MAP_FAILED) atomic_store(&file, at);
}

void announced_launch(void) {
  shared_launches *f = atomic_load(&file);
  if (f != NULL) atomic_fetch_add(&f->announced, 1);
}

cl_program announced_build(cl_context in, cl_uint device_count, const cl_device_id *devices, const char *text,
                           const char *options, cl_int *result) {
  bool kept = false;
  cl_program p = build_text(in, device_count, devices, text, options, &kept, result);
  shared_launches *f = atomic_load(&file);
  if (f != NULL) atomic_fetch_add(kept ? &f->kept : &f->built, 1);
  return p;
}

/* ---- the last launch ---- */

/* NULL: there is no file, or a process that has died kept it. */
static shared_launches *begin_writing(void) {
  shared_launches *f = atomic_load(&file);
  for (int i = 0; f != NULL && i < TRIES; i++)
    if (atomic_exchange(&f->lock, 1) == 0) return f;
  return NULL;
}

static void end_writing(shared_launches *f) { atomic_store(&f->lock, 0); }

static size_t put_sizes(char *text, size_t size, const char *what, const size_t *sizes, cl_uint dimensions) {
  size_t length = (size_t)snprintf(text, size, "%s", what);
  for (cl_uint d = 0; d < dimensions && length < size; d++)
    length += (size_t)snprintf(text + length, size - length, "%s%zu", d ? " x " : " ", sizes[d]);
  return length < size ? length : size - 1;
}

void launch_in_words(const launch *l, char *text, size_t size) {
  cl_uint dimensions = l->dimensions <= 3 ? l->dimensions : 0;
  size_t length = l->global != NULL ? put_sizes(text, size, "global size", l->global, dimensions) : 0;
  text[length] = '\0';
  if (l->local != NULL) put_sizes(text + length, size - length, ", work-group size", l->local, dimensions);
}

static void describe(cl_kernel handle, const launch *l, char *text, size_t size) {
  char name[NAME_BYTES] = "", sizes[100];
  if (driver.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL) != CL_SUCCESS)
    snprintf(name, sizeof name, "with a long name");
  launch_in_words(l, sizes, sizeof sizes);
  snprintf(text, size, "kernel %s%s%s%s", name, sizes[0] ? " (" : "", sizes, sizes[0] ? ")" : "");
}

void last_launch_begins(cl_command_queue queue, cl_kernel handle, const launch *l) {
  under_way.number = 0;
  shared_launches *f = atomic_load(&file);
  if (f == NULL || handle == NULL) return;
  char text[sizeof f->last];
  describe(handle, l, text, sizeof text);
  f = begin_writing();
  if (f == NULL) return;
  under_way.number = ++f->made;
  memcpy(under_way.before, f->last, sizeof f->last);
  memcpy(f->last, text, sizeof text);
  end_writing(f);
  pthread_mutex_lock(&own_lock);
  own.number = under_way.number;
  own.queue = queue;
  own.event = NULL;
  pthread_mutex_unlock(&own_lock);
}

void last_launch_made(const cl_event *event) {
  pthread_mutex_lock(&own_lock);
  if (own.number == under_way.number && event != NULL) own.event = *event;
  pthread_mutex_unlock(&own_lock);
}

void last_launch_refused(void) {
  shared_launches *f = under_way.number ? begin_writing() : NULL;
  if (f == NULL) return;
  if (f->made == under_way.number) {
    f->made--;
    memcpy(f->last, under_way.before, sizeof f->last);
  }
  end_writing(f);
}

static void ended(cl_command_queue queue, cl_event event) {
  pthread_mutex_lock(&own_lock);
  const bool is = queue != NULL ? own.queue == queue : own.event == event;
  const uint64_t number = is ? own.number : 0;
  pthread_mutex_unlock(&own_lock);
  shared_launches *f = number ? begin_writing() : NULL;
  if (f != NULL) {
    f->ended = number > f->ended ? number : f->ended;
    end_writing(f);
  }
}

void last_launch_waited(cl_command_queue queue) { ended(queue, NULL); }

void last_launch_event(cl_event event) {
  if (event != NULL) ended(NULL, event);
}

void announced_after_fork(void) {
  own_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  own.number = 0;
}
