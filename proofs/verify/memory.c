/* Reads and writes: what is read is the same for both work-items where the place is the same; each access of the second
 * work-item is held against those of the first.
 * Soundness: docs/verify.md, Why it is right, What is read. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/verify/proof.h"

/* --- bounds ------------------------------------------------------------------------------------------------------- */

/* Accesses that leave the buffer or array that they begin in, where its size is known, and those through null pointers. */

/* Whether the request looks for what is wrong with this access; of one whose place is not known it does. */
static bool is_asked(const proof *p, const access *a) {
  unsigned length = 0;
  const char *only = p->request->only;
  const char *file =
      only == NULL ? NULL : LLVMGetDebugLocFilename(kernel_instruction(p->kernel, a->instruction)->value, &length);
  return file == NULL || (length >= strlen(only) && strncmp(file + length - strlen(only), only, strlen(only)) == 0);
}

static void note(proof *p, const access *a, formula outside) {
  if (outside != p->smt.no && is_asked(p, a)) {
    *ARRAY_ADD(p->mishaps, p->mishap_count, p->mishap_capacity) =
        (mishap){.kind = MISHAP_BOUNDS,
                 .reached = p->chain,
                 .condition = smt_and(&p->smt, a->enabled, outside),
                 .instruction = a->instruction,
                 .access = a,
                 .steps = a->steps};
  }
}

/* An index is so large that its bytes come round: where the access then lies is not looked at. */
static formula far_away(const proof *p, const offset *at) {
  const int64_t all = INT64_MAX / (int64_t)(at->count + 1); /* as much for each part of the sum */
  formula any = smt_truth(&p->smt, at->constant > all || at->constant < -all);
  for (size_t i = 0; i < at->count; i++) {
    const int64_t stride = at->terms[i].stride;
    const int64_t most = stride == INT64_MIN ? 0 : all / (stride < 0 ? -stride : stride);
    const formula index = at->terms[i].index;
    if (smt_bits_needed(&p->smt, index) +
            smt_bits_needed(&p->smt, smt_number(&p->smt, (uint64_t)stride, ADDRESS_BITS)) + at->count <
        ADDRESS_BITS)
      continue;
    const smt *s = &p->smt;
    const formula above = Z3_mk_bvsgt(s->z3, index, smt_number(s, (uint64_t)most, ADDRESS_BITS)),
                  below = Z3_mk_bvslt(s->z3, index, smt_number(s, (uint64_t)-most, ADDRESS_BITS));
    any = smt_or(s, any, smt_simplify(s, smt_or(s, above, below)));
  }
  return any;
}

/* Whether `bytes` from `at` on are not all among the first `size`. */
static formula leaves(const proof *p, const offset *place, formula bytes, formula size) {
  const smt *s = &p->smt;
  const formula at = offset_number(&p->values, place, 1), round = far_away(p, place);
  uint64_t number = 0, length = 0, end = 0;
  const bool know_length = smt_is_number(s, bytes, &length);
  if (know_length && smt_is_number(s, size, &end) && round == s->no && (length > end || smt_is_number(s, at, &number)))
    return smt_truth(s, length > end || number > end - length);
  const formula none = smt_equal(s, bytes, smt_number(s, 0, ADDRESS_BITS));
  const formula large = smt_simplify(s, Z3_mk_bvugt(s->z3, bytes, size));
  const formula far = Z3_mk_bvugt(s->z3, at, smt_subtract(s, size, bytes));
  return smt_and(s, smt_not(s, none), smt_or(s, smt_or(s, large, far), round));
}

void bounds_note_in(proof *p, const access *a, uint64_t size) {
  if (p->request->bounds && a->thread == 0)
    note(p, a, leaves(p, &a->at, smt_number(&p->smt, a->bytes, ADDRESS_BITS), smt_number(&p->smt, size, ADDRESS_BITS)));
}

void bounds_note(proof *p, const access *a) {
  const object *o = &p->objects[a->object];
  if (o->kind == OBJECT_UNKNOWN && a->enabled != p->smt.no)
    proof_refuse(p, a->instruction, "an access through a pointer that cannot be followed");
  if (!p->request->bounds || a->thread != 0) /* the first stands for all */
    return;
  if (o->kind == OBJECT_NULL) {
    note(p, a, p->smt.yes);
  } else if (o->bytes > 0 || o->size != NULL) {
    const formula size = o->size != NULL ? o->size : smt_number(&p->smt, o->bytes, ADDRESS_BITS);
    const formula bytes = a->extent != NULL ? a->extent : smt_number(&p->smt, a->bytes, ADDRESS_BITS);
    const formula outside = leaves(p, &a->at, bytes, size);
    note(p, a, a->far == NULL ? outside : smt_or(&p->smt, outside, smt_simplify(&p->smt, a->far)));
  }
}

/* --- same values -------------------------------------------------------------------------------------------------- */

/* Whether two writes bring different values: equal ones do no harm.
 * Soundness: docs/verify.md, Why it is right, Same values. */

/* Whether all places of the access are multiples of so many bytes. */
static bool access_in_multiples(const access *a, int64_t of) { return of != 0 && offset_unit(&a->within, of) == of; }

/* Whether two ranges [i, i + length), [j, j + other) have a byte in common. */
static formula ranges_meet(const smt *s, formula i, formula length, formula j, formula other) {
  const formula first = Z3_mk_bvult(s->z3, smt_subtract(s, j, i), length);
  const formula second = Z3_mk_bvult(s->z3, smt_subtract(s, i, j), other);
  return smt_or(s, smt_simplify(s, first), smt_simplify(s, second));
}

/* What an integer was that was made into a floating-point number. NULL: it is none. */
static formula converted(const proof *p, formula f) {
  const Z3_context c = p->smt.z3;
  /* same: a number is an application, too, and has another name */
  if (Z3_get_ast_kind(c, f) != Z3_APP_AST) return NULL;
  const Z3_symbol name = Z3_get_decl_name(c, Z3_get_app_decl(c, Z3_to_app(c, f)));
  char from_signed[32], from_unsigned[32];
  (void)snprintf(from_signed, sizeof from_signed, "?real%d.", (int)LLVMSIToFP);
  (void)snprintf(from_unsigned, sizeof from_unsigned, "?real%d.", (int)LLVMUIToFP);
  const char *text = Z3_get_symbol_kind(c, name) == Z3_STRING_SYMBOL ? Z3_get_symbol_string(c, name) : "";
  return strncmp(text, from_signed, strlen(from_signed)) == 0 ||
                 strncmp(text, from_unsigned, strlen(from_unsigned)) == 0
             ? Z3_get_app_arg(c, Z3_to_app(c, f), 0)
             : NULL;
}

/* They differ for certain: nothing abstract is in them, or they were small integers, which floating point tells apart. */
static formula differ_certainly(const proof *p, formula x, formula y) {
  const smt *s = &p->smt;
  const formula a = converted(p, x), b = converted(p, y), differ = smt_differ(s, x, y);
  if (a == NULL || b == NULL || smt_bits(s, a) != smt_bits(s, b) || smt_bits(s, a) < 8 || smt_is_abstract(s, a) ||
      smt_is_abstract(s, b))
    return smt_is_abstract(s, differ) ? s->no : differ;
  const unsigned bits = smt_bits(s, a);
  const unsigned most = smt_bits(s, x) == 16 ? 11 : 24; /* bits of a half's or a float's numbers */
  if (bits <= most) return smt_differ(s, a, b);
  const formula limit = smt_number(s, UINT64_C(1) << most, bits);
  const formula small = smt_and(s, Z3_mk_bvult(s->z3, a, limit), Z3_mk_bvult(s->z3, b, limit));
  return smt_and(s, small, smt_differ(s, a, b));
}

/* Sets whether the values differ, of two writes where equal ones do no harm: maybe, and for certain. */
static bool holds_pointer(const value *v) {
  bool any = v->kind == VALUE_POINTER;
  for (size_t i = 0; i < v->count && v->kind == VALUE_LIST; i++) any = any || holds_pointer(v->items[i]);
  return any;
}

static void pair_compare_values(proof *p, pair *both) {
  enum { MOST = 64 };
  const smt *s = &p->smt;
  const access *a = both->first, *b = both->second;
  formula x[MOST], y[MOST], differ[MOST], certain[MOST];
  both->values = both->certain = s->yes;
  if (!p->request->benign || a->kind != ACCESS_WRITE || b->kind != ACCESS_WRITE) return;
  if (a->value == NULL || b->value == NULL) { /* nothing is known of what is written */
    both->certain = s->no;
    return;
  }
  if (a->bytes != b->bytes) { /* which bytes meet is not looked at */
    both->values = smt_fresh(&p->smt, "bytes differ", 0, true);
    both->certain = s->no;
    return;
  }
  if (holds_pointer(a->value) || holds_pointer(b->value)) { /* two objects may be one, or two of one name */
    both->certain = s->no;
    return;
  }
  const size_t count = value_numbers(&p->values, a->value, x, MOST);
  bool alike = count <= MOST && value_numbers(&p->values, b->value, y, MOST) == count;
  for (size_t i = 0; i < count && alike; i++) alike = smt_bits(s, x[i]) == smt_bits(s, y[i]);
  if (!alike) { /* of two types: their bytes may be the same */
    both->certain = s->no;
    return;
  }
  for (size_t i = 0; i < count; i++) {
    differ[i] = smt_differ(s, x[i], y[i]);
    certain[i] = differ_certainly(p, x[i], y[i]);
  }
  both->values = smt_any(s, differ, count);
  both->certain = smt_any(s, certain, count);
  if (a->coordinates == NULL &&
      !(access_in_multiples(a, (int64_t)a->bytes) && access_in_multiples(b, (int64_t)b->bytes))) {
    /* they may begin at different places: then which bytes meet is not looked at */
    const formula apart =
        smt_differ(s, offset_number(&p->values, &a->within, 1), offset_number(&p->values, &b->within, 1));
    both->values = smt_if(s, apart, smt_fresh(&p->smt, "bytes differ", 0, true), both->values);
    both->certain = smt_and(s, smt_not(s, apart), both->certain);
  }
}

/* --- what is read ------------------------------------------------------------------------------------------------- */

typedef struct load {
  uint32_t object;
  const char *name; /* of the function from places to contents */
  formula at;       /* bytes; NULL: nothing is known of what is read */
  const offset *offset;
  bool integer;    /* what is read */
  formula enabled; /* that it is read from a buffer that nobody writes; NULL: it is not */
  bool bytewise;   /* parts of what is read are read alone, too */
  bool abstract;
  const offset *within; /* in the memory */
  unsigned thread;
  bool both;                /* what the other work-item wrote is read, too */
  const buffer_given *held; /* what is there is known; NULL: it is not */
} load;

/* What is there: of each byte its own number, where they are read in other ways, too. */
static formula content_at(proof *p, const load *l, formula at, unsigned bits) {
  if (!l->bytewise || bits < 8) return smt_apply(&p->smt, l->name, &at, 1, bits, l->abstract);
  formula whole = NULL;
  for (unsigned i = 0; i < bits / 8; i++) {
    const formula place = smt_add(&p->smt, at, smt_number(&p->smt, i, ADDRESS_BITS));
    const formula byte = smt_apply(&p->smt, l->name, &place, 1, 8, l->abstract);
    whole = whole == NULL ? byte : smt_concat(&p->smt, byte, whole);
  }
  return whole;
}

static formula load_unwritten(proof *p, const load *l, unsigned bits, size_t index) {
  const object *o = &p->objects[l->object];
  if (l->at == NULL) return smt_fresh(&p->smt, "private", bits, true);
  const formula lane =
      smt_add(&p->smt, l->at, smt_number(&p->smt, (uint64_t)index * (bits == 0 ? 1 : bits / 8), ADDRESS_BITS));
  const formula held = l->held == NULL ? NULL : contents_held(p, l->held, l->offset, bits, index);
  const formula found = held != NULL ? held : content_at(p, l, lane, bits);
  if (l->enabled != NULL) {
    const formula at = smt_add(&p->smt, offset_number(&p->values, l->offset, 1),
                               smt_number(&p->smt, (uint64_t)index * (bits == 0 ? 1 : bits / 8), ADDRESS_BITS));
    contents_note_cell(p, (cell){l->object, l->enabled, at, found});
  }
  if (o->contents != NULL && !o->written && bits >= 8 && l->integer && offset_unit(l->offset, bits / 8) == bits / 8) {
    const formula first = offset_number(&p->values, l->offset, bits / 8);
    contents_note(p, l->object, smt_add(&p->smt, first, smt_number(&p->smt, index, ADDRESS_BITS)), found);
  }
  return found;
}

static formula load_number(proof *p, void *context, unsigned bits, size_t index) {
  const load *l = context;
  const object *o = &p->objects[l->object];
  const formula found = load_unwritten(p, l, bits, index);
  if (p->store_count == 0) return found;
  const int64_t bytes = (int64_t)bits / 8;
  const formula at = smt_add(&p->smt, offset_number(&p->values, l->within, 1),
                             smt_number(&p->smt, (uint64_t)index * (uint64_t)bytes, ADDRESS_BITS));
  const bool whole = bytes > 0 && offset_unit(l->within, bytes) == bytes;
  return stores_read(p, o->memory, l->thread, l->both, at, whole, found);
}

/* An element of a constant table whose initialiser is known, where the index is not too far. NULL: it is not known. */
static const value *table_load(proof *p, const object *o, const offset *at, LLVMTypeRef type) {
  enum { MOST = 64 };
  /* form: only a variable of the program has an initialiser */
  if (o->kind != OBJECT_VARIABLE || LLVMIsGlobalConstant(o->value) == 0 || LLVMGetInitializer(o->value) == NULL)
    return NULL;
  const LLVMValueRef table = LLVMGetInitializer(o->value);
  const LLVMTypeRef whole = LLVMTypeOf(table);
  if (LLVMGetTypeKind(whole) != LLVMArrayTypeKind || LLVMGetElementType(whole) != type ||
      LLVMGetArrayLength2(whole) > MOST || type_bits(p, type) > 64)
    return whole == type && at->count == 0 && at->constant == 0 ? constant_value(p, table) : NULL;
  const int64_t bytes = (int64_t)type_bytes(p, type);
  if (offset_unit(at, bytes) != bytes) return NULL;
  const formula index = offset_number(&p->values, at, bytes);
  const value *found = NULL;
  for (unsigned n = 0; n < LLVMGetArrayLength2(whole); n++) {
    const value *element = constant_value(p, LLVMGetAggregateElement(table, n));
    const formula here = smt_equal(&p->smt, index, smt_number(&p->smt, n, ADDRESS_BITS));
    found = found == NULL ? element : value_if(&p->values, here, element, found);
  }
  return found;
}

typedef struct given_bytes {
  const uint8_t *bytes;
  size_t left;
} given_bytes;

static formula given_number(proof *p, void *context, unsigned bits, size_t index) {
  given_bytes *g = context;
  const size_t length = bits == 0 ? 1 : bits / 8;
  uint64_t number = 0;
  (void)index; /* of a vector nothing is read so */
  /* form: a launch gives all bytes of a structure */
  if (length > g->left) return smt_fresh(&p->smt, "given", bits, true);
  for (size_t i = 0; i < length; i++) number |= (uint64_t)g->bytes[i] << (8 * i);
  return bits == 0 ? smt_truth(&p->smt, (number & 1) != 0) : smt_number(&p->smt, number, bits);
}

/* A member of a structure that a launch gave by value. NULL: it is not known. */
static const value *given_load(proof *p, const object *o, const offset *at, LLVMTypeRef type) {
  for (size_t i = 0; i < p->launch->argument_count && o->space == SPACE_PRIVATE && !o->written; i++) {
    const argument_given *a = &p->launch->arguments[i];
    if (strcmp(a->name, o->name) != 0 || at->count != 0 || at->constant < 0 || number_width(p, type) == 0 ||
        (size_t)at->constant >= a->length || LLVMGetTypeKind(type) == LLVMVectorTypeKind)
      continue;
    given_bytes g = {a->bytes + at->constant, a->length - (size_t)at->constant};
    return make_value(p, type, given_number, &g);
  }
  return NULL;
}

static const value *target_load(proof *p, unsigned thread, const target *t, LLVMTypeRef type, bool both) {
  object *o = &p->objects[t->object];
  char name[128];
  const value *known = o->kind == OBJECT_ARGUMENT ? given_load(p, o, &t->at, type) : table_load(p, o, &t->at, type);
  if (known != NULL) return known;
  const unsigned bits = number_width(p, type);
  const offset within = object_within(p, t->object, t->at);
  /* Each group has local memory of its own. */
  const char *whose = o->space != SPACE_LOCAL || p->same_group ? "" : thread == 0 ? " of first" : " of second";
  load l = {.object = t->object, .at = offset_number(&p->values, &within, 1), .name = name, .abstract = true};
  l.offset = &t->at;
  l.within = &within;
  l.thread = thread;
  l.both = both;
  l.integer = LLVMGetTypeKind(LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type) ==
              LLVMIntegerTypeKind;
  if (o->kind == OBJECT_PRIVATE || (o->space == SPACE_PRIVATE && o->written)) {
    l.at = NULL;
  } else if (o->written) {
    (void)snprintf(name, sizeof name, "version %u of %u%s", p->objects[o->memory].version, o->memory, whose);
  } else { /* the contents are as the host left them: any, unless a launch was seen */
    l.bytewise = bits >= 8 && p->objects[o->memory].other_widths;
    l.abstract = bits < 8 || p->launch->count > 0 || o->kind != OBJECT_ARGUMENT;
    l.abstract = l.abstract || o->space == SPACE_LOCAL;
    l.held = l.integer && l.abstract ? contents_given(p, o) : NULL;
    l.enabled = l.abstract && l.held == NULL ? NULL : smt_and(&p->smt, p->enabled[thread], t->when);
    (void)snprintf(name, sizeof name, "contents %u%s", o->memory, whose);
  }
  return make_value(p, type, load_number, &l);
}

const value *memory_load(proof *p, unsigned thread, const instruction *i, const value *pointer, LLVMTypeRef type) {
  const bool said = p->only_said[kernel_number(p->kernel, i->value)];
  const value *found = NULL;
  for (size_t n = 0; n < pointer->count; n++) {
    const target *t = &pointer->targets[n];
    const object *o = &p->objects[t->object];
    if (o->kind == OBJECT_NULL) continue;
    const value *here = target_load(p, thread, t, type, said && object_is_shared(p, t->object));
    found = found == NULL ? here : value_if(&p->values, t->when, here, found);
  }
  return found == NULL ? fresh_value(p, type, "undefined", true) : found;
}

/* Without a race, what one reads twice is the same as long as it does not write itself and passes no barrier: another that
 * writes there would race. What both read is the same for the same reason. */
void memory_changed(proof *p, const uint32_t *objects) {
  for (; *objects != NONE; objects++) {
    p->objects[p->objects[*objects].memory].version = ++p->versions;
    stores_forget(p, p->objects[*objects].memory);
  }
}

static void all_versions(proof *p) {
  for (uint32_t i = 0; i < p->object_count; i++)
    if (p->objects[i].written) p->objects[i].version = ++p->versions;
}

void memory_all_changed(proof *p) {
  stores_forget(p, NONE);
  all_versions(p);
}

void memory_shared_changed(proof *p) {
  stores_forget_shared(p);
  all_versions(p);
}

/* --- accesses ----------------------------------------------------------------------------------------------------- */

/* Atomics of a group do not order groups, those of a work-item nothing. */
static bool scope_covers(const proof *p, const access *a) {
  return a->scope == SCOPE_DEVICE || a->scope == SCOPE_ALL || (p->same_group && a->scope == SCOPE_WORK_GROUP);
}

static bool both_harmless(const proof *p, const access *a, const access *b) {
  return (a->kind == ACCESS_READ && b->kind == ACCESS_READ) ||
         (a->kind == ACCESS_ATOMIC && b->kind == ACCESS_ATOMIC && a->bytes == b->bytes && scope_covers(p, a) &&
          scope_covers(p, b));
}

/* Where nothing orders the two. Atomics of a sub-group do not race in it. */
static formula not_ordered(proof *p, const access *a, const access *b) {
  const bool few = a->kind == ACCESS_ATOMIC && b->kind == ACCESS_ATOMIC && a->scope != SCOPE_WORK_ITEM &&
                   b->scope != SCOPE_WORK_ITEM;
  return few ? smt_and(&p->smt, a->live, smt_not(&p->smt, sub_group_is_one(p))) : a->live;
}

void memory_note(proof *p, access *a) {
  if (p->alone || p->request->only != NULL) return;
  enum { MOST_PAIRS = 20000 };
  if (p->turns > 0 && p->pair_count > MOST_PAIRS) {
    p->budget = 0;
    proof_refuse(p, NONE, "more than could be executed");
  }
  if (a->thread == 0) {
    *ARRAY_ADD(p->log, p->log_count, p->log_capacity) = a;
    return;
  }
  for (size_t i = 0; i < p->log_count; i++) {
    const access *first = p->log[i];
    const bool one_copy =
        p->same_group && first->copy && first->instruction == a->instruction && first->visit == a->visit;
    if (p->objects[first->object].memory == p->objects[a->object].memory && first->live != p->smt.no &&
        !both_harmless(p, first, a) && !one_copy && (!p->single || first->copy)) {
      *ARRAY_ADD(p->pairs, p->pair_count, p->pair_capacity) =
          (pair){.reached = p->chain, .live = not_ordered(p, first, a), .first = first, .second = a};
    }
  }
}

void memory_access(proof *p, unsigned thread, const instruction *i, access_kind kind, const value *pointer,
                   uint64_t bytes, formula enabled, const value *written, walk w) {
  /* form: what is accessed is a pointer */
  if (pointer->kind != VALUE_POINTER)
    proof_refuse(p, kernel_number(p->kernel, i->value), "an access through what is no pointer");
  for (size_t n = 0; n < pointer->count && (w.record || p->logs_now); n++) {
    const target *t = &pointer->targets[n];
    const object *o = &p->objects[t->object];
    const formula when = smt_and(&p->smt, enabled, t->when);
    if (when == p->smt.no) continue;
    access *a = mem_arena_array(p->memory, 1, sizeof *a);
    *a = (access){.kind = kind, .instruction = kernel_number(p->kernel, i->value), .thread = thread};
    a->visit = p->visits;
    a->other = p->enabled[1 - thread];
    a->steps = p->step_count;
    a->object = t->object;
    a->at = t->at;
    a->within = object_within(p, t->object, t->at);
    a->scope = p->scope;
    a->bytes = bytes;
    a->enabled = when;
    a->live = p->smt.yes;
    a->value = written;
    if (p->logs) logged_note(p, a);
    if (w.record) bounds_note(p, a);
    if (w.record && object_is_shared(p, t->object) && o->written) memory_note(p, a);
  }
}

/* --- races -------------------------------------------------------------------------------------------------------- */

/* The unit in which the addresses of an object are counted: elements are compared, not bytes, as 4 i = 4 j says less. */
static void find_units(const proof *p, int64_t *units) {
  for (size_t i = 0; i < p->pair_count; i++) {
    const access *both[] = {p->pairs[i].first, p->pairs[i].second};
    for (size_t n = 0; n < 2; n++) {
      int64_t *unit = &units[p->objects[both[n]->object].memory];
      *unit = offset_unit(&both[n]->within, greatest_divisor(*unit, (int64_t)both[n]->bytes));
    }
  }
}

static formula bytes_of(const proof *p, const access *a) {
  return a->extent != NULL ? a->extent : smt_number(&p->smt, a->bytes, ADDRESS_BITS);
}

static formula same_place(proof *p, const access *a, const access *b, int64_t unit) {
  const smt *s = &p->smt;
  if (a->coordinates != NULL || b->coordinates != NULL) {
    formula same = s->yes;
    for (size_t i = 0; i < PIXEL_NUMBERS && a->coordinates != NULL && b->coordinates != NULL; i++)
      same = smt_and(s, same, smt_equal(s, a->coordinates[i], b->coordinates[i]));
    return same;
  }
  if (a->extent != NULL || b->extent != NULL) {
    const formula none = smt_number(s, 0, ADDRESS_BITS), length = bytes_of(p, a), other = bytes_of(p, b);
    const formula some = smt_and(s, smt_differ(s, length, none), smt_differ(s, other, none));
    return smt_and(s, some,
                   ranges_meet(s, offset_number(&p->values, &a->within, 1), length,
                               offset_number(&p->values, &b->within, 1), other));
  }
  const int64_t size = (int64_t)a->bytes;
  if (a->bytes == b->bytes && access_in_multiples(a, size) && access_in_multiples(b, size))
    return smt_equal(s, offset_number(&p->values, &a->within, size), offset_number(&p->values, &b->within, size));
  unit = unit == 0 ? 1 : unit;
  return ranges_meet(
      s, offset_number(&p->values, &a->within, unit), smt_number(s, a->bytes / (uint64_t)unit, ADDRESS_BITS),
      offset_number(&p->values, &b->within, unit), smt_number(s, b->bytes / (uint64_t)unit, ADDRESS_BITS));
}

formula linear_local_id(const proof *p, unsigned thread) {
  formula linear = smt_number(&p->smt, 0, ADDRESS_BITS);
  for (unsigned d = DIMENSIONS; d-- > 0;)
    linear = smt_add(&p->smt, smt_multiply(&p->smt, linear, p->local_size[d]), p->local_id[thread][d]);
  return linear;
}

static formula sub_group_of(const proof *p, unsigned thread) {
  const formula linear = linear_local_id(p, thread);
  const formula size = smt_number(&p->smt, p->request->warp, ADDRESS_BITS);
  return smt_apply_binary(&p->smt, Z3_mk_bvudiv, linear, size);
}

/* Work-items of a sub-group in lock step do one instruction after another: what they do at different places is ordered, where
 * both are at the earlier; and where they meet again after a branch, at the later. */
static formula not_in_step(proof *p, const access *a, const access *b) {
  const smt *s = &p->smt;
  if (p->request->warp == 0 || !p->same_group || a->other == NULL || b->other == NULL ||
      (a->instruction == b->instruction && a->visit == b->visit))
    return s->yes;
  const bool in_order = a->visit < b->visit || (a->visit == b->visit && a->instruction < b->instruction);
  const formula together = p->request->warp_resync ? smt_or(s, a->other, b->other) : in_order ? a->other : b->other;
  const formula one = smt_equal(s, sub_group_of(p, 0), sub_group_of(p, 1));
  return smt_not(s, smt_and(s, one, together));
}

/* That a launch can have the access: its address is a multiple of what its type asks for, and is not before the memory. */
static formula is_possible(proof *p, const access *a) {
  const smt *s = &p->smt;
  const instruction *i = kernel_instruction(p->kernel, a->instruction);
  uint32_t lanes = 0;
  const bool plain =
      (i->opcode == LLVMLoad || i->opcode == LLVMStore) && !lanes_marked(p->kernel->module->context, i->value, &lanes);
  const int64_t align = plain ? (int64_t)LLVMGetAlignment(i->value) : 1;
  formula possible = s->yes;
  if (a->coordinates != NULL) return possible;
  if (!access_in_multiples(a, align)) {
    const formula rest = smt_apply_binary(s, Z3_mk_bvand, offset_number(&p->values, &a->within, 1),
                                          smt_number(s, (uint64_t)align - 1, ADDRESS_BITS));
    possible = smt_equal(s, rest, smt_number(s, 0, ADDRESS_BITS));
  }
  const formula zero = smt_number(s, 0, ADDRESS_BITS);
  return a->at.count == 0 ? possible
                          : smt_and(s, possible, Z3_mk_bvsge(s->z3, offset_number(&p->values, &a->at, 1), zero));
}

/* What both sides of an equation have is left in it for the integers: without it they do not see that the sides do not overflow. */
static formula place_of_pair(proof *p, const access *a, const access *b, int64_t unit) {
  const formula same = same_place(p, a, b, unit), simple = smt_simplify(&p->smt, same);
  const bool decided = simple == p->smt.yes || simple == p->smt.no;
  return decided || p->turns > 0 || !p->abstract_products ? simple : same;
}

void memory_make_races(proof *p) {
  int64_t *units = mem_calloc(p->object_count + 1, sizeof *units);
  find_units(p, units);
  for (size_t i = 0; i < p->pair_count; i++) {
    pair *both = &p->pairs[i];
    const access *a = both->first, *b = both->second;
    formula race = smt_and(&p->smt, smt_and(&p->smt, a->enabled, b->enabled), both->live);
    both->place = place_of_pair(p, a, b, units[p->objects[a->object].memory]);
    race = smt_and(&p->smt, race, both->place);
    race = smt_and(&p->smt, race, not_in_step(p, a, b));
    both->bare = race;
    pair_compare_values(p, both);
    both->race = smt_simplify(&p->smt, smt_and(&p->smt, race, both->values));
    both->certain = smt_simplify(&p->smt, smt_and(&p->smt, race, both->certain));
    if (p->turns > 0 && both->certain != p->smt.no) {
      both->certain = smt_simplify(
          &p->smt, smt_and(&p->smt, both->certain, smt_and(&p->smt, is_possible(p, a), is_possible(p, b))));
    }
  }
  free(units);
}
