/* The words that a suite has for formats of images and for samplers. */
#ifndef CLTC_CASES_FORMATS_H
#define CLTC_CASES_FORMATS_H

#include <stddef.h>
#include <stdint.h>

/* A word and the number that OpenCL has for it. */
typedef struct format_word {
  const char *name;
  uint32_t value, number; /* number: of a channel, capture_number */
} format_word;

/* Ended by a NULL name. */
extern const format_word format_orders[], format_types[], format_addresses[];

/* NULL: there is no such word. */
const format_word *format_find(const format_word *words, const char *name, size_t length);
/* Of OpenCL's numbers; NULL, or NUMBER_KINDS: cases have no word for it. */
uint32_t format_number(uint32_t type);
const char *format_type_name(uint32_t type);
const char *format_order_name(uint32_t order);
const char *format_address_name(uint32_t address);

#endif
