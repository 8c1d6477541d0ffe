/* Two work-items of one kernel, executed together on unknown values: what each reads and writes, and what would be a race, a
 * divergence or an access out of bounds. Two work-items stand for any number of them, as a race needs two. Private to this
 * room. */
#ifndef CLTC_VERIFY_PROOF_H
#define CLTC_VERIFY_PROOF_H

#include <setjmp.h>

#include "proofs/verify/kernel.h"
#include "proofs/verify/request.h"
#include "proofs/verify/smt.h"

/* --- values ------------------------------------------------------------------------------------------------------- */

/* What a variable of a work-item holds: a number or truth value, several of them (vectors, structs, arrays), or a pointer. */

enum { ADDRESS_BITS = 64 };

/* An address within an object: constant + the sum of stride * index, in bytes. */
typedef struct term {
  int64_t stride;
  formula index; /* ADDRESS_BITS */
} term;
typedef struct offset {
  int64_t constant;
  size_t count; /* of terms, each stride once */
  const term *terms;
} offset;

/* A pointer is one of these, the one whose `when` holds. */
typedef struct target {
  formula when;
  uint32_t object; /* of the proof */
  offset at;
} target;

typedef enum value_kind { VALUE_NUMBER, VALUE_LIST, VALUE_POINTER } value_kind;
typedef struct value {
  value_kind kind;
  formula number; /* a truth value for i1; the bits of a float */
  size_t count;
  const struct value *const *items; /* of a list */
  const target *targets;            /* of a pointer */
} value;

typedef struct values {
  smt *smt;
  mem_arena *memory;
} values;

const value *value_number(const values *v, formula number);
const value *value_list(const values *v, const value *const *items, size_t count);
/* A pointer to one place. */
const value *value_pointer(const values *v, uint32_t object, offset at);
const value *value_targets(const values *v, const target *targets, size_t count);

/* `yes` where the condition holds, else `no`; both have the same shape. */
const value *value_if(const values *v, formula condition, const value *yes, const value *no);
/* A number for each number in it, in order. Appends to `to` up to `room`; returns how many there are. */
size_t value_numbers(const values *v, const value *from, formula *to, size_t room);

/* `at` moved by `bytes` and by stride * index. */
offset offset_move(const values *v, offset at, int64_t bytes);
offset offset_add(const values *v, offset at, int64_t stride, formula index);
/* As one number of ADDRESS_BITS, divided by `unit`, which divides the constant and each stride. */
formula offset_number(const values *v, const offset *at, int64_t unit);
/* The greatest number that divides `unit`, the constant and all strides. */
int64_t offset_unit(const offset *at, int64_t unit);
int64_t greatest_divisor(int64_t a, int64_t b);

enum { THREADS = 2, DIMENSIONS = 3, PIXEL_NUMBERS = 4 /* coordinates and the level */ };
enum { MOST_LOCAL = 1024, MOST_GROUPS = 1 << 20 }; /* of sizes that are not given */
enum { COUNTER_BITS = 32 }; /* numbers that count work-items and elements have as many: others come round soon */
enum { SPACE_PRIVATE = 0, SPACE_GLOBAL = 1, SPACE_CONSTANT = 2, SPACE_LOCAL = 3, SPACE_GENERIC = 4 };
/* As memory_scope_… */
enum { SCOPE_WORK_ITEM = 0, SCOPE_WORK_GROUP = 1, SCOPE_DEVICE = 2, SCOPE_ALL = 3, SCOPE_SUB_GROUP = 4 };
enum { FLAG_LOCAL = 1, FLAG_GLOBAL = 2, FLAG_IMAGE = 4 }; /* as CLK_…_MEM_FENCE */

typedef enum object_kind { OBJECT_NULL, OBJECT_UNKNOWN, OBJECT_ARGUMENT, OBJECT_VARIABLE, OBJECT_PRIVATE } object_kind;

/* The first ones of each proof. */
enum { OBJECT_NULL_NUMBER, OBJECT_UNKNOWN_NUMBER, OBJECT_VECTOR_NUMBER };

/* Some memory: a buffer, an array, a variable. */
typedef struct object {
  object_kind kind;
  LLVMValueRef value; /* argument, global variable, alloca */
  const char *name;
  unsigned space;
  bool image;
  bool null;          /* an argument that is a null pointer */
  bool written;       /* the kernel may write to it */
  bool atomic;        /* atomic functions may touch its memory */
  bool other_widths;  /* its memory is read in several widths, or at places that are no multiples of one */
  unsigned version;   /* of its contents: another after each write of either work-item, barrier and iteration */
  unsigned read_bits; /* the width in which its memory is read, 0: it is not */
  uint64_t bytes;     /* 0: not known */
  formula size;       /* that as a number of ADDRESS_BITS; NULL: not known */
  const contents_known *contents; /* of a buffer that is only read; NULL: nothing is known */
  uint32_t memory;                /* the object that it is a part of: itself, or one that came before */
  int64_t at;                     /* where in that */
  formula distance;               /* where in that, if it is not known; NULL else */
} object;

typedef enum access_kind { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC } access_kind;

/* What is known of the sub-groups of the two work-items; NULL: nothing was asked yet. */
typedef struct sub_groups {
  formula id[THREADS], place[THREADS], size[THREADS]; /* 32 bits each */
  formula count[THREADS];                             /* of its group */
  formula most;
} sub_groups;

/* An access of one work-item. */
typedef struct access {
  access_kind kind;
  uint32_t instruction; /* number of the value */
  unsigned thread;
  unsigned visit; /* of the block */
  formula other;  /* that the other work-item is there, too */
  uint32_t object;
  offset at;     /* in the object */
  offset within; /* in the memory that the object is a part of */
  uint64_t bytes;
  unsigned scope; /* of an atomic */
  formula enabled;
  formula live;               /* no barrier has come since */
  formula far;                /* a copy of more elements than any memory has; NULL: it is none */
  formula extent;             /* of an asynchronous copy of elements side by side: bytes, ADDRESS_BITS; NULL else */
  bool copy;                  /* of an asynchronous copy */
  formula event;              /* of that; NULL: not known */
  const value *value;         /* written; NULL: not known */
  const formula *coordinates; /* of an image; NULL else */
  size_t steps;               /* branches that were noted before */
} access;

/* Two accesses that would be a race. */
typedef struct pair {
  formula reached; /* what was assumed until then */
  formula live;    /* of the first, then */
  const access *first, *second;
  formula values;  /* they write different values, where that matters */
  formula place;   /* they touch the same memory */
  formula bare;    /* a race whatever they write */
  formula certain; /* that, at addresses which a launch can have */
  formula race;    /* that, and both happen, and nothing orders them */
} pair;

/* Something else that must not happen. */
typedef enum mishap_kind { MISHAP_DIVERGENCE, MISHAP_BOUNDS, MISHAP_ASSERTION } mishap_kind;
typedef struct mishap {
  mishap_kind kind;
  formula reached, condition;
  uint32_t instruction;
  formula enabled[THREADS]; /* of a divergence */
  const access *access;     /* of bounds */
  size_t steps;             /* branches that were noted before */
} mishap;

/* A value that was read from a buffer about whose contents something is known. */
typedef struct content_read {
  uint32_t object;
  formula index;   /* of the element, ADDRESS_BITS */
  formula content; /* what was read */
} content_read;

/* A number that a work-item read from a buffer that nobody writes, for counterexamples. */
typedef struct cell {
  uint32_t object;
  formula enabled, at; /* bytes from the beginning of the object */
  formula content;
} cell;

/* A branch that a work-item took, for explanations. */
typedef struct step {
  unsigned thread;
  uint32_t instruction;
  formula enabled, condition;
  const unsigned *turns; /* of the loops around it, by depth; NULL: not known */
} step;

/* A property of a loop's variables that may hold in every iteration. */
typedef struct candidate candidate;

/* An obligation: the candidate holds at the start, or after an iteration in which all that are alive held before. */
typedef struct obligation {
  formula reached, broken;
  uint32_t candidate;
} obligation;

/* Arithmetic that is taken not to overflow, or not to divide by 0. */
typedef struct overflow_note {
  formula reached;
  uint32_t instruction;
  bool is_signed;
  bool divides; /* no overflow: a divisor that is 0 */
} overflow_note;

/* Values of the variables of one work-item, by number; NULL: none yet. */
typedef const value **environment;

typedef struct proof {
  smt smt;
  values values;
  const kernel *kernel;
  const request *request;
  const launch *launch; /* sizes, arguments and buffers as far as they are known */
  mem_arena *memory;

  bool same_group;               /* the two work-items are of one group; else of two */
  unsigned turns;                /* loops are executed so often; 0: proved for any number */
  unsigned most_turns;           /* those whose end is certain may be executed so often */
  bool complete;                 /* no loop was cut */
  bool held;                     /* it rests on what a buffer holds in this launch */
  unsigned budget;               /* blocks that may still be executed; 0: give up */
  const struct told_fault *told; /* what is left out of the search, as it was told */
  size_t told_count;
  const bool *without; /* barriers that are taken to be away, by number of the value; NULL: none */

  formula local_id[THREADS][DIMENSIONS], group_id[THREADS][DIMENSIONS];
  formula local_size[DIMENSIONS], groups[DIMENSIONS], global_offset[DIMENSIONS];
  formula last_size[DIMENSIONS];          /* of the last group, where it may be smaller; NULL: it is not */
  formula global_id[THREADS][DIMENSIONS]; /* without the offset */
  formula global_size[DIMENSIONS];        /* NULL: not asked yet */
  sub_groups sub_groups;
  formula *events; /* of asynchronous copies */
  size_t event_count, event_capacity;
  formula copy_event;        /* of the copy that is executed */
  uint32_t copy_instruction; /* the copy that is asked about */
  object *objects;
  uint32_t object_count;
  const uint32_t **pointed; /* by value: objects that it may point into, ended by NONE; NULL: not asked yet */
  bool *divergent;          /* by value: may differ between the two work-items */
  bool *divergent_block;    /* by block: only one of them may be in it */

  formula differ;   /* there are two work-items: nothing about one alone needs that */
  size_t differ_at; /* of the facts, which it stands among: solvers care about the order */
  formula *facts;   /* all hold */
  size_t fact_count, fact_capacity;
  formula chain;             /* stands for all that was assumed on the way */
  unsigned visits, versions; /* so far */
  uint32_t executing;        /* the instruction, by number of its value; NONE: none */
  unsigned scope;            /* of the atomic that is executed */
  access **log;
  size_t log_count, log_capacity;
  pair *pairs;
  size_t pair_count, pair_capacity;
  mishap *mishaps;
  size_t mishap_count, mishap_capacity;
  step *steps;
  size_t step_count, step_capacity;
  content_read *contents;
  size_t content_count, content_capacity;
  cell *cells;
  size_t cell_count, cell_capacity;
  struct logged *logged; /* what annotations about accesses need; NULL: nothing yet */
  bool logs, logs_now;   /* the kernel has such annotations; accesses are noted for them, though they do not count */
  struct store *stores;  /* since the last barrier: see copies.c */
  size_t store_count, store_capacity;
  bool *only_said;               /* by value: annotations alone use it */
  uint32_t not_understood;       /* the number of an annotation that is to be shown, NONE: there is none */
  formula *no_overflow;          /* what C forbids: signed numbers overflow where they are computed */
  overflow_note *overflow_notes; /* one of each */
  size_t no_overflow_count, no_overflow_capacity, overflow_note_capacity;
  shifts *shifted;     /* what the solver is given */
  exact_number *exact; /* results of arithmetic that does not overflow */
  size_t exact_count, exact_capacity;
  const value **arguments;        /* by number */
  environment variables[THREADS]; /* of the block that is executed */
  formula enabled[THREADS];
  candidate **candidates;
  size_t candidate_count, candidate_capacity;
  uint32_t *first_candidate, *end_candidate; /* by loop */
  bool *made_candidates;                     /* by loop */
  const bool **loop_writes;                  /* by loop, then by object; NULL: not asked yet */
  bool *alive;                               /* by candidate: it holds; NULL: not asked */
  const char *const *claim_texts;            /* expressions that may be taken to hold, */
  formula *claims;                           /* and what they say */
  size_t claim_count;
  obligation *obligations;
  size_t obligation_count, obligation_capacity;
  unsigned turn[32]; /* of the loops around, when they are executed; by depth */

  bool abstract_products; /* of two unknowns only what operands.c says is known */
  struct product *products;
  size_t product_count, product_capacity;
  struct law *laws; /* of products: see operands.c; they are the facts from the first to the end */
  size_t law_count, law_capacity, first_law, end_law;
  bool long_products; /* some might overflow */
  bool divides;       /* by something that may be 0 */
  bool single; /* both are the only work-item of a group: only what a copy does beside what comes after it can race */
  bool alone;  /* a launch of one work-item: nothing but bounds can go wrong */
  bool few_work_items; /* sizes that are free are small: nothing is proved for others */

  jmp_buf *stop;     /* where proof_refuse goes */
  const char *unfit; /* why there is no proof, whatever the kernel does; NULL: nothing so far */
  const char *refused;
  uint32_t refused_at;
  bool wrong_assumption; /* as one that was given is no expression of the kernel */
} proof;

/* How the walk goes on: whether accesses count, and whether what would go wrong is to be shown. */
typedef struct walk {
  bool record;
  bool oblige;      /* loops' candidates have to be shown */
  uint32_t showing; /* the loop whose annotated invariants are shown now, not used; NONE: none */
} walk;

typedef struct state {
  environment variables[THREADS];
  formula enabled[THREADS];
} state;

/* --- proof.c --- */

/* Makes a proof ready. All goes into `memory`. */
void proof_open(proof *p, const kernel *k, const request *r, const launch *l, bool same_group, unsigned turns,
                bool abstract_products, mem_arena *memory);
void proof_close(proof *p);
/* Executes the kernel. false: it has a construct that is not supported, or is too large: see `refused`. */
bool proof_run(proof *p);
bool proof_take_launch(proof *p); /* only what is known of arguments and sizes */
/* Gives up; does not return. */
_Noreturn void proof_refuse(proof *p, uint32_t where, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Work-items of all groups, and of the group of one. */
formula proof_global_size(proof *p, unsigned d);
formula proof_local_size(const proof *p, unsigned thread, unsigned d);
/* From here on it holds. */
void proof_assume(proof *p, formula f);
void proof_fact(proof *p, formula f); /* it holds everywhere */

/* --- objects.c --- */

void objects_find(proof *p);
/* The objects that a pointer may point into, as a list ended by NONE. */
const uint32_t *objects_of(proof *p, LLVMValueRef pointer);
uint32_t object_of(const proof *p, LLVMValueRef value);
/* Where an address in the object is in the memory that it is a part of. */
offset object_within(proof *p, uint32_t number, offset at);
/* The width of the numbers in it, 0: they differ. */
unsigned number_width(proof *p, LLVMTypeRef type);
/* Whether another work-item can see it, in this proof. */
bool object_is_shared(const proof *p, uint32_t object);
/* Whether each of the two work-items has another memory there. */
bool object_is_own(const proof *p, uint32_t object);

/* --- operands.c --- */

const value *operand(proof *p, const environment variables, LLVMValueRef v);
formula operand_number(proof *p, const environment variables, LLVMValueRef v);
/* A value of the type with a number of `make` in each place. */
typedef formula (*number_maker)(proof *p, void *context, unsigned bits, size_t index);
const value *make_value(proof *p, LLVMTypeRef type, number_maker make, void *context);
const value *fresh_value(proof *p, LLVMTypeRef type, const char *name, bool abstract);
const value *argument_value(proof *p, uint32_t argument);
const value *constant_value(proof *p, LLVMValueRef v);
/* Of a getelementptr, as an instruction or a constant. */
const value *address_value(proof *p, const environment variables, LLVMValueRef v);
uint64_t type_bytes(const proof *p, LLVMTypeRef type);
/* Bits of a number of the type; 0: a truth value. */
unsigned type_bits(proof *p, LLVMTypeRef type);

/* --- execute.c, calls_execute.c, memory.c --- */

/* Executes one instruction of a work-item; NULL: it has no value. */
const value *execute(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled, walk w);
/* Whether a component of what a shuffle gives is any number. */
bool shuffle_is_undefined(LLVMValueRef v);
const value *execute_vector(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled,
                            walk w);
/* The tests that show what is known of an instruction; NULL: nothing is. */
const char *execute_shown(LLVMOpcode opcode);
/* The access of a load whose component the extractelement takes, where it is known only there. */
void execute_component(proof *p, unsigned thread, const instruction *i, const environment variables, formula enabled,
                       walk w);
const value *execute_call(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled,
                          walk w);
void memory_access(proof *p, unsigned thread, const instruction *i, access_kind kind, const value *pointer,
                   uint64_t bytes, formula enabled, const value *written, walk w);
const value *memory_load(proof *p, unsigned thread, const instruction *i, const value *pointer, LLVMTypeRef type);
/* What is read from now on may be something else: of the objects of a pointer, or of all. */
void memory_changed(proof *p, const uint32_t *objects);
void memory_all_changed(proof *p);
/* The same, as a loop is entered, or was executed: of what it may write. */
void memory_loop(proof *p, uint32_t loop_number);
/* The same, of memory that others see. */
void memory_shared_changed(proof *p);
/* Puts an access into the log of the first work-item, or holds one of the second against that. */
void memory_note(proof *p, access *a);
/* The number of the work-item in its group, of all dimensions. */
formula linear_local_id(const proof *p, unsigned thread);
/* The pairs and what would be a race of each. */
void memory_make_races(proof *p);

/* --- region.c --- */

/* A function that asks about the work-item's sub-group. NULL: it does something else. */
const value *sub_group_question(proof *p, unsigned thread, const instruction *i);
/* That both work-items are of one. */
formula sub_group_is_one(proof *p);
/* Orders what the work-items of one sub-group did before. */
void sub_group_barrier(proof *p, const instruction *i, const state *s);
/* Notes that not both may reach what all of a group have to reach. */
void barrier_divergence(proof *p, const instruction *i, const state *s, walk w);
/* What was accessed before is ordered where the condition holds, for memory of one of these flags. */
void order_before(proof *p, formula condition, unsigned flags);
/* Notes that the condition is a divergence at the instruction; from here on it does not hold. */
void barrier_note_divergence(proof *p, const instruction *i, const state *s, formula condition);
/* --- copies.c --- */

void copy_execute(proof *p, const instruction *i, state *s, walk w);
void wait_execute(proof *p, const instruction *i, state *s, walk w);

/* --- annotate.c --- */

/* What an annotation says, where it stands. */
const value *annotation_execute(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled,
                                walk w);
/* Finds what annotations alone use: it does not count as an access. */
void annotations_find(proof *p);
/* An invariant of the user that does not hold, as the number of its call; NONE: there is none. */
uint32_t annotation_dropped(const proof *p);
/* Whether the loop itself, not one inside it, has annotated invariants. */
bool annotation_in_loop(const proof *p, uint32_t loop_number);

formula pointers_equal(proof *p, const value *a, const value *b);

/* Notes an access of the first work-item that may leave its buffer or array. */
void bounds_note(proof *p, const access *a);
/* The same, of so many bytes that are no object. */
void bounds_note_in(proof *p, const access *a, uint64_t size);

/* --- assumptions.c --- */

void contents_note(proof *p, uint32_t number, formula index, formula content);
void contents_note_cell(proof *p, cell c);
const buffer_given *contents_given(const proof *p, const object *o);
formula contents_held(proof *p, const buffer_given *b, const offset *at, unsigned bits, size_t index);
/* Adds what is known of contents that were read, as facts. */
void contents_add(proof *p);

/* Adds what the launch says to hold, as facts. Refuses an expression that cannot be read. */
void assumptions_add(proof *p, environment variables);
/* Bytes of an element that a pointer argument points to; 0: not known. */
unsigned assumptions_element_bytes(const kernel *k, uint32_t argument);
/* Whether the expression calls the function with this text as its argument. */
bool assumptions_speak_of(const char *expression, const char *function, const char *argument);
/* The number of elements of a buffer argument, where it is not known: an unknown. */
formula assumptions_elements(proof *p, const char *buffer);

/* --- region.c, loops.c --- */

typedef struct edge {
  struct edge *next;
  uint32_t from, to;
  formula taken[THREADS];
} edge;
/* Edges by where they go. */
typedef struct edges {
  edge **heads;
  uint32_t mask;
} edges;
edge *edges_first(const edges *e, uint32_t to);
void edges_add(proof *p, edges *e, uint32_t from, uint32_t to, const formula taken[THREADS]);
/* Whether an edge of the loop's body is taken that goes back to its header, or one that leaves it. */
formula edges_taken(const proof *p, const edges *e, uint32_t loop_number, bool back, unsigned thread);
/* What a phi is, by the edge that is taken; `from`: only edges from these blocks count, NULL: all. */
const value *phi_value(proof *p, const instruction *i, const environment variables, const edges *in, unsigned thread,
                       const bool *from);
/* Executes the blocks of a loop (NONE: of the kernel) once, from its header on; phis of the header have the given values.
 * Gives the edges that leave it or go back. */
edges region_run(proof *p, uint32_t loop_number, state *s, walk w, environment phis[THREADS]);
void loop_run(proof *p, uint32_t loop_number, state *s, walk w, edges *e);
environment environment_copy(proof *p, const environment from);

/* --- copies.c: what a work-item wrote itself since the last barrier ----------------------------------------------- */

/* Notes what both work-items write. false: it cannot be noted; what is in the memory is then not known any more. */
bool stores_note(proof *p, const instruction *i, const state *s);
/* What is read at `at` (bytes in the memory) where otherwise `found` would be; `both`: what the other work-item wrote counts,
 * too. `whole`: the address is a multiple of the number's size. */
formula stores_read(proof *p, uint32_t memory, unsigned thread, bool both, formula at, bool whole, formula found);
/* Nothing is known any more of this memory; NONE: of all. */
void stores_forget(proof *p, uint32_t memory);
/* Nor of memory that others see. */
void stores_forget_shared(proof *p);

/* --- annotate.c --------------------------------------------------------------------------------------------------- */

/* Whether the kernel has such annotations: else nothing of this is noted. */
bool logged_is_asked(const kernel *k);
/* Notes an access of either work-item. */
void logged_note(proof *p, const access *a);
/* What each did before is not spoken of any more where its condition holds, of memory of these flags. */
void logged_clear(proof *p, const formula conditions[THREADS], unsigned flags);
void logged_free(proof *p);

/* Whether a work-item leaves the loop only when another has written to memory; `*local`: to memory of its group. */
bool waits_for_others(proof *p, uint32_t loop_number, bool *local);

/* --- assumptions.c: how many elements buffers have, and what they hold -------------------------------------------- */

/* Buffers of which the launch's expressions speak are among its buffers from now on: with some number of elements, which accesses
 * are held against, or with what is known of their contents. `distinct(x)` and `ascending(x)` are no expressions any more. */
void said_take(const kernel *k, launch *l);

/* --- operands.c: products, quotients and remainders of two unknowns ----------------------------------------------- */

/* Of numbers that do not overflow. */
formula product_of(proof *p, formula a, formula b);
bool product_is(const proof *p, formula f);
/* Adds what is known of all products, as facts. */
void products_add(proof *p);
/* Those that speak of products which do not occur in `parts` are not kept. */
void products_leave_out(const proof *p, smt_parts *parts, bool *keep);

/* Executions in which that does not hold, where the work-item is there, are none that C knows: `divides`: as something is divided
 * by 0; else as something overflows. */
void exclude_execution(proof *p, formula enabled, formula holds, bool is_signed, bool divides);
/* a / b or a % b, as the instruction of LLVM has it. */
formula divided(proof *p, LLVMOpcode opcode, formula a, formula b, formula enabled);

#endif
