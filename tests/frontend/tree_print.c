/* Writing declarations and statements as OpenCL C. */
#include "tree_print.h"

#include <stdlib.h>
#include <string.h>

#include "tests/frontend/tree_attributes.h"

typedef struct printer {
  const tree *t;
  bool conversions;
  buffer *out;
  int depth;
} printer;

static void put(printer *p, const tree_node *n);

static void put_line(const printer *p) {
  buffer_putc(p->out, '\n');
  for (int i = 0; i < p->depth; i++) buffer_puts(p->out, "  ");
}

static void put_expression(const printer *p, const tree_node *n) {
  if (n != NULL) tree_print_expression(p->t, n, p->conversions, p->out);
}

static bool has_attributes(const printer *p, const tree_node *n) {
  span found[ATTRIBUTES_MOST];
  return attributes_of(p->t, n, found) > 0;
}

/* Attributes that stand in a declaration; pragmas have lines of their own. */
static void put_attributes(const printer *p, const tree_node *n) {
  span found[ATTRIBUTES_MOST];
  const uint32_t count = attributes_of(p->t, n, found);
  for (uint32_t i = 0; i < count; i++) {
    const bool pragma = p->t->text->tokens[found[i].first].kind == PP_PRAGMA;
    buffer_puts(p->out, pragma ? "\n" : "");
    tree_print_tokens(p->t, found[i], p->out);
    buffer_puts(p->out, pragma ? "\n" : " ");
  }
}

/* --- declarations ------------------------------------------------------------------------------------------------- */

static void put_tag(const printer *p, const tree_node *n) {
  buffer_printf(p->out, "%s ", n->record->keyword);
  put_attributes(p, n);
  buffer_puts(p->out, n->record->anonymous ? "" : n->record->tag);
}

/* Structs in a struct are written in front of it, but for those without a name. */
static void put_inner_records(printer *p, const tree_node *n) {
  for (uint32_t i = 0; i < n->child_count; i++) {
    const tree_node *child = n->children[i];
    const bool record = child->kind == TREE_RECORD || child->kind == TREE_ENUM;
    if (record && child->record->anonymous) {
      put_inner_records(p, child);
    } else if (record) {
      put(p, child);
      put_line(p);
    }
  }
}

static void put_members(printer *p, const tree_node *n) {
  put_tag(p, n);
  buffer_puts(p->out, " {");
  p->depth++;
  for (uint32_t i = 0; i < n->child_count; i++) {
    const tree_node *child = n->children[i];
    if (child->kind == TREE_FIELD) {
      put_line(p);
      tree_put_declaration(child->type, child->symbol->name, p->out);
      buffer_putc(p->out, ' ');
      put_attributes(p, child);
      buffer_putc(p->out, ';');
    } else if (child->kind == TREE_RECORD && child->record->anonymous) {
      put_line(p);
      put_members(p, child);
      buffer_putc(p->out, ';');
    }
  }
  p->depth--;
  put_line(p);
  buffer_putc(p->out, '}');
}

static void put_record(printer *p, const tree_node *n) {
  if (n->child_count == 0) {
    put_tag(p, n);
    buffer_puts(p->out, token_is(p->t->text, n->tokens.last, "}") ? " {};" : ";");
    return;
  }
  put_inner_records(p, n);
  put_members(p, n);
  buffer_putc(p->out, ';');
}

static void put_enum(const printer *p, const tree_node *n) {
  put_tag(p, n);
  buffer_puts(p->out, " {");
  for (uint32_t i = 0; i < n->child_count; i++) {
    const tree_symbol *s = n->children[i]->symbol;
    buffer_printf(p->out, "%s%s = %lld", i == 0 ? "" : ", ", s->name, (long long)s->value);
  }
  buffer_puts(p->out, "};");
}

/* What a variable's type does not say: where it is kept. */
static const char *storage(const tree_symbol *s) { return s->is_static ? "static " : s->is_extern ? "extern " : ""; }

static void put_initialiser(const printer *p, const tree_node *n) {
  if (n->child_count > 0 && n->children[0] != NULL) {
    buffer_puts(p->out, " = ");
    const bool comma = n->children[0]->kind == TREE_COMMA;
    buffer_puts(p->out, comma ? "(" : "");
    put_expression(p, n->children[0]);
    buffer_puts(p->out, comma ? ")" : "");
  }
}

static void put_variable(const printer *p, const tree_node *n) {
  buffer_puts(p->out, storage(n->symbol));
  tree_put_declaration(n->type, n->symbol->name, p->out);
  buffer_puts(p->out, has_attributes(p, n) ? " " : "");
  put_attributes(p, n);
  put_initialiser(p, n);
  buffer_putc(p->out, ';');
}

static void put_parameters(const printer *p, const tree_node *n) {
  buffer_putc(p->out, '(');
  for (uint32_t i = 0; i + 1 < n->child_count; i++) {
    buffer_puts(p->out, i == 0 ? "" : ", ");
    tree_put_declaration(n->children[i]->type, n->children[i]->symbol->name, p->out);
  }
  const tree_type *type = n->type;
  const bool variadic = type != NULL && type->kind == TREE_TYPE_FUNCTION && type->variadic;
  buffer_puts(p->out, variadic ? ", ...)" : n->child_count == 1 ? "void)" : ")");
}

static void put_function(printer *p, const tree_node *n) {
  const tree_symbol *s = n->symbol;
  const tree_type *result = n->type == NULL ? NULL : n->type->element;
  buffer declarator = {0};
  put_attributes(p, n);
  buffer_printf(p->out, "%s%s%s", s->kernel ? "__kernel " : "", storage(s), s->inlined ? "inline " : "");
  buffer_puts(&declarator, s->name);
  buffer parameters = {0};
  printer q = *p;
  q.out = &parameters;
  put_parameters(&q, n);
  buffer_puts(&declarator, buffer_text(&parameters));
  tree_put_declaration(result, buffer_text(&declarator), p->out);
  buffer_free(&parameters);
  buffer_free(&declarator);
  if (tree_body(n) == NULL) {
    buffer_putc(p->out, ';');
  } else {
    buffer_putc(p->out, ' ');
    put(p, tree_body(n));
  }
}

static void put_typedef(const printer *p, const tree_node *n) {
  buffer_puts(p->out, "typedef ");
  tree_put_declaration(n->type, n->symbol->name, p->out);
  buffer_puts(p->out, has_attributes(p, n) ? " " : "");
  put_attributes(p, n);
  buffer_putc(p->out, ';');
}

static void put_declaration(printer *p, const tree_node *n) {
  switch (n->kind) {
    case TREE_FUNCTION: put_function(p, n); break;
    case TREE_VARIABLE: put_variable(p, n); break;
    case TREE_TYPEDEF: put_typedef(p, n); break;
    case TREE_RECORD: put_record(p, n); break;
    case TREE_ENUM: put_enum(p, n); break;
    default: tree_print_tokens(p->t, n->tokens, p->out); break;
  }
}

/* --- statements --------------------------------------------------------------------------------------------------- */

/* `int i = 0, *p = q`: declarators that share their specifiers. */
static void put_shared(const printer *p, const tree_node *n) {
  for (uint32_t i = 0; i < n->child_count; i++) {
    const tree_node *v = n->children[i];
    buffer_puts(p->out, i == 0 ? storage(v->symbol) : ", ");
    if (i == 0) {
      tree_put_specifiers(v->type, p->out);
      buffer_putc(p->out, ' ');
    }
    tree_put_declarator(v->type, v->symbol->name, p->out);
    put_initialiser(p, v);
  }
}

static void put_for(printer *p, const tree_node *n) {
  buffer_puts(p->out, "for (");
  if (n->children[0] != NULL && n->children[0]->kind == TREE_DECLARE)
    put_shared(p, n->children[0]);
  else
    put_expression(p, n->children[0]);
  buffer_puts(p->out, "; ");
  put_expression(p, n->children[1]);
  buffer_puts(p->out, "; ");
  put_expression(p, n->children[2]);
  buffer_puts(p->out, ") ");
  put(p, n->children[3]);
}

/* A branch in braces, so that an `else` finds its `if`; a declaration could not stand there. */
static void put_branch(printer *p, const tree_node *n) {
  const bool plain = n->kind == TREE_COMPOUND && !has_attributes(p, n);
  buffer_puts(p->out, plain ? "" : "{ ");
  put(p, n);
  buffer_puts(p->out, plain ? "" : " }");
}

static void put_headed(printer *p, const tree_node *n, const char *word) {
  buffer_printf(p->out, "%s (", word);
  put_expression(p, n->children[0]);
  buffer_puts(p->out, ") ");
  if (n->kind == TREE_IF)
    put_branch(p, n->children[1]);
  else
    put(p, n->children[1]);
  if (n->kind == TREE_IF && n->children[2] != NULL) {
    buffer_puts(p->out, " else ");
    put_branch(p, n->children[2]);
  }
}

static void put_do(printer *p, const tree_node *n) {
  buffer_puts(p->out, "do ");
  put(p, n->children[0]);
  buffer_puts(p->out, " while (");
  put_expression(p, n->children[1]);
  buffer_puts(p->out, ");");
}

static void put_labelled(printer *p, const tree_node *labelled) {
  buffer_puts(p->out, ": ");
  if (labelled == NULL)
    buffer_putc(p->out, ';');
  else
    put(p, labelled);
}

static void put_case(printer *p, const tree_node *n) {
  buffer_puts(p->out, "case (");
  put_expression(p, n->children[0]);
  buffer_putc(p->out, ')');
  if (n->children[1] != NULL) {
    buffer_puts(p->out, " ... (");
    put_expression(p, n->children[1]);
    buffer_putc(p->out, ')');
  }
  put_labelled(p, n->children[2]);
}

static void put_compound(printer *p, const tree_node *n) {
  buffer_putc(p->out, '{');
  p->depth++;
  for (uint32_t i = 0; i < n->child_count; i++) {
    put_line(p);
    put(p, n->children[i]);
  }
  p->depth--;
  put_line(p);
  buffer_putc(p->out, '}');
}

static void put_declare(printer *p, const tree_node *n) {
  for (uint32_t i = 0; i < n->child_count; i++) {
    if (i > 0) put_line(p);
    put_declaration(p, n->children[i]);
  }
}

static void put_jump(const printer *p, const tree_node *n) {
  if (n->kind == TREE_RETURN && n->children[0] != NULL) {
    buffer_puts(p->out, "return ");
    put_expression(p, n->children[0]);
  } else {
    buffer_printf(p->out, "%s%s",
                  n->kind == TREE_RETURN     ? "return"
                  : n->kind == TREE_BREAK    ? "break"
                  : n->kind == TREE_CONTINUE ? "continue"
                                             : "goto ",
                  n->kind == TREE_GOTO ? n->symbol->name : "");
  }
  buffer_putc(p->out, ';');
}

static void put_statement(printer *p, const tree_node *n) {
  switch (n->kind) {
    case TREE_COMPOUND: put_compound(p, n); break;
    case TREE_DECLARE: put_declare(p, n); break;
    case TREE_EXPRESSION:
      put_expression(p, n->children[0]);
      buffer_putc(p->out, ';');
      break;
    case TREE_EMPTY: buffer_putc(p->out, ';'); break;
    case TREE_IF:
    case TREE_WHILE:
    case TREE_SWITCH: put_headed(p, n, tree_kind_name(n->kind)); break;
    case TREE_FOR: put_for(p, n); break;
    case TREE_DO: put_do(p, n); break;
    case TREE_CASE: put_case(p, n); break;
    case TREE_DEFAULT:
      buffer_puts(p->out, "default");
      put_labelled(p, n->children[0]);
      break;
    case TREE_LABEL:
      buffer_puts(p->out, n->symbol->name);
      put_labelled(p, n->children[0]);
      break;
    case TREE_UNKNOWN_STATEMENT: tree_print_tokens(p->t, n->tokens, p->out); break;
    default: put_jump(p, n); break;
  }
}

static void put(printer *p, const tree_node *n) {
  if (n->kind == TREE_PRAGMA) {
    buffer_putc(p->out, '\n');
    tree_print_tokens(p->t, n->tokens, p->out);
    buffer_putc(p->out, '\n');
  } else if (tree_is_expression(n->kind)) {
    put_expression(p, n);
  } else if (tree_is_statement(n->kind)) {
    put_attributes(p, n);
    put_statement(p, n);
  } else {
    put_declaration(p, n);
  }
}

void tree_print_node(const tree *t, const tree_node *n, bool conversions, buffer *out) {
  printer p = {t, conversions, out, 0};
  put(&p, n);
}

void tree_print(const tree *t, bool conversions, buffer *out) {
  for (uint32_t i = 0; i < t->unit->child_count; i++) {
    tree_print_node(t, t->unit->children[i], conversions, out);
    buffer_putc(out, '\n');
  }
}
