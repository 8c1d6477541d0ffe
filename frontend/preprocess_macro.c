/* Macro expansion: a stack of token streams. A macro is disabled while its expansion is on the stack, and a name that
 * is met meanwhile is painted for good (C11 6.10.3.4). */
#include <stdlib.h>

#include "frontend/preprocess_internal.h"

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
  while (pp->stream_count > 0) {
    pop_stream(pp);
  }
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
  while (pp->streams[pp->stream_count - 1].macro != NULL) {
    pop_stream(pp);
  }
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
  if (++pp->steps > LIMIT_STEPS) {
    (void)pp_fail(pp, t->expanded, "the expansion of macros takes too long; do they grow without end?");
  }
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
    if (s->at < s->count) {
      return pp_is(&s->tokens[s->at], "(");
    }
    if (s->macro == NULL) {
      return false;
    }
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
    if (pp_is(t, ")") && depth-- == 0) {
      return true;
    }
    depth += pp_is(t, "(") ? 1 : 0;
    if (depth == 0 && pp_is(t, ",") && !(m->variadic && args->count == m->parameter_count)) {
      start_argument(args);
      continue;
    }
    if (t->kind == TOKEN_IDENTIFIER && t->symbol->macro != NULL && t->symbol->macro->disabled) {
      t->painted = true;
    }
    pp_list_add(pp, &args->tokens, t);
  }
}

/* Compares the number of arguments with the parameters; a missing variadic argument becomes an empty one. */
static bool count_arguments(preprocessor *pp, const macro *m, const token *name, arguments *args) {
  if (m->parameter_count == 0 && args->count == 1 && args->tokens.count == 0) {
    args->count = 0;
  }
  if (m->variadic && args->count + 1 == m->parameter_count) {
    start_argument(args);
  }
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
  if (!parenthesis_follows(pp)) {
    return false;
  }
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
    if (m->substitutes) {
      pp_substitute(pp, m, name, &args, &list);
    }
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
  if (m->substitutes) {
    pp_substitute(pp, m, name, NULL, &list);
  }
  push_expansion(pp, m, name, name->end_line, m->substitutes ? &list : NULL);
  pp_list_free(pp, &list);
}

/* A file's name as a string literal. */
static void quote_name(buffer *text, const char *name) {
  buffer_putc(text, '"');
  for (; *name != '\0'; name++) {
    if (*name == '"' || *name == '\\' || *name == '\n') {
      buffer_putc(text, '\\');
    }
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
  if (builtin == BUILTIN_FILE) {
    quote_name(&text, s->line_name != NULL ? s->line_name : s->told != NULL ? s->told : s->name);
  } else if (builtin == BUILTIN_LINE) {
    buffer_printf(&text, "%ld", (long)t->end_line + pp->sources[t->expanded.file]->line_shift);
  } else if (builtin == BUILTIN_COUNTER) {
    buffer_printf(&text, "%llu", (unsigned long long)pp->counter++);
  } else {
    buffer_printf(&text, "%zu", pp->open_count == 0 ? 0 : pp->open_count - 1);
  }
  t->kind = builtin == BUILTIN_FILE ? TOKEN_STRING : TOKEN_NUMBER;
  t->symbol = NULL;
  (void)pp_make_text(pp, t, &text);
  buffer_free(&text);
}

/* Expands the name that `t` holds, if it is a macro's: then there is something new to read, and true is returned. */
static bool expand(preprocessor *pp, token *t) {
  macro *m = t->symbol->macro;
  if (m == NULL || t->painted) {
    return false;
  }
  if (m->builtin != BUILTIN_NONE) {
    expand_builtin(pp, m->builtin, t);
    return false;
  }
  if (m->disabled) {
    t->painted = true;
    return false;
  }
  if (m->function_like) {
    return expand_function(pp, m, t);
  }
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
