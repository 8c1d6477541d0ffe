/* PoCL's compiler counts its warnings and errors on standard error ("1 error generated."). The user's program must
 * not show those of our builds: while one runs, standard error goes to memory, and everything else that was written
 * there meanwhile is handed on. Other platforms print nothing and are left alone. */
#include "layer/observe/quiet.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "layer/common/guest.h"

#define FIRST_DESCRIPTOR 200

static pthread_mutex_t quiet_lock = PTHREAD_MUTEX_INITIALIZER;

static bool prints_counts(cl_device_id device) {
  cl_platform_id platform = NULL;
  char name[256] = "";
  driver.clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform, NULL);
  if (platform != NULL && driver.clGetPlatformInfo != NULL)
    driver.clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
  return strcmp(name, "Portable Computing Language") == 0;
}

void quiet_begin(quiet *q, cl_device_id device) {
  *q = (quiet){.saved = -1, .memory = -1};
  if (device == NULL || !prints_counts(device)) return;
  pthread_mutex_lock(&quiet_lock);
  q->saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
  q->memory = q->saved >= 0 ? memfd_create("cltestcheck", MFD_CLOEXEC) : -1;
  if (q->memory >= 0 && dup2(q->memory, STDERR_FILENO) >= 0) return;
  if (q->saved >= 0) close(q->saved);
  if (q->memory >= 0) close(q->memory);
  q->saved = q->memory = -1;
  pthread_mutex_unlock(&quiet_lock);
}

static bool begins(const char *text, size_t length, const char *with) {
  size_t n = strlen(with);
  return length >= n && memcmp(text, with, n) == 0;
}

/* "2 warnings and 1 error generated." */
static bool is_count(const char *line, size_t length) {
  static const char end[] = " generated.\n";
  size_t n = sizeof end - 1, digits = 0;
  while (digits < length && line[digits] >= '0' && line[digits] <= '9') digits++;
  if (!digits || length < digits + n || !begins(line + length - n, n, end)) return false;
  return begins(line + digits, length - digits, " warning") || begins(line + digits, length - digits, " error");
}

static void hand_on(const char *text, size_t length) {
  while (length) {
    const char *newline = memchr(text, '\n', length);
    size_t line = newline != NULL ? (size_t)(newline - text) + 1 : length;
    if (!is_count(text, line) && write(STDERR_FILENO, text, line) < 0) return;
    text += line;
    length -= line;
  }
}

void quiet_end(quiet *q) {
  if (q->saved < 0) return;
  dup2(q->saved, STDERR_FILENO);
  close(q->saved);
  off_t size = lseek(q->memory, 0, SEEK_END);
  char *text = size > 0 ? malloc((size_t)size) : NULL;
  if (text != NULL) {
    ssize_t got = pread(q->memory, text, (size_t)size, 0);
    hand_on(text, got > 0 ? (size_t)got : 0);
  }
  free(text);
  close(q->memory);
  q->saved = -1;
  pthread_mutex_unlock(&quiet_lock);
}

void quiet_after_fork(void) {
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  quiet_lock = fresh;
}
