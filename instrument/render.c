/* Writing a unit's tokens with the edits applied; lines keep the numbers they have in the user's files. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "instrument/rewrite.h"

enum { MAX_PADDING = 10 };

typedef struct renderer {
  const program *p;
  const unit *u;
  const edits *edits;
  enum edit_mode mode;
  buffer out;
  size_t counted;      /* bytes of `out` whose newlines are in `line` */
  uint32_t file, line; /* where the output claims to be */
} renderer;

static void count_lines(renderer *r) {
  for (; r->counted < r->out.length; r->counted++) {
    r->line += r->out.data[r->counted] == '\n' ? 1 : 0;
  }
}

/* At the start of a line: makes it have the number that its first token has for the user. */
static void synchronise(renderer *r, const pp_position *where) {
  count_lines(r);
  if (r->file == where->file && where->line >= r->line && where->line - r->line <= MAX_PADDING) {
    while (r->line < where->line) {
      buffer_putc(&r->out, '\n');
      count_lines(r);
    }
    return;
  }
  buffer_printf(&r->out, "#line %u \"", (unsigned)where->line);
  for (const char *c = r->u->text.files[where->file].name; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\') {
      buffer_putc(&r->out, '\\');
    }
    buffer_putc(&r->out, *c);
  }
  buffer_puts(&r->out, "\"\n");
  r->counted = r->out.length;
  r->file = where->file;
  r->line = where->line;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Writes the edits of one place; returns whether there were any. */
static bool write_edits(renderer *r, uint32_t token, enum edit_place place) {
  bool any = false;
  for (size_t i = edit_find(r->edits, token, place);
       i < r->edits->count && r->edits->items[i].token == token && r->edits->items[i].place == place; i++) {
    if ((r->edits->items[i].mode & r->mode) != 0) {
      const char *text = r->edits->items[i].text;
      if (place == EDIT_BEFORE && r->out.length > 0 && is_word(r->out.data[r->out.length - 1]) && is_word(text[0])) {
        buffer_putc(&r->out, ' '); /* `return(a) ? b : c` */
      }
      buffer_puts(&r->out, text);
      any = true;
    }
  }
  return any;
}

static void write_space(renderer *r, uint32_t token) {
  const pp_result *text = &r->u->text;
  uint32_t from = token == 0 ? 0 : text->tokens[token - 1].end;
  uint32_t to = text->tokens[token].begin;
  const char *newline = memrchr(text->text + from, '\n', to - from);
  if (token == 0) {
    synchronise(r, &text->tokens[token].expanded);
  }
  if (newline == NULL) {
    buffer_append(&r->out, text->text + from, to - from);
    return;
  }
  buffer_putc(&r->out, '\n');
  synchronise(r, &text->tokens[token].expanded);
  buffer_append(&r->out, newline + 1, (size_t)(text->text + to - newline - 1));
}

static void write_token(renderer *r, uint32_t token) {
  const pp_result *text = &r->u->text;
  const pp_token *t = &text->tokens[token];
  write_space(r, token);
  if (write_edits(r, token, EDIT_BEFORE) && t->kind == PP_PRAGMA) {
    buffer_putc(&r->out, '\n');
  }
  if (!write_edits(r, token, EDIT_REPLACE)) {
    buffer_append(&r->out, text->text + t->begin, t->end - t->begin);
  }
  if (t->kind == PP_PRAGMA) {
    buffer_putc(&r->out, '\n');
  }
  if (!write_edits(r, token, EDIT_AFTER) && t->kind == PP_PRAGMA) {
    r->out.data[--r->out.length] = '\0'; /* the text goes on with a new line by itself */
  }
}

/* The callable twin of a kernel, or its prototype. */
static void write_twin(renderer *r, const front_function *front) {
  r->mode = EDIT_TWIN;
  buffer_putc(&r->out, '\n');
  for (uint32_t t = front->first; t <= front->end; t++) {
    write_token(r, t);
  }
  buffer_puts(&r->out, front->body == NO_TOKEN ? ";\n" : "\n");
  r->mode = EDIT_PLAIN;
}

static void write_twins_behind(renderer *r, uint32_t token) {
  for (size_t i = 0; i < r->u->facts.function_count; i++) {
    const front_function *front = &r->u->facts.functions[i];
    uint32_t last = front->body == NO_TOKEN ? front->end + 1 : front->end;
    if (front->kernel && last == token) {
      const function *f = defined_elsewhere(r->p, front);
      if (f != NULL && f->called) {
        write_twin(r, front);
      }
    }
  }
}

char *rewrite_unit(const program *p, uint32_t unit_index) {
  edits e = {0};
  collect_edits(p, unit_index, &e);
  renderer r = {.p = p, .u = &p->units[unit_index], .edits = &e, .mode = EDIT_PLAIN, .file = NONE};
  emit_preamble(p, &r.out);
  for (uint32_t t = 0; t < r.u->text.token_count; t++) {
    write_token(&r, t);
    write_twins_behind(&r, t);
  }
  buffer_putc(&r.out, '\n');
  for (uint32_t k = 0; k < p->kernel_count; k++) {
    if (p->functions[p->kernel_functions[k]].unit == unit_index) {
      emit_judge(p, k, &r.out);
    }
  }
  edit_free(&e);
  return buffer_take(&r.out);
}
