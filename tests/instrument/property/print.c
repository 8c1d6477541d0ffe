/* Tokens, blanks, comments and lines. */
#include "print.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "random.h"
#include "tests/instrument/property/print.h"
#include "tree.h"

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
    for (int i = 0; i < p->indent; i++) print_raw(p, "  ");
    p->line_start = false;
  }
}

static char last_of(const printer *p) { return p->out.length == 0 ? '\n' : p->out.data[p->out.length - 1]; }

void print_space(printer *p) {
  char last = last_of(p);
  if (!p->line_start && !p->compact && last != ' ' && last != '\n') print_raw(p, " ");
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Whether two tokens need something between them. */
static bool would_join(char last, char first) {
  if (is_word(last) && (is_word(first) || first == '.')) return true;
  if (last == '/' && (first == '*' || first == '/')) return true;
  return strchr("+-&|<>=!*/%^", last) != NULL && last != '\0' && (first == last || first == '=');
}

static void print_oddity(printer *p) {
  static const char *const comments[] = {"/* if (x) { */", "/* } else ( */", "/**/", "/* ? : \" ' */",
                                         "/* a\n * for (;;) b */"};
  static const char *const line_comments[] = {"// } else { (\n", "// it's \"odd\" ?\n", "// while (1) { /* \n"};
  p->spent++;
  switch (random_below(&p->random, 6)) {
    case 0:
    case 1: print_raw(p, comments[random_below(&p->random, 5)]); break;
    case 2:
      if (p->define == NULL) {
        print_raw(p, " ");
        print_raw(p, line_comments[random_below(&p->random, 3)]);
      }
      break;
    case 3: print_raw(p, " \\\n"); break;
    case 4: print_raw(p, "\t "); break;
    default: print_raw(p, p->define != NULL ? " \\\n   " : "\n      "); break;
  }
}

static void before_token(printer *p, const char *token) {
  indent(p);
  if (would_join(last_of(p), token[0])) print_raw(p, " ");
  if (p->odd && p->spent < 12 && random_chance(&p->random, 4)) {
    print_oddity(p);
    if (would_join(last_of(p), token[0])) print_raw(p, " ");
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
  if (!p->line_start) print_raw(p, "\n");
  print_raw(p, line);
  print_raw(p, "\n");
  p->line_start = true;
}

/* A whole program as text: comment, macros, prototypes, functions. */

static void print_parameter(printer *p, bool *first, const char *type, const char *name) {
  if (!*first) {
    print_token(p, ",");
    print_space(p);
  }
  *first = false;
  print_token(p, type);
  print_token(p, name);
}

/* Whose head it is: that of a prototype, of a definition, or of a macro that makes functions. */
typedef enum head_kind { HEAD_PROTOTYPE, HEAD_DEFINITION, HEAD_MACRO } head_kind;

static void print_head(printer *p, const function *f, head_kind kind) {
  print_token(p, f->head);
  print_space(p);
  if (kind == HEAD_DEFINITION)
    print_site(p, f->name, f->site);
  else
    print_token(p, kind == HEAD_MACRO ? "p0_" : f->name);
  print_token(p, "(");
  bool first = true;
  if (f->takes_input) print_parameter(p, &first, "__global const uint *", "in");
  if (f->takes_slice) print_parameter(p, &first, "__global uint *", f->kernel ? "out" : "o");
  if (f->kernel) print_parameter(p, &first, "uint", "n");
  if (f->takes_local) print_parameter(p, &first, "__local uint *", "loc");
  for (size_t i = 0; i < f->parameter_count; i++) {
    const variable *v = f->parameters[i];
    print_parameter(p, &first, v->storage == STORE_POINTER ? "__private uint *" : type_name(v->type), v->name);
  }
  if (first && !f->empty_parentheses) print_token(p, "void");
  print_token(p, ")");
}

static void print_define(printer *p, macro *m) {
  p->define = m;
  m->use_count = 0;
  print_raw(p, "#define ");
  print_raw(p, m->name);
  if (!m->object) {
    print_raw(p, "(");
    for (size_t i = 0; i < m->parameters; i++) {
      char name[16];
      (void)snprintf(name, sizeof name, "%sp%u_", i > 0 ? ", " : "", (unsigned)i);
      print_raw(p, name);
    }
    print_raw(p, ")");
  }
  print_raw(p, " ");
  p->split = random_chance(&p->random, 30);
  if (m->made != NULL) {
    print_head(p, m->made, HEAD_MACRO);
    print_space(p);
    print_statement(p, m->made->body);
  } else if (m->value != NULL) {
    print_token(p, m->bare ? "" : "(");
    print_expression(p, m->value, PRECEDENCE_COMMA);
    print_token(p, m->bare ? "" : ")");
  } else {
    print_statement(p, m->body);
  }
  /* a line that ended with a splice goes on as an empty one */
  p->define = NULL;
  print_raw(p, "\n");
  p->line_start = true;
}

static void print_function(printer *p, const function *f) {
  if (f->maker != NULL) {
    print_macro_used(p, f->maker);
    print_token(p, f->maker->name);
    print_token(p, "(");
    print_site(p, f->name, f->site);
    print_token(p, ")");
    print_newline(p);
    return;
  }
  print_head(p, f, HEAD_DEFINITION);
  if (random_chance(&p->random, 20))
    print_newline(p);
  else
    print_space(p);
  print_statement(p, f->body);
  if (!p->line_start) print_newline(p);
}

static void print_defines(printer *p, const tree *program) {
  for (size_t i = 0; i < program->macro_count; i++) print_define(p, program->macros[i]);
}

void print_program(tree *program) {
  printer p = {.p = program, .line = 1, .column = 1, .line_start = true};
  p.random.at = program->seed * 31 + 7;
  uint32_t style = random_below(&p.random, 10);
  p.odd = style < 4;
  p.compact = style == 9;
  char comment[64];
  (void)snprintf(comment, sizeof comment, "/* seed %" PRIu64 " */\n", program->seed);
  print_raw(&p, comment);
  print_raw(&p, "#define LIMIT 4u\n#define FEATURE\n");
  p.line_start = true;
  print_defines(&p, program);
  for (size_t i = 0; i < program->function_count; i++) {
    if (program->functions[i]->prototype) {
      print_head(&p, program->functions[i], HEAD_PROTOTYPE);
      print_token(&p, ";");
      print_newline(&p);
    }
  }
  for (size_t i = 0; i < program->function_count; i++) print_function(&p, program->functions[i]);
  program->length = p.out.length;
  program->text = buffer_take(&p.out);
}
