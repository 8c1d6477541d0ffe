/* Transcripts: kept, and compared read by read, in pairs by order or by kernel and bytes. */
#include "runner/experiment/transcript.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"

#define NO_PAIR SIZE_MAX

typedef struct read_pairs {
  size_t *known; /* for each place of the run's process the place of its counterpart, or NO_PAIR */
  size_t count;  /* of pairs */
} read_pairs;

/* Pairs of reads, best first: of one kernel with the same bytes, of one kernel with bytes that agree where the program
 * does not vary, of one kernel; then of any kernels, as which of them is the last to be given some memory may vary. */

/* ---- two reads --------------------------------------------------------------------------------------------------- */

static int order(uint64_t a, uint64_t b) { return a < b ? -1 : a > b ? 1 : 0; }

/* Whose read it is. */
static int compare_origin(const transcript_read *a, const transcript_read *b) {
  const int program = order(a->program, b->program), kernel = strcmp(a->kernel, b->kernel);
  return program != 0 ? program : kernel != 0 ? kernel : order(a->argument, b->argument);
}

static int compare_bytes(const transcript_read *a, const transcript_read *b) {
  const int bytes = order(a->bytes, b->bytes), low = order(a->low, b->low);
  return bytes != 0 ? bytes : low != 0 ? low : order(a->high, b->high);
}

/* Blocks that do not vary by themselves. */
static bool stable_blocks_differ(const transcript_read *known, const transcript_read *other) {
  const bool comparable = known->varies != NULL && known->block_count == other->block_count;
  for (uint32_t i = 0; comparable && i < known->block_count; i++)
    if (!known->varies[i] && known->blocks[i] != other->blocks[i]) return true;
  return false;
}

/* Whether the bytes of a read are what those of the known one may be. */
static bool read_agrees(const transcript_read *known, const transcript_read *read) {
  return known->unstable ? !stable_blocks_differ(known, read) : compare_bytes(known, read) == 0;
}

/* ---- reads of a process ------------------------------------------------------------------------------------------ */

static const transcript_process *process_of(const transcript *t, size_t process) {
  return process < t->count ? &t->processes[process] : NULL;
}

/* Whether the order of reads tells nothing in this process, in either of the two. */
static bool reads_are_loose(const transcript *known, const transcript *run, size_t process) {
  const transcript_process *a = process_of(known, process), *b = process_of(run, process);
  return (a != NULL && a->threads) || (b != NULL && b->threads);
}

/* The known read that one just come may be, the nearest to `number`; NULL: there is none. */
static const transcript_read *read_nearest(const transcript_process *known, uint64_t number,
                                           const transcript_read *read) {
  const size_t middle = number < known->count ? (size_t)number : known->count;
  for (size_t away = 0; away <= known->count; away++) {
    const size_t places[] = {middle - away, middle + away}; /* below 0 is far above */
    for (size_t i = 0; i < 2; i++) {
      const transcript_read *r = places[i] < known->count ? &known->reads[places[i]] : NULL;
      if (r != NULL && r->there &&
          (compare_bytes(r, read) == 0 || (compare_origin(r, read) == 0 && read_agrees(r, read))))
        return r;
    }
  }
  return NULL;
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

typedef struct item {
  const transcript_read *read;
  size_t at; /* its place in the process */
  bool paired;
} item;

typedef struct list {
  item *items;
  size_t count;
} list;

typedef int (*comparison)(const transcript_read *a, const transcript_read *b);

static int compare_both(const transcript_read *a, const transcript_read *b) {
  const int origin = compare_origin(a, b);
  return origin != 0 ? origin : compare_bytes(a, b);
}

static int compare_nothing(const transcript_read *a, const transcript_read *b) {
  (void)a;
  (void)b;
  return 0;
}

/* By a comparison, and by places where that makes no difference. */
static int by(const void *left, const void *right, void *comparison_of) {
  const item *a = left, *b = right;
  const int first = (*(const comparison *)comparison_of)(a->read, b->read);
  return first != 0 ? first : order(a->at, b->at);
}

static list list_of(const transcript_process *p) {
  list l = {.items = mem_calloc(p->count + 1, sizeof(item))};
  for (size_t i = 0; i < p->count; i++)
    if (p->reads[i].there) l.items[l.count++] = (item){.read = &p->reads[i], .at = i};
  return l;
}

/* Only what has no pair yet, in this order. */
static void keep_rest(list *l, comparison sorted) {
  size_t count = 0;
  for (size_t i = 0; i < l->count; i++)
    if (!l->items[i].paired) l->items[count++] = l->items[i];
  l->count = count;
  qsort_r(l->items, l->count, sizeof(item), by, &sorted);
}

static void make_pair(read_pairs *p, item *known, item *run) {
  known->paired = run->paired = true;
  p->known[run->at] = known->at;
  p->count++;
}

/* What is equal in this, in the order of the lists, which goes by it. */
static void pair_equal(read_pairs *p, const list *known, const list *run, comparison compare) {
  for (size_t k = 0, r = 0; k < known->count && r < run->count;) {
    item *a = &known->items[k], *b = &run->items[r];
    const int way = compare(a->read, b->read);
    if (way == 0) make_pair(p, a, b);
    k += way <= 0 ? 1 : 0;
    r += way >= 0 ? 1 : 0;
  }
}

/* Either may be the one whose parts vary. */
static bool may_be(const transcript_read *a, const transcript_read *b) {
  return (a->unstable && read_agrees(a, b)) || (b->unstable && read_agrees(b, a));
}

/* What has one origin and agrees, of lists by origin. */
static void pair_agreeing(read_pairs *p, const list *known, const list *run) {
  for (size_t r = 0, begin = 0; r < run->count; r++) {
    item *b = &run->items[r];
    while (begin < known->count && compare_origin(known->items[begin].read, b->read) < 0) begin++;
    for (size_t k = begin; !b->paired && k < known->count && compare_origin(known->items[k].read, b->read) == 0; k++) {
      item *a = &known->items[k];
      if (!a->paired && may_be(a->read, b->read)) make_pair(p, a, b);
    }
  }
}

static const struct {
  comparison sorted;
  bool agreeing; /* what agrees is paired, else what is equal in that */
} rounds[] = {
    {compare_both, false},  {compare_origin, true},   {compare_origin, false},
    {compare_bytes, false}, {compare_nothing, false},
};

static void pair_by_origin(read_pairs *p, const transcript_process *known, const transcript_process *run) {
  list a = list_of(known), b = list_of(run);
  for (size_t i = 0; i < sizeof rounds / sizeof *rounds && a.count > 0 && b.count > 0; i++) {
    keep_rest(&a, rounds[i].sorted);
    keep_rest(&b, rounds[i].sorted);
    if (rounds[i].agreeing)
      pair_agreeing(p, &a, &b);
    else
      pair_equal(p, &a, &b, rounds[i].sorted);
  }
  free(a.items);
  free(b.items);
}

static void pair_by_place(read_pairs *p, const transcript_process *known, const transcript_process *run) {
  for (size_t i = 0; i < run->count && i < known->count; i++) {
    if (run->reads[i].there && known->reads[i].there) {
      p->known[i] = i;
      p->count++;
    }
  }
}

/* Of a process that both have. `known` is the caller's to free. */
static read_pairs reads_pair(const transcript *known, const transcript *run, size_t process) {
  const transcript_process *a = process_of(known, process), *b = process_of(run, process);
  read_pairs p = {.known = mem_calloc(b == NULL ? 1 : b->count + 1, sizeof(size_t))};
  for (size_t i = 0; b != NULL && i < b->count; i++) p.known[i] = NO_PAIR;
  if (a != NULL && b != NULL && reads_are_loose(known, run, process))
    pair_by_origin(&p, a, b);
  else if (a != NULL && b != NULL)
    pair_by_place(&p, a, b);
  return p;
}

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
  while (t->count <= process) (void)ARRAY_ADD(t->processes, t->count, t->capacity);
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
  for (uint32_t i = 0; i < r.block_count; i++) r.blocks[i] = wire_u32(in);
  transcript_read *place = place_of(t, process, *number);
  t->processes[process].threads = t->processes[process].threads || threads;
  t->processes[process].come += place->there ? 0 : 1;
  free_read(place);
  *place = r;
  *read = place;
  return 0;
}

static const transcript_read *read_of(const transcript *t, size_t process, uint64_t number) {
  if (process >= t->count || number >= t->processes[process].count) return NULL;
  const transcript_read *r = &t->processes[process].reads[number];
  return r->there ? r : NULL;
}

static bool unlike(const transcript_read *known, const transcript_read *read) { return !read_agrees(known, read); }

bool transcript_read_differs(const transcript *reference, const transcript *run, size_t process, uint64_t number,
                             const transcript_read *read) {
  if (process < reference->count && reads_are_loose(reference, run, process))
    return !reference->unstable_count && read_nearest(&reference->processes[process], number, read) == NULL;
  const transcript_read *known = read_of(reference, process, number);
  return known == NULL ? !reference->unstable_count : unlike(known, read);
}

static bool same_bytes(const transcript_read *a, const transcript_read *b) {
  return a->bytes == b->bytes && a->low == b->low && a->high == b->high;
}

static size_t reads_in(const transcript *t) {
  size_t count = 0;
  for (size_t p = 0; p < t->count; p++)
    for (size_t i = 0; i < t->processes[p].count; i++) count += t->processes[p].reads[i].there ? 1 : 0;
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
  if (reference->status != run->status) return true;
  switch (oracle) {
    case ORACLE_READS: return reads_differ(reference, run);
    case ORACLE_OUTPUT: return !reference->unstable_output && strcmp(reference->output, run->output) != 0;
    default: return false;
  }
}

/* Marks what differs between two reads of the same place. */
static void learn_read(transcript_read *known, const transcript_read *other) {
  bool whole = known->block_count == 0 || known->block_count != other->block_count || known->bytes != other->bytes;
  if (!known->unstable && !whole) known->varies = mem_calloc(known->block_count, sizeof *known->varies);
  known->unstable = true;
  if (whole) {
    free(known->varies);
    known->varies = NULL;
  }
  for (uint32_t i = 0; known->varies != NULL && i < known->block_count; i++)
    known->varies[i] = known->varies[i] || known->blocks[i] != other->blocks[i];
}

/* The marks of another read of the same place count for this one, too. */
static void mark_read(transcript_read *known, const transcript_read *marked) {
  if (!known->unstable)
    known->varies = known->block_count > 0 ? mem_calloc(known->block_count, sizeof *known->varies) : NULL;
  known->unstable = true;
  if (marked->varies == NULL || known->block_count != marked->block_count) {
    free(known->varies);
    known->varies = NULL;
  }
  for (uint32_t i = 0; known->varies != NULL && i < known->block_count; i++)
    known->varies[i] = known->varies[i] || marked->varies[i];
}

double transcript_varying(const transcript_read *r) {
  size_t count = 0;
  for (uint32_t i = 0; r->varies != NULL && i < r->block_count; i++) count += r->varies[i] ? 1 : 0;
  return r->varies == NULL ? 1.0 : (double)count / r->block_count;
}

bool transcript_unstable(const transcript *t) {
  for (size_t p = 0; p < t->count; p++) {
    for (size_t i = 0; i < t->processes[p].count; i++)
      if (t->processes[p].reads[i].unstable) return true;
  }
  return false;
}

/* `take` gets each read of `run` and its counterpart. How many pairs there are. */
static size_t each_pair(transcript *reference, const transcript *run,
                        void (*take)(transcript_read *known, const transcript_read *read)) {
  size_t count = 0;
  for (size_t p = 0; p < run->count; p++) {
    const read_pairs pairs = reads_pair(reference, run, p);
    for (size_t i = 0; i < run->processes[p].count; i++)
      if (pairs.known[i] != NO_PAIR) take(&reference->processes[p].reads[pairs.known[i]], &run->processes[p].reads[i]);
    count += pairs.count;
    free(pairs.known);
  }
  return count;
}

static void learn(transcript_read *known, const transcript_read *other) {
  if (!same_bytes(known, other)) learn_read(known, other);
}

static void mark(transcript_read *known, const transcript_read *marked) {
  if (marked->unstable) mark_read(known, marked);
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
  if (!r->unstable) return false;
  if (other == NULL || !other->unstable) return true;
  bool within = other->varies == NULL || (r->varies != NULL && r->block_count == other->block_count);
  for (uint32_t i = 0; within && other->varies != NULL && i < r->block_count; i++)
    within = !r->varies[i] || other->varies[i];
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
    for (size_t i = 0; i < t->processes[p].count; i++) free_read(&t->processes[p].reads[i]);
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
