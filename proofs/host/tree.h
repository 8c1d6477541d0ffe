/* The tree of host programs: what the walk needs of functions, variables, statements and expressions, from all files of
 * one program. What libclang does not show, or could not read, is a node of kind HOST_OTHER. */
#ifndef CLTC_HOST_TREE_H
#define CLTC_HOST_TREE_H

#include <clang-c/Index.h>

#include "proofs/host/host.h"

typedef struct host_pool host_pool;

host_pool *host_pool_new(void);
void host_pool_free(host_pool *p);
/* Zeroed memory that lives as long as the pool. */
void *host_take(host_pool *p, size_t size);
/* One copy of each text, so that equal texts are equal pointers. */
const char *host_text(host_pool *p, const char *text);
const char *host_text_printf(host_pool *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A table from keys of bytes to pointers; `{0}` is empty. Keys are copied into the pool. */
typedef struct host_map {
  struct host_map_entry *entries;
  size_t count, capacity; /* capacity is a power of two */
} host_map;

/* The place of the value of a key; a new key has NULL there. */
void **host_map_at(host_pool *p, host_map *m, const void *key, size_t size);
void host_map_free(host_map *m);

typedef enum host_type_kind {
  HOST_OTHER_TYPE,
  HOST_VOID,
  HOST_INTEGER, /* also characters, bool, enumerations */
  HOST_FLOAT,
  HOST_POINTER,
  HOST_REFERENCE,
  HOST_ARRAY,
  HOST_RECORD
} host_type_kind;

typedef struct host_type {
  host_type_kind kind;
  uint64_t size; /* bytes; 0 where unknown */
  bool is_signed, is_bool, is_const, is_volatile;
  const struct host_type *target; /* of pointers, references and arrays */
  struct host_decl **fields;      /* of a struct, in order; none where bases or unions make it difficult */
  size_t field_count;
  bool begins;      /* its members may begin as something else than 0 */
  const char *name; /* the canonical name: one type has one */
} host_type;

typedef enum host_kind {
  /* expressions */
  HOST_OTHER,       /* [whatever could be read]: may change each variable in it */
  HOST_EFFECT,      /* [operands]: all are evaluated, then each object among them may be changed */
  HOST_NUMBER,      /* -; `value` */
  HOST_REAL,        /* -; `real` */
  HOST_STRING,      /* -; `text` */
  HOST_NAME,        /* -; `decl` */
  HOST_THIS,        /* - */
  HOST_MEMBER,      /* object, or with `arrow` a pointer to it, or nothing: this; `decl` */
  HOST_SUBSCRIPT,   /* array or pointer, index */
  HOST_ADDRESS,     /* object */
  HOST_DEREFERENCE, /* pointer */
  HOST_UNARY,       /* operand; `op` is - + ~ ! */
  HOST_STEP,        /* object; `op` is + or -, `postfix` */
  HOST_BINARY,      /* left, right */
  HOST_LOGICAL,     /* left, right */
  HOST_COMMA,       /* left, right */
  HOST_ASSIGN,      /* object, value */
  HOST_UPDATE,      /* object, value; `op` */
  HOST_CONDITIONAL, /* condition, yes, no */
  HOST_CALL,        /* callee (NULL where `decl` says it), [arguments]; of a method the object is the callee's child */
  HOST_CONSTRUCT,   /* [arguments]; `decl` is the constructor */
  HOST_CAST,        /* operand; also implicit */
  HOST_LIST,        /* [values]; `{…}` */
  HOST_NEW,         /* [sizes and initialisers] */
  HOST_BLOCK,       /* compound statement; `({ … })` */
  /* statements */
  HOST_COMPOUND, /* [statements] */
  HOST_DECLARE,  /* [variables] */
  HOST_VARIABLE, /* initialiser or nothing; `decl` */
  HOST_IF,       /* condition, then, else or NULL */
  HOST_FOR,      /* first, condition, step, body; the first three may be NULL */
  HOST_WHILE,    /* condition, body */
  HOST_DO,       /* body, condition */
  HOST_SWITCH,   /* value, body */
  HOST_CASE,     /* value, statement */
  HOST_DEFAULT,  /* statement */
  HOST_BREAK,    /* - */
  HOST_CONTINUE, /* - */
  HOST_RETURN,   /* value or nothing */
  HOST_THROW,    /* [whatever] */
  HOST_GOTO,     /* -; `decl` is the label */
  HOST_LABEL,    /* statement; `decl` */
  HOST_TRY,      /* body, [handlers] */
  HOST_RANGE,    /* [range and what belongs to it], body; `decl` runs through it */
  HOST_NOTHING   /* - */
} host_kind;

typedef struct host_where {
  const char *file;
  unsigned line, column;
} host_where;

typedef struct host_node host_node;

typedef enum host_decl_kind {
  HOST_OTHER_DECL,
  HOST_OBJECT, /* variable or parameter */
  HOST_FIELD,
  HOST_FUNCTION,
  HOST_LABEL_DECL
} host_decl_kind;

typedef struct host_decl {
  host_decl_kind kind;
  const char *name;
  const host_type *type; /* of a function what it returns */
  host_where where;
  bool global;   /* lives as long as the program: also `static` in a function */
  bool external; /* other files may use it */
  bool defined;  /* a variable that some file has, and not only names */
  bool system;   /* declared in a header of the system */
  bool method, variadic;
  bool
      hidden_calls; /* a function that may run without a call that we see: virtual, destructor, operator, address taken */
  bool wild;        /* a variable or field that may change at any time */
  bool unstructured; /* a function with jumps that are not followed */
  host_node *body;   /* of a function */
  host_node *first;  /* of a global variable its initialiser */
  struct host_decl **parameters;
  size_t parameter_count, parameter_capacity;
  const host_type **types; /* of the parameters */
  size_t type_count;
  bool met;     /* of a label: it was read */
  bool dynamic; /* a method that another class may have instead */
} host_decl;

struct host_node {
  host_kind kind;
  c_operator op;
  const host_type *type;
  host_where where;
  host_decl *decl;
  host_node **children;
  size_t count;
  int64_t value;
  double real;
  const char *text; /* of a string; of an assertion's condition */
  bool arrow, postfix;
  bool designated; /* of a list: it says for what some values are, and we do not know it */
  bool has_body;   /* of HOST_OTHER: a function without a name */
  bool measured;   /* a number that is the size of a type */
  int calls;       /* whether it calls functions of the program: 0: not asked yet, 1: no, 2: yes */
};

typedef struct host_tree {
  host_pool *pool;
  host_map types, decls;
  host_decl **functions; /* those with a body */
  size_t function_count, function_capacity;
  host_decl **globals;
  size_t global_count, global_capacity;
  bool complete;         /* every function that is called has a body, or is of the system */
  bool unknown;          /* something is declared that may change any variable and launch any kernel */
  bool plain;            /* all files are C, and all of their code was read: calls are where they are written */
  bool unread_launch;    /* a launch stands in code that could not be read */
  bool unread_setting;   /* the same for arguments of kernels */
  bool images_of_memory; /* some image may be made of a buffer */
  unsigned file_count;
  host_decl **all;
  size_t all_count, all_capacity;
  const char **notes; /* what was not read or followed */
  size_t note_count, note_capacity;
} host_tree;

host_tree *host_tree_new(void);
void host_tree_free(host_tree *t);
/* Adds what stands in one file. `arguments` are the compiler's, without the file. Returns 0, or -1 with a sentence when
 * the file cannot be opened; what clang cannot understand is left out, and `damage` sees to it that nothing is said
 * about variables that stand there. */
int host_tree_add(host_tree *t, const char *file, const char *const *arguments, size_t count, error *e);
/* A number's type. */
const host_type *host_integer_type(host_tree *t, unsigned bits, bool is_signed);

/* Says nothing any more about variables, fields and functions of a name. */
void host_tree_forget(host_tree *t, const char *name);
/* Whether a function of the system is known to launch nothing, to return once, and to change only what its pointers lead to. */
bool host_is_known_function(const host_decl *d);
void host_tree_note(host_tree *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- the reader of libclang's tree -------------------------------------------------------------------------------- */

typedef struct host_reader {
  host_tree *tree;
  CXTranslationUnit unit;
  unsigned number;     /* of the file */
  host_decl *function; /* that is being read */
  bool in_loop;        /* of loops and switches the innermost is a loop */
  unsigned loops;      /* how many loops are around */
  unsigned jumps;      /* jumps and places to jump to so far */
} host_reader;

typedef struct cursor_list {
  CXCursor *items;
  size_t count, capacity;
} cursor_list;

host_decl *host_decl_of(host_reader *r, CXCursor declaration);
/* A declaration of a variable: whether it is the variable itself. */
void host_note_definition(host_decl *d, CXCursor cursor);
/* The string is lent from the pool. */
const char *host_take_string(host_reader *r, CXString s);
cursor_list host_children_of(CXCursor cursor);
host_node *host_new_node(host_reader *r, host_kind kind, CXCursor cursor);

/* --- read_statement.c --- */
host_node *host_read_statement(host_reader *r, CXCursor cursor);
host_node *host_read_expression(host_reader *r, CXCursor cursor);

/* --- known.c --- */
/* Looks at all attributes and declarations: those that are not known take the facts of the whole program away. */
void host_read_known(host_reader *r);

/* Sees to it that nothing is said of what stands in code that clang could not read. */
void host_read_damage(host_reader *r);

#endif
