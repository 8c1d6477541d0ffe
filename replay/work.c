/* The loop of turns: for a layer that says what they are about, or by themselves and compared with the capture. */
#define XXH_INLINE_ALL
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "capture/capture.h"
#include "capture/number.h"
#include "replay/replay_internal.h"
#include "wire/turn.h"

typedef struct expected_results {
  const capture *capture;
  const char *folder; /* into which what is read goes; NULL: none */
  FILE *file;
  bool lost;    /* it could not be written, which was said */
  buffer wrong; /* a line for each result that is not as expected */
} expected_results;

/* Held against what the case expects, and kept for who asked for it. */

/* At once, so that of what ends in the middle the first ones are there. */
static void keep(expected_results *r, uint64_t number, const unsigned char *bytes, size_t size) {
  const capture_result head = {.number = number, .size = size};
  if (r->file == NULL && !r->lost) {
    scoped_buffer path = buffer_with("%s/" CAPTURE_RESULTS, r->folder);
    r->file = fopen(buffer_text(&path), "wbe");
  }
  const bool written = r->file != NULL && fwrite(&head, sizeof head, 1, r->file) == 1 &&
                       fwrite(bytes, 1, size, r->file) == size && fflush(r->file) == 0;
  if (!written && !r->lost) {
    (void)fprintf(stderr, "cltestcheck-replay: cannot write %s/" CAPTURE_RESULTS ": %s\n", r->folder, strerror(errno));
    r->lost = true;
  }
}

static const capture_expectation *find(const capture *c, const capture_command *command) {
  for (size_t i = 0; i < c->expectation_count; i++)
    if (&c->commands[c->expectations[i].command] == command) return &c->expectations[i];
  return NULL;
}

static void check(expected_results *r, const capture_expectation *x, const capture_command *command,
                  const unsigned char *bytes, size_t size) {
  number_difference d;
  if (x->blob != CAPTURE_NONE) {
    const unsigned char *wanted = r->capture->blobs[x->blob].bytes;
    if (numbers_differ(x, wanted, bytes, size, &d)) {
      buffer_printf(&r->wrong, "%s: %s: ", r->capture->program, x->name);
      numbers_say(x, wanted, bytes, &d, &r->wrong);
      buffer_puts(&r->wrong, "\n");
    }
    return;
  }
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  if (hash.low64 != command->low || hash.high64 != command->high) {
    buffer_printf(&r->wrong, "%s: %s: has the digest %016llx%016llx and not %016llx%016llx\n", r->capture->program,
                  x->name, (unsigned long long)hash.high64, (unsigned long long)hash.low64,
                  (unsigned long long)command->high, (unsigned long long)command->low);
  }
}

/* What a READ command got; false: nothing is expected of it. */
static bool expected_take(expected_results *r, uint64_t number, const capture_command *command,
                          const unsigned char *bytes, size_t size) {
  const capture_expectation *x = find(r->capture, command);
  if (r->folder != NULL) keep(r, number, bytes, size);
  if (x != NULL) check(r, x, command, bytes, size);
  return x != NULL;
}

/* Cutting a capture after a launch. */

enum { ARGUMENTS = 4096 /* of a kernel at most: capture_read */ };

/* Memory objects by argument. */
typedef struct given {
  uint32_t objects[ARGUMENTS];
} given;

static size_t find_launch(const capture *c, uint64_t number, uint64_t *launches) {
  *launches = 0;
  for (size_t i = 0; i < c->command_count; i++)
    if (c->commands[i].kind == CAPTURE_LAUNCH && (*launches)++ == number) return i;
  return SIZE_MAX;
}

/* What kernel `kernel` was last given before command `end`; a clone begins with the arguments of its original. */
static void find_given(const capture *c, uint32_t kernel, size_t end, given *g) {
  uint32_t kernels = 0;
  for (size_t i = 0; i < end; i++) {
    const capture_command *d = &c->commands[i];
    const bool makes = d->kind == CAPTURE_KERNEL || d->kind == CAPTURE_CLONE;
    if (makes && kernels++ == kernel && d->kind == CAPTURE_CLONE)
      find_given(c, d->u.clone.kernel, i, g);
    else if (d->kind == CAPTURE_ARGUMENT && d->u.argument.kernel == kernel)
      g->objects[d->u.argument.index] = d->u.argument.kind == CAPTURE_MEMORY ? d->u.argument.object : CAPTURE_NONE;
  }
}

int launch_cut(const capture *whole, uint64_t number, capture *out, error *e) {
  uint64_t launches = 0;
  const size_t at = find_launch(whole, number, &launches);
  if (at == SIZE_MAX) {
    return error_set(e, EXIT_USAGE, "there is no launch %llu: the capture has %llu (0 to %llu)",
                     (unsigned long long)number, (unsigned long long)launches,
                     (unsigned long long)(launches > 0 ? launches - 1 : 0));
  }
  stored_objects stored = stored_of(whole);
  given *g = mem_calloc(1, sizeof *g);
  memset(g, 0xff, sizeof *g);
  find_given(whole, whole->commands[at].u.launch.kernel, at, g);
  *out = *whole;
  out->commands = mem_calloc(at + 1 + ARGUMENTS, sizeof *out->commands);
  memcpy(out->commands, whole->commands, (at + 1) * sizeof *out->commands);
  out->command_count = at + 1;
  for (uint32_t i = 0; i < ARGUMENTS; i++) {
    const uint64_t size = g->objects[i] == CAPTURE_NONE ? 0 : stored.items[g->objects[i]].size;
    if (size > 0) {
      capture_command *read = &out->commands[out->command_count++];
      read->kind = CAPTURE_READ;
      read->u.transfer.at.memory = g->objects[i];
      read->u.transfer.size = size;
      read->low = i; /* not known: launch_argument */
    }
  }
  free(g);
  stored_free(&stored);
  return 0;
}

/* The argument that the n-th of these reads is of. */
static uint32_t launch_argument(const capture *cut, size_t nth) {
  size_t last = cut->command_count;
  while (last > 0 && cut->commands[last - 1].kind != CAPTURE_LAUNCH) last--;
  return (uint32_t)cut->commands[last + nth].low;
}

void replay_work(replay *r, const replay_functions *functions) {
  replay_result last = {0};
  replay_turn what;
  while (functions->next(&last, &what)) {
    error e = {0};
    if (replay_do(r, &what, functions, &last, &e) != 0) (void)fprintf(stderr, "cltestcheck-replay: %s\n", e.text);
  }
}

/* --- compared with the capture ------------------------------------------------------------------------------------ */

/* What all turns have read. */
typedef struct comparison {
  uint64_t known, unknown; /* reads of a turn whose bytes the capture knows, or not */
  bool differs;
  uint64_t number; /* of the first that differs */
  const capture_command *command;
  size_t size;
  expected_results expected; /* of a kernel case */
  bool escaped;              /* a kernel wrote outside of its buffers, */
  bool reached;              /* or read there */
} comparison;

static void compare(void *data, uint64_t number, const capture_command *command, const unsigned char *bytes,
                    size_t size) {
  comparison *all = data;
  if (expected_take(&all->expected, number, command, bytes, size)) return;
  if (!command->known) {
    all->unknown++;
    return;
  }
  all->known++;
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  if (!all->differs && (hash.low64 != command->low || hash.high64 != command->high)) {
    all->differs = true;
    all->number = number;
    all->command = command;
    all->size = size;
  }
}

/* Once more with less memory, if that was what failed. */
static int one_turn(replay *r, bool mends, comparison *all, error *e) {
  const replay_turn what = {.keep = true, .mends = mends};
  replay_result result;
  r->apart = true;
  for (bool again = !r->transient;; again = false) {
    all->known = all->unknown = 0;
    buffer_free(&all->expected.wrong);
    if (replay_do(r, &what, NULL, &result, e) == 0) break;
    if (e->code != EXIT_INTERNAL || !again) return -1;
  }
  all->escaped = result.escaped;
  all->reached = result.reached;
  return 0;
}

static int say_difference(const replay *r, const comparison *all, unsigned number) {
  const capture_command *c = all->command;
  const char *captured_on = r->capture->device == NULL ? "" : r->capture->device;
  (void)printf("read %llu differs from the captured one, in turn %u: %zu bytes of %s %u; captured on: %.*s\n",
               (unsigned long long)all->number, number, all->size, c->kind == CAPTURE_READ_IMAGE ? "image" : "buffer",
               c->kind == CAPTURE_READ ? c->u.transfer.at.memory : c->u.transfer.at.memory,
               (int)strcspn(captured_on, "\n"), captured_on);
  return EXIT_USAGE;
}

static double now_ms(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* A kernel case says itself what is wrong, and nothing else. */
static int compare_case(replay *r, const replay_comparing *how) {
  comparison all = {.expected = {.capture = r->capture, .folder = how->results}};
  error e = {0};
  replay_show(r, compare, &all);
  if (one_turn(r, true, &all, &e) != 0) {
    (void)fprintf(stderr, "%s: %s\n", r->capture->program, e.text);
    return e.code;
  }
  if (all.escaped || all.reached) {
    const capture_place *at = r->overrun == 0 ? NULL : capture_place_of(r->capture, r->overrun);
    buffer_printf(&all.expected.wrong, "%s: a kernel %s%s%s\n", r->capture->program,
                  all.escaped ? "wrote outside of a buffer" : "read outside of a buffer", at == NULL ? "" : ": ",
                  at == NULL ? "" : at->text);
  }
  if (!how->any) (void)fputs(buffer_text(&all.expected.wrong), stdout);
  const bool fine = all.expected.wrong.length == 0 || how->any;
  if (all.expected.file != NULL && fclose(all.expected.file) != 0) all.expected.lost = true;
  const bool kept = !all.expected.lost;
  buffer_free(&all.expected.wrong);
  return !kept ? EXIT_INTERNAL : fine ? EXIT_FINE : EXIT_USAGE;
}

static int write_record(const comparison *all, const char *path) {
  const replay_record record = {.known = all->known, .differs = all->differs ? 1 : 0, .number = all->number};
  FILE *out = fopen(path, "wbe");
  const bool written = out != NULL && fwrite(&record, sizeof record, 1, out) == 1;
  if ((out != NULL && fclose(out) != 0) || !written) {
    (void)fprintf(stderr, "cltestcheck-replay: cannot write %s\n", path);
    return EXIT_INTERNAL;
  }
  return EXIT_FINE;
}

int replay_compare(replay *r, const replay_comparing *how) {
  comparison all = {.expected = {.capture = r->capture}};
  const unsigned turns = how->turns;
  const bool any = how->any;
  if (how->is_case) return compare_case(r, how);
  const double begin = now_ms();
  replay_show(r, compare, &all);
  for (unsigned number = 1; number <= turns; number++) {
    error e = {0};
    if (one_turn(r, false, &all, &e) != 0) {
      (void)fprintf(stderr, "cltestcheck-replay: %s\n", e.text);
      return e.code;
    }
    if (all.escaped) (void)fprintf(stderr, "cltestcheck-replay: a kernel wrote outside of a buffer\n");
    if (how->record != NULL && write_record(&all, how->record) != 0) return EXIT_INTERNAL;
    if (all.differs) {
      const int code = say_difference(r, &all, number);
      return any ? EXIT_FINE : code;
    }
  }
  (void)printf("%llu of %llu reads as captured", (unsigned long long)all.known, (unsigned long long)all.known);
  if (all.unknown > 0) (void)printf(", %llu more that the capture does not know", (unsigned long long)all.unknown);
  if (turns > 1) (void)printf(", in each of %u turns of %.3f ms", turns, (now_ms() - begin) / turns);
  (void)printf("\n");
  return EXIT_FINE;
}

/* --- up to a launch ----------------------------------------------------------------------------------------------- */

/* The reads after the launch have no known bytes, and are the last. */
typedef struct printing {
  const capture *cut;
  uint64_t before; /* reads that the program made until then */
} printing;

static void print_read(void *data, uint64_t number, const capture_command *command, const unsigned char *bytes,
                       size_t size) {
  const printing *p = data;
  if (number < p->before) return;
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  (void)printf("argument %u: buffer %u, %zu bytes, XXH3 %016llx%016llx\n",
               (unsigned)launch_argument(p->cut, (size_t)(number - p->before)), (unsigned)command->u.transfer.at.memory,
               size, (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

int replay_print(replay *r) {
  const replay_turn what = {.keep = true};
  replay_result result;
  error e = {0};
  printing p = {.cut = r->capture};
  const size_t last = r->capture->command_count;
  size_t behind = 0;
  while (behind < last && r->capture->commands[last - 1 - behind].kind != CAPTURE_LAUNCH) behind++;
  for (size_t i = 0; i < last - behind; i++) {
    const capture_kind kind = r->capture->commands[i].kind;
    p.before += capture_is_read(kind) ? 1 : 0;
  }
  replay_show(r, print_read, &p);
  if (replay_do(r, &what, NULL, &result, &e) != 0) {
    (void)fprintf(stderr, "cltestcheck-replay: %s\n", e.text);
    return e.code;
  }
  return EXIT_FINE;
}
