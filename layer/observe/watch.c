/* The record of a watched launch lies in a file: where the device works on the host's memory it shows, also after the
 * process was killed, how far each work-group has come. One launch has the file at a time, over all processes. */
#include "layer/observe/watch.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layer/common/guest.h"
#include "layer/observe/context.h"
#include "layer/observe/observe.h"

#define FIRST_DESCRIPTOR 200 /* out of the way of the program's own */

/* The file in use: open, as that keeps its lock. */
typedef struct watch {
  int fd;
  dev_t device;
  ino_t inode;
  void *address;
  size_t bytes;
} watch;

static atomic_bool in_use; /* by this process, whose own locks do not shut it out */

static int open_high(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  int high = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR) : -1;
  if (high < 0) {
    return fd;
  }
  close(fd);
  return high;
}

/* All zero and there in full: a page that the file system has no room for would kill the process when it is written. */
static bool file_prepare(int fd, size_t bytes) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_SETLK, &whole) == 0 && ftruncate(fd, 0) == 0 && posix_fallocate(fd, 0, (off_t)bytes) == 0;
}

static bool watch_open(watch *w, size_t bytes) {
  struct stat s;
  *w = (watch){.fd = open_high(observe.watch), .bytes = bytes, .address = MAP_FAILED};
  if (w->fd < 0) {
    return false;
  }
  if (file_prepare(w->fd, bytes) && fstat(w->fd, &s) == 0) {
    w->device = s.st_dev;
    w->inode = s.st_ino;
    w->address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, w->fd, 0);
  }
  if (w->address != MAP_FAILED) {
    return true;
  }
  close(w->fd);
  return false;
}

/* The program may have closed or reused our descriptor. */
static void watch_close(watch *w) {
  struct stat s;
  munmap(w->address, w->bytes);
  if (fstat(w->fd, &s) == 0 && s.st_dev == w->device && s.st_ino == w->inode) {
    close(w->fd);
  }
  free(w);
  atomic_store(&in_use, false);
}

static void CL_CALLBACK buffer_gone(cl_mem memory, void *data) {
  (void)memory;
  watch_close(data);
}

static cl_mem make_buffer(context *c, watch *w) {
  cl_int error;
  cl_mem memory = driver.clSetMemObjectDestructorCallback != NULL
                      ? driver.clCreateBuffer(c->object.handle, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, w->bytes,
                                              w->address, &error)
                      : NULL;
  if (memory != NULL && driver.clSetMemObjectDestructorCallback(memory, buffer_gone, w) == CL_SUCCESS) {
    atomic_fetch_add(&c->buffers, 1);
    return memory;
  }
  if (memory != NULL) {
    driver.clReleaseMemObject(memory);
  }
  return NULL;
}

cl_mem watch_buffer(context *c, size_t bytes) {
  if (observe.watch == NULL || atomic_exchange(&in_use, true)) {
    return NULL;
  }
  watch *w = malloc(sizeof *w);
  if (w != NULL && watch_open(w, bytes)) {
    cl_mem memory = make_buffer(c, w);
    if (memory != NULL) {
      return memory;
    }
    watch_close(w);
    return NULL;
  }
  free(w);
  atomic_store(&in_use, false);
  return NULL;
}

void watch_after_fork(void) { atomic_store(&in_use, false); }
