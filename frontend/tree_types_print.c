/* Types as OpenCL C writes them: specifiers, and declarators around a name. */
#include <string.h>

#include "frontend/tree_types.h"

static const char *const spaces[TREE_SPACE_COUNT] = {"", "__global", "__local", "__constant", "__private", "__generic"};

const char *tree_space_name(tree_space space) { return spaces[space]; }

/* Nothing is said of private memory but where a pointer leads there. */
static void put_qualifiers(const tree_type *t, bool pointed_at, buffer *out) {
  if (t->space != TREE_SPACE_NONE && (pointed_at || t->space != TREE_SPACE_PRIVATE)) {
    buffer_printf(out, "%s ", spaces[t->space]);
  }
  buffer_puts(out, t->is_const ? "const " : "");
  buffer_puts(out, t->is_volatile ? "volatile " : "");
  buffer_puts(out, t->is_restrict ? "restrict " : "");
}

/* The type at the end of pointers, arrays and functions stands in front. The qualifiers of an array are those of what
 * it holds. */
void tree_put_specifiers(const tree_type *t, buffer *out) {
  bool pointed_at = false;
  while (t->kind == TREE_TYPE_POINTER || t->kind == TREE_TYPE_ARRAY || t->kind == TREE_TYPE_FUNCTION) {
    pointed_at = t->kind == TREE_TYPE_POINTER || (t->kind == TREE_TYPE_ARRAY && pointed_at);
    t = t->element;
  }
  put_qualifiers(t, pointed_at, out);
  buffer_puts(out, t->name);
}

static void put_parameters(const tree_type *t, buffer *out) {
  buffer_putc(out, '(');
  for (size_t i = 0; i < t->parameter_count; i++) {
    buffer_puts(out, i == 0 ? "" : ", ");
    tree_put_declaration(t->parameters[i], "", out);
  }
  buffer_puts(out, t->variadic ? ", ...)" : t->parameter_count == 0 ? "void)" : ")");
}

static void put_around(const tree_type *t, const buffer *name, bool pointed_at, buffer *out) {
  buffer inner = {0};
  switch (t->kind) {
    case TREE_TYPE_POINTER: {
      const bool group = t->element->kind == TREE_TYPE_ARRAY || t->element->kind == TREE_TYPE_FUNCTION;
      buffer_puts(&inner, group ? "(*" : "*");
      put_qualifiers(t, pointed_at, &inner);
      buffer_puts(&inner, buffer_text(name));
      buffer_puts(&inner, group ? ")" : "");
      put_around(t->element, &inner, true, out);
      break;
    }
    case TREE_TYPE_ARRAY:
      buffer_puts(&inner, buffer_text(name));
      if (t->count == TREE_UNSIZED) {
        buffer_puts(&inner, "[]");
      } else {
        buffer_printf(&inner, "[%llu]", (unsigned long long)t->count);
      }
      put_around(t->element, &inner, pointed_at, out);
      break;
    case TREE_TYPE_FUNCTION:
      buffer_puts(&inner, buffer_text(name));
      put_parameters(t, &inner);
      put_around(t->element, &inner, false, out);
      break;
    default:
      buffer_puts(out, buffer_text(name));
      break;
  }
  buffer_free(&inner);
}

void tree_put_declarator(const tree_type *t, const char *name, buffer *out) {
  buffer inner = {0};
  buffer_puts(&inner, name);
  put_around(t, &inner, false, out);
  buffer_free(&inner);
}

void tree_put_declaration(const tree_type *t, const char *name, buffer *out) {
  tree_put_specifiers(t, out);
  buffer declarator = {0};
  tree_put_declarator(t, name, &declarator);
  if (declarator.length > 0) {
    buffer_printf(out, " %s", buffer_text(&declarator));
  }
  buffer_free(&declarator);
}

char *tree_type_text(const tree_type *t) {
  buffer out = {0};
  tree_put_declaration(t, "", &out);
  return buffer_take(&out);
}

char *tree_plain_text(const tree_type *t) {
  buffer sizes = {0};
  for (; t->kind == TREE_TYPE_ARRAY && t->count != TREE_UNSIZED; t = t->element) {
    buffer_printf(&sizes, "[%llu]", (unsigned long long)t->count);
  }
  buffer out = {0};
  if (t->record != NULL) {
    buffer_puts(&out, t->record->spelled);
  } else {
    tree_put_declaration(t->plain, "", &out);
  }
  buffer_puts(&out, buffer_text(&sizes));
  buffer_free(&sizes);
  return buffer_take(&out);
}

void tree_put_qualifiers(const tree_type *t, buffer *out) {
  buffer_printf(out, "%s%s", spaces[t->space], t->space == TREE_SPACE_NONE ? "" : " ");
  buffer_puts(out, t->is_const ? "const " : "");
  buffer_puts(out, t->is_volatile ? "volatile " : "");
}

static void put_value(const tree_type *t, bool pointed_at, buffer *out) {
  if (pointed_at) {
    tree_put_qualifiers(t, out);
  }
  if (t->record != NULL) {
    buffer_puts(out, t->record->spelled);
  } else if (t->kind != TREE_TYPE_POINTER) {
    tree_put_declaration(t->plain, "", out);
  } else if (t->element->kind == TREE_TYPE_ARRAY || t->element->kind == TREE_TYPE_FUNCTION) {
    tree_put_declaration(t->plain, "", out);
  } else {
    put_value(t->element, true, out);
    buffer_puts(out, out->data[out->length - 1] == '*' ? "*" : " *");
  }
}

char *tree_value_text(const tree_type *t) {
  buffer out = {0};
  put_value(t, false, &out);
  return buffer_take(&out);
}
