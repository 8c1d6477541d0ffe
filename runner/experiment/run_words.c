/* Sentences about runs, the output that counts, and the findings that do. */
#include "runner/experiment/run_words.h"

#include <regex.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/rules.h"

/* Findings of a view that count. */

bool finding_is_aside(const db_finding *f) { return rule_is(f->rule, RULE_ASIDE); }

static bool counts(const db_finding *f, const kernel_choice *c, bool benign) {
  const bool is_benign = rule_is(f->rule, RULE_BENIGN);
  return f->suppressed == NULL && is_benign == benign && !finding_is_aside(f) &&
         (f->kernel == NULL || kernel_chosen(c, f->kernel));
}

bool finding_counts(const db_finding *f, const kernel_choice *c) { return counts(f, c, false); }

static size_t count(const view *v, const kernel_choice *c, bool benign) {
  size_t found = 0;
  for (size_t i = 0; i < v->finding_count; i++) found += counts(&v->findings[i], c, benign) ? 1 : 0;
  return found;
}

size_t count_findings(const view *v, const kernel_choice *c) { return count(v, c, false); }

bool has_finding(const view *v, const char *rule) {
  bool any = false;
  for (size_t i = 0; i < v->finding_count; i++)
    any = any || (strcmp(v->findings[i].rule, rule) == 0 && v->findings[i].suppressed == NULL);
  return any;
}

bool has_benign(const view *v, const kernel_choice *c) { return count(v, c, true) > 0; }

bool leaves_no_kernel(const view *v, const kernel_choice *c) {
  for (size_t i = 0; i < v->kernel_count; i++)
    if (kernel_chosen(c, v->kernels[i].name)) return false;
  return v->kernel_count > 0 && c->wanted.count + c->exclude.count > 0;
}

enum { TAIL = 800 };

/* --- the output --------------------------------------------------------------------------------------------------- */

static char *read_descriptor(int fd, size_t *length) {
  buffer all = {0};
  char chunk[65536];
  ssize_t n = 0;
  for (off_t at = 0; (n = pread(fd, chunk, sizeof chunk, at)) > 0; at += n) buffer_append(&all, chunk, (size_t)n);
  *length = all.length;
  return buffer_take(&all);
}

static bool ignored(const regex_t *expressions, size_t count, const char *line) {
  for (size_t i = 0; i < count; i++)
    if (regexec(&expressions[i], line, 0, NULL, 0) == 0) return true;
  return false;
}

void output_digest(int fd, const char *const *ignore, size_t ignore_count, char digest[65]) {
  scoped regex_t *expressions = mem_calloc(ignore_count + 1, sizeof *expressions);
  for (size_t i = 0; i < ignore_count; i++)
    (void)regcomp(&expressions[i], ignore[i], REG_EXTENDED | REG_NOSUB); /* the command line has checked them */
  size_t length = 0;
  scoped char *text = read_descriptor(fd, &length);
  SHA2_CTX state;
  SHA256Init(&state);
  for (size_t at = 0; at < length;) {
    const char *newline = memchr(text + at, '\n', length - at);
    size_t end = newline == NULL ? length : (size_t)(newline - text);
    if (newline != NULL) text[end] = '\0';
    if (!ignored(expressions, ignore_count, text + at)) {
      SHA256Update(&state, (const uint8_t *)text + at, end - at);
      SHA256Update(&state, (const uint8_t *)"\n", newline == NULL ? 0 : 1);
    }
    at = end + 1;
  }
  (void)SHA256End(&state, digest);
  for (size_t i = 0; i < ignore_count; i++) regfree(&expressions[i]);
}

/* --- a run that failed -------------------------------------------------------------------------------------------- */

/* The end of a file, without line ends behind it; "": there is nothing in it. */
static void read_tail(int fd, char text[TAIL + 1]) {
  const off_t size = lseek(fd, 0, SEEK_END);
  ssize_t n = size <= 0 ? 0 : pread(fd, text, TAIL, size > TAIL ? size - TAIL : 0);
  while (n > 0 && text[n - 1] == '\n') n--;
  text[n > 0 ? n : 0] = '\0';
}

/* The end of what the program wrote; compilers' words about a kernel may be on either. */
static void append_last_words(const pool_job *job, buffer *out) {
  const int descriptors[] = {job->output, job->errors};
  const char *lead = "; its last words:\n";
  for (size_t i = 0; i < 2; i++) {
    char text[TAIL + 1];
    read_tail(descriptors[i], text);
    if (text[0] == '\0') continue;
    buffer_printf(out, "%s%s", lead, text);
    lead = "\n";
  }
}

void crash_advice(int status, const char *line, bool looked_at, char *out, size_t size) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP};
  bool is_fault = false;
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) is_fault = is_fault || status == 128 + faults[i];
  out[0] = '\0';
  if (is_fault) {
    (void)snprintf(out, size, "`cltestcheck %s%s%s` tells whether %s", looked_at ? "races" : "memory",
                   line[0] == '\0' ? "" : " -- ", line,
                   looked_at ? "work-items race" : "a kernel leaves its memory, which may be why it crashes");
  }
}

void failure_words(const pool_job *job, const char *name, const char *without, char *out, size_t size) {
  scoped_buffer text = {0};
  if (job->timed_out) {
    buffer_printf(&text, "%s ran longer than %g seconds %s", name, job->limit, without);
  } else if (job->status > 128) {
    buffer_printf(&text, "%s fails %s: killed by signal %d (%s); %s", name, without, job->status - 128,
                  strsignal(job->status - 128), job->last_launch);
  } else {
    buffer_printf(&text, "%s fails %s: exit status %d", name, without, job->status);
  }
  append_last_words(job, &text);
  (void)snprintf(out, size, "%s", buffer_text(&text));
}

void worker_words(const pool_job *job, char *out, size_t size) {
  char text[TAIL + 1];
  read_tail(job->errors, text);
  const char *line = strrchr(text, '\n') == NULL ? text : strrchr(text, '\n') + 1;
  const char *own = strncmp(line, "cltestcheck-replay: ", 20) == 0 ? line + 20 : line;
  if (job->timed_out)
    (void)snprintf(out, size, "its replay took more than %g seconds", job->limit);
  else if (own[0] != '\0')
    (void)snprintf(out, size, "%s", own);
  else
    (void)snprintf(out, size, "its replay ended with status %d", job->status);
}

/* --- outputs that vary -------------------------------------------------------------------------------------------- */

static int unstable_reads(const transcript *t, unstable_found found, void *context, error *e) {
  int result = 0;
  for (size_t p = 0; p < t->count; p++) {
    for (size_t i = 0; i < t->processes[p].count && result == 0; i++) {
      const transcript_read *r = &t->processes[p].reads[i];
      char what[512];
      if (!r->unstable) continue;
      if (r->kernel[0] == '\0') {
        (void)snprintf(what, sizeof what, "read %zu of the host", i + 1);
      } else if (t->processes[p].threads) {
        (void)snprintf(what, sizeof what, "argument %u of kernel %s after one of its launches", (unsigned)r->argument,
                       r->kernel);
      } else {
        (void)snprintf(what, sizeof what, "argument %u of kernel %s after its launch %llu", (unsigned)r->argument,
                       r->kernel, (unsigned long long)r->launch);
      }
      result = found(context, what, transcript_varying(r), e);
    }
  }
  return result;
}

int unstable_outputs(const transcript *t, transcript_oracle oracle, unstable_found found, void *context, error *e) {
  int result = unstable_reads(t, found, context, e);
  if (result == 0 && t->unstable_count && oracle == ORACLE_READS)
    result = found(context, "how often the host reads from the device", 1.0, e);
  if (result == 0 && t->unstable_output && oracle == ORACLE_OUTPUT)
    result = found(context, "standard output (see --ignore)", 1.0, e);
  return result;
}

size_t stable_reads(const transcript *t) {
  size_t count = 0;
  for (size_t p = 0; p < t->count; p++) {
    for (size_t i = 0; i < t->processes[p].count; i++) {
      const transcript_read *r = &t->processes[p].reads[i];
      count += r->there && (!r->unstable || transcript_varying(r) < 1) ? 1 : 0;
    }
  }
  return count;
}
