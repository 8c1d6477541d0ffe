/* From what is alive when a process ends to findings `leak`. What belongs to an object that is alive, too, is told with that:
 * all of a context is one finding. Objects that one call has made are one as well. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/call_places.h"
#include "runner/session/internal.h"
#include "wire/fields.h"
#include "wire/protocol.h"

typedef struct living {
  uint64_t handle, parent, context, size, offset;
  uint32_t kind;
  char *name, *call, *module;
  bool released;
  size_t root; /* what it is told with: itself, or another one */
} living;

typedef struct left_alive {
  struct left_alive *next;
  int64_t row;   /* of the test case */
  bool complete; /* the process has said what it leaves */
  uint64_t total;
  living *items;
  size_t count, capacity;
} left_alive;

static void free_items(left_alive *l) {
  for (size_t i = 0; i < l->count; i++) {
    free(l->items[i].name);
    free(l->items[i].call);
    free(l->items[i].module);
  }
  free(l->items);
  l->items = NULL;
  l->count = l->capacity = 0;
}

void leaks_free(left_alive *l) {
  while (l != NULL) {
    left_alive *next = l->next;
    free_items(l);
    free(l);
    l = next;
  }
}

/* --- messages ------------------------------------------------------------------------------------------------------ */

static living read_living(wire_reader *in) {
  living x = {.handle = wire_u64(in), .released = false};
  x.parent = wire_u64(in);
  x.context = wire_u64(in);
  x.kind = wire_u32(in);
  x.size = wire_u64(in);
  x.name = wire_string(in, NULL);
  x.call = wire_string(in, NULL);
  x.module = wire_string(in, NULL);
  x.offset = wire_u64(in);
  return x;
}

static int malformed(error *e) { return error_set(e, EXIT_INTERNAL, "the layer sent a malformed message"); }

int session_alive(session *s, session_client *c, wire_reader *in, error *e) {
  if (c->alive == NULL) c->alive = mem_calloc(1, sizeof *c->alive);
  left_alive *l = c->alive;
  free_items(l);
  l->row = session_row(s, c, 0);
  l->complete = wire_u32(in) != 0;
  l->total = wire_u64(in);
  for (uint32_t count = wire_u32(in); count > 0 && !in->failed; count--) {
    const living x = read_living(in);
    *ARRAY_ADD(l->items, l->count, l->capacity) = x;
    if (x.kind >= ALIVE_KINDS || x.size > INT64_MAX) return malformed(e);
  }
  return in->failed ? malformed(e) : 0;
}

int session_released(session *s, session_client *c, wire_reader *in, error *e) {
  const uint64_t handle = wire_u64(in);
  (void)s;
  for (size_t i = 0; c->alive != NULL && i < c->alive->count; i++) {
    living *x = &c->alive->items[i];
    x->released = x->released || x->handle == handle;
  }
  return in->failed ? malformed(e) : 0;
}

void leaks_client_gone(session *s, session_client *c) {
  left_alive *l = c->alive;
  c->alive = NULL;
  if (l == NULL || c->repeats) {
    leaks_free(l);
    return;
  }
  l->next = s->left;
  s->left = l;
}

/* --- what belongs to what ------------------------------------------------------------------------------------------ */

static int by_handle(const void *a, const void *b) {
  const living *x = a, *y = b;
  return x->handle < y->handle ? -1 : x->handle > y->handle;
}

/* Its place among the items, which are sorted; `l->count`: it is not alive. */
static size_t place_of(const left_alive *l, uint64_t handle) {
  const living key = {.handle = handle};
  const living *found =
      handle == 0 || l->count == 0 ? NULL : bsearch(&key, l->items, l->count, sizeof *l->items, by_handle);
  return found == NULL || found->released ? l->count : (size_t)(found - l->items);
}

/* A context holds all; else what an object was made of does, up to the first that nothing alive holds. */
static size_t root_of(const left_alive *l, size_t i) {
  size_t at = i;
  for (size_t steps = 0; steps < l->count; steps++) {
    const size_t context = place_of(l, l->items[at].context), parent = place_of(l, l->items[at].parent);
    const size_t up = context < l->count ? context : parent;
    if (up == l->count || up == at) break;
    at = up;
  }
  return at;
}

/* --- words --------------------------------------------------------------------------------------------------------- */

static const char *const kinds[ALIVE_KINDS] = {
    [ALIVE_CONTEXT] = "context", [ALIVE_QUEUE] = "command queue", [ALIVE_PROGRAM] = "program",
    [ALIVE_KERNEL] = "kernel",   [ALIVE_BUFFER] = "buffer",       [ALIVE_IMAGE] = "image",
    [ALIVE_PIPE] = "pipe",       [ALIVE_SAMPLER] = "sampler",     [ALIVE_EVENT] = "event"};

enum { TOLD_MOST = 64 };

typedef struct told_leak {
  size_t first; /* of its objects */
  size_t count;
  size_t held[ALIVE_KINDS]; /* what is told with them */
  uint64_t bytes;           /* of the memory among that */
} told_leak;

static void put_held(const told_leak *t, buffer *to) {
  for (uint32_t k = 0; k < ALIVE_KINDS; k++)
    if (t->held[k] > 0)
      buffer_printf(to, "%s%zu %s%s", to->length == 0 ? "" : ", ", t->held[k], kinds[k], t->held[k] == 1 ? "" : "s");
  if (t->bytes > 0) buffer_printf(to, " (%llu bytes)", (unsigned long long)t->bytes);
}

static int write_leak(session *s, const left_alive *l, const told_leak *t, error *e) {
  const living *x = &l->items[t->first];
  buffer held = {0}, place = {0}, same = {0};
  put_held(t, &held);
  put_call_place(x->module, x->offset, &place);
  const db_witness witness[] = {{.what = "kind", .value = kinds[x->kind]},
                                {.what = "name", .value = x->name},
                                {.what = "place", .value = buffer_text(&place)},
                                {.what = "with it", .value = buffer_text(&held)}};
  buffer_printf(&same, "%s %s %llu %s %s %llu", x->call, x->name, (unsigned long long)x->size, x->module,
                buffer_text(&place), (unsigned long long)x->offset);
  const db_finding row = {.of.run = s->run,
                          .of.test_case = l->row,
                          .rule = "leak",
                          .detail = {.call = x->call, .size = {x->size > 0, x->size}, .count = db_known(t->count)},
                          .witness = witness,
                          .witness_count = sizeof witness / sizeof witness[0],
                          .distinct = buffer_text(&same)};
  s->summary.findings++;
  const int result = db_put_finding(s->db, &row, e);
  buffer_free(&held);
  buffer_free(&place);
  buffer_free(&same);
  return result;
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

static bool are_alike(const living *a, const living *b) {
  return a->kind == b->kind && a->size == b->size && a->offset == b->offset && strcmp(a->module, b->module) == 0 &&
         strcmp(a->call, b->call) == 0 && strcmp(a->name, b->name) == 0;
}

static told_leak *find_told(const left_alive *l, told_leak *told, size_t count, const living *root) {
  for (size_t i = 0; i < count; i++)
    if (are_alike(&l->items[told[i].first], root)) return &told[i];
  return NULL;
}

/* Gives how many findings there are; `*more`: objects that are not told. */
static size_t gather(left_alive *l, told_leak *told, size_t *more) {
  size_t count = 0;
  for (size_t i = 0; i < l->count; i++) {
    living *x = &l->items[i];
    if (x->released) continue;
    x->root = root_of(l, i);
    const living *root = &l->items[x->root];
    told_leak *t = find_told(l, told, count, root);
    if (t == NULL && count == TOLD_MOST) {
      ++*more;
      continue;
    }
    if (t == NULL) {
      t = &told[count++];
      *t = (told_leak){.first = x->root};
    }
    t->count += root == x ? 1 : 0;
    t->held[x->kind] += root == x ? 0 : 1;
    t->bytes += root == x || place_of(l, x->parent) < l->count ? 0 : x->size; /* a part lies in the whole */
  }
  return count;
}

static int write_left(session *s, left_alive *l, error *e) {
  if (!l->complete) {
    session_add_note(s,
                     "a process has ended by _exit, by exec or by a signal: which OpenCL objects it has not released "
                     "is not known");
    return 0;
  }
  told_leak told[TOLD_MOST];
  size_t more = (size_t)(l->total > l->count ? l->total - l->count : 0);
  if (l->count > 0) qsort(l->items, l->count, sizeof *l->items, by_handle);
  const size_t count = gather(l, told, &more);
  int result = 0;
  for (size_t i = 0; i < count && result == 0; i++) result = write_leak(s, l, &told[i], e);
  if (more > 0) {
    char note[128];
    (void)snprintf(note, sizeof note, "a process has ended without releasing %zu more OpenCL objects than are listed",
                   more);
    session_add_note(s, note);
  }
  return result;
}

int session_end_leaks(session *s, error *e) {
  left_alive *all = s->left;
  int result = 0;
  s->left = NULL;
  for (left_alive *l = all; l != NULL && result == 0; l = l->next) result = write_left(s, l, e);
  leaks_free(all);
  return result;
}
