/* The buffers, images and samplers of a capture in words, with the names and types that kernels give them: constants,
 * ramps, formulas, values or files. */
#include <CL/cl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integer.h"
#include "base/memory.h"
#include "base/names.h"
#include "cases/internal.h"
#include "wire/capture_shape.h"

const case_kernel *describing_kernel(const describing *d, const char *name) {
  return NAMED(d->kernels.items, d->kernels.count, name, name);
}

static given_kernel *add_kernel(describing *d, const char *name, uint32_t program) {
  given_kernel *k = ARRAY_ADD(d->given, d->given_count, d->given_capacity);
  k->name = name;
  k->program = program;
  k->count = CAPTURE_ARGUMENTS_LOOKED_AT;
  k->arguments = mem_calloc(k->count, sizeof *k->arguments);
  return k;
}

int describing_track(describing *d, const capture_command *c) {
  if (c->kind == CAPTURE_KERNEL) {
    (void)add_kernel(d, c->u.kernel.name, c->u.kernel.program);
  } else if (c->kind == CAPTURE_CLONE) {
    const given_kernel from = d->given[c->u.clone.kernel];
    memcpy(add_kernel(d, from.name, from.program)->arguments, from.arguments, from.count * sizeof *from.arguments);
  } else if (c->kind == CAPTURE_ARGUMENT) {
    if (c->u.argument.index >= CAPTURE_ARGUMENTS_LOOKED_AT)
      return describing_refuses(d, "its kernel has more than 256 arguments");
    d->given[c->u.argument.kernel].arguments[c->u.argument.index] = c;
  }
  return 0;
}

static bool is_taken(const describing *d, const char *name) {
  for (size_t i = 0; i < d->object_count; i++)
    if (d->objects[i].name != NULL && strcmp(d->objects[i].name, name) == 0) return true;
  for (size_t i = 0; i < d->sampler_count; i++)
    if (d->samplers[i].name != NULL && strcmp(d->samplers[i].name, name) == 0) return true;
  return false;
}

static void name_it(describing *d, described *o, const char *wish) {
  for (unsigned number = 1; o->name == NULL; number++) {
    scoped_buffer name = {0};
    buffer_printf(&name, number == 1 ? "%s" : "%s_%u", wish[0] == '\0' ? "memory" : wish, number);
    if (scope_name_right(buffer_text(&name)) && !is_taken(d, buffer_text(&name))) o->name = buffer_take(&name);
  }
}

/* An object of which a buffer is a part: what stands in the file. */
static described *whole(describing *d, uint32_t number) {
  described *o = &d->objects[number];
  return o->made->kind == CAPTURE_SUB_BUFFER ? &d->objects[o->made->u.sub_buffer.parent] : o;
}

/* What a launch's argument says of an object. */
static void learn(describing *d, const capture_command *argument, const case_parameter *p) {
  if (argument->u.argument.kind == CAPTURE_SAMPLE) {
    described *s = &d->samplers[argument->u.argument.object];
    s->wanted = true;
    name_it(d, s, p->name);
  }
  if (argument->u.argument.kind != CAPTURE_MEMORY || argument->u.argument.object == CAPTURE_NONE) return;
  described *o = whole(d, argument->u.argument.object);
  o->wanted = true;
  name_it(d, o, p->name);
  element_type type;
  if (!o->typed && o->made->kind == CAPTURE_BUFFER && case_element_find(p->type, NULL, &type)) {
    o->typed = true;
    o->type = type;
    o->type_name = mem_strdup(p->type);
  }
}

/* --- objects ------------------------------------------------------------------------------------------------------ */

static int add_object(describing *d, const capture_command *c) {
  described *o = ARRAY_ADD(d->objects, d->object_count, d->object_capacity);
  o->made = c;
  if (c->kind == CAPTURE_IMAGE) {
    o->type.number = format_number(c->u.image.data_type);
    if (c->u.image.buffer != CAPTURE_NONE || o->type.number == NUMBER_KINDS ||
        format_order_name(c->u.image.order) == NULL)
      return describing_refuses(d, "it makes an image of a buffer, or of a format that cases do not have");
    o->type.lanes = o->type.used = capture_channels(c->u.image.order);
    o->type.size = (size_t)capture_element(c->u.image.order, c->u.image.data_type);
    o->typed = true;
    (void)capture_extent(c, o->extent);
    o->size = capture_region_bytes(o->extent, o->type.size);
    return 0;
  }
  o->size = o->grain = c->kind == CAPTURE_BUFFER ? c->u.buffer.size : c->u.sub_buffer.size;
  return 0;
}

static void narrow(describing *d, uint32_t number, uint64_t offset, uint64_t size) {
  described *o = whole(d, number);
  const described *part = &d->objects[number];
  const uint64_t origin = part->made->kind == CAPTURE_SUB_BUFFER ? part->made->u.sub_buffer.origin : 0;
  o->grain = common_divisor(common_divisor(o->grain, origin + offset), size);
}

static int look_at(describing *d, const capture_command *c) {
  switch (c->kind) {
    case CAPTURE_BUFFER:
    case CAPTURE_IMAGE: return add_object(d, c);
    case CAPTURE_SUB_BUFFER:
      if (add_object(d, c) != 0) return -1;
      narrow(d, (uint32_t)(d->object_count - 1), 0, c->u.sub_buffer.size);
      return 0;
    case CAPTURE_SAMPLER: ARRAY_ADD(d->samplers, d->sampler_count, d->sampler_capacity)->made = c; return 0;
    case CAPTURE_WRITE:
    case CAPTURE_FILL:
    case CAPTURE_READ:
      narrow(d, c->u.transfer.at.memory, c->u.transfer.at.offset, c->u.transfer.size);
      whole(d, c->u.transfer.at.memory)->wanted = true;
      return 0;
    case CAPTURE_COPY:
      narrow(d, c->u.transfer.at.memory, c->u.transfer.at.offset, c->u.transfer.size);
      narrow(d, c->u.transfer.to.memory, c->u.transfer.to.offset, c->u.transfer.size);
      whole(d, c->u.transfer.at.memory)->wanted = whole(d, c->u.transfer.to.memory)->wanted = true;
      return 0;
    case CAPTURE_READ_IMAGE:
    case CAPTURE_WRITE_IMAGE: d->objects[c->u.transfer.at.memory].wanted = true; return 0;
    default: return describing_track(d, c);
  }
}

static int look_at_launch(describing *d, const capture_command *c) {
  const given_kernel *k = &d->given[c->u.launch.kernel];
  const case_kernel *of = describing_kernel(d, k->name);
  if (of == NULL || of->count > k->count) return describing_refuses(d, "its kernel is not in the source");
  for (size_t i = 0; i < of->count; i++)
    if (k->arguments[i] != NULL) learn(d, k->arguments[i], &of->parameters[i]);
  return 0;
}

/* What is no multiple of its elements is described by its bytes. */
static void settle(describing *d, described *o) {
  if (o->made->kind == CAPTURE_BUFFER && (!o->typed || o->grain % o->type.size != 0)) {
    free(o->type_name);
    o->type_name = mem_strdup("uchar");
    o->type = (element_type){NUMBER_UCHAR, 1, 1, 1};
    o->typed = true;
  }
  if (o->wanted) name_it(d, o, "memory");
}

int describing_objects(describing *d) {
  int result = 0;
  for (d->command = 0; d->command < d->end && result == 0; d->command++) {
    const capture_command *c = &d->capture->commands[d->command];
    result = c->kind == CAPTURE_LAUNCH ? look_at_launch(d, c) : look_at(d, c);
  }
  for (size_t i = 0; i < d->object_count; i++) settle(d, &d->objects[i]);
  return result;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static const char *access_text(uint64_t flags) {
  return (flags & CL_MEM_READ_ONLY) != 0    ? ", access: read-only"
         : (flags & CL_MEM_WRITE_ONLY) != 0 ? ", access: write-only"
                                            : "";
}

static int put_contents(describing *d, const described *o, buffer *out) {
  if (o->bytes == NULL) return 0;
  scoped_buffer name = {0};
  buffer_printf(&name, "%s.bin", o->name);
  buffer_puts(out, ", ");
  return describe_bytes(&o->type, 0, o->bytes, (size_t)o->size, d->folder, buffer_text(&name), out, d->e);
}

static int put_group(describing *d, capture_kind kind, const char *title, buffer *out) {
  bool first = true;
  EACH(const described, o, d->objects, d->object_count) {
    if (!o->wanted || o->made->kind != kind) continue;
    if (first) buffer_printf(out, "    %s:\n", title);
    first = false;
    if (kind == CAPTURE_IMAGE) {
      const capture_command *c = o->made;
      buffer_printf(out, "      %s: {format: %s-%s, size: [%llu", o->name, format_order_name(c->u.image.order),
                    format_type_name(c->u.image.data_type), (unsigned long long)c->u.image.width);
      if (c->u.image.height > 0) buffer_printf(out, ", %llu", (unsigned long long)c->u.image.height);
      if (c->u.image.depth > 0) buffer_printf(out, ", %llu", (unsigned long long)c->u.image.depth);
      buffer_puts(out, "]");
      if (c->u.image.array_size > 0) buffer_printf(out, ", layers: %llu", (unsigned long long)c->u.image.array_size);
    } else {
      buffer_printf(out, "      %s: {type: %s, elements: %llu", o->name, o->type_name,
                    (unsigned long long)(o->size / o->type.size));
    }
    buffer_puts(out, access_text(kind == CAPTURE_IMAGE ? o->made->u.image.flags : o->made->u.buffer.flags));
    if (put_contents(d, o, out) != 0) return -1;
    buffer_puts(out, "}\n");
  }
  return 0;
}

static void put_samplers(const describing *d, buffer *out) {
  bool first = true;
  EACH(const described, s, d->samplers, d->sampler_count) {
    if (s->wanted) {
      buffer_puts(out, first ? "    samplers:\n" : "");
      first = false;
      buffer_printf(out, "      %s: {address: %s, filter: %s, normalized: %s}\n", s->name,
                    format_address_name(s->made->u.sampler.addressing),
                    s->made->u.sampler.filter == CL_FILTER_LINEAR ? "linear" : "nearest",
                    s->made->u.sampler.normalized != 0 ? "true" : "false");
    }
  }
}

int describing_put_objects(describing *d, buffer *out) {
  if (put_group(d, CAPTURE_BUFFER, "buffers", out) != 0 || put_group(d, CAPTURE_IMAGE, "images", out) != 0) return -1;
  put_samplers(d, out);
  return 0;
}

/* Bytes in words: a constant, a ramp, a formula where one gives the same bytes, some values, else a file. */

enum { SEEDS = 32, PERMUTED_MOST = 1 << 16 };

/* Numbers one after another; there are no others between them. */
typedef struct numbers {
  uint32_t kind;
  const unsigned char *bytes;
  size_t count, size; /* of one */
  uint64_t first;     /* which number of its object the first of them is: formulas count from the object's first */
} numbers;

static const unsigned char *at(const numbers *n, size_t i) { return n->bytes + i * n->size; }

static bool same(const numbers *n, size_t i, const unsigned char *bytes) {
  return memcmp(at(n, i), bytes, n->size) == 0;
}

void describe_number(uint32_t kind, const unsigned char *bytes, buffer *out) {
  const size_t before = out->length;
  number_write(kind, bytes, out);
  if (number_is_real(kind) && strcmp(out->data + before, "-0") == 0)
    buffer_puts(out, ".0"); /* an integer has no such 0 */
}

/* Whether the text of the number gives these bytes again: not so of a NaN with other bits. */
bool describe_is_exact(uint32_t kind, const unsigned char *bytes) {
  unsigned char again[8];
  if (!number_is_real(kind)) return true;
  const double value = number_real(kind, bytes);
  number_put_real(kind, again, value);
  unsigned char other[8];
  number_put_real(kind, other, (double)__builtin_nan(""));
  return value == value ? memcmp(again, bytes, number_size(kind)) == 0 : memcmp(other, bytes, number_size(kind)) == 0;
}

/* --- forms -------------------------------------------------------------------------------------------------------- */

static bool is_constant(const numbers *n) {
  for (size_t i = 1; i < n->count; i++)
    if (!same(n, i, n->bytes)) return false;
  return describe_is_exact(n->kind, n->bytes);
}

static bool is_ramp(const numbers *n, double step) {
  const double from = number_real(n->kind, n->bytes);
  for (size_t i = 0; i < n->count; i++) {
    unsigned char bytes[8];
    number_put_real(n->kind, bytes, from + (double)i * step);
    if (!same(n, i, bytes)) return false;
  }
  return true;
}

static bool put_real_ramp(const numbers *n, buffer *out) {
  const double step = number_real(n->kind, at(n, 1)) - number_real(n->kind, n->bytes);
  const double last =
      (number_real(n->kind, at(n, n->count - 1)) - number_real(n->kind, n->bytes)) / (double)(n->count - 1);
  const double steps[] = {step, last};
  unsigned char bytes[8];
  for (size_t i = 0; i < 2; i++) {
    if (steps[i] == steps[i] && steps[i] - steps[i] == 0 && describe_is_exact(n->kind, n->bytes) &&
        is_ramp(n, steps[i])) {
      buffer_puts(out, "ramp: {from: ");
      describe_number(n->kind, n->bytes, out);
      buffer_puts(out, ", step: ");
      number_put_real(NUMBER_DOUBLE, bytes, steps[i]);
      describe_number(NUMBER_DOUBLE, bytes, out);
      buffer_puts(out, "}");
      return true;
    }
  }
  return false;
}

/* The number's place among these, in formulas. */
static void put_index(const numbers *n, buffer *out) {
  if (n->first == 0)
    buffer_puts(out, "i");
  else
    buffer_printf(out, "(i - %llu)", (unsigned long long)n->first);
}

/* Of integers, as these formulas compute them. */
static bool put_integer_form(const numbers *n, buffer *out) {
  const number_wide from = number_integer(n->kind, n->bytes), count = (number_wide)n->count;
  const number_wide step = number_integer(n->kind, at(n, 1)) - from;
  const number_wide turn = step < 0 ? step + count : step;
  bool ramp = number_fits(step),
       turns = from >= 0 && from < count && turn > 0 && turn < count; /* (from + step * i) % count */
  for (size_t i = 0; i < n->count && (ramp || turns); i++) {
    const number_wide is = number_integer(n->kind, at(n, i));
    ramp = ramp && from + (number_wide)i * step == is;
    turns = turns && ((number_wide)i * turn + from) % count == is;
  }
  if (ramp) {
    buffer_puts(out, "ramp: {from: ");
    number_put_wide(from, out);
    buffer_puts(out, ", step: ");
    number_put_wide(step, out);
    buffer_puts(out, "}");
  } else if (turns) {
    buffer_printf(out, "formula: \"(%lld + %lld * ", (long long)from, (long long)turn);
    put_index(n, out);
    buffer_printf(out, ") %% %lld\"", (long long)count);
  }
  return ramp || turns;
}

/* The same numbers again and again: their ramp, in its place. */
static bool put_repeated(const numbers *n, buffer *out) {
  size_t period = 1;
  while (period < n->count && !same(n, period, n->bytes)) period++;
  if (period < 2 || period * 2 > n->count || number_is_real(n->kind)) return false;
  const number_wide from = number_integer(n->kind, n->bytes), step = number_integer(n->kind, at(n, 1)) - from;
  for (size_t i = 0; i < n->count; i++)
    if ((number_wide)(i % period) * step + from != number_integer(n->kind, at(n, i))) return false;
  if (!number_fits(step)) return false;
  buffer_puts(out, "formula: \"");
  number_put_wide(from, out);
  buffer_puts(out, " + ");
  number_put_wide(step, out);
  buffer_puts(out, " * (");
  put_index(n, out);
  buffer_printf(out, " %% %zu)\"", period);
  return true;
}

/* A permutation as a case makes it, of one of the first seeds. */
static bool put_permutation(const numbers *n, buffer *out) {
  for (uint64_t seed = 0; seed < SEEDS && !number_is_real(n->kind) && n->count <= PERMUTED_MOST; seed++) {
    scoped uint64_t *order = case_permutation(seed, n->count);
    size_t i = 0;
    while (i < n->count && number_integer(n->kind, at(n, i)) == order[i]) i++;
    if (i == n->count) {
      buffer_printf(out, "permutation: {seed: %llu}", (unsigned long long)seed);
      return true;
    }
  }
  return false;
}

/* Padding is zeros then. */
static bool put_values(const element_type *type, const numbers *n, size_t most, buffer *out) {
  static const unsigned char zeros[8];
  bool exact = n->count / type->lanes * type->used <= most;
  for (size_t i = 0; i < n->count && exact; i++)
    exact = i % type->lanes < type->used ? describe_is_exact(n->kind, at(n, i)) : same(n, i, zeros);
  const size_t before = out->length;
  for (size_t i = 0; i < n->count && exact; i++) {
    if (i % type->lanes < type->used) {
      buffer_puts(out, out->length == before ? "values: [" : ", ");
      describe_number(n->kind, at(n, i), out);
    }
  }
  buffer_puts(out, exact ? "]" : "");
  return exact;
}

static int put_file(const unsigned char *bytes, size_t size, const char *folder, const char *name, buffer *out,
                    error *e) {
  scoped_buffer path = {0};
  buffer_printf(&path, "%s/%s", folder, name);
  FILE *f = fopen(buffer_text(&path), "wbe");
  const bool written = f != NULL && fwrite(bytes, 1, size, f) == size;
  const bool closed = f != NULL && fclose(f) == 0;
  const int result =
      written && closed ? 0 : error_set(e, EXIT_USAGE, "cannot write %s: %s", buffer_text(&path), strerror(errno));
  buffer_printf(out, "file: \"%s\"", name);
  return result;
}

bool describe_words(const element_type *type, uint64_t first, const unsigned char *bytes, size_t size, size_t most,
                    buffer *out) {
  const size_t one = number_size(type->number);
  const numbers n = {type->number, bytes, size / one, one, first * type->lanes};
  const bool plain = type->lanes == type->used; /* no padding between numbers */
  if (plain && is_constant(&n)) {
    buffer_puts(out, "fill: ");
    describe_number(n.kind, bytes, out);
    return true;
  }
  return (plain && n.count > 2 && (number_is_real(n.kind) ? put_real_ramp(&n, out) : put_integer_form(&n, out))) ||
         put_values(type, &n, most, out) || (plain && (put_repeated(&n, out) || put_permutation(&n, out)));
}

int describe_bytes(const element_type *type, uint64_t first, const unsigned char *bytes, size_t size,
                   const char *folder, const char *name, buffer *out, error *e) {
  return describe_words(type, first, bytes, size, VALUES_MOST, out) ? 0 : put_file(bytes, size, folder, name, out, e);
}

bool case_words(const capture_expectation *shape, const unsigned char *bytes, size_t size, size_t most, bool rounds,
                buffer *out) {
  const size_t one = number_size(shape->number), used = one * shape->used;
  const element_type type = {shape->number, shape->lanes, shape->used, one * shape->lanes};
  unsigned char *bare = mem_calloc(size + 1, 1); /* without what is in padding */
  for (size_t i = 0; i + type.size <= size; i += type.size) memcpy(bare + i, bytes + i, used);
  const bool said = describe_words(&type, shape->first, bare, size, most, out);
  if (said && rounds) describe_tolerance(&type, bare, size, out);
  free(bare);
  return said;
}
