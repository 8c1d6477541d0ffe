/* Calls of functions of OpenCL C: ids, vector loads, atomics, images, what only computes.
 * Soundness: docs/verify.md, What is known. */
#include <stdio.h>
#include <string.h>

#include "proofs/verify/proof.h"

static const value *argument(proof *p, const instruction *i, const environment variables, unsigned n) {
  return operand(p, variables, LLVMGetOperand(i->value, n));
}

/* --- ids and sizes ------------------------------------------------------------------------------------------------ */

typedef enum size_kind {
  GLOBAL_ID,
  LOCAL_ID,
  GROUP_ID,
  GLOBAL_SIZE,
  LOCAL_SIZE,
  ENQUEUED_SIZE,
  GROUPS,
  GLOBAL_OFFSET
} size_kind;
static const struct {
  const char *name;
  size_kind kind;
  uint64_t beyond; /* for a dimension that the launch does not have */
} sizes[] = {{"get_global_id", GLOBAL_ID, 0},   {"get_local_id", LOCAL_ID, 0},
             {"get_group_id", GROUP_ID, 0},     {"get_global_size", GLOBAL_SIZE, 1},
             {"get_local_size", LOCAL_SIZE, 1}, {"get_enqueued_local_size", ENQUEUED_SIZE, 1},
             {"get_num_groups", GROUPS, 1},     {"get_global_offset", GLOBAL_OFFSET, 0}};

static formula size_in(proof *p, unsigned thread, size_kind kind, unsigned d) {
  const smt *s = &p->smt;
  switch (kind) {
    case GLOBAL_ID: return smt_add(s, p->global_offset[d], p->global_id[thread][d]);
    case LOCAL_ID: return p->local_id[thread][d];
    case GROUP_ID: return p->group_id[thread][d];
    case GLOBAL_SIZE: return proof_global_size(p, d);
    case LOCAL_SIZE: return proof_local_size(p, thread, d);
    case ENQUEUED_SIZE: return p->local_size[d];
    case GROUPS: return p->groups[d];
    default: return p->global_offset[d];
  }
}

static formula linear_id(proof *p, unsigned thread, bool local) {
  formula sum = smt_number(&p->smt, 0, ADDRESS_BITS);
  for (unsigned d = DIMENSIONS; d-- > 0;) {
    sum = product_of(p, sum, size_in(p, thread, local ? LOCAL_SIZE : GLOBAL_SIZE, d));
    const formula id =
        local ? p->local_id[thread][d] : smt_subtract(&p->smt, size_in(p, thread, GLOBAL_ID, d), p->global_offset[d]);
    sum = smt_add(&p->smt, sum, id);
  }
  return sum;
}

static formula id_or_size(proof *p, unsigned thread, const instruction *i, const environment variables) {
  const char *name = i->callee->name;
  uint64_t dimension = 0;
  if (strcmp(name, "get_work_dim") == 0) {
    return p->launch->dimensions == 0 ? smt_unknown(&p->smt, "dimensions", 32)
                                      : smt_number(&p->smt, p->launch->dimensions, 32);
  }
  if (strstr(name, "linear") != NULL) return linear_id(p, thread, strcmp(name, "get_local_linear_id") == 0);
  size_t row = 0;
  while (strcmp(sizes[row].name, name) != 0) row++;
  const formula d = operand_number(p, variables, LLVMGetOperand(i->value, 0));
  const formula beyond = smt_number(&p->smt, sizes[row].beyond, ADDRESS_BITS);
  if (smt_is_number(&p->smt, d, &dimension))
    return dimension < DIMENSIONS ? size_in(p, thread, sizes[row].kind, (unsigned)dimension) : beyond;
  formula found = beyond;
  for (unsigned n = 0; n < DIMENSIONS; n++) {
    const formula here = smt_equal(&p->smt, d, smt_number(&p->smt, n, smt_bits(&p->smt, d)));
    found = smt_if(&p->smt, here, size_in(p, thread, sizes[row].kind, n), found);
  }
  return found;
}

/* --- functions that only compute ---------------------------------------------------------------------------------- */

typedef struct function_call {
  const char *name;
  const formula *arguments;
  size_t count;
} function_call;

static formula call_number(proof *p, void *context, unsigned bits, size_t index) {
  const function_call *c = context;
  char name[200];
  (void)snprintf(name, sizeof name, "%.160s#%zu", c->name, index);
  return smt_apply(&p->smt, name, c->arguments, c->count, bits, true);
}

/* What the function of these numbers gives: the same for the same. */
static const value *function_value(proof *p, const char *name, const value *const *arguments, size_t count,
                                   LLVMTypeRef type) {
  enum { MOST = 64 };
  formula numbers[MOST];
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    used +=
        arguments[i]->kind == VALUE_POINTER ? 0 : value_numbers(&p->values, arguments[i], numbers + used, MOST - used);
    if (used > MOST) return fresh_value(p, type, "call", true); /* limit: three vectors of 16 have 48 numbers */
  }
  function_call c = {name, numbers, used};
  return make_value(p, type, call_number, &c);
}

/* What a function stores through its pointer. */
static LLVMTypeRef stored_type(const proof *p, const instruction *i, bool whole) {
  const LLVMTypeRef type = LLVMTypeOf(i->value);
  const LLVMTypeRef integer = LLVMInt32TypeInContext(p->kernel->module->context);
  return !whole                                        ? type
         : LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMVectorType(integer, LLVMGetVectorSize(type))
                                                       : integer;
}

/* Results through pointers (sincos, fract): the same for the same arguments. */
static void write_results(proof *p, unsigned thread, const instruction *i, const environment variables,
                          const value *const *arguments, formula enabled, walk w) {
  const unsigned count = LLVMGetNumArgOperands(i->value), whole = call_operand(i->callee, 'q');
  const unsigned n = whole == CALL_NO_OPERAND ? call_operand(i->callee, 'p') : whole;
  if (n != CALL_NO_OPERAND) {
    const LLVMTypeRef type = stored_type(p, i, whole != CALL_NO_OPERAND);
    char name[160];
    (void)snprintf(name, sizeof name, "%.120s stores", i->callee->symbol);
    const value *stored = function_value(p, name, arguments, count, type);
    memory_access(p, thread, i, ACCESS_WRITE, operand(p, variables, LLVMGetOperand(i->value, n)), type_bytes(p, type),
                  enabled, stored, w);
  }
}

static const value *pure(proof *p, unsigned thread, const instruction *i, const environment variables, formula enabled,
                         walk w) {
  enum { MOST = 16 };
  const value *arguments[MOST];
  const unsigned count = LLVMGetNumArgOperands(i->value);
  /* limit: no function of the table has so many operands */
  if (count > MOST)
    proof_refuse(p, kernel_number(p->kernel, i->value), "a call of %s with many arguments", i->callee->name);
  for (unsigned n = 0; n < count; n++) arguments[n] = argument(p, i, variables, n);
  write_results(p, thread, i, variables, arguments, enabled, w);
  if (LLVMGetTypeKind(LLVMTypeOf(i->value)) == LLVMVoidTypeKind) return NULL; /* same: nobody uses it */
  return function_value(p, i->callee->symbol, arguments, count, LLVMTypeOf(i->value));
}

/* --- integers that are computed exactly --------------------------------------------------------------------------- */

static formula choose(proof *p, const call *c, bool least, formula a, formula b) {
  bool real = false;
  const bool is_signed = call_is_signed(c, &real);
  const smt *s = &p->smt;
  const formula less = is_signed ? Z3_mk_bvslt(s->z3, a, b) : Z3_mk_bvult(s->z3, a, b);
  return smt_if(s, smt_simplify(s, less), least ? a : b, least ? b : a);
}

/* Both have 24 bits. */
static formula are_short(proof *p, const call *c, formula a, formula b) {
  enum { BITS = 24 };
  const smt *s = &p->smt;
  bool real = false;
  const bool is_signed = call_is_signed(c, &real);
  const formula x = smt_resize(s, smt_extract(s, a, BITS - 1, 0), smt_bits(s, a), is_signed);
  const formula y = smt_resize(s, smt_extract(s, b, BITS - 1, 0), smt_bits(s, b), is_signed);
  return smt_simplify(s, smt_and(s, smt_equal(s, a, x), smt_equal(s, b, y)));
}

static formula short_product(proof *p, const call *c, const formula *a) {
  const formula product = product_of(p, a[0], a[1]), fit = are_short(p, c, a[0], a[1]);
  return fit == p->smt.yes
             ? product
             : smt_if(&p->smt, fit, product, smt_apply(&p->smt, "mul24", a, 2, smt_bits(&p->smt, a[0]), true));
}

static formula exact(proof *p, const call *c, const formula *a) {
  const smt *s = &p->smt;
  bool real = false;
  switch (c->kind) {
    case CALL_MIN:
    case CALL_MAX: return choose(p, c, c->kind == CALL_MIN, a[0], a[1]);
    case CALL_CLAMP: { /* where the ends are exchanged it is the device's choice */
      const formula found = choose(p, c, true, choose(p, c, false, a[0], a[1]), a[2]);
      const formula ordered = smt_equal(s, choose(p, c, true, a[1], a[2]), a[1]);
      return smt_if(s, smt_simplify(s, ordered), found, smt_apply(&p->smt, c->symbol, a, 3, smt_bits(s, a[0]), true));
    }
    case CALL_MUL24: return short_product(p, c, a);
    case CALL_MAD24: return smt_add(s, short_product(p, c, a), a[2]);
    default: {
      const formula zero = smt_number(s, 0, smt_bits(s, a[0]));
      const formula negative = smt_simplify(s, Z3_mk_bvslt(s->z3, a[0], zero));
      return call_is_signed(c, &real) ? smt_if(s, negative, smt_subtract(s, zero, a[0]), a[0]) : a[0];
    }
  }
}

/* Vectors element by element; a scalar among vectors stands for each of its elements. */
static const value *exact_each(proof *p, const call *c, const value *const *arguments, unsigned count) {
  formula numbers[3];
  const value *widest = arguments[0];
  for (unsigned n = 1; n < count; n++) widest = arguments[n]->kind == VALUE_LIST ? arguments[n] : widest;
  if (widest->kind == VALUE_NUMBER) {
    for (unsigned n = 0; n < count; n++) numbers[n] = arguments[n]->number;
    return value_number(&p->values, exact(p, c, numbers));
  }
  const value **items = mem_arena_array(p->memory, widest->count + 1, sizeof *items);
  for (size_t i = 0; i < widest->count; i++) {
    const value *parts[3];
    for (unsigned n = 0; n < count; n++)
      parts[n] = arguments[n]->kind == VALUE_LIST ? arguments[n]->items[i] : arguments[n];
    items[i] = exact_each(p, c, parts, count);
  }
  return value_list(&p->values, items, widest->count);
}

/* What mul24 gives for numbers that have more than 24 bits is the device's choice: a proof takes that there are none. */
static void exclude_long(proof *p, const call *c, const value *const *arguments, formula enabled) {
  enum { MOST = 16 };
  formula a[MOST], b[MOST];
  const size_t first = value_numbers(&p->values, arguments[0], a, MOST);
  const size_t second = value_numbers(&p->values, arguments[1], b, MOST);
  for (size_t k = 0; k < first && k < second && k < MOST && enabled != p->smt.no; k++)
    exclude_execution(p, enabled, are_short(p, c, a[k], b[k]), true, false);
}

static const value *integer_call(proof *p, unsigned thread, const instruction *i, const environment variables,
                                 formula enabled, walk w) {
  bool real = false;
  const unsigned count = LLVMGetNumArgOperands(i->value);
  (void)call_is_signed(i->callee, &real);
  if (real || count > 3 || count == 0) return pure(p, thread, i, variables, enabled, w);
  const value *arguments[3];
  for (unsigned n = 0; n < count; n++) arguments[n] = argument(p, i, variables, n);
  if (i->callee->kind == CALL_MUL24 || i->callee->kind == CALL_MAD24) exclude_long(p, i->callee, arguments, enabled);
  return exact_each(p, i->callee, arguments, count);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* vload3 and vstore3 move three elements, vloada_half3 strides by four. */
static unsigned lanes_of(const call *c) {
  const char *digits = c->name + strcspn(c->name, "0123456789");
  unsigned lanes = 0;
  (void)sscanf(digits, "%u", &lanes);
  return lanes == 0 ? 1 : lanes;
}

static const value *vector_access(proof *p, unsigned thread, const instruction *i, const environment variables,
                                  formula enabled, walk w) {
  const bool store = i->callee->kind == CALL_VSTORE;
  const value *base = argument(p, i, variables, store ? 2 : 1);
  const formula index =
      smt_resize(&p->smt, operand_number(p, variables, LLVMGetOperand(i->value, store ? 1 : 0)), ADDRESS_BITS, false);
  const LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(i->value, 0) : i->value);
  const bool half = strstr(i->callee->name, "half") != NULL;
  const unsigned lanes = lanes_of(i->callee);
  const LLVMTypeRef scalar = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
  const uint64_t element = half ? 2 : type_bytes(p, scalar);
  const bool aligned = half && strncmp(i->callee->name + (store ? 6 : 5), "a_", 2) == 0;
  const int64_t stride = (int64_t)(element * (aligned && lanes == 3 ? 4 : lanes));
  /* form: the table says which operand is a pointer */
  if (base->kind != VALUE_POINTER)
    proof_refuse(p, kernel_number(p->kernel, i->value), "a vector access through what is no pointer");
  target *targets = mem_arena_array(p->memory, base->count + 1, sizeof *targets);
  for (size_t n = 0; n < base->count; n++) {
    targets[n] = base->targets[n];
    targets[n].at = offset_add(&p->values, targets[n].at, stride, index);
  }
  const value *pointer = value_targets(&p->values, targets, base->count);
  memory_access(p, thread, i, store ? ACCESS_WRITE : ACCESS_READ, pointer, element * lanes, enabled,
                store && !half ? argument(p, i, variables, 0) : NULL, w);
  if (store) return NULL; /* same: nobody uses it */
  return half ? fresh_value(p, type, "half", true) : memory_load(p, thread, i, pointer, type);
}

static unsigned scope_of(const instruction *i) {
  const LLVMValueRef given = call_given(i->callee, i->value, 's');
  return given == NULL ? SCOPE_DEVICE : (unsigned)LLVMConstIntGetZExtValue(given);
}

/* What a compare_exchange expects is read, and written where it was not there. */
static void access_expected(proof *p, unsigned thread, const instruction *i, const value *pointer, uint64_t bytes,
                            formula enabled, walk w) {
  const formula other = smt_fresh(&p->smt, "atomic", 0, true);
  memory_access(p, thread, i, ACCESS_READ, pointer, bytes, enabled, NULL, w);
  memory_access(p, thread, i, ACCESS_WRITE, pointer, bytes, smt_and(&p->smt, enabled, other), NULL, w);
}

static const value *atomic_call(proof *p, unsigned thread, const instruction *i, const environment variables,
                                formula enabled, walk w) {
  const LLVMTypeRef type = LLVMTypeOf(i->value);
  const value *pointer = argument(p, i, variables, 0);
  const bool exchanges = strstr(i->callee->name, "compare_exchange") != NULL;
  uint64_t bytes = type_bytes(p, type);
  if (exchanges) { /* the third argument is what is put there */
    bytes = type_bytes(p, LLVMTypeOf(LLVMGetOperand(i->value, 2)));
    access_expected(p, thread, i, argument(p, i, variables, 1), bytes, enabled, w);
  } else if (strstr(i->callee->name, "flag") != NULL) {
    bytes = 4;
  } else if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
    bytes = LLVMGetNumArgOperands(i->value) > 1 ? type_bytes(p, LLVMTypeOf(LLVMGetOperand(i->value, 1))) : 4;
  }
  const bool plain = strcmp(i->callee->name, "atomic_init") == 0;
  p->scope = scope_of(i);
  memory_access(p, thread, i, plain ? ACCESS_WRITE : ACCESS_ATOMIC, pointer, bytes == 0 ? 4 : bytes, enabled, NULL, w);
  p->scope = SCOPE_DEVICE;
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) return NULL; /* same: nobody uses it */
  return fresh_value(p, type, "atomic", true);
}

static const value *memory_call(proof *p, unsigned thread, const instruction *i, const environment variables,
                                formula enabled, walk w) {
  uint64_t bytes = 0;
  const formula length = operand_number(p, variables, LLVMGetOperand(i->value, 2));
  if (!smt_is_number(&p->smt, length, &bytes))
    proof_refuse(p, kernel_number(p->kernel, i->value), "a copy of unknown length");
  if (i->callee->kind == CALL_MEMCPY)
    memory_access(p, thread, i, ACCESS_READ, argument(p, i, variables, 1), bytes, enabled, NULL, w);
  memory_access(p, thread, i, ACCESS_WRITE, argument(p, i, variables, 0), bytes, enabled, NULL, w);
  return NULL;
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

/* What is known of the alignment of an object: that of the memory that the host gives for the type, or of the variable. */
static uint64_t alignment_of(const proof *p, const object *o) {
  const unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
  if (o->kind == OBJECT_ARGUMENT) {
    const LLVMAttributeRef said =
        LLVMGetEnumAttributeAtIndex(p->kernel->function, kernel_number(p->kernel, o->value) + 1, kind);
    return said == NULL ? 1 : LLVMGetEnumAttributeValue(said);
  }
  return o->kind == OBJECT_PRIVATE || o->kind == OBJECT_VARIABLE ? LLVMGetAlignment(o->value) : 0;
}

/* An address whose lowest bits are cleared: so many bytes before, where the memory begins at a multiple of that. */
static const value *masked_pointer(proof *p, const instruction *i, const value *from, const value *mask) {
  uint64_t bits = 0;
  const smt *s = &p->smt;
  const bool known = mask->kind == VALUE_NUMBER && smt_is_number(s, mask->number, &bits);
  const uint64_t unit = ~bits + 1;
  /* form: of a pointer, and clang takes no other masks than those that clear the lowest bits */
  if (!known || from->kind != VALUE_POINTER)
    proof_refuse(p, kernel_number(p->kernel, i->value), "an address whose bits are masked");
  target *targets = mem_arena_array(p->memory, from->count + 1, sizeof *targets);
  for (size_t n = 0; n < from->count; n++) {
    const target *t = &from->targets[n];
    targets[n] = *t;
    if (alignment_of(p, &p->objects[t->object]) < unit) {
      proof_refuse(p, kernel_number(p->kernel, i->value), "an address that is rounded to %llu bytes",
                   (unsigned long long)unit);
    }
    if (offset_unit(&t->at, (int64_t)unit) != (int64_t)unit) {
      const formula at = smt_apply_binary(s, Z3_mk_bvand, offset_number(&p->values, &t->at, 1), mask->number);
      targets[n].at = offset_add(&p->values, (offset){0, 0, NULL}, 1, at);
    }
  }
  return value_targets(&p->values, targets, from->count);
}

/* --- images ------------------------------------------------------------------------------------------------------- */

/* Images: pixels are told by their coordinates, sizes are numbers of the image.
 * Soundness: docs/verify.md, Why it is right, Images. */

enum { SIDE_BITS = 30 }; /* of a width: no image is so large */

static bool is_real(LLVMValueRef v) {
  const LLVMTypeRef type = LLVMTypeOf(v);
  const LLVMTypeKind kind =
      LLVMGetTypeKind(LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type);
  return kind == LLVMFloatTypeKind || kind == LLVMHalfTypeKind || kind == LLVMDoubleTypeKind;
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

/* The width (0), height (1) or depth (2) of an image, a number of 32 bits; or another number of it (3: layers). */
static formula side(proof *p, uint32_t image, unsigned which) {
  static const char *const names[] = {"width", "height", "depth", "layers"};
  char name[200];
  (void)snprintf(name, sizeof name, "%s of image %.160s", names[which], p->objects[p->objects[image].memory].name);
  const formula number = smt_unknown(&p->smt, name, SIDE_BITS);
  proof_fact(p, smt_differ(&p->smt, number, smt_number(&p->smt, 0, SIDE_BITS)));
  return smt_resize(&p->smt, number, 32, false);
}

static const value *sides(proof *p, uint32_t image, LLVMTypeRef type) {
  const unsigned count = LLVMGetVectorSize(type);
  const value **items = mem_arena_array(p->memory, count + 1, sizeof *items);
  for (unsigned n = 0; n < count; n++)
    items[n] = value_number(&p->values, n < DIMENSIONS ? side(p, image, n) : smt_number(&p->smt, 0, 32));
  return value_list(&p->values, items, count);
}

/* What get_image_width and its like give. NULL: the function is none of these. */
static const value *image_question(proof *p, const instruction *i) {
  static const char *const names[] = {"get_image_width", "get_image_height", "get_image_depth", "get_image_array_size"};
  const LLVMTypeRef type = LLVMTypeOf(i->value);
  const uint32_t image = object_of(p, LLVMGetOperand(i->value, 0));
  if (!p->objects[image].image) return fresh_value(p, type, "call", true); /* form: only images are asked */
  if (strcmp(i->callee->name, "get_image_dim") == 0 && LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    return sides(p, image, type);
  for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
    if (strcmp(i->callee->name, names[n]) == 0)
      return value_number(&p->values, smt_resize(&p->smt, side(p, image, n), type_bits(p, type), false));
  char name[200]; /* order and type of channels, samples: the same each time */
  (void)snprintf(name, sizeof name, "%.80s of %u", i->callee->name, p->objects[image].memory);
  return function_value(p, name, NULL, 0, type);
}

/* --- pixels ------------------------------------------------------------------------------------------------------- */

/* With a sampler, coordinates outside may stand for another pixel. */
static formula sampled(proof *p, uint32_t image, formula coordinate, unsigned which) {
  if (smt_bits(&p->smt, coordinate) != 32) return coordinate;
  const formula inside = Z3_mk_bvult(p->smt.z3, coordinate, side(p, image, which));
  return smt_if(&p->smt, inside, coordinate, smt_fresh(&p->smt, "pixel", 32, true));
}

/* Its level, or sample: the first where none is given; of one in floating point, and of gradients, it is not known. */
static formula level_of(proof *p, const instruction *i, const environment variables) {
  const LLVMValueRef level = call_given(i->callee, i->value, 'l'), gradient = call_given(i->callee, i->value, 'g');
  return gradient != NULL || (level != NULL && is_real(level)) ? smt_fresh(&p->smt, "pixel", 32, true)
         : level == NULL                                       ? smt_number(&p->smt, 0, 32)
                         : smt_resize(&p->smt, operand_number(p, variables, level), 32, true);
}

/* Which pixel it is; of coordinates in floating point it is not known. */
static const formula *pixel(proof *p, const instruction *i, uint32_t image, const environment variables) {
  formula numbers[4];
  uint64_t first = 0;
  const formula level = level_of(p, i, variables);
  const bool sampler = call_operand(i->callee, 'h') != CALL_NO_OPERAND;
  const bool small = !smt_is_number(&p->smt, level, &first) || first != 0;
  const LLVMValueRef where = call_given(i->callee, i->value, 'c');
  const size_t count = value_numbers(&p->values, operand(p, variables, where), numbers, 4);
  if (count > 4) proof_refuse(p, kernel_number(p->kernel, i->value), "coordinates of an image that are not followed");
  formula *made = mem_arena_array(p->memory, PIXEL_NUMBERS, sizeof *made);
  for (unsigned n = 0; n < DIMENSIONS; n++) {
    made[n] = n >= count                             ? smt_number(&p->smt, 0, 32)
              : is_real(where) || (sampler && small) ? smt_fresh(&p->smt, "pixel", 32, true)
              : sampler                              ? sampled(p, image, numbers[n], n)
                                                     : numbers[n];
  }
  made[DIMENSIONS] = level;
  return made;
}

static const value *image_access(proof *p, unsigned thread, const instruction *i, const environment variables,
                                 formula enabled, walk w) {
  const bool store = i->callee->kind == CALL_WRITE_IMAGE;
  const uint32_t image = object_of(p, LLVMGetOperand(i->value, 0));
  if (w.record && p->objects[image].written) {
    access *a = mem_arena_array(p->memory, 1, sizeof *a);
    *a = (access){.kind = store ? ACCESS_WRITE : ACCESS_READ, .thread = thread, .bytes = 1, .live = p->smt.yes};
    a->instruction = kernel_number(p->kernel, i->value);
    a->visit = p->visits;
    a->steps = p->step_count;
    a->object = image;
    a->enabled = enabled;
    a->coordinates = pixel(p, i, image, variables);
    a->value = store ? operand(p, variables, LLVMGetOperand(i->value, LLVMGetNumArgOperands(i->value) - 1)) : NULL;
    memory_note(p, a);
  }
  return store ? NULL : fresh_value(p, LLVMTypeOf(i->value), "pixel", true);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

/* Any number, at each call another. A pointer that nobody has set leads nowhere, and is null or not. */
static const value *any_value(proof *p, const instruction *i) {
  const LLVMTypeRef type = LLVMTypeOf(i->value);
  const char *name = strncmp(i->callee->name, "__cltc", 6) == 0 ? "undefined" : "call";
  const offset none = {0, 0, NULL};
  return LLVMGetTypeKind(type) != LLVMPointerTypeKind
             ? fresh_value(p, type, name, true)
             : value_pointer(&p->values, OBJECT_NULL_NUMBER,
                             offset_add(&p->values, none, 1, smt_fresh(&p->smt, name, ADDRESS_BITS, true)));
}

/* A function without a body: it may give anything, and must not get memory that others see. */
static const value *unknown_call(proof *p, const instruction *i) {
  if (i->callee->body)
    proof_refuse(p, kernel_number(p->kernel, i->value), "%s, a function that calls itself", i->callee->name);
  for (unsigned n = 0; n < LLVMGetNumArgOperands(i->value); n++) {
    const LLVMValueRef a = LLVMGetOperand(i->value, n);
    if (LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMTargetExtTypeKind)
      proof_refuse(p, kernel_number(p->kernel, i->value), "a call of %s, whose body is not there", i->callee->name);
    if (LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMPointerTypeKind) continue;
    for (const uint32_t *o = objects_of(p, a); *o != NONE; o++)
      if (p->objects[*o].space != SPACE_PRIVATE && p->objects[*o].kind != OBJECT_NULL)
        proof_refuse(p, kernel_number(p->kernel, i->value), "a call of %s, whose body is not there", i->callee->name);
  }
  const LLVMTypeRef type = LLVMTypeOf(i->value);
  return LLVMGetTypeKind(type) == LLVMVoidTypeKind ? NULL : fresh_value(p, type, "call", true);
}

const value *execute_call(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled,
                          walk w) {
  const LLVMTypeRef type = LLVMTypeOf(i->value);
  const bool has_result = LLVMGetTypeKind(type) != LLVMVoidTypeKind;
  if (call_is_annotation(i->callee)) return annotation_execute(p, thread, i, variables, enabled, w);
  switch (i->callee->kind) {
    case CALL_WORK_ITEM:
      return value_number(&p->values,
                          smt_resize(&p->smt, id_or_size(p, thread, i, variables), type_bits(p, type), false));
    case CALL_NOTHING:
    case CALL_FENCE:
    case CALL_PRINTF: return has_result ? fresh_value(p, type, "call", true) : NULL;
    case CALL_SUB_GROUP: return sub_group_question(p, thread, i);
    case CALL_IMAGE_SIZE: return image_question(p, i);
    case CALL_ATOMIC: return atomic_call(p, thread, i, variables, enabled, w);
    case CALL_VLOAD:
    case CALL_VSTORE: return vector_access(p, thread, i, variables, enabled, w);
    case CALL_MEMCPY:
    case CALL_MEMSET: return memory_call(p, thread, i, variables, enabled, w);
    case CALL_MIN:
    case CALL_MAX:
    case CALL_CLAMP:
    case CALL_MUL24:
    case CALL_MAD24:
    case CALL_ABS: return integer_call(p, thread, i, variables, enabled, w);
    case CALL_READ_IMAGE:
    case CALL_WRITE_IMAGE: return image_access(p, thread, i, variables, enabled, w);
    case CALL_PURE: return pure(p, thread, i, variables, enabled, w);
    case CALL_ANY_VALUE: return any_value(p, i);
    case CALL_MASK: return masked_pointer(p, i, argument(p, i, variables, 0), argument(p, i, variables, 1));
    case CALL_UNREACHABLE: proof_assume(p, smt_not(&p->smt, enabled)); return NULL;
    case CALL_REFUSED: proof_refuse(p, kernel_number(p->kernel, i->value), "%s", i->callee->reason);
    case CALL_READS_FROM:
    case CALL_WRITES_TO: return annotation_execute(p, thread, i, variables, enabled, w);
    default: return unknown_call(p, i);
  }
}
