/* limit SECONDS FILE COMMAND…: runs a command for at most so long.
 *
 * What it prints goes to standard output and to the end of FILE as it comes. When the time is over, everything that it
 * has started is killed, in whatever process group or session it is, and nothing waits for it: a process that hangs in
 * a driver may outlive its SIGKILL. Exit status: the command's; 124 when it was cut off, 125 when it did not start.
 *
 * Linked statically, for machines that have no `timeout`. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CUT_OFF = 124, NO_START = 125, GRACE_MS = 3000, STEP_MS = 50 };

static long long now_ms(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void put(int fd, const char *bytes, size_t count) {
  while (count > 0) {
    const ssize_t written = write(fd, bytes, count);
    if (written < 0 && errno != EINTR) return;
    bytes += written < 0 ? 0 : written;
    count -= written < 0 ? 0 : (size_t)written;
  }
}

/* Copies what the pipe holds now, or comes within `ms`. Returns false at its end. */
static bool copy(int from, int file, int ms) {
  char bytes[4096];
  struct pollfd wanted = {.fd = from, .events = POLLIN};
  if (poll(&wanted, 1, ms) <= 0) return true;
  const ssize_t count = read(from, bytes, sizeof bytes);
  if (count <= 0) return count < 0 && errno == EINTR;
  put(STDOUT_FILENO, bytes, (size_t)count);
  put(file, bytes, (size_t)count);
  return true;
}

/* The parent of a process, and whether it is one that has not ended; 0 when there is no such process any more. */
static pid_t parent_of(const char *pid) {
  char path[64], text[512] = "";
  (void)snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  FILE *f = fopen(path, "r");
  if (f == NULL) return 0;
  const size_t length = fread(text, 1, sizeof text - 1, f);
  (void)fclose(f);
  text[length] = '\0';
  const char *end = strrchr(text, ')'); /* the name before it may hold anything */
  if (end == NULL || strlen(end) < 5 || end[2] == 'Z') return 0;
  return (pid_t)strtol(end + 4, NULL, 10);
}

/* Sends a signal to our children; orphans of theirs are ours, too. Returns how many there are. */
static int signal_children(int number) {
  int count = 0;
  DIR *processes = opendir("/proc");
  const struct dirent *entry = NULL;
  while (processes != NULL && (entry = readdir(processes)) != NULL) {
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && parent_of(entry->d_name) == getpid()) {
      (void)kill((pid_t)strtol(entry->d_name, NULL, 10), number);
      count++;
    }
  }
  if (processes != NULL) (void)closedir(processes);
  return count;
}

/* Ends all that was started: politely, then not. */
static void end_all(pid_t group, int from, int file) {
  (void)kill(-group, SIGTERM);
  for (long long end = now_ms() + GRACE_MS; now_ms() < end && signal_children(0) > 0;) {
    (void)copy(from, file, STEP_MS);
    (void)waitpid(-1, NULL, WNOHANG);
  }
  for (long long end = now_ms() + GRACE_MS; now_ms() < end && signal_children(SIGKILL) > 0;) {
    (void)poll(NULL, 0, STEP_MS);
    while (waitpid(-1, NULL, WNOHANG) > 0) {
    }
  }
}

static void start(char **command, int to) {
  (void)setpgid(0, 0);
  (void)dup2(to, STDOUT_FILENO);
  (void)dup2(to, STDERR_FILENO);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) (void)dup2(nothing, STDIN_FILENO);
  (void)execvp(command[0], command);
  fprintf(stderr, "limit: %s does not start: %s\n", command[0], strerror(errno));
  _exit(NO_START);
}

/* Until the command ends or its time is over. Returns its exit status. */
static int watch(pid_t child, long long end, int from, int file) {
  int status = 0;
  for (bool open = true; now_ms() < end;) {
    if (open)
      open = copy(from, file, STEP_MS);
    else
      (void)poll(NULL, 0, STEP_MS);
    if (waitpid(child, &status, WNOHANG) == child) {
      for (struct pollfd rest = {.fd = from, .events = POLLIN}; poll(&rest, 1, 0) > 0 && (rest.revents & POLLIN) != 0;)
        (void)copy(from, file, 0);
      end_all(child, from, file); /* what it has left behind */
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
  }
  end_all(child, from, file);
  return CUT_OFF;
}

int main(int argc, char **argv) {
  char *rest = NULL;
  const long seconds = argc > 3 ? strtol(argv[1], &rest, 10) : 0;
  if (seconds <= 0 || *rest != '\0') {
    fprintf(stderr, "limit: wants SECONDS FILE COMMAND…\n");
    return NO_START;
  }
  const int file = open(argv[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  int ends[2];
  if (file < 0 || pipe(ends) != 0) {
    fprintf(stderr, "limit: %s cannot be written: %s\n", argv[2], strerror(errno));
    return NO_START;
  }
  (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
  const long long end = now_ms() + (long long)seconds * 1000;
  const pid_t child = fork();
  if (child < 0) {
    fprintf(stderr, "limit: no process can be started: %s\n", strerror(errno));
    return NO_START;
  }
  if (child == 0) start(argv + 3, ends[1]);
  (void)setpgid(child, child);
  (void)close(ends[1]);
  return watch(child, end, ends[0], file);
}
