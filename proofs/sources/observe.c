/* The commands of a capture, gone through once: objects and what they hold, arguments of kernels, launches. */
#include "proofs/sources/observe.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/integer.h"
#include "base/memory.h"
#include "capture/capture.h"
#include "runner/build/program_request.h"
#include "wire/capture_shape.h"

static const unsigned char *contents_bytes(const contents *m, uint32_t object);

static void made_add_object(run_made *m, const capture_command *c);

/* --- contents: bytes that the host writes are kept; what kernels write is not known from then on ------------------ */

#define KEPT_MOST (UINT64_C(1) << 30) /* bytes of all objects */

/* --- facts -------------------------------------------------------------------------------------------------------- */

static uint64_t raw_at(const unsigned char *bytes, uint32_t element) {
  uint64_t n = 0;
  memcpy(&n, bytes, element); /* little-endian, as all devices that we know */
  return n;
}

/* Ordered as the type orders them, in unsigned numbers: the sign is turned. */
static uint64_t order_of(uint64_t raw, uint32_t element, bool is_unsigned) {
  return is_unsigned ? raw : raw ^ (UINT64_C(1) << (8 * element - 1));
}

static int compare(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y ? 1 : 0;
}

static bool all_distinct(const unsigned char *bytes, uint64_t count, uint32_t element) {
  if (element < 8 && count > UINT64_C(1) << (8 * element)) return false;
  uint64_t *sorted = mem_calloc(count, sizeof *sorted);
  for (uint64_t i = 0; i < count; i++) sorted[i] = raw_at(bytes + i * element, element);
  qsort(sorted, count, sizeof *sorted, compare);
  bool distinct = true;
  for (uint64_t i = 1; i < count && distinct; i++) distinct = sorted[i] != sorted[i - 1];
  free(sorted);
  return distinct;
}

contents_facts facts_of(const unsigned char *bytes, uint64_t count, uint32_t element, bool is_unsigned) {
  contents_facts f = {0};
  if (count == 0) return f;
  f.ascending = f.identity = true;
  bool strictly = true;
  uint64_t low = 0, high = 0, before = 0;
  uint64_t low_raw = 0, high_raw = 0;
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t raw = raw_at(bytes + i * element, element), n = order_of(raw, element, is_unsigned);
    f.identity = f.identity && raw == i;
    f.ascending = f.ascending && (i == 0 || n >= before);
    strictly = strictly && (i == 0 || n > before);
    if (i == 0 || n < low) {
      low = n;
      low_raw = raw;
    }
    if (i == 0 || n > high) {
      high = n;
      high_raw = raw;
    }
    before = n;
  }
  f.low = integer_of_bytes(&low_raw, element, is_unsigned);
  f.high = integer_of_bytes(&high_raw, element, is_unsigned);
  f.bounded = !is_unsigned || f.high >= 0; /* as signed numbers they are written */
  if (count == 1) {                        /* one number is in order with itself */
    f.ascending = f.identity = false;
    return f;
  }
  f.distinct = strictly || all_distinct(bytes, count, element);
  return f;
}

contents_facts contents_of(contents *m, uint32_t object, uint32_t element, bool is_unsigned) {
  memory_object *o = &m->objects[object];
  memory_object *in = o->parent == CAPTURE_NONE ? o : &m->objects[o->parent];
  const bool same = o->kept.there && o->kept.changes == in->changes && o->kept.element == element &&
                    o->kept.is_unsigned == is_unsigned;
  if (!same) {
    o->kept.there = true;
    o->kept.changes = in->changes;
    o->kept.element = element;
    o->kept.is_unsigned = is_unsigned;
    const unsigned char *bytes = contents_bytes(m, object);
    o->kept.facts =
        bytes != NULL && element <= 8 ? facts_of(bytes, o->size / element, element, is_unsigned) : (contents_facts){0};
  }
  return o->kept.facts;
}

/* All bytes of the object, lent until the next change. NULL: they are not all known. */
static const unsigned char *contents_bytes(const contents *m, uint32_t object) {
  const memory_object *o = &m->objects[object];
  const memory_object *in = o->parent == CAPTURE_NONE ? o : &m->objects[o->parent];
  const bool known = in->bytes != NULL && o->size > 0 && memchr(in->known + o->origin, 0, o->size) == NULL;
  return known ? in->bytes + o->origin : NULL;
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

typedef struct piece {
  memory_object *in;
  uint64_t offset; /* in it */
} piece;

static piece piece_of(contents *m, uint32_t object, uint64_t offset) {
  memory_object *o = &m->objects[object];
  return o->parent == CAPTURE_NONE ? (piece){o, offset} : (piece){&m->objects[o->parent], o->origin + offset};
}

static void forget(piece p, uint64_t size) {
  p.in->changes++;
  if (p.in->bytes != NULL) memset(p.in->known + p.offset, 0, size);
}

static void put(piece p, const unsigned char *bytes, uint64_t size) {
  p.in->changes++;
  if (p.in->bytes != NULL) {
    memcpy(p.in->bytes + p.offset, bytes, size);
    memset(p.in->known + p.offset, 1, size);
  }
}

void contents_forget(contents *m, uint32_t object) { forget(piece_of(m, object, 0), m->objects[object].size); }

static void make_buffer(contents *m, const capture *c, const capture_command *from) {
  memory_object *o = ARRAY_ADD(m->objects, m->count, m->capacity);
  o->size = from->u.buffer.size;
  o->parent = CAPTURE_NONE;
  o->constant = (from->u.buffer.flags & CL_MEM_READ_ONLY) != 0;
  if (o->size > 0 && o->size <= KEPT_MOST - m->bytes) {
    o->bytes = mem_calloc(o->size, 1);
    o->known = mem_calloc(o->size, 1);
    m->bytes += o->size;
  }
  if (from->u.buffer.blob != CAPTURE_NONE) put((piece){o, 0}, c->blobs[from->u.buffer.blob].bytes, o->size);
}

static void make_part(contents *m, const capture_command *from) {
  memory_object *o = ARRAY_ADD(m->objects, m->count, m->capacity);
  o->parent = from->u.sub_buffer.parent;
  o->origin = from->u.sub_buffer.origin;
  o->size = from->u.sub_buffer.size;
  o->constant = m->objects[o->parent].constant || (from->u.sub_buffer.flags & CL_MEM_READ_ONLY) != 0;
}

static void make_image(contents *m, const capture_command *from) {
  memory_object *o = ARRAY_ADD(m->objects, m->count, m->capacity);
  uint64_t extent[3] = {0};
  o->image = true;
  o->parent = CAPTURE_NONE;
  (void)capture_extent(from, extent);
  o->size = capture_region_bytes(extent, capture_element(from->u.image.order, from->u.image.data_type));
  if (from->u.image.buffer != CAPTURE_NONE) {
    o->parent = from->u.image.buffer;
    const memory_object *in = &m->objects[o->parent];
    o->size = o->size < in->size ? o->size : in->size;
  }
  o->constant = (from->u.image.flags & CL_MEM_READ_ONLY) != 0;
}

static void fill(contents *m, const capture_command *c) {
  const piece p = piece_of(m, c->u.transfer.at.memory, c->u.transfer.at.offset);
  for (uint64_t at = 0; at < c->u.transfer.size; at += c->u.transfer.pattern_size)
    put((piece){p.in, p.offset + at}, c->u.transfer.pattern, c->u.transfer.pattern_size);
}

static void write_rectangle(contents *m, const capture *c, const capture_command *from) {
  const capture_span *at = &from->u.transfer.at;
  const uint64_t *region = from->u.transfer.region;
  const unsigned char *bytes = c->blobs[from->u.transfer.blob].bytes;
  for (uint64_t slice = 0; slice < region[2]; slice++) {
    for (uint64_t row = 0; row < region[1]; row++, bytes += region[0]) {
      const uint64_t offset = (at->origin[2] + slice) * at->slice + (at->origin[1] + row) * at->row + at->origin[0];
      put(piece_of(m, at->memory, offset), bytes, region[0]);
    }
  }
}

static void copy(contents *m, const capture_command *c) {
  const piece from = piece_of(m, c->u.transfer.at.memory, c->u.transfer.at.offset);
  const piece to = piece_of(m, c->u.transfer.to.memory, c->u.transfer.to.offset);
  if (from.in->bytes == NULL || to.in->bytes == NULL) {
    forget(to, c->u.transfer.size);
    return;
  }
  to.in->changes++;
  memmove(to.in->bytes + to.offset, from.in->bytes + from.offset, c->u.transfer.size);
  memmove(to.in->known + to.offset, from.in->known + from.offset, c->u.transfer.size);
}

void contents_take(contents *m, const capture *c, const capture_command *command) {
  capture_effect effects[2];
  switch (command->kind) {
    case CAPTURE_BUFFER: make_buffer(m, c, command); break;
    case CAPTURE_SUB_BUFFER: make_part(m, command); break;
    case CAPTURE_IMAGE: make_image(m, command); break;
    case CAPTURE_WRITE:
      put(piece_of(m, command->u.transfer.at.memory, command->u.transfer.at.offset),
          c->blobs[command->u.transfer.blob].bytes, command->u.transfer.size);
      break;
    case CAPTURE_WRITE_RECT: write_rectangle(m, c, command); break;
    case CAPTURE_FILL: fill(m, command); break;
    case CAPTURE_COPY: copy(m, command); break;
    default: /* an image may be made of a buffer */
      for (size_t i = 0, count = capture_effects(command, effects); i < count; i++)
        if (effects[i].writes) contents_forget(m, effects[i].at->memory);
  }
}

void contents_free(contents *m) {
  for (size_t i = 0; i < m->count; i++) {
    free(m->objects[i].bytes);
    free(m->objects[i].known);
  }
  free(m->objects);
  *m = (contents){0};
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* How a source is compiled with them. */
typedef struct included_files {
  char *options, *directory;
  const char *root; /* stands for "/"; NULL: the files are where they were. Lent */
} included_files;

/* Where the files are not where they were, or other ones, puts them below `scratch`. -1 with `e` set: they could not be
 * written. Release with included_files_free in every case. */
static int include_files_place(const capture *c, const char *scratch, const char *options, included_files *out,
                               error *e) {
  *out = (included_files){0};
  if (!included_are_there(c)) {
    out->options = included_options(c, scratch, options);
    out->root = scratch;
    return included_place(c, scratch, &out->directory, e);
  }
  out->options = mem_strdup(options);
  out->directory = mem_strdup(c->directory == NULL ? "." : c->directory);
  return 0;
}

/* Puts the headers that a program handed over with a source into a folder below `scratch`, `*folder` (to be freed). */
static int header_files_place(const capture_source *s, const char *scratch, size_t number, char **folder, error *e) {
  buffer path = {0};
  buffer_printf(&path, "%s/.headers/%zu/", scratch, number);
  included_folder(buffer_text(&path));
  *folder = buffer_take(&path);
  for (size_t i = 0; i < s->header_count; i++) {
    buffer file = {0};
    buffer_printf(&file, "/.headers/%zu/%s", number, s->headers[i].name);
    const bool below = included_stays_below(s->headers[i].name);
    const int result = below ? included_put(scratch, buffer_text(&file), s->headers[i].text, e) : 0;
    buffer_free(&file);
    if (result != 0) return -1;
  }
  return 0;
}

enum { HELD_MOST = 256 }; /* bytes of a buffer of which is said what it holds */

/* An argument as it was set last. */
typedef struct set_argument {
  bool set;
  capture_argument_kind kind;
  const unsigned char *bytes; /* lent by the capture */
  uint64_t size;
  uint32_t object;
} set_argument;

typedef struct seen_kernel {
  uint32_t program;
  const char *name;
  set_argument *arguments;
  size_t count, capacity;
} seen_kernel;

typedef struct seen_program {
  const capture_command *built;
  bool looked_at;
  size_t *sources; /* of the observation, one a source of the program */
} seen_program;

typedef struct observing {
  const capture *capture;
  const char *scratch;
  char **directories;
  size_t directory_count, directory_capacity;
  observation *to;
  contents memory;
  seen_kernel *kernels;
  size_t kernel_count, kernel_capacity;
  seen_program *programs;
  size_t program_count, program_capacity;
} observing;

/* --- sources ------------------------------------------------------------------------------------------------------ */

static void key_of(const capture *c, const capture_source *s, char out[65]) {
  digester d;
  digest_begin(&d);
  digest_text(&d, c->directory == NULL ? "" : c->directory);
  digest_text(&d, s->text);
  digest_text(&d, s->options);
  for (size_t i = 0; i < s->header_count; i++) {
    digest_text(&d, s->headers[i].name);
    digest_text(&d, s->headers[i].text);
  }
  digest_end(&d, out);
}

static int add_source(observing *o, const capture_source *s, const char *key, error *e) {
  asked_source *to = ARRAY_ADD(o->to->sources, o->to->count, o->to->capacity);
  included_files files;
  if (include_files_place(o->capture, o->scratch, s->options, &files, e) != 0) {
    *to = (asked_source){0};
    o->to->count--;
    return -1;
  }
  asked_source_init(to, s->text, strlen(s->text), files.options, files.directory, files.root);
  asked_source_on(to, o->capture->device == NULL ? "" : o->capture->device);
  to->observed = true;
  memcpy(to->request.key, key, sizeof to->request.key);
  for (size_t i = 0; i < s->header_count; i++) asked_source_add_header(to, s->headers[i].name, s->headers[i].text);
  request_name_sources(&to->request, (const char *const *)o->directories, o->directory_count);
  error why;
  if (asked_source_read(to, &why) != 0) to->problem = mem_strdup(why.text);
  free(files.options);
  free(files.directory);
  files = (included_files){0};
  return s->header_count == 0 ? 0 : header_files_place(s, o->scratch, o->to->count - 1, &to->search, e);
}

static int find_source(observing *o, const capture_source *s, size_t *out, error *e) {
  char key[65];
  key_of(o->capture, s, key);
  for (*out = 0; *out < o->to->count; (*out)++)
    if (strcmp(o->to->sources[*out].request.key, key) == 0) return 0;
  return add_source(o, s, key, e);
}

static int look_at(observing *o, seen_program *p, error *e) {
  const size_t count = p->built->u.program.source_count;
  int result = 0;
  p->looked_at = true;
  p->sources = mem_calloc(count + 1, sizeof *p->sources);
  for (size_t i = 0; i < count && result == 0; i++)
    result = find_source(o, &p->built->u.program.sources[i], &p->sources[i], e);
  return result;
}

/* The source of a program that defines a kernel; NULL: none that can be read does. */
static asked_source *source_of(const observing *o, const seen_program *p, const char *kernel) {
  for (size_t i = 0; i < p->built->u.program.source_count; i++) {
    asked_source *s = &o->to->sources[p->sources[i]];
    if (asked_signature(s, kernel) != NULL) return s;
  }
  return NULL;
}

/* --- arguments ---------------------------------------------------------------------------------------------------- */

static set_argument *argument_at(seen_kernel *k, uint32_t index) {
  while (k->count <= index) (void)ARRAY_ADD(k->arguments, k->count, k->capacity);
  return &k->arguments[index];
}

static void add_value(observed_launch *l, uint32_t index, const parameter *p, const set_argument *a) {
  if (a->bytes == NULL || a->size == 0) return;
  observed_argument *to = ARRAY_ADD(l->arguments, l->argument_count, l->argument_capacity);
  to->parameter = index;
  if (p->integer && a->size <= 8 && a->size == p->size) {
    to->kind = OBSERVED_INTEGER;
    to->integer = integer_of_bytes(a->bytes, a->size, p->is_unsigned);
    return;
  }
  to->kind = OBSERVED_BYTES;
  to->size = a->size;
  to->bytes = mem_calloc(a->size, 1);
  memcpy(to->bytes, a->bytes, a->size);
}

/* Where it was not known that the parameter is a pointer, null was recorded as local memory, or as a value. */
static bool is_null(const set_argument *a) {
  const bool pointer = a->size == sizeof(void *);
  bool zero = a->kind == CAPTURE_VALUE && pointer && a->bytes != NULL;
  for (uint64_t i = 0; zero && i < a->size; i++) zero = a->bytes[i] == 0;
  return zero || (a->kind == CAPTURE_LOCAL && pointer) || (a->kind == CAPTURE_MEMORY && a->object == CAPTURE_NONE);
}

static void add_buffer(observing *o, observed_launch *l, uint32_t index, const parameter *p, const set_argument *a) {
  observed_argument *to = ARRAY_ADD(l->arguments, l->argument_count, l->argument_capacity);
  to->kind = OBSERVED_BUFFER;
  to->parameter = index;
  to->memory = CAPTURE_NONE;
  to->null = is_null(a);
  if (a->object == CAPTURE_NONE) return;
  const memory_object *m = &o->memory.objects[a->object];
  to->memory = m->parent == CAPTURE_NONE ? a->object : m->parent;
  to->offset = m->origin;
  to->size = m->size;
  const unsigned char *held =
      m->image || !p->integer || m->size > HELD_MOST ? NULL : contents_bytes(&o->memory, a->object);
  if (held != NULL) {
    to->bytes = mem_calloc(m->size, 1);
    memcpy(to->bytes, held, m->size);
  }
  if (p->integer && p->size > 0 && !m->image) to->facts = contents_of(&o->memory, a->object, p->size, p->is_unsigned);
}

/* Memory objects are numbered in the order in which a launch has them: launches with other objects are alike. */
static void number_memory(observed_launch *l) {
  uint32_t next = 0;
  uint32_t *old = mem_calloc(l->argument_count + 1, sizeof *old);
  for (size_t i = 0; i < l->argument_count; i++) {
    observed_argument *a = &l->arguments[i];
    if (a->kind != OBSERVED_BUFFER) continue;
    uint32_t number = 0;
    while (number < next && (a->memory == CAPTURE_NONE || old[number] != a->memory)) number++;
    if (number == next) old[next++] = a->memory;
    a->memory = number;
  }
  free(old);
}

static void add_arguments(observing *o, const seen_kernel *k, const signature *of, observed_launch *l) {
  for (uint32_t i = 0; i < of->count && i < k->count; i++) {
    const parameter *p = &of->parameters[i];
    const set_argument *a = &k->arguments[i];
    if (!a->set) continue;
    if (p->kind == PARAMETER_VALUE && a->kind == CAPTURE_VALUE) {
      add_value(l, i, p, a);
    } else if (p->kind == PARAMETER_LOCAL && a->kind == CAPTURE_LOCAL) {
      *ARRAY_ADD(l->arguments, l->argument_count, l->argument_capacity) =
          (observed_argument){.kind = OBSERVED_LOCAL, .parameter = i, .size = a->size};
    } else if ((p->kind == PARAMETER_GLOBAL || p->kind == PARAMETER_IMAGE) &&
               (a->kind == CAPTURE_MEMORY || is_null(a))) {
      add_buffer(o, l, i, p, a);
    }
  }
  number_memory(l);
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* Integers are known where the parameter is one. */
static made_argument made_of(const set_argument *a, const parameter *p) {
  made_argument out = {.object = CAPTURE_NONE};
  if (a->set && a->kind == CAPTURE_MEMORY) {
    out.object = a->object;
  } else if (a->set && a->kind == CAPTURE_VALUE && p != NULL && p->kind == PARAMETER_VALUE && p->integer &&
             a->size <= 8 && a->size == p->size) {
    out.value = integer_of_bytes(a->bytes, a->size, p->is_unsigned);
    out.known = !p->is_unsigned || (out.value >= 0 && out.value <= INT32_MAX);
  }
  return out;
}

static void keep_launch(observing *o, const capture_command *c, const seen_kernel *k, const asked_source *s,
                        const signature *of) {
  run_made *m = o->to->made;
  made_launch *l = ARRAY_ADD(m->launches, m->launch_count, m->launch_capacity);
  *l = (made_launch){.command = (size_t)(c - o->capture->commands),
                     .source = s == NULL ? SIZE_MAX : (size_t)(s - o->to->sources),
                     .kernel = mem_strdup(k->name),
                     .argument_count = (uint32_t)k->count};
  l->arguments = mem_calloc(k->count + 1, sizeof *l->arguments);
  for (uint32_t i = 0; i < k->count; i++)
    l->arguments[i] = made_of(&k->arguments[i], of != NULL && i < of->count ? &of->parameters[i] : NULL);
}

/* `of` NULL: nothing is known of the parameters. */
static void forget_written(observing *o, const seen_kernel *k, const signature *of) {
  for (size_t i = 0; i < k->count; i++) {
    const set_argument *a = &k->arguments[i];
    const bool read_only = of != NULL && i < of->count && of->parameters[i].read_only;
    if (a->set && a->kind == CAPTURE_MEMORY && a->object != CAPTURE_NONE && !read_only &&
        !o->memory.objects[a->object].constant)
      contents_forget(&o->memory, a->object);
  }
}

static int take_launch(observing *o, const capture_command *c, error *e) {
  const seen_kernel *k = &o->kernels[c->u.launch.kernel];
  seen_program *p = &o->programs[k->program];
  if (!p->looked_at && look_at(o, p, e) != 0) return -1;
  asked_source *s = source_of(o, p, k->name);
  const signature *of = s == NULL ? NULL : asked_signature(s, k->name);
  if (o->to->made != NULL) keep_launch(o, c, k, s, of);
  if (of != NULL) {
    static const uint64_t one[3] = {1, 1, 1};
    asked_kernel *to = asked_kernel_find(s, k->name);
    to = to == NULL ? asked_kernel_add(s, k->name) : to;
    observed_launch l = {0};
    const bool task = c->u.launch.task;
    const uint64_t *local = task ? one : c->u.launch.has_local ? c->u.launch.local : NULL;
    if (launches_size(&l, task ? 1 : c->u.launch.dimensions, task ? one : c->u.launch.global, local)) {
      for (uint32_t i = 0; i < l.dimensions && c->u.launch.has_offset; i++) l.offset[i] = c->u.launch.offset[i];
      add_arguments(o, k, of, &l);
      launches_add(to, &l);
    } else {
      to->uneven++;
    }
  }
  forget_written(o, k, of);
  return 0;
}

/* --- all commands ------------------------------------------------------------------------------------------------- */

static void add_kernel(observing *o, uint32_t program, const char *name) {
  seen_kernel *k = ARRAY_ADD(o->kernels, o->kernel_count, o->kernel_capacity);
  k->program = program;
  k->name = name;
}

static void clone_kernel(observing *o, uint32_t from) {
  add_kernel(o, o->kernels[from].program, o->kernels[from].name);
  seen_kernel *k = &o->kernels[o->kernel_count - 1];
  for (uint32_t i = 0; i < o->kernels[from].count; i++) *argument_at(k, i) = o->kernels[from].arguments[i];
}

static void set(observing *o, const capture_command *c) {
  *argument_at(&o->kernels[c->u.argument.kernel], c->u.argument.index) =
      (set_argument){true, c->u.argument.kind, c->u.argument.bytes, c->u.argument.size, c->u.argument.object};
}

static int take(observing *o, const capture_command *c, error *e) {
  switch (c->kind) {
    case CAPTURE_PROGRAM:
      *ARRAY_ADD(o->programs, o->program_count, o->program_capacity) = (seen_program){.built = c};
      return 0;
    case CAPTURE_KERNEL: add_kernel(o, c->u.kernel.program, c->u.kernel.name); return 0;
    case CAPTURE_CLONE: clone_kernel(o, c->u.clone.kernel); return 0;
    case CAPTURE_ARGUMENT: set(o, c); return 0;
    case CAPTURE_LAUNCH: return take_launch(o, c, e);
    default:
      contents_take(&o->memory, o->capture, c);
      if (o->to->made != NULL && capture_makes_memory(c)) made_add_object(o->to->made, c);
      return 0;
  }
}

static void release(observing *o) {
  for (size_t i = 0; i < o->kernel_count; i++) free(o->kernels[i].arguments);
  for (size_t i = 0; i < o->program_count; i++) free(o->programs[i].sources);
  for (size_t i = 0; i < o->directory_count; i++) free(o->directories[i]);
  free(o->kernels);
  free(o->programs);
  free(o->directories);
  contents_free(&o->memory);
}

int observe_capture(const capture *c, const char *scratch, char *const *argv, observation *to, error *e) {
  observing o = {.capture = c, .scratch = scratch, .to = to};
  if (argv[0] != NULL) add_directories(argv, &o.directories, &o.directory_count, &o.directory_capacity);
  int result = 0;
  for (size_t i = 0; i < c->command_count && result == 0; i++) result = take(&o, &c->commands[i], e);
  for (size_t i = 0; i < to->count; i++)
    for (size_t k = 0; k < to->sources[i].kernel_count; k++) launches_narrow(&to->sources[i].kernels[k]);
  release(&o);
  return result;
}

static void add_image(const run_made *m, made_object *o, const capture_command *c) {
  uint64_t extent[3] = {0};
  o->image = true;
  o->element = capture_element(c->u.image.order, c->u.image.data_type);
  (void)capture_extent(c, extent);
  for (int i = 0; i < 3; i++) o->extent[i] = extent[i];
  o->size = capture_region_bytes(extent, (uint32_t)o->element);
  if (c->u.image.buffer != CAPTURE_NONE) {
    o->size = m->objects[c->u.image.buffer].size; /* rows may lie apart */
    o->element = 0;
  }
}

static void made_add_object(run_made *m, const capture_command *c) {
  const stored_object *stored = stored_take(&m->stored, c);
  const bool inherited = stored->part_of != CAPTURE_NONE && m->objects[stored->part_of].constant;
  made_object o = {.root = stored->owner,
                   .origin = stored->origin,
                   .size = stored->size,
                   .constant = inherited || (stored->flags & CL_MEM_READ_ONLY) != 0};
  if (c->kind == CAPTURE_IMAGE) add_image(m, &o, c);
  *ARRAY_ADD(m->objects, m->object_count, m->object_capacity) = o;
}

void made_free(run_made *m) {
  for (size_t i = 0; i < m->launch_count; i++) {
    free(m->launches[i].kernel);
    free(m->launches[i].arguments);
  }
  free(m->launches);
  free(m->objects);
  stored_free(&m->stored);
  *m = (run_made){0};
}

/* Launches as lists of numbers that are compared one by one. */

enum { STORED_MOST = 1024, CHOSEN_LOCAL = 64 };

/* --- comparing ---------------------------------------------------------------------------------------------------- */

static size_t differing(const uint64_t *a, const uint64_t *b) {
  size_t count = 0;
  for (int i = 0; i < 3; i++) count += a[i] != b[i] ? 1 : 0;
  return count;
}

static size_t facts_apart(const contents_facts *a, const contents_facts *b) {
  const bool same = a->distinct == b->distinct && a->ascending == b->ascending && a->identity == b->identity &&
                    a->bounded == b->bounded && a->low == b->low && a->high == b->high;
  return same ? 0 : 1;
}

static size_t arguments_apart(const observed_argument *a, const observed_argument *b) {
  if (a->kind != b->kind || a->parameter != b->parameter) return 1;
  if (a->kind == OBSERVED_INTEGER) return a->integer != b->integer ? 1 : 0;
  if (a->kind == OBSERVED_BYTES) return a->size != b->size || memcmp(a->bytes, b->bytes, a->size) != 0 ? 1 : 0;
  return (a->size != b->size ? 1u : 0u) + (a->null != b->null ? 1u : 0u) + (a->memory != b->memory ? 1u : 0u) +
         (a->offset != b->offset ? 1u : 0u) + facts_apart(&a->facts, &b->facts);
}

size_t launches_apart(const observed_launch *a, const observed_launch *b) {
  size_t count = (a->dimensions != b->dimensions ? 1u : 0u) + (a->local_chosen != b->local_chosen ? 1u : 0u);
  count += differing(a->local, b->local) + differing(a->groups, b->groups) + differing(a->offset, b->offset);
  if (a->argument_count != b->argument_count) return count + 1;
  for (size_t i = 0; i < a->argument_count; i++) count += arguments_apart(&a->arguments[i], &b->arguments[i]);
  return count;
}

/* --- collecting --------------------------------------------------------------------------------------------------- */

void launches_add(asked_kernel *k, observed_launch *l) {
  k->made++;
  for (size_t i = k->launch_count; i-- > 0;) { /* mostly it is like one of the last */
    if (launches_apart(&k->launches[i], l) == 0) {
      k->launches[i].count++;
      observed_launch_free(l);
      return;
    }
  }
  k->distinct++;
  if (k->launch_count == STORED_MOST) {
    observed_launch_free(l);
    return;
  }
  l->count = 1;
  l->first = k->made;
  *ARRAY_ADD(k->launches, k->launch_count, k->launch_capacity) = *l;
  *l = (observed_launch){0};
}

void launches_narrow(asked_kernel *k) {
  if (k->launch_count <= LAUNCHES_MOST) return;
  size_t *nearest = mem_calloc(k->launch_count, sizeof *nearest); /* of those that are taken */
  for (size_t i = 0; i < k->launch_count; i++) nearest[i] = launches_apart(&k->launches[0], &k->launches[i]);
  for (size_t taken = 1; taken < LAUNCHES_MOST; taken++) {
    size_t furthest = taken;
    for (size_t i = taken; i < k->launch_count; i++) furthest = nearest[i] > nearest[furthest] ? i : furthest;
    const observed_launch other = k->launches[taken];
    k->launches[taken] = k->launches[furthest];
    k->launches[furthest] = other;
    nearest[furthest] = nearest[taken];
    for (size_t i = taken + 1; i < k->launch_count; i++) {
      const size_t apart = launches_apart(&k->launches[taken], &k->launches[i]);
      nearest[i] = apart < nearest[i] ? apart : nearest[i];
    }
  }
  for (size_t i = LAUNCHES_MOST; i < k->launch_count; i++) observed_launch_free(&k->launches[i]);
  k->launch_count = LAUNCHES_MOST;
  free(nearest);
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

/* A size that a driver may take: the largest that fits, up to that of most devices' warps. */
static uint64_t divisor(uint64_t global) {
  uint64_t local = CHOSEN_LOCAL;
  while (global % local != 0) local--;
  return local;
}

bool launches_size(observed_launch *l, uint32_t dimensions, const uint64_t *global, const uint64_t *local) {
  l->dimensions = dimensions;
  l->local_chosen = local == NULL;
  for (uint32_t i = 0; i < 3; i++) {
    const uint64_t items = i < dimensions ? global[i] : 1;
    l->local[i] = i >= dimensions ? 1 : local != NULL ? local[i] : i == 0 && items > 0 ? divisor(items) : 1;
    if (items == 0 || l->local[i] == 0 || items % l->local[i] != 0) return false;
    l->groups[i] = items / l->local[i];
  }
  return true;
}
