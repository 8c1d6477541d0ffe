/* What a case looks like, for kernels that have none. */
#include <string.h>

#include "base/names.h"
#include "cases/internal.h"

enum { MEMORY_MOST = 1 << 28 };

static bool is_memory(const case_parameter *p) { return p->kind == CASE_MEMORY; }

/* Names of the file are no words of formulas, and not that of the size. */
static void put_name(const case_parameter *p, buffer *out) {
  const bool right = scope_name_right(p->name) && strcmp(p->name, "n") != 0;
  buffer_printf(out, "%s%s", p->name[0] == '\0' ? "unnamed" : p->name, right ? "" : "_1");
}

static const char *all_elements(const case_kernel *k) {
  return k->dimensions >= 3 ? "n * n * n" : k->dimensions == 2 ? "n * n" : "n";
}

static bool is_real(const case_parameter *p) {
  return strncmp(p->type, "float", 5) == 0 || strncmp(p->type, "double", 6) == 0 || strncmp(p->type, "half", 4) == 0;
}

/* As many elements as the launch touches, in words of n; where that is not known, as many as a loop of n turns in each work-item
 * may. */
static void put_elements(const case_kernel *k, const case_parameter *p, buffer *out) {
  const uint64_t n = k->dimensions < 2 ? 64 : 8, all = k->dimensions >= 3 ? n * n * n : k->dimensions == 2 ? n * n : n;
  const uint64_t wanted = p->size == 0 ? 0 : (p->reach + p->size - 1) / p->size;
  if (p->reach == 0 || p->reach > MEMORY_MOST) {
    buffer_printf(out, "n * %s", all_elements(k));
  } else if (wanted <= all) {
    buffer_puts(out, all_elements(k));
  } else if (wanted % all == 0) {
    buffer_printf(out, "%llu * %s", (unsigned long long)(wanted / all), all_elements(k));
  } else {
    buffer_printf(out, "%s + %llu", all_elements(k), (unsigned long long)(wanted - all));
  }
}

/* Small integers may be indices; counters and locks begin at 0. */
static void put_contents(const case_kernel *k, const case_parameter *p, buffer *out) {
  element_type type;
  const bool number = case_element_find(p->type, NULL, &type);
  if (p->atomic) {
    buffer_puts(out, "fill: 0");
  } else if (!number) {
    buffer_puts(out, "formula: \"i % 4 == 0\""); /* words of 1 */
  } else if (!p->read_only && is_real(p)) {
    buffer_puts(out, "ramp: {from: 1, step: 0.25}");
  } else if (!p->read_only) {
    const bool bytes = type.size / type.lanes == 1, plain = bytes || k->dimensions < 2;
    buffer_printf(out, plain ? "formula: \"i %% %s\"" : "formula: \"i %% (%s)\"", bytes ? "100" : all_elements(k));
  } else if (is_real(p)) {
    buffer_puts(out, "random: {seed: 1, from: -1, to: 1}");
  } else if (type.size / type.lanes == 1) {
    buffer_puts(out, "random: {seed: 1, from: 0, to: 100}");
  } else {
    buffer_printf(out, "random: {seed: 1, from: 0, to: %s - 1}", all_elements(k));
  }
}

static void put_buffer(const case_kernel *k, const case_parameter *p, buffer *out) {
  buffer_printf(out, ": {type: \"%s\", elements: ", p->type);
  put_elements(k, p, out);
  buffer_puts(out, ", ");
  put_contents(k, p, out);
  buffer_puts(out, "}\n");
}

static void put_image(const case_kernel *k, const case_parameter *p, buffer *out) {
  const char *size = strstr(p->type, "3d") != NULL   ? "[16, 16, 16]"
                     : strstr(p->type, "1d") != NULL ? "[16]"
                                                     : "[16, 16]";
  (void)k;
  buffer_printf(out, ": {format: rgba-float, size: %s%s, ramp: {from: 0, step: 0.01}}\n", size,
                strstr(p->type, "array") != NULL ? ", layers: 2" : "");
}

static void put_sampler(const case_kernel *k, const case_parameter *p, buffer *out) {
  (void)k;
  (void)p;
  buffer_puts(out, ": {address: clamp-to-edge, filter: nearest}\n");
}

static void put_objects(const case_kernel *k, buffer *out) {
  static const struct {
    case_parameter_kind kind;
    const char *title;
    void (*put)(const case_kernel *k, const case_parameter *p, buffer *out);
  } groups[] = {
      {CASE_MEMORY, "buffers", put_buffer}, {CASE_IMAGE, "images", put_image}, {CASE_SAMPLER, "samplers", put_sampler}};
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    const char *title = groups[g].title;
    for (size_t i = 0; i < k->count; i++) {
      const case_parameter *p = &k->parameters[i];
      if (p->kind == groups[g].kind) {
        buffer_printf(out, title == NULL ? "%s      " : "    %s:\n      ", title == NULL ? "" : title);
        title = NULL;
        put_name(p, out);
        groups[g].put(k, p, out);
      }
    }
  }
}

static void put_value(const case_parameter *p, buffer *out) {
  element_type type;
  if (!case_element_find(p->type, NULL, &type)) {
    buffer_puts(out, "{bytes: \"");
    for (uint32_t i = 0; i < p->size; i++) {
      buffer_printf(out, "%s00", i > 0 ? " " : "");
    }
    buffer_puts(out, "\"}");
  } else if (is_real(p)) {
    buffer_puts(out, "1.0");
  } else {
    buffer_puts(out, "n");
  }
}

static void put_arguments(const case_kernel *k, buffer *out) {
  for (size_t i = 0; i < k->count; i++) {
    const case_parameter *p = &k->parameters[i];
    buffer_printf(out, "%s%s: ", i > 0 ? ", " : "", p->name);
    if (p->kind == CASE_LOCAL) {
      buffer_printf(out, "{local: \"%s\", elements: %s}", p->type, all_elements(k));
    } else if (p->kind == CASE_VALUE) {
      put_value(p, out);
    } else {
      put_name(p, out);
    }
  }
}

static void put_expected(const case_kernel *k, buffer *out) {
  bool first = true;
  for (size_t i = 0; i < k->count; i++) {
    const case_parameter *p = &k->parameters[i];
    if (is_memory(p) && !p->read_only) {
      buffer_puts(out, first ? "    expect: # add formula:, values: or file: to each; --update of `cltestcheck run` "
                               "fills in values and files\n"
                             : "");
      first = false;
      buffer_puts(out, "      - {buffer: ");
      put_name(p, out);
      buffer_puts(out, "}\n");
    }
  }
}

void case_skeleton(const char *path, const case_kernels *kernels, buffer *out) {
  const char *file = path_end(path);
  buffer_printf(out, "name: \"%.*s\"\nkernels: \"%s\"\ntests:\n", (int)strcspn(file, "."), file, path);
  for (size_t i = 0; i < kernels->count; i++) {
    const case_kernel *k = &kernels->items[i];
    const bool plain = k->dimensions < 2;
    const char *size = plain ? "n" : k->dimensions == 2 ? "n, n" : "n, n, n";
    buffer_printf(out, "  - name: \"%s n={n}\"\n    each: {n: [%s]}\n", k->name, plain ? "64" : "8");
    put_objects(k, out);
    buffer_printf(out, "    launches:\n      - {kernel: %s, global: [%s], local: [%s], args: {", k->name, size, size);
    put_arguments(k, out);
    buffer_puts(out, "}}\n");
    put_expected(k, out);
  }
}
