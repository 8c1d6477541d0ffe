/* Queries of a tree: names of nodes, walks, searches by token and by name, parts of statements, the dump for a person,
 * and the table of OpenCL C's functions, in which a name that ends in `*` stands for all that begin so. */
#include <stdlib.h>
#include <string.h>

#include "frontend/tree_internal.h"

/* The table of OpenCL C's functions. A name that ends in `*` stands for all that begin so. */

#define NONE TREE_EFFECT_NONE
#define READ TREE_EFFECT_READ
#define WRITE TREE_EFFECT_WRITE
#define BOTH TREE_EFFECT_BOTH

typedef struct builtin_row {
  tree_builtin what;
  const char *names; /* parted by spaces */
} builtin_row;

/* The first row that fits. */
static const builtin_row rows[] = {
    {{TREE_WORK_ITEM, NONE, NONE, true},
     "get_work_dim get_global_size get_local_size get_enqueued_local_size get_num_groups get_group_id "
     "get_global_offset"},
    {{TREE_WORK_ITEM, NONE, NONE, false}, "get_global_id get_local_id get_global_linear_id get_local_linear_id"},
    {{TREE_BARRIER, NONE, NONE, false}, "barrier work_group_barrier sub_group_barrier"},
    {{TREE_FENCE, NONE, NONE, false}, "mem_fence read_mem_fence write_mem_fence atomic_work_item_fence"},
    {{TREE_ATOMIC_LOAD, READ, NONE, false}, "atomic_load*"},
    {{TREE_ATOMIC_STORE, WRITE, NONE, false}, "atomic_store* atomic_init atomic_flag_clear*"},
    {{TREE_ATOMIC_ANY, BOTH, BOTH, false}, "atomic_* atom_*"},
    {{TREE_IMAGE_READ, NONE, NONE, false}, "read_image*"},
    {{TREE_IMAGE_WRITE, NONE, NONE, false}, "write_image*"},
    {{TREE_IMAGE_QUERY, NONE, NONE, false}, "get_image_*"},
    {{TREE_ASYNC_COPY, WRITE, READ, false},
     "async_work_group_copy async_work_group_strided_copy async_work_group_copy_*"},
    {{TREE_ASYNC_WAIT, READ, READ, false}, "wait_group_events"},
    {{TREE_PREFETCH, NONE, NONE, false}, "prefetch"},
    {{TREE_VECTOR_LOAD, READ, READ, false}, "vload*"},
    {{TREE_VECTOR_STORE, WRITE, WRITE, false}, "vstore*"},
    {{TREE_CONVERSION, NONE, NONE, false}, "convert_* as_*"},
    {{TREE_MATH, WRITE, WRITE, false}, "fract frexp lgamma_r modf remquo sincos"},
    {{TREE_MATH, NONE, NONE, false},
     "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi erfc erf "
     "exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod hypot ilogb ldexp lgamma log log2 log10 log1p logb mad "
     "maxmag minmag nan nextafter pow pown powr remainder rint rootn round rsqrt sin sinh sinpi sqrt tan tanh tanpi "
     "tgamma trunc half_* native_*"},
    {{TREE_INTEGER, NONE, NONE, true},
     "abs abs_diff add_sat hadd rhadd clz ctz mad_hi mad_sat mul_hi rotate sub_sat upsample popcount mad24 mul24 "
     "dot_4x8* "
     "dot_acc*"},
    {{TREE_COMMON, NONE, NONE, true}, "clamp max min"},
    {{TREE_COMMON, NONE, NONE, false}, "degrees mix radians step smoothstep sign"},
    {{TREE_GEOMETRIC, NONE, NONE, false},
     "cross dot distance length normalize fast_distance fast_length fast_normalize"},
    {{TREE_RELATIONAL, NONE, NONE, false},
     "isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan isnormal "
     "isordered isunordered signbit any all bitselect select"},
    {{TREE_VECTOR_MISC, NONE, NONE, false}, "shuffle shuffle2"},
    {{TREE_GROUP, NONE, NONE, false},
     "work_group_all work_group_any work_group_broadcast work_group_reduce_* work_group_scan_*"},
    {{TREE_PIPE, READ, READ, false}, "write_pipe sub_group_reserve_write_pipe work_group_reserve_write_pipe"},
    {{TREE_PIPE, WRITE, WRITE, false},
     "read_pipe reserve_read_pipe reserve_write_pipe commit_read_pipe commit_write_pipe is_valid_reserve_id "
     "get_pipe_num_packets get_pipe_max_packets work_group_reserve_read_pipe work_group_commit_* sub_group_commit_* "
     "sub_group_reserve_read_pipe"},
    {{TREE_SUB_GROUP, NONE, NONE, false},
     "sub_group_* get_sub_group_* get_num_sub_groups get_max_sub_group_size "
     "get_enqueued_num_sub_groups"},
    {{TREE_ADDRESS_SPACE, NONE, NONE, false}, "to_global to_local to_private get_fence"},
    {{TREE_PRINTF, NONE, NONE, false}, "printf"},
    {{TREE_EVENT, WRITE, WRITE, false},
     "enqueue_kernel enqueue_marker retain_event release_event create_user_event is_valid_event set_user_event_status "
     "capture_event_profiling_info get_default_queue ndrange_1D ndrange_2D ndrange_3D get_kernel_*"},
};

static const char *const builtin_kinds[TREE_BUILTIN_KIND_COUNT] = {
    [TREE_WORK_ITEM] = "work-item function",
    [TREE_BARRIER] = "barrier",
    [TREE_FENCE] = "fence",
    [TREE_ATOMIC_ANY] = "atomic",
    [TREE_ATOMIC_LOAD] = "atomic load",
    [TREE_ATOMIC_STORE] = "atomic store",
    [TREE_IMAGE_READ] = "image read",
    [TREE_IMAGE_WRITE] = "image write",
    [TREE_IMAGE_QUERY] = "image query",
    [TREE_ASYNC_COPY] = "async copy",
    [TREE_ASYNC_WAIT] = "async wait",
    [TREE_PREFETCH] = "prefetch",
    [TREE_VECTOR_LOAD] = "vector load",
    [TREE_VECTOR_STORE] = "vector store",
    [TREE_MATH] = "math",
    [TREE_INTEGER] = "integer",
    [TREE_COMMON] = "common",
    [TREE_GEOMETRIC] = "geometric",
    [TREE_RELATIONAL] = "relational",
    [TREE_CONVERSION] = "conversion",
    [TREE_VECTOR_MISC] = "vector",
    [TREE_GROUP] = "work-group function",
    [TREE_SUB_GROUP] = "sub-group function",
    [TREE_PIPE] = "pipe",
    [TREE_ADDRESS_SPACE] = "address space",
    [TREE_PRINTF] = "printf",
    [TREE_EVENT] = "event",
};

static bool fits(const char *name, const char *row, size_t length) {
  return row[length - 1] == '*' ? strncmp(name, row, length - 1) == 0
                                : strlen(name) == length && memcmp(name, row, length) == 0;
}

const tree_builtin *tree_find_builtin(const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    for (const char *at = rows[i].names; *at != '\0';) {
      const size_t length = strcspn(at, " ");
      if (fits(name, at, length)) return &rows[i].what;
      at += length + strspn(at + length, " ");
    }
  }
  return NULL;
}

bool tree_builtin_is_pure(const tree_builtin *b) {
  static const bool pure[TREE_BUILTIN_KIND_COUNT] = {
      [TREE_WORK_ITEM] = true, [TREE_IMAGE_QUERY] = true, [TREE_VECTOR_LOAD] = true,
      [TREE_MATH] = true,      [TREE_INTEGER] = true,     [TREE_COMMON] = true,
      [TREE_GEOMETRIC] = true, [TREE_RELATIONAL] = true,  [TREE_CONVERSION] = true};
  const bool writes = b->first == WRITE || b->first == BOTH || b->others == WRITE || b->others == BOTH;
  return pure[b->kind] && !writes;
}

enum { MAX_ROLES = 4 };

static const struct {
  const char *name;
  const char *roles[MAX_ROLES]; /* the last one stands for all that follow */
} kinds[TREE_KIND_COUNT] = {
    [TREE_UNIT] = {"unit", {"declaration"}},
    [TREE_FUNCTION] = {"function", {"part"}},
    [TREE_PARAMETER] = {"parameter", {NULL}},
    [TREE_VARIABLE] = {"variable", {"initialiser"}},
    [TREE_TYPEDEF] = {"typedef", {NULL}},
    [TREE_RECORD] = {"record", {"member"}},
    [TREE_FIELD] = {"field", {NULL}},
    [TREE_ENUM] = {"enum", {"enumerator"}},
    [TREE_ENUMERATOR] = {"enumerator", {NULL}},
    [TREE_PRAGMA] = {"pragma", {NULL}},
    [TREE_UNKNOWN_DECLARATION] = {"unknown declaration", {NULL}},
    [TREE_COMPOUND] = {"compound", {"statement"}},
    [TREE_DECLARE] = {"declare", {"declaration"}},
    [TREE_EXPRESSION] = {"expression", {"expression"}},
    [TREE_EMPTY] = {"empty", {NULL}},
    [TREE_IF] = {"if", {"condition", "then", "else"}},
    [TREE_FOR] = {"for", {"first", "condition", "step", "body"}},
    [TREE_WHILE] = {"while", {"condition", "body"}},
    [TREE_DO] = {"do", {"body", "condition"}},
    [TREE_SWITCH] = {"switch", {"condition", "body"}},
    [TREE_CASE] = {"case", {"lowest", "highest", "statement"}},
    [TREE_DEFAULT] = {"default", {"statement"}},
    [TREE_LABEL] = {"label", {"statement"}},
    [TREE_GOTO] = {"goto", {NULL}},
    [TREE_BREAK] = {"break", {NULL}},
    [TREE_CONTINUE] = {"continue", {NULL}},
    [TREE_RETURN] = {"return", {"value"}},
    [TREE_UNKNOWN_STATEMENT] = {"unknown statement", {"part"}},
    [TREE_LITERAL] = {"literal", {NULL}},
    [TREE_STRING] = {"string", {NULL}},
    [TREE_MACRO] = {"macro", {NULL}},
    [TREE_NAME] = {"name", {NULL}},
    [TREE_MEMBER] = {"member", {"object"}},
    [TREE_SWIZZLE] = {"swizzle", {"vector"}},
    [TREE_SUBSCRIPT] = {"subscript", {"base", "index"}},
    [TREE_DEREFERENCE] = {"dereference", {"pointer"}},
    [TREE_ADDRESS] = {"address", {"object"}},
    [TREE_UNARY] = {"unary", {"operand"}},
    [TREE_STEP] = {"step", {"object"}},
    [TREE_BINARY] = {"binary", {"left", "right"}},
    [TREE_LOGICAL] = {"logical", {"left", "right"}},
    [TREE_COMMA] = {"comma", {"left", "right"}},
    [TREE_ASSIGN] = {"assign", {"object", "value"}},
    [TREE_COMPOUND_ASSIGN] = {"compound assign", {"object", "value"}},
    [TREE_CONDITIONAL] = {"conditional", {"condition", "yes", "no"}},
    [TREE_CALL] = {"call", {"argument"}},
    [TREE_CAST] = {"cast", {"operand"}},
    [TREE_CONVERT] = {"convert", {"operand"}},
    [TREE_PARENTHESES] = {"parentheses", {"inner"}},
    [TREE_VECTOR] = {"vector", {"part"}},
    [TREE_COMPOUND_LITERAL] = {"compound literal", {"initialiser"}},
    [TREE_INITIALIZER] = {"initialiser", {"value"}},
    [TREE_DESIGNATED] = {"designated", {"value"}},
    [TREE_SIZEOF] = {"sizeof", {"operand"}},
    [TREE_REINTERPRET] = {"reinterpret", {"operand"}},
    [TREE_SHUFFLE] = {"shuffle", {"operand"}},
    [TREE_SELECTION] = {"selection", {NULL}},
    [TREE_STATEMENT_EXPRESSION] = {"statement expression", {"statement"}},
    [TREE_UNKNOWN_EXPRESSION] = {"unknown expression", {"part"}},
};

bool tree_is_statement(tree_kind kind) {
  return (kind >= TREE_COMPOUND && kind <= TREE_UNKNOWN_STATEMENT) || kind == TREE_PRAGMA;
}

bool tree_is_expression(tree_kind kind) { return kind >= TREE_LITERAL && kind <= TREE_UNKNOWN_EXPRESSION; }

bool tree_is_loop(tree_kind kind) { return kind == TREE_FOR || kind == TREE_WHILE || kind == TREE_DO; }

const char *tree_kind_name(tree_kind kind) { return kinds[kind].name; }

/* The name of child `index`: "left", "condition", …; the last name stands for all that follow. */
static const char *tree_role(tree_kind kind, uint32_t index) {
  uint32_t last = 0;
  while (last + 1 < MAX_ROLES && kinds[kind].roles[last + 1] != NULL) last++;
  const char *role = kinds[kind].roles[index < last ? index : last];
  return role == NULL ? "part" : role;
}

static const char *const conversions[] = {
    [TREE_NO_CONVERSION] = "none",
    [TREE_LOAD] = "load",
    [TREE_DECAY] = "decay",
    [TREE_INTEGER_TO_INTEGER] = "integer to integer",
    [TREE_INTEGER_TO_FLOAT] = "integer to float",
    [TREE_FLOAT_TO_INTEGER] = "float to integer",
    [TREE_FLOAT_TO_FLOAT] = "float to float",
    [TREE_TO_BOOL] = "to bool",
    [TREE_SPLAT] = "splat",
    [TREE_POINTER_TO_POINTER] = "pointer to pointer",
    [TREE_POINTER_TO_INTEGER] = "pointer to integer",
    [TREE_INTEGER_TO_POINTER] = "integer to pointer",
    [TREE_TO_VOID] = "to void",
    [TREE_SAME_BITS] = "same bits",
    [TREE_TO_OPAQUE] = "to opaque",
};

/* --- walking ------------------------------------------------------------------------------------------------------ */

static tree_node *first_child_from(const tree_node *n, uint32_t index) {
  for (; index < n->child_count; index++)
    if (n->children[index] != NULL) return n->children[index];
  return NULL;
}

tree_node *tree_next_beyond(const tree_node *root, const tree_node *at) {
  while (at != root) {
    const tree_node *parent = at->parent;
    tree_node *next = first_child_from(parent, at->index + 1);
    if (next != NULL) return next;
    at = parent;
  }
  return NULL;
}

tree_node *tree_next(const tree_node *root, const tree_node *at) {
  tree_node *child = first_child_from(at, 0);
  return child != NULL ? child : tree_next_beyond(root, at);
}

tree_node *tree_innermost(const tree *t, uint32_t token) {
  tree_node *found = t->unit;
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (uint32_t i = 0; i < found->child_count && !deeper; i++) {
      tree_node *child = found->children[i];
      if (child != NULL && span_has(child->tokens, token)) {
        found = child;
        deeper = true;
      }
    }
  }
  return found;
}

tree_node *tree_body(const tree_node *function) { return function->children[function->child_count - 1]; }

span tree_parameters(const pp_result *text, const tree_node *function) {
  return token_parentheses(text, function->token);
}

span tree_next_qualifier(const pp_result *text, const tree_node *function, uint32_t from) {
  const tree_node *body = tree_body(function);
  const span parameters = tree_parameters(text, function);
  const uint32_t stop = body == NULL ? function->tokens.last + 1 : body->tokens.first;
  for (uint32_t t = from > function->tokens.first ? from : function->tokens.first; t < stop; t++) {
    if (t == parameters.first) {
      t = parameters.last;
    } else if (token_is(text, t, "__kernel") || token_is(text, t, "kernel")) {
      return (span){t, t};
    } else if (token_is(text, t, "__attribute__")) {
      const uint32_t close = token_match(text, t + 1);
      if (close != NO_TOKEN) return (span){t, close};
    }
  }
  return (span){1, 0};
}

bool tree_is_written(const pp_result *text, const tree_node *n) {
  switch (n->kind) {
    case TREE_LOGICAL: return token_is(text, n->token, "&&") || token_is(text, n->token, "||");
    case TREE_CONDITIONAL: {
      const uint32_t colon = n->children[1] == NULL ? n->token + 1 : n->children[1]->tokens.last + 1;
      return token_is(text, n->token, "?") && token_is(text, colon, ":");
    }
    case TREE_CALL:
      return token_is(text, n->tokens.first, n->symbol->name) && token_is(text, n->tokens.first + 1, "(") &&
             token_match(text, n->tokens.first + 1) == n->tokens.last;
    default: return true;
  }
}

bool tree_names(const pp_result *text, const tree_node *n, const char *word) {
  return (n->kind == TREE_NAME || n->kind == TREE_MACRO) && token_is(text, n->token, word);
}

const tree_node *tree_next_function(const tree *t, const tree_node *last) {
  for (uint32_t i = last == NULL ? 0 : last->index + 1; i < t->unit->child_count; i++) {
    const tree_node *n = t->unit->children[i];
    if (n->kind == TREE_FUNCTION && !span_empty(tree_parameters(t->text, n))) return n;
  }
  return NULL;
}

tree_node *tree_function_of(const tree_node *n) {
  while (n != NULL && n->kind != TREE_FUNCTION) n = n->parent;
  return (tree_node *)n;
}

tree_node *tree_statement_of(const tree_node *n) {
  while (n != NULL && !tree_is_statement(n->kind)) n = n->parent;
  return (tree_node *)n;
}

bool tree_has_effects(const tree_node *x, bool (*pure)(const tree_builtin *called)) {
  for (const tree_node *n = x; n != NULL; n = tree_next(x, n)) {
    switch (n->kind) {
      case TREE_STEP:
      case TREE_ASSIGN:
      case TREE_COMPOUND_ASSIGN:
      case TREE_STATEMENT_EXPRESSION:
      case TREE_UNKNOWN_EXPRESSION: return true;
      case TREE_CALL:
        if (!pure(n->builtin)) return true;
        break;
      default: break;
    }
  }
  return false;
}

static tree_node *within(const tree_node *n, bool (*is_around)(const tree_node *n)) {
  while (n != NULL && is_around(n)) n = n->children[0];
  return (tree_node *)n; /* the caller's */
}

static bool is_bracket(const tree_node *n) { return n->kind == TREE_PARENTHESES; }
static bool is_implicit(const tree_node *n) { return is_bracket(n) || n->kind == TREE_CONVERT; }
static bool is_cast(const tree_node *n) { return is_implicit(n) || n->kind == TREE_CAST; }
static bool is_conversion(const tree_node *n) {
  return n->kind == TREE_CONVERT && n->conversion != TREE_LOAD && n->conversion != TREE_DECAY;
}

tree_node *tree_bare(const tree_node *n) { return within(n, is_bracket); }
tree_node *tree_plain(const tree_node *n) { return within(n, is_implicit); }
tree_node *tree_uncast(const tree_node *n) { return within(n, is_cast); }
tree_node *tree_unconverted(const tree_node *n) { return within(n, is_conversion); }

/* A map by address. */

static size_t slot_of(const tree_map *m, const void *key) {
  size_t at = (size_t)(((uintptr_t)key >> 3) * (uintptr_t)0x9E3779B97F4A7C15u) & (m->capacity - 1);
  while (m->keys[at] != NULL && m->keys[at] != key) at = (at + 1) & (m->capacity - 1);
  return at;
}

void *tree_map_get(const tree_map *m, const void *key) {
  return m->capacity == 0 || key == NULL ? NULL : m->values[slot_of(m, key)];
}

static void grow(tree_map *m) {
  tree_map larger = {.capacity = m->capacity == 0 ? 64 : 2 * m->capacity, .count = m->count};
  larger.keys = mem_calloc(larger.capacity, sizeof *larger.keys);
  larger.values = mem_calloc(larger.capacity, sizeof *larger.values);
  for (size_t i = 0; i < m->capacity; i++) {
    if (m->keys[i] != NULL) {
      const size_t at = slot_of(&larger, m->keys[i]);
      larger.keys[at] = m->keys[i];
      larger.values[at] = m->values[i];
    }
  }
  tree_map_free(m);
  *m = larger;
}

void tree_map_set(tree_map *m, const void *key, void *value) {
  if (2 * (m->count + 1) > m->capacity) grow(m);
  const size_t at = slot_of(m, key);
  m->count += m->keys[at] == NULL ? 1 : 0;
  m->keys[at] = key;
  m->values[at] = value;
}

void tree_map_free(tree_map *m) {
  free(m->keys);
  free(m->values);
  *m = (tree_map){0};
}

/* A line a node, for a person. */

static void put_place(const tree *t, const tree_node *n, buffer *out) {
  if (n->token >= t->text->token_count) return;
  const pp_token *token = &t->text->tokens[n->token];
  const pp_position *at = &token->spelled;
  if (at->file != 0) buffer_printf(out, "%s:", t->text->files[at->file].name);
  buffer_printf(out, "%u:%u", at->line, at->column);
  if (token->in_macro_body) buffer_printf(out, " (macro used at %u:%u)", token->expanded.line, token->expanded.column);
}

static void put_detail(const tree *t, const tree_node *n, buffer *out) {
  if (n->symbol != NULL) {
    buffer_printf(out, " %s", n->symbol->name);
  } else if (n->kind == TREE_LITERAL || n->kind == TREE_MACRO || n->kind == TREE_SWIZZLE) {
    const pp_token *token = &t->text->tokens[n->token];
    buffer_putc(out, ' ');
    buffer_append(out, t->text->text + token->begin, token->end - token->begin);
  } else if (n->record != NULL) {
    buffer_printf(out, " %s %s", n->record->keyword, n->record->tag);
  }
  if (n->kind == TREE_STEP)
    buffer_printf(out, " %s %s", n->postfix ? "postfix" : "prefix", n->op == OP_ADD ? "++" : "--");
  else if (n->op != OP_NONE)
    buffer_printf(out, " %s%s", c_operators[n->op].text, n->kind == TREE_COMPOUND_ASSIGN ? "=" : "");
  if (n->kind == TREE_CAST || n->kind == TREE_CONVERT) buffer_printf(out, " (%s)", conversions[n->conversion]);
  if (n->builtin != NULL) buffer_printf(out, " [%s]", builtin_kinds[n->builtin->kind]);
}

static void put_type(const tree_node *n, buffer *out) {
  if (n->type == NULL) return;
  char *text = tree_type_text(n->type);
  buffer_printf(out, ": %s", text);
  free(text);
  if (n->kind == TREE_COMPOUND_ASSIGN && n->computed != NULL) {
    text = tree_type_text(n->computed);
    buffer_printf(out, ", computed in %s", text);
    free(text);
  }
}

static void put_node(const tree *t, const tree_node *n, int depth, buffer *out) {
  for (int i = 0; i < depth; i++) buffer_puts(out, "  ");
  if (n->parent != NULL) buffer_printf(out, "%s = ", tree_role(n->parent->kind, n->index));
  buffer_puts(out, tree_kind_name(n->kind));
  put_detail(t, n, out);
  put_type(n, out);
  if (n->constant.kind == TREE_INTEGER_CONSTANT)
    buffer_printf(out, n->type != NULL && n->type->is_unsigned ? " = %llu" : " = %lld", (long long)n->constant.integer);
  else if (n->constant.kind == TREE_FLOAT_CONSTANT)
    buffer_printf(out, " = %.9g", n->constant.real);
  buffer_puts(out, n->lvalue ? " object" : "");
  buffer_puts(out, n->kind == TREE_UNIT ? "" : "  @");
  if (n->kind != TREE_UNIT) put_place(t, n, out);
  buffer_putc(out, '\n');
  for (uint32_t i = 0; i < n->child_count; i++)
    if (n->children[i] != NULL) put_node(t, n->children[i], depth + 1, out);
}

void tree_dump(const tree *t, buffer *out) { put_node(t, t->unit, 0, out); }

/* Where the parts of statements stand: what is in front of them, brackets, semicolons, colons. */

static bool is(const tree *t, uint32_t token, const char *spelling) { return token_is(t->text, token, spelling); }

/* The first token after what stands before a statement. The parts of its parent are known. */
static uint32_t first_of(const tree_node *n) {
  const tree_node *p = n->parent;
  switch (p->kind) {
    case TREE_COMPOUND:
      for (uint32_t i = n->index; i-- > 0;)
        if (p->children[i]->kind != TREE_PRAGMA) return p->children[i]->tokens.last + 1;
      return p->parts->begin + 1;
    case TREE_IF: return n->index == 2 ? p->children[1]->tokens.last + 2 : p->parts->close + 1;
    case TREE_WHILE:
    case TREE_SWITCH: return p->parts->close + 1;
    case TREE_FOR: return n->index == 3 ? p->parts->close + 1 : n->tokens.first;
    case TREE_DO: return p->parts->begin + 1;
    case TREE_CASE:
    case TREE_DEFAULT:
    case TREE_LABEL: return p->parts->colon + 1;
    default: return n->tokens.first;
  }
}

/* After pragmas, `_Pragma(…)` and attributes. */
static uint32_t behind_prefix(const tree *t, uint32_t at) {
  for (;;) {
    const bool attribute = is(t, at, "__attribute__") && is(t, at + 1, "(");
    const uint32_t close = attribute ? token_match(t->text, at + 1) : NO_TOKEN;
    const uint32_t behind = close == NO_TOKEN ? token_behind_pragma(t->text, at) : close + 1;
    if (behind == at) return at;
    at = behind;
  }
}

static void find_head(const tree *t, tree_parts *p, uint32_t open) {
  if (is(t, open, "(")) {
    p->open = open;
    p->close = token_match(t->text, open);
  }
}

static uint32_t colon_behind(const tree *t, uint32_t token) { return is(t, token, ":") ? token : NO_TOKEN; }

static void find_parts(const tree *t, const tree_node *n, tree_parts *p) {
  switch (n->kind) {
    case TREE_FOR:
      find_head(t, p, p->begin + 1);
      tree_find_semicolons(t, p->open, p->close, p->ends);
      break;
    case TREE_IF:
    case TREE_WHILE:
    case TREE_SWITCH: find_head(t, p, p->begin + 1); break;
    case TREE_DO: find_head(t, p, n->children[0] == NULL ? NO_TOKEN : n->children[0]->tokens.last + 2); break;
    case TREE_CASE: {
      const tree_node *value = n->children[1] != NULL ? n->children[1] : n->children[0];
      p->colon = value == NULL ? NO_TOKEN : colon_behind(t, value->tokens.last + 1);
      break;
    }
    case TREE_DEFAULT:
    case TREE_LABEL: p->colon = colon_behind(t, p->begin + 1); break;
    default: break;
  }
}

void tree_find_parts(tree *t) {
  for (tree_node *n = t->unit; n != NULL; n = tree_next(t->unit, n)) {
    if (!tree_is_statement(n->kind) || n->kind == TREE_PRAGMA) continue;
    tree_parts *p = mem_arena_take(t->arena, sizeof *p);
    *p = (tree_parts){.open = NO_TOKEN, .close = NO_TOKEN, .ends = {NO_TOKEN, NO_TOKEN}, .colon = NO_TOKEN};
    const uint32_t first = first_of(n);
    p->first = first < n->tokens.first ? first : n->tokens.first;
    p->begin = behind_prefix(t, p->first);
    find_parts(t, n, p);
    n->parts = p;
  }
}
