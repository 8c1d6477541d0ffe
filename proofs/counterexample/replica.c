/* Replicas of counterexamples: launches with what the model says, else what was observed at a launch of these sizes,
 * else something that does no harm; captures of them, and their runs. */
#include "proofs/counterexample/replica.h"

#include <CL/cl.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/integer.h"

#define REPLICA_MEMORY_MOST (UINT64_C(256) << 20) /* bytes of all its buffers */

enum { ELEMENTS_LEAST = 65536, ELEMENTS_AN_ITEM = 4, ELEMENTS_BEHIND = 64 };

#define ITEMS_MOST (UINT64_C(1) << 20)
#define GROUP_MOST 4096

/* --- sizes -------------------------------------------------------------------------------------------------------- */

static const char *take_sizes(const answer_finding *f, replica *out) {
  uint64_t items = 1, group = 1;
  if (!f->has_sizes) return "the counterexample has no sizes";
  out->dimensions = 1;
  for (uint32_t i = 0; i < 3; i++) {
    const uint64_t local = f->local_size[i], groups = f->groups[i];
    if (local == 0 || groups == 0 || local > ITEMS_MOST || groups > ITEMS_MOST || local * groups > ITEMS_MOST / items)
      return "it needs more than a million work-items";
    items *= local * groups;
    group *= local;
    out->local[i] = local;
    out->global[i] = local * groups;
    out->offset[i] = f->offset[i];
    out->dimensions = out->global[i] > 1 || out->offset[i] > 0 ? i + 1 : out->dimensions;
  }
  return group > GROUP_MOST ? "its work-groups are larger than devices take" : NULL;
}

/* --- observed launches -------------------------------------------------------------------------------------------- */

/* The value of an argument, as a witness has it; NULL: nothing is said. */
static const char *said(const answer_finding *f, const char *name) {
  for (size_t i = 0; i < f->row.witness_count; i++) {
    const db_witness *w = &f->row.witness[i];
    if (strcmp(w->kind, "argument") == 0 && strcmp(w->what, name) == 0) return w->value;
  }
  return NULL;
}

static bool fits(const observed_launch *l, const signature *of, const answer_finding *f) {
  if (memcmp(l->local, f->local_size, sizeof l->local) != 0 || memcmp(l->groups, f->groups, sizeof l->groups) != 0 ||
      memcmp(l->offset, f->offset, sizeof l->offset) != 0)
    return false;
  for (size_t i = 0; i < l->argument_count; i++) {
    const observed_argument *a = &l->arguments[i];
    const char *s = said(f, of->parameters[a->parameter].name);
    if (a->kind == OBSERVED_INTEGER && s != NULL && answer_bytes(s) == NULL && strtoll(s, NULL, 10) != a->integer)
      return false;
  }
  return true;
}

static const observed_launch *find_launch(const asked_source *s, const char *kernel, const signature *of,
                                          const answer_finding *f) {
  const asked_kernel *k = asked_kernel_find(s, kernel);
  for (size_t i = 0; k != NULL && i < k->launch_count; i++)
    if (fits(&k->launches[i], of, f)) return &k->launches[i];
  return NULL;
}

static const observed_argument *observed(const observed_launch *l, size_t index) {
  for (size_t i = 0; l != NULL && i < l->argument_count; i++)
    if (l->arguments[i].parameter == index) return &l->arguments[i];
  return NULL;
}

/* --- arguments ---------------------------------------------------------------------------------------------------- */

static void take_bytes(const char *hexadecimal, unsigned char *to, uint64_t size) {
  for (uint64_t i = 0; i < size; i++) {
    const int high = hexadecimal[2 * i] == '\0' ? -1 : hex_digit(hexadecimal[2 * i]);
    const int low = high < 0 ? -1 : hex_digit(hexadecimal[2 * i + 1]);
    if (low < 0) return;
    to[i] = (unsigned char)(high * 16 + low);
  }
}

static const char *take_value(const answer_finding *f, const observed_argument *seen, replica_argument *to) {
  const char *given = said(f, to->is->name), *bytes = given == NULL ? NULL : answer_bytes(given);
  to->size = to->is->size;
  if (to->size == 0) return "the size of an argument is not known";
  to->bytes = mem_calloc(to->size, 1);
  if (bytes != NULL) {
    take_bytes(bytes, to->bytes, to->size);
  } else if (given != NULL || (seen != NULL && seen->kind == OBSERVED_INTEGER)) {
    const int64_t n = given != NULL ? strtoll(given, NULL, 10) : seen->integer;
    memcpy(to->bytes, &n, to->size < sizeof n ? to->size : sizeof n);
  } else if (seen != NULL && seen->kind == OBSERVED_BYTES) {
    memcpy(to->bytes, seen->bytes, to->size < seen->size ? to->size : seen->size);
  }
  return NULL;
}

static uint64_t product(const uint64_t *n) { return n[0] * n[1] * n[2]; }

/* Elements that the counterexample touches, as far as it says so. */
static uint64_t elements_touched(const answer_finding *f, const replica_argument *a) {
  uint64_t most = 0;
  const db_number element = f->row.detail.element;
  if (strcmp(f->row.detail.object, a->is->name) == 0 && element.known)
    most = element.value < REPLICA_MEMORY_MOST ? element.value + 1 : REPLICA_MEMORY_MOST;
  for (size_t i = 0; i < a->cell_count; i++) {
    const uint64_t cell = a->cells[i].element < REPLICA_MEMORY_MOST ? a->cells[i].element : REPLICA_MEMORY_MOST;
    const uint64_t touched = cell * a->cells[i].size / (a->is->size == 0 ? 1 : a->is->size);
    most = touched >= most ? touched + 1 : most;
  }
  return most;
}

static void take_contents(const answer_finding *f, const observed_argument *seen, replica_argument *to) {
  for (size_t i = 0; i < f->contents_count; i++) {
    if (strcmp(f->contents[i].buffer, to->is->name) == 0) {
      to->cells = f->contents[i].cells;
      to->cell_count = f->contents[i].count;
      if (to->cell_count > 0 && to->cells[0].size == to->is->size) { /* others do what the first work-item does */
        to->fill = FILL_ALIKE;
        to->from = to->cells[0].value;
      }
    }
  }
  if (seen != NULL && to->is->integer && (seen->facts.identity || seen->facts.distinct)) {
    to->fill = FILL_COUNTING;
    to->from = seen->facts.identity ? 0 : seen->facts.low;
  }
}

/* An access past the end is seen where the end is as the proof has it; else there is room for all that may follow. */
static const char *take_memory(const replica *r, const answer_finding *f, const observed_argument *seen,
                               replica_argument *to) {
  const uint64_t element = to->is->size == 0 ? 16 : to->is->size;
  const bool local = to->is->kind == PARAMETER_LOCAL;
  const uint64_t items = product(local ? r->local : r->global);
  take_contents(f, seen, to);
  if (seen != NULL && seen->size > 0) {
    to->size = seen->size;
    return NULL;
  }
  if (strcmp(f->row.rule, "out-of-bounds") == 0 && strcmp(f->row.detail.object, to->is->name) == 0) {
    to->size = f->row.detail.size.value;
    return to->size == 0 ? "the size of the buffer that is left is not known" : NULL;
  }
  const uint64_t least = local ? 0 : ELEMENTS_LEAST, behind = local ? 0 : ELEMENTS_BEHIND;
  const uint64_t touched = elements_touched(f, to) + behind, usual = items * (local ? 1 : ELEMENTS_AN_ITEM);
  uint64_t elements = touched > usual ? touched : usual;
  elements = elements > least ? elements : least;
  if (elements > REPLICA_MEMORY_MOST / element) return "it needs a buffer that is larger than 256 MiB";
  to->size = elements * element;
  return NULL;
}

static const char *take_argument(replica *r, const answer_finding *f, const observed_launch *l, size_t index) {
  replica_argument *to = &r->arguments[index];
  switch (to->is->kind) {
    case PARAMETER_VALUE: return take_value(f, observed(l, index), to);
    case PARAMETER_GLOBAL:
    case PARAMETER_LOCAL: return take_memory(r, f, observed(l, index), to);
    case PARAMETER_IMAGE: return "it needs images";
    default: return "an argument is neither a value nor memory";
  }
}

static bool is_there(const observed_argument *a) {
  return a != NULL && a->kind == OBSERVED_BUFFER && !a->null && a->size > 0;
}

void replica_share(replica *r, const observed_launch *l) {
  for (size_t i = 0; i < r->count; i++) {
    const observed_argument *a = observed(l, i);
    replica_argument *to = &r->arguments[i];
    to->same_as = i;
    to->null = to->is->kind == PARAMETER_GLOBAL && a != NULL && a->null;
    to->size = to->null ? 0 : to->size;
    for (size_t k = 0; k < i && is_there(a) && to->same_as == i; k++) {
      const observed_argument *b = observed(l, k);
      if (is_there(b) && b->memory == a->memory) {
        to->same_as = r->arguments[k].same_as;
        to->offset = a->offset;
        r->arguments[k].offset = b->offset;
      }
    }
  }
}

const char *replica_make(const asked_source *s, const char *kernel, const answer_finding *f, replica *out) {
  *out = (replica){.source = s, .finding = f, .kernel = kernel};
  const signature *of = asked_signature(s, kernel);
  if (of == NULL) return "the kernel's parameters are not known";
  const char *problem = take_sizes(f, out);
  const observed_launch *l = find_launch(s, kernel, of, f);
  out->arguments = mem_calloc(of->count + 1, sizeof *out->arguments);
  out->count = of->count;
  uint64_t memory = 0;
  for (size_t i = 0; i < of->count; i++) {
    out->arguments[i].is = &of->parameters[i];
    problem = problem == NULL ? take_argument(out, f, l, i) : problem;
    memory += out->arguments[i].is->kind == PARAMETER_GLOBAL ? out->arguments[i].size : 0;
    if (problem == NULL && memory > REPLICA_MEMORY_MOST) problem = "it needs buffers that are larger than 256 MiB";
  }
  replica_share(out, l);
  return problem;
}

void replica_free(replica *r) {
  for (size_t i = 0; i < r->count; i++) free(r->arguments[i].bytes);
  free(r->arguments);
  *r = (replica){0};
}

/* What buffers of a launch hold at first. */

/* A type is of such numbers: "float4" of floats. */
typedef struct numbers {
  uint64_t width; /* bytes */
  bool real;
} numbers;

static numbers numbers_of(const parameter *p) {
  static const struct {
    const char *name;
    numbers are;
  } known[] = {{"char", {1, false}},   {"uchar", {1, false}}, {"bool", {1, false}},  {"short", {2, false}},
               {"ushort", {2, false}}, {"half", {2, false}},  {"int", {4, false}},   {"uint", {4, false}},
               {"float", {4, true}},   {"long", {8, false}},  {"ulong", {8, false}}, {"size_t", {8, false}},
               {"double", {8, true}}};
  const size_t letters = strspn(p->type, "abcdefghijklmnopqrstuvwxyz_");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i].name) == letters && strncmp(known[i].name, p->type, letters) == 0 &&
        strspn(p->type + letters, "0123456789") == strlen(p->type + letters))
      return known[i].are;
  return (numbers){p->integer && p->size <= 8 ? p->size : p->size % 4 == 0 && p->size > 0 ? 4 : 1, false};
}

uint64_t replica_draw(uint64_t seed, uint64_t number) {
  uint64_t x = seed + (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static int64_t number_at(const replica_argument *a, uint64_t i, uint64_t step, uint64_t count) {
  const uint64_t most = (uint64_t)a->to - (uint64_t)a->from;
  uint64_t up = 0; /* from `from` */
  if (a->fill == FILL_DRAWN) {
    up = replica_draw(a->seed, i);
    up = most == UINT64_MAX ? up : up % (most + 1);
  } else if (a->fill == FILL_SHUFFLED) {
    up = (i * step + a->seed % count) % count;
  } else {
    up = i / 2 < most ? i / 2 : most;
  }
  return (int64_t)((uint64_t)a->from + up);
}

static void put_number(numbers n, int64_t value, unsigned char *to) {
  if (n.real && n.width == 4) {
    const float real = (float)value / 4;
    memcpy(to, &real, sizeof real);
  } else if (n.real) {
    const double real = (double)value / 4;
    memcpy(to, &real, sizeof real);
  } else {
    memcpy(to, &value, (size_t)n.width);
  }
}

static void fill_numbers(const replica_argument *a, unsigned char *bytes) {
  const bool image = a->picture.object != 0;
  const numbers n = image ? (numbers){sizeof(cl_float), a->picture.data == CL_FLOAT} : numbers_of(a->is);
  const uint64_t count = a->size / n.width;
  uint64_t step = count > 2 ? 1 + a->seed % (count - 2) : 1;
  while (common_divisor(step, count == 0 ? 1 : count) != 1) step++;
  for (uint64_t i = 0; i < count; i++) put_number(n, number_at(a, i, step, count), bytes + i * n.width);
}

void replica_fill(const replica_argument *a, unsigned char *bytes) {
  const uint64_t element = a->is->size, count = element == 0 ? 0 : a->size / element;
  const uint64_t width = element < sizeof(int64_t) ? element : sizeof(int64_t);
  if (a->fill >= FILL_DRAWN) {
    fill_numbers(a, bytes);
    return;
  }
  for (uint64_t i = 0; a->fill != FILL_ZERO && i < count; i++) {
    const int64_t n = a->from + (a->fill == FILL_COUNTING ? (int64_t)i : 0);
    memcpy(bytes + i * element, &n, width);
  }
  for (size_t i = 0; i < a->cell_count; i++) {
    const answer_cell *c = &a->cells[i];
    if (c->element < a->size / c->size) memcpy(bytes + c->element * c->size, &c->value, c->size);
  }
}

/* --- images ------------------------------------------------------------------------------------------------------- */

bool replica_is_sampler(const parameter *p) {
  return p->kind == PARAMETER_OTHER && strstr(p->type, "sampler_t") != NULL;
}

unsigned replica_image_dimensions(const parameter *p, uint32_t *object) {
  static const struct {
    const char *type;
    uint32_t object;
    unsigned dimensions;
  } known[] = {{"image2d_t", CL_MEM_OBJECT_IMAGE2D, 2},
               {"image3d_t", CL_MEM_OBJECT_IMAGE3D, 3},
               {"image1d_t", CL_MEM_OBJECT_IMAGE1D, 1},
               {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, 3},
               {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, 2}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strstr(p->type, known[i].type) != NULL) {
      *object = known[i].object;
      return known[i].dimensions;
    }
  }
  return 0;
}

/* The launch of a counterexample as a capture, so that whatever does captures again does it. */

typedef struct composing {
  const replica *r;
  capture *to;
  size_t commands, blobs; /* capacities */
  uint32_t *objects;      /* by argument: its memory object, or sampler */
  uint32_t count, samplers;
} composing;

static capture_command *add(composing *c, capture_kind kind) {
  capture_command *next = ARRAY_ADD(c->to->commands, c->to->command_count, c->commands);
  next->kind = kind;
  return next;
}

static void add_program(composing *c, const char *more) {
  const request_source *s = asked_text(c->r->source);
  capture_command *program = add(c, CAPTURE_PROGRAM), *kernel = NULL;
  program->u.program.link_options = mem_strdup("");
  program->u.program.sources = mem_calloc(1, sizeof *program->u.program.sources);
  program->u.program.source_count = 1;
  program->u.program.sources[0].text =
      c->r->text != NULL ? mem_strdup(c->r->text) : mem_strndup(s->input.text, s->input.length);
  const char *own = c->r->options != NULL ? c->r->options : s->options;
  buffer options = {0};
  buffer_printf(&options, "%s%s%s", own == NULL ? "" : own, *more == '\0' ? "" : " ", more);
  program->u.program.sources[0].options = buffer_take(&options);
  kernel = add(c, CAPTURE_KERNEL);
  kernel->u.kernel.name = mem_strdup(c->r->kernel);
}

/* The memory of an argument and of all that share it. */
static void add_memory(composing *c, size_t first) {
  uint64_t size = 0;
  for (size_t i = first; i < c->r->count; i++) {
    const replica_argument *a = &c->r->arguments[i];
    if (a->is->kind == PARAMETER_GLOBAL && a->same_as == first && a->offset + a->size > size)
      size = a->offset + a->size;
  }
  unsigned char *bytes = mem_calloc(1, (size_t)size + 1);
  for (size_t i = first; i < c->r->count; i++) {
    const replica_argument *a = &c->r->arguments[i];
    if (a->is->kind == PARAMETER_GLOBAL && a->same_as == first) replica_fill(a, bytes + a->offset);
  }
  *ARRAY_ADD(c->to->blobs, c->to->blob_count, c->blobs) = (capture_blob){bytes, (size_t)size};
  capture_command *next = add(c, CAPTURE_BUFFER);
  next->u.buffer.size = size;
  next->u.buffer.blob = (uint32_t)(c->to->blob_count - 1);
  c->objects[first] = c->count++;
}

static void add_part(composing *c, size_t i) {
  const replica_argument *a = &c->r->arguments[i];
  capture_command *next = add(c, CAPTURE_SUB_BUFFER);
  next->u.sub_buffer.parent = c->objects[a->same_as];
  next->u.sub_buffer.origin = a->offset;
  next->u.sub_buffer.size = a->size;
  c->objects[i] = c->count++;
}

static void add_image(composing *c, size_t i) {
  const replica_argument *a = &c->r->arguments[i];
  const replica_picture *p = &a->picture;
  const bool array = p->object == CL_MEM_OBJECT_IMAGE1D_ARRAY || p->object == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  const uint64_t layers = !array ? 0 : p->extent[2] > 0 ? p->extent[2] : p->extent[1];
  unsigned char *bytes = mem_calloc(1, (size_t)a->size + 1);
  replica_fill(a, bytes);
  *ARRAY_ADD(c->to->blobs, c->to->blob_count, c->blobs) = (capture_blob){bytes, (size_t)a->size};
  capture_command *next = add(c, CAPTURE_IMAGE);
  next->u.image.flags = a->is->read_only ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
  next->u.image.order = CL_RGBA;
  next->u.image.data_type = p->data;
  next->u.image.type = p->object;
  next->u.image.width = p->extent[0];
  next->u.image.height = p->object == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 0 : p->extent[1];
  next->u.image.depth = array ? 0 : p->extent[2];
  next->u.image.array_size = layers;
  next->u.image.buffer = CAPTURE_NONE;
  next->u.image.blob = (uint32_t)(c->to->blob_count - 1);
  c->objects[i] = c->count++;
}

static void add_sampler(composing *c, size_t i) {
  capture_command *next = add(c, CAPTURE_SAMPLER);
  next->u.sampler.addressing = CL_ADDRESS_CLAMP_TO_EDGE;
  next->u.sampler.filter = CL_FILTER_NEAREST;
  c->objects[i] = c->samplers++;
}

static void add_argument(composing *c, size_t i) {
  const replica_argument *a = &c->r->arguments[i];
  const bool shares = a->is->kind == PARAMETER_GLOBAL && (a->same_as != i || a->offset > 0);
  if (a->is->kind == PARAMETER_GLOBAL && a->same_as == i && !a->null) add_memory(c, i);
  const uint32_t whole = c->objects[a->same_as < c->r->count ? a->same_as : i];
  if (shares && (a->offset > 0 || a->same_as != i)) add_part(c, i);
  if (a->picture.object != 0 && a->same_as != i)
    c->objects[i] = whole;
  else if (a->picture.object != 0)
    add_image(c, i);
  else if (replica_is_sampler(a->is))
    add_sampler(c, i);
  capture_command *next = add(c, CAPTURE_ARGUMENT);
  next->u.argument.index = (uint32_t)i;
  next->u.argument.object = CAPTURE_NONE;
  if (a->is->kind == PARAMETER_GLOBAL) {
    next->u.argument.kind = CAPTURE_MEMORY;
    next->u.argument.object = a->null ? CAPTURE_NONE : shares ? c->objects[i] : whole;
  } else if (a->picture.object != 0 || replica_is_sampler(a->is)) {
    next->u.argument.kind = a->picture.object != 0 ? CAPTURE_MEMORY : CAPTURE_SAMPLE;
    next->u.argument.object = c->objects[i];
  } else if (a->is->kind == PARAMETER_LOCAL) {
    next->u.argument.kind = CAPTURE_LOCAL;
    next->u.argument.size = a->size;
  } else {
    next->u.argument.kind = CAPTURE_VALUE;
    next->u.argument.size = a->size;
    next->u.argument.bytes = mem_calloc(1, (size_t)a->size + 1);
    memcpy(next->u.argument.bytes, a->bytes, (size_t)a->size);
  }
}

/* The host waits for it: what a launch has shown is known even where the next one crashes. */
static void add_wait(composing *c) {
  for (size_t i = 0; i < c->r->count; i++) {
    const replica_argument *a = &c->r->arguments[i];
    if (a->is->kind == PARAMETER_GLOBAL && a->size > 0) {
      capture_command *next = add(c, CAPTURE_READ);
      next->u.transfer.at.memory = c->objects[a->same_as];
      next->u.transfer.size = 1;
      return;
    }
  }
}

static void add_launch(composing *c) {
  const replica *r = c->r;
  for (size_t i = 0; i < r->count; i++) add_argument(c, i);
  capture_command *launch = add(c, CAPTURE_LAUNCH);
  launch->u.launch.dimensions = r->dimensions;
  launch->u.launch.has_local = true;
  for (uint32_t d = 0; d < r->dimensions; d++)
    launch->u.launch.has_offset = launch->u.launch.has_offset || r->offset[d] > 0;
  for (uint32_t d = 0; d < r->dimensions; d++) {
    launch->u.launch.global[d] = r->global[d];
    launch->u.launch.local[d] = r->local[d];
    launch->u.launch.offset[d] = launch->u.launch.has_offset ? r->offset[d] : 0;
  }
}

void replicas_capture(const replica *all, size_t count, const char *more, capture *to) {
  composing c = {.r = all, .to = to, .objects = mem_calloc(all->count + 1, sizeof(uint32_t))};
  to->directory = mem_strdup(asked_text(all->source)->input.directory);
  to->device = mem_strdup("");
  to->program = mem_strdup(asked_text(all->source)->name);
  add_program(&c, more);
  for (size_t i = 0; i < count; i++) {
    c.r = &all[i];
    add_launch(&c);
    if (count > 1) add_wait(&c);
  }
  free(c.objects);
}

void replica_capture(const replica *r, capture *to) { replicas_capture(r, 1, "", to); }

/* One definite finding after another. */

/* "KERNEL-RULE-1": the source's name goes first, as several may have a kernel of that name. */
static char *case_name(const asked_source *s, const verify_answer *a, size_t number) {
  const char *file = path_end(asked_text(s)->name);
  buffer name = {0};
  buffer_printf(&name, "%.*s-%s-%s-%zu", (int)strcspn(file, "."), file, a->kernel, a->findings[number].row.rule,
                number + 1);
  for (char *c = name.data; *c != '\0'; c++) *c = isalnum((unsigned char)*c) != 0 || *c == '_' ? *c : '-';
  return buffer_take(&name);
}

static int keep_launch(const confirm_options *o, const replica *r, const verify_answer *a, size_t number, error *e) {
  if (o->keep == NULL) return 0;
  char *name = case_name(r->source, a, number);
  const int result = o->keep(o->context, r, name, e);
  free(name);
  return result;
}

/* Replicas of the findings that are asked about: those of others are zeroed. */
static replica *make_all(const confirm_options *o, const asked_source *s, const verify_answer *a, confirmation *out) {
  replica *all = mem_calloc(a->finding_count + 1, sizeof *all);
  const bool wanted = o->run != NULL || o->keep != NULL;
  for (size_t i = 0; i < a->finding_count; i++) {
    const char *problem = NULL;
    if (a->findings[i].seen) {
      out[i] =
          (confirmation){CONFIRMED_YES, mem_strdup("a run of this launch with the ends of memory watched shows it")};
    } else if (wanted && !a->findings[i].row.possible) {
      problem = replica_make(s, a->kernel, &a->findings[i], &all[i]);
    }
    if (problem != NULL) {
      out[i] = (confirmation){CONFIRMED_NOT_LAUNCHABLE, mem_strdup(problem)};
      replica_free(&all[i]);
    }
  }
  return all;
}

/* Those that are run on a device, in one go. */
static void run_all(const confirm_options *o, const verify_answer *a, const replica *all, confirmation *out) {
  replica *launches = mem_calloc(a->finding_count + 1, sizeof *launches);
  confirmation *became = mem_calloc(a->finding_count + 1, sizeof *became);
  size_t count = 0;
  for (size_t i = 0; i < a->finding_count; i++)
    if (all[i].source != NULL) launches[count++] = all[i];
  const bool ran = count > 0 && o->run != NULL && o->run(o->runner, launches, count, a->seconds, became) == 0;
  for (size_t i = 0, k = 0; i < a->finding_count && ran; i++)
    if (all[i].source != NULL) out[i] = became[k++];
  free(launches);
  free(became);
}

confirmation *confirm(const confirm_options *o, const asked_source *s, const verify_answer *a, error *e) {
  confirmation *out = mem_calloc(a->finding_count + 1, sizeof *out);
  replica *all = make_all(o, s, a, out);
  int result = 0;
  run_all(o, a, all, out);
  for (size_t i = 0; i < a->finding_count; i++) {
    if (all[i].source != NULL && result == 0) result = keep_launch(o, &all[i], a, i, e);
    replica_free(&all[i]);
  }
  free(all);
  if (result != 0) {
    confirmations_free(out, a->finding_count);
    return NULL;
  }
  return out;
}

void confirmations_free(confirmation *c, size_t count) {
  for (size_t i = 0; c != NULL && i < count; i++) free(c[i].why);
  free(c);
}
