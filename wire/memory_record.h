/* What kernels with bounds (instrument/memory.cl) leave in their flags buffer: a header, and a slot for each error of an
 * access and an object. Also the words about an object that they get. */
#ifndef CLTC_WIRE_MEMORY_RECORD_H
#define CLTC_WIRE_MEMORY_RECORD_H

enum {
  /* words of the header */
  MEMORY_DROPPED = 0, /* errors for which there was no slot */
  MEMORY_UNKNOWN = 1, /* 1: an access led to memory of which nothing is known, and was made as it stands */
  MEMORY_SLOTS = 4,   /* the first slot */
  MEMORY_SLOT_COUNT = 64,
  MEMORY_SLOT_WORDS = 16,
  MEMORY_WORDS = MEMORY_SLOTS + MEMORY_SLOT_COUNT * MEMORY_SLOT_WORDS,
  /* words of a slot */
  FAULT_KEY = 0,    /* 0: free; else the rule << FAULT_RULE_AT | object << FAULT_OBJECT_AT | access */
  FAULT_COUNT = 1,  /* how often it was seen */
  FAULT_LAUNCH = 2, /* what follows is of the first time: the launch, among this kernel's */
  FAULT_OFFSET = 3, /* 64 bits: of the access from the object's first byte; of an image: x, above bit 32 y */
  FAULT_GROUP = 5,  /* three words: the work-group */
  FAULT_ITEM = 8,   /* three words: the work-item in it */
  FAULT_PATH = 11,  /* 64 bits: the calls that led there, 8 bits each, the innermost in the lowest; 255: not known */
  FAULT_DEPTH = 13, /* of an image: z; else as the rule says */
  FAULT_SIZE = 14,  /* 64 bits: bytes of the object */
  FAULT_RULE_AT = 28,
  FAULT_OBJECT_AT = 12
};

/* With OPTION_BRIEF the record is one word: 1: something was wrong, 2: as MEMORY_UNKNOWN, 4: it may have been. */
#define OPTION_BRIEF "-DCLTC_BRIEF"
#define BRIEF_WRONG 1u
#define BRIEF_UNKNOWN 2u
#define BRIEF_MAYBE 4u

/* The rules, from 1 on, so that a key is never 0. */
enum memory_rule {
  FAULT_OUTSIDE = 1,
  FAULT_NULL,
  FAULT_MISALIGNED,
  FAULT_READ_ONLY,
  FAULT_WRITE_ONLY,
  FAULT_MAPPED,
  FAULT_UNWRITTEN,
  FAULT_NOT_AWAITED,
  FAULT_UNDER_WAY, /* of an access: a copy is, whose writing side is the access FAULT_DEPTH */
  FAULT_RULES      /* how many, and one more */
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
