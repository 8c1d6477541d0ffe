/* One run of a program, without any layer, and files. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "reference.h"

_Noreturn void reference_fail(const char *format, ...) {
  va_list list;
  va_start(list, format);
  (void)fputs("reference: ", stderr);
  (void)vfprintf(stderr, format, list);
  (void)fputc('\n', stderr);
  va_end(list);
  exit(2);
}

char *reference_read_file(const char *path, size_t *length) {
  FILE *f = fopen(path, "rb");
  if (f == NULL || fseek(f, 0, SEEK_END) != 0) reference_fail("%s: %s", path, strerror(errno));
  const long size = ftell(f);
  rewind(f);
  char *bytes = malloc((size_t)size + 1);
  if (bytes == NULL || fread(bytes, 1, (size_t)size, f) != (size_t)size) reference_fail("%s cannot be read", path);
  (void)fclose(f);
  bytes[size] = '\0';
  if (length != NULL) *length = (size_t)size;
  return bytes;
}

void reference_write_file(const char *path, const char *bytes, size_t length) {
  FILE *f = fopen(path, "wb");
  if (f == NULL || fwrite(bytes, 1, length, f) != length || fclose(f) != 0)
    reference_fail("%s: %s", path, strerror(errno));
}

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The program's process; does not return. Its kernels are compiled afresh for each folder. */
static void become(char *const *argv, const char *folder) {
  (void)setpgid(0, 0);
  const int out = open("/dev/null", O_WRONLY);
  if (chdir(folder) != 0 || mkdir("cache", 0700) != 0) {
    if (errno != EEXIST) _exit(126);
  }
  const int errors = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  (void)dup2(out, STDOUT_FILENO);
  (void)dup2(errors, STDERR_FILENO);
  (void)unsetenv("OPENCL_LAYERS");
  (void)unsetenv("LD_PRELOAD");
  char cache[4096];
  (void)snprintf(cache, sizeof cache, "%s/cache", folder);
  (void)setenv("POCL_CACHE_DIR", cache, 1);
  (void)setenv("SUITE_DUMP", "dump", 1);
  execv(argv[0], argv);
  _exit(127);
}

/* The compiler's words are in what the program wrote to standard error. */
static bool was_refused(const char *folder) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/stderr", folder);
  char *text = reference_read_file(path, NULL);
  const bool refused = strstr(text, "clBuildProgram gave") != NULL;
  free(text);
  return refused;
}

reference_run reference_run_program(char *const *argv, const char *folder, double limit) {
  char dump[4096];
  (void)snprintf(dump, sizeof dump, "%s/dump", folder);
  (void)remove(dump);
  const double began = now();
  const pid_t child = fork();
  if (child == 0) become(argv, folder);
  reference_run r = {0};
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (now() - began > limit) {
      r.timed_out = true;
      (void)kill(-child, SIGKILL);
      (void)waitpid(child, &status, 0);
      break;
    }
    (void)usleep(2000);
  }
  (void)kill(-child, SIGKILL); /* what it may have left behind */
  r.seconds = now() - began;
  r.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  r.refused = was_refused(folder);
  if (access(dump, F_OK) == 0) r.dump = reference_read_file(dump, &r.length);
  return r;
}

void reference_run_free(reference_run *r) {
  free(r->dump);
  *r = (reference_run){0};
}
