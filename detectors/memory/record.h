/* What kernels with bounds (detectors/memory/memory.cl) leave in their flags buffer: a header, and a slot for each error of an
 * access and an object. Also the words about an object that they get. */
#ifndef CLTC_DETECTORS_MEMORY_RECORD_H
#define CLTC_DETECTORS_MEMORY_RECORD_H

enum {
  MEMORY_LEFT =
      2, /* word of the header; BRIEF_LEFT: a work-item has left loops, as it had read outside 100,000 times */
  MEMORY_SLOTS = 4, /* the first slot */
  MEMORY_SLOT_COUNT = 256,
  MEMORY_SLOT_WORDS = 16,
  MEMORY_DROPPED = MEMORY_SLOTS + MEMORY_SLOT_COUNT * MEMORY_SLOT_WORDS + 1, /* errors for which there was no slot */
  MEMORY_WORDS = MEMORY_SLOTS + (MEMORY_SLOT_COUNT + 1) * MEMORY_SLOT_WORDS,
  /* words of a slot */
  ERROR_KEY = 0,    /* 0: free; else the rule << ERROR_RULE_AT | object << ERROR_OBJECT_AT | access */
  ERROR_COUNT = 1,  /* how often it was seen; what follows is of the first time */
  ERROR_OFFSET = 2, /* 64 bits: of the access from the object's first byte; of an image: x, above bit 32 y */
  ERROR_SIZE = 4,   /* 64 bits: bytes of the object */
  ERROR_PATH = 6,   /* 64 bits: the calls that led there, 8 bits each, the innermost in the lowest; 255: not known */
  ERROR_LAUNCH = 8, /* the launch, among this kernel's */
  ERROR_GROUP = 9,  /* three words: the work-group */
  ERROR_ITEM = 12,  /* three words: the work-item in it */
  ERROR_DEPTH = 15, /* of an image: z, MEMORY_NO_PIXEL: which pixel is not known; else as the rule says */
  ERROR_RULE_AT = 28,
  ERROR_OBJECT_AT = 12
};

#define MEMORY_NO_PIXEL 0x80000000u

/* With OPTION_BRIEF the record is one word: 1: something was wrong, 2: as ERROR_PASSED, 4: it may have been, 8: as MEMORY_LEFT. */
#define OPTION_BRIEF "-DCLTC_BRIEF"
#define BRIEF_WRONG 1u
#define BRIEF_UNKNOWN 2u
#define BRIEF_MAYBE 4u
#define BRIEF_LEFT 8u /* as MEMORY_LEFT */

/* The rules, from 1 on, so that a key is never 0. */
enum memory_rule {
  ERROR_OUTSIDE = 1,
  ERROR_NULL,
  ERROR_MISALIGNED,
  ERROR_READ_ONLY,
  ERROR_WRITE_ONLY,
  ERROR_MAPPED,
  ERROR_UNWRITTEN,
  ERROR_NOT_AWAITED,
  ERROR_UNDER_WAY, /* of an access: a copy is, whose writing side is the access ERROR_DEPTH */
  ERROR_PASSED,    /* no error: the access led to memory of which nothing is known, and was made */
  ERROR_RULES      /* how many, and one more */
};

/* Accesses have numbers below this. */
#define MEMORY_ACCESSES 4095u
/* Objects: those of a kernel first, then arrays and variables of the program. The last two are none. */
#define MEMORY_ARRAYS 1024u
#define MEMORY_NOWHERE 0xffeu
#define MEMORY_NOT_KNOWN 0xfffu

/* Of each object of a kernel (HIDDEN_OBJECTS): first the byte of it that the argument points to, second its bytes with
 * these flags. */
#define MEMORY_FLAGS_AT 48
#define MEMORY_NO_READ 1u   /* made for writing only */
#define MEMORY_NO_WRITE 2u  /* made for reading only */
#define MEMORY_IS_MAPPED 4u /* by the host, to write */
#define MEMORY_WATCHED 8u   /* reads of bytes that hold what the object was filled with are told */

#endif
