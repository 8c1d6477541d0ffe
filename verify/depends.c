/* Names of what is not modelled, as phrases. A name says what it stands for (memory, a function, a kind of instruction) and,
 * after `@`, the instruction. */
#include "verify/depends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/counterexample.h"

enum { MOST = 3 };

typedef struct phrases {
  proof *proof;
  json_t *list;
} phrases;

static void add(phrases *f, const char *text) {
  for (size_t i = 0; i < json_array_size(f->list); i++) {
    if (strcmp(json_string_value(json_array_get(f->list, i)), text) == 0) {
      return;
    }
  }
  if (json_array_size(f->list) < MOST) {
    json_array_append_new(f->list, json_string_nocheck(text));
  }
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
  if ((!written && sscanf(name, "contents %u", &number) != 1) || number >= f->proof->object_count) {
    return false;
  }
  const char *memory = f->proof->objects[number].name;
  add(f,
      arena_printf(f->proof->memory, written ? "what `%s` holds, which the kernel writes" : "what `%s` holds", memory));
  return true;
}

/* A built-in function: `_Z3sinf`. */
static bool add_function(phrases *f, const char *name) {
  int length = 0, digits = 0;
  if (sscanf(name, "_Z%d%n", &length, &digits) != 1 || length <= 0 || strlen(name + digits) < (size_t)length) {
    return false;
  }
  add(f, arena_printf(f->proof->memory, "what %.*s() gives", length, name + digits));
  return true;
}

static void add_name(void *context, const char *name) {
  phrases *f = context;
  if (add_memory(f, name) || add_function(f, name)) {
    return;
  }
  const char *at = strchr(name, '@');
  const char *where = at == NULL ? NULL : counterexample_where(f->proof, (uint32_t)strtoul(at + 1, NULL, 10));
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (begins(name, kinds[i].name) && (where != NULL || strchr(kinds[i].phrase, '%') == NULL)) {
      add(f, where == NULL ? kinds[i].phrase : arena_printf(f->proof->memory, kinds[i].phrase, where));
      return;
    }
  }
  add(f, where == NULL ? "a value that is not followed"
                       : arena_printf(f->proof->memory, "a value at %s that is not followed", where));
}

/* --- a counterexample ------------------------------------------------------------------------------------------------- */

json_t *depends_on(proof *p, const hit *h) {
  phrases f = {p, json_array()};
  if (!h->abstract) {
    return f.list;
  }
  smt_parts seen = {0};
  if (h->pair != NULL) {
    const formula of[] = {h->pair->place, h->pair->first->enabled, h->pair->second->enabled, h->pair->live};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
      smt_each_abstract(&p->smt, &seen, of[i], add_name, &f);
    }
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
