/* Expressions about buffers.
 * Soundness: docs/verify.md, Launches that were seen. */
#include "verify/said.h"

#include <string.h>

#define NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* "distinct(x)", and nothing else. */
static bool is_call(const char *text, const char *function, const char *argument) {
  const size_t length = strlen(function), size = strlen(argument);
  text += strspn(text, " \t");
  if (strncmp(text, function, length) != 0) {
    return false;
  }
  text += length + strspn(text + length, " \t");
  if (*text != '(') {
    return false;
  }
  text += 1 + strspn(text + 1, " \t");
  if (strncmp(text, argument, size) != 0) {
    return false;
  }
  text += size + strspn(text + size, " \t");
  return *text == ')' && text[1 + strspn(text + 1, " \t")] == '\0';
}

/* Whether the expression has "x[". */
static bool is_indexed(const char *text, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
    const bool begins = at == text || strchr(NAME, at[-1]) == NULL;
    if (begins && at[length + strspn(at + length, " \t")] == '[') {
      return true;
    }
  }
  return false;
}

const char *said_buffer(const kernel *k, const char *text) {
  for (uint32_t a = 0; a < k->argument_count; a++) {
    size_t length = 0;
    const LLVMValueRef v = LLVMGetParam(k->function, a);
    const char *name = LLVMGetValueName2(v, &length);
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind && is_indexed(text, name)) {
      return name;
    }
  }
  return NULL;
}

typedef struct said {
  bool elements, each;
  contents_known contents;
} said;

static said said_of(const launch *l, const char *name) {
  said s = {0};
  for (size_t i = 0; i < l->assume_count; i++) {
    s.elements = s.elements || assumptions_speak_of(l->assume[i], "elements", name);
    s.each = s.each || is_indexed(l->assume[i], name);
    s.contents.distinct = s.contents.distinct || is_call(l->assume[i], "distinct", name);
    s.contents.ascending = s.contents.ascending || is_call(l->assume[i], "ascending", name);
  }
  return s;
}

/* Takes those away that are about the contents of this buffer as a whole. */
static void drop_calls(launch *l, const char *name) {
  size_t kept = 0;
  for (size_t i = 0; i < l->assume_count; i++) {
    if (!is_call(l->assume[i], "distinct", name) && !is_call(l->assume[i], "ascending", name)) {
      l->assume[kept++] = l->assume[i];
    }
  }
  l->assume_count = kept;
}

void said_take(const kernel *k, launch *l) {
  buffer_given *buffers = arena_get(k->memory, k->argument_count + 1, sizeof *buffers);
  const char **assume = arena_get(k->memory, l->assume_count + 1, sizeof *assume);
  if (l->assume_count > 0) {
    memcpy(assume, l->assume, l->assume_count * sizeof *assume);
  }
  l->assume = assume;
  l->buffers = buffers;
  l->buffer_count = 0;
  for (uint32_t a = 0; a < k->argument_count; a++) {
    const LLVMValueRef v = LLVMGetParam(k->function, a);
    size_t length = 0;
    const char *name = LLVMGetValueName2(v, &length);
    const bool pointer = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
    const bool local = pointer && LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == SPACE_LOCAL;
    said s = said_of(l, name);
    const bool contents = !local && (s.each || s.contents.distinct || s.contents.ascending);
    if (!pointer || (!s.elements && !contents)) {
      continue;
    }
    const char *type = module_argument_type(k->module, k->function, a);
    s.contents.is_unsigned = type[0] == 'u' || strcmp(type, "size_t") == 0;
    buffers[l->buffer_count++] = (buffer_given){
        .name = name, .memory = -1, .local = local, .counted = s.elements, .said = true, .contents = s.contents};
    drop_calls(l, name);
  }
}

void said_of_value(proof *p, const object *o, formula wide) {
  for (size_t i = 0; i < p->launch->assume_count; i++) {
    if (is_indexed(p->launch->assume[i], o->name)) {
      proof_fact(p, assumptions_of_value(p, p->launch->assume[i], o->name, wide));
    }
  }
}
