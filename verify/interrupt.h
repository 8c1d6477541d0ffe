/* Ends a query to Z3 when it has used its share of the processor: what others do on the machine does not count. */
#ifndef CLTC_VERIFY_INTERRUPT_H
#define CLTC_VERIFY_INTERRUPT_H

#include <stdbool.h>
#include <time.h>
#include <z3.h>

typedef struct interrupt {
  timer_t timer;
  bool set;
} interrupt;

/* From now on. */
void interrupt_begin(interrupt *i, Z3_context c, double seconds);
void interrupt_end(interrupt *i);

#endif
