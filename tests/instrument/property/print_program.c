/* A whole program as text: comment, macros, prototypes, functions. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "print.h"

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
  if (kind == HEAD_DEFINITION) {
    print_site(p, f->name, f->site);
  } else {
    print_token(p, kind == HEAD_MACRO ? "p0_" : f->name);
  }
  print_token(p, "(");
  bool first = true;
  if (f->takes_input) {
    print_parameter(p, &first, "__global const uint *", "in");
  }
  if (f->takes_slice) {
    print_parameter(p, &first, "__global uint *", f->kernel ? "out" : "o");
  }
  if (f->kernel) {
    print_parameter(p, &first, "uint", "n");
  }
  if (f->takes_local) {
    print_parameter(p, &first, "__local uint *", "loc");
  }
  for (size_t i = 0; i < f->parameter_count; i++) {
    const variable *v = f->parameters[i];
    print_parameter(p, &first, v->storage == STORE_POINTER ? "__private uint *" : type_name(v->type), v->name);
  }
  if (first && !f->empty_parentheses) {
    print_token(p, "void");
  }
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
  if (random_chance(&p->random, 20)) {
    print_newline(p);
  } else {
    print_space(p);
  }
  print_statement(p, f->body);
  if (!p->line_start) {
    print_newline(p);
  }
}

static void print_defines(printer *p, const tree *program) {
  for (size_t i = 0; i < program->macro_count; i++) {
    print_define(p, program->macros[i]);
  }
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
  for (size_t i = 0; i < program->function_count; i++) {
    print_function(&p, program->functions[i]);
  }
  program->length = p.out.length;
  program->text = buffer_take(&p.out);
}
