/* The typed tree of a macro-free OpenCL C text: declarations, statements and expressions with their types.
 *
 * It is read once, with libclang and our own tokens, and freed as a whole: all that it points to lives as long as it
 * does, and the text must live longer. What cannot be typed is an "unknown" node that has its tokens; no node says
 * something else than the language does. Nodes, types and symbols are lent. */
#ifndef CLTC_FRONTEND_TREE_H
#define CLTC_FRONTEND_TREE_H

#include "base/integer.h"
#include "base/memory.h"
#include "frontend/edits.h"

/* --- types: each is kept once, the same type is the same pointer; typedefs are looked through --------------------- */

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

/* --- nodes -------------------------------------------------------------------------------------------------------- */

typedef enum tree_builtin_kind {
  TREE_WORK_ITEM,  /* get_global_id and its like */
  TREE_BARRIER,    /* waits for other work-items of the group */
  TREE_FENCE,      /* orders memory, waits for nobody */
  TREE_ATOMIC_ANY, /* atomics: read, change and write one object */
  TREE_ATOMIC_LOAD,
  TREE_ATOMIC_STORE,
  TREE_IMAGE_READ,
  TREE_IMAGE_WRITE,
  TREE_IMAGE_QUERY,
  TREE_ASYNC_COPY,
  TREE_ASYNC_WAIT,
  TREE_PREFETCH,
  TREE_VECTOR_LOAD,
  TREE_VECTOR_STORE,
  TREE_MATH,
  TREE_INTEGER,
  TREE_COMMON,
  TREE_GEOMETRIC,
  TREE_RELATIONAL,
  TREE_CONVERSION,
  TREE_VECTOR_MISC, /* shuffle, shuffle2 */
  TREE_GROUP,       /* work_group_reduce_add and its like: all work-items of the group take part */
  TREE_SUB_GROUP,
  TREE_PIPE,
  TREE_ADDRESS_SPACE, /* to_global and its like, get_fence */
  TREE_PRINTF,
  TREE_EVENT, /* of device-side enqueue */
  TREE_BUILTIN_KIND_COUNT
} tree_builtin_kind;

/* What a function does through a pointer argument. */
typedef enum tree_effect { TREE_EFFECT_NONE, TREE_EFFECT_READ, TREE_EFFECT_WRITE, TREE_EFFECT_BOTH } tree_effect;

typedef struct tree_builtin {
  tree_builtin_kind kind;
  tree_effect first, others; /* through its first pointer argument, and through the others */
  bool uniform;              /* gives all work-items of a group the same for the same integers */
} tree_builtin;

/* NULL for a name that is no function of OpenCL C. */
const tree_builtin *tree_find_builtin(const char *name);
/* Whether it does nothing but give a value: it writes nothing, waits for nobody, and may be called once more or less. */
bool tree_builtin_is_pure(const tree_builtin *b);

/* What a node is, with its children in this order. An absent child is NULL; […] is any number of them. */
typedef enum tree_kind {
  /* declarations; `symbol` is what they declare */
  TREE_UNIT,       /* [declarations] */
  TREE_FUNCTION,   /* [parameters], body (NULL for a prototype), which is the last */
  TREE_PARAMETER,  /* - */
  TREE_VARIABLE,   /* initialiser */
  TREE_TYPEDEF,    /* - */
  TREE_RECORD,     /* [fields, records without a name]; `record` says which struct or union */
  TREE_FIELD,      /* - */
  TREE_ENUM,       /* [enumerators] */
  TREE_ENUMERATOR, /* - */
  TREE_PRAGMA,     /* also as a statement */
  TREE_UNKNOWN_DECLARATION,
  /* statements; `tokens` include their `;` */
  TREE_COMPOUND,   /* [statements] */
  TREE_DECLARE,    /* [declarations] */
  TREE_EXPRESSION, /* expression */
  TREE_EMPTY,      /* - */
  TREE_IF,         /* condition, then, else */
  TREE_FOR,        /* first, condition, step, body */
  TREE_WHILE,      /* condition, body */
  TREE_DO,         /* body, condition */
  TREE_SWITCH,     /* condition, body */
  TREE_CASE,       /* lowest, highest (NULL but for `a ... b`), statement */
  TREE_DEFAULT,    /* statement */
  TREE_LABEL,      /* statement; `symbol` is the label */
  TREE_GOTO,       /* -; `symbol` is the label */
  TREE_BREAK,      /* - */
  TREE_CONTINUE,   /* - */
  TREE_RETURN,     /* value */
  TREE_UNKNOWN_STATEMENT,
  /* expressions; they have a type */
  TREE_LITERAL,              /* -; a number, a character, true, false */
  TREE_STRING,               /* -; also __func__ */
  TREE_MACRO,                /* -; a macro of the compiler's own header: CLK_LOCAL_MEM_FENCE, INFINITY, NULL */
  TREE_NAME,                 /* -; a variable, parameter, enumerator or function: `symbol` */
  TREE_MEMBER,               /* object, or with `arrow` a pointer to it; `symbol` is the field */
  TREE_SWIZZLE,              /* vector, or with `arrow` a pointer to it; `lanes` */
  TREE_SUBSCRIPT,            /* pointer or vector, index; whichever stands first in the text */
  TREE_DEREFERENCE,          /* pointer */
  TREE_ADDRESS,              /* object */
  TREE_UNARY,                /* operand; + - ~ ! */
  TREE_STEP,                 /* object; ++ or --, `postfix` */
  TREE_BINARY,               /* left, right; arithmetic, shifts, bits, relations */
  TREE_LOGICAL,              /* left, right; && and ||, lazy on scalars */
  TREE_COMMA,                /* left, right */
  TREE_ASSIGN,               /* object, value */
  TREE_COMPOUND_ASSIGN,      /* object, value; computed in the type `computed` */
  TREE_CONDITIONAL,          /* condition, yes (NULL for `a ?: b`), no */
  TREE_CALL,                 /* [arguments]; `symbol` is the function, `builtin` says which of the language's it is */
  TREE_CAST,                 /* operand; `conversion` */
  TREE_CONVERT,              /* operand; the same, but written nowhere */
  TREE_PARENTHESES,          /* inner */
  TREE_VECTOR,               /* [scalars and vectors]; `(float4)(a, b.xy, c)` */
  TREE_COMPOUND_LITERAL,     /* initialiser */
  TREE_INITIALIZER,          /* [values]; `{…}` */
  TREE_DESIGNATED,           /* value; `.a = x` or `[1] = x`, what is designated are the tokens in front of it */
  TREE_SIZEOF,               /* operand, NULL for a type; also of alignment and vec_step; not executed */
  TREE_REINTERPRET,          /* operand; `as_float4(x)` */
  TREE_SHUFFLE,              /* [operands]; clang's __builtin_shufflevector */
  TREE_SELECTION,            /* -; _Generic: `tokens` say it */
  TREE_STATEMENT_EXPRESSION, /* compound statement; `({ … })` */
  TREE_UNKNOWN_EXPRESSION,   /* whatever could be read of it; `tokens` say it */
  TREE_KIND_COUNT
} tree_kind;

/* What a cast or an implicit conversion does. */
typedef enum tree_conversion {
  TREE_NO_CONVERSION,
  TREE_LOAD,  /* an object's value is read: from memory, if it lies there */
  TREE_DECAY, /* an array, or function, becomes a pointer */
  TREE_INTEGER_TO_INTEGER,
  TREE_INTEGER_TO_FLOAT,
  TREE_FLOAT_TO_INTEGER,
  TREE_FLOAT_TO_FLOAT,
  TREE_TO_BOOL,
  TREE_SPLAT, /* a scalar becomes every component of a vector, converted to their type */
  TREE_POINTER_TO_POINTER,
  TREE_POINTER_TO_INTEGER,
  TREE_INTEGER_TO_POINTER, /* NULL too */
  TREE_TO_VOID,
  TREE_SAME_BITS, /* between vectors of one size */
  TREE_TO_OPAQUE  /* a number becomes a sampler, event, queue … */
} tree_conversion;

/* The value of a constant expression. Integers are of the type's width; `integer` has their bits sign-extended, or
 * zero-extended for an unsigned type. Floating-point values are rounded to the type. */
typedef struct tree_constant {
  enum { TREE_NOT_CONSTANT, TREE_INTEGER_CONSTANT, TREE_FLOAT_CONSTANT } kind;
  int64_t integer;
  double real;
} tree_constant;

typedef enum tree_symbol_kind {
  TREE_SYMBOL_FUNCTION,
  TREE_SYMBOL_BUILTIN, /* a function of the language */
  TREE_SYMBOL_VARIABLE,
  TREE_SYMBOL_PARAMETER,
  TREE_SYMBOL_FIELD,
  TREE_SYMBOL_ENUMERATOR,
  TREE_SYMBOL_TYPEDEF,
  TREE_SYMBOL_LABEL
} tree_symbol_kind;

typedef enum tree_access { TREE_ACCESS_NONE, TREE_READ_ONLY, TREE_WRITE_ONLY, TREE_READ_WRITE } tree_access;

typedef struct tree_node tree_node;

typedef struct tree_symbol {
  tree_symbol_kind kind;
  const char *name;
  const tree_type *type;  /* a parameter declared as an array has a pointer's type; NULL for a label */
  tree_node *declaration; /* of a function its definition, else its first prototype; NULL for a builtin */
  const tree_node *scope; /* node in which the name is known: unit, function, compound, for; NULL for fields */
  const char *type_text;  /* of a variable or parameter that is no array: the type as the user wrote it, with its `*`
                             and without storage; NULL if it is not in one piece */
  bool kernel;            /* of a function */
  bool inlined;           /* the word `inline` */
  bool is_static, is_extern;
  bool bit_field;     /* of a field */
  tree_access access; /* of an image or pipe parameter */
  int64_t value;      /* of an enumerator */
} tree_symbol;

/* Where the parts of a statement stand. NO_TOKEN: it has no such part. */
typedef struct tree_parts {
  uint32_t first;       /* with pragmas and attributes in front */
  uint32_t begin;       /* after these: keyword, `{`, label; of the rest the first token */
  uint32_t open, close; /* the parentheses of an if, switch or loop */
  uint32_t ends[2];     /* the first two semicolons of a `for` */
  uint32_t colon;       /* of a case, default or label */
} tree_parts;

/* `token` is the one by which a person knows the node: operator, name, keyword, else its first. Its place in the user's
 * files, in macros and headers too, is text->tokens[token].spelled; .expanded is the use that brought it. */
struct tree_node {
  tree_kind kind;
  uint32_t token;
  span tokens;
  const tree_parts *parts; /* of a statement that is no pragma */
  tree_node *parent;
  uint32_t index; /* among the parent's children */
  tree_node **children;
  uint32_t child_count;
  const tree_type *type; /* of an expression and of what is declared; NULL for statements and unknown expressions */
  tree_symbol *symbol;
  const tree_builtin *builtin; /* of a call; NULL: a function of the program, or one that the table does not have */
  const tree_record *record;
  const tree_type *computed; /* of a compound assignment; of TREE_SIZEOF the type that is measured */
  tree_constant constant;
  c_operator op; /* + and - also of a sign, of ++ and of -- */
  tree_conversion conversion;
  uint8_t lanes[16]; /* of a swizzle: `lane_count` numbers of components, which are lanes of the vector */
  uint8_t lane_count;
  bool arrow, postfix;
  bool lvalue;       /* it names an object; its value is read where a TREE_LOAD is above it */
  bool not_executed; /* it lies where nothing runs: operand of sizeof, initialiser of a constant, case label */
};

typedef struct tree {
  const pp_result *text;
  tree_node *unit;
  tree_node **functions; /* definitions, in source order */
  size_t function_count;
  bool blocks; /* a block literal was seen: an unknown expression */
  mem_arena *arena;
} tree;

/* Parses `text` as the device would with `options` (of which only -cl-* and -x matter). Returns 0, or -1 with a
 * sentence that says what could not be read. `*out` is NULL then; else release it with tree_free. */
int tree_build(const pp_result *text, const char *options, tree **out, error *e);
void tree_free(tree *t);

/* --- asking --- */
bool tree_is_statement(tree_kind kind);
bool tree_is_expression(tree_kind kind);
bool tree_is_loop(tree_kind kind);
/* "binary", "if", … */
const char *tree_kind_name(tree_kind kind);
/* The next node of a walk through all below `root`, in source order, parents first; NULL at the end. Start with
 * `root`. */
tree_node *tree_next(const tree_node *root, const tree_node *at);
/* The same after all that is below `at`. */
tree_node *tree_next_beyond(const tree_node *root, const tree_node *at);
/* The innermost node around a token; the unit if there is none. */
tree_node *tree_innermost(const tree *t, uint32_t token);
/* The body of a function, NULL for a prototype. */
tree_node *tree_body(const tree_node *function);
/* The parentheses around a function's parameters; empty if a typedef says what they are. */
span tree_parameters(const pp_result *text, const tree_node *function);
/* The next word or attribute of a kernel that a plain function has not, at `from` or after it; empty at the end. */
span tree_next_qualifier(const pp_result *text, const tree_node *function, uint32_t from);
/* The next prototype or definition that has such parentheses, in source order; the first one after NULL. NULL at the
 * end. */
const tree_node *tree_next_function(const tree *t, const tree_node *last);
/* The function's definition, or statement, around a node (or itself); NULL outside. */
tree_node *tree_function_of(const tree_node *n);
tree_node *tree_statement_of(const tree_node *n);
/* Whether a call, && || or ?: stands in the text as such, and not inside of a macro of the compiler's own header. */
bool tree_is_written(const pp_result *text, const tree_node *n);
/* Whether a node is that name, or that macro of the compiler's own header. */
bool tree_names(const pp_result *text, const tree_node *n, const char *word);
/* Whether evaluating an expression once more may make a difference: it stores, calls what is not `pure` (which gets NULL
 * for functions of the program), or is not understood. */
bool tree_has_effects(const tree_node *x, bool (*pure)(const tree_builtin *called));
/* What is inside of parentheses; of parentheses and implicit conversions; of these and casts; of implicit conversions that
 * neither load a value nor make a pointer of an array. NULL is fine. */
tree_node *tree_bare(const tree_node *n);
tree_node *tree_plain(const tree_node *n);
tree_node *tree_uncast(const tree_node *n);
tree_node *tree_unconverted(const tree_node *n);

/* --- writing --- */
/* A line a node, for a person: place, kind, type, value. */
void tree_dump(const tree *t, buffer *out);

/* --- the call graph ----------------------------------------------------------------------------------------------- */

/* What follows from a tree: who calls whom, loops, which decisions a barrier depends on, where text can be inserted.
 * All of it lives as long as the tree. */

typedef struct tree_node_list {
  tree_node **items;
  size_t count, capacity;
} tree_node_list;

/* A function that has a body. */
typedef struct tree_graph_function {
  tree_node *function;
  tree_node_list calls;     /* of functions of the program that have a body, in source order */
  tree_node_list waits;     /* calls of barriers, and of functions that reach one, in source order */
  tree_node_list loops;     /* outer ones before inner ones */
  tree_node_list decisions; /* if, switch, loops with a condition, scalar ?: && || */
  tree_node_list jumps;     /* break, continue, goto, return */
  bool reaches_barrier;
} tree_graph_function;

typedef struct tree_graph {
  tree_graph_function *functions; /* as tree.functions */
  size_t count;
} tree_graph;

tree_graph tree_graph_read(const tree *t);
/* NULL for a function without a body. */
const tree_graph_function *tree_graph_find(const tree_graph *g, const tree_symbol *function);

/* The decisions that say whether, and how often, a work-item comes to `at`, a node of the function: those around it, and
 * those around a jump that leads past it. In source order: first the former, then the latter by jump. Each once; free()
 * the items. */
tree_node_list tree_guards(const tree_graph_function *f, const tree_node *at);

/* Loops around a node, itself not. */
uint32_t tree_loop_depth(const tree_node *n);

/* --- the statements of a function as they stand in the text, and the jumps between them --------------------------- */

/* A way to a label, by tokens: from a `goto`, or from the `switch` of a case. */
typedef struct statement_jump {
  uint32_t from, to;
} statement_jump;

/* Those of one body in source order, outer ones first; [0] is the body. Left out are pragmas, the first part of a `for`,
 * and what stands in statement expressions in the head of an `if`, `switch` or loop. */
typedef struct statements {
  const tree_node **items;
  size_t count, capacity;
  statement_jump *jumps; /* but for those of plain cases: they lead into the body of the switch only */
  size_t jump_count, jump_capacity;
} statements;

statements list_statements(const tree_node *function);
/* The next one of them below `root`, itself one, after `at`; NULL at the end. Start with `root`. */
const tree_node *next_statement(const tree_node *root, const tree_node *at);
void statements_free(statements *s);

/* --- one statement --- */
/* All of its tokens, pragmas and attributes in front included. */
span statement_tokens(const tree_node *n);
/* Its keyword, `{` or label; of the rest the first token after pragmas and attributes. */
uint32_t statement_begin(const tree_node *n);
/* Between the parentheses; of a `for` its second part; of a case its value. Empty if absent. */
span statement_condition(const tree_node *n);
/* The third part of a `for`. */
span statement_step(const tree_node *n);
/* The loop's body, the branch for true, the switch's body, the labelled statement; NULL if there is none. */
const tree_node *statement_body(const tree_node *n);
/* What stands after `else`, NULL if there is none. */
const tree_node *statement_otherwise(const tree_node *n);
/* The statement that it is part of; NULL for the body of a function. */
const tree_node *statement_around(const tree_node *n);
bool is_case(const tree_node *n); /* `case …:` or `default:` */
bool is_label(const tree_node *n);

/* The condition of a statement or ?:, NULL if it has none. */
const tree_node *condition_node(const tree_node *n);
/* Whether a node is a `do` whose condition is a constant zero, as in macros: `do { … } while (0)`. That is no loop. */
bool is_done_once(const tree_node *n);

/* --- jumps --- */
/* The label that a `goto` leads to, NULL if the function has none of that name. */
const tree_node *goto_target(const tree_node *jump);
/* The `switch` that a case label belongs to. */
const tree_node *switch_of_case(const tree_node *label);
/* Its labels in source order, to be freed. */
const tree_node **cases_of_switch(const statements *s, const tree_node *of, size_t *count);
/* Whether a jump from outside a statement leads to a label of it or in it; the jumps to plain cases apart. */
bool jumped_into(const statements *s, const tree_node *n);
/* Whether a branch or body is jumped into and no block, so that nothing can be put in front of it or after its labels.
 */
bool needs_braces(const statements *s, const tree_node *n);
/* Whether a jump between two tokens starts a turn that the loop's condition knows nothing of. Where the condition
 * stands after the body, it knows of all. */
bool starts_turn(const tree_node *loop, uint32_t from, uint32_t to);

#endif
