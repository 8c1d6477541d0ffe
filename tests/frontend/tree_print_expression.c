/* Writing expressions as OpenCL C: what binds less tightly than a name stands in parentheses. */
#include <stdlib.h>
#include <string.h>

#include "tree_print.h"

typedef struct printer {
  const tree *t;
  bool conversions; /* implicit ones are written */
  buffer *out;
} printer;

static void put(const printer *p, const tree_node *n);

void tree_print_tokens(const tree *t, span tokens, buffer *out) {
  for (uint32_t i = tokens.first; i <= tokens.last; i++) {
    const pp_token *token = &t->text->tokens[i];
    buffer_puts(out, i == tokens.first ? "" : " ");
    buffer_append(out, t->text->text + token->begin, token->end - token->begin);
  }
}

/* Conversions that a cast can say. Loads, decay and the rest happen by themselves. */
static bool is_written(const printer *p, const tree_node *n) {
  switch (n->conversion) {
    case TREE_INTEGER_TO_INTEGER:
    case TREE_INTEGER_TO_FLOAT:
    case TREE_FLOAT_TO_INTEGER:
    case TREE_FLOAT_TO_FLOAT:
    case TREE_TO_BOOL:
    case TREE_SPLAT: return p->conversions && n->type->kind != TREE_TYPE_ENUM && !n->not_executed;
    default: return false;
  }
}

static bool is_primary(const printer *p, const tree_node *n) {
  switch (n->kind) {
    case TREE_CONVERT: return is_written(p, n) || is_primary(p, n->children[0]);
    case TREE_LITERAL:
    case TREE_STRING:
    case TREE_MACRO:
    case TREE_NAME:
    case TREE_MEMBER:
    case TREE_SWIZZLE:
    case TREE_SUBSCRIPT:
    case TREE_CALL:
    case TREE_PARENTHESES:
    case TREE_INITIALIZER:
    case TREE_REINTERPRET:
    case TREE_SHUFFLE:
    case TREE_STATEMENT_EXPRESSION: return true;
    default: return false;
  }
}

/* An operand, in parentheses if need be. */
static void put_operand(const printer *p, const tree_node *n) {
  const bool plain = is_primary(p, n);
  buffer_puts(p->out, plain ? "" : "(");
  put(p, n);
  buffer_puts(p->out, plain ? "" : ")");
}

/* Something between commas. */
static void put_argument(const printer *p, const tree_node *n) {
  if (n->kind == TREE_DESIGNATED || n->kind == TREE_INITIALIZER)
    put(p, n);
  else
    put_operand(p, n);
}

static void put_list(const printer *p, const tree_node *n, const char *open, const char *close) {
  buffer_puts(p->out, open);
  for (uint32_t i = 0; i < n->child_count; i++) {
    buffer_puts(p->out, i == 0 ? "" : ", ");
    put_argument(p, n->children[i]);
  }
  buffer_puts(p->out, close);
}

static void put_type(const printer *p, const tree_type *type) {
  buffer_putc(p->out, '(');
  tree_put_declaration(type, "", p->out);
  buffer_putc(p->out, ')');
}

static void put_token(const printer *p, uint32_t token) { tree_print_tokens(p->t, (span){token, token}, p->out); }

static void put_infix(const printer *p, const tree_node *n, const char *op) {
  put_operand(p, n->children[0]);
  buffer_printf(p->out, " %s ", op);
  put_operand(p, n->children[1]);
}

static void put_member(const printer *p, const tree_node *n) {
  put_operand(p, n->children[0]);
  buffer_puts(p->out, n->arrow ? "->" : ".");
  put_token(p, n->token);
}

static void put_step(const printer *p, const tree_node *n) {
  const char *op = n->op == OP_ADD ? "++" : "--";
  buffer_puts(p->out, n->postfix ? "" : op);
  put_operand(p, n->children[0]);
  buffer_puts(p->out, n->postfix ? op : "");
}

static void put_prefix(const printer *p, const tree_node *n) {
  buffer_puts(p->out, n->kind == TREE_ADDRESS ? "&" : n->kind == TREE_DEREFERENCE ? "*" : c_operators[n->op].text);
  put_operand(p, n->children[0]);
}

static void put_conditional(const printer *p, const tree_node *n) {
  put_operand(p, n->children[0]);
  buffer_puts(p->out, n->children[1] == NULL ? " ?" : " ? ");
  if (n->children[1] != NULL) {
    put_operand(p, n->children[1]);
    buffer_putc(p->out, ' ');
  }
  buffer_puts(p->out, ": ");
  put_operand(p, n->children[2]);
}

static void put_cast(const printer *p, const tree_node *n) {
  if (n->kind == TREE_CONVERT && !is_written(p, n)) {
    put(p, n->children[0]);
    return;
  }
  buffer_puts(p->out, n->kind == TREE_CONVERT ? "(" : "");
  put_type(p, n->type);
  buffer_putc(p->out, '(');
  put(p, n->children[0]);
  buffer_putc(p->out, ')');
  buffer_puts(p->out, n->kind == TREE_CONVERT ? ")" : "");
}

static void put_reinterpret(const printer *p, const tree_node *n) {
  buffer_printf(p->out, "as_%s(", n->type->name);
  put(p, n->children[0]);
  buffer_putc(p->out, ')');
}

/* What is designated, as it stands. */
static void put_designated(const printer *p, const tree_node *n) {
  uint32_t last = n->children[0]->tokens.first - 1;
  tree_print_tokens(p->t, (span){n->tokens.first, last}, p->out);
  buffer_putc(p->out, ' ');
  put_argument(p, n->children[0]);
}

/* The value that libclang has told. */
static void put_sizeof(const printer *p, const tree_node *n) {
  if (n->constant.kind == TREE_INTEGER_CONSTANT) {
    buffer_putc(p->out, '(');
    put_type(p, n->type);
    buffer_printf(p->out, "%lldL)", (long long)n->constant.integer);
  } else {
    tree_print_tokens(p->t, n->tokens, p->out);
  }
}

static void put_group(const printer *p, const tree_node *n) {
  switch (n->kind) {
    case TREE_CALL:
      buffer_puts(p->out, n->symbol->name);
      put_list(p, n, "(", ")");
      break;
    case TREE_SHUFFLE:
      buffer_puts(p->out, "__builtin_shufflevector");
      put_list(p, n, "(", ")");
      break;
    case TREE_VECTOR:
      put_type(p, n->type);
      put_list(p, n, "(", ")");
      break;
    case TREE_COMPOUND_LITERAL:
      put_type(p, n->type);
      put(p, n->children[0]);
      break;
    case TREE_PARENTHESES:
      buffer_putc(p->out, '(');
      put(p, n->children[0]);
      buffer_putc(p->out, ')');
      break;
    case TREE_SUBSCRIPT:
      put_operand(p, n->children[0]);
      buffer_putc(p->out, '[');
      put(p, n->children[1]);
      buffer_putc(p->out, ']');
      break;
    case TREE_STATEMENT_EXPRESSION:
      buffer_putc(p->out, '(');
      tree_print_node(p->t, n->children[0], p->conversions, p->out);
      buffer_putc(p->out, ')');
      break;
    default: tree_print_tokens(p->t, n->tokens, p->out); break;
  }
}

static void put(const printer *p, const tree_node *n) {
  buffer op = {0};
  switch (n->kind) {
    case TREE_NAME: buffer_puts(p->out, n->symbol->name); break;
    case TREE_MEMBER:
    case TREE_SWIZZLE: put_member(p, n); break;
    case TREE_ADDRESS:
    case TREE_DEREFERENCE:
    case TREE_UNARY: put_prefix(p, n); break;
    case TREE_STEP: put_step(p, n); break;
    case TREE_BINARY:
    case TREE_LOGICAL:
    case TREE_COMMA:
    case TREE_ASSIGN:
    case TREE_COMPOUND_ASSIGN:
      buffer_printf(&op, "%s%s", n->kind == TREE_COMMA ? "," : c_operators[n->op].text,
                    n->kind == TREE_ASSIGN || n->kind == TREE_COMPOUND_ASSIGN ? "=" : "");
      put_infix(p, n, buffer_text(&op));
      buffer_free(&op);
      break;
    case TREE_CONDITIONAL: put_conditional(p, n); break;
    case TREE_CAST:
    case TREE_CONVERT: put_cast(p, n); break;
    case TREE_INITIALIZER: put_list(p, n, "{", "}"); break;
    case TREE_DESIGNATED: put_designated(p, n); break;
    case TREE_REINTERPRET: put_reinterpret(p, n); break;
    case TREE_SIZEOF: put_sizeof(p, n); break;
    default: put_group(p, n); break;
  }
}

void tree_print_expression(const tree *t, const tree_node *n, bool conversions, buffer *out) {
  const printer p = {t, conversions, out};
  put(&p, n);
}
