/* One process a source, for all of its launches that differ. */
#include "runner/order/footprints.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/frontend.h"
#include "runner/isolate.h"
#include "wire/fields.h"

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
      memcmp(p->u.launch.global, q->u.launch.global, sizeof p->u.launch.global) != 0) {
    return false;
  }
  for (uint32_t i = 0; i < x->argument_count; i++) {
    if (x->arguments[i].known != y->arguments[i].known || x->arguments[i].value != y->arguments[i].value) {
      return false;
    }
  }
  return true;
}

static void find_leaders(reading *r) {
  for (size_t i = 0; i < r->made->launch_count; i++) {
    if (r->made->launches[i].source != r->number) {
      continue;
    }
    size_t k = r->leader_count;
    while (k > 0 && !alike(r, i, r->leader[k - 1])) { /* mostly it is the one before */
      k--;
    }
    if (k == 0 && r->leader_count < DISTINCT_MOST) {
      *ARRAY_ADD(r->leader, r->leader_count, r->leader_capacity) = i;
      k = r->leader_count;
    }
    r->to->of[i] = k == 0 ? SIZE_MAX : r->to->count + k - 1;
  }
}

/* --- in the process of its own ------------------------------------------------------------------------------------ */

static void put_place(const pp_result *text, uint32_t token, buffer *out) {
  const bool there = token != PP_NONE && token < text->token_count;
  const pp_position at = there ? text->tokens[token].expanded : (pp_position){0};
  const char *name = there && at.file > 0 ? text->files[at.file].name : "";
  wire_put_u32(out, there && (at.file == 0 || name[0] != '\0') ? 1 : 0);
  wire_put_string(out, name, strlen(name));
  wire_put_u32(out, at.line);
  wire_put_u32(out, at.column);
}

static void put_touch(const pp_result *text, const touch *t, buffer *out) {
  wire_put_u32(out, (t->may ? 1u : 0u) | (t->bounded ? 2u : 0u) | (t->sure ? 4u : 0u));
  wire_put_u64(out, (uint64_t)t->low);
  wire_put_u64(out, (uint64_t)t->high);
  wire_put_u64(out, (uint64_t)t->sure_low);
  wire_put_u64(out, (uint64_t)t->sure_high);
  put_place(text, t->token, out);
}

static const tree_node *kernel_called(const tree *t, const char *name) {
  for (size_t i = 0; i < t->function_count; i++) {
    if (t->functions[i]->symbol->kernel && strcmp(t->functions[i]->symbol->name, name) == 0) {
      return t->functions[i];
    }
  }
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
    for (int k = 0; k < TOUCH_KINDS; k++) {
      put_touch(text, &all[i].by[k], out);
    }
  }
  free(all);
  free(arguments);
}

static void put_all(void *context, const pp_result *text, const tree *t, buffer *out) {
  const reading *r = context;
  for (size_t i = 0; i < r->leader_count; i++) {
    put_launch(r, &r->made->launches[r->leader[i]], text, t, out);
  }
}

static int make(void *context, buffer *out, error *e) {
  const reading *r = context;
  pp_result text;
  tree *t = NULL;
  const int result = front_source(&asked_text(r->source)->input, &text, &t, e);
  if (result == 0) {
    put_all(context, &text, t, out);
  }
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
    if (in.failed || count > PARAMETERS_MOST) {
      return -1;
    }
    f->parameters = mem_calloc(count + 1, sizeof *f->parameters);
    for (f->count = 0; f->count < count && !in.failed; f->count++) {
      parameter_footprint *p = &f->parameters[f->count];
      p->name = wire_string(&in, NULL);
      for (int k = 0; k < TOUCH_KINDS; k++) {
        take_touch(&in, &p->by[k], &p->at[k]);
      }
    }
  }
  return in.failed ? -1 : 0;
}

static void free_footprint(footprint *f) {
  for (size_t i = 0; i < f->count; i++) {
    free(f->parameters[i].name);
    for (int k = 0; k < TOUCH_KINDS; k++) {
      free(f->parameters[i].at[k].file);
    }
  }
  free(f->parameters);
  *f = (footprint){0};
}

/* What could not be read leaves its places, without anything in them. */
static void fill_up(footprints *to, size_t first, size_t count) {
  while (to->count > first) {
    free_footprint(&to->items[--to->count]);
  }
  for (size_t i = 0; i < count; i++) {
    *ARRAY_ADD(to->items, to->count, to->capacity) = (footprint){0};
  }
}

footprints footprints_read(const capture *c, const run_made *m, const asked_source *sources, size_t source_count) {
  footprints out = {.of = mem_calloc(m->launch_count + 1, sizeof *out.of)};
  for (size_t i = 0; i < m->launch_count; i++) {
    out.of[i] = SIZE_MAX;
  }
  for (size_t i = 0; i < source_count; i++) {
    reading r = {.capture = c, .made = m, .source = &sources[i], .number = i, .to = &out};
    const size_t first = out.count;
    find_leaders(&r);
    const isolated_work work = {&r, make, take};
    error ignored;
    if (r.leader_count > 0 && isolated(&work, &ignored) != 0) {
      fill_up(&out, first, r.leader_count);
    }
    free(r.leader);
  }
  return out;
}

void footprints_free(footprints *f) {
  for (size_t i = 0; i < f->count; i++) {
    free_footprint(&f->items[i]);
  }
  free(f->items);
  free(f->of);
  *f = (footprints){0};
}
