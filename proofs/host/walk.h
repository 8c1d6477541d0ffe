/* The walk: the host program executed on terms, from its start, each call where it stands. A loop is walked until
 * nothing new is unknown at its head; what its turns change is a symbol there. */
#ifndef CLTC_HOST_WALK_H
#define CLTC_HOST_WALK_H

#include "proofs/host/tree.h"

/* --- terms -------------------------------------------------------------------------------------------------------- */

/* Values of the host program as terms over symbols. A symbol is a number that is not known, and is always the same one.
 * Terms are simplified when they are made, and equal ones are one pointer. */

typedef enum host_term_kind {
  TERM_NUMBER,   /* `value`; with 0 bits: the null pointer */
  TERM_REAL,     /* `real` */
  TERM_SYMBOL,   /* anything: also a pointer that nothing is known of */
  TERM_BINARY,   /* a, b */
  TERM_UNARY,    /* a */
  TERM_CAST,     /* a, to an integer of `bits` */
  TERM_CHOICE,   /* a ? b : c */
  TERM_ADDRESS,  /* of `place` */
  TERM_TEXT,     /* a string that begins at `text` */
  TERM_FORMAT,   /* `text` of printf with the values that follow: TERM_PAIR or NULL in a */
  TERM_PAIR,     /* a, and the next pair in b */
  TERM_FUNCTION, /* `decl` */
  TERM_APPLY,    /* what the function `text` of a and b is, which depends on nothing else */
  TERM_UNSET     /* never written: nothing may depend on it */
} host_term_kind;

typedef struct host_term {
  host_term_kind kind;
  c_operator op;
  unsigned bits; /* of an integer; 0 for all else */
  bool is_signed;
  unsigned weight; /* how many terms it is made of */
  int64_t value;
  double real;
  const struct host_term *a, *b, *c;
  const struct host_place *place;
  const host_decl *decl;
  const char *text;
  /* of a symbol: */
  bool real_number; /* a floating-point number */
  bool given;       /* the user of the program gives it: it may be any number */
} host_term;

typedef struct host_terms {
  host_pool *pool;
  host_map map;
  int64_t symbols;
} host_terms;

const host_term *term_number(host_terms *t, int64_t value, unsigned bits, bool is_signed);
const host_term *term_null(host_terms *t);
const host_term *term_real(host_terms *t, double value);
const host_term *term_unset(host_terms *t);
const host_term *term_address(host_terms *t, const struct host_place *place);
const host_term *term_text(host_terms *t, const char *text);
const host_term *term_format(host_terms *t, const char *text, const host_term *values);
const host_term *term_pair(host_terms *t, const host_term *first, const host_term *rest);
const host_term *term_function(host_terms *t, const host_decl *decl);
/* A new symbol of a type. */
const host_term *term_symbol(host_terms *t, const host_type *type);
/* The same of what the user of the program gives. */
const host_term *term_given(host_terms *t, const host_type *type);
/* The symbol of a place at a time, one and the same for the same two. */
const host_term *term_symbol_of(host_terms *t, const host_type *type, const struct host_place *place,
                                const host_term *time);
const host_term *term_apply(host_terms *t, const char *function, const host_term *a, const host_term *b,
                            const host_type *type);
/* The two have the type in which C computes them, but for shifts. */
const host_term *term_binary(host_terms *t, c_operator op, const host_term *a, const host_term *b);
const host_term *term_unary(host_terms *t, c_operator op, const host_term *a);
const host_term *term_cast(host_terms *t, const host_term *a, unsigned bits, bool is_signed);
const host_term *term_choice(host_terms *t, const host_term *condition, const host_term *yes, const host_term *no);
/* 1 where a value is not 0, as a condition. */
const host_term *term_truth(host_terms *t, const host_term *a);

static inline bool term_is_number(const host_term *a) { return a->kind == TERM_NUMBER && a->bits > 0; }
static inline bool term_is_null(const host_term *a) { return a->kind == TERM_NUMBER && a->bits == 0; }
static inline bool term_is_integer(const host_term *a) { return a->bits > 0; }
bool term_is(const host_term *a, int64_t value);
/* One holds exactly where the other does not, by how they are written. */
bool term_is_opposite(const host_term *a, const host_term *b);
/* Whether it is made of numbers and of what the user of the program gives alone, by what C computes with integers. */
bool term_is_followed(const host_term *a);
/* Whether a symbol of `a` is among those of `b`. */
bool term_share_symbol(const host_term *a, const host_term *b);
/* Whether a cast leaves a value as it is, where the result is no negative number and, of 64 bits, no size that is larger
 * than any memory. */
bool term_keeps_size(const host_term *cast);

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* The host program's memory as the walk sees it: objects, the places in them, and what each place holds in a state.
 *
 * A pointer that is lost sight of may point to each object that is *exposed*: whose address has gone somewhere that is
 * not followed. Whoever drops a value that may be an address exposes it first. */

typedef enum object_kind {
  OBJECT_VARIABLE,
  OBJECT_HEAP,
  OBJECT_KERNEL,
  OBJECT_PROGRAM,
  OBJECT_MEMORY /* a buffer, image or pipe */
} object_kind;

typedef struct host_object {
  object_kind kind;
  const host_decl *decl;              /* of a variable */
  const struct host_context *context; /* the call in which it was made; NULL for globals */
  const struct host_place *place;     /* all of it */
  bool wild;                          /* it may change at any time from now on: a device writes to it */
} host_object;

typedef enum place_kind {
  PLACE_ALL,     /* the object */
  PLACE_FIELD,   /* `field` of the parent */
  PLACE_ELEMENT, /* `index` of the parent */
  /* what is known of an object, beside its contents */
  PLACE_REST,     /* of the parent: what its places hold of which nothing else is known */
  PLACE_EXPOSED,  /* 1: unknown pointers may point to it */
  PLACE_ARGUMENT, /* `index` of a kernel: what it is set to, a pair of the value and the bytes */
  PLACE_NAME,     /* of a kernel */
  PLACE_PROGRAM,  /* of a kernel */
  PLACE_OPTIONS,  /* of a program */
  PLACE_SIZE,     /* of memory, in bytes */
  PLACE_MEASURE,  /* of memory: sizeof in its size */
  PLACE_SETTER    /* `index` of a kernel: the call that has set the argument: the node's address as a number */
} place_kind;

typedef struct host_place {
  place_kind kind;
  const host_object *object;
  const struct host_place *parent; /* NULL for PLACE_ALL */
  const host_decl *field;
  int64_t index;
  const host_type *type;
  unsigned id;
} host_place;

/* Something that holds on the way to here. */
typedef struct host_condition {
  const struct host_condition *before;
  const host_term *term;
  host_where where;
  host_fact_kind kind;
  unsigned depth;
} host_condition;

typedef struct state_entry {
  const host_place *place;
  const host_term *value;
} state_entry;

typedef struct host_state {
  bool dead;            /* nothing gets here */
  state_entry *entries; /* by number of the place */
  size_t count, capacity;
  const host_condition *conditions;
} host_state;

typedef struct host_memory {
  host_pool *pool;
  host_terms terms;
  host_map objects, places;
  unsigned place_count;
  bool hidden_stores; /* exposed objects may change at any time */
} host_memory;

/* --- objects and places --- */
/* The object of a variable in a call, or that the node makes there; one and the same each time. */
host_object *memory_object(host_memory *m, object_kind kind, const void *origin, const struct host_context *context,
                           const host_type *type);
const host_place *memory_place(host_memory *m, const host_place *parent, place_kind kind, const host_decl *field,
                               int64_t index, const host_type *type);

/* --- states --- */
host_state state_copy(const host_state *s);
void state_free(host_state *s);
/* Takes the place of `to`; `from` is empty after it. */
void state_move(host_state *to, host_state *from);
const host_term *state_find(const host_state *s, const host_place *place);
void state_set(host_state *s, const host_place *place, const host_term *value);
/* Forgets what is known of all places below, and of the place itself. */
void state_drop(host_state *s, const host_place *above);

/* --- values --- */
const host_term *memory_load(host_memory *m, const host_state *s, const host_place *place);
void memory_store(host_memory *m, host_state *s, const host_place *place, const host_term *value);
/* Anything may be in the place, and below it, from now on. */
void memory_havoc(host_memory *m, host_state *s, const host_place *place);
/* A new object, or one that a declaration begins anew: `rest` is what its places hold, NULL: unset. */
void memory_begin(host_memory *m, host_state *s, const host_object *object, const host_term *rest);
void memory_copy(host_memory *m, host_state *s, const host_place *to, const host_place *from);
/* What an address in the value points to, and what can be reached from there, is exposed. */
void memory_expose(host_memory *m, host_state *s, const host_term *value);
/* The same of what the place holds now; the place itself is not. */
void memory_expose_held(host_memory *m, host_state *s, const host_place *place);
bool memory_is_exposed(host_memory *m, const host_state *s, const host_object *object);
/* Someone has stored a value of the type, NULL: of any, through a pointer that is not known. */
void memory_havoc_exposed(host_memory *m, host_state *s, const host_type *type);
/* Replaces all addresses of an object by unknown values: another object is made in its name. */
void memory_forget_object(host_memory *m, host_state *s, const host_object *object);

/* --- ways that meet --- */
/* `into` becomes what holds on either way; `condition` is true where `into` was the way, NULL: not known. Empties
 * `from`. */
void memory_join(host_memory *m, host_state *into, host_state *from, const host_term *condition);
/* A condition that holds on the way of the one state and does not on that of the other; NULL: none is known. */
const host_term *memory_tell_apart(const host_state *into, const host_state *from);
/* Makes places unknown in `head` that a turn of a loop, which ends in `end`, changes. `widened` has the symbols of those
 * places, `before` what they held. False when nothing is new. */
bool memory_widen(host_memory *m, host_state *head, const host_state *end, host_state *widened, host_state *before);
/* What a value is where the conditions hold. */
const host_term *memory_given(const host_state *s, const host_term *value);

/* --- the walk ----------------------------------------------------------------------------------------------------- */

enum { MOST_ARGUMENTS = 64 };

/* The calls that lead to where the walk is. */
typedef struct host_context {
  const struct host_context *caller;
  host_decl *function;
  unsigned depth;
} host_context;

/* A launch as it was met. Sizes and arguments are NULL where nothing is known. */
typedef struct met_argument {
  const host_term *value;          /* a number; a memory object; TERM_UNSET: nothing was set */
  const host_term *bytes;          /* of local or other memory */
  const host_node *setter, *maker; /* the calls that set it, and that made the memory; NULL: not known which */
  int64_t measured;                /* the sizeof in the size of the memory, 0 for none */
  unsigned size;                   /* bytes passed */
  bool local;
} met_argument;

typedef struct met_launch {
  const host_node *node;
  const host_context *context;
  const char *kernel;
  unsigned dimensions;
  const host_term *global[3], *local[3], *offset[3];
  met_argument arguments[MOST_ARGUMENTS];
  unsigned argument_count;
  const host_condition *conditions;
  const host_term *options;
} met_launch;

typedef struct pending_jump {
  const host_decl *label;
  host_state state;
} pending_jump;

/* A call that is being walked. */
typedef struct walk_frame {
  host_state returned;
  const host_term *value;
  const host_place *self; /* what `this` points to; NULL: not known */
  pending_jump *jumps;
  size_t jump_count, jump_capacity;
} walk_frame;

typedef struct host_walk {
  host_tree *tree;
  host_pool *pool;
  host_memory memory;
  host_map contexts, visited, recursive;
  host_state state; /* where the walk is */
  const host_context *context;
  walk_frame *frame;
  host_state *breaks, *continues; /* where `break` and `continue` go */
  host_state *choices;            /* the state at the `switch` around */
  const host_term *chosen;        /* its value */
  bool has_default;
  unsigned dry; /* not 0: launches are not taken down */
  size_t steps, most_steps;
  bool exhausted;       /* the program is too large for us */
  bool hidden_settings; /* functions that run at any time set arguments of kernels */
  bool again;           /* something was found that the walk should have known from its beginning */
  met_launch **launches;
  size_t launch_count, launch_capacity;
} host_walk;

/* What an expression names: a place; else an unknown place in `within`; else anything. */
typedef struct host_lvalue {
  const host_place *place, *within;
  const host_type *type;
} host_lvalue;

/* --- walk.c --- */
/* Walks the whole program. The launches that it meets are in `launches`, the pool's. */
void walk_program(host_walk *w);
void walk_free(host_walk *w);
const host_context *walk_context(host_walk *w, const host_node *call, host_decl *function);
/* A launch of any kernel with anything; a note says where, and `what` it may be made by. */
void walk_unknown_launch(host_walk *w, const host_node *n, const char *what);
/* Whether it is known what a function does. */
bool walk_is_followed(const host_decl *d);
/* An unknown launch where it is not. */
void walk_check_function(host_walk *w, const host_node *n, const host_decl *d);
/* Functions called below a node may run at any time. */
bool walk_hide_calls(const host_node *n);
/* Adds what holds from here on; the state is dead where it cannot hold. */
void walk_assume(host_walk *w, host_state *s, const host_term *condition, bool holds, host_where where,
                 host_fact_kind kind);
const host_term *walk_new(host_walk *w, const host_type *type);
/* All that other code can reach may have changed. */
void walk_havoc_world(host_walk *w);
/* Each variable that a node names may have changed, and its address may be known anywhere. */
void walk_havoc_named(host_walk *w, const host_node *n);

/* Ends a call: no jump may be left over whose label was not met. */
void walk_end_frame(host_walk *w, walk_frame *f, host_decl *function);

/* --- walk_statement.c --- */
void walk_statement(host_walk *w, const host_node *n);
void walk_loop(host_walk *w, const host_node *n, const host_node *condition, const host_node *step,
               const host_node *body);

const host_term *walk_value(host_walk *w, const host_node *n);
const host_term *walk_truth(host_walk *w, const host_node *n);
const host_term *walk_convert(host_walk *w, const host_term *value, const host_type *to);

/* --- walk_place.c --- */
host_lvalue walk_lvalue(host_walk *w, const host_node *n);
/* What a pointer to the type points to. */
host_lvalue walk_pointee(host_walk *w, const host_term *pointer, const host_type *type);
const host_term *walk_load(host_walk *w, host_lvalue l);
void walk_store(host_walk *w, host_lvalue l, const host_term *value);
const host_place *walk_variable_place(host_walk *w, const host_decl *d);
/* Fills a place with what an initialiser says. */
void walk_initialise(host_walk *w, const host_place *place, const host_node *first);
/* Moves a pointer by a number of elements. */
const host_term *walk_shifted(host_walk *w, const host_term *pointer, const host_term *by, c_operator op);
/* An address that cannot be followed. */
const host_term *walk_lost(host_walk *w, const host_term *value, const host_type *type);

/* The place that a pointer points to, whatever its type; NULL when it is not known. */
const host_place *walk_target(host_walk *w, const host_term *pointer);
/* Element `index` of what a pointer points to, as a place of the type; NULL when it is not known. */
const host_place *walk_element(host_walk *w, const host_term *pointer, int64_t index, const host_type *type);

/* The operands of an operator that a class defines. */
const host_term *walk_effect(host_walk *w, const host_node *n);
const host_term *walk_call(host_walk *w, const host_node *n);
/* The address of what is passed by reference. */
const host_term *walk_reference(host_walk *w, const host_node *n);
/* Nobody knows which operand is evaluated first. Before any is: what those give that change nothing, NULL where no function of the
 * program is called. Afterwards: what has changed meanwhile is any value. Frees `early`. */
const host_term **walk_early(host_walk *w, const host_node *const *operands, size_t count);
void walk_late(host_walk *w, const host_node *const *operands, size_t count, const host_term **early,
               const host_term **values);
const host_term *walk_construct(host_walk *w, const host_node *n);

/* A function of the system whose arguments have been evaluated. */
const host_term *walk_library(host_walk *w, const host_node *n, const host_term *const *values, size_t count);
/* What a pointer points to may have changed. */
void walk_havoc_target(host_walk *w, const host_term *pointer, const host_type *type);
/* A function that is known by its name, declared or not. */
bool walk_is_library(const char *name);

/* --- walk_opencl.c --- */
/* Calls of OpenCL that are known. False: it is none. */
bool walk_opencl(host_walk *w, const host_node *n, const host_term *const *values, size_t count,
                 const host_term **result);
/* The only object that a value may point to, NULL if there are more or none. */
const host_object *walk_object(const host_term *value, object_kind kind);
void walk_add_launch(host_walk *w, const met_launch *l);

/* --- from launches as the walk met them to facts ------------------------------------------------------------------ */

/* Something that a kernel can see: an argument, or a size of its launch. */
typedef struct kernel_item {
  const host_expression *seen;
  const host_term *term;
  host_where where; /* what gave it this value */
  bool basis;       /* others are written with it */
} kernel_item;

enum { MOST_ITEMS = MOST_ARGUMENTS + 9 };

typedef struct kernel_view {
  host_walk *walk;
  const met_launch *met;
  kernel_item items[MOST_ITEMS];
  size_t count;
} kernel_view;

void facts_of_launch(host_walk *w, const met_launch *met, host_launch *out);

#endif
