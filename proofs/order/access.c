/* Accesses of commands: what kernels touch, read in a process of its own, and what else touches memory. */
#include "proofs/order/access.h"

#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/frontend.h"
#include "runner/isolate.h"
#include "wire/capture_format.h"
#include "wire/capture_shape.h"
#include "wire/fields.h"

/* --- what kernels touch ------------------------------------------------------------------------------------------- */

/* One process a source, for all of its launches that differ. */

enum { PARAMETERS_MOST = 4096, DISTINCT_MOST = 2000 };

typedef struct reading {
  const capture *capture;
  const run_made *made;
  const asked_source *source;
  size_t number;  /* of the source */
  size_t *leader; /* of the launches that stand for others: their numbers, in the order of their footprints */
  size_t leader_count, leader_capacity;
  footprints *to;
} reading;

/* --- launches that are alike --------------------------------------------------------------------------------------- */

/* What a footprint depends on: sizes and integers, not which memory it is. */
static bool alike(const reading *r, size_t a, size_t b) {
  const made_launch *x = &r->made->launches[a], *y = &r->made->launches[b];
  const capture_command *p = &r->capture->commands[x->command], *q = &r->capture->commands[y->command];
  if (strcmp(x->kernel, y->kernel) != 0 || x->argument_count != y->argument_count ||
      p->u.launch.dimensions != q->u.launch.dimensions ||
      memcmp(p->u.launch.offset, q->u.launch.offset, sizeof p->u.launch.offset) != 0 ||
      memcmp(p->u.launch.global, q->u.launch.global, sizeof p->u.launch.global) != 0)
    return false;
  for (uint32_t i = 0; i < x->argument_count; i++)
    if (x->arguments[i].known != y->arguments[i].known || x->arguments[i].value != y->arguments[i].value) return false;
  return true;
}

static void find_leaders(reading *r) {
  for (size_t i = 0; i < r->made->launch_count; i++) {
    if (r->made->launches[i].source != r->number) continue;
    size_t k = r->leader_count;
    while (k > 0 && !alike(r, i, r->leader[k - 1])) /* mostly it is the one before */
      k--;
    if (k == 0 && r->leader_count < DISTINCT_MOST) {
      *ARRAY_ADD(r->leader, r->leader_count, r->leader_capacity) = i;
      k = r->leader_count;
    }
    r->to->of[i] = k == 0 ? SIZE_MAX : r->to->count + k - 1;
  }
}

/* --- in the process of its own ------------------------------------------------------------------------------------ */

static void put_touch(const pp_result *text, const touch *t, buffer *out) {
  wire_put_u32(out, (t->may ? 1u : 0u) | (t->bounded ? 2u : 0u) | (t->sure ? 4u : 0u));
  wire_put_u64(out, (uint64_t)t->low);
  wire_put_u64(out, (uint64_t)t->high);
  wire_put_u64(out, (uint64_t)t->sure_low);
  wire_put_u64(out, (uint64_t)t->sure_high);
  const bool there = t->token != PP_NONE && t->token < text->token_count;
  const pp_position at = there ? text->tokens[t->token].expanded : (pp_position){0};
  const char *name = there && at.file > 0 ? text->files[at.file].name : "";
  wire_put_u32(out, there && (at.file == 0 || name[0] != '\0') ? 1 : 0);
  wire_put_string(out, name, strlen(name));
  wire_put_u32(out, at.line);
  wire_put_u32(out, at.column);
}

static const tree_node *kernel_called(const tree *t, const char *name) {
  for (size_t i = 0; i < t->function_count; i++)
    if (t->functions[i]->symbol->kernel && strcmp(t->functions[i]->symbol->name, name) == 0) return t->functions[i];
  return NULL;
}

static void put_launch(const reading *r, const made_launch *l, const pp_result *text, const tree *t, buffer *out) {
  const tree_node *kernel = kernel_called(t, l->kernel);
  const uint32_t parameters = kernel == NULL ? 0 : kernel->child_count - 1;
  facts_argument *arguments = mem_calloc(parameters + 1, sizeof *arguments);
  for (uint32_t i = 0; i < parameters; i++) {
    arguments[i].buffer = FACTS_NO_BUFFER;
    if (i < l->argument_count) {
      arguments[i].known = l->arguments[i].known;
      arguments[i].value = l->arguments[i].value;
      arguments[i].buffer = l->arguments[i].object;
    }
  }
  const capture_command *c = &r->capture->commands[l->command];
  facts_launch launch = {.dimensions = c->u.launch.dimensions, .arguments = arguments, .argument_count = parameters};
  memcpy(launch.offset, c->u.launch.offset, sizeof launch.offset);
  memcpy(launch.global, c->u.launch.global, sizeof launch.global);
  parameter_touches *all = kernel == NULL ? NULL : read_footprint(kernel, &launch);
  wire_put_u32(out, parameters);
  for (uint32_t i = 0; i < parameters; i++) {
    const char *name = kernel->children[i]->symbol->name;
    wire_put_string(out, name == NULL ? "" : name, name == NULL ? 0 : strlen(name));
    for (int k = 0; k < TOUCH_KINDS; k++) put_touch(text, &all[i].by[k], out);
  }
  free(all);
  free(arguments);
}

static void put_all(void *context, const pp_result *text, const tree *t, buffer *out) {
  const reading *r = context;
  for (size_t i = 0; i < r->leader_count; i++) put_launch(r, &r->made->launches[r->leader[i]], text, t, out);
}

static int make(void *context, buffer *out, error *e) {
  const reading *r = context;
  pp_result text;
  tree *t = NULL;
  const int result = front_source(&asked_text(r->source)->input, &text, &t, e);
  if (result == 0) put_all(context, &text, t, out);
  tree_free(t);
  pp_result_free(&text);
  return result;
}

/* --- here --------------------------------------------------------------------------------------------------------- */

static void take_touch(wire_reader *in, touch *t, touched_place *at) {
  const uint32_t flags = wire_u32(in);
  t->may = (flags & 1) != 0;
  t->bounded = (flags & 2) != 0;
  t->sure = (flags & 4) != 0;
  t->low = (int64_t)wire_u64(in);
  t->high = (int64_t)wire_u64(in);
  t->sure_low = (int64_t)wire_u64(in);
  t->sure_high = (int64_t)wire_u64(in);
  const bool there = wire_u32(in) != 0;
  at->file = wire_string(in, NULL);
  at->line = wire_u32(in);
  at->column = wire_u32(in);
  if (!there) {
    free(at->file);
    at->file = NULL;
  }
}

static int take(void *context, const void *bytes, size_t length) {
  const reading *r = context;
  footprints *to = r->to;
  wire_reader in = {.at = bytes, .left = length};
  for (size_t i = 0; i < r->leader_count && !in.failed; i++) {
    footprint *f = ARRAY_ADD(to->items, to->count, to->capacity);
    *f = (footprint){0};
    const uint32_t count = wire_u32(&in);
    if (in.failed || count > PARAMETERS_MOST) return -1;
    f->parameters = mem_calloc(count + 1, sizeof *f->parameters);
    for (f->count = 0; f->count < count && !in.failed; f->count++) {
      parameter_footprint *p = &f->parameters[f->count];
      p->name = wire_string(&in, NULL);
      for (int k = 0; k < TOUCH_KINDS; k++) take_touch(&in, &p->by[k], &p->at[k]);
    }
  }
  return in.failed ? -1 : 0;
}

static void free_footprint(footprint *f) {
  for (size_t i = 0; i < f->count; i++) {
    free(f->parameters[i].name);
    for (int k = 0; k < TOUCH_KINDS; k++) free(f->parameters[i].at[k].file);
  }
  free(f->parameters);
  *f = (footprint){0};
}

/* What could not be read leaves its places, without anything in them. */
static void fill_up(footprints *to, size_t first, size_t count) {
  while (to->count > first) free_footprint(&to->items[--to->count]);
  for (size_t i = 0; i < count; i++) *ARRAY_ADD(to->items, to->count, to->capacity) = (footprint){0};
}

footprints footprints_read(const capture *c, const run_made *m, const asked_source *sources, size_t source_count) {
  footprints out = {.of = mem_calloc(m->launch_count + 1, sizeof *out.of)};
  for (size_t i = 0; i < m->launch_count; i++) out.of[i] = SIZE_MAX;
  for (size_t i = 0; i < source_count; i++) {
    reading r = {.capture = c, .made = m, .source = &sources[i], .number = i, .to = &out};
    const size_t first = out.count;
    find_leaders(&r);
    const isolated_work work = {&r, make, take};
    error ignored;
    if (r.leader_count > 0 && isolated(&work, &ignored) != 0) fill_up(&out, first, r.leader_count);
    free(r.leader);
  }
  return out;
}

void footprints_free(footprints *f) {
  for (size_t i = 0; i < f->count; i++) free_footprint(&f->items[i]);
  free(f->items);
  free(f->of);
  *f = (footprints){0};
}

/* --- transfers ----------------------------------------------------------------------------------------------------- */

static const made_object *object_of(const access_reader *r, uint32_t number) { return &r->made->objects[number]; }

/* Of an access its call, object and kind are known. A command of a captured program lies in its object. */
static void add_bytes(const access_reader *r, accesses *to, command_access a, uint64_t offset, uint64_t size) {
  a.low = a.sure_low = object_of(r, a.object)->origin + offset;
  a.high = a.sure_high = a.low + size;
  a.sure = true;
  if (size > 0) *ARRAY_ADD(to->items, to->count, to->capacity) = a;
}

static void add_whole(const access_reader *r, accesses *to, command_access a) {
  const made_object *o = object_of(r, a.object);
  a.low = o->origin;
  a.high = o->origin + o->size;
  a.sure = true;
  *ARRAY_ADD(to->items, to->count, to->capacity) = a;
}

/* Rows and slices of elements, with pitches in bytes. Between rows there may be bytes that are left alone: only the first
 * run of bytes is certain. */
static void add_rows(const access_reader *r, accesses *to, command_access a, const uint64_t origin[3],
                     const uint64_t region[3], uint64_t element, uint64_t row, uint64_t slice) {
  const uint64_t bytes = region[0] * element, rows = region[1], slices = region[2];
  if (bytes == 0 || rows == 0 || slices == 0) return;
  const bool one_slice = rows == 1 || row == bytes;
  const bool all = one_slice && (slices == 1 || slice == rows * bytes);
  a.low = a.sure_low = object_of(r, a.object)->origin + origin[2] * slice + origin[1] * row + origin[0] * element;
  a.high = a.low + (slices - 1) * slice + (rows - 1) * row + bytes;
  a.sure_high = all ? a.high : a.low + (one_slice ? rows * bytes : bytes);
  a.sure = true;
  *ARRAY_ADD(to->items, to->count, to->capacity) = a;
}

/* `c` is a copy where there is an `other` effect. */
static void add_effect(const access_reader *r, accesses *to, size_t call, const capture_command *c,
                       const capture_effect *e, const capture_effect *other) {
  const command_access a = {.call = call, .object = e->at->memory, .kind = e->writes ? TOUCH_WRITE : TOUCH_READ};
  const made_object *o = object_of(r, a.object);
  const uint64_t *region = c->u.transfer.region, row = o->extent[0] * o->element;
  const bool of_image = other != NULL && other->part == PART_IMAGE;
  const uint64_t size =
      of_image ? region[0] * region[1] * region[2] * object_of(r, other->at->memory)->element : c->u.transfer.size;
  if (e->part == PART_ROWS)
    add_rows(r, to, a, e->at->origin, region, 1, e->at->row, e->at->slice);
  else if (e->part == PART_IMAGE && o->element > 0) /* its elements one after the other */
    add_rows(r, to, a, e->at->origin, region, o->element, row, row * o->extent[1]);
  else if (e->part == PART_IMAGE ||
           (of_image && size == 0)) /* where an image made of a buffer has them knows its driver */
    add_whole(r, to, a);
  else
    add_bytes(r, to, a, e->at->offset, size);
}

/* --- mappings ------------------------------------------------------------------------------------------------------ */

static void add_mapping(const access_reader *r, accesses *to, size_t call, const capture_call *c) {
  const bool writes = (c->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
  const command_access mapped = {
      .call = call, .object = c->memory, .kind = writes ? TOUCH_WRITE : TOUCH_READ, .host = true};
  if (c->function == FUNCTION_UNMAP && !writes) return;
  if (object_of(r, c->memory)->image) {
    add_whole(r, to, mapped);
    command_access *a = &to->items[to->count - 1];
    a->sure_low = a->low;
    a->sure_high = c->size > 0 ? a->high : a->low;
  } else {
    add_bytes(r, to, mapped, c->offset, c->size);
  }
}

/* --- launches ------------------------------------------------------------------------------------------------------ */

static uint64_t within(const made_object *o, int64_t at) {
  const uint64_t inside = at <= 0 ? 0 : (uint64_t)at < o->size ? (uint64_t)at : o->size;
  return o->origin + inside;
}

static void add_touch(const access_reader *r, accesses *to, size_t call, uint32_t object, touch_kind kind,
                      const touch *t) {
  const made_object *o = object_of(r, object);
  if (!t->may || (kind != TOUCH_READ && o->constant)) return;
  command_access a = {.call = call, .object = object, .kind = kind, .low = o->origin, .high = o->origin + o->size};
  if (t->bounded) {
    a.low = within(o, t->low);
    a.high = within(o, t->high);
  }
  a.sure = t->sure;
  if (t->sure && t->sure_high > t->sure_low) {
    a.sure_low = within(o, t->sure_low);
    a.sure_high = within(o, t->sure_high);
  }
  if (a.low < a.high) *ARRAY_ADD(to->items, to->count, to->capacity) = a;
}

/* Of a kernel that could not be read: anything. */
static void add_unknown(const access_reader *r, accesses *to, size_t call, uint32_t object) {
  const touch anything = {.may = true};
  add_touch(r, to, call, object, TOUCH_READ, &anything);
  add_touch(r, to, call, object, TOUCH_WRITE, &anything);
}

static void add_launch(const access_reader *r, accesses *to, size_t call, size_t number) {
  const made_launch *l = &r->made->launches[number];
  const size_t which = r->footprints->of[number];
  const footprint *f = which == SIZE_MAX ? NULL : &r->footprints->items[which];
  for (uint32_t i = 0; i < l->argument_count; i++) {
    const uint32_t object = l->arguments[i].object;
    const parameter_footprint *p = f != NULL && i < f->count ? &f->parameters[i] : NULL;
    const size_t before = to->count;
    if (object == CAPTURE_NONE) continue;
    if (p == NULL) add_unknown(r, to, call, object);
    for (int k = 0; p != NULL && k < TOUCH_KINDS; k++) add_touch(r, to, call, object, (touch_kind)k, &p->by[k]);
    for (size_t k = before; k < to->count; k++) {
      to->items[k].parameter = p;
      to->items[k].index = i;
    }
  }
}

/* --- calls --------------------------------------------------------------------------------------------------------- */

void accesses_of(const access_reader *r, size_t call, accesses *to) {
  const capture_call *f = &r->capture->calls[call];
  const bool command = capture_function_kind(f->function) != 0;
  if (command && f->command >= r->capture->command_count) /* the capture ends with this call */
    return;
  const capture_command *c = command ? &r->capture->commands[f->command] : NULL;
  capture_effect effects[2];
  const size_t count = c != NULL ? capture_effects(c, effects) : 0;
  switch (f->function) {
    case FUNCTION_LAUNCH:
    case FUNCTION_TASK:
      if (r->launch_of[f->command] != SIZE_MAX) add_launch(r, to, call, r->launch_of[f->command]);
      break;
    case FUNCTION_MAP:
    case FUNCTION_MAP_IMAGE:
    case FUNCTION_UNMAP: add_mapping(r, to, call, f); break;
    default:
      for (size_t i = 0; i < count; i++) add_effect(r, to, call, c, &effects[i], count == 2 ? &effects[1 - i] : NULL);
  }
}
