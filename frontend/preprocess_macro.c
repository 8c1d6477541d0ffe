/* Macros (C11 6.10.3): definitions, expansion as a stack of token streams, substitution with # and ##. A macro is
 * disabled while its expansion is on the stack, and a name that is met meanwhile is painted for good. */
#include <stdlib.h>

#include "frontend/preprocess_internal.h"

/* The arguments of one invocation: argument i is tokens[starts[i]] up to tokens[starts[i + 1]]. */
typedef struct arguments {
  token_list tokens;
  size_t *starts;
  size_t count, start_capacity;
} arguments;

/* Substitution: puts a macro's arguments into its body, with # and ## (C11 6.10.3.1 to 6.10.3.3) and GNU's
 * `, ## __VA_ARGS__`. */

/* One substitution under way. */
typedef struct substitution {
  preprocessor *pp;
  const macro *macro;
  const token *name;
  const arguments *given;
  token_list *expanded; /* an argument's expansion, once it was needed */
  bool *is_expanded;
  token_list *out;
  bool pending_space; /* the next token gets a space: something with a space before it was empty */
  bool left_present;  /* the element before brought tokens, so ## has a left operand */
} substitution;

bool pp_make_text(preprocessor *pp, token *t, const buffer *text) {
  pp->made_bytes += text->length;
  if (pp->made_bytes > LIMIT_MADE_BYTES)
    return pp_fail(pp, t->expanded, "the tokens made by macros come to more than %d MiB", LIMIT_MADE_BYTES >> 20);
  char *copy = pp_allocate(pp, text->length + 1);
  memcpy(copy, buffer_text(text), text->length);
  t->text = copy;
  t->length = (uint32_t)text->length;
  t->made = true;
  return true;
}

static void append_escaped(buffer *text, const token *t) {
  for (uint32_t i = 0; i < t->length; i++) {
    if (t->text[i] == '"' || t->text[i] == '\\') buffer_putc(text, '\\');
    buffer_putc(text, t->text[i]);
  }
}

/* Drops a last backslash that would escape the closing quote, as clang does. */
static void end_string(buffer *text) {
  size_t backslashes = 0;
  while (text->data[text->length - 1 - backslashes] == '\\') backslashes++;
  text->length -= backslashes % 2;
  buffer_putc(text, '"');
}

/* The # operator: `t`, the parameter in the body, becomes a string of the argument's spelling. */
static bool stringify(substitution *s, token *t) {
  const arguments *given = s->given;
  size_t from = given->starts[t->parameter - 1], to = given->starts[t->parameter];
  buffer text = {0};
  buffer_putc(&text, '"');
  for (size_t i = from; i < to; i++) {
    const token *part = &given->tokens.items[i];
    if (part->painted && part->symbol->macro != NULL && part->symbol->macro->builtin == BUILTIN_FILE)
      (void)pp_fail_if_certain(s->pp, s->name->expanded, "# makes a string of __FILE__, which only the device knows");
    if (i > from && part->space_before) buffer_putc(&text, ' ');
    if (part->kind == TOKEN_STRING || part->kind == TOKEN_CHARACTER)
      append_escaped(&text, part);
    else
      buffer_append(&text, part->text, part->length);
    if (text.length > LIMIT_MADE_BYTES) break; /* pp_make_text will complain */
  }
  end_string(&text);
  t->kind = TOKEN_STRING;
  t->symbol = NULL;
  bool fine = pp_make_text(s->pp, t, &text);
  buffer_free(&text);
  return fine;
}

/* The ## operator: joins `right` to `left`. False when that gives no token. */
static bool paste(substitution *s, token *left, const token *right) {
  buffer text = {0};
  buffer_append(&text, left->text, left->length);
  buffer_append(&text, right->text, right->length);
  token_kind kind = TOKEN_END;
  bool unterminated = false;
  uint32_t length = pp_scan(text.data, text.data + text.length, &kind, &unterminated);
  bool fine = length == text.length && !unterminated;
  if (!fine) {
    (void)pp_fail_if_certain(s->pp, s->name->expanded, "## in macro %.*s makes \"%.100s\", which is no token",
                             (int)s->name->length, s->name->text, text.data);
  } else if (pp_make_text(s->pp, left, &text)) {
    left->kind = kind;
    left->unterminated = false;
    left->painted = false;
    left->symbol = kind == TOKEN_IDENTIFIER ? pp_intern(s->pp, left->text, left->length) : NULL;
  }
  buffer_free(&text);
  return fine;
}

/* The argument fully expanded on its own. */
static const token_list *expansion_of(substitution *s, uint32_t argument) {
  preprocessor *pp = s->pp;
  if (s->is_expanded[argument]) return &s->expanded[argument];
  s->is_expanded[argument] = true;
  if (++pp->nesting > LIMIT_NESTING)
    (void)pp_fail(pp, s->name->expanded, "uses of macros are nested more than %d deep", LIMIT_NESTING);
  token_list raw = {0};
  for (size_t i = s->given->starts[argument]; i < s->given->starts[argument + 1]; i++)
    pp_list_add(pp, &raw, &s->given->tokens.items[i]);
  pp_begin_list(pp, &raw);
  token t;
  for (pp_next_expanded(pp, &t); t.kind != TOKEN_END; pp_next_expanded(pp, &t))
    pp_list_add(pp, &s->expanded[argument], &t);
  pp_end_list(pp);
  pp->nesting--;
  return &s->expanded[argument];
}

static void add_plain(substitution *s, const token *body) {
  token t = *body;
  t.pasted = t.stringified = false;
  t.expanded = s->name->expanded;
  if (body->stringified && !stringify(s, &t)) return;
  t.parameter = 0;
  pp_list_add(s->pp, s->out, &t);
}

static void add_argument(substitution *s, const token *body, bool operand) {
  uint32_t argument = body->parameter - 1;
  if (!operand) {
    const token_list *expansion = expansion_of(s, argument);
    for (size_t i = 0; i < expansion->count; i++) pp_list_add(s->pp, s->out, &expansion->items[i]);
    return;
  }
  for (size_t i = s->given->starts[argument]; i < s->given->starts[argument + 1]; i++)
    pp_list_add(s->pp, s->out, &s->given->tokens.items[i]);
}

/* Whether body[i] is the comma of `, ## __VA_ARGS__`. */
static bool is_gnu_comma(const macro *m, size_t i) {
  return m->variadic && i + 1 < m->count && pp_is(&m->body[i], ",") && m->body[i + 1].pasted &&
         !m->body[i + 1].stringified && m->body[i + 1].parameter == m->parameter_count;
}

/* Whether such a comma goes because nothing follows it. As clang in OpenCL C, which is not GNU C, a comma that no
 * named parameter can stand before stays. */
static bool drops_comma(const substitution *s) {
  size_t last = s->macro->parameter_count;
  return last >= 2 && s->given->starts[last - 1] == s->given->starts[last];
}

/* Joins out[at], the first token of the right operand, to the token before it. */
static void paste_at(substitution *s, size_t at) {
  token_list *out = s->out;
  if (paste(s, &out->items[at - 1], &out->items[at])) {
    memmove(&out->items[at], &out->items[at + 1], (out->count - at - 1) * sizeof *out->items);
    out->count--;
    s->pp->live_tokens--;
  }
}

/* Adds what body[i] stands for; returns how many tokens of the body are done. */
static size_t add_element(substitution *s, size_t i) {
  const macro *m = s->macro;
  const token *element = &m->body[i];
  bool next_pasted = i + 1 < m->count && m->body[i + 1].pasted;
  bool after_comma = i > 0 && is_gnu_comma(m, i - 1);
  if (is_gnu_comma(m, i) && drops_comma(s)) {
    s->pending_space = false;
    return 2;
  }
  size_t before = s->out->count;
  if (element->parameter != 0 && !element->stringified)
    add_argument(s, element, element->pasted || next_pasted);
  else
    add_plain(s, element);
  bool brought = s->out->count > before;
  if (element->pasted && s->left_present) {
    if (brought && !after_comma) paste_at(s, before);
    return 1;
  }
  bool space = s->pending_space || (!element->pasted && element->space_before);
  if (brought) s->out->items[before].space_before = space;
  s->pending_space = !brought && space;
  s->left_present = brought;
  return 1;
}

/* The macro's body with parameters replaced, # and ## done; C11 6.10.3.1 to 6.10.3.3. */
static void pp_substitute(preprocessor *pp, const macro *m, const token *name, const arguments *given,
                          token_list *out) {
  substitution s = {.pp = pp, .macro = m, .name = name, .given = given, .out = out};
  s.expanded = mem_calloc(m->parameter_count, sizeof *s.expanded);
  s.is_expanded = mem_calloc(m->parameter_count, sizeof *s.is_expanded);
  for (size_t i = 0; i < m->count && !pp->failed;) i += add_element(&s, i);
  for (uint32_t i = 0; i < m->parameter_count; i++) pp_list_free(pp, &s.expanded[i]);
  free(s.expanded);
  free(s.is_expanded);
}

void pp_list_add(preprocessor *pp, token_list *list, const token *t) {
  if (pp->live_tokens >= LIMIT_LIVE_TOKENS) {
    (void)pp_fail(pp, t->expanded, "the expansion of a macro is too large");
    return;
  }
  pp->live_tokens++;
  *ARRAY_ADD(list->items, list->count, list->capacity) = *t;
}

void pp_list_free(preprocessor *pp, token_list *list) {
  pp->live_tokens -= list->count;
  free(list->items);
  *list = (token_list){0};
}

static stream *push_stream(preprocessor *pp) {
  stream *s = ARRAY_ADD(pp->streams, pp->stream_count, pp->stream_capacity);
  *s = (stream){0};
  return s;
}

static void pop_stream(preprocessor *pp) {
  stream *s = &pp->streams[--pp->stream_count];
  if (s->macro != NULL) {
    s->macro->disabled = false;
    pp_release_macro(s->macro);
  }
  pp_list_free(pp, &s->owned);
}

void pp_free_streams(preprocessor *pp) {
  while (pp->stream_count > 0) pop_stream(pp);
  free(pp->streams);
}

void pp_begin_list(preprocessor *pp, token_list *list) {
  stream *s = push_stream(pp);
  s->tokens = list->items;
  s->count = list->count;
  s->owned = *list;
  *list = (token_list){0};
  pp->pending_space = false;
}

void pp_end_list(preprocessor *pp) {
  while (pp->streams[pp->stream_count - 1].macro != NULL) pop_stream(pp);
  pop_stream(pp);
  pp->pending_space = false;
}

static void read_stream(preprocessor *pp, stream *s, token *t) {
  *t = s->tokens[s->at++];
  if (s->macro != NULL) {
    t->expanded = s->expanded;
    t->end_line = s->end_line;
    t->space_before = s->at == 1 ? s->space_before : t->space_before;
  }
  if (++pp->steps > LIMIT_STEPS)
    (void)pp_fail(pp, t->expanded, "the expansion of macros takes too long; do they grow without end?");
  if (s->at == s->count) {
    s->at = s->count = 0;
    pp_list_free(pp, &s->owned); /* keeps a long chain of last calls small */
  }
}

void pp_next(preprocessor *pp, token *t) {
  while (pp->stream_count > 0 && !pp->failed) {
    stream *top = &pp->streams[pp->stream_count - 1];
    if (top->at < top->count) {
      read_stream(pp, top, t);
      t->space_before = t->space_before || pp->pending_space;
      pp->pending_space = false;
      return;
    }
    if (top->macro == NULL) {
      *t = (token){.kind = TOKEN_END, .text = ""};
      return;
    }
    pop_stream(pp);
  }
  pp_next_file_token(pp, t);
  t->space_before = t->space_before || pp->pending_space;
  pp->pending_space = false;
}

static bool parenthesis_follows(preprocessor *pp) {
  for (size_t i = pp->stream_count; i-- > 0;) {
    const stream *s = &pp->streams[i];
    if (s->at < s->count) return pp_is(&s->tokens[s->at], "(");
    if (s->macro == NULL) return false;
  }
  return pp_file_parenthesis_follows(pp);
}

/* Makes an expansion the next thing to read: `list`, which is taken, or the macro's body where that is NULL. */
static void push_expansion(preprocessor *pp, macro *m, const token *name, uint32_t end_line, token_list *list) {
  size_t count = list == NULL ? m->count : list->count;
  if (count == 0) {
    pp->pending_space = pp->pending_space || name->space_before;
    return;
  }
  stream *s = push_stream(pp);
  s->tokens = list == NULL ? m->body : list->items;
  s->count = count;
  s->macro = m;
  s->expanded = name->expanded;
  s->end_line = end_line;
  s->space_before = name->space_before;
  m->uses++;
  m->disabled = true;
  if (list != NULL) {
    s->owned = *list;
    *list = (token_list){0};
  }
}

static void start_argument(arguments *args) {
  *ARRAY_ADD(args->starts, args->count, args->start_capacity) = args->tokens.count;
}

/* Reads the arguments, after the opening parenthesis, up to the closing one, which `t` holds in the end. */
static bool collect(preprocessor *pp, const macro *m, const token *name, arguments *args, token *t) {
  size_t depth = 0;
  start_argument(args);
  for (;;) {
    pp_next(pp, t);
    if (t->kind == TOKEN_END) {
      return pp_fail_if_certain(pp, name->expanded, "the use of macro %.*s has no closing parenthesis",
                                (int)name->length, name->text);
    }
    if (pp_is(t, ")") && depth-- == 0) return true;
    depth += pp_is(t, "(") ? 1 : 0;
    if (depth == 0 && pp_is(t, ",") && !(m->variadic && args->count == m->parameter_count)) {
      start_argument(args);
      continue;
    }
    if (t->kind == TOKEN_IDENTIFIER && t->symbol->macro != NULL && t->symbol->macro->disabled) t->painted = true;
    pp_list_add(pp, &args->tokens, t);
  }
}

/* Compares the number of arguments with the parameters; a missing variadic argument becomes an empty one. */
static bool count_arguments(preprocessor *pp, const macro *m, const token *name, arguments *args) {
  if (m->parameter_count == 0 && args->count == 1 && args->tokens.count == 0) args->count = 0;
  if (m->variadic && args->count + 1 == m->parameter_count) start_argument(args);
  if (args->count != m->parameter_count) {
    return pp_fail_if_certain(pp, name->expanded, "macro %.*s wants %u arguments, not %zu", (int)name->length,
                              name->text, (unsigned)m->parameter_count, args->count);
  }
  *ARRAY_ADD(args->starts, args->count, args->start_capacity) = args->tokens.count;
  args->count--;
  return true;
}

/* Expands the use of a function-like macro whose name was read. False, with `name` as it was, when no ( follows. */
static bool expand_function(preprocessor *pp, macro *m, const token *name) {
  if (!parenthesis_follows(pp)) return false;
  arguments args = {0};
  token t;
  m->uses++; /* a directive among the arguments may undefine it */
  pp->collecting++;
  pp_next(pp, &t);
  bool fine = collect(pp, m, name, &args, &t);
  pp->collecting--;
  pp->pending_space = false;
  if (fine && count_arguments(pp, m, name, &args)) {
    token_list list = {0};
    if (m->substitutes) pp_substitute(pp, m, name, &args, &list);
    push_expansion(pp, m, name, t.end_line, m->substitutes ? &list : NULL);
    pp_list_free(pp, &list);
  }
  pp_list_free(pp, &args.tokens);
  free(args.starts);
  pp_release_macro(m);
  return true;
}

static void expand_object(preprocessor *pp, macro *m, const token *name) {
  token_list list = {0};
  if (m->substitutes) pp_substitute(pp, m, name, NULL, &list);
  push_expansion(pp, m, name, name->end_line, m->substitutes ? &list : NULL);
  pp_list_free(pp, &list);
}

/* A file's name as a string literal. */
static void quote_name(buffer *text, const char *name) {
  buffer_putc(text, '"');
  for (; *name != '\0'; name++) {
    if (*name == '"' || *name == '\\' || *name == '\n') buffer_putc(text, '\\');
    buffer_putc(text, *name == '\n' ? 'n' : *name);
  }
  buffer_putc(text, '"');
}

/* Turns the name of a built-in macro into its value. */
static void expand_builtin(preprocessor *pp, builtin_kind builtin, token *t) {
  buffer text = {0};
  const source *s = pp->sources[t->expanded.file];
  if (builtin == BUILTIN_FILE && s->line_name == NULL && t->expanded.file == 0) {
    t->painted = true; /* the device's compiler has a name of its own for the main source */
    pp->own_name = true;
    return;
  }
  if (builtin == BUILTIN_FILE)
    quote_name(&text, s->line_name != NULL ? s->line_name : s->told != NULL ? s->told : s->name);
  else if (builtin == BUILTIN_LINE)
    buffer_printf(&text, "%ld", (long)t->end_line + pp->sources[t->expanded.file]->line_shift);
  else if (builtin == BUILTIN_COUNTER)
    buffer_printf(&text, "%llu", (unsigned long long)pp->counter++);
  else
    buffer_printf(&text, "%zu", pp->open_count == 0 ? 0 : pp->open_count - 1);
  t->kind = builtin == BUILTIN_FILE ? TOKEN_STRING : TOKEN_NUMBER;
  t->symbol = NULL;
  (void)pp_make_text(pp, t, &text);
  buffer_free(&text);
}

/* Expands the name that `t` holds, if it is a macro's: then there is something new to read, and true is returned. */
static bool expand(preprocessor *pp, token *t) {
  macro *m = t->symbol->macro;
  if (m == NULL || t->painted) return false;
  if (m->builtin != BUILTIN_NONE) {
    expand_builtin(pp, m->builtin, t);
    return false;
  }
  if (m->disabled) {
    t->painted = true;
    return false;
  }
  if (m->function_like) return expand_function(pp, m, t);
  expand_object(pp, m, t);
  return true;
}

void pp_next_expanded(preprocessor *pp, token *t) {
  do {
    pp_next(pp, t);
  } while (t->kind == TOKEN_IDENTIFIER && expand(pp, t));
}

void pp_define_builtins(preprocessor *pp) {
  static const char *const names[] = {[BUILTIN_LINE] = "__LINE__",
                                      [BUILTIN_FILE] = "__FILE__",
                                      [BUILTIN_COUNTER] = "__COUNTER__",
                                      [BUILTIN_LEVEL] = "__INCLUDE_LEVEL__"};
  for (int kind = BUILTIN_LINE; kind <= BUILTIN_LEVEL; kind++) {
    macro *m = mem_calloc(1, sizeof *m);
    m->builtin = (builtin_kind)kind;
    pp_set_macro(pp_intern(pp, names[kind], (uint32_t)strlen(names[kind])), m);
  }
}

/* #define: reads parameters and body of a macro (C11 6.10.3). The operators # and ## become flags of their operands,
 * so that expansion need not look for them. */

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
  if (s->parameter != 0) return malformed(d, "two parameters have the same name");
  *ARRAY_ADD(d->parameters, d->count, d->capacity) = s;
  s->parameter = (uint32_t)d->count;
  return true;
}

/* One parameter up to the comma or parenthesis after it, which `t` holds in the end: `name`, `name...`, `...`. */
static bool read_parameter(definition *d, token *t) {
  if (pp_is(t, "...")) {
    d->macro->variadic = true;
    if (!add_parameter(d, pp_intern(d->pp, "__VA_ARGS__", 11))) return false;
    lex(d, t);
    return true;
  }
  if (t->kind != TOKEN_IDENTIFIER) return malformed(d, "a parameter must be a name");
  if (!add_parameter(d, t->symbol)) return false;
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
  if (pp_is(&t, ")")) return true;
  while (read_parameter(d, &t)) {
    if (pp_is(&t, ")")) return true;
    if (!pp_is(&t, ",") || d->macro->variadic) return malformed(d, "the list of parameters has no closing parenthesis");
    lex(d, &t);
  }
  return false;
}

/* A token of the body; the flags say which operators stood before it. */
static void add_to_body(definition *d, token *t, size_t *capacity) {
  macro *m = d->macro;
  t->in_macro_body = true;
  if (t->kind == TOKEN_IDENTIFIER && m->function_like) t->parameter = t->symbol->parameter;
  m->substitutes = m->substitutes || t->parameter != 0 || t->pasted;
  *ARRAY_ADD(m->body, m->count, *capacity) = *t;
}

/* The parameter after a # of a function-like macro: one token that also covers the #. */
static bool read_stringified(definition *d, token *t) {
  token hash = *t;
  lex(d, t);
  if (t->kind != TOKEN_IDENTIFIER || t->symbol->parameter == 0) return malformed(d, "# must stand before a parameter");
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
      if (d->macro->count == 0) return malformed(d, "## must not stand at the start");
      pasted = true;
      continue;
    }
    if (d->macro->function_like && pp_is_hash(t) && !read_stringified(d, t)) return false;
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
    if (!read_parameters(d)) return false;
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
  if (read_definition(&d)) pp_set_macro(name.symbol, d.macro);
  pp_release_macro(d.macro);
  for (size_t i = 0; i < d.count; i++) d.parameters[i]->parameter = 0;
  free(d.parameters);
}
