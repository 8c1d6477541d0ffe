/* A line a node, for a person. */
#include <stdlib.h>

#include "frontend/tree_internal.h"

static void put_place(const tree *t, const tree_node *n, buffer *out) {
  if (n->token >= t->text->token_count) {
    return;
  }
  const pp_token *token = &t->text->tokens[n->token];
  const pp_position *at = &token->spelled;
  if (at->file != 0) {
    buffer_printf(out, "%s:", t->text->files[at->file].name);
  }
  buffer_printf(out, "%u:%u", at->line, at->column);
  if (token->in_macro_body) {
    buffer_printf(out, " (macro used at %u:%u)", token->expanded.line, token->expanded.column);
  }
}

static void put_constant(const tree_node *n, buffer *out) {
  if (n->constant.kind == TREE_INTEGER_CONSTANT) {
    buffer_printf(out, n->type != NULL && n->type->is_unsigned ? " = %llu" : " = %lld", (long long)n->constant.integer);
  } else if (n->constant.kind == TREE_FLOAT_CONSTANT) {
    buffer_printf(out, " = %.9g", n->constant.real);
  }
}

static void put_detail(const tree *t, const tree_node *n, buffer *out) {
  if (n->symbol != NULL) {
    buffer_printf(out, " %s", n->symbol->name);
  } else if (n->kind == TREE_LITERAL || n->kind == TREE_MACRO || n->kind == TREE_SWIZZLE) {
    const pp_token *token = &t->text->tokens[n->token];
    buffer_putc(out, ' ');
    buffer_append(out, t->text->text + token->begin, token->end - token->begin);
  } else if (n->record != NULL) {
    buffer_printf(out, " %s %s", n->record->keyword, n->record->tag);
  }
  if (n->kind == TREE_STEP) {
    buffer_printf(out, " %s %s", n->postfix ? "postfix" : "prefix", n->op == TREE_ADD ? "++" : "--");
  } else if (n->op != TREE_NO_OPERATOR) {
    buffer_printf(out, " %s%s", tree_operator_text(n->op), n->kind == TREE_COMPOUND_ASSIGN ? "=" : "");
  }
  if (n->kind == TREE_CAST || n->kind == TREE_CONVERT) {
    buffer_printf(out, " (%s)", tree_conversion_name(n->conversion));
  }
  if (n->builtin != NULL) {
    buffer_printf(out, " [%s]", tree_builtin_name(n->builtin->kind));
  }
}

static void put_type(const tree_node *n, buffer *out) {
  if (n->type == NULL) {
    return;
  }
  char *text = tree_type_text(n->type);
  buffer_printf(out, ": %s", text);
  free(text);
  if (n->kind == TREE_COMPOUND_ASSIGN && n->computed != NULL) {
    text = tree_type_text(n->computed);
    buffer_printf(out, ", computed in %s", text);
    free(text);
  }
}

static void put_node(const tree *t, const tree_node *n, int depth, buffer *out) {
  for (int i = 0; i < depth; i++) {
    buffer_puts(out, "  ");
  }
  if (n->parent != NULL) {
    buffer_printf(out, "%s = ", tree_role(n->parent->kind, n->index));
  }
  buffer_puts(out, tree_kind_name(n->kind));
  put_detail(t, n, out);
  put_type(n, out);
  put_constant(n, out);
  buffer_puts(out, n->lvalue ? " object" : "");
  buffer_puts(out, n->kind == TREE_UNIT ? "" : "  @");
  if (n->kind != TREE_UNIT) {
    put_place(t, n, out);
  }
  buffer_putc(out, '\n');
  for (uint32_t i = 0; i < n->child_count; i++) {
    if (n->children[i] != NULL) {
      put_node(t, n->children[i], depth + 1, out);
    }
  }
}

void tree_dump(const tree *t, buffer *out) { put_node(t, t->unit, 0, out); }
