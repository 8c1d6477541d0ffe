/* How many launches have been made whose evidence is to come, in a file that all processes of the program share with
 * cltestcheck: it stands when a process ends before its evidence has been read. */
#include "layer/observe/announced.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire/protocol.h"

static _Atomic(_Atomic uint64_t *) counter; /* NULL: there is none */

void announced_open(const char *socket_path) {
  char path[256];
  struct stat s;
  if (atomic_load(&counter) != NULL ||
      snprintf(path, sizeof path, "%s" LAUNCHES_SUFFIX, socket_path) >= (int)sizeof path) {
    return;
  }
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) {
    return;
  }
  void *at = MAP_FAILED;
  if (fstat(fd, &s) == 0 && s.st_size == sizeof(uint64_t)) {
    at = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  close(fd);
  if (at != MAP_FAILED) {
    atomic_store(&counter, at);
  }
}

void announced_launch(void) {
  _Atomic uint64_t *count = atomic_load(&counter);
  if (count != NULL) {
    atomic_fetch_add(count, 1);
  }
}
