/* The forms of a kernel: the ways in which cltestcheck builds one to be launched in place of the user's. A form is described
 * in one place, CLTC_FORMS below: a new one is a row there, and the functions that it names. */
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
  HIDDEN_GATE_RECORD, /* of the launch: detectors/gates/record.h */
  HIDDEN_CELLS,       /* zeroed when made: detectors/races/record.h */
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
                    (CHECKED_NO_CELLS: not checked); its bytes. With bounds: detectors/memory/record.h */
} hidden_value;

static inline bool hidden_is_buffer(hidden_value v) { return v >= HIDDEN_FLAGS && v <= HIDDEN_ANY; }
static inline bool hidden_is_ulong(hidden_value v) { return v >= HIDDEN_FIRST_SLOT && v <= HIDDEN_TAG; }
static inline bool hidden_is_uint(hidden_value v) { return v >= HIDDEN_CAPACITY && v <= HIDDEN_ZERO; }

/* What MESSAGE_INSTRUMENTED says of a kernel after what it says of all, in this order. */
enum form_field {
  FIELD_PLANES = 1,     /* u32 planes, with PLANES_IN_SLOTS if the kernel compares work-items by their slots */
  FIELD_ITEM_BYTES = 2, /* u32 bytes of a slot: 1, 2 or 4 n */
  FIELD_BITS = 32,   /* u32 bits that a launch may set, the first of the flags: once all are, it has nothing new to say;
                            0: it may have */
  FIELD_MUTANT = 4,  /* string name of the kernel to launch in its place, u32 mutant number, u32 fuel */
  FIELD_AREA = 8,    /* u32 cells that the __local arrays of a work-group need */
  FIELD_OBJECTS = 16 /* u32 objects, each: u32 argument, u32 1 for local memory, else 0, u32 logarithm of a granule's
                            bytes, u32 1: the kernel may write to it */
};

/* All forms, a description each. Whoever includes this expands the columns that are its own; what the others name need not
 * be known there.
 *   KERNELS(NAME, what they are called, what MESSAGE_INSTRUMENTED tells of one, their hidden parameters, the extension
 *           that the device cannot do without (NULL: none; where it is missing, the program runs as it was written), and
 *           three names that a detector (detectors/NAME/) defines:
 *           TEXT: how their text is written (instrument/forms.h; NO_TEXT: mutate/schema.c writes it),
 *           LAUNCH: what the layer does around a launch (layer/observe/forms.h; NO_LAUNCH: it sets their objects alone),
 *           DECODER: what reads their record (runner/session/internal.h; NO_DECODER: an experiment of its own))
 *   BUILT(NAME, KERNELS, options for the device's compiler after those of each source, whether the record is not read)
 *           is a way to build a program with such kernels (runner/build/build.h) */
#define CLTC_FORMS(KERNELS, BUILT)                                                                                     \
  /* Record coverage; their evidence: bits found so far. */                                                            \
  KERNELS(COUNTED, "counted", FIELD_PLANES | FIELD_ITEM_BYTES | FIELD_BITS,                                            \
          (HIDDEN_FLAGS, HIDDEN_SLOTS, HIDDEN_FIRST_SLOT, HIDDEN_PLANES, HIDDEN_CAPACITY), NULL, TEXT(counted_text),   \
          LAUNCH(counted_launch), DECODER(take_coverage))                                                              \
  BUILT(COVERAGE, COUNTED, "", false)                                                                                  \
  /* As the user wrote them. */                                                                                        \
  BUILT(UNTOUCHED, UNKNOWN, "", true)                                                                                  \
  /* Work-groups follow a schedule; evidence: bits, by atomics, and MESSAGE_GATED. */                                  \
  KERNELS(GATED, "gated", FIELD_PLANES,                                                                                \
          (HIDDEN_FLAGS, HIDDEN_GATE_RECORD, HIDDEN_SCHEDULE, HIDDEN_PLANES, HIDDEN_CAPACITY), NULL, TEXT(gated_text), \
          LAUNCH(gated_launch), DECODER(take_coverage))                                                                \
  BUILT(GATED_COVERAGE, GATED, "", false) /* and coverage is counted */                                                \
  BUILT(GATED, GATED, " " GATE_OPTION_BARE, true)                                                                      \
  BUILT(GATED_WATCHED, GATED, " " GATE_OPTION_BARE " " GATE_OPTION_WATCH, true) /* groups say how far they are */      \
  /* Hold mutants, and have a text of their own (mutate/schema.c); evidence: places reached, events. */                \
  KERNELS(MUTATED, "mutated", FIELD_MUTANT, (HIDDEN_FLAGS, HIDDEN_ANY, HIDDEN_MUTANT, HIDDEN_ANY, HIDDEN_ZERO), NULL,  \
          NO_TEXT, LAUNCH(mutated_launch), NO_DECODER)                                                                 \
  /* Accesses to memory are checked for races; evidence: detectors/races/record.h. */                                  \
  KERNELS(CHECKED, "checked", FIELD_AREA | FIELD_OBJECTS,                                                              \
          (HIDDEN_FLAGS, HIDDEN_CELLS, HIDDEN_TAG, HIDDEN_ANY, HIDDEN_LAUNCH, HIDDEN_AREAS, HIDDEN_OBJECTS),           \
          "cl_khr_int64_base_atomics", TEXT(checked_text), LAUNCH(checked_launch), DECODER(take_checks))               \
  BUILT(CHECKED, CHECKED, "", false)                                                                                   \
  BUILT(CHECKED_STRICT, CHECKED, " " OPTION_STRICT, false)     /* fences with atomic functions order nothing */        \
  BUILT(CHECKED_REVERSED, CHECKED, " " OPTION_REVERSED, false) /* work-groups in the opposite order */                 \
  BUILT(CHECKED_BOUNDS, CHECKED, " " OPTION_BOUNDS, false)     /* and whether accesses lie in their objects */         \
  BUILT(CHECKED_WHOLE, CHECKED, " " OPTION_STRICT " " OPTION_BOUNDS, false) /* both */                                 \
  /* Accesses are held against their objects, and those outside are not made; evidence: detectors/memory/record.h. */  \
  KERNELS(MEMORY, "memory", FIELD_OBJECTS,                                                                             \
          (HIDDEN_FLAGS, HIDDEN_ANY, HIDDEN_FIRST_SLOT, HIDDEN_ANY, HIDDEN_LAUNCH, HIDDEN_OBJECTS), NULL,              \
          TEXT(memory_text), LAUNCH(memory_launch), DECODER(take_memory))                                              \
  BUILT(MEMORY, MEMORY, "", false)                                                                                     \
  /* The same, and only whether any was wrong is said; evidence: one word. */                                          \
  KERNELS(BOUNDS, "bounds", FIELD_ITEM_BYTES | FIELD_OBJECTS,                                                          \
          (HIDDEN_FLAGS, HIDDEN_SLOTS, HIDDEN_FIRST_SLOT, HIDDEN_ANY, HIDDEN_ZERO, HIDDEN_OBJECTS), NULL,              \
          TEXT(bounds_text), LAUNCH(bounds_launch), DECODER(take_bounds))                                              \
  BUILT(BOUNDS, BOUNDS, " " OPTION_BRIEF, false)                                                                       \
  /* The same, and memory that nobody has written holds what detectors/fills/record.h says. */                         \
  KERNELS(FILLED, "filled", FIELD_ITEM_BYTES | FIELD_OBJECTS,                                                          \
          (HIDDEN_FLAGS, HIDDEN_SLOTS, HIDDEN_FIRST_SLOT, HIDDEN_ANY, HIDDEN_CAPACITY, HIDDEN_OBJECTS), NULL,          \
          TEXT(filled_text), LAUNCH(filled_launch), DECODER(take_bounds))                                              \
  BUILT(FILLED, FILLED, " " OPTION_BRIEF, true)                                                                        \
  CLTC_NEWCOMER(KERNELS, BUILT)
/* A further form, of tests/detectors/newcomer; no other build has it. */
#ifndef CLTC_NEWCOMER
#define CLTC_NEWCOMER(KERNELS, BUILT)
#endif
/* What KERNELS or BUILT is where it is of no matter, and a column without its brackets. */
#define FORMS_IGNORED(...)
#define FORMS_COLUMN(...) __VA_ARGS__

#define FORMS_NUMBER(NAME, ...) KERNEL_##NAME,
typedef enum kernel_form { KERNEL_UNKNOWN, CLTC_FORMS(FORMS_NUMBER, FORMS_IGNORED) KERNEL_FORM_COUNT } kernel_form;

#define HIDDEN_MOST 8
typedef struct kernel_form_row {
  uint32_t fields;                  /* FIELD_… */
  hidden_value hidden[HIDDEN_MOST]; /* ended by HIDDEN_END */
  const char *extension;
} kernel_form_row;

#define FORMS_ROW(NAME, CALLED, FIELDS, HIDDEN, EXTENSION, ...) \
  [KERNEL_##NAME] = {FIELDS, {FORMS_COLUMN HIDDEN}, EXTENSION},
static const kernel_form_row kernel_forms[] = {CLTC_FORMS(FORMS_ROW, FORMS_IGNORED)};

/* Whether a kernel of this form has such a parameter. */
static inline bool form_has(kernel_form form, hidden_value value) {
  for (const hidden_value *v = kernel_forms[form].hidden; *v != HIDDEN_END; v++)
    if (*v == value) return true;
  return false;
}

#endif
