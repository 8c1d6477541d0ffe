/* Inputs as YAML. */
#include "generate/input.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cases/scope.h"

void input_free(input *x) {
  mem_free_all(x->words, x->launch.count);
  replica_free(&x->launch);
  free(x->reason);
  free(x->expected);
  free(x->varies);
  *x = (input){0};
}

static char *copy_text(const char *text) { return text == NULL ? NULL : mem_strdup(text); }

void input_copy(const input *from, input *to) {
  *to = *from;
  to->reason = to->expected = to->varies = NULL;
  to->words = mem_calloc(from->launch.count + 1, sizeof *to->words);
  to->launch.arguments = mem_calloc(from->launch.count + 1, sizeof *to->launch.arguments);
  for (size_t i = 0; i < from->launch.count; i++) {
    const replica_argument *a = &from->launch.arguments[i];
    to->words[i] = copy_text(from->words[i]);
    to->launch.arguments[i] = *a;
    if (a->bytes != NULL) {
      to->launch.arguments[i].bytes = mem_calloc(a->size + 1, 1);
      memcpy(to->launch.arguments[i].bytes, a->bytes, a->size);
    }
  }
}

static uint64_t element_of(const replica_argument *a) { return a->is->size == 0 ? 1 : a->is->size; }

uint64_t input_elements(const input *x, size_t argument) {
  const replica_argument *a = &x->launch.arguments[argument];
  return a->size / element_of(a);
}

void input_set_elements(input *x, size_t argument, uint64_t elements) {
  replica_argument *a = &x->launch.arguments[argument];
  a->size = elements * element_of(a);
}

uint64_t input_items(const input *x) { return x->launch.global[0] * x->launch.global[1] * x->launch.global[2]; }

uint64_t input_memory(const input *x) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < x->launch.count; i++) {
    const parameter_kind kind = x->launch.arguments[i].is->kind;
    bytes += kind == PARAMETER_GLOBAL || kind == PARAMETER_IMAGE ? x->launch.arguments[i].size : 0;
  }
  return bytes;
}

/* --- texts -------------------------------------------------------------------------------------------------------- */

/* In double quotes, without placeholders. */
static void put_text(const char *text, buffer *out) {
  buffer_putc(out, '"');
  for (const char *c = text; *c != '\0'; c++) {
    const bool doubled = *c == '"' || *c == '\\';
    buffer_printf(out, "%s%c%s", doubled ? "\\" : "", *c, *c == '{' ? "{" : "");
  }
  buffer_putc(out, '"');
}

void input_write_head(const char *name, const char *kernels, const char *options, buffer *out) {
  buffer_puts(out, "name: ");
  put_text(name, out);
  buffer_puts(out, "\nkernels: ");
  put_text(kernels, out);
  if (options[0] != '\0') {
    buffer_puts(out, "\noptions: ");
    put_text(options, out);
  }
  buffer_puts(out, "\ntests:\n");
}

static bool is_image(const parameter *p) { return p->kind == PARAMETER_IMAGE; }
static bool is_memory(const parameter *p) { return p->kind == PARAMETER_GLOBAL; }
static bool is_sampler(const parameter *p) { return replica_is_sampler(p); }

/* A name that formulas may use, of the launch of that number in its test; SIZE_MAX: it is the only one. */
static void put_name(const parameter *p, size_t launch, buffer *out) {
  buffer_puts(out, p->name[0] == '\0' ? "unnamed" : p->name);
  if (launch != SIZE_MAX)
    buffer_printf(out, "_%zu", launch);
  else if (!scope_name_right(p->name))
    buffer_puts(out, "_1");
}

void input_put_name(const input *x, size_t argument, buffer *out) {
  put_name(x->launch.arguments[argument].is, SIZE_MAX, out);
}

bool input_reads_back(const input *x, size_t argument) {
  const parameter *p = x->launch.arguments[argument].is;
  return is_memory(p) && !p->read_only;
}

/* --- objects ------------------------------------------------------------------------------------------------------ */

static void put_image(const input *x, size_t index, buffer *out) {
  const replica_argument *a = &x->launch.arguments[index];
  uint32_t object = 0;
  const unsigned dimensions = replica_image_dimensions(a->is, &object);
  const bool layers = strstr(a->is->type, "array") != NULL;
  buffer_puts(out, "size: [");
  for (unsigned i = 0; i < dimensions - (layers ? 1 : 0); i++)
    buffer_printf(out, "%s%llu", i > 0 ? ", " : "", (unsigned long long)a->picture.extent[i]);
  buffer_puts(out, "]");
  if (layers) buffer_printf(out, ", layers: %llu", (unsigned long long)a->picture.extent[dimensions - 1]);
  buffer_printf(out, ", %s", x->words[index]);
}

static void put_memory(const input *x, size_t index, buffer *out) {
  buffer_printf(out, "type: \"%s\", elements: %llu, %s", x->launch.arguments[index].is->type,
                (unsigned long long)input_elements(x, index), x->words[index]);
}

static void put_sampler(const input *x, size_t index, buffer *out) {
  (void)x;
  (void)index;
  buffer_puts(out, "address: clamp-to-edge, filter: nearest");
}

static void put_objects(const input *const *list, size_t count, buffer *out) {
  static const struct {
    const char *title;
    bool (*is)(const parameter *p);
    void (*put)(const input *x, size_t index, buffer *out);
  } groups[] = {
      {"buffers", is_memory, put_memory}, {"images", is_image, put_image}, {"samplers", is_sampler, put_sampler}};
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    bool titled = false;
    for (size_t n = 0; n < count; n++) {
      for (size_t i = 0; i < list[n]->launch.count; i++) {
        const parameter *p = list[n]->launch.arguments[i].is;
        if (groups[g].is(p)) {
          if (!titled) buffer_printf(out, "    %s:\n", groups[g].title);
          titled = true;
          buffer_puts(out, "      ");
          put_name(p, count == 1 ? SIZE_MAX : n, out);
          buffer_puts(out, ": {");
          groups[g].put(list[n], i, out);
          buffer_puts(out, "}\n");
        }
      }
    }
  }
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static void put_sizes(const char *what, const uint64_t *sizes, uint32_t dimensions, buffer *out) {
  buffer_printf(out, ", %s: [", what);
  for (uint32_t i = 0; i < dimensions; i++)
    buffer_printf(out, "%s%llu", i > 0 ? ", " : "", (unsigned long long)sizes[i]);
  buffer_puts(out, "]");
}

static void put_launch(const input *x, size_t launch, buffer *out) {
  const replica *r = &x->launch;
  bool named = true;
  for (size_t i = 0; i < r->count; i++) named = named && r->arguments[i].is->name[0] != '\0';
  buffer_printf(out, "      - {kernel: %s", r->kernel);
  put_sizes("global", r->global, r->dimensions, out);
  put_sizes("local", r->local, r->dimensions, out);
  if (r->offset[0] + r->offset[1] + r->offset[2] > 0) put_sizes("offset", r->offset, r->dimensions, out);
  buffer_printf(out, ", args: %c", named ? '{' : '[');
  for (size_t i = 0; i < r->count; i++) {
    const replica_argument *a = &r->arguments[i];
    buffer_puts(out, i > 0 ? ", " : "");
    if (named) buffer_printf(out, "%s: ", a->is->name);
    if (a->is->kind == PARAMETER_LOCAL)
      buffer_printf(out, "{local: %llu}", (unsigned long long)a->size);
    else if (a->is->kind == PARAMETER_VALUE)
      buffer_puts(out, x->words[i]);
    else
      put_name(a->is, launch, out);
  }
  buffer_printf(out, "%c}\n", named ? '}' : ']');
}

/* After the launch, so that of what ends in the middle the first ones are known. */
static void put_expected(const input *x, size_t launch, input_reads reads, buffer *out) {
  for (size_t i = 0; i < x->launch.count && reads != READS_NOTHING; i++) {
    const parameter *p = x->launch.arguments[i].is;
    if (input_reads_back(x, i) || (reads == READS_ALL && is_memory(p))) {
      buffer_puts(out, "      - expect: {buffer: ");
      put_name(p, launch, out);
      buffer_puts(out, "}\n");
    }
  }
}

void input_write(const input *const *list, size_t count, const char *name, input_reads reads, buffer *out) {
  buffer_puts(out, "  - name: ");
  put_text(name, out);
  buffer_puts(out, "\n");
  put_objects(list, count, out);
  buffer_puts(out, "    launches:\n");
  const bool known = reads == READS_WRITTEN && count == 1 && list[0]->expected != NULL;
  for (size_t i = 0; i < count; i++) {
    put_launch(list[i], count == 1 ? SIZE_MAX : i, out);
    put_expected(list[i], count == 1 ? SIZE_MAX : i, known ? READS_NOTHING : reads, out);
  }
  if (known) buffer_printf(out, "    expect:\n%s", list[0]->expected);
}
