/* Substitution: puts a macro's arguments into its body, with # and ## (C11 6.10.3.1 to 6.10.3.3) and GNU's
 * `, ## __VA_ARGS__`. */
#include <stdlib.h>

#include "frontend/preprocess_internal.h"

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
  if (pp->made_bytes > LIMIT_MADE_BYTES) {
    return pp_fail(pp, t->expanded, "the tokens made by macros come to more than %d MiB", LIMIT_MADE_BYTES >> 20);
  }
  char *copy = pp_allocate(pp, text->length + 1);
  memcpy(copy, buffer_text(text), text->length);
  t->text = copy;
  t->length = (uint32_t)text->length;
  t->made = true;
  return true;
}

static void append_escaped(buffer *text, const token *t) {
  for (uint32_t i = 0; i < t->length; i++) {
    if (t->text[i] == '"' || t->text[i] == '\\') {
      buffer_putc(text, '\\');
    }
    buffer_putc(text, t->text[i]);
  }
}

/* Drops a last backslash that would escape the closing quote, as clang does. */
static void end_string(buffer *text) {
  size_t backslashes = 0;
  while (text->data[text->length - 1 - backslashes] == '\\') {
    backslashes++;
  }
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
    if (part->painted && part->symbol->macro != NULL && part->symbol->macro->builtin == BUILTIN_FILE) {
      (void)pp_fail_if_certain(s->pp, s->name->expanded, "# makes a string of __FILE__, which only the device knows");
    }
    if (i > from && part->space_before) {
      buffer_putc(&text, ' ');
    }
    if (part->kind == TOKEN_STRING || part->kind == TOKEN_CHARACTER) {
      append_escaped(&text, part);
    } else {
      buffer_append(&text, part->text, part->length);
    }
    if (text.length > LIMIT_MADE_BYTES) {
      break; /* pp_make_text will complain */
    }
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
  if (s->is_expanded[argument]) {
    return &s->expanded[argument];
  }
  s->is_expanded[argument] = true;
  if (++pp->nesting > LIMIT_NESTING) {
    (void)pp_fail(pp, s->name->expanded, "uses of macros are nested more than %d deep", LIMIT_NESTING);
  }
  token_list raw = {0};
  for (size_t i = s->given->starts[argument]; i < s->given->starts[argument + 1]; i++) {
    pp_list_add(pp, &raw, &s->given->tokens.items[i]);
  }
  pp_begin_list(pp, &raw);
  token t;
  for (pp_next_expanded(pp, &t); t.kind != TOKEN_END; pp_next_expanded(pp, &t)) {
    pp_list_add(pp, &s->expanded[argument], &t);
  }
  pp_end_list(pp);
  pp->nesting--;
  return &s->expanded[argument];
}

static void add_plain(substitution *s, const token *body) {
  token t = *body;
  t.pasted = t.stringified = false;
  t.expanded = s->name->expanded;
  if (body->stringified && !stringify(s, &t)) {
    return;
  }
  t.parameter = 0;
  pp_list_add(s->pp, s->out, &t);
}

static void add_argument(substitution *s, const token *body, bool operand) {
  uint32_t argument = body->parameter - 1;
  if (!operand) {
    const token_list *expansion = expansion_of(s, argument);
    for (size_t i = 0; i < expansion->count; i++) {
      pp_list_add(s->pp, s->out, &expansion->items[i]);
    }
    return;
  }
  for (size_t i = s->given->starts[argument]; i < s->given->starts[argument + 1]; i++) {
    pp_list_add(s->pp, s->out, &s->given->tokens.items[i]);
  }
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
  if (element->parameter != 0 && !element->stringified) {
    add_argument(s, element, element->pasted || next_pasted);
  } else {
    add_plain(s, element);
  }
  bool brought = s->out->count > before;
  if (element->pasted && s->left_present) {
    if (brought && !after_comma) {
      paste_at(s, before);
    }
    return 1;
  }
  bool space = s->pending_space || (!element->pasted && element->space_before);
  if (brought) {
    s->out->items[before].space_before = space;
  }
  s->pending_space = !brought && space;
  s->left_present = brought;
  return 1;
}

void pp_substitute(preprocessor *pp, const macro *m, const token *name, const arguments *given, token_list *out) {
  substitution s = {.pp = pp, .macro = m, .name = name, .given = given, .out = out};
  s.expanded = mem_calloc(m->parameter_count, sizeof *s.expanded);
  s.is_expanded = mem_calloc(m->parameter_count, sizeof *s.is_expanded);
  for (size_t i = 0; i < m->count && !pp->failed;) {
    i += add_element(&s, i);
  }
  for (uint32_t i = 0; i < m->parameter_count; i++) {
    pp_list_free(pp, &s.expanded[i]);
  }
  free(s.expanded);
  free(s.is_expanded);
}
