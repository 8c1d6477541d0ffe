/* What checked kernels (detectors/races/checked.cl) leave in their flags buffer: a header, tables about fences, and a slot for
 * each pair of accesses that was seen unordered. */
#ifndef CLTC_WIRE_CHECK_RECORD_H
#define CLTC_WIRE_CHECK_RECORD_H

enum {
  /* words of the header */
  CHECKED_CONFLICTS = 0,       /* pairs of accesses that were seen unordered, each as often as it was seen */
  CHECKED_DROPPED = 1,         /* those of them for which there was no slot */
  CHECKED_DEEP = 2,            /* 1: a work-item passed so many barriers that those after are not told apart */
  CHECKED_LARGE = 3,           /* 1: a launch had more work-items than can be told apart, and was not checked */
  CHECKED_UNSEEN = 4,          /* 1, with OPTION_BOUNDS: an access led to none of the kernel's objects, or beyond one;
                                  groups shared cells of local memory, so that a race may have been missed; local memory
                                  was read that the group had not written; or only fences with atomic functions may
                                  have ordered two accesses: other executions may differ */
  CHECKED_SLOTS = 8 + 4 * 512, /* the first slot */
  CHECKED_SLOT_COUNT = 128,
  CHECKED_SLOT_WORDS = 22,
  CHECKED_WORDS = CHECKED_SLOTS + CHECKED_SLOT_COUNT * CHECKED_SLOT_WORDS,
  /* words of a slot */
  CHECK_KEY = 0,      /* 0: free; 1 + the earlier access * 4096 + the later one */
  CHECK_COUNT = 1,    /* how often it was seen */
  CHECK_SAME = 2,     /* … and both stored the same value */
  CHECK_LAUNCH = 3,   /* what follows is of the first time: the launch, among this kernel's */
  CHECK_BEFORE = 4,   /* the earlier work-item: group << bits | its number in the group; all ones below: a copy */
  CHECK_STATE = 5,    /* bits 0 to 11 its barrier interval, 12 to 14 CHECK_ONE, …, 15: it read */
  CHECK_NOW = 6,      /* the later work-item */
  CHECK_INTERVAL = 7, /* its barrier interval */
  CHECK_OBJECT = 8,   /* number among the kernel's objects of its memory */
  CHECK_WHERE = 9,    /* 64 bits: the byte in the object */
  CHECK_BITS = 11,    /* of a work-item's number in its group */
  CHECK_OLD = 12,     /* 64 bits: what the earlier write stored */
  CHECK_NEW = 14,     /* and the later one */
  CHECK_BYTES = 16,   /* of these values; 0: not known, or more than 4 */
  CHECK_FILLED = 19,  /* 1: the other words are all there */
  CHECK_PIXEL = 20    /* 64 bits, of an image: x, above bit 32 y, above bit 48 z */
};
/* CHECK_STATE, bits 12 to 14. */
enum { CHECK_ONE = 0, CHECK_ONE_ATOMIC = 1, CHECK_MANY = 2, CHECK_GROUPS = 3 };

/* Accesses have numbers below this; as the earlier one it is an access that is not known any more. */
#define CHECKED_ACCESSES 4095u
#define OPTION_STRICT "-DCLTC_STRICT"
#define OPTION_REVERSED "-DCLTC_REVERSED" /* work-groups in the opposite order */
/* Reads through arguments that nothing writes through are not checked: MESSAGE_SHARED says where that is not enough. */
#define OPTION_APART "-DCLTC_APART"
#define OPTION_BOUNDS "-DCLTC_BOUNDS"

/* Of cells: three words of 64 bits each. The first one shares a number with the size of granules: 0 to 3 for 1, 4, 8 and
 * 16 bytes. */
#define CHECKED_CELL_BYTES 24u
#define CHECKED_SHIFT_AT 62
#define CHECKED_NO_CELLS UINT64_MAX
#define CHECKED_TAG_AT 59
#define CHECKED_TAGS 31u /* 1 to 31 */

#endif
