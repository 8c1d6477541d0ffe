/* Types of OpenCL C. Every type is kept once: the same type is the same pointer; typedefs are looked through. */
#ifndef CLTC_FRONTEND_TREE_TYPES_H
#define CLTC_FRONTEND_TREE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

typedef enum tree_type_kind {
  TREE_TYPE_VOID,
  TREE_TYPE_BOOL,
  TREE_TYPE_INTEGER, /* enumerations are TREE_TYPE_ENUM */
  TREE_TYPE_ENUM,
  TREE_TYPE_FLOAT, /* half, float, double */
  TREE_TYPE_VECTOR,
  TREE_TYPE_POINTER,
  TREE_TYPE_ARRAY,
  TREE_TYPE_RECORD,
  TREE_TYPE_FUNCTION,
  TREE_TYPE_ATOMIC, /* of OpenCL 2.0: atomic_int … */
  TREE_TYPE_PIPE,
  TREE_TYPE_IMAGE,
  TREE_TYPE_OPAQUE /* sampler_t, event_t, queue_t, … */
} tree_type_kind;

/* Where an object lies. As libclang numbers them. */
typedef enum tree_space {
  TREE_SPACE_NONE, /* values, and objects of private memory of which nothing else is said */
  TREE_SPACE_GLOBAL,
  TREE_SPACE_LOCAL,
  TREE_SPACE_CONSTANT,
  TREE_SPACE_PRIVATE,
  TREE_SPACE_GENERIC,
  TREE_SPACE_COUNT
} tree_space;

#define TREE_UNSIZED UINT64_MAX

typedef struct tree_type tree_type;
typedef struct tree_record tree_record;
struct tree_symbol;

struct tree_type {
  tree_type_kind kind;
  tree_space space; /* of an object of this type */
  bool is_const, is_volatile, is_restrict;
  bool is_unsigned;         /* integers, bool, vectors of them; enumerations as their integers */
  const tree_type *plain;   /* the same without space and qualifiers; itself if it has none */
  const tree_type *element; /* of vectors, arrays, atomics, pipes; what a pointer points to; what a function returns */
  uint64_t count;           /* components of a vector (1 for scalars), elements of an array or TREE_UNSIZED */
  uint64_t size;            /* bytes, 0 if it has none; a vector of 3 has that of 4 */
  uint32_t align;           /* bytes that its address is a multiple of: of a packed structure 1 */
  const tree_record *record;
  const tree_type **parameters; /* of a function */
  size_t parameter_count;
  bool variadic;
  const char *name; /* plain and as OpenCL C spells it where a name does: "uint", "float4", "struct s"; "" else */
};

/* A struct, union or enumeration. */
struct tree_record {
  const char *keyword; /* "struct", "union", "enum" */
  const char *tag;     /* the user's, or one that printing gives to what has none */
  const char *spelled; /* for a person: "struct s", the typedef's name where it has no tag */
  bool tagged;         /* it is the user's */
  bool anonymous;      /* a member of another record without a name, whose fields are the other's */
  bool complete;
  struct tree_symbol **fields; /* in order; those of anonymous members are in these */
  size_t field_count;
};

const char *tree_space_name(tree_space space); /* "__global", "" for TREE_SPACE_NONE */
/* Number or vector of numbers; bool and enumerations are integers. */
bool tree_type_is_integer(const tree_type *t);
bool tree_type_is_float(const tree_type *t);
/* The type of the components: itself unless a vector. */
const tree_type *tree_component(const tree_type *t);
/* Components of a vector, 1 of anything else. */
uint32_t tree_lanes(const tree_type *t);
/* Writes a declaration of `name` ("" for the type alone) with the type. */
void tree_put_declaration(const tree_type *t, const char *name, buffer *out);
/* Its two parts: what stands once for several declarators, and one declarator. */
void tree_put_specifiers(const tree_type *t, buffer *out);
void tree_put_declarator(const tree_type *t, const char *name, buffer *out);
/* "__global const volatile " of an object's type. */
void tree_put_qualifiers(const tree_type *t, buffer *out);
/* The type in words of OpenCL C: "__global int *", "float4"; free() it. */
char *tree_type_text(const tree_type *t);
/* The same without space and qualifiers, and with structs as the user calls them: "float4", "particle[8]"; free() it. */
char *tree_plain_text(const tree_type *t);
/* The type of a value, so that the user's program can declare others of it: no typedefs, space and qualifiers only
 * after pointers, structs as the user calls them: "float4", "__global particle *"; free() it. */
char *tree_value_text(const tree_type *t);

#endif
