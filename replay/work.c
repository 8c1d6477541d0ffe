/* Turn after turn: for a layer that says what they are about, or by themselves and compared with the capture. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "replay/expected.h"
#include "replay/launch.h"
#include "replay/replay_internal.h"
#include "wire/replay_record.h"

void replay_work(replay *r, const replay_functions *functions) {
  replay_result last = {0};
  replay_turn what;
  while (functions->next(&last, &what)) {
    error e = {0};
    if (replay_do(r, &what, functions, &last, &e) != 0) {
      (void)fprintf(stderr, "cltestcheck-replay: %s\n", e.text);
    }
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
  if (expected_take(&all->expected, number, command, bytes, size)) {
    return;
  }
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
    expected_begin(&all->expected);
    if (replay_do(r, &what, NULL, &result, e) == 0) {
      break;
    }
    if (e->code != EXIT_INTERNAL || !again) {
      return -1;
    }
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
               c->kind == CAPTURE_READ ? c->u.bytes.memory : c->u.area.memory, (int)strcspn(captured_on, "\n"),
               captured_on);
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
  if (!how->any) {
    (void)fputs(buffer_text(&all.expected.wrong), stdout);
  }
  const bool fine = all.expected.wrong.length == 0 || how->any;
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
  if (how->is_case) {
    return compare_case(r, how);
  }
  const double begin = now_ms();
  replay_show(r, compare, &all);
  for (unsigned number = 1; number <= turns; number++) {
    error e = {0};
    if (one_turn(r, false, &all, &e) != 0) {
      (void)fprintf(stderr, "cltestcheck-replay: %s\n", e.text);
      return e.code;
    }
    if (all.escaped) {
      (void)fprintf(stderr, "cltestcheck-replay: a kernel wrote outside of a buffer\n");
    }
    if (how->record != NULL && write_record(&all, how->record) != 0) {
      return EXIT_INTERNAL;
    }
    if (all.differs) {
      const int code = say_difference(r, &all, number);
      return any ? EXIT_FINE : code;
    }
  }
  (void)printf("%llu of %llu reads as captured", (unsigned long long)all.known, (unsigned long long)all.known);
  if (all.unknown > 0) {
    (void)printf(", %llu more that the capture does not know", (unsigned long long)all.unknown);
  }
  if (turns > 1) {
    (void)printf(", in each of %u turns of %.3f ms", turns, (now_ms() - begin) / turns);
  }
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
  if (number < p->before) {
    return;
  }
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  (void)printf("argument %u: buffer %u, %zu bytes, XXH3 %016llx%016llx\n",
               (unsigned)launch_argument(p->cut, (size_t)(number - p->before)), (unsigned)command->u.bytes.memory, size,
               (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

int replay_print(replay *r) {
  const replay_turn what = {.keep = true};
  replay_result result;
  error e = {0};
  printing p = {.cut = r->capture};
  const size_t last = r->capture->command_count;
  size_t behind = 0;
  while (behind < last && r->capture->commands[last - 1 - behind].kind != CAPTURE_LAUNCH) {
    behind++;
  }
  for (size_t i = 0; i < last - behind; i++) {
    const capture_kind kind = r->capture->commands[i].kind;
    p.before += kind == CAPTURE_READ || kind == CAPTURE_READ_RECT || kind == CAPTURE_READ_IMAGE ? 1 : 0;
  }
  replay_show(r, print_read, &p);
  if (replay_do(r, &what, NULL, &result, &e) != 0) {
    (void)fprintf(stderr, "cltestcheck-replay: %s\n", e.text);
    return e.code;
  }
  return EXIT_FINE;
}
