/* A capture as a suite: its kernel file, its data, suite.yaml, and its commands as steps. */
#define XXH_INLINE_ALL

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/memory.h"
#include "cases/internal.h"

/* The launches, writes and reads of a capture as steps of a case. */

static described *whole(describing *d, uint32_t number, uint64_t *offset) {
  described *o = &d->objects[number];
  if (o->made->kind == CAPTURE_SUB_BUFFER) {
    *offset += o->made->u.sub_buffer.origin;
    return &d->objects[o->made->u.sub_buffer.parent];
  }
  return o;
}

static void put_sizes(const char *name, const uint64_t *sizes, uint32_t count, buffer *out) {
  buffer_printf(out, ", %s: [", name);
  for (uint32_t i = 0; i < count; i++) buffer_printf(out, "%s%llu", i > 0 ? ", " : "", (unsigned long long)sizes[i]);
  buffer_puts(out, "]");
}

/* --- arguments ---------------------------------------------------------------------------------------------------- */

static void put_value(const capture_command *a, const case_parameter *p, buffer *out) {
  element_type type;
  const unsigned char *bytes = a->u.argument.bytes;
  bool number = case_element_find(p->type, NULL, &type) && type.size == a->u.argument.size;
  for (uint32_t i = 0; number && i < type.lanes; i++) {
    const unsigned char *one = bytes + i * number_size(type.number);
    static const unsigned char zeros[8];
    number = i < type.used ? describe_is_exact(type.number, one) : memcmp(one, zeros, number_size(type.number)) == 0;
  }
  if (!number) {
    buffer_puts(out, "{bytes: \"");
    for (size_t i = 0; i < ((size_t)a->u.argument.size); i++) buffer_printf(out, "%s%02x", i > 0 ? " " : "", bytes[i]);
    buffer_puts(out, "\"}");
    return;
  }
  buffer_puts(out, type.used > 1 ? "[" : "");
  for (uint32_t i = 0; i < type.used; i++) {
    buffer_puts(out, i > 0 ? ", " : "");
    describe_number(type.number, bytes + i * number_size(type.number), out);
  }
  buffer_puts(out, type.used > 1 ? "]" : "");
}

static void put_memory(describing *d, uint32_t number, buffer *out) {
  uint64_t offset = 0;
  const described *o = whole(d, number, &offset), *part = &d->objects[number];
  if (o == part) {
    buffer_puts(out, o->name);
    return;
  }
  buffer_printf(out, "{buffer: %s, from: %llu, elements: %llu}", o->name, (unsigned long long)(offset / o->type.size),
                (unsigned long long)(part->size / o->type.size));
}

static void put_local(const capture_command *a, const case_parameter *p, buffer *out) {
  element_type type;
  if (case_element_find(p->type, NULL, &type) && a->u.argument.size % type.size == 0)
    buffer_printf(out, "{local: %s, elements: %llu}", p->type, (unsigned long long)(a->u.argument.size / type.size));
  else
    buffer_printf(out, "{local: %llu}", (unsigned long long)a->u.argument.size);
}

static int take_launch(describing *d, const capture_command *c) {
  const given_kernel *k = &d->given[c->u.launch.kernel];
  const case_kernel *of = describing_kernel(d, k->name);
  const uint32_t dimensions = c->u.launch.task ? 1 : c->u.launch.dimensions;
  buffer *out = &d->steps;
  buffer_printf(out, "      - {kernel: %s", k->name);
  put_sizes("global", c->u.launch.global, dimensions, out);
  if (c->u.launch.has_local) put_sizes("local", c->u.launch.local, dimensions, out);
  if (c->u.launch.has_offset) put_sizes("offset", c->u.launch.offset, dimensions, out);
  buffer_puts(out, of->count > 0 ? ", args: {" : "");
  for (size_t i = 0; i < of->count; i++) {
    buffer_printf(out, "%s%s: ", i > 0 ? ", " : "", of->parameters[i].name);
    uint64_t ignored = 0;
    if (k->arguments[i] == NULL) return describing_refuses(d, "an argument of its kernel is not set");
    switch (k->arguments[i]->u.argument.kind) {
      case CAPTURE_VALUE: put_value(k->arguments[i], &of->parameters[i], out); break;
      case CAPTURE_LOCAL: put_local(k->arguments[i], &of->parameters[i], out); break;
      case CAPTURE_SAMPLE: buffer_puts(out, d->samplers[k->arguments[i]->u.argument.object].name); break;
      case CAPTURE_MEMORY:
        if (k->arguments[i]->u.argument.object == CAPTURE_NONE) {
          buffer_puts(out, "null");
        } else {
          put_memory(d, k->arguments[i]->u.argument.object, out);
          whole(d, k->arguments[i]->u.argument.object, &ignored)->used = true;
        }
    }
  }
  buffer_puts(out, of->count > 0 ? "}}\n" : "}\n");
  return 0;
}

/* --- writes ------------------------------------------------------------------------------------------------------- */

/* Before an object is used, what is written to it is what it holds. */
static int write_bytes(describing *d, described *o, uint64_t offset, const unsigned char *bytes, uint64_t size) {
  if (!o->used && (o->bytes != NULL || size == o->size)) {
    o->bytes = o->bytes == NULL ? mem_calloc(1, (size_t)o->size + 1) : o->bytes;
    memcpy(o->bytes + offset, bytes, (size_t)size);
    return 0;
  }
  scoped_buffer name = {0};
  o->used = true;
  buffer_printf(&d->steps, "      - write: {buffer: %s, from: %llu, elements: %llu, ", o->name,
                (unsigned long long)(offset / o->type.size), (unsigned long long)(size / o->type.size));
  buffer_printf(&name, "write-%llu.bin", (unsigned long long)d->files++);
  const int result = describe_bytes(&o->type, offset / o->type.size, bytes, (size_t)size, d->folder, buffer_text(&name),
                                    &d->steps, d->e);
  buffer_puts(&d->steps, "}\n");
  return result;
}

static int take_write(describing *d, const capture_command *c) {
  uint64_t offset = c->u.transfer.at.offset;
  described *o = whole(d, c->u.transfer.at.memory, &offset);
  return write_bytes(d, o, offset, d->capture->blobs[c->u.transfer.blob].bytes, c->u.transfer.size);
}

static int take_fill(describing *d, const capture_command *c) {
  uint64_t offset = c->u.transfer.at.offset;
  described *o = whole(d, c->u.transfer.at.memory, &offset);
  unsigned char *bytes = mem_calloc(1, (size_t)c->u.transfer.size + 1);
  for (uint64_t i = 0; i < c->u.transfer.size; i++) bytes[i] = c->u.transfer.pattern[i % c->u.transfer.pattern_size];
  const int result = write_bytes(d, o, offset, bytes, c->u.transfer.size);
  free(bytes);
  return result;
}

static bool is_whole(const described *o, const capture_command *c) {
  static const uint64_t none[3];
  return memcmp(c->u.transfer.at.origin, none, sizeof none) == 0 &&
         memcmp(c->u.transfer.region, o->extent, sizeof o->extent) == 0;
}

static int take_write_image(describing *d, const capture_command *c) {
  described *o = &d->objects[c->u.transfer.at.memory];
  if (o->used || !is_whole(o, c))
    return describing_refuses(d, "it writes a part of an image, or one that was used before");
  return write_bytes(d, o, 0, d->capture->blobs[c->u.transfer.blob].bytes, o->size);
}

static int take_copy(describing *d, const capture_command *c) {
  uint64_t first = c->u.transfer.at.offset, at = c->u.transfer.to.offset;
  described *from = whole(d, c->u.transfer.at.memory, &first), *to = whole(d, c->u.transfer.to.memory, &at);
  const size_t size = from->type.size;
  if (size != to->type.size) return describing_refuses(d, "it copies between buffers of elements of another size");
  from->used = to->used = true;
  buffer_printf(&d->steps, "      - copy: {from: %s, to: %s, first: %llu, at: %llu, elements: %llu}\n", from->name,
                to->name, (unsigned long long)(first / size), (unsigned long long)(at / size),
                (unsigned long long)(c->u.transfer.size / size));
  return 0;
}

/* --- reads -------------------------------------------------------------------------------------------------------- */

/* What a replay got; NULL: something else than the program. */
static const unsigned char *result_of(const describing *d, const capture_command *c, size_t size) {
  const unsigned char *bytes = capture_results_find(&d->results, d->reads, size);
  const XXH128_hash_t hash = XXH3_128bits(bytes, bytes == NULL ? 0 : size);
  return bytes != NULL && (!c->known || (hash.low64 == c->low && hash.high64 == c->high)) ? bytes : NULL;
}

/* Other compilers, and other forms of a kernel, round otherwise: what is far from the largest number is absolute noise. */
void describe_tolerance(const element_type *t, const unsigned char *bytes, size_t size, buffer *out) {
  static const double relative[NUMBER_KINDS] = {[NUMBER_HALF] = 1e-2, [NUMBER_FLOAT] = 1e-5, [NUMBER_DOUBLE] = 1e-12};
  double largest = 0;
  for (size_t i = 0; i + number_size(t->number) <= size; i += number_size(t->number)) {
    const double value = fabs(number_real(t->number, bytes + i));
    largest = isfinite(value) && value > largest ? value : largest;
  }
  if (number_is_real(t->number) && largest > 0) {
    buffer_printf(out, ", tolerance: {relative: %g, absolute: %.0e}", relative[t->number],
                  largest * relative[t->number] / 10);
  }
}

static int take_read(describing *d, const capture_command *c) {
  const bool image = c->kind == CAPTURE_READ_IMAGE, between = d->command < d->last_step;
  uint64_t offset = c->u.transfer.at.offset;
  described *o = whole(d, c->u.transfer.at.memory, &offset);
  if (image && !is_whole(o, c)) return describing_refuses(d, "it reads a part of an image");
  const uint64_t size = image ? o->size : c->u.transfer.size;
  buffer *out = between ? &d->steps : &d->expected, name = {0};
  buffer_printf(out, "      - %s{%s: %s", between ? "expect: " : "", image ? "image" : "buffer", o->name);
  if (size != o->size) {
    buffer_printf(out, ", range: [%llu, %llu]", (unsigned long long)(offset / o->type.size),
                  (unsigned long long)((offset + size) / o->type.size));
  }
  const unsigned char *bytes = result_of(d, c, (size_t)size);
  int result = 0;
  if (bytes != NULL) {
    buffer_printf(&name, "%s-result-%llu.bin", o->name, (unsigned long long)d->reads);
    buffer_puts(out, ", ");
    result =
        describe_bytes(&o->type, offset / o->type.size, bytes, (size_t)size, d->folder, buffer_text(&name), out, d->e);
    describe_tolerance(&o->type, bytes, (size_t)size, out);
    buffer_free(&name);
  }
  d->varied += bytes == NULL ? 1 : 0;
  buffer_puts(out, "}\n");
  o->used = true;
  d->reads++;
  return result;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* First contents. */
static int take_made(describing *d, const capture_command *c, described *o) {
  const uint32_t blob = c->kind == CAPTURE_BUFFER  ? c->u.buffer.blob
                        : c->kind == CAPTURE_IMAGE ? c->u.image.blob
                                                   : CAPTURE_NONE;
  return blob == CAPTURE_NONE ? 0 : write_bytes(d, o, 0, d->capture->blobs[blob].bytes, o->size);
}

static int take(describing *d, const capture_command *c, size_t *object) {
  switch (c->kind) {
    case CAPTURE_BUFFER:
    case CAPTURE_SUB_BUFFER:
    case CAPTURE_IMAGE: return take_made(d, c, &d->objects[(*object)++]);
    case CAPTURE_LAUNCH: return take_launch(d, c);
    case CAPTURE_WRITE: return take_write(d, c);
    case CAPTURE_FILL: return take_fill(d, c);
    case CAPTURE_WRITE_IMAGE: return take_write_image(d, c);
    case CAPTURE_COPY: return take_copy(d, c);
    case CAPTURE_READ:
    case CAPTURE_READ_IMAGE: return d->expects ? take_read(d, c) : 0;
    case CAPTURE_KERNEL:
    case CAPTURE_CLONE:
    case CAPTURE_ARGUMENT: return describing_track(d, c);
    case CAPTURE_SAMPLER:
    case CAPTURE_PROGRAM:
    case CAPTURE_RELEASE_MEMORY:
    case CAPTURE_RELEASE_KERNEL: return 0;
    default: return describing_refuses(d, "it works on a rectangle, or between buffers and images");
  }
}

/* What comes after is no step any more. */
static bool is_step(capture_kind kind) {
  return kind == CAPTURE_LAUNCH || (kind >= CAPTURE_WRITE && kind <= CAPTURE_COPY_BUFFER_TO_IMAGE);
}

/* Launches, writes and reads. */
static int describing_steps(describing *d) {
  size_t object = 0;
  int result = 0;
  for (size_t i = 0; i < d->end; i++) d->last_step = is_step(d->capture->commands[i].kind) ? i : d->last_step;
  for (size_t i = 0; i < d->given_count; i++) free(d->given[i].arguments);
  d->given_count = 0;
  for (d->command = 0; d->command < d->end && result == 0; d->command++)
    result = take(d, &d->capture->commands[d->command], &object);
  return result;
}

int describing_refuses(const describing *d, const char *what) {
  return error_set(d->e, EXIT_NOTHING, "this cannot be written as a kernel case: command %zu of the capture: %s",
                   d->command, what);
}

/* --- the programs ------------------------------------------------------------------------------------------------- */

static const capture_source *source_of(const capture_command *program) { return &program->u.program.sources[0]; }

/* A program whose kernels are launched; several with one text are one. */
static int use_program(describing *d, const capture_command *program) {
  if (program->u.program.linked) return describing_refuses(d, "its kernel is of a program that was linked");
  for (size_t i = 0; i < d->used_count; i++) {
    if (strcmp(source_of(d->used[i])->options, source_of(program)->options) != 0)
      return describing_refuses(d, "its program was built with other options than those before");
    if (strcmp(source_of(d->used[i])->text, source_of(program)->text) == 0) return 0;
  }
  *ARRAY_ADD(d->used, d->used_count, d->used_capacity) = program;
  return 0;
}

static int find_programs(describing *d) {
  int result = 0;
  for (d->command = 0; d->command < d->end && result == 0; d->command++) {
    const capture_command *c = &d->capture->commands[d->command];
    if (c->kind == CAPTURE_PROGRAM)
      *ARRAY_ADD(d->programs, d->program_count, d->program_capacity) = c;
    else if (c->kind == CAPTURE_LAUNCH)
      result = use_program(d, d->programs[d->given[c->u.launch.kernel].program]);
    else
      result = describing_track(d, c);
  }
  if (result == 0 && d->used_count == 0)
    result = error_set(d->e, EXIT_NOTHING, "the capture has no launch, and a kernel case needs one");
  for (size_t i = 0; i < d->given_count; i++) free(d->given[i].arguments);
  d->given_count = 0;
  return result;
}

/* "kernels.cl", "kernels-2.cl" */
static void put_file_name(size_t number, buffer *out) {
  buffer_puts(out, "kernels");
  if (number > 0) buffer_printf(out, "-%zu", number + 1);
  buffer_puts(out, ".cl");
}

static int add_kernels(describing *d, case_kernels *of) {
  for (size_t i = 0; i < of->count; i++) {
    if (describing_kernel(d, of->items[i].name) != NULL) {
      return error_set(d->e, EXIT_NOTHING,
                       "this cannot be written as a kernel case: two of its programs have a kernel %s",
                       of->items[i].name);
    }
  }
  const size_t count = d->kernels.count + of->count;
  d->kernels.items = mem_realloc(d->kernels.items, (count + 1) * sizeof *d->kernels.items);
  memcpy(d->kernels.items + d->kernels.count, of->items, of->count * sizeof *of->items);
  d->kernels.count = count;
  free(of->items);
  *of = (case_kernels){0};
  return 0;
}

static int read_kernels(describing *d, case_kernels_reader *reader) {
  int result = 0;
  for (size_t i = 0; i < d->used_count && result == 0; i++) {
    const capture_source *s = source_of(d->used[i]);
    case_kernels found = {0};
    scoped_buffer name = {0};
    put_file_name(i, &name);
    const pp_input in = {.name = buffer_text(&name),
                         .text = s->text,
                         .length = strlen(s->text),
                         .options = s->options,
                         .directory = d->capture->directory};
    result = reader(&in, &found, d->e) != 0 ? -1 : add_kernels(d, &found);
    case_kernels_free(&found);
  }
  return result;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static int write_text(const describing *d, const char *name, const char *text, size_t length) {
  scoped_buffer path = {0};
  buffer_printf(&path, "%s/%s", d->folder, name);
  FILE *f = fopen(buffer_text(&path), "wbxe");
  const bool written = f != NULL && fwrite(text, 1, length, f) == length;
  const bool closed = f != NULL && fclose(f) == 0;
  const int result = written && closed ? 0
                                       : error_set(d->e, EXIT_USAGE, "cannot write %s: %s; give a folder without it",
                                                   buffer_text(&path), strerror(errno));
  return result;
}

/* A text in quotes of YAML. */
static void put_quoted(const char *text, buffer *out) {
  buffer_putc(out, '"');
  for (; *text != '\0'; text++)
    if ((unsigned char)*text < ' ')
      buffer_printf(out, "\\x%02x", (unsigned)*text);
    else
      buffer_printf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : *text == '{' ? "{" : "", *text);
  buffer_putc(out, '"');
}

static int write_sources(const describing *d) {
  int result = 0;
  for (size_t i = 0; i < d->used_count && result == 0; i++) {
    const char *text = source_of(d->used[i])->text;
    scoped_buffer name = {0};
    put_file_name(i, &name);
    result = write_text(d, buffer_text(&name), text, strlen(text));
  }
  return result;
}

static int write_suite(describing *d, const char *name) {
  scoped_buffer out = {0};
  const char *options = source_of(d->used[0])->options;
  buffer_puts(&out, "name: ");
  put_quoted(name, &out);
  buffer_puts(&out, d->used_count > 1 ? "\nkernels: [" : "\nkernels: ");
  for (size_t i = 0; i < d->used_count; i++) {
    buffer_puts(&out, i > 0 ? ", " : "");
    put_file_name(i, &out);
  }
  buffer_puts(&out, d->used_count > 1 ? "]\n" : "\n");
  if (options[strspn(options, " ")] != '\0') {
    buffer_puts(&out, "options: ");
    put_quoted(options, &out);
    buffer_puts(&out, "\n");
  }
  buffer_puts(&out, "tests:\n  - name: ");
  put_quoted(name, &out);
  buffer_puts(&out, "\n");
  int result = describing_put_objects(d, &out);
  buffer_printf(&out, "    launches:\n%s", buffer_text(&d->steps));
  if (d->expected.length > 0) buffer_printf(&out, "    expect:\n%s", buffer_text(&d->expected));
  if (result == 0) result = write_sources(d) != 0 ? -1 : write_text(d, "suite.yaml", buffer_text(&out), out.length);
  return result;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static void release(describing *d) {
  capture_results_free(&d->results);
  for (size_t i = 0; i < d->object_count; i++) {
    free(d->objects[i].name);
    free(d->objects[i].type_name);
    free(d->objects[i].bytes);
  }
  for (size_t i = 0; i < d->sampler_count; i++) free(d->samplers[i].name);
  for (size_t i = 0; i < d->given_count; i++) free(d->given[i].arguments);
  free(d->objects);
  free(d->samplers);
  free(d->given);
  free(d->programs);
  free(d->used);
  buffer_free(&d->steps);
  buffer_free(&d->expected);
  case_kernels_free(&d->kernels);
}

/* After the last launch of a kernel; 0: there is none. */
static size_t find_end(const capture *c, const char *kernel) {
  const char **names = mem_calloc(c->command_count + 1, sizeof *names);
  size_t count = 0, end = 0;
  for (size_t i = 0; i < c->command_count; i++) {
    const capture_command *is = &c->commands[i];
    if (is->kind == CAPTURE_KERNEL) {
      names[count++] = is->u.kernel.name;
    } else if (is->kind == CAPTURE_CLONE) {
      names[count] = names[is->u.clone.kernel];
      count++;
    } else if (is->kind == CAPTURE_LAUNCH && strcmp(names[is->u.launch.kernel], kernel) == 0) {
      end = i + 1;
    }
  }
  free(names);
  return end;
}

int case_describe(const capture *c, const case_description *how, size_t *varied, error *e) {
  describing d = {.capture = c, .folder = how->folder, .expects = how->results != NULL, .e = e};
  if (d.expects) capture_results_take(how->results, &d.results);
  d.end = how->kernel == NULL ? c->command_count : find_end(c, how->kernel);
  int result = find_programs(&d);
  if (result == 0) {
    result = read_kernels(&d, how->reader) != 0 || describing_objects(&d) != 0 || describing_steps(&d) != 0
                 ? -1
                 : write_suite(&d, how->name);
  }
  *varied = d.varied;
  release(&d);
  return result;
}
