/* Accesses of each memory, compared with those of commands that are not over. */
#include "proofs/order/overlap.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "proofs/order/access.h"
#include "proofs/order/order.h"
#include "runner/call_places.h"

/* --- words -------------------------------------------------------------------------------------------------------- */

typedef struct overlap_words {
  const access_reader *reader;
  uint32_t *number; /* by call: which one of its function (launches: of its kernel) it is, from 1 */
  bool threads;     /* there are several */
} overlap_words;

/* Races with the same key are told of once: those of two functions, or kernels and their parameters. */
typedef struct overlap_key {
  capture_function function[2];
  const char *kernel[2]; /* "": no launch */
  uint32_t index[2];
  touch_kind kind[2];
  bool mapped;
} overlap_key;

static const char *const functions[FUNCTION_KINDS] = {
    [FUNCTION_LAUNCH] = "clEnqueueNDRangeKernel",
    [FUNCTION_TASK] = "clEnqueueTask",
    [FUNCTION_WRITE] = "clEnqueueWriteBuffer",
    [FUNCTION_WRITE_RECT] = "clEnqueueWriteBufferRect",
    [FUNCTION_WRITE_IMAGE] = "clEnqueueWriteImage",
    [FUNCTION_READ] = "clEnqueueReadBuffer",
    [FUNCTION_READ_RECT] = "clEnqueueReadBufferRect",
    [FUNCTION_READ_IMAGE] = "clEnqueueReadImage",
    [FUNCTION_FILL] = "clEnqueueFillBuffer",
    [FUNCTION_FILL_IMAGE] = "clEnqueueFillImage",
    [FUNCTION_COPY] = "clEnqueueCopyBuffer",
    [FUNCTION_COPY_RECT] = "clEnqueueCopyBufferRect",
    [FUNCTION_COPY_IMAGE] = "clEnqueueCopyImage",
    [FUNCTION_COPY_IMAGE_TO_BUFFER] = "clEnqueueCopyImageToBuffer",
    [FUNCTION_COPY_BUFFER_TO_IMAGE] = "clEnqueueCopyBufferToImage",
    [FUNCTION_MAP] = "clEnqueueMapBuffer",
    [FUNCTION_MAP_IMAGE] = "clEnqueueMapImage",
    [FUNCTION_UNMAP] = "clEnqueueUnmapMemObject",
};

static const char *const access_names[TOUCH_KINDS] = {"read", "write", "atomic"};

/* --- calls --------------------------------------------------------------------------------------------------------- */

static bool launches(const capture_call *c) { return c->function == FUNCTION_LAUNCH || c->function == FUNCTION_TASK; }

static const made_launch *launch_of(const overlap_words *w, const capture_call *c) {
  const size_t number = launches(c) ? w->reader->launch_of[c->command] : SIZE_MAX;
  return number == SIZE_MAX ? NULL : &w->reader->made->launches[number];
}

static const char *kernel_of(const overlap_words *w, const capture_call *c) {
  const made_launch *l = launch_of(w, c);
  return l == NULL ? "" : l->kernel;
}

typedef struct counted {
  capture_function function; /* 0: launches */
  const char *kernel;
  uint32_t count;
} counted;

static void overlap_words_begin(overlap_words *w, const access_reader *r) {
  const capture *c = r->capture;
  *w = (overlap_words){.reader = r, .number = mem_calloc(c->call_count + 1, sizeof *w->number)};
  counted *all = NULL;
  size_t count = 0, capacity = 0;
  for (size_t i = 0; i < c->call_count; i++) {
    const char *kernel = kernel_of(w, &c->calls[i]);
    const capture_function function = launches(&c->calls[i]) ? (capture_function)0 : c->calls[i].function;
    size_t k = 0;
    while (k < count && (all[k].function != function || strcmp(all[k].kernel, kernel) != 0)) k++;
    if (k == count) *ARRAY_ADD(all, count, capacity) = (counted){function, kernel, 0};
    w->number[i] = ++all[k].count;
    w->threads = w->threads || c->calls[i].thread > 0;
  }
  free(all);
}

static void overlap_words_end(overlap_words *w) { free(w->number); }

/* --- keys ---------------------------------------------------------------------------------------------------------- */

static void set_key(const overlap_words *w, overlap_key *to, int side, const command_access *a) {
  const capture_call *c = &w->reader->capture->calls[a->call];
  to->function[side] = c->function;
  to->kernel[side] = kernel_of(w, c);
  to->index[side] = a->index;
  to->kind[side] = a->kind;
}

static overlap_key overlap_key_of(const overlap_words *w, const command_access *first, const command_access *second) {
  overlap_key key;
  set_key(w, &key, 0, first);
  set_key(w, &key, 1, second);
  return key;
}

static bool same_side(const overlap_key *a, int i, const overlap_key *b, int k) {
  return a->function[i] == b->function[k] && a->index[i] == b->index[k] && a->kind[i] == b->kind[k] &&
         strcmp(a->kernel[i], b->kernel[k]) == 0;
}

/* In a loop the one comes first as well as the other. */
static bool overlap_same_key(const overlap_key *a, const overlap_key *b) {
  return a->mapped == b->mapped &&
         ((same_side(a, 0, b, 0) && same_side(a, 1, b, 1)) || (same_side(a, 0, b, 1) && same_side(a, 1, b, 0)));
}

/* --- sides --------------------------------------------------------------------------------------------------------- */

static db_command command_of(const overlap_words *w, const command_access *a) {
  const capture_call *c = &w->reader->capture->calls[a->call];
  const uint32_t root = w->reader->made->objects[a->object].root;
  return (db_command){.function = functions[c->function],
                      .kernel = mem_strdup(kernel_of(w, c)),
                      .number = w->number[a->call],
                      .queue = c->queue + 1,
                      .in_order = w->reader->capture->queues[c->queue].in_order,
                      .thread = w->threads ? c->thread + 1 : 0,
                      .memory = root + 1,
                      .access = access_names[a->kind],
                      .parameter = mem_strdup(a->parameter == NULL ? "" : a->parameter->name),
                      .mapped = a->host,
                      .sure = a->sure};
}

static overlap_side side_of(const overlap_words *w, const command_access *a) {
  const made_launch *l = launch_of(w, &w->reader->capture->calls[a->call]);
  overlap_side s = {.command = command_of(w, a), .source = l == NULL ? SIZE_MAX : l->source};
  if (a->parameter != NULL) {
    const touched_place *at = &a->parameter->at[a->kind];
    s.file = at->file == NULL ? NULL : mem_strdup(at->file);
    s.line = at->line;
    s.column = at->column;
  }
  return s;
}

/* --- the whole ----------------------------------------------------------------------------------------------------- */

/* All but its count. */
static void overlap_describe(const overlap_words *w, const command_access *first, const command_access *second,
                             bool definite, overlap *out) {
  const made_object *o = &w->reader->made->objects[w->reader->made->objects[first->object].root];
  *out = (overlap){.first = side_of(w, first),
                   .second = side_of(w, second),
                   .image = o->image,
                   .size = o->size,
                   .low = first->low > second->low ? first->low : second->low,
                   .high = first->high < second->high ? first->high : second->high,
                   .definite = definite};
}

static char *call_of(const overlap_words *w, const command_access *a) {
  const capture_call *c = &w->reader->capture->calls[a->call];
  buffer text = {0};
  put_call_place(c->module, c->place, &text);
  return buffer_take(&text);
}

/* Where the calls of both are. */
static void overlap_place(const overlap_words *w, const command_access *first, const command_access *second,
                          overlap *out) {
  free(out->first.call);
  free(out->second.call);
  out->first.call = call_of(w, first);
  out->second.call = call_of(w, second);
}

static void free_side(overlap_side *s) {
  free(s->call);
  free((void *)s->command.kernel);
  free((void *)s->command.parameter);
  free(s->file);
}

static void overlap_free(overlap *o) {
  free_side(&o->first);
  free_side(&o->second);
}

enum { KEPT_MOST = 4096 }; /* accesses of one memory that are compared with later ones */

/* A mapping that has not ended. */
typedef struct mapping {
  command_access access;
  uint32_t memory;
} mapping;

/* Two sides that were told of. */
typedef struct told {
  overlap_key key;
  size_t number; /* of the overlap */
} told;

typedef struct finding_overlaps {
  access_reader reader;
  overlap_words words;
  accesses *kept; /* one list a memory: of commands that may not be over */
  accesses now;   /* of the command that begins */
  mapping *mappings;
  size_t mapping_count, mapping_capacity;
  told *told;
  size_t told_count, told_capacity;
  overlaps *to;
} finding_overlaps;

/* --- two accesses -------------------------------------------------------------------------------------------------- */

static bool conflict(const command_access *a, const command_access *b) {
  const bool writes = a->kind != TOUCH_READ || b->kind != TOUCH_READ;
  const bool both_atomic = a->kind == TOUCH_ATOMIC && b->kind == TOUCH_ATOMIC;
  return writes && !both_atomic && a->low < b->high && b->low < a->high;
}

/* All that `a` may touch `b` touches for certain. */
static bool covers(const command_access *b, const command_access *a) {
  return b->sure && b->sure_low < b->sure_high && b->sure_low <= a->low && b->sure_high >= a->high;
}

static bool is_definite(const command_access *a, const command_access *b) {
  const bool meet = a->sure && b->sure && a->sure_low < b->sure_high && b->sure_low < a->sure_high &&
                    a->sure_low < a->sure_high && b->sure_low < b->sure_high;
  return meet || (a->sure && covers(b, a)) || (b->sure && covers(a, b));
}

/* Whatever races with `a` from now on races with `b`, which came later, as well. */
static bool stands_for(const command_access *b, const command_access *a) {
  const bool as_strong = b->kind == a->kind || b->kind == TOUCH_WRITE;
  const bool as_wide = b->low <= a->low && b->high >= a->high;
  const bool as_sure =
      !a->sure ||
      (b->sure && (a->sure_low >= a->sure_high || (b->sure_low <= a->sure_low && b->sure_high >= a->sure_high)));
  return as_strong && as_wide && as_sure && a->host == b->host;
}

/* --- telling ------------------------------------------------------------------------------------------------------- */

static void tell(finding_overlaps *f, const command_access *first, const command_access *second, bool mapped) {
  const bool definite = is_definite(first, second);
  overlap_key key = overlap_key_of(&f->words, first, second);
  key.mapped = mapped;
  if (mapped) /* one finding of a kernel that reads and writes */
    key.kind[0] = key.kind[1] = TOUCH_WRITE;
  size_t i = 0;
  while (i < f->told_count && !overlap_same_key(&f->told[i].key, &key)) i++;
  if (i == f->told_count) {
    *ARRAY_ADD(f->told, f->told_count, f->told_capacity) = (told){key, f->to->count};
    overlap *o = ARRAY_ADD(f->to->items, f->to->count, f->to->capacity);
    overlap_describe(&f->words, first, second, definite, o);
    overlap_place(&f->words, first, second, o);
    o->mapped = mapped;
    o->count = 1;
    return;
  }
  overlap *o = &f->to->items[f->told[i].number];
  const uint64_t count = o->count + 1;
  if (definite && !o->definite) { /* that says more */
    overlap_free(o);
    overlap_describe(&f->words, first, second, true, o);
    overlap_place(&f->words, first, second, o);
    o->mapped = mapped;
  }
  o->count = count;
}

/* --- commands ------------------------------------------------------------------------------------------------------ */

static uint32_t memory_of(const finding_overlaps *f, const command_access *a) {
  return f->reader.made->objects[a->object].root;
}

/* Compares with what may still run, and keeps the access for later ones. `own`: the mapping that the command ends. */
static void compare_kept(finding_overlaps *f, const order *o, const command_access *a, size_t own) {
  accesses *kept = &f->kept[memory_of(f, a)];
  size_t left = 0;
  for (size_t i = 0; i < kept->count; i++) {
    const command_access *k = &kept->items[i];
    if (order_over(o, k->call) && k->call != a->call) continue;
    const bool before = k->call == a->call || order_before(o, k->call);
    const bool known = own != SIZE_MAX && k->call <= own; /* it was compared with the mapping's beginning */
    if (!before && !known && conflict(k, a)) tell(f, k, a, false);
    if (!before || k->call == a->call || !stands_for(a, k)) kept->items[left++] = *k;
  }
  kept->count = left;
  if (kept->count == KEPT_MOST) {
    memmove(kept->items, kept->items + 1, (kept->count - 1) * sizeof *kept->items);
    kept->count--;
  }
  *ARRAY_ADD(kept->items, kept->count, kept->capacity) = *a;
}

/* Commands that begin while the host has the memory, though they are ordered after the mapping's beginning. */
static void compare_mapped(finding_overlaps *f, const order *o, const command_access *a) {
  for (size_t i = 0; i < f->mapping_count; i++) {
    const mapping *m = &f->mappings[i];
    if (m->memory == memory_of(f, a) && !a->host && order_before(o, m->access.call) && conflict(&m->access, a))
      tell(f, &m->access, a, true);
  }
}

static void begin_mapping(finding_overlaps *f) {
  for (size_t i = 0; i < f->now.count; i++) {
    *ARRAY_ADD(f->mappings, f->mapping_count, f->mapping_capacity) =
        (mapping){f->now.items[i], memory_of(f, &f->now.items[i])};
  }
}

/* The first mapping of the same region: its call; SIZE_MAX: there is none. */
static size_t end_mapping(finding_overlaps *f, const capture_call *c) {
  size_t own = SIZE_MAX;
  for (size_t i = 0; i < f->mapping_count && own == SIZE_MAX; i++) {
    const size_t call = f->mappings[i].access.call;
    const capture_call *begun = &f->reader.capture->calls[call];
    if (begun->memory == c->memory && begun->offset == c->offset && begun->size == c->size &&
        begun->flags == c->flags) {
      f->mappings[i] = f->mappings[--f->mapping_count];
      own = call;
    }
  }
  return own;
}

static void take_command(void *context, const order *o, size_t call) {
  finding_overlaps *f = context;
  const capture_call *c = &f->reader.capture->calls[call];
  f->now.count = 0;
  accesses_of(&f->reader, call, &f->now);
  const size_t own = c->function == FUNCTION_UNMAP ? end_mapping(f, c) : SIZE_MAX;
  for (size_t i = 0; i < f->now.count; i++) {
    compare_mapped(f, o, &f->now.items[i]);
    compare_kept(f, o, &f->now.items[i], own);
  }
  if (c->function == FUNCTION_MAP || c->function == FUNCTION_MAP_IMAGE) begin_mapping(f);
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

static size_t *launches_by_command(const capture *c, const run_made *m) {
  size_t *of = mem_calloc(c->command_count + 1, sizeof *of);
  for (size_t i = 0; i < c->command_count; i++) of[i] = SIZE_MAX;
  for (size_t i = 0; i < m->launch_count; i++) of[m->launches[i].command] = i;
  return of;
}

void overlaps_find(const capture *c, const run_made *m, const asked_source *sources, size_t source_count,
                   overlaps *to) {
  if (!order_is_open(c)) return;
  footprints all = footprints_read(c, m, sources, source_count);
  size_t *launch_of = launches_by_command(c, m);
  finding_overlaps f = {.reader = {c, m, &all, launch_of}, .to = to};
  f.kept = mem_calloc(m->object_count + 1, sizeof *f.kept);
  overlap_words_begin(&f.words, &f.reader);
  order_walk(c, take_command, &f);
  overlap_words_end(&f.words);
  for (size_t i = 0; i < m->object_count; i++) free(f.kept[i].items);
  free(f.kept);
  free(f.now.items);
  free(f.mappings);
  free(f.told);
  free(launch_of);
  footprints_free(&all);
}

void overlaps_free(overlaps *o) {
  for (size_t i = 0; i < o->count; i++) overlap_free(&o->items[i]);
  free(o->items);
  *o = (overlaps){0};
}
