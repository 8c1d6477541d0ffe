/* The forms of a kernel: the ways in which cltestcheck builds one to be launched in place of the user's. Each has a row in
 * `kernel_forms`, which both sides read: it says what MESSAGE_INSTRUMENTED tells of a kernel, and which parameters the
 * kernel has after the user's. A new form is a row here, a row and a pass in instrument/forms.h that write the text, and,
 * if its values come from somewhere new, a row in layer/observe/forms.c. */
#ifndef CLTC_WIRE_FORMS_H
#define CLTC_WIRE_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a hidden parameter of a kernel holds. These parameters follow the user's, in the order of the form's row. */
typedef enum hidden_value {
  HIDDEN_END,
  /* a __global buffer */
  HIDDEN_FLAGS,       /* the form's total words, zeroed when made: they come back with MESSAGE_EVIDENCE */
  HIDDEN_SLOTS,       /* a slot a work-item: protocol.h */
  HIDDEN_GATE_RECORD, /* of the launch: gate_record.h */
  HIDDEN_CELLS,       /* zeroed when made: check_record.h */
  HIDDEN_PLANES,      /* where the kernel has planes, else any: protocol.h */
  HIDDEN_ANY,         /* any: the kernel does not touch it */
  /* a ulong */
  HIDDEN_FIRST_SLOT, /* of the launch */
  HIDDEN_SCHEDULE,   /* schedule_pack */
  HIDDEN_MUTANT,     /* its number, and fuel << 32 */
  HIDDEN_TAG,        /* the launch's tag << CHECKED_TAG_AT, and the first cell of the areas of local memory */
  /* a uint */
  HIDDEN_CAPACITY, /* of the planes: protocol.h */
  HIDDEN_LAUNCH,   /* number of the launch among this kernel's */
  HIDDEN_ZERO,
  /* a ulong2 */
  HIDDEN_AREAS, /* cells of an area of local memory, and how many areas there are (0: it is not checked) */
  HIDDEN_OBJECTS /* so many parameters as the kernel has objects (FIELD_OBJECTS), the row's last. Of each: its first cell,
                    or for local memory the first in an area, with the size of its granules << CHECKED_SHIFT_AT
                    (CHECKED_NO_CELLS: not checked); its bytes. With bounds: memory_record.h */
} hidden_value;

static inline bool hidden_is_buffer(hidden_value v) { return v >= HIDDEN_FLAGS && v <= HIDDEN_ANY; }
static inline bool hidden_is_ulong(hidden_value v) { return v >= HIDDEN_FIRST_SLOT && v <= HIDDEN_TAG; }
static inline bool hidden_is_uint(hidden_value v) { return v >= HIDDEN_CAPACITY && v <= HIDDEN_ZERO; }

/* What MESSAGE_INSTRUMENTED says of a kernel after what it says of all, in this order. */
enum form_field {
  FIELD_PLANES = 1,     /* u32 planes, with PLANES_IN_SLOTS if the kernel compares work-items by their slots */
  FIELD_ITEM_BYTES = 2, /* u32 bytes of a slot: 1, 2 or 4 n */
  FIELD_MUTANT = 4,     /* string name of the kernel to launch in its place, u32 mutant number, u32 fuel */
  FIELD_AREA = 8,       /* u32 cells that the __local arrays of a work-group need */
  FIELD_OBJECTS = 16    /* u32 objects, each: u32 argument, u32 1 for local memory, else 0, u32 logarithm of a granule's
                            bytes, u32 1: the kernel may write to it */
};

typedef enum kernel_form {
  KERNEL_UNKNOWN,
  KERNEL_COUNTED, /* records coverage; its evidence: bits found so far */
  KERNEL_GATED,   /* its work-groups follow a schedule; evidence: bits, by atomics, and MESSAGE_GATED */
  KERNEL_MUTATED, /* holds mutants (mutate/mutate.h); evidence: places reached, events */
  KERNEL_CHECKED, /* its accesses to memory are checked for races; evidence: check_record.h */
  KERNEL_MEMORY,  /* they are held against their objects; evidence: memory_record.h */
  KERNEL_BOUNDS,  /* the same, and it says only whether any was wrong; evidence: one word (memory_record.h) */
  KERNEL_FILLED,  /* as KERNEL_BOUNDS, and memory that nobody has written holds what filling.h says */
  KERNEL_NEWCOMER /* of tests/instrument/newcomer, which shows what a new form needs; no other build has its row */
} kernel_form;

#define HIDDEN_MOST 8
typedef struct kernel_form_row {
  const char *name;
  uint32_t fields;                  /* FIELD_… */
  hidden_value hidden[HIDDEN_MOST]; /* ended by HIDDEN_END */
  const char *extension;            /* of the device that it cannot do without; NULL: none */
} kernel_form_row;

static const kernel_form_row kernel_forms[] = {
    [KERNEL_COUNTED] = {"counted",
                        FIELD_PLANES | FIELD_ITEM_BYTES,
                        {HIDDEN_FLAGS, HIDDEN_SLOTS, HIDDEN_FIRST_SLOT, HIDDEN_PLANES, HIDDEN_CAPACITY},
                        NULL},
    [KERNEL_GATED] = {"gated",
                      FIELD_PLANES,
                      {HIDDEN_FLAGS, HIDDEN_GATE_RECORD, HIDDEN_SCHEDULE, HIDDEN_PLANES, HIDDEN_CAPACITY},
                      NULL},
    [KERNEL_MUTATED] = {"mutated",
                        FIELD_MUTANT,
                        {HIDDEN_FLAGS, HIDDEN_ANY, HIDDEN_MUTANT, HIDDEN_ANY, HIDDEN_ZERO},
                        NULL},
    [KERNEL_CHECKED] = {"checked",
                        FIELD_AREA | FIELD_OBJECTS,
                        {HIDDEN_FLAGS, HIDDEN_CELLS, HIDDEN_TAG, HIDDEN_ANY, HIDDEN_LAUNCH, HIDDEN_AREAS,
                         HIDDEN_OBJECTS},
                        "cl_khr_int64_base_atomics"},
    [KERNEL_MEMORY] = {"memory",
                       FIELD_OBJECTS,
                       {HIDDEN_FLAGS, HIDDEN_ANY, HIDDEN_FIRST_SLOT, HIDDEN_ANY, HIDDEN_LAUNCH, HIDDEN_OBJECTS},
                       NULL},
    [KERNEL_BOUNDS] = {"bounds",
                       FIELD_ITEM_BYTES | FIELD_OBJECTS,
                       {HIDDEN_FLAGS, HIDDEN_SLOTS, HIDDEN_FIRST_SLOT, HIDDEN_ANY, HIDDEN_ZERO, HIDDEN_OBJECTS},
                       NULL},
    [KERNEL_FILLED] = {"filled",
                       FIELD_ITEM_BYTES | FIELD_OBJECTS,
                       {HIDDEN_FLAGS, HIDDEN_SLOTS, HIDDEN_FIRST_SLOT, HIDDEN_ANY, HIDDEN_CAPACITY, HIDDEN_OBJECTS},
                       NULL},
#ifdef CLTC_NEWCOMER
    [KERNEL_NEWCOMER] = CLTC_NEWCOMER,
#endif
};
#define KERNEL_FORM_COUNT (sizeof kernel_forms / sizeof kernel_forms[0])

/* Whether a kernel of this form has such a parameter. */
static inline bool form_has(kernel_form form, hidden_value value) {
  for (const hidden_value *v = kernel_forms[form].hidden; *v != HIDDEN_END; v++) {
    if (*v == value) {
      return true;
    }
  }
  return false;
}

#endif
