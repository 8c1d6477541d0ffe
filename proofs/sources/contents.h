/* What memory objects hold while a capture is gone through, as far as the host has said it: no kernel runs. */
#ifndef CLTC_PROOFS_SOURCES_CONTENTS_H
#define CLTC_PROOFS_SOURCES_CONTENTS_H

#include "capture/capture.h"

/* What is true of the integers in a buffer at a launch. */
typedef struct contents_facts {
  bool distinct;  /* no two are the same */
  bool ascending; /* none is below the one before it */
  bool identity;  /* element i is i */
  bool bounded;   /* all are from `low` to `high` */
  int64_t low, high;
} contents_facts;

typedef struct memory_object {
  bool image;
  uint64_t size;
  uint32_t parent;      /* of a sub-buffer; CAPTURE_NONE: it is none */
  uint64_t origin;      /* in the parent */
  bool constant;        /* no kernel may write it */
  unsigned char *bytes; /* NULL: nothing is known */
  unsigned char *known; /* 1 for each byte that is known */
  uint64_t changes;     /* of the contents */
  struct {              /* the facts that were asked for last: */
    uint64_t changes;
    uint32_t element;
    bool is_unsigned, there;
    contents_facts facts;
  } kept;
} memory_object;

typedef struct contents {
  memory_object *objects; /* by their number in the capture */
  size_t count, capacity;
  uint64_t bytes; /* that are kept */
} contents;

/* Takes a command of the capture that makes memory or changes it; others are left alone. */
void contents_take(contents *m, const capture *c, const capture_command *command);
/* A kernel may have written the object. */
void contents_forget(contents *m, uint32_t object);
/* What is true of the object as integers of `element` bytes. */
contents_facts contents_of(contents *m, uint32_t object, uint32_t element, bool is_unsigned);
/* All bytes of the object, lent until the next change. NULL: they are not all known. */
const unsigned char *contents_bytes(const contents *m, uint32_t object);
void contents_free(contents *m);

/* The same of `count` integers at `bytes`. */
contents_facts facts_of(const unsigned char *bytes, uint64_t count, uint32_t element, bool is_unsigned);

#endif
