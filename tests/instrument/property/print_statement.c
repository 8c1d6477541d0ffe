/* Statements as text. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "known.h"
#include "print.h"

/* Expressions as text: parentheses where C needs them, and now and then where it does not. */

static const struct {
  const char *text;
  int precedence;
} operators[] = {[OP_NONE] = {"=", PRECEDENCE_ASSIGN},
                 [OP_ADD] = {"+", 12},
                 [OP_SUB] = {"-", 12},
                 [OP_MUL] = {"*", 13},
                 [OP_DIV] = {"/", 13},
                 [OP_REM] = {"%", 13},
                 [OP_AND] = {"&", 8},
                 [OP_OR] = {"|", 6},
                 [OP_XOR] = {"^", 7},
                 [OP_SHL] = {"<<", 11},
                 [OP_SHR] = {">>", 11},
                 [OP_LT] = {"<", 10},
                 [OP_GT] = {">", 10},
                 [OP_LE] = {"<=", 10},
                 [OP_GE] = {">=", 10},
                 [OP_EQ] = {"==", 9},
                 [OP_NE] = {"!=", 9},
                 [OP_LAND] = {"&&", 5},
                 [OP_LOR] = {"||", 4},
                 [OP_NEG] = {"-", PRECEDENCE_UNARY},
                 [OP_NOT] = {"~", PRECEDENCE_UNARY},
                 [OP_LNOT] = {"!", PRECEDENCE_UNARY},
                 [OP_INC] = {"++", PRECEDENCE_UNARY},
                 [OP_DEC] = {"--", PRECEDENCE_UNARY}};

enum { CONDITIONAL = 3, LOGICAL_OR = 4, LOGICAL_AND = 5 };

static int precedence_of(const expression *e) {
  switch (e->kind) {
    case EXPRESSION_COMMA: return PRECEDENCE_COMMA;
    case EXPRESSION_ASSIGN: return PRECEDENCE_ASSIGN;
    case EXPRESSION_CONDITIONAL: return CONDITIONAL;
    case EXPRESSION_OR: return LOGICAL_OR;
    case EXPRESSION_AND: return LOGICAL_AND;
    case EXPRESSION_BINARY:
    case EXPRESSION_UNARY: return operators[e->op].precedence;
    case EXPRESSION_STEP: return e->number == 1 ? PRECEDENCE_POSTFIX : PRECEDENCE_UNARY;
    case EXPRESSION_CAST:
    case EXPRESSION_ADDRESS: return PRECEDENCE_UNARY;
    case EXPRESSION_MACRO: return e->macro->bare ? precedence_of(e->macro->value) : PRECEDENCE_POSTFIX + 1;
    default: return PRECEDENCE_POSTFIX + 1;
  }
}

static void print_operator(printer *p, const char *text, uint32_t *mark) {
  print_space(p);
  print_mark(p, text, mark);
  print_space(p);
}

static void print_infix(printer *p, expression *e, const char *text, int precedence) {
  print_expression(p, e->operands[0], precedence);
  print_operator(p, text, &e->mark);
  print_expression(p, e->operands[1], precedence + 1);
}

static void print_assignment(printer *p, expression *e) {
  print_expression(p, e->operands[0], PRECEDENCE_POSTFIX);
  char text[4];
  (void)snprintf(text, sizeof text, "%s%s", e->op == OP_NONE ? "" : operators[e->op].text, "=");
  print_operator(p, text, &e->mark);
  print_expression(p, e->operands[1], PRECEDENCE_ASSIGN);
}

static void print_conditional(printer *p, expression *e) {
  uint32_t colon = 0;
  print_expression(p, e->operands[0], CONDITIONAL + 1);
  print_space(p);
  print_site(p, "?", e->site);
  e->mark = e->site->offset + 1;
  print_space(p);
  bool commas = p->define == NULL && p->arguments == 0; /* a comma would begin the next argument of a macro */
  print_expression(p, e->operands[1], commas ? PRECEDENCE_COMMA : PRECEDENCE_ASSIGN);
  print_operator(p, ":", &colon);
  print_expression(p, e->operands[2], CONDITIONAL);
}

static void print_arguments(printer *p, expression *const *arguments, size_t count) {
  print_token(p, "(");
  for (size_t i = 0; i < count; i++) {
    if (i > 0) {
      print_token(p, ",");
      print_space(p);
    }
    print_expression(p, arguments[i], PRECEDENCE_ASSIGN);
  }
  print_token(p, ")");
}

/* An argument that the macro does not use is gone once the preprocessor has run. */
static void print_macro_arguments(printer *p, const macro *m, expression *const *arguments, size_t count) {
  if (m->object) return;
  print_token(p, "(");
  p->arguments++;
  for (size_t i = 0; i < count; i++) {
    int dropped = (m->used_parameters >> i & 1u) == 0 ? 1 : 0;
    p->dropped += dropped;
    print_token(p, i > 0 ? "," : "");
    print_space(p);
    print_expression(p, arguments[i], PRECEDENCE_ASSIGN);
    p->dropped -= dropped;
  }
  p->arguments--;
  print_token(p, ")");
}

void print_macro_used(printer *p, macro *m) {
  if (p->dropped > 0) return;
  if (p->define != NULL) {
    for (size_t i = 0; i < p->define->use_count; i++)
      if (p->define->uses[i] == m) return;
    p->define->uses[p->define->use_count++] = m;
    return;
  }
  if (m->used) return;
  m->used = true;
  for (size_t i = 0; i < m->use_count; i++) print_macro_used(p, m->uses[i]);
}

static void print_call(printer *p, expression *e) {
  const function *f = e->function;
  print_mark(p, f->name, &e->mark);
  print_token(p, "(");
  const char *own[4] = {f->takes_input ? "in" : NULL, f->takes_slice ? (f->kernel ? "out" : "o") : NULL,
                        f->kernel ? "n" : NULL, f->takes_local ? "loc" : NULL};
  bool first = true;
  for (size_t i = 0; i < 4; i++) {
    if (own[i] != NULL) {
      print_token(p, first ? "" : ",");
      print_token(p, own[i]);
      first = false;
    }
  }
  for (size_t i = 0; i < e->operand_count; i++) {
    print_token(p, first ? "" : ",");
    print_space(p);
    print_expression(p, e->operands[i], PRECEDENCE_ASSIGN);
    first = false;
  }
  print_token(p, ")");
}

/* A name stands for what its definition has. */
static void print_constant(printer *p, expression *e) {
  char text[24];
  const char *format = e->type == TYPE_INT ? "%d" : e->number % 16 == 10 ? "0x%xu" : "%uu";
  (void)snprintf(text, sizeof text, format, e->number);
  print_mark(p, e->name != NULL ? e->name : text, &e->mark);
  if (e->name != NULL) {
    char define[48];
    (void)snprintf(define, sizeof define, "#define %s ", e->name);
    const char *at = strstr(buffer_text(&p->out), define);
    e->mark = at == NULL ? 0 : (uint32_t)(at - buffer_text(&p->out) + (ptrdiff_t)strlen(define)) + 1;
  }
}

static void print_element(printer *p, expression *e) {
  print_token(p, e->variable->name);
  print_mark(p, "[", &e->mark);
  print_expression(p, e->operands[0], e->masked ? 9 : PRECEDENCE_COMMA);
  if (e->masked) {
    char mask[16];
    (void)snprintf(mask, sizeof mask, "%uu", e->variable->length - 1);
    uint32_t mark = 0;
    print_operator(p, "&", &mark);
    print_token(p, mask);
  }
  print_token(p, "]");
}

static void print_id(printer *p, expression *e) {
  static const char *const names[] = {"get_global_id", "get_local_id", "get_group_id", "get_local_size",
                                      "get_num_groups"};
  char dimension[4];
  (void)snprintf(dimension, sizeof dimension, "%u", e->number);
  print_mark(p, "(uint)", &e->mark);
  print_token(p, names[e->op]);
  print_token(p, "(");
  print_token(p, dimension);
  print_token(p, ")");
}

static void print_cast(printer *p, expression *e) {
  print_mark(p, "(", &e->mark);
  print_token(p, type_name(e->type));
  print_token(p, ")");
  if (is_vector(e->type))
    print_arguments(p, e->operands, e->operand_count);
  else
    print_expression(p, e->operands[0], PRECEDENCE_UNARY);
}

/* `operator`: where in the text before or after the operand it stands. */
static void print_around(printer *p, expression *e, const char *before, const char *after, const char *operator) {
  uint32_t begin = 0;
  uint32_t end = 0;
  print_mark(p, before, &begin);
  print_expression(p, e->operands[0], PRECEDENCE_POSTFIX + 1);
  print_mark(p, after, &end);
  const char *at = strstr(before, operator);
  e->mark = at != NULL ? begin + (uint32_t)(at - before) : end;
}

static void print_barrier(printer *p, const expression *e) {
  static const char *const flags[] = {"CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"};
  print_site(p, e->number >= 2 ? "work_group_barrier" : "barrier", e->site);
  print_token(p, "(");
  print_token(p, flags[e->number % 2]);
  print_token(p, ")");
}

static void print_step(printer *p, expression *e) {
  if (e->number == 0) print_mark(p, operators[e->op].text, &e->mark);
  print_expression(p, e->operands[0], PRECEDENCE_POSTFIX);
  if (e->number == 1) print_mark(p, operators[e->op].text, &e->mark);
}

static void print_variable(printer *p, expression *e) {
  if (e->variable->storage == STORE_POINTER) {
    print_mark(p, "(*", &e->mark);
    e->mark++; /* the parenthesis is none of it */
    print_token(p, e->variable->name);
  } else {
    print_mark(p, e->variable->name, &e->mark);
  }
}

static void print_primary(printer *p, expression *e) {
  char text[24];
  switch (e->kind) {
    case EXPRESSION_CONSTANT: print_constant(p, e); break;
    case EXPRESSION_VARIABLE:
      print_variable(p, e);
      print_token(p, e->variable->storage == STORE_POINTER ? ")" : "");
      break;
    case EXPRESSION_ADDRESS:
      print_token(p, e->variable->storage == STORE_POINTER ? "" : "&");
      print_token(p, e->variable->name);
      break;
    case EXPRESSION_ELEMENT: print_element(p, e); break;
    case EXPRESSION_COMPONENT:
      print_expression(p, e->operands[0], PRECEDENCE_POSTFIX);
      (void)snprintf(text, sizeof text, ".%c", "xyzw"[e->number]);
      print_mark(p, text, &e->mark);
      break;
    case EXPRESSION_CALL: print_call(p, e); break;
    case EXPRESSION_MACRO:
      print_macro_used(p, e->macro);
      print_token(p, e->macro->name);
      print_macro_arguments(p, e->macro, e->operands, e->operand_count);
      break;
    case EXPRESSION_PARAMETER:
      p->define->used_parameters |= p->dropped == 0 ? 1u << e->number : 0u;
      (void)snprintf(text, sizeof text, "p%u_", e->number);
      print_token(p, text);
      break;
    default: break;
  }
}

static void print_other(printer *p, expression *e) {
  char text[32];
  switch (e->kind) {
    case EXPRESSION_ID: print_id(p, e); break;
    case EXPRESSION_UNARY:
      print_mark(p, operators[e->op].text, &e->mark);
      print_expression(p, e->operands[0], PRECEDENCE_UNARY);
      break;
    case EXPRESSION_STEP: print_step(p, e); break;
    case EXPRESSION_CAST:
    case EXPRESSION_VECTOR: print_cast(p, e); break;
    case EXPRESSION_AS:
      (void)snprintf(text, sizeof text, "as_%s(", type_name(e->type));
      print_token(p, text);
      print_expression(p, e->operands[0], PRECEDENCE_ASSIGN);
      print_token(p, ")");
      break;
    case EXPRESSION_WIDE: print_around(p, e, "((ulong)", "<< 32)", "<<"); break;
    case EXPRESSION_FRACTION: print_around(p, e, "(0.5f * (float)(", "& 1u))", "*"); break;
    case EXPRESSION_BARRIER: print_barrier(p, e); break;
    default: print_primary(p, e); break;
  }
}

static void print_bare(printer *p, expression *e) {
  switch (e->kind) {
    case EXPRESSION_BINARY: print_infix(p, e, operators[e->op].text, operators[e->op].precedence); break;
    case EXPRESSION_AND: print_infix(p, e, "&&", LOGICAL_AND); break;
    case EXPRESSION_OR: print_infix(p, e, "||", LOGICAL_OR); break;
    case EXPRESSION_CONDITIONAL: print_conditional(p, e); break;
    case EXPRESSION_COMMA:
      print_expression(p, e->operands[0], PRECEDENCE_COMMA);
      print_mark(p, ",", &e->mark);
      print_space(p);
      print_expression(p, e->operands[1], PRECEDENCE_ASSIGN);
      break;
    case EXPRESSION_ASSIGN: print_assignment(p, e); break;
    default: print_other(p, e); break;
  }
}

void print_expression(printer *p, expression *e, int lowest) {
  bool parentheses =
      precedence_of(e) < lowest || (precedence_of(e) <= PRECEDENCE_POSTFIX && random_chance(&p->random, 8));
  /* a parameter of a macro stands for any expression */
  parentheses = parentheses || (e->kind == EXPRESSION_PARAMETER && lowest > PRECEDENCE_ASSIGN);
  if (parentheses) print_token(p, "(");
  print_bare(p, e);
  if (parentheses) print_token(p, ")");
}

static void print_end(printer *p, const char *token) {
  print_token(p, token);
  bool line = p->define == NULL ? !p->compact || random_chance(&p->random, 60) : p->split;
  if (line)
    print_newline(p);
  else
    print_space(p);
}

/* What stands after a head: a block on the same line, or a statement there or on the next line. */
static void print_body(printer *p, const statement *s) {
  bool same_line = s->kind == STATEMENT_BLOCK || p->define != NULL || random_chance(&p->random, 40);
  if (s->kind == STATEMENT_BLOCK && p->define == NULL && random_chance(&p->random, 10)) same_line = false;
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
    if (!p->line_start && p->define == NULL && !p->compact) print_newline(p);
  }
}

/* `tail`: what follows the brace on its line, such as `while`; else a new line. */
static void print_block(printer *p, const statement *s, bool tail) {
  print_token(p, "{");
  if (p->define == NULL || p->split)
    print_newline(p);
  else
    print_space(p);
  p->indent++;
  print_items(p, s);
  p->indent--;
  print_token(p, "}");
  if (tail || p->define != NULL)
    print_space(p);
  else
    print_newline(p);
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
  if (is_hole(s->body)) return;
  if (s->body->kind == STATEMENT_BLOCK && s->otherwise != NULL && random_chance(&p->random, 70)) {
    print_space(p);
    print_block(p, s->body, true);
  } else {
    print_body(p, s->body);
  }
  if (s->otherwise != NULL) print_else(p, s->otherwise);
}

static void print_loop_body(printer *p, const statement *s) {
  if (!is_hole(s->body)) print_body(p, s->body);
}

/* A declaration up to its `;`. */
static void print_declaration(printer *p, const statement *s) {
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
  if (s->unroll) print_directive(p, random_chance(&p->random, 50) ? "#pragma unroll" : "#pragma unroll 2");
  print_site(p, "for", s->site);
  print_space(p);
  print_token(p, "(");
  if (s->init != NULL && s->init->kind == STATEMENT_DECLARE)
    print_declaration(p, s->init);
  else if (s->init != NULL)
    print_expression(p, s->init->condition, PRECEDENCE_COMMA);
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
  if (s->site != NULL)
    print_site(p, "do", s->site);
  else
    print_token(p, "do");
  if (s->body->kind == STATEMENT_BLOCK) {
    print_space(p);
    print_block(p, s->body, true);
  } else {
    print_body(p, s->body);
  }
  print_token(p, "while");
  print_condition(p, s->condition);
  if (random_chance(&p->random, 20)) print_raw(p, " ");
  if (p->define != NULL && p->define->semicolon && p->define->body == s) return; /* the `;` stands after the use */
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
  if (p->define == NULL && random_chance(&p->random, 50))
    print_newline(p);
  else
    print_space(p);
}

static void print_jump(printer *p, const statement *s) {
  char text[24];
  switch (s->kind) {
    case STATEMENT_BREAK: print_end(p, "break;"); break;
    case STATEMENT_CONTINUE: print_end(p, "continue;"); break;
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
    if (s->holes[1] != NULL) print_else(p, s->holes[1]);
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
    if (which != NULL) print_statement(p, which);
    p->dropped -= kept ? 0 : 1;
    if (part == 0 && s->otherwise != NULL) print_directive(p, "#else");
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
      if (p->define == NULL || !p->define->semicolon || p->define->body != s) print_end(p, ";");
      break;
    case STATEMENT_DECLARE:
      print_declaration(p, s);
      print_end(p, ";");
      break;
    case STATEMENT_BLOCK: print_block(p, s, false); break;
    case STATEMENT_SEQUENCE: print_items(p, s); break;
    case STATEMENT_IF: print_if(p, s); break;
    case STATEMENT_FOR: print_for(p, s); break;
    case STATEMENT_WHILE:
      print_site(p, "while", s->site);
      print_condition(p, s->condition);
      print_loop_body(p, s);
      break;
    case STATEMENT_DO: print_do(p, s); break;
    case STATEMENT_SWITCH: print_switch(p, s); break;
    case STATEMENT_CASE:
    case STATEMENT_DEFAULT: print_case(p, s); break;
    case STATEMENT_MACRO: print_macro(p, s); break;
    case STATEMENT_CHOICE: print_choice(p, s); break;
    case STATEMENT_EMPTY: print_end(p, ";"); break;
    case STATEMENT_PROLOGUE: print_prologue(p, s); break;
    case STATEMENT_HOLE: break;
    default: print_jump(p, s); break;
  }
}
