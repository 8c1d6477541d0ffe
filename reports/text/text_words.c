/* Words and figures of the text report: styles, columns, lines that wrap, names. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/utf8.h"
#include "reports/text/text.h"

/* --- styles ------------------------------------------------------------------------------------------------- */

static const char *const styles[] = {
    [STYLE_BOLD] = "\033[1m", [STYLE_GREEN] = "\033[32m", [STYLE_YELLOW] = "\033[33m",
    [STYLE_RED] = "\033[31m", [STYLE_DIM] = "\033[2m",
};

void text_styled(text *t, text_style style, const char *s) {
  if (t->options->colour) {
    buffer_printf(&t->out, "%s%s\033[0m", styles[style], s);
  } else {
    buffer_puts(&t->out, s);
  }
}

void text_heading(text *t, const char *s) {
  text_styled(t, STYLE_BOLD, s);
  buffer_putc(&t->out, '\n');
}

void text_section(text *t, const char *s) {
  buffer_putc(&t->out, '\n');
  text_heading(t, s);
}

void text_name(buffer *to, const char *s) { utf8_line(to, s, strlen(s)); }

void text_pad(text *t, size_t count) {
  for (size_t i = 0; i < count; i++) {
    buffer_putc(&t->out, ' ');
  }
}

void text_again(text *t, size_t indent, const char *command, int64_t id) {
  text_pad(t, indent);
  buffer_printf(&t->out, "again: cltestcheck %s --replay %" PRId64, command, id);
  if (t->options->database != NULL) {
    buffer_puts(&t->out, " --db ");
    text_name(&t->out, t->options->database);
  }
  buffer_putc(&t->out, '\n');
}

void text_right(text *t, size_t columns, const char *s) {
  size_t width = utf8_columns(s);
  text_pad(t, width < columns ? columns - width : 0);
  buffer_puts(&t->out, s);
}

void text_wrapped(text *t, size_t column, size_t indent, const char *s) {
  buffer clean = {0};
  text_name(&clean, s);
  size_t at = column;
  bool first = true; /* of its line */
  for (const char *word = strtok(clean.data == NULL ? (char[]){""} : clean.data, " "); word != NULL;
       word = strtok(NULL, " ")) {
    size_t width = utf8_columns(word);
    if (at + (first ? 0 : 1) + width > t->width && at > indent) {
      buffer_putc(&t->out, '\n');
      text_pad(t, indent);
      at = indent;
      first = true;
    }
    buffer_puts(&t->out, first ? "" : " ");
    buffer_puts(&t->out, word);
    at += width + (first ? 0 : 1);
    first = false;
  }
  buffer_putc(&t->out, '\n');
  buffer_free(&clean);
}

/* --- figures ------------------------------------------------------------------------------------------------ */

void text_percentage(text *t, size_t columns, const ratio *r) {
  if (r->total == 0) {
    text_right(t, columns, "n/a");
    return;
  }
  unsigned thousandths = ratio_thousandths(r);
  char number[48];
  int length = snprintf(number, sizeof number, "%u.%u %%", thousandths / 10, thousandths % 10);
  text_pad(t, (size_t)length < columns ? columns - (size_t)length : 0);
  text_styled(t, thousandths >= 900 ? STYLE_GREEN : thousandths >= 500 ? STYLE_YELLOW : STYLE_RED, number);
}

void text_rule(text *t) {
  for (size_t i = 0; i < t->width; i++) {
    buffer_putc(&t->out, '-');
  }
  buffer_putc(&t->out, '\n');
}

void text_left(text *t, size_t width, const char *s) {
  buffer cut = {0};
  utf8_shorten(&cut, s, width);
  buffer_puts(&t->out, buffer_text(&cut));
  text_pad(t, width - utf8_columns(buffer_text(&cut)));
  buffer_free(&cut);
}

/* --- names -------------------------------------------------------------------------------------------------- */

void text_kernel_label(const text *t, const view_kernel *k, buffer *to) {
  const view *v = t->v;
  text_name(to, k->name);
  for (size_t i = 0; i < v->kernel_count; i++) {
    if (&v->kernels[i] != k && strcmp(v->kernels[i].name, k->name) == 0) {
      const model_function *f = &v->functions[k->function];
      buffer_puts(to, " (");
      text_name(to, path_end(v->files[f->file].name));
      buffer_printf(to, ":%u)", f->line);
      return;
    }
  }
}
