/* #define: reads parameters and body of a macro (C11 6.10.3). The operators # and ## become flags of their operands,
 * so that expansion need not look for them. */
#include <stdlib.h>

#include "frontend/preprocess_internal.h"

/* A #define under way. */
typedef struct definition {
  preprocessor *pp;
  const token *hash;
  const token *name;
  lexer *lexer;
  macro *macro;
  symbol **parameters;
  size_t count, capacity;
} definition;

static void lex(definition *d, token *t) { pp_lex(d->pp, d->lexer, t); }

static bool ends_line(const token *t) { return t->kind == TOKEN_NEWLINE || t->kind == TOKEN_END; }

static bool malformed(definition *d, const char *what) {
  return pp_fail(d->pp, d->hash->spelled, "#define of %.*s: %s", (int)d->name->length, d->name->text, what);
}

static bool add_parameter(definition *d, symbol *s) {
  if (s->parameter != 0) {
    return malformed(d, "two parameters have the same name");
  }
  *ARRAY_ADD(d->parameters, d->count, d->capacity) = s;
  s->parameter = (uint32_t)d->count;
  return true;
}

/* One parameter up to the comma or parenthesis after it, which `t` holds in the end: `name`, `name...`, `...`. */
static bool read_parameter(definition *d, token *t) {
  if (pp_is(t, "...")) {
    d->macro->variadic = true;
    if (!add_parameter(d, pp_intern(d->pp, "__VA_ARGS__", 11))) {
      return false;
    }
    lex(d, t);
    return true;
  }
  if (t->kind != TOKEN_IDENTIFIER) {
    return malformed(d, "a parameter must be a name");
  }
  if (!add_parameter(d, t->symbol)) {
    return false;
  }
  lex(d, t);
  if (pp_is(t, "...")) {
    d->macro->variadic = true;
    lex(d, t);
  }
  return true;
}

/* The parameters, after the opening parenthesis. */
static bool read_parameters(definition *d) {
  token t;
  lex(d, &t);
  if (pp_is(&t, ")")) {
    return true;
  }
  while (read_parameter(d, &t)) {
    if (pp_is(&t, ")")) {
      return true;
    }
    if (!pp_is(&t, ",") || d->macro->variadic) {
      return malformed(d, "the list of parameters has no closing parenthesis");
    }
    lex(d, &t);
  }
  return false;
}

/* A token of the body; the flags say which operators stood before it. */
static void add_to_body(definition *d, token *t, size_t *capacity) {
  macro *m = d->macro;
  t->in_macro_body = true;
  if (t->kind == TOKEN_IDENTIFIER && m->function_like) {
    t->parameter = t->symbol->parameter;
  }
  m->substitutes = m->substitutes || t->parameter != 0 || t->pasted;
  *ARRAY_ADD(m->body, m->count, *capacity) = *t;
}

/* The parameter after a # of a function-like macro: one token that also covers the #. */
static bool read_stringified(definition *d, token *t) {
  token hash = *t;
  lex(d, t);
  if (t->kind != TOKEN_IDENTIFIER || t->symbol->parameter == 0) {
    return malformed(d, "# must stand before a parameter");
  }
  t->spelled_length += t->spelled.offset - hash.spelled.offset;
  t->spelled = hash.spelled;
  t->space_before = hash.space_before;
  t->stringified = true;
  return true;
}

static bool read_body(definition *d, token *t) {
  size_t capacity = 0;
  bool pasted = false;
  for (; !ends_line(t); lex(d, t)) {
    if (pp_is_paste(t)) {
      if (d->macro->count == 0) {
        return malformed(d, "## must not stand at the start");
      }
      pasted = true;
      continue;
    }
    if (d->macro->function_like && pp_is_hash(t) && !read_stringified(d, t)) {
      return false;
    }
    t->pasted = pasted;
    pasted = false;
    add_to_body(d, t, &capacity);
  }
  return !pasted || malformed(d, "## must not stand at the end");
}

static bool read_definition(definition *d) {
  token t;
  lex(d, &t);
  if (pp_is(&t, "(") && !t.space_before) {
    d->macro->function_like = true;
    if (!read_parameters(d)) {
      return false;
    }
    d->macro->parameter_count = (uint32_t)d->count;
    lex(d, &t);
  }
  return read_body(d, &t);
}

void pp_define(preprocessor *pp, const token *hash) {
  token name;
  definition d = {.pp = pp, .hash = hash, .name = &name, .lexer = &pp_top(pp)->lexer};
  lex(&d, &name);
  if (name.kind != TOKEN_IDENTIFIER || (name.length == 7 && memcmp(name.text, "defined", 7) == 0)) {
    (void)pp_fail(pp, hash->spelled, "#define wants the name of a macro");
    return;
  }
  d.macro = mem_calloc(1, sizeof *d.macro);
  d.macro->uses = 1;
  if (read_definition(&d)) {
    pp_set_macro(name.symbol, d.macro);
  }
  pp_release_macro(d.macro);
  for (size_t i = 0; i < d.count; i++) {
    d.parameters[i]->parameter = 0;
  }
  free(d.parameters);
}
