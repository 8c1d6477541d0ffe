/* Child processes: fork, a poll loop over the pipe, wait; and the words of a command line as a shell takes them. */
#include "base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

enum { LOOK_MS = 200, REAP_TRIES = 200, REAP_NS = 10000000 };

/* --- in the new process --- */

static void give(int from, int to) {
  if (from != to)
    (void)dup2(from, to);
  else
    (void)fcntl(from, F_SETFD, 0);
}

static void be_quiet(void) {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) _exit(SUBPROCESS_NO_PROGRAM);
  give(nothing, STDIN_FILENO);
  give(nothing, STDERR_FILENO);
}

/* Does not return. */
static void run(const subprocess *s, int out) {
  if (s->work != NULL) {
    s->work(s->context, out);
    _exit(0);
  }
  give(out, STDOUT_FILENO);
  if (s->quiet) be_quiet();
  if (s->joined) give(STDOUT_FILENO, STDERR_FILENO);
  (void)execvp(s->argv[0], s->argv);
  _exit(SUBPROCESS_NO_PROGRAM);
}

pid_t subprocess_fork(bool core) {
  (void)fflush(NULL);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child != 0) return child;
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(SUBPROCESS_NO_PROGRAM);
  struct rlimit size;
  if (!core && getrlimit(RLIMIT_CORE, &size) == 0) {
    size.rlim_cur = 0;
    (void)setrlimit(RLIMIT_CORE, &size);
  }
  return 0;
}

bool subprocess_write(int out, const void *bytes, size_t length) {
  const char *at = bytes;
  while (length > 0) {
    const ssize_t n = write(out, at, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    length -= (size_t)n;
  }
  return true;
}

/* --- here --- */

/* Those who run programs block these signals and look at them between messages; so do we. */
static bool interruption_waits(void) {
  sigset_t waiting;
  return sigpending(&waiting) == 0 && (sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1);
}

/* How long to wait for bytes before the next look at clock and signals; -1: for ever. */
static int patience(const subprocess *s) {
  if (s->deadline <= 0) return s->interruptible ? LOOK_MS : -1;
  const double left = (s->deadline - clock_now()) * 1000;
  return left < 0 ? 0 : left < LOOK_MS ? (int)left + 1 : LOOK_MS;
}

static subprocess_end read_all(const subprocess *s, int in, buffer *out) {
  const size_t before = out->length;
  const size_t cap = s->cap > 0 ? s->cap : BUFFER_CAP;
  char chunk[65536];
  for (;;) {
    struct pollfd p = {.fd = in, .events = POLLIN};
    const int ready = poll(&p, 1, patience(s));
    if (s->deadline > 0 && clock_now() >= s->deadline) return SUBPROCESS_LATE;
    if (ready <= 0) {
      if (s->interruptible && interruption_waits()) return SUBPROCESS_INTERRUPTED;
      continue;
    }
    const ssize_t n = read(in, chunk, sizeof chunk);
    if (n == 0 || (n < 0 && errno != EINTR)) return SUBPROCESS_ENDED;
    if (n > 0) {
      if ((size_t)n > cap - (out->length - before)) return SUBPROCESS_TOO_MUCH;
      buffer_append(out, chunk, (size_t)n);
    }
  }
}

/* A process that hangs in a driver may not even go when it is killed; then we do not wait for it either. */
static void end_now(pid_t child) {
  (void)kill(child, SIGKILL);
  for (int i = 0; i < REAP_TRIES && waitpid(child, NULL, WNOHANG) == 0; i++)
    (void)nanosleep(&(struct timespec){.tv_nsec = REAP_NS}, NULL);
}

int subprocess_read(const subprocess *s, buffer *out, subprocess_end *end, int *status, error *e) {
  int ends[2];
  *status = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) return error_set(e, EXIT_INTERNAL, "no pipe could be made: %s", strerror(errno));
  const pid_t child = subprocess_fork(false);
  if (child == 0) {
    (void)close(ends[0]);
    run(s, ends[1]);
  }
  const int reason = errno;
  (void)close(ends[1]);
  *end = child < 0 ? SUBPROCESS_ENDED : read_all(s, ends[0], out);
  (void)close(ends[0]);
  if (child < 0) return error_set(e, EXIT_INTERNAL, "no process could be started: %s", strerror(reason));
  if (*end != SUBPROCESS_ENDED) {
    end_now(child);
    return 0;
  }
  while (waitpid(child, status, 0) < 0 && errno == EINTR) {
  }
  return 0;
}

int subprocess_ask(const char *const *argv, buffer *out) {
  const subprocess s = {.argv = (char *const *)argv, .quiet = true};
  subprocess_end end;
  int status;
  error ignored;
  if (subprocess_read(&s, out, &end, &status, &ignored) != 0 || end != SUBPROCESS_ENDED || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status);
}

/* Words of a command line as a shell takes them. */

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";

void shell_word(buffer *to, const char *word) {
  if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
    buffer_puts(to, word);
    return;
  }
  buffer_putc(to, '\'');
  for (const char *c = word; *c != '\0'; c++)
    if (*c == '\'') /* no quote can stand in quotes: they end, it comes with a backslash, they begin again */
      buffer_puts(to, "'\\''");
    else
      buffer_putc(to, *c);
  buffer_putc(to, '\'');
}

static const char blanks[] = " \t\n";

/* In double quotes: a backslash stands for itself but in front of these; `$` and backquotes would be expanded. Returns
 * what stands after the second one. */
static const char *read_quoted(const char *at, buffer *word) {
  for (; *at != '\0' && *at != '"'; at++) {
    if (*at == '$' || *at == '`') return NULL;
    at += at[0] == '\\' && at[1] != '\0' && strchr("\"\\$`", at[1]) != NULL ? 1 : 0;
    buffer_putc(word, *at);
  }
  return *at == '"' ? at + 1 : NULL;
}

/* A part of a word: a run of plain characters, a quoted one, or a character after a backslash. NULL: none of these. */
static const char *read_part(const char *at, buffer *word) {
  const size_t length = strspn(at, plain);
  if (length > 0) {
    buffer_append(word, at, length);
    return at + length;
  }
  if (*at == '\'') {
    const size_t inner = strcspn(at + 1, "'");
    buffer_append(word, at + 1, inner);
    return at[inner + 1] == '\0' ? NULL : at + inner + 2;
  }
  if (*at == '"') return read_quoted(at + 1, word);
  if (at[0] == '\\' && at[1] != '\0' && at[1] != '\n') {
    buffer_putc(word, at[1]);
    return at + 2;
  }
  const bool other = (unsigned char)*at >= 0x80 || (*at != '\0' && strchr("]}!^", *at) != NULL);
  if (other) buffer_putc(word, *at);
  return other ? at + 1 : NULL;
}

char **shell_split(const char *line) {
  char **words = mem_calloc(strlen(line) / 2 + 2, sizeof *words);
  size_t count = 0;
  const char *at = line + strspn(line, blanks);
  while (at != NULL && *at != '\0') {
    buffer word = {0};
    while (at != NULL && *at != '\0' && strchr(blanks, *at) == NULL) at = read_part(at, &word);
    words[count++] = buffer_take(&word);
    at = at == NULL ? NULL : at + strspn(at, blanks);
  }
  if (at != NULL && count > 0) return words;
  shell_free(words);
  return NULL;
}

char **shell_join(char *const *words, const char *const *more) {
  size_t count = 0, extra = 0;
  while (words[count] != NULL) count++;
  while (more[extra] != NULL) extra++;
  char **all = mem_calloc(count + extra + 1, sizeof *all);
  for (size_t i = 0; i < count + extra; i++) all[i] = mem_strdup(i < count ? words[i] : more[i - count]);
  return all;
}

void shell_free(char **words) {
  for (size_t i = 0; words != NULL && words[i] != NULL; i++) free(words[i]);
  free(words);
}

char *shell_line(char *const *argv) {
  buffer line = {0};
  for (size_t i = 0; argv[i] != NULL; i++) {
    buffer_puts(&line, i == 0 ? "" : " ");
    shell_word(&line, argv[i]);
  }
  return buffer_take(&line);
}
