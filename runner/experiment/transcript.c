/* Keeping and comparing transcripts. */
#include "runner/experiment/transcript.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "runner/experiment/pairs.h"

static const char *const oracles[] = {[ORACLE_READS] = "data", [ORACLE_OUTPUT] = "output", [ORACLE_EXIT] = "exit"};

const char *transcript_oracle_name(transcript_oracle oracle) { return oracles[oracle]; }

int transcript_oracle_find(const char *name) {
  name = strcmp(name, "reads") == 0 ? oracles[ORACLE_READS] : name; /* its older name */
  return name_number(oracles, sizeof oracles / sizeof oracles[0], name);
}

/* A read that is under way keeps a copy and an event in the program, a kilobyte or more: with a million of them a
 * gigabyte. A replay may begin after as many. So a number that is further ahead of what has come is not one of a
 * program, and would have us keep room for reads that never come. */
enum { MAX_AHEAD = 1 << 20, MAX_BLOCKS = 1 << 24 };

static void free_read(transcript_read *r) {
  free(r->kernel);
  free(r->blocks);
  free(r->varies);
}

static bool is_far_ahead(const transcript *t, size_t process, uint64_t number) {
  const uint64_t come = process < t->count ? t->processes[process].come : 0;
  return number > come + MAX_AHEAD;
}

/* The place of a read, made if need be. */
static transcript_read *place_of(transcript *t, size_t process, uint64_t number) {
  while (t->count <= process) {
    (void)ARRAY_ADD(t->processes, t->count, t->capacity);
  }
  transcript_process *p = &t->processes[process];
  p->reads = mem_grow(p->reads, &p->capacity, (size_t)number + 1, sizeof *p->reads);
  p->count = p->count > number ? p->count : (size_t)number + 1;
  return &p->reads[number];
}

int transcript_take(transcript *t, size_t process, wire_reader *in, const transcript_read **read, uint64_t *number,
                    error *e) {
  *number = wire_u64(in);
  transcript_read r = {.there = true};
  r.kernel = wire_string(in, NULL);
  r.argument = wire_u32(in);
  r.launch = wire_u64(in);
  r.program = wire_u64(in);
  const bool threads = wire_u32(in) != 0;
  r.bytes = wire_u64(in);
  r.low = wire_u64(in);
  r.high = wire_u64(in);
  r.block_count = wire_u32(in);
  const bool far = !in->failed && is_far_ahead(t, process, *number);
  if (in->failed || far || r.block_count > MAX_BLOCKS || r.block_count > in->left / 4) {
    free(r.kernel);
    return far ? error_set(e, EXIT_INTERNAL,
                           "the layer spoke of read %llu of the host when %zu had come: a program cannot have so many "
                           "under way",
                           (unsigned long long)*number, process < t->count ? t->processes[process].come : 0)
               : error_set(e, EXIT_INTERNAL, "the layer sent a malformed message");
  }
  r.blocks = r.block_count > 0 ? mem_calloc(r.block_count, sizeof *r.blocks) : NULL;
  for (uint32_t i = 0; i < r.block_count; i++) {
    r.blocks[i] = wire_u32(in);
  }
  transcript_read *place = place_of(t, process, *number);
  t->processes[process].threads = t->processes[process].threads || threads;
  t->processes[process].come += place->there ? 0 : 1;
  free_read(place);
  *place = r;
  *read = place;
  return 0;
}

static const transcript_read *read_of(const transcript *t, size_t process, uint64_t number) {
  if (process >= t->count || number >= t->processes[process].count) {
    return NULL;
  }
  const transcript_read *r = &t->processes[process].reads[number];
  return r->there ? r : NULL;
}

static bool unlike(const transcript_read *known, const transcript_read *read) { return !read_agrees(known, read); }

bool transcript_read_differs(const transcript *reference, const transcript *run, size_t process, uint64_t number,
                             const transcript_read *read) {
  if (process < reference->count && reads_are_loose(reference, run, process)) {
    return !reference->unstable_count && read_nearest(&reference->processes[process], number, read) == NULL;
  }
  const transcript_read *known = read_of(reference, process, number);
  return known == NULL ? !reference->unstable_count : unlike(known, read);
}

static bool same_bytes(const transcript_read *a, const transcript_read *b) {
  return a->bytes == b->bytes && a->low == b->low && a->high == b->high;
}

static size_t reads_in(const transcript *t) {
  size_t count = 0;
  for (size_t p = 0; p < t->count; p++) {
    for (size_t i = 0; i < t->processes[p].count; i++) {
      count += t->processes[p].reads[i].there ? 1 : 0;
    }
  }
  return count;
}

/* Whether `is` says so of a read of `run` and its counterpart in `reference`, which is NULL where there is none. */
typedef bool (*read_question)(const transcript_read *known, const transcript_read *read, const void *context);

static bool any_pair(const transcript *reference, const transcript *run, read_question is, const void *context) {
  bool any = false;
  for (size_t p = 0; p < run->count && !any; p++) {
    const read_pairs pairs = reads_pair(reference, run, p);
    for (size_t i = 0; i < run->processes[p].count && !any; i++) {
      const transcript_read *r = &run->processes[p].reads[i];
      const size_t at = pairs.known[i];
      any = r->there && is(at == NO_PAIR ? NULL : &reference->processes[p].reads[at], r, context);
    }
    free(pairs.known);
  }
  return any;
}

static bool is_difference(const transcript_read *known, const transcript_read *read, const void *context) {
  const transcript *reference = context;
  return known == NULL ? !reference->unstable_count : unlike(known, read);
}

static bool reads_differ(const transcript *reference, const transcript *run) {
  return any_pair(reference, run, is_difference, reference) ||
         (!reference->unstable_count && reads_in(reference) != reads_in(run));
}

typedef struct question {
  bool (*is)(const void *context, const transcript_read *read);
  const void *context;
} question;

static bool is_such_difference(const transcript_read *known, const transcript_read *read, const void *context) {
  const question *q = context;
  return known != NULL && unlike(known, read) && q->is(q->context, read);
}

bool transcript_any_difference(const transcript *reference, const transcript *run,
                               bool (*is)(const void *context, const transcript_read *read), const void *context) {
  return any_pair(reference, run, is_such_difference, &(question){is, context});
}

bool transcript_differs(const transcript *reference, const transcript *run, transcript_oracle oracle) {
  if (reference->status != run->status) {
    return true;
  }
  switch (oracle) {
    case ORACLE_READS:
      return reads_differ(reference, run);
    case ORACLE_OUTPUT:
      return !reference->unstable_output && strcmp(reference->output, run->output) != 0;
    default:
      return false;
  }
}

/* Marks what differs between two reads of the same place. */
static void learn_read(transcript_read *known, const transcript_read *other) {
  bool whole = known->block_count == 0 || known->block_count != other->block_count || known->bytes != other->bytes;
  if (!known->unstable && !whole) {
    known->varies = mem_calloc(known->block_count, sizeof *known->varies);
  }
  known->unstable = true;
  if (whole) {
    free(known->varies);
    known->varies = NULL;
  }
  for (uint32_t i = 0; known->varies != NULL && i < known->block_count; i++) {
    known->varies[i] = known->varies[i] || known->blocks[i] != other->blocks[i];
  }
}

/* The marks of another read of the same place count for this one, too. */
static void mark_read(transcript_read *known, const transcript_read *marked) {
  if (!known->unstable) {
    known->varies = known->block_count > 0 ? mem_calloc(known->block_count, sizeof *known->varies) : NULL;
  }
  known->unstable = true;
  if (marked->varies == NULL || known->block_count != marked->block_count) {
    free(known->varies);
    known->varies = NULL;
  }
  for (uint32_t i = 0; known->varies != NULL && i < known->block_count; i++) {
    known->varies[i] = known->varies[i] || marked->varies[i];
  }
}

double transcript_varying(const transcript_read *r) {
  size_t count = 0;
  for (uint32_t i = 0; r->varies != NULL && i < r->block_count; i++) {
    count += r->varies[i] ? 1 : 0;
  }
  return r->varies == NULL ? 1.0 : (double)count / r->block_count;
}

bool transcript_unstable(const transcript *t) {
  for (size_t p = 0; p < t->count; p++) {
    for (size_t i = 0; i < t->processes[p].count; i++) {
      if (t->processes[p].reads[i].unstable) {
        return true;
      }
    }
  }
  return false;
}

/* `take` gets each read of `run` and its counterpart. How many pairs there are. */
static size_t each_pair(transcript *reference, const transcript *run,
                        void (*take)(transcript_read *known, const transcript_read *read)) {
  size_t count = 0;
  for (size_t p = 0; p < run->count; p++) {
    const read_pairs pairs = reads_pair(reference, run, p);
    for (size_t i = 0; i < run->processes[p].count; i++) {
      if (pairs.known[i] != NO_PAIR) {
        take(&reference->processes[p].reads[pairs.known[i]], &run->processes[p].reads[i]);
      }
    }
    count += pairs.count;
    free(pairs.known);
  }
  return count;
}

static void learn(transcript_read *known, const transcript_read *other) {
  if (!same_bytes(known, other)) {
    learn_read(known, other);
  }
}

static void mark(transcript_read *known, const transcript_read *marked) {
  if (marked->unstable) {
    mark_read(known, marked);
  }
}

void transcript_learn(transcript *reference, const transcript *run) {
  const size_t pairs = each_pair(reference, run, learn);
  reference->unstable_output = reference->unstable_output || strcmp(reference->output, run->output) != 0;
  reference->unstable_count = reference->unstable_count || pairs != reads_in(reference) || pairs != reads_in(run);
}

void transcript_mark(transcript *reference, const transcript *marked) {
  (void)each_pair(reference, marked, mark);
  reference->unstable_output = reference->unstable_output || marked->unstable_output;
  reference->unstable_count = reference->unstable_count || marked->unstable_count;
}

static bool is_marked_alone(const transcript_read *other, const transcript_read *r, const void *context) {
  (void)context;
  if (!r->unstable) {
    return false;
  }
  if (other == NULL || !other->unstable) {
    return true;
  }
  bool within = other->varies == NULL || (r->varies != NULL && r->block_count == other->block_count);
  for (uint32_t i = 0; within && other->varies != NULL && i < r->block_count; i++) {
    within = !r->varies[i] || other->varies[i];
  }
  return !within;
}

bool transcript_within(const transcript *marked, const transcript *other) {
  return (!marked->unstable_count || other->unstable_count) && (!marked->unstable_output || other->unstable_output) &&
         !any_pair(other, marked, is_marked_alone, NULL);
}

void transcript_lead(transcript *t, const transcript *reference, size_t process, uint64_t reads) {
  for (uint64_t i = 0; i < reads; i++) {
    const transcript_read *known = read_of(reference, process, i);
    if (known != NULL) {
      transcript_read *place = place_of(t, process, i);
      free_read(place);
      *place = (transcript_read){.kernel = mem_strdup(known->kernel),
                                 .argument = known->argument,
                                 .launch = known->launch,
                                 .program = known->program,
                                 .bytes = known->bytes,
                                 .low = known->low,
                                 .high = known->high,
                                 .there = true};
    }
  }
}

void transcript_free(transcript *t) {
  for (size_t p = 0; p < t->count; p++) {
    for (size_t i = 0; i < t->processes[p].count; i++) {
      free_read(&t->processes[p].reads[i]);
    }
    free(t->processes[p].reads);
  }
  free(t->processes);
  *t = (transcript){0};
}

void transcript_unmark(transcript *t) {
  for (size_t p = 0; p < t->count; p++) {
    for (size_t i = 0; i < t->processes[p].count; i++) {
      transcript_read *r = &t->processes[p].reads[i];
      free(r->varies);
      r->varies = NULL;
      r->unstable = false;
    }
  }
  t->unstable_count = t->unstable_output = false;
}
