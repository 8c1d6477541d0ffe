/* cltestcheck-verify: reads a request, proves each kernel in a process of its own, and writes an answer a line. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/subprocess.h"
#include "proofs/verify/request.h"

/* One kernel in its process. */
typedef struct job {
  LLVMValueRef kernel;
  pid_t pid; /* 0: not begun, or over */
  int out;
  buffer answer;
  double deadline;
} job;

static void write_line(const json_t *answer) {
  char *text = json_dumps(answer, JSON_COMPACT);
  if (text != NULL) {
    (void)puts(text);
    (void)fflush(stdout);
  }
  free(text);
}

/* --- a process ---------------------------------------------------------------------------------------------------- */

static void prove(const module *m, LLVMValueRef kernel, const request *r, int out) {
  const struct rlimit no_core = {0, 0};
  const rlim_t seconds = (rlim_t)r->timeout + 2; /* the proof ends before, but for one step that takes long */
  const struct rlimit time = {seconds, seconds + 1};
  (void)setrlimit(RLIMIT_CPU, &time);
#ifndef __SANITIZE_ADDRESS__ /* its shadow needs more than any limit */
  const struct rlimit memory = {r->memory + (UINT64_C(1) << 30), r->memory + (UINT64_C(1) << 30)};
  (void)setrlimit(RLIMIT_AS, &memory);
#endif
  (void)setrlimit(RLIMIT_CORE, &no_core);
  (void)signal(SIGINT, SIG_DFL);
  json_t *answer = verdict_of(m, kernel, r);
  char *text = json_dumps(answer, JSON_COMPACT);
  if (text != NULL) (void)subprocess_write(out, text, strlen(text));
  free(text);
  json_decref(answer);
}

static bool begin(job *j, const module *m, const request *r) {
  int ends[2];
  if (pipe(ends) != 0) return false; /* limit: of the system */
  (void)fflush(stdout);
  j->pid = fork();
  if (j->pid == 0) {
    close(ends[0]);
    prove(m, j->kernel, r, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  j->out = ends[0];
  j->deadline = clock_now() + EFFORT_STRETCH * r->timeout + 1;
  if (j->pid < 0) {
    close(ends[0]);
    j->pid = 0;
    return false;
  }
  return true;
}

static const char *end_of(int status, bool late, char *text, size_t size) {
  if (late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) return "the time limit was reached";
  if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL) {
    (void)snprintf(text, size, "its process ended by signal %d (%s); the memory limit may have been reached",
                   WTERMSIG(status), strsignal(WTERMSIG(status)));
    return text;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) != EXIT_INTERNAL) {
    (void)snprintf(text, size, "its process ended with exit status %d", WEXITSTATUS(status));
    return text;
  }
  return "the memory limit was reached";
}

static void finish(job *j, bool late) {
  int status = 0;
  char text[160];
  if (late) (void)kill(j->pid, SIGKILL);
  while (waitpid(j->pid, &status, 0) < 0 && errno == EINTR) {
  }
  close(j->out);
  json_t *answer = json_loads(buffer_text(&j->answer), 0, NULL);
  if (answer == NULL) answer = verdict_unknown(j->kernel, "unknown", end_of(status, late, text, sizeof text));
  write_line(answer);
  json_decref(answer);
  buffer_free(&j->answer);
  j->pid = 0;
}

/* Reads what there is; true: it is over. */
static bool read_some(job *j) {
  char bytes[65536];
  const ssize_t count = read(j->out, bytes, sizeof bytes);
  if (count > 0) buffer_append(&j->answer, bytes, (size_t)count);
  return count == 0 || (count < 0 && errno != EINTR);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static void wait_for_some(job **running, size_t count) {
  struct pollfd *polled = mem_calloc(count, sizeof *polled);
  double next = running[0]->deadline;
  for (size_t i = 0; i < count; i++) {
    polled[i] = (struct pollfd){running[i]->out, POLLIN, 0};
    next = running[i]->deadline < next ? running[i]->deadline : next;
  }
  const double left = next - clock_now();
  (void)poll(polled, count, left < 0 ? 0 : (int)(left * 1000) + 1);
  for (size_t i = 0; i < count; i++)
    if (polled[i].revents != 0 && read_some(running[i]))
      finish(running[i], false);
    else if (clock_now() > running[i]->deadline)
      finish(running[i], true);
  free(polled);
}

static void prove_all(job *jobs, size_t count, const module *m, const request *r) {
  job **running = mem_calloc(count + 1, sizeof *running);
  size_t begun = 0, used = 0;
  while (begun < count || used > 0) {
    while (begun < count && used < (r->jobs == 0 ? 1 : r->jobs)) {
      job *j = &jobs[begun++];
      if (begin(j, m, r)) {
        running[used++] = j;
      } else {
        json_t *answer = verdict_unknown(j->kernel, "unknown", "no process could be started");
        write_line(answer);
        json_decref(answer);
      }
    }
    if (used == 0) continue;
    wait_for_some(running, used);
    size_t kept = 0;
    for (size_t i = 0; i < used; i++)
      if (running[i]->pid != 0) running[kept++] = running[i];
    used = kept;
  }
  free(running);
}

static int prove_source(const request *r, error *e) {
  const compile_input input = {r->source, r->file, r->options, r->directory, r->timeout < 10 ? 10 : r->timeout};
  buffer bitcode = {0};
  module m;
  if (compile_source(&input, &bitcode, e) != 0) {
    buffer_free(&bitcode);
    return -1;
  }
  const int read = module_read(bitcode.data, bitcode.length, &m, e);
  buffer_free(&bitcode);
  if (read != 0) return -1;
  job *jobs = NULL;
  size_t count = 0, capacity = 0;
  for (LLVMValueRef k = module_next_kernel(&m, NULL); k != NULL; k = module_next_kernel(&m, k))
    if (r->kernel_count == 0 || request_kernel(r, module_name(k)) != NULL)
      *ARRAY_ADD(jobs, count, capacity) = (job){.kernel = k};
  prove_all(jobs, count, &m, r);
  free(jobs);
  module_free(&m);
  return 0;
}

int main(void) {
  buffer text = {0};
  request r;
  error e = {0};
  char bytes[65536];
  ssize_t count = 0;
  while ((count = read(STDIN_FILENO, bytes, sizeof bytes)) > 0) buffer_append(&text, bytes, (size_t)count);
  int result = request_read(buffer_text(&text), text.length, &r, &e);
  if (result == 0) {
    result = prove_source(&r, &e);
    request_free(&r);
  }
  if (result != 0) {
    json_t *answer = json_pack("{s:s,s:i}", "error", e.text, "code", e.code);
    write_line(answer);
    json_decref(answer);
  }
  buffer_free(&text);
  return result == 0 ? EXIT_FINE : EXIT_USAGE;
}
