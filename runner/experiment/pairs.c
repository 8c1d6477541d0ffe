/* Pairs of reads, best first: the same bytes, then bytes that agree where the program does not vary, then what is left
 * in the order in which it came. */
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
      if (r != NULL && r->there && compare_origin(r, read) == 0 && read_agrees(r, read)) {
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

static int compare_items(const void *left, const void *right) {
  const item *a = left, *b = right;
  const int origin = compare_origin(a->read, b->read), bytes = compare_bytes(a->read, b->read);
  return origin != 0 ? origin : bytes != 0 ? bytes : order(a->at, b->at);
}

static int compare_rest(const void *left, const void *right) {
  const item *a = left, *b = right;
  const int origin = compare_origin(a->read, b->read);
  return origin != 0 ? origin : order(a->at, b->at);
}

static list list_of(const transcript_process *p) {
  list l = {.items = mem_calloc(p->count + 1, sizeof(item))};
  for (size_t i = 0; i < p->count; i++) {
    if (p->reads[i].there) {
      l.items[l.count++] = (item){.read = &p->reads[i], .at = i};
    }
  }
  qsort(l.items, l.count, sizeof(item), compare_items);
  return l;
}

/* Only what has no pair yet, by origin and place. */
static void keep_rest(list *l) {
  size_t count = 0;
  for (size_t i = 0; i < l->count; i++) {
    if (!l->items[i].paired) {
      l->items[count++] = l->items[i];
    }
  }
  l->count = count;
  qsort(l->items, l->count, sizeof(item), compare_rest);
}

static void make_pair(read_pairs *p, item *known, item *run) {
  known->paired = run->paired = true;
  p->known[run->at] = known->at;
  p->count++;
}

static void pair_equal(read_pairs *p, const list *known, const list *run) {
  for (size_t k = 0, r = 0; k < known->count && r < run->count;) {
    item *a = &known->items[k], *b = &run->items[r];
    const int origin = compare_origin(a->read, b->read), bytes = compare_bytes(a->read, b->read);
    const int way = origin != 0 ? origin : bytes;
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

/* Both lists are by origin. */
static void pair_rest(read_pairs *p, const list *known, const list *run, bool any) {
  for (size_t r = 0, begin = 0; r < run->count; r++) {
    item *b = &run->items[r];
    while (begin < known->count && compare_origin(known->items[begin].read, b->read) < 0) {
      begin++;
    }
    for (size_t k = begin; !b->paired && k < known->count && compare_origin(known->items[k].read, b->read) == 0; k++) {
      item *a = &known->items[k];
      if (!a->paired && (any || may_be(a->read, b->read))) {
        make_pair(p, a, b);
      }
    }
  }
}

static void pair_by_origin(read_pairs *p, const transcript_process *known, const transcript_process *run) {
  list a = list_of(known), b = list_of(run);
  pair_equal(p, &a, &b);
  keep_rest(&a);
  keep_rest(&b);
  pair_rest(p, &a, &b, false);
  pair_rest(p, &a, &b, true);
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
