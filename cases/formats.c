/* Tables of element types, image formats and samplers, read both ways. */
#include "cases/formats.h"

#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture/number.h"
#include "cases/internal.h"
#include "wire/capture.h"

const format_word format_orders[] = {
    {"r", CL_R, 0},
    {"a", CL_A, 0},
    {"rg", CL_RG, 0},
    {"ra", CL_RA, 0},
    {"rgba", CL_RGBA, 0},
    {"bgra", CL_BGRA, 0},
    {"argb", CL_ARGB, 0},
    {"intensity", CL_INTENSITY, 0},
    {"luminance", CL_LUMINANCE, 0},
    {NULL, 0, 0},
};

const format_word format_types[] = {
    {"snorm8", CL_SNORM_INT8, NUMBER_CHAR},
    {"snorm16", CL_SNORM_INT16, NUMBER_SHORT},
    {"unorm8", CL_UNORM_INT8, NUMBER_UCHAR},
    {"unorm16", CL_UNORM_INT16, NUMBER_USHORT},
    {"int8", CL_SIGNED_INT8, NUMBER_CHAR},
    {"int16", CL_SIGNED_INT16, NUMBER_SHORT},
    {"int32", CL_SIGNED_INT32, NUMBER_INT},
    {"uint8", CL_UNSIGNED_INT8, NUMBER_UCHAR},
    {"uint16", CL_UNSIGNED_INT16, NUMBER_USHORT},
    {"uint32", CL_UNSIGNED_INT32, NUMBER_UINT},
    {"half", CL_HALF_FLOAT, NUMBER_HALF},
    {"float", CL_FLOAT, NUMBER_FLOAT},
    {NULL, 0, NUMBER_KINDS},
};

const format_word format_addresses[] = {{"none", CL_ADDRESS_NONE, 0},
                                        {"clamp", CL_ADDRESS_CLAMP, 0},
                                        {"clamp-to-edge", CL_ADDRESS_CLAMP_TO_EDGE, 0},
                                        {"repeat", CL_ADDRESS_REPEAT, 0},
                                        {"mirrored-repeat", CL_ADDRESS_MIRRORED_REPEAT, 0},
                                        {NULL, 0, 0}};

const format_word *format_find(const format_word *words, const char *name, size_t length) {
  for (; words->name != NULL; words++) {
    if (strlen(words->name) == length && strncmp(words->name, name, length) == 0) {
      return words;
    }
  }
  return NULL;
}

/* The row of a value, or the last one. */
static const format_word *row(const format_word *words, uint32_t value) {
  while (words->name != NULL && words->value != value) {
    words++;
  }
  return words;
}

uint32_t format_number(uint32_t type) { return row(format_types, type)->number; }
const char *format_type_name(uint32_t type) { return row(format_types, type)->name; }
const char *format_order_name(uint32_t order) { return row(format_orders, order)->name; }
const char *format_address_name(uint32_t address) { return row(format_addresses, address)->name; }

/* Types of elements by their names. */

static bool find_number(const char *type, element_type *out) {
  const size_t letters = strcspn(type, "0123456789");
  const uint32_t number = number_find(type, letters);
  const unsigned long lanes = type[letters] == '\0' ? 1 : strtoul(type + letters, NULL, 10);
  const bool known = lanes == 1 || lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16;
  if (number == NUMBER_KINDS || !known || (lanes == 1 && type[letters] != '\0') ||
      strspn(type + letters, "0123456789") != strlen(type + letters)) {
    return false;
  }
  *out = (element_type){number, lanes == 3 ? 4 : (uint32_t)lanes, (uint32_t)lanes, 0};
  out->size = number_size(number) * out->lanes;
  return true;
}

static bool is_named(const case_parameter *p, const char *type) {
  const char *tag = strncmp(p->type, "struct ", 7) == 0 ? p->type + 7 : p->type;
  return p->size > 0 && type[0] != '\0' &&
         (strcmp(p->type, type) == 0 || strcmp(tag, type) == 0 || strcmp(p->written, type) == 0);
}

static bool is_same(const element_type *a, const element_type *b) {
  return a->number == b->number && a->used == b->used && a->size == b->size;
}

/* A name that two kernels have for different types is none. */
bool case_element_find(const char *type, const case_kernels *kernels, element_type *out) {
  if (find_number(type, out)) {
    return true;
  }
  bool known = false;
  for (size_t k = 0; kernels != NULL && k < kernels->count; k++) {
    for (size_t p = 0; p < kernels->items[k].count; p++) {
      const case_parameter *named = &kernels->items[k].parameters[p];
      if (!is_named(named, type)) {
        continue;
      }
      element_type of = {NUMBER_UCHAR, 1, 1, named->size};
      (void)find_number(named->type, &of);
      if (known && !is_same(out, &of)) {
        return false;
      }
      known = true;
      *out = of;
    }
  }
  return known;
}

void case_element_others(const case_kernels *kernels, buffer *out) {
  element_type ignored;
  buffer list = {0};
  for (size_t k = 0; k < kernels->count; k++) {
    for (size_t p = 0; p < kernels->items[k].count; p++) {
      const case_parameter *is = &kernels->items[k].parameters[p];
      if (is->kind == CASE_MEMORY && is->size > 0 && !find_number(is->type, &ignored) &&
          strstr(buffer_text(&list), is->type) == NULL) {
        buffer_printf(&list, "%s%s", list.length == 0 ? "" : ", ", is->type);
      }
    }
  }
  if (list.length > 0) {
    buffer_printf(out, ", here: %s", buffer_text(&list));
  }
  buffer_free(&list);
}

size_t case_element_numbers(const element_type *t) { return t->used * (t->size / (t->lanes * number_size(t->number))); }
