/* What memory holds that nobody has written, where runs with different fillings are compared: of each object, by its number,
 * a byte again and again. Variables of kernels have the numbers from 0 on over all programs of a process tree (the option
 * OPTION_FIRST says the first of a program), buffers from FILLING_BUFFERS on, as they are made. */
#ifndef CLTC_WIRE_FILLING_H
#define CLTC_WIRE_FILLING_H

#include <stdint.h>

#define ENV_FILLING "CLTESTCHECK_FILLING" /* a number as filling_pack makes it */
#define OPTION_FIRST "-DCLTC_FIRST="
#define FILLING_BUFFERS 8192u
#define FILLING_END 32767u

typedef enum filling_kind { FILLING_LOW = 1, FILLING_HIGH, FILLING_NAN } filling_kind;

/* Objects with numbers from `first` to before `end` are filled with bytes of this kind, all others with 0. */
static inline uint32_t filling_pack(filling_kind kind, uint32_t first, uint32_t end) {
  return (uint32_t)kind | first << 2 | end << 17;
}

/* LOW: positive, and large as float, double and half; HIGH: negative, and large likewise; NAN: no numbers, or -1. Of
 * variables of kernels whose type is an integer LOW is small. detectors/fills/pass.c says the same. */
#define FILLING_LOW_FIRST 0x6au
#define FILLING_HIGH_FIRST 0xeau
#define FILLING_BYTES 18u
#define FILLING_SMALL 113u
static inline unsigned char filling_byte(uint32_t packed, uint32_t number) {
  const uint32_t first = packed >> 2 & 0x7fff, end = packed >> 17, kind = packed & 3;
  const uint32_t base = kind == FILLING_HIGH ? FILLING_HIGH_FIRST : FILLING_LOW_FIRST;
  return number < first || number >= end ? 0
         : kind == FILLING_NAN           ? 0xff
                                         : (unsigned char)(base + number % FILLING_BYTES);
}

#endif
