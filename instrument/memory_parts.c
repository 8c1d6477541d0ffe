/* Of a vector or structure that is loaded whole: the parts whose values are used, as far as the text shows it. Where one of
 * them was written by nobody, that load is told (cltc_is_unwritten). Padding, components that nobody uses and what is only
 * handed on are none of them. */
#include "base/memory.h"
#include "instrument/memory.h"

enum { MOST_PARTS = 64 };

typedef struct part {
  uint64_t at, size;
  uint32_t member; /* the component or field of the whole that it is, or is in */
} part;

typedef struct part_list {
  part items[MOST_PARTS];
  size_t count;
  bool failed; /* they are not known */
} part_list;

static uint64_t align_of(const tree_type *t) {
  uint64_t most = 1;
  while (t->kind == TREE_TYPE_ARRAY) {
    t = t->element;
  }
  for (size_t i = 0; t->kind == TREE_TYPE_RECORD && t->record != NULL && i < t->record->field_count; i++) {
    const uint64_t align = align_of(t->record->fields[i]->type);
    most = align > most ? align : most;
  }
  return t->kind == TREE_TYPE_RECORD ? most : t->size == 0 ? 1 : t->size;
}

static void add_parts(part_list *l, const tree_type *t, uint64_t at, uint32_t member, bool top);

/* Of a structure; one with another size than its fields make is packed, or aligned otherwise. */
static void add_fields(part_list *l, const tree_type *t, uint64_t at, uint32_t member, bool top) {
  uint64_t end = 0;
  l->failed = l->failed || t->record == NULL || t->record->keyword[0] != 's';
  for (size_t i = 0; !l->failed && i < t->record->field_count; i++) {
    const tree_symbol *f = t->record->fields[i];
    const uint64_t align = align_of(f->type);
    l->failed = f->bit_field || f->type->size == 0 || f->type->size == TREE_UNSIZED;
    end = (end + align - 1) / align * align;
    if (!l->failed) {
      add_parts(l, f->type, at + end, top ? (uint32_t)i : member, false);
      end += f->type->size;
    }
  }
  const uint64_t align = align_of(t);
  l->failed = l->failed || (end + align - 1) / align * align != t->size;
}

static void add_parts(part_list *l, const tree_type *t, uint64_t at, uint32_t member, bool top) {
  if (t->kind == TREE_TYPE_RECORD) {
    add_fields(l, t, at, member, top);
  } else if (t->kind == TREE_TYPE_ARRAY || t->kind == TREE_TYPE_VECTOR) {
    for (uint64_t i = 0; i < t->count && !l->failed; i++) {
      add_parts(l, t->element, at + i * t->element->size, top ? (uint32_t)i : member, false);
    }
  } else if (l->count == MOST_PARTS) {
    l->failed = true;
  } else {
    l->items[l->count++] = (part){at, t->size, member};
  }
}

/* --- which are used ------------------------------------------------------------------------------------------------ */

static const tree_node *beyond_parentheses(const tree_node *n) {
  while (n->parent->kind == TREE_PARENTHESES) {
    n = n->parent;
  }
  return n;
}

/* The bits of what a swizzle or member takes of its base. */
static uint64_t taken_by(const tree_node *n, const tree_type *of) {
  uint64_t bits = 0;
  for (uint32_t i = 0; n->kind == TREE_SWIZZLE && i < n->lane_count; i++) {
    bits |= UINT64_C(1) << n->lanes[i];
  }
  for (size_t i = 0; n->kind == TREE_MEMBER && of->record != NULL && i < of->record->field_count && i < MOST_PARTS;
       i++) {
    bits |= of->record->fields[i] == n->symbol ? UINT64_C(1) << i : 0;
  }
  return bits == 0 ? UINT64_MAX : bits;
}

/* What is used of a value: as bits of its components or fields. 0: it is handed on as it is. */
static uint64_t used_of(const tree_node *value, const tree_type *t) {
  const tree_node *n = beyond_parentheses(value), *by = n->parent;
  if (by->kind == TREE_SWIZZLE || by->kind == TREE_MEMBER) {
    return taken_by(by, t);
  }
  if (by->kind == TREE_ASSIGN && n->index == 1 && beyond_parentheses(by)->parent->kind == TREE_EXPRESSION) {
    return 0;
  }
  if (by->kind != TREE_VARIABLE) {
    return UINT64_MAX;
  }
  uint64_t bits = 0;
  const tree_node *body = tree_body(tree_function_of(by));
  for (const tree_node *at = body; at != NULL; at = tree_next(body, at)) {
    if (at->kind == TREE_NAME && at->symbol == by->symbol) {
      const tree_node *around = beyond_parentheses(at)->parent;
      const bool load = around->kind == TREE_CONVERT && around->conversion == TREE_LOAD;
      const tree_node *to = load ? beyond_parentheses(around)->parent : around;
      const bool component = !to->arrow && (to->kind == TREE_SWIZZLE || to->kind == TREE_MEMBER);
      const bool copied = load && to->kind == TREE_ASSIGN && around->index == 1;
      bits |= component ? taken_by(to, t) : copied ? 0 : UINT64_MAX;
    }
  }
  return bits;
}

/* Of a load by this access; NULL: it loads no whole vector or structure. */
static const tree_type *loaded_type(const touch *t) {
  const bool loads = t->kind == CHECK_READ && (t->form == TOUCH_LVALUE || t->form == TOUCH_VECTOR);
  const tree_node *value = !loads ? NULL : t->form == TOUCH_LVALUE ? t->object : t->whole;
  const tree_type *type = value != NULL && value->kind != TREE_SWIZZLE ? value->type : NULL;
  return type != NULL && (type->kind == TREE_TYPE_VECTOR || type->kind == TREE_TYPE_RECORD) ? type : NULL;
}

static void put_case(const part_list *l, uint64_t used, size_t number, buffer *out) {
  bool any = false;
  for (size_t k = 0; k < l->count && !l->failed; k++) {
    const part *p = &l->items[k];
    if (p->member >= MOST_PARTS || (used >> p->member & 1) != 0) {
      buffer_printf(out, any ? " ||" : " case %uu: return", (unsigned)number);
      buffer_printf(out, " cltc_same(c, address + %lluul, %uu)", (unsigned long long)p->at, (unsigned)p->size);
      any = true;
    }
  }
  buffer_puts(out, any ? ";" : "");
}

void put_parts(const memory_form *m, buffer *out) {
  buffer_puts(out, "#define CLTC_PARTS");
  for (size_t i = 0; i < m->count && !m->p->form->brief; i++) {
    const touch *t = &m->items[i];
    const tree_type *type = loaded_type(t);
    if (type != NULL) {
      part_list l = {0};
      add_parts(&l, type, 0, 0, true);
      put_case(&l, used_of(t->form == TOUCH_LVALUE ? t->whole->parent : t->whole, type), i, out);
    }
  }
  buffer_puts(out, "\n");
}
