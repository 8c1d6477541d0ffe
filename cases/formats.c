/* Three tables, read both ways. */
#include "cases/formats.h"

#include <CL/cl.h>
#include <string.h>

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
