/* Statements as text. */
#include <stdio.h>

#include "known.h"
#include "print.h"

static void print_end(printer *p, const char *token) {
  print_token(p, token);
  bool line = p->define == NULL ? !p->compact || random_chance(&p->random, 60) : p->split;
  if (line) {
    print_newline(p);
  } else {
    print_space(p);
  }
}

/* What stands after a head: a block on the same line, or a statement there or on the next line. */
static void print_body(printer *p, const statement *s) {
  bool same_line = s->kind == STATEMENT_BLOCK || p->define != NULL || random_chance(&p->random, 40);
  if (s->kind == STATEMENT_BLOCK && p->define == NULL && random_chance(&p->random, 10)) {
    same_line = false;
  }
  if (same_line) {
    print_space(p);
    print_statement(p, s);
    return;
  }
  print_newline(p);
  p->indent++;
  print_statement(p, s);
  p->indent--;
}

static void print_items(printer *p, const statement *s) {
  for (size_t i = 0; i < s->item_count; i++) {
    print_statement(p, s->items[i]);
    if (!p->line_start && p->define == NULL && !p->compact) {
      print_newline(p);
    }
  }
}

/* `tail`: what follows the brace on its line, such as `while`; else a new line. */
static void print_block(printer *p, const statement *s, bool tail) {
  print_token(p, "{");
  if (p->define == NULL || p->split) {
    print_newline(p);
  } else {
    print_space(p);
  }
  p->indent++;
  print_items(p, s);
  p->indent--;
  print_token(p, "}");
  if (tail || p->define != NULL) {
    print_space(p);
  } else {
    print_newline(p);
  }
}

static void print_condition(printer *p, expression *e) {
  print_space(p);
  print_token(p, "(");
  print_expression(p, e, PRECEDENCE_COMMA);
  print_token(p, ")");
}

static void print_else(printer *p, const statement *otherwise) {
  print_token(p, "else");
  print_body(p, otherwise);
}

static bool is_hole(const statement *s) { return s != NULL && s->kind == STATEMENT_HOLE; }

static void print_if(printer *p, const statement *s) {
  print_site(p, "if", s->site);
  print_condition(p, s->condition);
  if (is_hole(s->body)) {
    return;
  }
  if (s->body->kind == STATEMENT_BLOCK && s->otherwise != NULL && random_chance(&p->random, 70)) {
    print_space(p);
    print_block(p, s->body, true);
  } else {
    print_body(p, s->body);
  }
  if (s->otherwise != NULL) {
    print_else(p, s->otherwise);
  }
}

static void print_loop_body(printer *p, const statement *s) {
  if (!is_hole(s->body)) {
    print_body(p, s->body);
  }
}

void print_declaration(printer *p, const statement *s) {
  print_token(p, type_name(s->variables[0]->type));
  for (size_t i = 0; i < s->variable_count; i++) {
    char length[16];
    print_token(p, i > 0 ? "," : "");
    print_token(p, s->variables[i]->name);
    if (s->variables[i]->length > 0) {
      (void)snprintf(length, sizeof length, "[%u]", s->variables[i]->length);
      print_token(p, length);
      print_token(p, "= {0}");
      continue;
    }
    print_space(p);
    print_token(p, "=");
    print_space(p);
    print_expression(p, s->values[i], PRECEDENCE_ASSIGN);
  }
}

static void print_for(printer *p, const statement *s) {
  if (s->unroll) {
    print_directive(p, random_chance(&p->random, 50) ? "#pragma unroll" : "#pragma unroll 2");
  }
  print_site(p, "for", s->site);
  print_space(p);
  print_token(p, "(");
  if (s->init != NULL && s->init->kind == STATEMENT_DECLARE) {
    print_declaration(p, s->init);
  } else if (s->init != NULL) {
    print_expression(p, s->init->condition, PRECEDENCE_COMMA);
  }
  print_token(p, ";");
  if (s->condition != NULL) {
    print_space(p);
    print_expression(p, s->condition, PRECEDENCE_COMMA);
  }
  print_token(p, ";");
  if (s->step != NULL) {
    print_space(p);
    print_expression(p, s->step, PRECEDENCE_COMMA);
  }
  print_token(p, ")");
  print_loop_body(p, s);
}

static void print_do(printer *p, const statement *s) {
  if (s->site != NULL) {
    print_site(p, "do", s->site);
  } else {
    print_token(p, "do");
  }
  if (s->body->kind == STATEMENT_BLOCK) {
    print_space(p);
    print_block(p, s->body, true);
  } else {
    print_body(p, s->body);
  }
  print_token(p, "while");
  print_condition(p, s->condition);
  if (random_chance(&p->random, 20)) {
    print_raw(p, " ");
  }
  if (p->define != NULL && p->define->semicolon && p->define->body == s) {
    return; /* the `;` stands after the use */
  }
  print_end(p, ";");
}

static void print_switch(printer *p, const statement *s) {
  print_site(p, "switch", s->site);
  print_condition(p, s->condition);
  print_body(p, s->body);
}

static void print_case(printer *p, const statement *s) {
  char text[48];
  if (s->kind == STATEMENT_DEFAULT) {
    print_token(p, "default");
  } else if (s->text != NULL) {
    (void)snprintf(text, sizeof text, "case %s", s->text);
    print_token(p, text);
  } else if (s->first == s->last) {
    (void)snprintf(text, sizeof text, "case %u%s", s->first, s->first % 3 == 1 ? "u" : "");
    print_token(p, text);
  } else {
    (void)snprintf(text, sizeof text, "case %u ... %u", s->first, s->last);
    print_token(p, text);
  }
  print_token(p, ":");
  if (p->define == NULL && random_chance(&p->random, 50)) {
    print_newline(p);
  } else {
    print_space(p);
  }
}

static void print_jump(printer *p, const statement *s) {
  char text[24];
  switch (s->kind) {
    case STATEMENT_BREAK:
      print_end(p, "break;");
      break;
    case STATEMENT_CONTINUE:
      print_end(p, "continue;");
      break;
    case STATEMENT_GOTO:
      (void)snprintf(text, sizeof text, "goto L%u;", s->number);
      print_end(p, text);
      break;
    case STATEMENT_LABEL:
      (void)snprintf(text, sizeof text, "L%u:", s->number);
      print_token(p, text);
      print_space(p);
      break;
    default:
      print_token(p, "return");
      if (s->condition != NULL) {
        print_space(p);
        print_raw(p, p->compact && !GENERATE_RETURN_WITHOUT_BLANK ? " " : "");
        print_expression(p, s->condition, PRECEDENCE_COMMA);
      }
      print_end(p, ";");
      break;
  }
}

static void print_macro(printer *p, const statement *s) {
  print_macro_used(p, s->macro);
  print_token(p, s->macro->name);
  print_macro_arguments(p, s->macro, s->arguments, s->argument_count);
  if (s->holes[0] != NULL) {
    print_body(p, s->holes[0]);
    if (s->holes[1] != NULL) {
      print_else(p, s->holes[1]);
    }
  } else if (s->macro->semicolon) {
    print_end(p, ";");
  } else if (p->define == NULL) {
    print_newline(p);
  }
}

static void print_choice(printer *p, const statement *s) {
  print_directive(p, "%s", s->text);
  for (int part = 0; part < 2; part++) {
    bool kept = s->first_kept == (part == 0);
    const statement *which = part == 0 ? s->body : s->otherwise;
    p->dropped += kept ? 0 : 1;
    if (which != NULL) {
      print_statement(p, which);
    }
    p->dropped -= kept ? 0 : 1;
    if (part == 0 && s->otherwise != NULL) {
      print_directive(p, "#else");
    }
  }
  print_directive(p, "#endif");
}

static void print_prologue(printer *p, const statement *s) {
  if (s->text != NULL) {
    print_token(p, s->text);
    print_newline(p);
  }
  print_token(p,
              "uint id = (uint)(((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - "
              "get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0));");
  print_newline(p);
  print_token(p, "__global uint *o = out + id * 8u;");
  print_newline(p);
}

void print_statement(printer *p, const statement *s) {
  switch (s->kind) {
    case STATEMENT_EXPRESSION:
      print_expression(p, s->condition, PRECEDENCE_COMMA);
      if (p->define == NULL || !p->define->semicolon || p->define->body != s) {
        print_end(p, ";");
      }
      break;
    case STATEMENT_DECLARE:
      print_declaration(p, s);
      print_end(p, ";");
      break;
    case STATEMENT_BLOCK:
      print_block(p, s, false);
      break;
    case STATEMENT_SEQUENCE:
      print_items(p, s);
      break;
    case STATEMENT_IF:
      print_if(p, s);
      break;
    case STATEMENT_FOR:
      print_for(p, s);
      break;
    case STATEMENT_WHILE:
      print_site(p, "while", s->site);
      print_condition(p, s->condition);
      print_loop_body(p, s);
      break;
    case STATEMENT_DO:
      print_do(p, s);
      break;
    case STATEMENT_SWITCH:
      print_switch(p, s);
      break;
    case STATEMENT_CASE:
    case STATEMENT_DEFAULT:
      print_case(p, s);
      break;
    case STATEMENT_MACRO:
      print_macro(p, s);
      break;
    case STATEMENT_CHOICE:
      print_choice(p, s);
      break;
    case STATEMENT_EMPTY:
      print_end(p, ";");
      break;
    case STATEMENT_PROLOGUE:
      print_prologue(p, s);
      break;
    case STATEMENT_HOLE:
      break;
    default:
      print_jump(p, s);
      break;
  }
}
