/* Tokens, blanks, comments and lines. */
#include "print.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void print_raw(printer *p, const char *text) {
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '\n') {
      p->line++;
      p->column = 1;
    } else {
      p->column++;
    }
  }
  buffer_puts(&p->out, text);
  p->line_start = false;
}

void print_newline(printer *p) {
  print_raw(p, p->define != NULL ? " \\\n" : "\n");
  p->line_start = true;
}

static void indent(printer *p) {
  if (p->line_start) {
    for (int i = 0; i < p->indent; i++) {
      print_raw(p, "  ");
    }
    p->line_start = false;
  }
}

static char last_of(const printer *p) { return p->out.length == 0 ? '\n' : p->out.data[p->out.length - 1]; }

void print_space(printer *p) {
  char last = last_of(p);
  if (!p->line_start && !p->compact && last != ' ' && last != '\n') {
    print_raw(p, " ");
  }
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Whether two tokens need something between them. */
static bool would_join(char last, char first) {
  if (is_word(last) && (is_word(first) || first == '.')) {
    return true;
  }
  if (last == '/' && (first == '*' || first == '/')) {
    return true;
  }
  return strchr("+-&|<>=!*/%^", last) != NULL && last != '\0' && (first == last || first == '=');
}

static void print_oddity(printer *p) {
  static const char *const comments[] = {"/* if (x) { */", "/* } else ( */", "/**/", "/* ? : \" ' */",
                                         "/* a\n * for (;;) b */"};
  static const char *const line_comments[] = {"// } else { (\n", "// it's \"odd\" ?\n", "// while (1) { /* \n"};
  p->spent++;
  switch (random_below(&p->random, 6)) {
    case 0:
    case 1:
      print_raw(p, comments[random_below(&p->random, 5)]);
      break;
    case 2:
      if (p->define == NULL) {
        print_raw(p, " ");
        print_raw(p, line_comments[random_below(&p->random, 3)]);
      }
      break;
    case 3:
      print_raw(p, " \\\n");
      break;
    case 4:
      print_raw(p, "\t ");
      break;
    default:
      print_raw(p, p->define != NULL ? " \\\n   " : "\n      ");
      break;
  }
}

static void before_token(printer *p, const char *token) {
  indent(p);
  if (would_join(last_of(p), token[0])) {
    print_raw(p, " ");
  }
  if (p->odd && p->spent < 12 && random_chance(&p->random, 4)) {
    print_oddity(p);
    if (would_join(last_of(p), token[0])) {
      print_raw(p, " ");
    }
  }
}

/* Now and then a token goes on after a line splice. */
static void print_spelling(printer *p, const char *token) {
  if (p->odd && p->spent < 12 && strlen(token) > 1 && is_word(token[0]) && random_chance(&p->random, 1)) {
    char first[2] = {token[0], '\0'};
    p->spent++;
    print_raw(p, first);
    print_raw(p, "\\\n");
    token++;
  }
  print_raw(p, token);
}

void print_token(printer *p, const char *token) {
  before_token(p, token);
  print_spelling(p, token);
}

void print_mark(printer *p, const char *token, uint32_t *mark) {
  before_token(p, token);
  *mark = (uint32_t)p->out.length + 1;
  print_spelling(p, token);
}

void print_site(printer *p, const char *token, site *s) {
  before_token(p, token);
  s->line = p->line;
  s->column = p->column;
  s->offset = (uint32_t)p->out.length;
  s->owner = p->define;
  s->printed = p->dropped == 0;
  print_spelling(p, token);
}

void print_directive(printer *p, const char *format, ...) {
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (!p->line_start) {
    print_raw(p, "\n");
  }
  print_raw(p, line);
  print_raw(p, "\n");
  p->line_start = true;
}
