/* What the files share that read libclang's tree. */
#ifndef CLTC_HOST_READ_H
#define CLTC_HOST_READ_H

#include <clang-c/Index.h>

#include "proofs/host/tree.h"

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

/* --- read_declarations.c --- */
const host_type *host_type_of(host_reader *r, CXType type);
host_decl *host_decl_of(host_reader *r, CXCursor declaration);
/* A declaration of a variable: whether it is the variable itself. */
void host_note_definition(host_decl *d, CXCursor cursor);
/* The string is lent from the pool. */
const char *host_take_string(host_reader *r, CXString s);
cursor_list host_children_of(CXCursor cursor);
host_node *host_new_node(host_reader *r, host_kind kind, CXCursor cursor);
void host_read_unit(host_reader *r);

/* --- read_statement.c, read_expression.c --- */
host_node *host_read_statement(host_reader *r, CXCursor cursor);
host_node *host_read_expression(host_reader *r, CXCursor cursor);
/* A node whose children are those of the cursor, each read. */
host_node *host_read_opaque(host_reader *r, CXCursor cursor);

/* --- known.c --- */
/* Looks at all attributes and declarations: those that are not known take the facts of the whole program away. */
void host_read_known(host_reader *r);
/* Whether a warning is of an attribute or a pragma without meaning for us; `text`: what stands at its place. */
bool host_is_known_warning(const char *option, const char *sentence, const char *text);

/* --- damage.c --- */
/* Sees to it that nothing is said of what stands in code that clang could not read. */
void host_read_damage(host_reader *r);

#endif
