/* The text around an access: whether it lies in its object, and what stands in for it where it does not.
 *
 * What is evaluated in an address and costs or changes something is evaluated once, into a variable of ours, in front. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "detectors/memory/pass.h"
#include "detectors/memory/record.h"
#include "instrument/forms.h"

/* --- values that are kept ------------------------------------------------------------------------------------------ */

/* Whether a record or enumeration of a type is known at the beginning of the function. */
static bool is_known_there(const memory_writer *w, const tree_type *t) {
  while (t->kind == TREE_TYPE_POINTER || t->kind == TREE_TYPE_ARRAY) t = t->element;
  const tree_node *body = tree_body(w->f->node);
  for (const tree_node *n = t->record == NULL ? NULL : body; n != NULL; n = tree_next(body, n))
    if (n->kind == TREE_RECORD && n->record == t->record) return false;
  return t->kind != TREE_TYPE_OPAQUE && t->kind != TREE_TYPE_FUNCTION;
}

/* Declares a variable of ours; false: its type cannot be written there. */
static bool declare(memory_writer *w, const tree_type *t, const char *name) {
  if (t == NULL || !is_known_there(w, t)) return false;
  const tree_type *to = t->kind == TREE_TYPE_POINTER ? t->element : NULL;
  if (to != NULL && to->kind == TREE_TYPE_ARRAY) {
    buffer_putc(&w->declared, ' ');
    tree_put_declaration(t->plain, name, &w->declared);
    buffer_putc(&w->declared, ';');
    return to->element->record == NULL;
  }
  char *type = tree_value_text(t);
  buffer_printf(&w->declared, " %s %s;", type, name);
  free(type);
  return true;
}

typedef struct kept {
  const tree_node *node;
  unsigned number;
} kept; /* with what a pointer was made from, where that depends on its value */

/* What an access keeps; at most so many parts. */
enum { KEPT_MOST = 24 };
typedef struct keeping {
  memory_writer *w;
  kept items[KEPT_MOST];
  size_t count;
  bool failed;
} keeping;

static void keep(keeping *k, const tree_node *n) {
  if (k->failed || is_plain_value(n)) return;
  memory_writer *w = k->w;
  char name[32];
  (void)snprintf(name, sizeof name, "cltc_t%u", w->temporaries);
  if (k->count == KEPT_MOST || !declare(w, n->type, name)) {
    k->failed = true;
    return;
  }
  k->items[k->count++] = (kept){n, w->temporaries++};
}

/* The handle of a pointer of the access, which may be kept. */
static void put_origin(const keeping *k, const tree_node *pointer, buffer *out) {
  for (size_t i = 0; i < k->count; i++) {
    if (k->items[i].node == pointer && is_chosen_late(pointer)) {
      char name[32];
      (void)snprintf(name, sizeof name, "cltc_g%u", k->items[i].number);
      buffer_printf(&k->w->declared, " ulong2 %s;", name);
      give_handle(k->w, name, pointer);
      buffer_puts(out, name);
      return;
    }
  }
  put_handle(k->w, pointer, out);
}

/* All is known: they are evaluated in front, and their names stand where they were. */
static void keep_all(keeping *k, buffer *first) {
  for (size_t i = 0; i < k->count; i++) {
    const tree_node *n = k->items[i].node;
    buffer_printf(first, "cltc_t%u = (" EDIT_COPY "), ", k->items[i].number, EDIT_SPAN(n->tokens));
    edit_move(k->w->e, n->tokens, text_of("cltc_t%u", k->items[i].number));
  }
}

static void put_value(const keeping *k, const tree_node *n, buffer *out) {
  for (size_t i = 0; i < k->count; i++) {
    if (k->items[i].node == n) {
      buffer_printf(out, "cltc_t%u", k->items[i].number);
      return;
    }
  }
  buffer_printf(out, "(" EDIT_COPY ")", EDIT_SPAN(n->tokens));
}

/* --- places -------------------------------------------------------------------------------------------------------- */

static bool is_vector(const tree_node *n) { return n->type != NULL && n->type->kind == TREE_TYPE_VECTOR; }

/* What an lvalue is an element of; NULL: a pointer leads to it. */
static const tree_node *around(const tree_node *n) {
  switch (n->kind) {
    case TREE_SUBSCRIPT: return is_vector(n->children[0]) ? tree_bare(n->children[0]) : memory_decayed(n->children[0]);
    case TREE_DEREFERENCE: return memory_decayed(n->children[0]);
    case TREE_MEMBER:
    case TREE_SWIZZLE: return n->arrow ? NULL : tree_bare(n->children[0]);
    default: return NULL;
  }
}

/* Pointer and indices of the lvalue, outermost last. */
static void keep_place(keeping *k, const tree_node *lvalue) {
  const tree_node *n = tree_bare(lvalue), *whole = around(n);
  if (n->kind == TREE_NAME || n->child_count == 0) return;
  if (whole != NULL)
    keep_place(k, whole);
  else
    keep(k, n->children[0]);
  if (n->kind == TREE_SUBSCRIPT) keep(k, n->children[1]);
}

static uint64_t first_lane(const tree_node *swizzle) {
  uint8_t least = 255;
  for (uint32_t i = 0; i < swizzle->lane_count; i++) least = swizzle->lanes[i] < least ? swizzle->lanes[i] : least;
  return least * tree_component(swizzle->type)->size;
}

static void put_scaled(const keeping *k, const tree_node *index, uint64_t size, buffer *out) {
  buffer_puts(out, " + (ulong)((long)");
  put_value(k, index, out);
  buffer_printf(out, " * %lldl)", (long long)size);
}

/* From the first byte of the variable that the lvalue is a part of; false: that cannot be written. */
static bool put_offset(const keeping *k, const tree_node *lvalue, buffer *out) {
  const tree_node *n = tree_bare(lvalue), *whole = around(n);
  if (n->kind == TREE_NAME) {
    buffer_puts(out, "0ul");
    return true;
  }
  if (whole == NULL || !put_offset(k, whole, out)) return false;
  if (n->kind == TREE_SUBSCRIPT) {
    put_scaled(k, n->children[1], n->type->size, out);
  } else if (n->kind == TREE_SWIZZLE) {
    buffer_printf(out, " + %lluul", (unsigned long long)first_lane(n));
  } else if (n->kind == TREE_MEMBER && !n->symbol->bit_field) {
    if (!is_known_there(k->w, whole->type) || whole->type->record == NULL) return false;
    char *type = tree_value_text(whole->type->plain);
    buffer_printf(out, " + (ulong)&((%s *)0)->%s", type, n->symbol->name);
    free(type);
  }
  return true;
}

/* Whether no number that changes is in an address. */
static bool is_fixed(const tree_node *address) {
  for (const tree_node *n = address; n != NULL; n = tree_next(address, n)) {
    const tree_type *t = n->kind == TREE_NAME ? n->symbol->type : NULL;
    if (n->kind == TREE_CALL || (t != NULL && t->kind != TREE_TYPE_POINTER && t->kind != TREE_TYPE_ARRAY)) return false;
  }
  return true;
}

static const char *as_number(const tree_node *address, const tree_type *of) {
  return of != NULL && of->space == TREE_SPACE_LOCAL && is_fixed(address) ? "cltc_local_address" : "(ulong)";
}

/* The address of an lvalue that a pointer leads to, as a number. */
static void put_address(const keeping *k, const tree_node *lvalue, buffer *out) {
  const tree_node *n = tree_bare(lvalue);
  const bool part = n->kind == TREE_SWIZZLE || (n->kind == TREE_SUBSCRIPT && is_vector(n->children[0])) ||
                    (n->kind == TREE_MEMBER && n->symbol->bit_field);
  if (n->kind == TREE_DEREFERENCE || (part && n->arrow)) {
    buffer_printf(out, "%s(", as_number(n->children[0], n->type));
    put_value(k, n->children[0], out);
    buffer_putc(out, ')');
  } else if (part) {
    put_address(k, n->children[0], out);
  } else {
    buffer_printf(out, "%s(&(" EDIT_COPY "))", as_number(n, n->type), EDIT_INSIDE(n->tokens));
  }
  if (n->kind == TREE_SWIZZLE)
    buffer_printf(out, " + %lluul", (unsigned long long)first_lane(n));
  else if (part && n->kind == TREE_SUBSCRIPT)
    put_scaled(k, n->children[1], n->type->size, out);
}

/* --- checks -------------------------------------------------------------------------------------------------------- */

static unsigned kind_of(const touch *t) {
  switch (t->kind) {
    case CHECK_READ:
    case CHECK_COPY_READ:
    case CHECK_ATOMIC_LOAD: return 1;
    case CHECK_WRITE:
    case CHECK_COPY_WRITE: return 2;
    default: return 3;
  }
}

static bool is_global(const tree_type *t) {
  return t != NULL && (t->space == TREE_SPACE_GLOBAL || t->space == TREE_SPACE_CONSTANT);
}

static const tree_type *type_of(const touch *t) {
  return t->form == TOUCH_LVALUE ? t->object->type : t->object->type->element;
}

/* Memory that a copy may be about. */
static bool is_shared(const touch *t) {
  const tree_type *to = type_of(t);
  return is_global(to) || (to != NULL && to->space == TREE_SPACE_LOCAL);
}

static unsigned what_of(const touch *t, size_t number) {
  const tree_type *to = type_of(t);
  return (unsigned)number << 4 | (is_global(to) ? 0U : 4U) | kind_of(t);
}

static bool is_in_loop(const tree_node *n) {
  while (n != NULL && !tree_is_loop(n->kind)) n = n->parent;
  return n != NULL;
}

static void put_check(const memory_writer *w, const touch *t, size_t number, const char *handle, const char *offset,
                      buffer *out) {
  const bool aligned = w->m->widens && t->align > 1, apart = w->m->copies && is_shared(t);
  buffer_puts(out, apart ? "CLTC_APART(" : "");
  buffer_printf(out, "CLTC_IN%s(%s, (ulong)(%s), %uu, %u, %uu",
                aligned                ? "_ALIGNED"
                : is_in_loop(t->whole) ? "_LOOP"
                                       : "",
                handle, offset, (unsigned)t->bytes, kind_of(t), what_of(t, number));
  if (aligned) buffer_printf(out, ", %uu", (unsigned)t->align);
  buffer_putc(out, ')');
  if (apart) buffer_printf(out, ", %s, (ulong)(%s), %uu, %uu)", handle, offset, (unsigned)t->bytes, what_of(t, number));
}

/* Handle and offset of an lvalue. */
static bool put_place(const keeping *k, const touch *t, buffer *handle, buffer *offset) {
  const memory_root r = root_of_lvalue(t->object);
  if (r.pointer == NULL) {
    const tree_symbol *s = r.name->symbol;
    buffer_printf(handle, "CLTC_OBJECT(0ul, %uu, %lluul)", (unsigned)memory_number(k->w->m, s),
                  (unsigned long long)s->type->size);
    return put_offset(k, t->object, offset);
  }
  put_origin(k, r.pointer, handle);
  put_address(k, t->object, offset);
  buffer_printf(offset, " - %s.x", buffer_text(handle));
  return true;
}

/* … and of what a pointer points to, `index` steps further. */
static void put_pointed(const keeping *k, const touch *t, buffer *handle, buffer *offset) {
  put_origin(k, t->object, handle);
  buffer_printf(offset, "%s(", as_number(t->object, t->object->type->element));
  put_value(k, t->object, offset);
  buffer_printf(offset, ") - %s.x", buffer_text(handle));
  if (t->form == TOUCH_VECTOR) put_scaled(k, t->index, t->step * t->object->type->element->size, offset);
}

/* --- the text around ----------------------------------------------------------------------------------------------- */

/* A value of the type that stands for what is not read. */
static char *nothing_of(const tree_type *t) {
  if (t->kind == TREE_TYPE_VOID) return text_of("(void)0");
  char *type = tree_value_text(t->plain);
  char *out = t->kind == TREE_TYPE_RECORD   ? text_of("(%s){0}", type)
              : t->kind == TREE_TYPE_VECTOR ? text_of("(%s)(0)", type)
                                            : text_of("(%s)0", type);
  free(type);
  return out;
}

/* What the language would make an int of, it must not become. */
static char *cast_back(const tree_type *t) {
  const bool small = (t->kind == TREE_TYPE_INTEGER || t->kind == TREE_TYPE_BOOL) && t->size < 4;
  char *type = small ? tree_value_text(t->plain) : NULL;
  char *out = small ? text_of("(%s)", type) : text_of("%s", "");
  free(type);
  return out;
}

/* Whether nobody looks at the value. */
static bool is_statement(const tree_node *n) {
  while (n->parent->kind == TREE_PARENTHESES) n = n->parent;
  const tree_node *p = n->parent;
  return p->kind == TREE_EXPRESSION || (p->kind == TREE_FOR && n->index != 1);
}

static void wrap(memory_writer *w, const tree_node *whole, const buffer *first, const buffer *check,
                 const char *otherwise) {
  const bool unused = is_statement(whole);
  char *cast = unused ? text_of("(void)") : cast_back(whole->type);
  edit_wrap(w->e, whole->tokens,
            text_of("(%s(%s%s ? %s(", cast, buffer_text(first), buffer_text(check), unused ? "(void)" : ""),
            text_of(") : %s))", unused ? "(void)0" : otherwise));
  free(cast);
}

/* A dropped write has the value that was to be written. */
static char *otherwise_of(const keeping *k, const touch *t) {
  const tree_type *type = t->whole->type;
  if (t->kind != CHECK_WRITE || t->form != TOUCH_LVALUE) return nothing_of(type);
  buffer value = {0};
  char *name = tree_value_text(type->plain);
  if (type->kind != TREE_TYPE_RECORD) buffer_printf(&value, "(%s)", name);
  put_value(k, t->value, &value);
  free(name);
  return buffer_take(&value);
}

static bool write_plain(memory_writer *w, const touch *t, size_t number) {
  keeping k = {.w = w};
  buffer first = {0}, check = {0}, handle = {0}, offset = {0};
  if (t->form == TOUCH_LVALUE) {
    keep_place(&k, t->object);
    if (t->value != NULL) keep(&k, t->value);
  }
  for (uint32_t i = 0; t->form != TOUCH_LVALUE && i < t->whole->child_count; i++) {
    const tree_node *argument = t->whole->children[i];
    const bool pointer = argument->tokens.first == t->object->tokens.first;
    keep(&k, pointer ? t->object : argument);
  }
  bool done = !k.failed && is_known_there(w, t->whole->type);
  if (done && t->form == TOUCH_LVALUE)
    done = put_place(&k, t, &handle, &offset);
  else if (done)
    put_pointed(&k, t, &handle, &offset);
  if (done) {
    keep_all(&k, &first);
    put_check(w, t, number, buffer_text(&handle), buffer_text(&offset), &check);
    char *otherwise = otherwise_of(&k, t);
    wrap(w, t->whole, &first, &check, otherwise);
    free(otherwise);
  }
  buffer_free(&first);
  buffer_free(&check);
  buffer_free(&handle);
  buffer_free(&offset);
  return done;
}

/* A copy gets as many elements as there are on both sides. */
static bool write_copy(memory_writer *w, const touch *t, size_t number) {
  keeping k = {.w = w};
  keep(&k, t->object);
  if (t->stride != NULL) keep(&k, t->stride);
  if (k.failed) return false;
  buffer first = {0}, handle = {0}, offset = {0}, stride = {0}, events = {0};
  put_pointed(&k, t, &handle, &offset);
  if (t->stride != NULL) {
    buffer_puts(&stride, "(ulong)");
    put_value(&k, t->stride, &stride);
  }
  put_events(t->whole, &events);
  keep_all(&k, &first);
  if (first.length > 0) edit_wrap(w->e, t->whole->tokens, text_of("(%s", buffer_text(&first)), text_of(")"));
  edit_wrap(w->e, t->index->tokens,
            text_of("(size_t)cltc_fits(cltc, %s, (ulong)(%s), %uu, %s, (ulong)(", buffer_text(&handle),
                    buffer_text(&offset), (unsigned)t->bytes, t->stride != NULL ? buffer_text(&stride) : "1ul"),
            text_of("), %uu, cltc_path, %uu, %s)", what_of(t, number), has_own_event(t->whole) ? 0U : 1U,
                    buffer_text(&events)));
  buffer_free(&events);
  buffer_free(&first);
  buffer_free(&handle);
  buffer_free(&offset);
  buffer_free(&stride);
  return true;
}

static bool write_pixel(memory_writer *w, const touch *t, size_t number) {
  keeping k = {.w = w};
  for (uint32_t i = 1; i < t->whole->child_count && t->index != NULL; i++) keep(&k, t->whole->children[i]);
  if (k.failed) return false;
  buffer first = {0}, check = {0}, coordinates = {0};
  buffer_puts(&check, t->index == NULL ? "cltc_sampled(cltc" : "cltc_pixel(cltc");
  if (t->index != NULL) {
    put_value(&k, t->index, &coordinates);
    put_pixel(buffer_text(&coordinates), t->index, t->object, &check);
  }
  buffer_puts(&check, ", ");
  put_handle(w, t->object, &check);
  buffer_printf(&check, ", %uu, cltc_path)", (unsigned)number << 4 | 4U | kind_of(t));
  keep_all(&k, &first);
  char *otherwise = nothing_of(t->whole->type);
  wrap(w, t->whole, &first, &check, otherwise);
  free(otherwise);
  buffer_free(&first);
  buffer_free(&check);
  buffer_free(&coordinates);
  return true;
}

/* pass_text.c: the text around an access. */
static void write_touch(memory_writer *w, const touch *t, size_t number) {
  bool (*const how)(memory_writer *, const touch *, size_t) = t->form == TOUCH_COPY    ? write_copy
                                                              : t->form == TOUCH_PIXEL ? write_pixel
                                                                                       : write_plain;
  if (!how(w, t, number)) w->m->left_out = true;
}

/* The text of a program with bounds: its preamble, hidden parameters, and the edits of a function. */

bool is_memory_parameter(const tree_symbol *s) {
  const tree_type *t = s != NULL ? s->type : NULL;
  const tree_space space = t != NULL && t->kind == TREE_TYPE_POINTER ? t->element->space : TREE_SPACE_NONE;
  return space == TREE_SPACE_GLOBAL || space == TREE_SPACE_CONSTANT || space == TREE_SPACE_LOCAL ||
         (t != NULL && t->kind == TREE_TYPE_IMAGE);
}

static bool is_local(const tree_symbol *s) {
  return s->type->kind == TREE_TYPE_POINTER && s->type->element->space == TREE_SPACE_LOCAL;
}

static bool is_local_array(const tree_node *n) {
  return n->kind == TREE_VARIABLE && n->type != NULL && n->type->space == TREE_SPACE_LOCAL && n->type->size > 0;
}

/* --- the preamble -------------------------------------------------------------------------------------------------- */

typedef struct found_objects {
  unsigned globals, locals;
} found_objects;

/* Memory of a kernel that an address may be in. */
static found_objects objects_of(const tree_node *kernel) {
  found_objects o = {0};
  for (uint32_t i = 0; i + 1 < kernel->child_count; i++) {
    const tree_symbol *s = kernel->children[i]->symbol;
    if (is_memory_parameter(s) && s->type->kind == TREE_TYPE_POINTER) {
      o.locals += is_local(s) ? 1 : 0;
      o.globals += is_local(s) ? 0 : 1;
    }
  }
  const tree_node *body = tree_body(kernel);
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) o.locals += is_local_array(n) ? 1 : 0;
  return o;
}

void memory_before(const void *state, const program *p, buffer *out) {
  const memory_form *m = state;
  found_objects most = {1, 1};
  for (size_t i = 0; i < p->function_count; i++) {
    const found_objects o = objects_of(p->functions[i].node);
    most.globals = o.globals > most.globals ? o.globals : most.globals;
    most.locals = o.locals > most.locals ? o.locals : most.locals;
  }
  if (m->looks_up) {
    buffer_printf(out, "#define CLTC_LOOKS_UP\n#define CLTC_GLOBALS %u\n#define CLTC_LOCALS %u\n", most.globals,
                  most.locals);
  }
  buffer_puts(out, m->leaves ? "#define CLTC_FUEL 100000u\n" : "");
  buffer_puts(out, m->copies ? "#define CLTC_COPIES\n" : "");
  buffer_puts(out, m->vague ? "#define CLTC_VAGUE\n" : "");
  buffer_puts(out, m->pixels ? "#define CLTC_PIXELS\n" : "");
  put_parts(m, out);
  buffer_puts(out, instrument_memory);
}

/* --- parameters ---------------------------------------------------------------------------------------------------- */

void memory_parameters(const void *state, const pp_result *text, const tree_node *declared, edits *e) {
  (void)state;
  buffer out = {0};
  for (uint32_t i = 0; i + 1 < declared->child_count; i++)
    if (is_memory_parameter(declared->children[i]->symbol)) buffer_printf(&out, ", ulong2 cltc_p%u", (unsigned)i);
  edit_add(e, tree_parameters(text, declared).last, EDIT_BEFORE, 1, EDIT_PLAIN, buffer_take(&out));
}

void memory_handed(const void *state, const pp_result *text, const tree_node *declared, edits *e) {
  (void)state;
  buffer out = {0};
  const uint32_t count = declared->child_count - (tree_body(declared) != NULL ? 1 : 0);
  for (uint32_t i = 0; i < count; i++)
    if (declared->children[i] != NULL && is_handled_type(declared->children[i]->type))
      buffer_printf(&out, ", ulong2 cltc_h%u", (unsigned)i);
  buffer_puts(&out, ", ulong cltc_path");
  edit_add(e, tree_parameters(text, declared).last, EDIT_BEFORE, 0, declared->symbol->kernel ? EDIT_TWIN : EDIT_BOTH,
           buffer_take(&out));
}

/* --- kernels ------------------------------------------------------------------------------------------------------- */

/* The handles of a kernel's parameters. */
static void begin_kernel(memory_writer *w) {
  const tree_node *kernel = w->f->node;
  buffer out = {0};
  buffer_puts(&out,
              " cltc_context cltc_c; __private cltc_context *const cltc = &cltc_c;"
              " cltc_begin(cltc, cltc_flags, cltc_capacity); const ulong cltc_path = 0ul;");
  buffer_puts(&out, w->m->p->form->brief ? "" : " cltc->filling = (uint)cltc_first;");
  found_objects n = {0};
  for (uint32_t i = 0; i + 1 < kernel->child_count; i++) {
    const tree_symbol *s = kernel->children[i]->symbol;
    if (!is_handled_type(kernel->children[i]->type)) continue;
    if (s->type->kind == TREE_TYPE_IMAGE) {
      buffer_printf(&out, " ulong2 cltc_h%u = CLTC_OBJECT(cltc_p%u.x, %uu, cltc_p%u.y);", (unsigned)i, (unsigned)i,
                    (unsigned)i, (unsigned)i);
      continue;
    }
    if (!is_memory_parameter(s)) {
      buffer_printf(&out, " ulong2 cltc_h%u = CLTC_UNKNOWN;", (unsigned)i);
      continue;
    }
    buffer_printf(&out,
                  " ulong2 cltc_h%u = (ulong2)((ulong)%s - cltc_p%u.x, (cltc_p%u.y & 0xffffffffffffful) | %uul << 52);",
                  (unsigned)i, s->name, (unsigned)i, (unsigned)i, (unsigned)i);
    if (w->m->looks_up) {
      buffer_printf(&out, " cltc->%s[%u] = cltc_h%u;", is_local(s) ? "locals" : "globals",
                    is_local(s) ? n.locals++ : n.globals++, (unsigned)i);
    }
  }
  edit_add(w->e, body_start(&w->m->p->units[w->f->unit].text, w->f), EDIT_AFTER, 1, EDIT_PLAIN, buffer_take(&out));
}

/* Each work-item comes to the end, where it says whether anything was wrong. */
static void end_kernel(memory_writer *w) {
  const tree_node *body = tree_body(w->f->node);
  bool returns = false;
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
    if (n->kind == TREE_RETURN) {
      returns = true;
      edit_add(w->e, statement_begin(n), EDIT_REPLACE, 0, EDIT_PLAIN, text_of("goto cltc_exit"));
    }
  }
  edit_add(w->e, w->f->body.last, EDIT_BEFORE, 1, EDIT_PLAIN, text_of("%sCLTC_END ", returns ? "cltc_exit: ; " : ""));
}

/* Arrays in local memory can be found from their declarations on. */
static void know_arrays(memory_writer *w) {
  unsigned at = 0;
  for (uint32_t i = 0; i + 1 < w->f->node->child_count; i++) {
    const tree_symbol *s = w->f->node->children[i]->symbol;
    at += is_memory_parameter(s) && is_local(s) ? 1 : 0;
  }
  const tree_node *body = tree_body(w->f->node);
  for (const tree_node *n = body; n != NULL && w->m->looks_up; n = tree_next(body, n)) {
    if (is_local_array(n)) {
      const bool array = n->type->kind == TREE_TYPE_ARRAY;
      edit_add(
          w->e, tree_statement_of(n)->tokens.last, EDIT_AFTER, UINT32_MAX, EDIT_PLAIN,
          text_of(" cltc->locals[%u] = CLTC_OBJECT(cltc_local_address(%s%s), %uu, %lluul);", at++, array ? "" : "&",
                  n->symbol->name, (unsigned)memory_number(w->m, n->symbol), (unsigned long long)n->type->size));
    }
  }
}

/* --- loops --------------------------------------------------------------------------------------------------------- */

static bool is_there(const tree_node *part, bool (*is)(const tree_node *)) {
  for (const tree_node *n = part; n != NULL; n = tree_next(part, n))
    if (is(n)) return true;
  return false;
}

static bool is_read(const tree_node *n) {
  return n->kind == TREE_SUBSCRIPT || n->kind == TREE_DEREFERENCE || n->kind == TREE_CALL || n->arrow;
}

static bool is_meeting_place(const tree_node *n) {
  const tree_builtin_kind kind = n->kind == TREE_CALL && n->builtin != NULL ? n->builtin->kind : TREE_MATH;
  return kind == TREE_BARRIER || kind == TREE_ASYNC_COPY || kind == TREE_ASYNC_WAIT || kind == TREE_GROUP ||
         kind == TREE_SUB_GROUP;
}

static bool is_own_call(const tree_node *n) { return n->kind == TREE_CALL && n->builtin == NULL; }

/* Whether what is read may decide how often it turns. Where work-items of a group wait for each other, none leaves. */
static bool may_turn_for_ever(const memory_writer *w, const tree_node *n) {
  const bool counts = n->kind == TREE_FOR && n->children[1] != NULL && n->children[2] != NULL &&
                      !is_there(n->children[1], is_read) && !is_there(n->children[2], is_read);
  return tree_is_loop(n->kind) && !n->not_executed && !counts && !is_done_once(n) && !is_there(n, is_meeting_place) &&
         !(w->f->has_barrier && is_there(n, is_own_call));
}

/* A sentinel is in no memory outside: a work-item that has read there often leaves its loops. */
static void write_loops(memory_writer *w) {
  for (size_t i = 0; i < w->f->statements.count; i++) {
    const tree_node *n = w->f->statements.items[i];
    if (!may_turn_for_ever(w, n)) continue;
    const span condition = statement_condition(n);
    w->m->leaves = true;
    if (span_empty(condition))
      edit_add(w->e, n->parts->ends[1], EDIT_BEFORE, 0, EDIT_BOTH, text_of(" cltc_goes_on(cltc)"));
    else
      edit_wrap(w->e, condition, text_of("(cltc_goes_on(cltc) && ("), text_of("))"));
  }
}

/* --- functions ----------------------------------------------------------------------------------------------------- */

static uint32_t calls_before(const program *p, uint32_t index) {
  uint32_t calls = 0;
  for (uint32_t i = 0; i < index; i++) calls += (uint32_t)p->functions[i].call_count;
  return calls;
}

static void write_function(memory_form *m, uint32_t index, edits *e) {
  memory_writer w = {.m = m, .f = &m->p->functions[index], .e = e};
  write_handles(&w);
  write_waits(&w);
  write_loops(&w);
  write_calls(&w, calls_before(m->p, index));
  for (size_t i = 0; i < m->count && i < MEMORY_ACCESSES; i++)
    if (m->items[i].function == index) write_touch(&w, &m->items[i], i);
  const uint32_t start = body_start(&m->p->units[w.f->unit].text, w.f);
  edit_add(e, start, EDIT_AFTER, 1, EDIT_BOTH, text_of("%s", buffer_text(&w.declared)));
  if (w.f->node->symbol->kernel) {
    begin_kernel(&w);
    know_arrays(&w);
    if (m->p->form->brief || m->copies) end_kernel(&w);
  }
  buffer_free(&w.declared);
  free(w.handled);
}

void memory_function(const void *state, const program *p, uint32_t index, edits *e) {
  (void)p;
  memory_form m = *(const memory_form *)state; /* all that it could add is there since memory_try */
  write_function(&m, index, e);
}

void memory_try(memory_form *m) {
  for (int round = 0; round < 2; round++) { /* the second one knows whether it looks up */
    for (uint32_t i = 0; i < m->p->function_count; i++) {
      edits nowhere = {0};
      write_function(m, i, &nowhere);
      edit_free(&nowhere);
    }
  }
}
