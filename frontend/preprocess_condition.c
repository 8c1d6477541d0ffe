/* Conditions of #if and #elif: expands the line, resolves `defined`, and makes a question of what only the device can
 * know. */
#include <stdlib.h>

#include "frontend/preprocess_internal.h"

static token made_token(preprocessor *pp, const token *at, token_kind kind, const char *text, size_t length) {
  token t = *at;
  buffer characters = {0};
  buffer_append(&characters, text, length);
  t.kind = kind;
  t.symbol = NULL;
  (void)pp_make_text(pp, &t, &characters);
  buffer_free(&characters);
  return t;
}

/* `defined X` or `defined(X)`, the word `defined` being read: 1, 0, or the question. */
static bool read_defined(preprocessor *pp, token *t) {
  token word = *t, name, close;
  pp_next(pp, &name);
  bool parenthesis = pp_is(&name, "(");
  if (parenthesis) {
    pp_next(pp, &name);
  }
  if (name.kind != TOKEN_IDENTIFIER) {
    return false;
  }
  if (parenthesis) {
    pp_next(pp, &close);
    if (!pp_is(&close, ")")) {
      return false;
    }
  }
  int known = pp_is_defined(name.symbol);
  if (known >= 0) {
    *t = made_token(pp, &word, TOKEN_NUMBER, known == 1 ? "1" : "0", 1);
    return true;
  }
  buffer text = {0};
  buffer_puts(&text, "defined(");
  buffer_append(&text, name.text, name.length);
  buffer_putc(&text, ')');
  *t = made_token(pp, &word, TOKEN_UNKNOWN, text.data, text.length);
  buffer_free(&text);
  return true;
}

/* For `__has_include("x")` or `__has_include(<x>)`: whether we find that header. */
static bool has_header(preprocessor *pp, const token *word, const buffer *text) {
  if (word->length != 13 || memcmp(word->text, "__has_include", 13) != 0) {
    return false;
  }
  const char *start = strpbrk(text->data, "\"<");
  const char *end = start == NULL ? NULL : strchr(start + 1, *start == '"' ? '"' : '>');
  if (end == NULL) {
    return false;
  }
  char *name = mem_strndup(start + 1, (size_t)(end - start) - 1);
  bool found = pp_find_header(pp, name, *start == '"') != PP_NONE;
  free(name);
  return found;
}

/* `__has_builtin(…)` and its kind, whose arguments are no macros: one question as a whole. */
static bool read_feature_test(preprocessor *pp, token *t) {
  token word = *t, part, last = word;
  size_t depth = 0;
  buffer text = {0};
  buffer_append(&text, word.text, word.length);
  do {
    pp_next(pp, &part);
    depth += pp_is(&part, "(") ? 1 : 0;
    depth -= pp_is(&part, ")") ? 1 : 0;
    if (part.kind == TOKEN_END) {
      buffer_free(&text);
      return false;
    }
    pp_join(&text, &last, &part);
    last = part;
  } while (depth > 0);
  if (has_header(pp, &word, &text)) {
    *t = made_token(pp, &word, TOKEN_NUMBER, "1", 1);
  } else {
    *t = made_token(pp, &word, TOKEN_UNKNOWN, text.data, text.length);
  }
  buffer_free(&text);
  return true;
}

static bool is_feature_test(preprocessor *pp, const token *t) {
  const stream *top = &pp->streams[pp->stream_count - 1];
  return t->length > 6 && memcmp(t->text, "__has_", 6) == 0 && top->at < top->count &&
         pp_is(&top->tokens[top->at], "(");
}

/* What an identifier that was not expanded means in a condition. `names` counts those that can be macros of the
 * device, with anything in them. */
static bool resolve_identifier(preprocessor *pp, token *t, size_t *names) {
  if (t->length == 7 && memcmp(t->text, "defined", 7) == 0) {
    return read_defined(pp, t);
  }
  if (pp_is_defined(t->symbol) >= 0) {
    *t = made_token(pp, t, TOKEN_NUMBER, "0", 1);
    return true;
  }
  if (is_feature_test(pp, t)) {
    return read_feature_test(pp, t);
  }
  ++*names;
  return true;
}

/* Reads and expands the rest of the line into `list`, which ends with TOKEN_END. */
static bool read_expression(preprocessor *pp, token_list *list, size_t *names) {
  token_list line = {0};
  token t;
  for (pp_lex(pp, &pp_top(pp)->lexer, &t); t.kind != TOKEN_NEWLINE && t.kind != TOKEN_END;
       pp_lex(pp, &pp_top(pp)->lexer, &t)) {
    pp_list_add(pp, &line, &t);
  }
  bool fine = true;
  pp_begin_list(pp, &line);
  for (pp_next_expanded(pp, &t); fine && t.kind != TOKEN_END; pp_next_expanded(pp, &t)) {
    *ARRAY_ADD(pp->conditions, pp->condition_count, pp->condition_capacity) = t.spelled;
    fine = t.kind != TOKEN_IDENTIFIER || resolve_identifier(pp, &t, names);
    pp_list_add(pp, list, &t);
  }
  pp_end_list(pp);
  pp_list_add(pp, list, &(token){.kind = TOKEN_END, .text = ""});
  return fine;
}

static bool ask(preprocessor *pp, const token_list *list) {
  buffer question = {0};
  for (size_t i = 0; i + 1 < list->count; i++) {
    pp_join(&question, i == 0 ? NULL : &list->items[i - 1], &list->items[i]);
  }
  bool value = pp_ask(pp, buffer_text(&question), question.length);
  buffer_free(&question);
  return value;
}

bool pp_condition(preprocessor *pp, const token *hash) {
  token_list list = {0};
  size_t names = 0;
  bool fine = read_expression(pp, &list, &names), is_known = false, result = false;
  if (!fine) {
    (void)pp_fail_if_certain(pp, hash->spelled, "the condition has a malformed `defined` or `__has_…`");
  } else if (!pp->failed) {
    const char *complaint = pp_evaluate(list.items, &is_known, &result);
    if (complaint == NULL ? !is_known : names > 0) {
      result = ask(pp, &list);
    } else if (complaint != NULL) {
      result = pp_fail_if_certain(pp, hash->spelled, "the condition has %s", complaint);
    }
  }
  pp_list_free(pp, &list);
  return result;
}
