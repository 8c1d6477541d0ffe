/* The walk: the host program executed on terms, from its start, each call where it stands. A loop is walked until
 * nothing new is unknown at its head; what its turns change is a symbol there. */
#ifndef CLTC_HOST_WALK_H
#define CLTC_HOST_WALK_H

#include "proofs/host/state.h"

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
/* Launches below a node that is not walked are met, with nothing known of them. */
void walk_unknown_launches(host_walk *w, const host_node *n);
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

/* What stands below a node may run at any time from now on: a function without a name. */
void walk_release(host_walk *w, const host_node *n);
/* Ends a call: no jump may be left over whose label was not met. */
void walk_end_frame(host_walk *w, walk_frame *f, host_decl *function);

/* --- walk_statement.c, walk_loop.c --- */
void walk_statement(host_walk *w, const host_node *n);
void walk_loop(host_walk *w, const host_node *n, const host_node *condition, const host_node *step,
               const host_node *body);

/* --- walk_expression.c --- */
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
const host_term *walk_shifted(host_walk *w, const host_term *pointer, const host_term *by, host_op op);
/* An address that cannot be followed. */
const host_term *walk_lost(host_walk *w, const host_term *value, const host_type *type);

/* The place that a pointer points to, whatever its type; NULL when it is not known. */
const host_place *walk_target(host_walk *w, const host_term *pointer);
/* Element `index` of what a pointer points to, as a place of the type; NULL when it is not known. */
const host_place *walk_element(host_walk *w, const host_term *pointer, int64_t index, const host_type *type);

/* --- walk_call.c --- */
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
/* The same where the object is to lie in a place. False: the constructor is not seen. */
bool walk_construct_at(host_walk *w, const host_node *n, const host_place *place);

/* --- walk_library.c --- */
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

#endif
