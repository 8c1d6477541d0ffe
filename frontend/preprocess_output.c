/* The text of the result: tokens keep the lines and the indentation of the source, and stay apart. */
#include "frontend/preprocess_internal.h"

void pp_join(buffer *line, const token *last, const token *t) {
  if (last != NULL && (t->space_before || pp_would_glue(last, t))) {
    buffer_putc(line, ' ');
  }
  buffer_append(line, t->text, t->length);
}

static bool ends_in_backslash(const token *t) { return t->text[t->length - 1] == '\\'; }

/* Whether `t` goes to a line of its own: where the source has it there, and where it must. A token `#` from a macro
 * must not start a line, nor a backslash end it: they would be read as a directive and as a line splice. */
static bool starts_line(const preprocessor *pp, const token *t) {
  const token *last = &pp->last;
  if (t->kind == TOKEN_PRAGMA || last->kind == TOKEN_PRAGMA || last->unterminated) {
    return true;
  }
  if (ends_in_backslash(last) || pp_is_hash(t) || pp_is_paste(t)) {
    return false;
  }
  return pp->fresh_line || last->expanded.line != t->expanded.line || last->expanded.file != t->expanded.file;
}

static void put_spaces(buffer *text, uint32_t count) {
  static const char spaces[] = "                                ";
  for (; count >= sizeof spaces; count -= (uint32_t)sizeof spaces - 1) {
    buffer_append(text, spaces, sizeof spaces - 1);
  }
  buffer_append(text, spaces, count);
}

void pp_put(preprocessor *pp, const token *t) {
  if (pp->failed) {
    return;
  }
  buffer *text = &pp->text;
  bool first = pp->token_count == 0;
  if (first || starts_line(pp, t)) {
    if (!first) {
      buffer_putc(text, '\n');
    }
    put_spaces(text, t->expanded.column - 1);
  } else if (t->space_before || pp_would_glue(&pp->last, t)) {
    buffer_putc(text, ' ');
  }
  uint32_t begin = (uint32_t)text->length;
  buffer_append(text, t->text, t->length);
  if (text->length > LIMIT_OUTPUT_BYTES || pp->token_count >= LIMIT_OUTPUT_TOKENS) {
    (void)pp_fail(pp, t->expanded, "the preprocessed source is too large; do its macros grow without end?");
    return;
  }
  *ARRAY_ADD(pp->tokens, pp->token_count, pp->token_capacity) = (pp_token){
      .kind = (pp_kind)t->kind,
      .begin = begin,
      .end = (uint32_t)text->length,
      .spelled = t->spelled,
      .spelled_length = t->spelled_length,
      .expanded = t->expanded,
      .in_macro_body = t->in_macro_body,
  };
  pp->last = *t;
  pp->fresh_line = false;
}
