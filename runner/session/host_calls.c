/* Findings about calls of the host: what the driver has refused, and what the program did next as if nothing had happened
 * (`api-error`), what kernels wrote past the end of buffers (`buffer-overrun`), objects that nobody releases, transfers
 * that nobody waits for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cl_error.h"
#include "base/memory.h"
#include "base/rules.h"
#include "runner/build/build.h"
#include "runner/call_places.h"
#include "runner/session/internal.h"
#include "runner/session/refusal.h"
#include "wire/protocol.h"

/* "256 bytes for argument 1, main.c:12" */
static void add_place(refusal *r, const char *module, uint64_t offset) {
  scoped_buffer text = {0};
  const size_t had = strlen(r->detail);
  buffer_printf(&text, "%s%s", r->detail, had > 0 ? ", " : "");
  const size_t before = text.length;
  put_call_place(module, offset, &text);
  if (text.length > before) {
    free(r->detail);
    r->detail = buffer_take(&text);
  }
}

int refusal_read(wire_reader *in, refusal *out) {
  out->call = wire_string(in, NULL);
  out->kernel = wire_string(in, NULL);
  const uint32_t code = wire_u32(in);
  out->detail = wire_string(in, NULL);
  out->count = wire_u64(in);
  scoped char *module = wire_string(in, NULL);
  add_place(out, module, wire_u64(in));
  out->error = cl_error_name((int32_t)code, out->number, sizeof out->number);
  out->launch = strcmp(out->call, "clEnqueueNDRangeKernel") == 0 || strcmp(out->call, "clEnqueueTask") == 0;
  return in->failed || out->count > INT64_MAX ? -1 : 0;
}

void refusal_free(refusal *r) {
  free(r->call);
  free(r->kernel);
  free(r->detail);
}

int refusal_store(const refusal *r, db *d, int64_t run, error *e) {
  const db_refused row = {r->call, r->kernel, r->error, r->detail, (int64_t)r->count};
  return db_add_refused(d, run, &row, e);
}

void refusal_words(const refusal *r, buffer *out) {
  buffer_printf(out, "%s%s: %s", r->kernel[0] == '\0' ? r->call : "kernel ", r->kernel, r->error);
  if (r->detail[0] != '\0') buffer_printf(out, " (%s)", r->detail);
}

int session_refused(session *s, const session_client *c, wire_reader *in, error *e) {
  refusal r;
  int result = refusal_read(in, &r) != 0 ? error_set(e, EXIT_INTERNAL, "the layer sent a malformed message")
               : c->repeats              ? 0
                                         : refusal_store(&r, s->db, s->run, e);
  if (result == 0 && r.launch && !c->repeats) {
    s->summary.refused_launches += r.count;
    if (s->refusal == NULL) {
      buffer words = {0};
      refusal_words(&r, &words);
      s->refusal = buffer_take(&words);
    }
  }
  refusal_free(&r);
  return result;
}

/* --- and went unnoticed --- */

int unnoticed_read(wire_reader *in, unnoticed *out) {
  out->call = wire_string(in, NULL);
  out->kernel = wire_string(in, NULL);
  out->code = (int32_t)wire_u32(in);
  out->detail = wire_string(in, NULL);
  out->next = wire_string(in, NULL);
  out->program = wire_u32(in);
  out->number = wire_u32(in);
  out->argument = wire_u32(in);
  return in->failed ? -1 : 0;
}

void unnoticed_free(unnoticed *u) {
  free(u->call);
  free(u->kernel);
  free(u->detail);
  free(u->next);
}

/* Whether the launch would have written that memory, as far as its source says. */
static bool was_to_be_written(const session *s, const unnoticed *u) {
  const instrument_result *next = u->program < s->program_count ? &s->programs[u->program].result : NULL;
  if (strcmp(u->call, "clEnqueueNDRangeKernel") != 0) { /* what may be written by who reads it, it may make itself */
    return u->program == NO_PROGRAM ||
           (next != NULL && u->number < next->model.kernel_count && !kernel_may_write(next, u->number, u->argument));
  }
  if (u->program == NO_PROGRAM)
    return source_may_write((const program_request *const *)s->untouched, s->untouched_count, u->kernel, u->argument);
  const instrument_result *made = u->program < s->program_count ? &s->programs[u->program].result : NULL;
  return made != NULL && u->number < made->model.kernel_count && kernel_may_write(made, u->number, u->argument);
}

int unnoticed_store(const unnoticed *u, db *d, int64_t run, int64_t test_case, error *e) {
  char number[16];
  scoped_buffer same = {0};
  const db_witness witness[] = {{.what = "kernel", .value = u->kernel},
                                {.what = "launch", .value = u->detail},
                                {.what = "next call", .value = u->next}};
  buffer_printf(&same, "%s %s %d %s", u->call, u->kernel, (int)u->code, u->detail);
  const db_finding row = {.of.run = run,
                          .of.test_case = test_case,
                          .rule = "api-error",
                          .detail = {.call = u->call, .cause = cl_error_name(u->code, number, sizeof number)},
                          .witness = witness,
                          .witness_count = sizeof witness / sizeof witness[0],
                          .distinct = buffer_text(&same)};
  return db_put_finding(d, &row, e);
}

int session_unnoticed(session *s, const session_client *c, wire_reader *in, error *e) {
  unnoticed u = {0};
  int result = unnoticed_read(in, &u) != 0 ? error_set(e, EXIT_INTERNAL, "the layer sent a malformed message") : 0;
  if (result == 0 && !c->repeats && rule_is_wanted(s->options.rules, "api-error") && was_to_be_written(s, &u)) {
    s->summary.findings++;
    result = unnoticed_store(&u, s->db, s->run, session_row(s, c, 0), e);
  }
  unnoticed_free(&u);
  return result;
}

/* --- guard zones --- */

int overrun_read(wire_reader *in, overrun *out) {
  out->kernel = wire_string(in, NULL);
  out->program = wire_u32(in);
  out->of = wire_u32(in);
  out->argument = wire_u32(in);
  out->test_case = wire_u32(in);
  out->launch = wire_u64(in);
  out->launches = wire_u64(in);
  out->size = wire_u64(in);
  out->first = wire_u64(in);
  out->last = wire_u64(in);
  return in->failed || out->launch > INT64_MAX || out->size > INT64_MAX || out->last > INT32_MAX ||
                 out->first > out->last
             ? -1
             : 0;
}

void overrun_free(overrun *o) { free(o->kernel); }

int overrun_store(const overrun *o, db *d, int64_t run, int64_t test_case, int64_t kernel, error *e) {
  char argument[16], last[24];
  scoped_buffer same = {0};
  (void)snprintf(argument, sizeof argument, "%u", (unsigned)o->argument + 1);
  (void)snprintf(last, sizeof last, "%llu", (unsigned long long)(o->size + o->last));
  const db_witness witness[] = {{.what = "kernel", .value = o->kernel},
                                {.what = "argument", .value = argument},
                                {.what = "last byte", .value = last}};
  const db_detail detail = {.space = "global",
                            .size = db_known(o->size),
                            .element = db_known(o->size + o->first),
                            .element_size = db_known(1),
                            .launch = {o->launches == 1, o->launch},
                            .count = {o->launches == 1, 1}};
  buffer_printf(&same, "%s %s", o->kernel, argument);
  const db_finding row = {.of.run = run,
                          .of.test_case = test_case,
                          .of.kernel = kernel,
                          .rule = "buffer-overrun",
                          .detail = detail,
                          .witness = witness,
                          .witness_count = sizeof witness / sizeof witness[0],
                          .distinct = buffer_text(&same)};
  return db_put_finding(d, &row, e);
}

int session_overrun(session *s, const session_client *c, wire_reader *in, error *e) {
  overrun o = {0};
  int result = overrun_read(in, &o);
  if (result != 0) {
    (void)error_set(e, EXIT_INTERNAL, "the layer sent a malformed message");
  } else if (!c->repeats) {
    const session_program *p = o.program < s->program_count ? &s->programs[o.program] : NULL;
    const bool known_kernel = p != NULL && p->reason == NULL && o.of < p->result.model.kernel_count;
    result = overrun_store(&o, s->db, s->run, session_row(s, c, o.test_case),
                           known_kernel && !s->options.aside ? p->stored.kernels[o.of] : 0, e);
  }
  overrun_free(&o);
  return result;
}

/* From what is alive when a process ends to findings `leak`. What belongs to an object that is alive, too, is told with that:
 * all of a context is one finding. Objects that one call has made are one as well. */

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

static int write_leak(session *s, const left_alive *l, const told_leak *t, error *e) {
  const living *x = &l->items[t->first];
  scoped_buffer held = {0}, place = {0}, same = {0};
  for (uint32_t k = 0; k < ALIVE_KINDS; k++)
    if (t->held[k] > 0)
      buffer_printf(&held, "%s%zu %s%s", held.length == 0 ? "" : ", ", t->held[k], kinds[k],
                    t->held[k] == 1 ? "" : "s");
  if (t->bytes > 0) buffer_printf(&held, " (%llu bytes)", (unsigned long long)t->bytes);
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
  return db_put_finding(s->db, &row, e);
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

/* From transfers that nobody has waited for to findings: `used-before-read` of what they fill, `host-race` of what they take. One for
 * each call, and what came next. */

typedef struct unawaited {
  const session_client *client; /* NULL: it is gone */
  int64_t row;                  /* of the test case */
  uint64_t number, size, offset, next_offset, count;
  bool takes; /* what has changed meanwhile */
  char *call, *next, *module, *next_module;
} unawaited;

static void unawaited_free_one(unawaited *u) {
  free(u->call);
  free(u->next);
  free(u->module);
  free(u->next_module);
}

void unawaited_free(session *s) {
  for (size_t i = 0; i < s->unawaited_count; i++) unawaited_free_one(&s->unawaited[i]);
  free(s->unawaited);
  s->unawaited = NULL;
  s->unawaited_count = s->unawaited_capacity = 0;
}

int session_unawaited(session *s, session_client *c, wire_reader *in, error *e) {
  unawaited u = {.client = c, .row = session_row(s, c, 0), .count = 1};
  u.number = wire_u64(in);
  u.call = wire_string(in, NULL);
  u.size = wire_u64(in);
  u.next = wire_string(in, NULL);
  u.module = wire_string(in, NULL);
  u.offset = wire_u64(in);
  u.takes = wire_u32(in) != 0;
  u.next_module = wire_string(in, NULL);
  u.next_offset = wire_u64(in);
  if (in->failed || u.size > INT64_MAX || c->repeats) {
    unawaited_free_one(&u);
    return in->failed || u.size > INT64_MAX ? error_set(e, EXIT_INTERNAL, "the layer sent a malformed message") : 0;
  }
  *ARRAY_ADD(s->unawaited, s->unawaited_count, s->unawaited_capacity) = u;
  return 0;
}

int session_awaited(session *s, session_client *c, wire_reader *in, error *e) {
  const uint64_t number = wire_u64(in);
  for (size_t i = s->unawaited_count; i-- > 0;) {
    unawaited *u = &s->unawaited[i];
    if (u->client == c && u->number == number && u->next[0] == '\0') {
      unawaited_free_one(u);
      *u = s->unawaited[--s->unawaited_count];
    }
  }
  return in->failed ? error_set(e, EXIT_INTERNAL, "the layer sent a malformed message") : 0;
}

void unawaited_client_gone(session *s, const session_client *c) {
  for (size_t i = 0; i < s->unawaited_count; i++) {
    unawaited *u = &s->unawaited[i];
    u->client = u->client == c ? NULL : u->client;
  }
}

static bool unawaited_alike(const unawaited *a, const unawaited *b) {
  return a->row == b->row && a->takes == b->takes && a->offset == b->offset && strcmp(a->call, b->call) == 0 &&
         strcmp(a->next, b->next) == 0 && strcmp(a->module, b->module) == 0;
}

static int unawaited_write(session *s, const unawaited *u, error *e) {
  scoped_buffer place = {0}, next = {0}, same = {0};
  put_call_place(u->module, u->offset, &place);
  put_call_place(u->next_module, u->next_offset, &next);
  const db_witness witness[] = {{.what = "place", .value = buffer_text(&place)},
                                {.what = "next call", .value = u->next},
                                {.what = "next place", .value = buffer_text(&next)}};
  buffer_printf(&same, "%s %s %s %llu", u->call, u->next, u->module, (unsigned long long)u->offset);
  const db_finding row = {.of.run = s->run,
                          .of.test_case = u->row,
                          .rule = u->takes ? "host-race" : "used-before-read",
                          .detail = {.call = u->call, .size = {u->size > 0, u->size}, .count = {true, u->count}},
                          .witness = witness,
                          .witness_count = sizeof witness / sizeof witness[0],
                          .distinct = buffer_text(&same)};
  s->summary.findings++;
  return db_put_finding(s->db, &row, e);
}

int session_end_unawaited(session *s, error *e) {
  int result = 0;
  for (size_t i = 0; i < s->unawaited_count && result == 0; i++) {
    size_t first = 0;
    while (!unawaited_alike(&s->unawaited[first], &s->unawaited[i])) first++;
    s->unawaited[first].count += first < i ? 1 : 0;
  }
  for (size_t i = 0; i < s->unawaited_count && result == 0; i++) {
    size_t first = 0;
    while (!unawaited_alike(&s->unawaited[first], &s->unawaited[i])) first++;
    const char *rule = s->unawaited[i].takes ? "host-race" : "used-before-read";
    result = first == i && rule_is_wanted(s->options.rules, rule) ? unawaited_write(s, &s->unawaited[i], e) : 0;
  }
  unawaited_free(s);
  return result;
}
