/* The work in a subprocess, its result through the pipe. */
#include "runner/isolate.h"

#define XXH_INLINE_ALL
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/clock.h"
#include "base/files.h"
#include "base/subprocess.h"
#include "frontend/frontend.h"
#include "runner/paths.h"

enum { LIMIT_SECONDS = 60, STACK_MIB = 96 };

static double latest; /* 0: LIMIT_SECONDS alone hold */

void isolated_set_deadline(double moment) { latest = moment; }

/* Syntax trees are walked by recursion, and a chain of a thousand && is a thousand deep. What the kernel leaves free
 * below the stack of a process is 128 MiB. */
static void raise_stack(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return;
  const rlim_t wanted = (rlim_t)STACK_MIB << 20;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < wanted) {
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > wanted ? wanted : limit.rlim_max;
    (void)setrlimit(RLIMIT_STACK, &limit);
  }
}

/* First byte: 0 a result, 1 an error. */
static void work_and_send(void *context, int to) {
  const isolated_work *work = context;
  error e = {0};
  buffer out = {0};
  (void)signal(SIGPIPE, SIG_IGN);
  raise_stack();
  buffer_putc(&out, 0);
  if (work->make(work->context, &out, &e) != 0) {
    buffer_free(&out);
    buffer_putc(&out, 1);
    buffer_append(&out, &e, sizeof e);
  }
  (void)subprocess_write(to, out.data, out.length);
}

static int understand(const isolated_work *work, const buffer *in, subprocess_end end, int status, error *e) {
  switch (end) {
    case SUBPROCESS_INTERRUPTED:
      return error_set(e, EXIT_INTERNAL, "it was being read by the front end (libclang) when the run was interrupted");
    case SUBPROCESS_LATE:
      return error_set(e, EXIT_INTERNAL, "the front end (libclang) took more than %d seconds", LIMIT_SECONDS);
    case SUBPROCESS_TOO_MUCH: return error_set(e, EXIT_INTERNAL, "the front end (libclang) made more than 1 GiB of it");
    case SUBPROCESS_ENDED: break;
  }
  if (in->length > 0 && in->data[0] == 0 && work->take(work->context, in->data + 1, in->length - 1) == 0) return 0;
  if (in->length == sizeof *e + 1 && in->data[0] == 1) {
    memcpy(e, in->data + 1, sizeof *e);
    return -1;
  }
  if (WIFSIGNALED(status))
    return error_set(e, EXIT_INTERNAL, "the front end (libclang) crashed on it (%s)", strsignal(WTERMSIG(status)));
  return error_set(e, EXIT_INTERNAL, "the front end (libclang) gave up on it (status %d)", WEXITSTATUS(status));
}

/* `in`: what came from the process. */
static int run_isolated(const isolated_work *work, buffer *in, error *e) {
  isolated_work own = *work;
  const double own_limit = clock_now() + LIMIT_SECONDS;
  const subprocess s = {.work = work_and_send,
                        .context = &own,
                        .deadline = latest > 0 && latest < own_limit ? latest : own_limit,
                        .interruptible = true};
  subprocess_end end;
  int status;
  front_load();
  int result = subprocess_read(&s, in, &end, &status, e);
  if (result == 0) result = understand(work, in, end, status, e);
  return result;
}

int isolated(const isolated_work *work, error *e) {
  scoped_buffer in = {0};
  return run_isolated(work, &in, e);
}

/* --- what is kept: a digest of the bytes, and the bytes ------------------------------------------------------------- */

static XXH128_hash_t digest_kept(const buffer *in) { return XXH3_128bits(in->data + 1, in->length - 1); }

static bool take_kept(const isolated_work *work, const char *path) {
  scoped_buffer kept = {0};
  error ignored;
  XXH128_hash_t head;
  if (file_read(path, "text", BUFFER_CAP / 2, &kept, &ignored) != 0 || kept.length <= sizeof head) return false;
  memcpy(&head, kept.data, sizeof head);
  const char *bytes = kept.data + sizeof head;
  const size_t length = kept.length - sizeof head;
  const XXH128_hash_t is = XXH3_128bits(bytes, length);
  (void)utimensat(AT_FDCWD, path, NULL, 0); /* what is used stays */
  return is.low64 == head.low64 && is.high64 == head.high64 && work->take(work->context, bytes, length) == 0;
}

/* Whole or not at all, whoever else writes it at the time. */
static void keep(const char *path, const buffer *in) {
  const XXH128_hash_t head = digest_kept(in);
  scoped_buffer other = buffer_with("%s.%ld", path, (long)getpid());
  FILE *f = fopen(buffer_text(&other), "wbxe");
  bool whole = f != NULL && fwrite(&head, sizeof head, 1, f) == 1 &&
               fwrite(in->data + 1, 1, in->length - 1, f) == in->length - 1;
  whole = f != NULL && fclose(f) == 0 && whole;
  if (f != NULL && (!whole || rename(buffer_text(&other), path) != 0)) (void)unlink(buffer_text(&other));
}

int isolated_kept(const isolated_work *work, const char *key, error *e) {
  const char *folder = builds_folder();
  if (folder == NULL || key[0] == '\0') return isolated(work, e);
  scoped_buffer path = buffer_with("%s/text-%s", folder, key), in = {0};
  if (take_kept(work, buffer_text(&path))) return 0;
  const int result = run_isolated(work, &in, e);
  if (result == 0) keep(buffer_text(&path), &in);
  return result;
}

/* --- work that is done ahead --------------------------------------------------------------------------------------- */

enum { AHEAD = 2 }; /* at a time: the program that waits for nothing needs a processor, too */

static pid_t ahead[AHEAD]; /* 0: none */
static unsigned ahead_next;

static void await(pid_t *child) {
  while (*child > 0 && waitpid(*child, NULL, 0) < 0 && errno == EINTR) {
  }
  *child = 0;
}

void isolated_await(void) {
  for (unsigned i = 0; i < AHEAD; i++) await(&ahead[i]);
}

bool isolated_ahead(const isolated_work *work, const char *key) {
  const char *folder = builds_folder();
  if (folder == NULL || key[0] == '\0') return false;
  scoped_buffer path = buffer_with("%s/text-%s", folder, key), in = {0};
  if (access(buffer_text(&path), F_OK) == 0) return true;
  pid_t *const child = &ahead[ahead_next++ % AHEAD];
  front_load();
  await(child);
  *child = subprocess_fork(false);
  if (*child == 0) {
    error ignored;
    const double left = latest > 0 ? latest - clock_now() : LIMIT_SECONDS;
    (void)alarm(left < 1 ? 1 : left < LIMIT_SECONDS ? (unsigned)left : LIMIT_SECONDS);
    raise_stack();
    buffer_putc(&in, 0);
    if (work->make(work->context, &in, &ignored) == 0) keep(buffer_text(&path), &in);
    _exit(0);
  }
  return true; /* where none could be started, it is done when it is asked for */
}

/* --- highlighting: spans of one text after the other, each after its number of spans ------------------------------ */

typedef struct texts {
  highlight_text *items;
  size_t count;
} texts;

static int make_spans(void *context, buffer *out, error *e) {
  const texts *t = context;
  for (size_t i = 0; i < t->count; i++) {
    highlight_text text = {.text = t->items[i].text, .length = t->items[i].length};
    if (highlight(&text, e) != 0) return -1;
    uint64_t count = text.span_count;
    buffer_append(out, &count, sizeof count);
    buffer_append(out, text.spans, text.span_count * sizeof *text.spans);
    free(text.spans);
  }
  return out->overflowed ? error_set(e, EXIT_INTERNAL, "the source is too large to highlight") : 0;
}

static int take_spans(void *context, const void *bytes, size_t length) {
  const texts *t = context;
  const char *at = bytes;
  const char *end = at + length;
  for (size_t i = 0; i < t->count; i++) {
    highlight_text *text = &t->items[i];
    uint64_t count = 0;
    if ((size_t)(end - at) < sizeof count) return -1;
    memcpy(&count, at, sizeof count);
    at += sizeof count;
    if (count > (size_t)(end - at) / sizeof *text->spans) return -1;
    free(text->spans);
    text->spans = mem_calloc(count, sizeof *text->spans);
    text->span_count = count;
    memcpy(text->spans, at, count * sizeof *text->spans);
    at += count * sizeof *text->spans;
  }
  return 0;
}

static int highlight_some(highlight_text *items, size_t count) {
  error ignored;
  texts t = {items, count};
  return isolated(&(isolated_work){&t, make_spans, take_spans}, &ignored);
}

void isolated_highlight(highlight_text *items, size_t count) {
  if (highlight_some(items, count) == 0) return;
  for (size_t i = 0; i < count; i++) /* one of them is why: each alone */
    items[i].failed = highlight_some(&items[i], 1) != 0;
}

void interrupts_begin(interrupts *i, bool children) {
  sigset_t blocked;
  (void)sigemptyset(&blocked);
  (void)sigaddset(&blocked, SIGINT);
  (void)sigaddset(&blocked, SIGTERM);
  if (children) (void)sigaddset(&blocked, SIGCHLD);
  (void)sigprocmask(SIG_BLOCK, &blocked, &i->before);
  i->signals = signalfd(-1, &blocked, SFD_CLOEXEC | SFD_NONBLOCK);
}

int interrupts_next(const interrupts *i) {
  struct signalfd_siginfo info;
  return read(i->signals, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

bool interrupts_came(const interrupts *i) { return interrupts_next(i) != 0; }

void interrupts_end(interrupts *i) {
  (void)close(i->signals);
  (void)sigprocmask(SIG_SETMASK, &i->before, NULL);
}

void interrupts_forget(const interrupts *i) { (void)sigprocmask(SIG_SETMASK, &i->before, NULL); }
