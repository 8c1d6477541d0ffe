/* Oclgrind's input and output. */
#include "runner/counterexample/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/subprocess.h"

enum { SECONDS_MOST = 20, OUTPUT_MOST = 8 << 20, PAIR = 2 };

bool simulate_available(void) {
  const char *const argv[] = {"oclgrind-kernel", "--version", NULL};
  buffer ignored = {0};
  const int status = subprocess_ask(argv, &ignored);
  buffer_free(&ignored);
  return status == 0;
}

/* --- input -------------------------------------------------------------------------------------------------------- */

static void put_three(buffer *out, const uint64_t *n) {
  buffer_printf(out, "%llu %llu %llu\n", (unsigned long long)n[0], (unsigned long long)n[1], (unsigned long long)n[2]);
}

static void put_bytes(buffer *out, const unsigned char *bytes, uint64_t size) {
  for (uint64_t i = 0; i < size; i++) {
    buffer_printf(out, "%02x%c", (unsigned)bytes[i], (i + 1) % 32 == 0 || i + 1 == size ? '\n' : ' ');
  }
}

static void put_argument(const replica_argument *a, buffer *out) {
  const unsigned long long size = a->size;
  if (a->is->kind == PARAMETER_LOCAL) {
    buffer_printf(out, "<size=%llu uchar>\n", size);
  } else if (a->is->kind == PARAMETER_VALUE) {
    buffer_printf(out, "<size=%llu uchar hex>\n", size);
    put_bytes(out, a->bytes, a->size);
  } else if (a->fill == FILL_ZERO && a->cell_count == 0) {
    buffer_printf(out, "<size=%llu uchar fill=0>\n", size);
  } else {
    unsigned char *bytes = mem_calloc(a->size + 1, 1);
    replica_fill(a, bytes);
    buffer_printf(out, "<size=%llu uchar hex>\n", size);
    put_bytes(out, bytes, a->size);
    free(bytes);
  }
}

void simulate_write(const replica *r, const char *file, buffer *out) {
  buffer_printf(out, "%s\n%s\n", file, r->kernel);
  put_three(out, r->global);
  put_three(out, r->local);
  for (size_t i = 0; i < r->count; i++) {
    put_argument(&r->arguments[i], out);
  }
}

/* What Oclgrind's input cannot say. */
static const char *obstacle(const replica *r) {
  if (r->offset[0] + r->offset[1] + r->offset[2] > 0) {
    return "Oclgrind's input has no global offset";
  }
  for (size_t i = 0; i < r->count; i++) {
    if (r->arguments[i].same_as != i) {
      return "Oclgrind's input has no two arguments in one buffer";
    }
  }
  return NULL;
}

/* --- output ------------------------------------------------------------------------------------------------------- */

typedef enum message_kind { OTHER, RACE, DIVERGENCE, BOUNDS } message_kind;

/* A message of Oclgrind: what it begins with, and the lines of the source that it names. */
typedef struct message {
  message_kind kind;
  unsigned long lines[PAIR];
  size_t count;
  size_t copies; /* places that are asynchronous copies, of which it does not know the line */
} message;

static const struct {
  const char *begins;
  message_kind kind;
} kinds[] = {{"Write-write data race", RACE}, {"Read-write data race", RACE}, {"Work-group divergence", DIVERGENCE},
             {"Invalid write", BOUNDS},       {"Invalid read", BOUNDS},       {NULL, OTHER}};

static message_kind kind_of(const char *line) {
  message_kind kind = OTHER;
  for (size_t i = 0; kinds[i].begins != NULL; i++) {
    kind = strncmp(line, kinds[i].begins, strlen(kinds[i].begins)) == 0 ? kinds[i].kind : kind;
  }
  return kind;
}

/* The next message at `*at`; false: there is none. Messages begin in the first column, what belongs to them after. */
static bool next_message(const char **at, message *out) {
  *out = (message){.kind = OTHER};
  while (**at != '\0') {
    const char *line = *at;
    const message_kind kind = kind_of(line);
    if (kind != OTHER && out->kind != OTHER) {
      return true;
    }
    out->kind = kind != OTHER ? kind : out->kind;
    const char *place = line + strspn(line, "\t ");
    unsigned long number = 0;
    if (out->count < PAIR && sscanf(place, "At line %lu", &number) == 1) {
      out->lines[out->count++] = number;
    }
    out->copies += strncmp(place, "(location unknown)", 18) == 0 ? 1 : 0;
    *at += strcspn(line, "\n");
    *at += **at == '\n' ? 1 : 0;
  }
  return out->kind != OTHER;
}

/* Whether a line is that of a place, or of a call that the place was inlined by. */
static bool is_at(const answer_place *p, unsigned long line) {
  bool at = p->at.line == line;
  for (size_t i = 0; i < p->inlined_count; i++) {
    at = at || p->inlined[i].line == line;
  }
  return at;
}

/* Lines may change places; a copy matches any copy. */
static bool matches(const answer_place *a, const answer_place *b, const message *m) {
  if (m->count == PAIR) {
    return is_at(a, m->lines[0]) && is_at(b, m->lines[1]);
  }
  return a->copy && m->copies > 0 && (m->count == 0 ? b->copy : is_at(b, m->lines[0]));
}

static bool same_places(const answer_finding *f, const message *m) {
  if (f->place_count < PAIR || (m->count < PAIR && m->copies == 0)) {
    return f->place_count > 0 && m->count > 0 && is_at(&f->places[0], m->lines[0]);
  }
  return matches(&f->places[0], &f->places[1], m) || matches(&f->places[1], &f->places[0], m);
}

static message_kind kind_of_rule(const char *rule) {
  return strcmp(rule, "data-race") == 0            ? RACE
         : strcmp(rule, "barrier-divergence") == 0 ? DIVERGENCE
         : strcmp(rule, "out-of-bounds") == 0      ? BOUNDS
                                                   : OTHER;
}

static bool has_copy(const answer_finding *f) {
  for (size_t i = 0; i < f->place_count; i++) {
    if (f->places[i].copy) {
      return true;
    }
  }
  return false;
}

static confirmation judged(finding_confirmed how, char *why) { return (confirmation){how, why}; }

confirmation simulate_judge(const replica *r, const char *messages) {
  const answer_finding *f = r->finding;
  const message_kind kind = kind_of_rule(f->rule);
  const char *at = messages;
  message m;
  message other = {0};
  unsigned long leaves = 0; /* line of an access past the end of a buffer */
  while (next_message(&at, &m)) {
    leaves = m.kind == BOUNDS && m.count > 0 ? m.lines[0] : leaves;
    if (m.kind != kind) {
      continue;
    }
    /* divergence shows at the barrier that some work-items reach, whichever that is */
    if (kind == DIVERGENCE || same_places(f, &m)) {
      return judged(CONFIRMED_YES, mem_strdup("Oclgrind reports it, too, when this launch is run"));
    }
    other = m;
  }
  if (has_copy(f)) {
    return judged(
        CONFIRMED_NOT_LAUNCHABLE,
        mem_strdup("Oclgrind makes an asynchronous copy where the group waits for it, and as one access of all of "
                   "them: it does not see all that is wrong with copies"));
  }
  buffer why = {0};
  if (other.count == PAIR) {
    buffer_printf(&why, "Oclgrind reports another one when this launch is run, at lines %lu and %lu", other.lines[0],
                  other.lines[1]);
  } else if (other.count > 0) {
    buffer_printf(&why, "Oclgrind reports another one when this launch is run, at line %lu", other.lines[0]);
  } else {
    buffer_puts(&why, "Oclgrind does not report it when this launch is run");
    if (leaves > 0) {
      buffer_printf(&why, "; the access at line %lu leaves its buffer there", leaves);
    }
  }
  return judged(CONFIRMED_NO, buffer_take(&why));
}

/* --- running ------------------------------------------------------------------------------------------------------ */

typedef struct simulation {
  const replica *replica;
  const char *folder;
  char *input, *options;
  bool same_value;
} simulation;

/* In the new process. */
static void run(void *context, int out) {
  const simulation *s = context;
  const char *argv[] = {"oclgrind-kernel",
                        "--data-races",
                        "--max-errors",
                        "10000",
                        "--max-wgsize",
                        "4096",
                        "--local-mem-size",
                        "1048576",
                        "--build-options",
                        s->options,
                        s->input,
                        s->same_value ? "--uniform-writes" : NULL,
                        NULL};
  if (s->same_value) { /* options stand before the input */
    argv[10] = "--uniform-writes";
    argv[11] = s->input;
  }
  if (dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0 &&
      chdir(s->replica->source->request.directory) == 0) {
    (void)execvp(argv[0], (char *const *)argv);
  }
  _exit(SUBPROCESS_NO_PROGRAM);
}

static int write_text(const char *path, const char *text, size_t length) {
  FILE *f = fopen(path, "wbe");
  bool written = f != NULL && fwrite(text, 1, length, f) == length;
  if (f != NULL) {
    written = fclose(f) == 0 && written;
  }
  return written ? 0 : -1;
}

/* The launch and the kernel as files. */
static int put_files(simulation *s) {
  buffer kernel = {0}, text = {0}, options = {0}, input = {0};
  const request_source *source = verify_text(s->replica->source);
  buffer_printf(&kernel, "%s/kernel.cl", s->folder);
  buffer_printf(&input, "%s/launch.sim", s->folder);
  buffer_printf(&options, "-cl-opt-disable -I . %s%s %s", s->replica->source->search == NULL ? "" : "-I ",
                s->replica->source->search == NULL ? "" : s->replica->source->search, source->options);
  simulate_write(s->replica, buffer_text(&kernel), &text);
  const int result = text.overflowed || write_text(buffer_text(&kernel), source->text, strlen(source->text)) != 0 ||
                             write_text(buffer_text(&input), buffer_text(&text), text.length) != 0
                         ? -1
                         : 0;
  s->options = buffer_take(&options);
  s->input = buffer_take(&input);
  buffer_free(&kernel);
  buffer_free(&text);
  return result;
}

static confirmation run_and_judge(simulation *s) {
  const subprocess p = {
      .work = run, .context = s, .deadline = clock_now() + SECONDS_MOST, .interruptible = true, .cap = OUTPUT_MOST};
  buffer out = {0};
  subprocess_end end = SUBPROCESS_ENDED;
  int status = 0;
  error e;
  confirmation c = {0};
  if (subprocess_read(&p, &out, &end, &status, &e) != 0 || end == SUBPROCESS_INTERRUPTED) {
    buffer_free(&out);
    return c;
  }
  const bool ran = end == SUBPROCESS_ENDED && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  c = simulate_judge(s->replica, buffer_text(&out)); /* what it said before it was ended counts */
  if (c.how != CONFIRMED_YES && !ran) {
    free(c.why);
    c = judged(CONFIRMED_NOT_LAUNCHABLE,
               mem_strdup(end == SUBPROCESS_LATE ? "Oclgrind takes longer than 20 seconds for this launch"
                                                 : "Oclgrind cannot run this launch"));
  }
  buffer_free(&out);
  return c;
}

confirmation simulate(const replica *r, const char *scratch, bool same_value) {
  const char *problem = obstacle(r);
  if (problem != NULL) {
    return judged(CONFIRMED_NOT_LAUNCHABLE, mem_strdup(problem));
  }
  buffer folder = {0};
  buffer_printf(&folder, "%s/.launch", scratch);
  (void)mkdir(buffer_text(&folder), 0700);
  simulation s = {.replica = r, .folder = buffer_text(&folder), .same_value = same_value};
  confirmation c = {0};
  if (put_files(&s) == 0) {
    c = run_and_judge(&s);
  }
  free(s.input);
  free(s.options);
  buffer_free(&folder);
  return c;
}
