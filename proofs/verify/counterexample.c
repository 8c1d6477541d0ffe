/* Reads a model of the solver as an execution that a person can follow.
 * Soundness: docs/verify.md, Why it is right, What stays possible. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "proofs/verify/trial.h"

/* --- what it depends on ------------------------------------------------------------------------------------------- */

/* Names of what is not modelled, as phrases. A name says what it stands for (memory, a function, a kind of instruction) and,
 * after `@`, the instruction. */

enum { PHRASES_MOST = 3 };

typedef struct phrases {
  proof *proof;
  json_t *list;
} phrases;

static void add(phrases *f, const char *text) {
  for (size_t i = 0; i < json_array_size(f->list); i++)
    if (strcmp(json_string_value(json_array_get(f->list, i)), text) == 0) return;
  if (json_array_size(f->list) < PHRASES_MOST) json_array_append_new(f->list, json_string_nocheck(text));
}

/* --- phrases ---------------------------------------------------------------------------------------------------------- */

/* By the beginning of the name; `%s`: where the instruction is. */
static const struct {
  const char *name, *phrase;
} kinds[] = {
    {"atomic", "what the atomic function at %s gives"},
    {"pixel", "what is read of the image at %s"},
    {"half", "the half-precision number that is read at %s"},
    {"call", "what the call at %s gives"},
    {"group", "what the work-group function at %s gives"},
    {"address", "the address of the pointer at %s"},
    {"pointers", "the pointers that are compared at %s"},
    {"private", "a private array at %s"},
    {"skipped", "what a loop leaves at %s"},
    {"sub-group", "which work-items are of one sub-group"},
    {"undefined", "a variable that has no value at %s"},
    {"real", "floating-point arithmetic"},
    {"last", "floating-point arithmetic"},
    {"any", "floating-point arithmetic"},
    {"earlier", "floating-point arithmetic"},
    {"later", "floating-point arithmetic"},
    {"waits", "whether work-items that a loop before %s waits for wait there"},
    {"bytes differ", "whether the bytes that are written differ"},
    {"events differ", "which events are waited for"},
    {"waited for", "which events are waited for"},
};

static bool begins(const char *name, const char *with) { return strncmp(name, with, strlen(with)) == 0; }

/* "version 2 of 5 of first", "contents 5": the memory is that of object 5. */
static bool add_memory(phrases *f, const char *name) {
  unsigned version = 0, number = 0;
  const bool written = sscanf(name, "version %u of %u", &version, &number) == 2;
  if (!written && sscanf(name, "contents %u", &number) != 1) return false; /* report: how an unknown is called */
  const char *memory = f->proof->objects[number].name;
  add(f, mem_arena_printf(f->proof->memory, written ? "what `%s` holds, which the kernel writes" : "what `%s` holds",
                          memory));
  return true;
}

/* A built-in function: `_Z3sinf`. */
static bool add_function(phrases *f, const char *name) {
  int length = 0, digits = 0;
  if (sscanf(name, "_Z%d%n", &length, &digits) != 1) return false; /* report: how an unknown is called */
  add(f, mem_arena_printf(f->proof->memory, "what %.*s() gives", length, name + digits));
  return true;
}

static void add_name(void *context, const char *name) {
  phrases *f = context;
  if (add_memory(f, name) || add_function(f, name)) return;
  const char *at = strchr(name, '@');
  const char *where = at == NULL ? NULL : counterexample_where(f->proof, (uint32_t)strtoul(at + 1, NULL, 10));
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (begins(name, kinds[i].name) && (where != NULL || strchr(kinds[i].phrase, '%') == NULL)) {
      add(f, where == NULL ? kinds[i].phrase : mem_arena_printf(f->proof->memory, kinds[i].phrase, where));
      return;
    }
  }
  add(f, where == NULL ? "a value that is not followed"
                       : mem_arena_printf(f->proof->memory, "a value at %s that is not followed", where));
}

/* --- a counterexample ------------------------------------------------------------------------------------------------- */

/* What it depends on and the proof does not know: phrases for a person, such as "what `a` holds, which the kernel writes"; at
 * most three, each once. A new list, empty for one that is certain. */
static json_t *depends_on(proof *p, const hit *h) {
  phrases f = {p, json_array()};
  if (!h->abstract) return f.list;
  smt_parts seen = {0};
  if (h->pair != NULL) {
    const formula of[] = {h->pair->place, h->pair->first->enabled, h->pair->second->enabled, h->pair->live};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) smt_each_abstract(&p->smt, &seen, of[i], add_name, &f);
  } else {
    smt_each_abstract(&p->smt, &seen, h->mishap->condition, add_name, &f);
  }
  smt_parts_free(&seen);
  if (json_array_size(f.list) == 0) {
    const bool differ = h->pair != NULL && (h->pair->certain == p->smt.no || p->kernel->loop_count == 0);
    add(&f, differ ? "whether the values that are written differ" : "whether an iteration of a loop is reached");
  }
  return f.list;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static json_t *place_json(const source_place *s) {
  return json_pack("{s:o*,s:i,s:i}", "file", json_stringn_nocheck(s->file, s->file_length), "line", (int)s->line,
                   "column", (int)s->column);
}

/* A place: "file", "line", "column", "inlined". `number` of a value; NONE gives the kernel's. */
static json_t *counterexample_place(const proof *p, uint32_t number) {
  const instruction *i = number == NONE ? NULL : kernel_instruction(p->kernel, number);
  source_place s;
  if (i == NULL || !module_place(i->value, 0, &s)) {
    s = module_kernel_place(p->kernel->function);
    return place_json(&s);
  }
  json_t *place = place_json(&s), *inlined = json_array();
  for (unsigned level = 1; module_place(i->value, level, &s); level++) json_array_append_new(inlined, place_json(&s));
  json_object_set_new(place, "inlined", inlined);
  return place;
}

const char *counterexample_where(const proof *p, uint32_t number) {
  json_t *place = counterexample_place(p, number);
  const char *text = mem_arena_printf(p->memory, "%s:%d:%d", json_string_value(json_object_get(place, "file")),
                                      (int)json_integer_value(json_object_get(place, "line")),
                                      (int)json_integer_value(json_object_get(place, "column")));
  json_decref(place);
  return text;
}

/* --- values of the model ------------------------------------------------------------------------------------------ */

static formula evaluated(const proof *p, const hit *h, formula f) {
  formula known = f;
  return Z3_model_eval(p->smt.z3, h->model, f, true, &known) ? known : f;
}

static uint64_t number_in(const proof *p, const hit *h, formula f) {
  uint64_t number = 0;
  (void)smt_is_number(&p->smt, evaluated(p, h, f), &number);
  return number;
}

static bool truth_in(const proof *p, const hit *h, formula f) { return evaluated(p, h, f) == p->smt.yes; }

static json_t *three(const proof *p, const hit *h, const formula numbers[DIMENSIONS]) {
  json_t *list = json_array();
  for (unsigned d = 0; d < DIMENSIONS; d++)
    json_array_append_new(list, json_integer((json_int_t)number_in(p, h, numbers[d])));
  return list;
}

static bool is_signed_type(const char *type) {
  static const char *const types[] = {"char", "short", "int", "long"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strncmp(type, types[i], strlen(types[i])) == 0) return true;
  return false;
}

static json_t *argument_json(const proof *p, const hit *h, uint32_t a) {
  const value *v = p->arguments[a];
  const char *type = module_argument_type(p->kernel->module, p->kernel->function, a);
  const LLVMTypeRef llvm = LLVMTypeOf(LLVMGetParam(p->kernel->function, a));
  if (v->kind == VALUE_NUMBER && LLVMGetTypeKind(llvm) == LLVMIntegerTypeKind) {
    uint64_t number = number_in(p, h, v->number);
    const unsigned bits = smt_bits(&p->smt, v->number);
    if (bits > 0 && bits < 64 && type[0] != 'u' && (number >> (bits - 1) & 1) != 0) number |= UINT64_MAX << bits;
    return bits == 0 ? json_integer(truth_in(p, h, v->number)) : json_integer((json_int_t)number);
  }
  enum { MOST = 64 };
  formula parts[MOST];
  buffer hex = {0};
  const size_t count = value_numbers(&p->values, v, parts, MOST);
  for (size_t i = 0; i < count && i < MOST; i++) {
    const uint64_t number = number_in(p, h, parts[i]);
    for (unsigned bit = 0; bit < smt_bits(&p->smt, parts[i]); bit += 8)
      buffer_printf(&hex, "%02x", (unsigned)(number >> bit & 0xFF));
  }
  json_t *made = json_pack("{s:s}", "bytes", buffer_text(&hex));
  buffer_free(&hex);
  return made;
}

static json_t *arguments_json(const proof *p, const hit *h) {
  json_t *made = json_object();
  for (uint32_t a = 0; a < p->kernel->argument_count; a++) {
    const LLVMValueRef v = LLVMGetParam(p->kernel->function, a);
    if (p->arguments[a]->kind != VALUE_POINTER) json_object_set_new(made, module_name(v), argument_json(p, h, a));
  }
  return made;
}

/* Numbers that stand in a buffer: [element, number, bytes of each], where no other does so already. */
static void add_cell(json_t *cells, uint64_t at, uint64_t number, unsigned bytes, bool is_signed) {
  enum { MOST = 256 };
  if (at % bytes != 0) { /* in parts */
    for (unsigned i = 0; i < bytes; i++) add_cell(cells, at + i, number >> (8 * i) & 0xFF, 1, false);
    return;
  }
  const unsigned bits = bytes * 8;
  const bool negative = is_signed && bits < 64 && (number >> (bits - 1) & 1) != 0;
  json_t *made = json_pack("[I,I,i]", (json_int_t)(at / bytes),
                           (json_int_t)(negative ? number | UINT64_MAX << bits : number), (int)bytes);
  for (size_t i = 0; i < json_array_size(cells); i++) {
    if (json_equal(json_array_get(cells, i), made) != 0) {
      json_decref(made);
      return;
    }
  }
  if (json_array_size(cells) < MOST) json_array_append(cells, made);
  json_decref(made);
}

static bool is_of_contents(const proof *p, formula f) { return f != NULL && smt_mentions(&p->smt, f, "_contents "); }

/* Whether it would go wrong with other contents, too. */
static bool needs_no_contents(const proof *p, const hit *h) {
  bool needs = h->pair != NULL
                   ? is_of_contents(p, h->pair->reached) || is_of_contents(p, h->pair->race)
                   : is_of_contents(p, h->mishap->reached) || is_of_contents(p, h->mishap->condition) ||
                         is_of_contents(p, h->mishap->enabled[0]) || is_of_contents(p, h->mishap->enabled[1]);
  for (size_t i = 0; i < p->fact_count && !needs; i++) needs = is_of_contents(p, p->facts[i]);
  return !needs;
}

/* What the two work-items read from buffers that nobody writes, if it matters. */
static json_t *contents_json(const proof *p, const hit *h) {
  json_t *made = json_object();
  const bool idle = p->launch->count == 0 && needs_no_contents(p, h);
  for (size_t i = 0; i < p->cell_count && !idle; i++) {
    const cell *c = &p->cells[i];
    const object *o = &p->objects[c->object];
    const unsigned bits = smt_bits(&p->smt, c->content);
    if (o->kind != OBJECT_ARGUMENT || bits > 64 || !truth_in(p, h, c->enabled)) continue;
    json_t *cells = json_object_get(made, o->name);
    if (cells == NULL) {
      cells = json_array();
      json_object_set_new(made, o->name, cells);
    }
    const char *type = module_argument_type(p->kernel->module, p->kernel->function, kernel_number(p->kernel, o->value));
    const uint64_t number = bits == 0 ? truth_in(p, h, c->content) : number_in(p, h, c->content);
    add_cell(cells, number_in(p, h, c->at), number, bits <= 8 ? 1 : bits / 8, is_signed_type(type));
  }
  return made;
}

/* --- the way ------------------------------------------------------------------------------------------------------ */

static const char *step_text(const proof *p, const step *s, bool holds) {
  const instruction *i = kernel_instruction(p->kernel, s->instruction);
  const block *b = &p->kernel->blocks[i->block];
  if (b->loop != NONE) {
    const loop *l = &p->kernel->loops[b->loop];
    const uint32_t to = b->successors[holds ? 0 : 1];
    const bool leaves = !l->has[b->successors[0]] || !l->has[b->successors[1]];
    const unsigned turn = s->turns[l->depth - 1];
    if (leaves && i->block == l->header) {
      return mem_arena_printf(p->memory,
                              l->has[to] ? "iteration %u of the loop begins" : "the loop ends after %u iterations",
                              l->has[to] ? turn + 1 : turn);
    }
    if (leaves) {
      return mem_arena_printf(
          p->memory, l->has[to] ? "iteration %u of the loop goes on" : "the loop is left in iteration %u", turn + 1);
    }
  }
  return holds ? "the condition is true" : "the condition is false";
}

static json_t *path_json(const proof *p, const hit *h, const size_t until[THREADS]) {
  enum { MOST = 40 };
  json_t *path = json_array();
  for (unsigned t = 0; t < THREADS; t++) {
    const size_t before = json_array_size(path);
    for (size_t i = 0; i < until[t] && i < p->step_count && json_array_size(path) - before < MOST; i++) {
      const step *s = &p->steps[i];
      if (s->thread != t || !truth_in(p, h, s->enabled)) continue;
      json_t *one = counterexample_place(p, s->instruction);
      json_object_del(one, "inlined");
      json_object_set_new(one, "thread", json_integer(t + 1));
      json_object_set_new(one, "text", json_string(step_text(p, s, truth_in(p, h, s->condition))));
      json_array_append_new(path, one);
    }
  }
  return path;
}

/* --- the finding -------------------------------------------------------------------------------------------------- */

static const char *access_word(const access *a) {
  return a->kind == ACCESS_READ ? "read" : a->kind == ACCESS_WRITE ? "write" : "atomic";
}

static unsigned dimensions_used(const proof *p) {
  unsigned used = p->launch->dimensions == 0 ? 1 : p->launch->dimensions;
  for (unsigned d = used; d < DIMENSIONS; d++)
    used = p->launch->local[d] != 1 || p->launch->groups[d] != 1 ? d + 1 : used;
  return used;
}

static const char *ids_text(const proof *p, const hit *h, const formula ids[DIMENSIONS]) {
  const unsigned used = dimensions_used(p);
  const unsigned long long x = number_in(p, h, ids[0]), y = number_in(p, h, ids[1]), z = number_in(p, h, ids[2]);
  return used <= 1   ? mem_arena_printf(p->memory, "%llu", x)
         : used == 2 ? mem_arena_printf(p->memory, "(%llu, %llu)", x, y)
                     : mem_arena_printf(p->memory, "(%llu, %llu, %llu)", x, y, z);
}

static const char *item_text(const proof *p, const hit *h, unsigned thread) {
  return mem_arena_printf(p->memory, "work-item %s of group %s", ids_text(p, h, p->local_id[thread]),
                          ids_text(p, h, p->group_id[thread]));
}

/* Of atomic accesses, by the number that OpenCL C gives them; "": the device or more. */
static const char *const scopes[] = {"own", "group", "", "", "sub-group"};

static json_t *access_place(const proof *p, const hit *h, const access *a, const char *role) {
  json_t *place = counterexample_place(p, a->instruction);
  json_object_set_new(place, "role", json_string(role));
  json_object_set_new(place, "access", json_string(access_word(a)));
  json_object_set_new(place, "local", three(p, h, p->local_id[a->thread]));
  json_object_set_new(place, "group", three(p, h, p->group_id[a->thread]));
  if (a->copy) json_object_set_new(place, "copy", json_true());
  if (a->kind == ACCESS_ATOMIC && a->scope < sizeof scopes / sizeof *scopes)
    json_object_set_new(place, "scope", json_string(scopes[a->scope]));
  return place;
}

const char *counterexample_access(const proof *p, const access *a) {
  static const char *const words[] = {"a read", "a write", "an atomic access"};
  return mem_arena_printf(p->memory, "%s of %s at %s", words[a->kind], p->objects[a->object].name,
                          counterexample_where(p, a->instruction));
}

/* "3,4": as many coordinates as the launch has dimensions. */
static const char *pixel_text(const proof *p, const hit *h, const access *a) {
  const unsigned long long x = number_in(p, h, a->coordinates[0]), y = number_in(p, h, a->coordinates[1]),
                           z = number_in(p, h, a->coordinates[2]);
  const unsigned used = dimensions_used(p);
  return used <= 1   ? mem_arena_printf(p->memory, "%llu", x)
         : used == 2 ? mem_arena_printf(p->memory, "%llu,%llu", x, y)
                     : mem_arena_printf(p->memory, "%llu,%llu,%llu", x, y, z);
}

static void set_memory(json_t *made, const proof *p, const hit *h, const access *a) {
  const object *o = &p->objects[a->object];
  json_object_set_new(made, "array", json_string(o->name));
  json_object_set_new(made, "space", json_string(o->image ? "image" : o->space == SPACE_LOCAL ? "local" : "global"));
  json_object_set_new(made, "element",
                      json_integer((json_int_t)(number_in(p, h, offset_number(&p->values, &a->at, 1)) /
                                                (a->bytes == 0 ? 1 : a->bytes))));
  json_object_set_new(made, "element_size", json_integer((json_int_t)a->bytes));
  json_object_set_new(made, "bytes", json_integer((json_int_t)a->bytes));
  const uint64_t size = o->size == NULL ? o->bytes : number_in(p, h, o->size);
  if (!o->image && o->kind != OBJECT_NULL && (o->size != NULL || o->bytes > 0))
    json_object_set_new(made, "object_size", json_integer((json_int_t)size));
  if (a->coordinates != NULL) json_object_set_new(made, "pixel", json_string(pixel_text(p, h, a)));
}

static void describe_divergence(json_t *made, json_t *places, const proof *p, const hit *h) {
  const instruction *i = kernel_instruction(p->kernel, h->mishap->instruction);
  const bool first = truth_in(p, h, h->mishap->enabled[0]), second = truth_in(p, h, h->mishap->enabled[1]);
  json_t *place = counterexample_place(p, h->mishap->instruction);
  json_object_set_new(place, "role", json_string("barrier"));
  json_object_set_new(place, "access", json_string(""));
  json_object_set_new(place, "local", three(p, h, p->local_id[first ? 0 : 1]));
  json_object_set_new(place, "group", three(p, h, p->group_id[0]));
  if (i->callee != NULL && i->callee->kind == CALL_ASYNC_COPY) json_object_set_new(place, "copy", json_true());
  json_array_append_new(places, place);
  json_object_set_new(made, "call",
                      json_string(i->callee == NULL || i->callee->kind == CALL_BARRIER ? "barrier" : i->callee->name));
  json_object_set_new(made, "cause", json_string(first && second ? "arguments" : ""));
  json_object_set_new(made, "other", three(p, h, p->local_id[first ? 1 : 0]));
}

static void describe_bounds(json_t *made, json_t *places, const proof *p, const hit *h) {
  const access *a = h->mishap->access;
  json_array_append_new(places, access_place(p, h, a, "first"));
  set_memory(made, p, h, a);
  json_object_set_new(made, "cause", json_string(p->objects[a->object].kind == OBJECT_NULL ? "null" : ""));
}

/* The last branch that decided otherwise for the two work-items. */
static void add_decision(json_t *places, const proof *p, const hit *h, size_t until) {
  for (size_t i = until < p->step_count ? until : p->step_count; i-- > 0;) {
    const step *s = &p->steps[i];
    for (size_t j = i; j-- > 0;) {
      const step *o = &p->steps[j];
      if (o->instruction == s->instruction && o->thread != s->thread && truth_in(p, h, s->enabled) &&
          truth_in(p, h, o->enabled) && truth_in(p, h, s->condition) != truth_in(p, h, o->condition)) {
        json_t *place = counterexample_place(p, s->instruction);
        json_object_set_new(place, "role", json_string("decision"));
        json_object_set_new(place, "access", json_string(""));
        json_object_set_new(
            place, "condition",
            json_string(mem_arena_printf(p->memory, "%s for %s, %s for %s",
                                         truth_in(p, h, s->condition) ? "true" : "false", item_text(p, h, s->thread),
                                         truth_in(p, h, o->condition) ? "true" : "false", item_text(p, h, o->thread))));
        json_array_append_new(places, place);
        return;
      }
    }
  }
}

static const char *rule_of(const hit *h) {
  return h->pair != NULL ? "data-race" : h->mishap->kind == MISHAP_DIVERGENCE ? "barrier-divergence" : "out-of-bounds";
}

json_t *counterexample_finding(proof *p, const hit *h) {
  json_t *made = json_object();
  json_t *places = json_array();
  size_t until[THREADS] = {0, 0};
  json_object_set_new(made, "rule", json_string(rule_of(h)));
  json_object_set_new(made, "definite", json_boolean(!h->abstract));
  if (h->pair != NULL) {
    const access *a = h->pair->first, *b = h->pair->second;
    json_array_append_new(places, access_place(p, h, a, "first"));
    json_array_append_new(places, access_place(p, h, b, "second"));
    set_memory(made, p, h, a);
    until[0] = h->pair->first->steps;
    until[1] = h->pair->second->steps;
  } else if (h->mishap->kind == MISHAP_DIVERGENCE) {
    describe_divergence(made, places, p, h);
    until[0] = until[1] = h->mishap->steps;
    add_decision(places, p, h, h->mishap->steps);
  } else {
    describe_bounds(made, places, p, h);
    until[0] = h->mishap->steps;
  }
  json_object_set_new(made, "places", places);
  json_object_set_new(made, "local_size", three(p, h, p->local_size));
  json_object_set_new(made, "groups", three(p, h, p->groups));
  json_object_set_new(made, "offset", three(p, h, p->global_offset));
  json_object_set_new(made, "arguments", arguments_json(p, h));
  json_object_set_new(made, "contents", contents_json(p, h));
  json_object_set_new(made, "path", path_json(p, h, until));
  json_object_set_new(made, "depends_on", depends_on(p, h));
  return made;
}

/* --- what a proof rests on ---------------------------------------------------------------------------------------- */

/* Reads candidates, barriers and atomics of a kernel for a person.
 * Soundness: docs/verify.md, Why it is right, One result. */

/* --- invariants --------------------------------------------------------------------------------------------------- */

/* A variable as the source names it: LLVM's name up to the point. */
static const char *variable_text(proof *p, LLVMValueRef v) {
  const char *name = module_name(v);
  char *text = mem_arena_copy(p->memory, name[0] == '\0' ? "a value" : name);
  text[strcspn(text, ".")] = '\0';
  return text;
}

static const char *operand_text(proof *p, LLVMValueRef v) {
  if (LLVMIsAConstantInt(v) != NULL) return mem_arena_printf(p->memory, "%lld", LLVMConstIntGetSExtValue(v));
  const uint32_t number = kernel_number(p->kernel, v);
  const instruction *i = number == NONE ? NULL : kernel_instruction(p->kernel, number);
  if (i == NULL || i->opcode == LLVMPHI) return variable_text(p, v);
  static const struct {
    LLVMOpcode opcode;
    const char *sign;
  } signs[] = {{LLVMAdd, "+"},  {LLVMSub, "-"},  {LLVMMul, "*"}, {LLVMSDiv, "/"},
               {LLVMUDiv, "/"}, {LLVMSRem, "%"}, {LLVMURem, "%"}};
  for (size_t n = 0; n < sizeof signs / sizeof *signs; n++) {
    if (signs[n].opcode == i->opcode) {
      return mem_arena_printf(p->memory, "(%s %s %s)", operand_text(p, LLVMGetOperand(v, 0)), signs[n].sign,
                              operand_text(p, LLVMGetOperand(v, 1)));
    }
  }
  if (i->callee != NULL && i->callee->kind == CALL_WORK_ITEM && LLVMGetNumArgOperands(v) == 1)
    return mem_arena_printf(p->memory, "%s(%s)", i->callee->name, operand_text(p, LLVMGetOperand(v, 0)));
  if (i->opcode == LLVMSExt || i->opcode == LLVMZExt || i->opcode == LLVMTrunc)
    return operand_text(p, LLVMGetOperand(v, 0));
  return variable_text(p, v);
}

static const char *candidate_text(proof *p, const candidate *c) {
  const char *x = variable_text(p, kernel_instruction(p->kernel, c->phi)->value);
  const char *other = c->operand == NULL ? "" : operand_text(p, c->operand);
  mem_arena *m = p->memory;
  switch (c->kind) {
    case AT_LEAST_INITIAL:
    case AT_LEAST_INITIAL_UNSIGNED: return mem_arena_printf(m, "%s >= its first value", x);
    case AT_MOST_INITIAL:
    case AT_MOST_INITIAL_UNSIGNED: return mem_arena_printf(m, "%s <= its first value", x);
    case NOT_NEGATIVE: return mem_arena_printf(m, "%s >= 0", x);
    case EQUALS_INITIAL: return mem_arena_printf(m, "%s == its first value", x);
    case STRIDE: return mem_arena_printf(m, "(%s - its first value) %% %s == 0", x, other);
    case POWER_OF_TWO_OR_ZERO: return mem_arena_printf(m, "(%s & (%s - 1)) == 0", x, x);
    case POWER_OF_TWO: return mem_arena_printf(m, "%s != 0 && (%s & (%s - 1)) == 0", x, x, x);
    case NOT_ZERO: return mem_arena_printf(m, "%s != 0", x);
    case AT_MOST_BOUND:
    case AT_MOST_BOUND_UNSIGNED: return mem_arena_printf(m, "%s <= %s", x, other);
    case AT_LEAST_BOUND:
    case AT_LEAST_BOUND_UNSIGNED: return mem_arena_printf(m, "%s >= %s", x, other);
    case AT_MOST_BOUND_OR_INITIAL: return mem_arena_printf(m, "%s <= %s || %s == its first value", x, other, x);
    case AT_LEAST_BOUND_OR_INITIAL: return mem_arena_printf(m, "%s >= %s || %s == its first value", x, other, x);
    default: return "the annotation here";
  }
}

static bool has_same(const json_t *list, const json_t *one) {
  for (size_t i = 0; i < json_array_size(list); i++)
    if (json_equal(json_array_get(list, i), one)) return true;
  return false;
}

/* Where a loop is written: at the end of its header's block, as phis have no place. */
static uint32_t place_of(const proof *p, const candidate *c) {
  if (c->kind == ANNOTATED) return c->phi;
  const block *b = &p->kernel->blocks[p->kernel->loops[c->loop].header];
  return p->kernel->argument_count + b->first + b->count - 1;
}

static void add_text(const proof *p, uint32_t number, const char *text, json_t *list) {
  json_t *one = counterexample_place(p, number);
  json_object_del(one, "column");
  json_object_del(one, "inlined");
  json_object_set_new(one, "text", json_string(text));
  if (has_same(list, one))
    json_decref(one);
  else
    json_array_append_new(list, one);
}

/* Variables that grow by the same in each iteration: true by how they are computed. */
static void explain_growth(proof *p, json_t *list) {
  for (uint32_t n = 0; n < p->kernel->loop_count; n++) {
    const block *b = &p->kernel->blocks[p->kernel->loops[n].header];
    for (uint32_t i = b->first; p->kernel->instructions[i].opcode == LLVMPHI; i++) {
      bool shrinks = false;
      int64_t bytes = 1;
      const uint32_t number = p->kernel->argument_count + i;
      const LLVMValueRef by = steady_growth(p, n, number, &shrinks, &bytes);
      if (by != NULL) {
        const char *x = variable_text(p, p->kernel->instructions[i].value);
        add_text(p, p->kernel->argument_count + b->first + b->count - 1,
                 mem_arena_printf(p->memory, "%s == its first value %s iterations * %s", x, shrinks ? "-" : "+",
                                  operand_text(p, by)),
                 list);
      }
    }
  }
}

void explain_invariants(proof *p, const bool *used, json_t *list) {
  explain_growth(p, list);
  for (size_t i = 0; i < p->candidate_count; i++) {
    if (!used[i]) continue;
    const candidate *c = p->candidates[i];
    add_text(p, place_of(p, c), candidate_text(p, c), list);
  }
}

/* --- barriers ----------------------------------------------------------------------------------------------------- */

/* Without these: true: still proved, false: goes wrong; `*known` false: neither is shown. */
static bool proved_without(const trial *t, const bool *without, const launch *launches, size_t count, bool *known) {
  *known = true;
  for (size_t i = 0; i < count; i++) {
    trial one = *t;
    one.without = without;
    one.launch = &launches[i];
    one.finding = NULL;
    trial_run(&one);
    json_decref(one.finding);
    if (one.verdict != VERIFIED) {
      *known = one.verdict >= OUT_OF_BOUNDS;
      return false;
    }
  }
  return true;
}

json_t *explain_barriers(const trial *t, const launch *launches, size_t count) {
  const kernel *k = t->kernel;
  json_t *list = json_array();
  bool *without = mem_calloc((size_t)k->argument_count + k->instruction_count + 1, sizeof *without);
  for (uint32_t n = 0; n < k->instruction_count; n++) {
    const instruction *i = &k->instructions[n];
    source_place s;
    if (i->callee == NULL || i->callee->kind != CALL_BARRIER || !module_place(i->value, 0, &s)) continue;
    bool known = false;
    without[k->argument_count + n] = true;
    const bool still = effort_now() < t->effort.deadline && proved_without(t, without, launches, count, &known);
    without[k->argument_count + n] = false;
    json_t *one = place_json(&s);
    json_object_set_new(one, "needed", known ? json_boolean(!still) : json_null());
    json_array_append_new(list, one);
  }
  free(without);
  return list;
}

/* --- one result --------------------------------------------------------------------------------------------------- */

/* Kinds of atomics that can change places among themselves; NULL: one that cannot. */
static const char *kind_that_commutes(const instruction *i) {
  static const char *const commuting[][2] = {{"add", "sum"}, {"sub", "sum"}, {"inc", "sum"},
                                             {"dec", "sum"}, {"min", "min"}, {"max", "max"},
                                             {"and", "and"}, {"or", "or"},   {"xor", "xor"}};
  const char *name = strchr(i->callee->name, '_');
  name = name == NULL ? "" : strncmp(name + 1, "fetch_", 6) == 0 ? name + 7 : name + 1;
  for (size_t n = 0; n < sizeof commuting / sizeof *commuting; n++) {
    const size_t length = strlen(commuting[n][0]);
    if (strncmp(name, commuting[n][0], length) == 0 && (name[length] == '\0' || name[length] == '_'))
      return commuting[n][1];
  }
  return NULL;
}

bool explain_one_result(const kernel *k) {
  const char *kind = NULL;
  for (uint32_t n = 0; n < k->instruction_count; n++) {
    const instruction *i = &k->instructions[n];
    if (i->callee == NULL || i->callee->kind != CALL_ATOMIC) continue;
    const char *here = kind_that_commutes(i);
    const bool integer = LLVMGetTypeKind(LLVMTypeOf(i->value)) == LLVMIntegerTypeKind;
    if (here == NULL || !integer || LLVMGetFirstUse(i->value) != NULL || (kind != NULL && strcmp(kind, here) != 0))
      return false;
    kind = here;
  }
  return true;
}
