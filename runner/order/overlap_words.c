#include "runner/order/overlap_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

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

static void set_key(const overlap_words *w, overlap_key *to, int side, const access *a) {
  const capture_call *c = &w->reader->capture->calls[a->call];
  to->function[side] = c->function;
  to->kernel[side] = kernel_of(w, c);
  to->index[side] = a->index;
  to->kind[side] = a->kind;
}

overlap_key overlap_key_of(const overlap_words *w, const access *first, const access *second) {
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
  return (same_side(a, 0, b, 0) && same_side(a, 1, b, 1)) || (same_side(a, 0, b, 1) && same_side(a, 1, b, 0));
}

/* --- sides --------------------------------------------------------------------------------------------------------- */

static char *what_of(const overlap_words *w, size_t call) {
  const capture_call *c = &w->reader->capture->calls[call];
  buffer out = {0};
  if (launches(c)) {
    buffer_printf(&out, "launch %" PRIu32 " of kernel %s", w->number[call], kernel_of(w, c));
  } else {
    buffer_printf(&out, "call %" PRIu32 " of %s", w->number[call], functions[c->function]);
  }
  return buffer_take(&out);
}

static char *where_of(const overlap_words *w, size_t call) {
  const capture_call *c = &w->reader->capture->calls[call];
  buffer out = {0};
  buffer_printf(&out, "%s, in queue %" PRIu32 ", which is %s", functions[c->function], c->queue + 1,
                w->reader->capture->queues[c->queue].in_order ? "in order" : "out of order");
  if (w->threads) {
    buffer_printf(&out, ", by thread %" PRIu32, c->thread + 1);
  }
  return buffer_take(&out);
}

static overlap_side side_of(const overlap_words *w, const access *a) {
  const made_launch *l = launch_of(w, &w->reader->capture->calls[a->call]);
  overlap_side s = {.what = what_of(w, a->call),
                    .where = where_of(w, a->call),
                    .access = access_names[a->kind],
                    .sure = a->sure,
                    .source = l == NULL ? SIZE_MAX : l->source};
  s.kernel = l == NULL ? NULL : mem_strdup(l->kernel);
  if (a->parameter != NULL) {
    const touched_place *at = &a->parameter->at[a->kind];
    s.parameter = mem_strdup(a->parameter->name);
    s.file = at->file == NULL ? NULL : mem_strdup(at->file);
    s.line = at->line;
    s.column = at->column;
  }
  return s;
}

/* --- the whole ----------------------------------------------------------------------------------------------------- */

/* Where the two meet, in the object that has the memory. */
static char *memory_of(const overlap_words *w, const access *a, const access *b) {
  const uint32_t root = w->reader->made->objects[a->object].root;
  const made_object *o = &w->reader->made->objects[root];
  const uint64_t low = a->low > b->low ? a->low : b->low, high = a->high < b->high ? a->high : b->high;
  buffer out = {0};
  buffer_printf(&out, "memory object %" PRIu32 " (%s of %" PRIu64 " bytes)", root + 1,
                o->image ? "an image" : "a buffer", o->size);
  if (low > 0 || high < o->size) {
    buffer_printf(&out, ", bytes %" PRIu64 " to %" PRIu64, low, high - 1);
  }
  return buffer_take(&out);
}

/* "writes (as out)", "has mapped for writing" */
static void put_access(const overlap_side *s, const access *a, bool definite, buffer *out) {
  static const char *const sure[TOUCH_KINDS] = {"reads", "writes", "changes"};
  static const char *const maybe[TOUCH_KINDS] = {"may read", "may write", "may change"};
  if (a->host) {
    buffer_puts(out, a->kind == TOUCH_READ ? "has mapped for reading" : "has mapped for writing");
  } else {
    buffer_puts(out, definite || s->kernel == NULL || s->sure ? sure[a->kind] : maybe[a->kind]);
  }
  if (s->parameter != NULL) {
    buffer_printf(out, " (as %s)", s->parameter);
  }
}

static void put_reason(const overlap_words *w, const access *a, const access *b, buffer *out) {
  const capture *c = w->reader->capture;
  const uint32_t one = c->calls[a->call].queue, other = c->calls[b->call].queue;
  if (one != other) {
    buffer_printf(out,
                  "they are in queues %" PRIu32 " and %" PRIu32
                  ", and no event, barrier or wait of the host puts them in order",
                  one + 1, other + 1);
  } else if (!c->queues[one].in_order) {
    buffer_printf(out,
                  "queue %" PRIu32 " is out of order, and no event, barrier or wait of the host puts them in order",
                  one + 1);
  } else {
    buffer_puts(out, "the mapping has not ended by then");
  }
}

static char *message_of(const overlap_words *w, const overlap *o, const access *a, const access *b) {
  buffer out = {0};
  buffer_printf(&out, "%s and %s may run at the same time: the first ", o->first.what, o->second.what);
  put_access(&o->first, a, o->definite, &out);
  buffer_puts(&out, " what the second ");
  put_access(&o->second, b, o->definite, &out);
  buffer_printf(&out, ", %s; ", o->memory);
  put_reason(w, a, b, &out);
  if (!o->definite) {
    buffer_puts(&out, "; whether they meet in the same bytes is not known");
  }
  return buffer_take(&out);
}

void overlap_describe(const overlap_words *w, const access *first, const access *second, bool definite, overlap *out) {
  *out = (overlap){.first = side_of(w, first), .second = side_of(w, second), .definite = definite};
  out->memory = memory_of(w, first, second);
  out->message = message_of(w, out, first, second);
}

static void free_side(overlap_side *s) {
  char *const texts[] = {s->what, s->kernel, s->parameter, s->where, s->file};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    free(texts[i]);
  }
}

void overlap_free(overlap *o) {
  free_side(&o->first);
  free_side(&o->second);
  free(o->memory);
  free(o->message);
}
