/* Growing a random program. Everything terminates, nothing is undefined: loops have counters of their own, unsigned
 * arithmetic wraps, signed arithmetic is bounded, indices are masked, no expression modifies a variable that it uses
 * elsewhere without a sequence point between. */
#ifndef CLTC_TESTS_PROPERTY_GENERATE_H
#define CLTC_TESTS_PROPERTY_GENERATE_H

#include "known.h"
#include "random.h"
#include "tree.h"

enum { VISIBLE_CAP = 40 };

typedef struct generator {
  tree *p;
  random_state random;
  int budget;        /* statements left for the function */
  uint32_t names;    /* for unique names */
  bool version3;     /* -cl-std=CL3.0 */
  bool given;        /* -DGIVEN -DVALUE=5 */
  bool in_define;    /* directives cannot stand here */
  bool entries;      /* loops may be entered in the middle, and nothing has barriers: PoCL 3.1 cannot have both */
  bool input, slice; /* whether `in` and `o` are at hand */
} generator;

/* What a statement or expression may use where it stands. */
typedef struct scope {
  function *function;
  macro *macro; /* whose body is being made, or NULL */
  variable *visible[VISIBLE_CAP];
  size_t visible_count;
  int depth;
  bool uniform;      /* all work-items of a group come here together: barriers are fine */
  bool only_uniform; /* expressions must be the same for all work-items of a group */
  bool pure;         /* expressions must not assign */
  bool may_break, may_continue, may_return;
  bool loop_uniform, switch_uniform; /* the innermost loop, or loop or switch, holds barriers: left only together */
  bool no_declare;
  uint32_t jump; /* label that a goto may leave for, + 1; 0: none */
} scope;

/* --- generate_expression.c --- */
uint32_t below(generator *g, uint32_t n);
bool chance(generator *g, uint32_t percent);
expression *make_number(generator *g, uint32_t n);
expression *make_int(generator *g, uint32_t n);
expression *make_use(generator *g, variable *v);
expression *make_binary(generator *g, operator_kind op, expression *a, expression *b);
expression *make_pair(generator *g, expression_kind kind, expression *a, expression *b); /* && || , */
expression *make_assign(generator *g, operator_kind op, expression *to, expression *from);
expression *make_step(generator *g, operator_kind op, expression *to, bool postfix);
expression *make_cast(generator *g, expression_kind kind, value_type type, expression *a);
expression *make_element(generator *g, storage where, expression *index, bool masked);
expression *make_id(generator *g, work_item_function which, uint32_t dimension);
expression *make_small(generator *g, expression *e, uint32_t mask); /* e & mask */
statement *make_plain(generator *g, expression *e);
statement *make_declaration(generator *g, variable *v, expression *e);
statement *make_if(generator *g, expression *c, statement *body, statement *otherwise);
statement *make_loop(generator *g, statement_kind kind, expression *condition);
/* `do { … } while (0)`, which is no loop and has no site. */
statement *make_done_once(generator *g);
statement *make_use_of_macro(generator *g, macro *m, expression *first, expression *second);
/* A new variable of a function. */
variable *make_variable(generator *g, function *f, const char *prefix, value_type type, uint32_t length);
/* A counter declared at the function's top as 0. NULL: too many. */
variable *make_counter(generator *g, function *f, bool uniform);
void show(scope *s, variable *v);

expression *generate_uint(generator *g, const scope *s, int depth);
expression *generate_condition(generator *g, const scope *s, int depth);
/* Something assigned; NULL where there is nothing to assign to. */
expression *generate_effect(generator *g, const scope *s);
/* An unsigned scalar that may be assigned, NULL if there is none. */
expression *generate_target(generator *g, const scope *s);

expression *generate_vector(generator *g, const scope *s, int depth);

/* --- generate_function.c --- */
/* A call of a function with a result, or of a macro with a value; NULL where there is none. */
expression *generate_call(generator *g, const scope *s, int depth);
expression *generate_macro_value(generator *g, const scope *s, int depth);
/* A call of a function without a result, as a statement; barriers tells which kind. */
statement *generate_void_call(generator *g, const scope *s, bool barriers);
macro *pick_macro(generator *g, const scope *s, bool (*fits)(const macro *));

/* --- generate_statement.c --- */
/* `count` statements and what they need. */
void generate_items(generator *g, scope *s, statement *block, uint32_t count);
/* The body of a branch or loop, with or without braces. Without when an `else` follows only if it cannot take it. */
statement *generate_body(generator *g, const scope *s, bool else_follows);
/* The simplest statement there is. */
statement *generate_simple(generator *g, const scope *s);
bool ends_open(const statement *s);

void generate_if(generator *g, scope *s, statement *block);
/* A label of a switch; `next`: the smallest value that is free. */
statement *make_case(generator *g, uint32_t *next, uint32_t outcome);

void generate_loop(generator *g, scope *s, statement *block);

/* --- generate_function.c --- */
void generate_goto_into(generator *g, scope *s, statement *block);
void generate_device(generator *g, scope *s, statement *block);

void generate_barrier(generator *g, scope *s, statement *block);

/* --- generate_expression.c --- */
macro *make_macro(generator *g, const char *prefix, size_t parameters);
void generate_macros(generator *g);

/* --- generate_function.c --- */
void generate_helper(generator *g, bool simple, bool barriers);
/* Two or three functions that one macro makes. */
void generate_made(generator *g);
void generate_kernel(generator *g);

void generate_launches(generator *g);

#endif
