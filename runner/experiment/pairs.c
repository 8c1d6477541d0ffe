/* Pairs of reads, best first: of one kernel with the same bytes, of one kernel with bytes that agree where the program
 * does not vary, of one kernel; then of any kernels, as which of them is the last to be given some memory may vary. */
#include "runner/experiment/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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
  for (uint32_t i = 0; comparable && i < known->block_count; i++) {
    if (!known->varies[i] && known->blocks[i] != other->blocks[i]) {
      return true;
    }
  }
  return false;
}

bool read_agrees(const transcript_read *known, const transcript_read *read) {
  return known->unstable ? !stable_blocks_differ(known, read) : compare_bytes(known, read) == 0;
}

/* ---- reads of a process ------------------------------------------------------------------------------------------ */

static const transcript_process *process_of(const transcript *t, size_t process) {
  return process < t->count ? &t->processes[process] : NULL;
}

bool reads_are_loose(const transcript *known, const transcript *run, size_t process) {
  const transcript_process *a = process_of(known, process), *b = process_of(run, process);
  return (a != NULL && a->threads) || (b != NULL && b->threads);
}

const transcript_read *read_nearest(const transcript_process *known, uint64_t number, const transcript_read *read) {
  const size_t middle = number < known->count ? (size_t)number : known->count;
  for (size_t away = 0; away <= known->count; away++) {
    const size_t places[] = {middle - away, middle + away}; /* below 0 is far above */
    for (size_t i = 0; i < 2; i++) {
      const transcript_read *r = places[i] < known->count ? &known->reads[places[i]] : NULL;
      if (r != NULL && r->there &&
          (compare_bytes(r, read) == 0 || (compare_origin(r, read) == 0 && read_agrees(r, read)))) {
        return r;
      }
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

static int by_both(const void *left, const void *right) {
  const item *a = left, *b = right;
  const int both = compare_both(a->read, b->read);
  return both != 0 ? both : order(a->at, b->at);
}

static int by_origin(const void *left, const void *right) {
  const item *a = left, *b = right;
  const int origin = compare_origin(a->read, b->read);
  return origin != 0 ? origin : order(a->at, b->at);
}

static int by_bytes(const void *left, const void *right) {
  const item *a = left, *b = right;
  const int bytes = compare_bytes(a->read, b->read);
  return bytes != 0 ? bytes : order(a->at, b->at);
}

static int by_place(const void *left, const void *right) {
  return order(((const item *)left)->at, ((const item *)right)->at);
}

static list list_of(const transcript_process *p) {
  list l = {.items = mem_calloc(p->count + 1, sizeof(item))};
  for (size_t i = 0; i < p->count; i++) {
    if (p->reads[i].there) {
      l.items[l.count++] = (item){.read = &p->reads[i], .at = i};
    }
  }
  return l;
}

/* Only what has no pair yet, in this order. */
static void keep_rest(list *l, int (*sorted)(const void *, const void *)) {
  size_t count = 0;
  for (size_t i = 0; i < l->count; i++) {
    if (!l->items[i].paired) {
      l->items[count++] = l->items[i];
    }
  }
  l->count = count;
  qsort(l->items, l->count, sizeof(item), sorted);
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
    if (way == 0) {
      make_pair(p, a, b);
    }
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
    while (begin < known->count && compare_origin(known->items[begin].read, b->read) < 0) {
      begin++;
    }
    for (size_t k = begin; !b->paired && k < known->count && compare_origin(known->items[k].read, b->read) == 0; k++) {
      item *a = &known->items[k];
      if (!a->paired && may_be(a->read, b->read)) {
        make_pair(p, a, b);
      }
    }
  }
}

static const struct {
  int (*sorted)(const void *, const void *);
  comparison equal; /* NULL: of one origin, and agreeing */
} rounds[] = {
    {by_both, compare_both},   {by_origin, NULL},           {by_origin, compare_origin},
    {by_bytes, compare_bytes}, {by_place, compare_nothing},
};

static void pair_by_origin(read_pairs *p, const transcript_process *known, const transcript_process *run) {
  list a = list_of(known), b = list_of(run);
  for (size_t i = 0; i < sizeof rounds / sizeof *rounds && a.count > 0 && b.count > 0; i++) {
    keep_rest(&a, rounds[i].sorted);
    keep_rest(&b, rounds[i].sorted);
    if (rounds[i].equal != NULL) {
      pair_equal(p, &a, &b, rounds[i].equal);
    } else {
      pair_agreeing(p, &a, &b);
    }
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

read_pairs reads_pair(const transcript *known, const transcript *run, size_t process) {
  const transcript_process *a = process_of(known, process), *b = process_of(run, process);
  read_pairs p = {.known = mem_calloc(b == NULL ? 1 : b->count + 1, sizeof(size_t))};
  for (size_t i = 0; b != NULL && i < b->count; i++) {
    p.known[i] = NO_PAIR;
  }
  if (a != NULL && b != NULL && reads_are_loose(known, run, process)) {
    pair_by_origin(&p, a, b);
  } else if (a != NULL && b != NULL) {
    pair_by_place(&p, a, b);
  }
  return p;
}
