/* A process as the database names it, so that a reader can tell whether it still lives: the boot of the machine, its
 * id, and when it began, as ids are used again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/internal.h"

/* The first line of a small file; "" without one. */
static void read_line(const char *path, char *line, int size) {
  line[0] = '\0';
  FILE *f = fopen(path, "re");
  if (f != NULL) {
    if (fgets(line, size, f) == NULL) {
      line[0] = '\0';
    }
    (void)fclose(f);
  }
}

/* When it began, in ticks since the boot; 0: it is not there. */
static unsigned long long start_of(pid_t process) {
  char path[64];
  char line[1024];
  unsigned long long started = 0;
  (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
  read_line(path, line, sizeof line);
  const char *at = strrchr(line, ')'); /* the name before may hold anything */
  for (int field = 2; at != NULL && field < 22; field++) {
    at = strchr(at + 1, ' ');
  }
  if (at != NULL) {
    started = strtoull(at, NULL, 10);
  }
  return started;
}

void db_process_name(pid_t process, char out[PROCESS_NAME]) {
  char boot[64];
  read_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
  boot[strcspn(boot, "\n")] = '\0';
  (void)snprintf(out, PROCESS_NAME, "%s %ld %llu", boot, (long)process, start_of(process));
}

bool db_process_lives(const char *name) {
  char now[PROCESS_NAME];
  const char *space = strchr(name, ' ');
  long process = space == NULL ? 0 : strtol(space, NULL, 10);
  if (process <= 0 || start_of((pid_t)process) == 0) {
    return false;
  }
  db_process_name((pid_t)process, now);
  return strcmp(now, name) == 0;
}
