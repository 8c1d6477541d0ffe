/* Trees of texts, for tests; and a short way to write an expression down. */
#include "tree_fixture.h"

#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

tree_fixture tree_fixture_open(const char *source, const char *options) {
  tree_fixture f = {0};
  const pp_input in = {.name = "test.cl", .text = source, .length = strlen(source), .options = options};
  error e = {0};
  if (pp_run(&in, &f.text, &e) != 0 || tree_build(&f.text, f.text.other_options, &f.tree, &e) != 0) {
    fail_msg("%s\n%s", e.text, source);
  }
  return f;
}

void tree_fixture_close(tree_fixture *f) {
  tree_free(f->tree);
  pp_result_free(&f->text);
}

tree_node *first_of(const tree_fixture *f, tree_kind kind) {
  tree_node *n = f->tree->unit;
  while (n != NULL && n->kind != kind) {
    n = tree_next(f->tree->unit, n);
  }
  if (n == NULL) {
    fail_msg("there is no %s", tree_kind_name(kind));
  }
  return n;
}

static void put(const tree_fixture *f, const tree_node *n, buffer *out);

static void put_token(const tree_fixture *f, const tree_node *n, buffer *out) {
  const pp_token *t = &f->text.tokens[n->token];
  buffer_append(out, f->text.text + t->begin, t->end - t->begin);
}

static void put_type(const tree_type *t, buffer *out) {
  char *text = t == NULL ? NULL : tree_type_text(t);
  buffer_puts(out, text == NULL ? "?" : text);
  free(text);
}

static void put_children(const tree_fixture *f, const tree_node *n, buffer *out) {
  buffer_putc(out, '(');
  for (uint32_t i = 0; i < n->child_count; i++) {
    buffer_puts(out, i == 0 ? "" : ", ");
    if (n->children[i] != NULL) {
      put(f, n->children[i], out);
    }
  }
  buffer_putc(out, ')');
}

static void put_conversion(const tree_fixture *f, const tree_node *n, buffer *out) {
  const bool load = n->conversion == TREE_LOAD;
  const bool cast = n->kind == TREE_CAST;
  buffer_puts(out, load && !cast ? "[" : cast ? "<" : "{");
  if (!load || cast) {
    put_type(n->type, out);
    buffer_putc(out, ' ');
  }
  put(f, n->children[0], out);
  buffer_puts(out, load && !cast ? "]" : cast ? ">" : "}");
}

static void put_infix(const tree_fixture *f, const tree_node *n, buffer *out) {
  buffer_putc(out, '(');
  put(f, n->children[0], out);
  const char *op = n->kind == TREE_COMMA ? "," : tree_operator_text(n->op);
  buffer_printf(out, " %s%s ", op, n->kind == TREE_ASSIGN || n->kind == TREE_COMPOUND_ASSIGN ? "=" : "");
  put(f, n->children[1], out);
  buffer_puts(out, "):");
  put_type(n->type, out);
  if (n->kind == TREE_COMPOUND_ASSIGN) {
    buffer_putc(out, '(');
    put_type(n->computed, out);
    buffer_putc(out, ')');
  }
}

static void put_conditional(const tree_fixture *f, const tree_node *n, buffer *out) {
  buffer_putc(out, '(');
  put(f, n->children[0], out);
  buffer_puts(out, " ? ");
  if (n->children[1] != NULL) {
    put(f, n->children[1], out);
  }
  buffer_puts(out, " : ");
  put(f, n->children[2], out);
  buffer_puts(out, "):");
  put_type(n->type, out);
}

static void put_member(const tree_fixture *f, const tree_node *n, buffer *out) {
  put(f, n->children[0], out);
  buffer_puts(out, n->arrow ? "->" : ".");
  if (n->kind == TREE_MEMBER) {
    buffer_puts(out, n->symbol->name);
    return;
  }
  for (uint32_t i = 0; i < n->lane_count; i++) {
    buffer_printf(out, "%c%u", i == 0 ? '{' : ' ', n->lanes[i]);
  }
  buffer_putc(out, '}');
}

static void put_unary(const tree_fixture *f, const tree_node *n, buffer *out) {
  const char *op = n->kind == TREE_DEREFERENCE ? "*"
                   : n->kind == TREE_ADDRESS   ? "&"
                   : n->kind == TREE_STEP      ? (n->op == TREE_ADD ? "++" : "--")
                                               : tree_operator_text(n->op);
  buffer_puts(out, n->postfix ? "" : op);
  put(f, n->children[0], out);
  buffer_puts(out, n->postfix ? op : "");
}

static void put(const tree_fixture *f, const tree_node *n, buffer *out) {
  switch (n->kind) {
    case TREE_NAME:
    case TREE_CALL:
      buffer_puts(out, n->symbol->name);
      break;
    case TREE_LITERAL:
    case TREE_STRING:
    case TREE_MACRO:
    case TREE_REINTERPRET:
    case TREE_SIZEOF:
      put_token(f, n, out);
      break;
    case TREE_MEMBER:
    case TREE_SWIZZLE:
      put_member(f, n, out);
      return;
    case TREE_CAST:
    case TREE_CONVERT:
      put_conversion(f, n, out);
      return;
    case TREE_DEREFERENCE:
    case TREE_ADDRESS:
    case TREE_STEP:
    case TREE_UNARY:
      put_unary(f, n, out);
      return;
    case TREE_CONDITIONAL:
      put_conditional(f, n, out);
      return;
    case TREE_PARENTHESES:
      buffer_putc(out, '#');
      put(f, n->children[0], out);
      return;
    case TREE_SUBSCRIPT:
      put(f, n->children[0], out);
      buffer_putc(out, '@');
      put(f, n->children[1], out);
      return;
    case TREE_VECTOR:
      put_type(n->type, out);
      break;
    case TREE_BINARY:
    case TREE_LOGICAL:
    case TREE_COMMA:
    case TREE_ASSIGN:
    case TREE_COMPOUND_ASSIGN:
      put_infix(f, n, out);
      return;
    default:
      buffer_puts(out, tree_kind_name(n->kind));
      break;
  }
  if (n->kind == TREE_CALL || n->child_count > 0) {
    put_children(f, n, out);
  }
}

char *notation(const tree_fixture *f, const tree_node *n) {
  buffer out = {0};
  put(f, n, &out);
  return buffer_take(&out);
}
