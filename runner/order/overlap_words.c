#include "runner/order/overlap_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "runner/call_places.h"

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

void overlap_words_begin(overlap_words *w, const access_reader *r) {
  const capture *c = r->capture;
  *w = (overlap_words){.reader = r, .number = mem_calloc(c->call_count + 1, sizeof *w->number)};
  counted *all = NULL;
  size_t count = 0, capacity = 0;
  for (size_t i = 0; i < c->call_count; i++) {
    const char *kernel = kernel_of(w, &c->calls[i]);
    const capture_function function = launches(&c->calls[i]) ? (capture_function)0 : c->calls[i].function;
    size_t k = 0;
    while (k < count && (all[k].function != function || strcmp(all[k].kernel, kernel) != 0)) {
      k++;
    }
    if (k == count) {
      *ARRAY_ADD(all, count, capacity) = (counted){function, kernel, 0};
    }
    w->number[i] = ++all[k].count;
    w->threads = w->threads || c->calls[i].thread > 0;
  }
  free(all);
}

void overlap_words_end(overlap_words *w) { free(w->number); }

/* --- keys ---------------------------------------------------------------------------------------------------------- */

static void set_key(const overlap_words *w, overlap_key *to, int side, const command_access *a) {
  const capture_call *c = &w->reader->capture->calls[a->call];
  to->function[side] = c->function;
  to->kernel[side] = kernel_of(w, c);
  to->index[side] = a->index;
  to->kind[side] = a->kind;
}

overlap_key overlap_key_of(const overlap_words *w, const command_access *first, const command_access *second) {
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
bool overlap_same_key(const overlap_key *a, const overlap_key *b) {
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

void overlap_describe(const overlap_words *w, const command_access *first, const command_access *second, bool definite,
                      overlap *out) {
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

void overlap_place(const overlap_words *w, const command_access *first, const command_access *second, overlap *out) {
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

void overlap_free(overlap *o) {
  free_side(&o->first);
  free_side(&o->second);
}
