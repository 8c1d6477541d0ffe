/* The text of a checked program: a context, its beginning in kernels, and checks around accesses; and what the caller
 * learns of it. */
#include "detectors/races/pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detectors/races/record.h"
#include "instrument/edit.h"
#include "instrument/forms.h"

enum { MAX_SITES = 4095 }; /* the last number stands for an access that is not known any more */

static const char *memory_of(const access *a) { return a->local ? "local" : "global"; }

/* Whether some access finds its object when it runs. */
static bool looks_up(const checked *c) {
  bool any = false;
  for (size_t i = 0; i < c->found.count; i++)
    any = any || (c->found.items[i].root == NONE && c->found.items[i].form != ACCESS_PIXEL);
  return any;
}

static bool has_copies(const checked *c) {
  bool any = false;
  for (size_t i = 0; i < c->found.count; i++) any = any || c->found.items[i].form == ACCESS_COPY;
  return any;
}

/* In global memory: only they order work-groups. */
static bool has_atomics(const checked *c) {
  bool any = false;
  for (size_t i = 0; i < c->found.count; i++) {
    const access *a = &c->found.items[i];
    any = any || (!a->local && (a->kind == CHECK_ATOMIC || a->kind == CHECK_ATOMIC_LOAD));
  }
  return any;
}

/* Whether no number that changes is in an address. */
static bool is_fixed(const access *a) {
  for (const tree_node *n = a->object; n != NULL; n = tree_next(a->object, n)) {
    const tree_type *t = n->kind == TREE_NAME ? n->symbol->type : NULL;
    if (n->kind == TREE_CALL || (t != NULL && t->kind != TREE_TYPE_POINTER && t->kind != TREE_TYPE_ARRAY)) return false;
  }
  return a->index == NULL;
}

static bool has_fixed(const checked *c) {
  bool any = false;
  for (size_t i = 0; i < c->found.count; i++)
    any = any || (c->found.items[i].local && c->found.items[i].root != NONE && is_fixed(&c->found.items[i]));
  return any;
}

/* --- the preamble -------------------------------------------------------------------------------------------------- */

static void checked_before(const void *state, const program *p, buffer *out) {
  const checked *c = state;
  uint32_t most[2] = {1, 1};
  for (size_t i = 0; i < p->function_count; i++) {
    const kernel_objects *k = &c->kernels[i];
    const uint32_t locals = (uint32_t)k->count - k->globals;
    most[0] = k->globals > most[0] ? k->globals : most[0];
    most[1] = locals > most[1] ? locals : most[1];
  }
  if (looks_up(c)) {
    buffer_printf(out, "#define CLTC_LOOKS_UP\n#define CLTC_GLOBALS %u\n#define CLTC_LOCALS %u\n", (unsigned)most[0],
                  (unsigned)most[1]);
  }
  buffer_puts(out, c->found.sub_groups ? "#define CLTC_SUB_GROUPS\n" : "");
  buffer_puts(out, has_copies(c) ? "#define CLTC_COPIES\n" : "");
  buffer_puts(out, has_atomics(c) ? "#define CLTC_ATOMICS\n" : "");
  buffer_puts(out, instrument_checked);
}

/* --- kernels ------------------------------------------------------------------------------------------------------- */

static void checked_parameters(const void *state, const pp_result *text, const tree_node *declared, edits *e) {
  const checked *c = state;
  const function *f = defined_elsewhere(c->p, declared);
  const kernel_objects *k = f == NULL ? NULL : &c->kernels[f - c->p->functions];
  buffer out = {0};
  buffer_puts(&out, ", ulong2 cltc_areas");
  for (size_t i = 0; k != NULL && i < k->count; i++)
    if (k->items[i].parameter != NONE) buffer_printf(&out, ", ulong2 cltc_p%u", (unsigned)k->items[i].parameter);
  edit_add(e, tree_parameters(text, declared).last, EDIT_BEFORE, 1, EDIT_PLAIN, buffer_take(&out));
}

static void put_base(const checked *c, const kernel_objects *k, const kernel_object *o, buffer *out) {
  const unsigned n = (unsigned)object_number(k, o);
  const char *memory = o->local ? "local" : "global";
  const bool array = o->parameter == NONE;
  const char *address = array && o->symbol->type->kind != TREE_TYPE_ARRAY ? "&" : "";
  if (o->image) {
    buffer_printf(out, " const ulong cltc_%s_b%u = 0ul;", memory, n);
  } else if (array && has_fixed(c)) {
    buffer_printf(out, " volatile ulong cltc_at%u = (ulong)%s%s; const ulong cltc_%s_b%u = cltc_at%u;", n, address,
                  o->symbol->name, memory, n, n);
  } else {
    buffer_printf(out, " const ulong cltc_%s_b%u = (ulong)%s%s;", memory, n, address, o->symbol->name);
  }
}

/* An object becomes known: its base and its cells, as variables of the kernel and, where objects are found when the
 * kernel runs, in the context. */
static void put_object(const checked *c, const kernel_objects *k, const kernel_object *o, buffer *out) {
  const char *memory = o->local ? "local" : "global";
  const unsigned n = (unsigned)object_number(k, o);
  const bool array = o->parameter == NONE;
  put_base(c, k, o, out);
  if (array) {
    buffer_printf(out, " const ulong2 cltc_%s_c%u = (ulong2)(0x%llxul, %lluul);", memory, n,
                  (unsigned long long)((uint64_t)(o->shift > 0 ? o->shift - 1 : 0) << 62 | o->first_cell),
                  (unsigned long long)o->symbol->type->size);
  } else {
    buffer_printf(out, " const ulong2 cltc_%s_c%u = cltc_p%u;", memory, n, (unsigned)o->parameter);
  }
  if (!looks_up(c)) return;
  if (o->image) { /* no pointer leads there */
    buffer_printf(out, " cltc->%s_base[%u] = 0ul; cltc->%s_cells[%u] = (ulong2)(0ul, 0ul);", memory, n, memory, n);
    return;
  }
  buffer_printf(out, " cltc->%s_base[%u] = cltc_%s_b%u; cltc->%s_cells[%u] = cltc_%s_c%u;", memory, n, memory, n,
                memory, n, memory, n);
}

static void begin_kernel(const checked *c, uint32_t index, edits *e) {
  const function *f = &c->p->functions[index];
  const kernel_objects *k = &c->kernels[index];
  buffer entry = {0};
  buffer_puts(&entry,
              " cltc_context cltc_c; __private cltc_context *const cltc = &cltc_c;"
              " cltc_begin(cltc, cltc_flags, cltc_slots, cltc_first, cltc_capacity, cltc_areas);");
  const bool found = looks_up(c);
  if (found) {
    buffer_printf(&entry, " cltc->globals = %uu; cltc->locals = %uu;", (unsigned)k->globals,
                  (unsigned)(k->count - k->globals));
  }
  for (size_t i = 0; i < k->count; i++) {
    if (k->items[i].parameter != NONE) {
      put_object(c, k, &k->items[i], &entry);
    } else if (found) { /* until its declaration */
      const unsigned n = (unsigned)object_number(k, &k->items[i]);
      buffer_printf(&entry, " cltc->local_base[%u] = 0ul; cltc->local_cells[%u] = (ulong2)(0ul, 0ul);", n, n);
    }
  }
  edit_add(e, body_start(&c->p->units[f->unit].text, f), EDIT_AFTER, 1, EDIT_PLAIN, buffer_take(&entry));
}

static void know_arrays(const checked *c, uint32_t index, edits *e) {
  const kernel_objects *k = &c->kernels[index];
  for (size_t i = 0; i < k->count; i++) {
    const kernel_object *o = &k->items[i];
    if (o->parameter == NONE) {
      buffer out = {0};
      put_object(c, k, o, &out);
      const tree_node *declared = tree_statement_of(o->symbol->declaration);
      edit_add(e, declared->tokens.last, EDIT_AFTER, UINT32_MAX, EDIT_PLAIN, buffer_take(&out));
    }
  }
}

/* --- accesses ------------------------------------------------------------------------------------------------------ */

static const char *const kinds[] = {
    [CHECK_READ] = "CLTC_READ",       [CHECK_WRITE] = "CLTC_WRITE",      [CHECK_UPDATE] = "CLTC_UPDATE",
    [CHECK_ATOMIC] = "CLTC_ATOMIC",   [CHECK_ATOMIC_LOAD] = "CLTC_LOOK", [CHECK_COPY_READ] = "CLTC_READ",
    [CHECK_COPY_WRITE] = "CLTC_WRITE"};

/* ", …)": the arguments after the pointer. */
static char *arguments_of(const access *a, size_t number) {
  buffer out = {0};
  if (a->root != NONE) {
    buffer_printf(&out, ", cltc_%s_b%u, cltc_%s_c%u, %uu", memory_of(a), (unsigned)a->root, memory_of(a),
                  (unsigned)a->root, (unsigned)a->root);
  }
  buffer_printf(&out, ", %uu, %uu, %uu, %s%s%s)", (unsigned)a->first, (unsigned)a->bytes, (unsigned)number,
                kinds[a->kind], a->ordered ? " | CLTC_ORDERED" : "", a->of_group ? " | CLTC_OF_GROUP" : "");
  return buffer_take(&out);
}

/* "(__global const float *)" for what is of this type. */
static char *cast_to(const tree_type *t) {
  char *plain = tree_plain_text(t);
  char *out = text_of("(%s %s%s%s *)", tree_space_name(t->space), t->is_const ? "const " : "",
                      t->is_volatile ? "volatile " : "", plain);
  free(plain);
  return out;
}

/* The function that checks. */
static const char *checks_with(const access *a) {
  if (a->root == NONE) return a->apart ? "cltc_apart_any" : a->local ? "cltc_local_any" : "cltc_global_any";
  return a->apart ? "cltc_apart" : !a->local ? "cltc_global" : is_fixed(a) ? "cltc_local_fixed" : "cltc_local";
}

static void wrap_lvalue(const access *a, size_t number, edits *e) {
  char *cast = cast_to(a->object->type);
  char *rest = arguments_of(a, number);
  edit_wrap(e, a->object->tokens, text_of("(*%s%s(cltc, &(", cast, checks_with(a)), text_of(")%s)", rest));
  free(cast);
  free(rest);
}

static void wrap_pointer(const access *a, size_t number, edits *e) {
  char *cast = cast_to(a->object->type->element);
  char *rest = arguments_of(a, number);
  edit_wrap(e, a->object->tokens, text_of("(%s%s(cltc, (", cast, checks_with(a)), text_of(")%s)", rest));
  free(cast);
  free(rest);
}

#define COPY_OF(node) (unsigned)(node)->tokens.first, (unsigned)(node)->tokens.last, UINT32_MAX

/* A check in front of the call, with its arguments written once more. */
static char *vector_check(const access *a, size_t number) {
  char *rest = arguments_of(a, number);
  char *out = text_of("(void)%s(cltc, (" EDIT_COPY ") + %uul * (size_t)(" EDIT_COPY ")%s, ", checks_with(a),
                      COPY_OF(a->object), (unsigned)a->step, COPY_OF(a->index), rest);
  free(rest);
  return out;
}

static char *copy_check(const access *a, size_t number) {
  char *stride = a->stride != NULL ? text_of("(ulong)(" EDIT_COPY ")", COPY_OF(a->stride)) : text_of("1ul");
  char *out =
      text_of("cltc_copy_%s(cltc, (" EDIT_COPY "), (ulong)(" EDIT_COPY "), %s, %uu, %uu, %s), ", memory_of(a),
              COPY_OF(a->object), COPY_OF(a->index), stride, (unsigned)a->bytes, (unsigned)number, kinds[a->kind]);
  free(stride);
  return out;
}

static char *pixel_check(const access *a, size_t number) {
  char *coordinates = text_of("(" EDIT_COPY ")", COPY_OF(a->index));
  buffer out = {0};
  buffer_puts(&out, "cltc_pixel(cltc");
  put_pixel(coordinates, a->index, a->object, &out);
  free(coordinates);
  char *pixels = text_of("cltc_global_c%u.y", (unsigned)a->root);
  put_pixel_sizes(a->object, pixels, &out);
  free(pixels);
  buffer_printf(&out, ", cltc_global_c%u, %uu, %uu, %s%s), ", (unsigned)a->root, (unsigned)a->root, (unsigned)number,
                kinds[a->kind], a->object->symbol->access == TREE_READ_WRITE ? " | CLTC_READ_WRITE" : "");
  return buffer_take(&out);
}

/* --- what writes store ---------------------------------------------------------------------------------------------- */

/* The value that a write stores, if its bits can be had; else NULL. It has the type `*type` then. */
static const tree_node *value_of(const access *a, const tree_type **type) {
  const tree_node *n = a->whole;
  if (a->kind != CHECK_WRITE || n == NULL || a->form == ACCESS_POINTER || a->form > ACCESS_VECTOR) return NULL;
  const bool vector = a->form == ACCESS_VECTOR;
  const tree_node *value = vector ? n->children[0] : n->kind == TREE_ASSIGN ? n->children[1] : NULL;
  *type = value == NULL ? NULL : vector ? value->type : n->children[0]->type;
  const tree_type *t = *type != NULL ? (*type)->plain : NULL;
  const bool plain =
      t != NULL && (t->kind == TREE_TYPE_INTEGER || t->kind == TREE_TYPE_FLOAT || t->kind == TREE_TYPE_VECTOR);
  const uint64_t bytes = !plain ? 0 : t->kind == TREE_TYPE_VECTOR && t->count == 3 ? t->size / 4 * 3 : t->size;
  const bool half = plain && tree_component(t)->kind == TREE_TYPE_FLOAT && tree_component(t)->size == 2;
  return plain && !half && bytes == a->bytes ? value : NULL; /* else it is converted, or a part of several */
}

/* As a ulong. */
static char *bits_of(const tree_type *type, const char *name, uint32_t bytes) {
  const tree_type *t = type->plain;
  if (t->kind == TREE_TYPE_VECTOR) return text_of("cltc_digest(&%s, %uu)", name, (unsigned)bytes);
  return t->kind != TREE_TYPE_FLOAT ? text_of("(ulong)%s", name)
                                    : text_of("(ulong)as_%s(%s)", t->size == 8 ? "ulong" : "uint", name);
}

/* What a write stores is computed in front of it, once, and kept for the check. "": nothing is known of it. */
static char *value_in_front(const access *a, size_t number, edits *e, buffer *declared) {
  const tree_type *type = NULL;
  const tree_node *value = value_of(a, &type);
  if (value == NULL) return text_of("%s", "");
  char name[32], *of = tree_value_text(type);
  (void)snprintf(name, sizeof name, "cltc_v%zu", number);
  buffer_printf(declared, " %s %s;", of, name);
  char *bits = bits_of(type, name, a->bytes);
  char *out = text_of("%s = (" EDIT_COPY "), cltc_valued(cltc, %s), ", name, EDIT_SPAN(value->tokens), bits);
  edit_move(e, value->tokens, text_of("%s", name));
  free(bits);
  free(of);
  return out;
}

static void edit_access(const access *a, size_t number, edits *e, buffer *declared) {
  char *front = value_in_front(a, number, e, declared);
  if (a->form <= ACCESS_POINTER) {
    if (front[0] != '\0') edit_wrap(e, a->whole->tokens, text_of("(%s", front), text_of(")"));
    (a->form == ACCESS_LVALUE ? wrap_lvalue : wrap_pointer)(a, number, e);
  } else {
    char *check = a->form == ACCESS_VECTOR ? vector_check(a, number)
                  : a->form == ACCESS_COPY ? copy_check(a, number)
                                           : pixel_check(a, number);
    edit_wrap(e, a->whole->tokens, text_of("(%s%s", front, check), text_of(")"));
    free(check);
  }
  free(front);
}

/* --- barriers ------------------------------------------------------------------------------------------------------ */

static void edit_call(const checked *c, const tree_node *n, edits *e) {
  if (n->builtin == NULL) return;
  const bool flags = n->child_count > 0 && can_repeat(n->children[0]);
  if (n->builtin->kind == TREE_BARRIER && strncmp(n->symbol->name, "sub_group", 9) != 0 && flags) {
    const tree_node *scope = n->child_count > 1 && can_repeat(n->children[1]) ? n->children[1] : NULL;
    edit_wrap(
        e, n->tokens, text_of("("),
        scope == NULL /* by that of a work-item nothing of the others is ordered */
            ? text_of(", cltc_passed(cltc, (uint)(" EDIT_COPY ")))", COPY_OF(n->children[0]))
            : text_of(", cltc_passed(cltc, (" EDIT_COPY ") == memory_scope_work_item ? 0u : (uint)(" EDIT_COPY ")))",
                      COPY_OF(scope), COPY_OF(n->children[0])));
  } else if (n->builtin->kind == TREE_FENCE && strcmp(n->symbol->name, "read_mem_fence") != 0) {
    edit_wrap(e, n->tokens, text_of("("), text_of(", cltc_fence(cltc))"));
  } else if (n->builtin->kind == TREE_ASYNC_COPY && n->child_count > 0 && has_copies(c)) {
    /* Its event is kept apart from it: checked.cl has numbers for events. */
    const tree_node *given = n->children[n->child_count - 1];
    edit_wrap(e, n->tokens, text_of("cltc_begun(cltc, (cltc_event)(" EDIT_COPY "), ", EDIT_SPAN(given->tokens)),
              text_of(")"));
    edit_move(e, given->tokens, text_of("0"));
  } else if (n->builtin->kind == TREE_ASYNC_WAIT && n->child_count > 1 && has_copies(c)) {
    edit_add(e, n->tokens.first, EDIT_REPLACE, 1, EDIT_BOTH, text_of("cltc_wait"));
    edit_add(e, n->children[0]->tokens.first, EDIT_BEFORE, UINT32_MAX, EDIT_BOTH, text_of("cltc, "));
  }
}

static void checked_function(const void *state, const program *p, uint32_t index, edits *e) {
  const checked *c = state;
  const function *f = &p->functions[index];
  buffer declared = {0};
  if (f->node->symbol->kernel) {
    begin_kernel(c, index, e);
    know_arrays(c, index, e);
  }
  for (size_t i = 0; i < c->found.count && i < MAX_SITES; i++)
    if (c->found.items[i].function == index) edit_access(&c->found.items[i], i, e, &declared);
  const uint32_t start = body_start(&p->units[f->unit].text, f);
  edit_add(e, start, EDIT_AFTER, 1, EDIT_BOTH, text_of("%s", buffer_text(&declared)));
  buffer_free(&declared);
  const tree_node *body = tree_body(f->node);
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n))
    if (n->kind == TREE_CALL && !n->not_executed) edit_call(c, n, e);
}

/* Checks as a pass, and what the caller learns: the places of accesses, the objects of kernels. */

/* The token by which a person knows the access: the name of the function, else where the lvalue begins. */
static uint32_t token_of(const access *a) {
  const bool called = a->form != ACCESS_LVALUE && a->form != ACCESS_ARROW && a->whole != NULL;
  return called ? a->whole->token : a->object->tokens.first;
}

static void put_checks(const checked *c, program *p) {
  instrument_result *out = p->out;
  out->checks = mem_calloc(c->found.count + 1, sizeof *out->checks);
  out->check_count = c->found.count;
  out->left_out = c->found.left_out || c->found.count >= CHECKED_ACCESSES;
  out->unbounded = out->left_out || c->found.elsewhere || looks_up(c);
  out->ordered = c->found.ordered;
  for (size_t i = 0; i < c->found.count; i++) {
    const access *a = &c->found.items[i];
    unit *u = &p->units[a->unit];
    const pp_position *at = shown_at(&u->text.tokens[token_of(a)]);
    out->checks[i] = (instrument_check){file_of(p, u, at->file), at->line, at->column, at->offset, a->kind, a->local};
  }
}

static void fill_object(const kernel_object *from, instrument_object *to) {
  const tree_type *t = from->symbol->type;
  const tree_type *element = t->kind == TREE_TYPE_POINTER || t->kind == TREE_TYPE_ARRAY ? t->element : t;
  while (element->kind == TREE_TYPE_ARRAY) element = element->element;
  *to = (instrument_object){.name = mem_strdup(from->symbol->name),
                            .parameter = from->parameter == NONE ? MODEL_NONE : from->parameter,
                            .size = (uint32_t)element->size,
                            .local = from->local,
                            .image = from->image,
                            .shift = from->shift,
                            .writes = from->writes};
}

/* What the caller learns of it, into p->out. */
static void checked_result(const checked *c, program *p) {
  put_checks(c, p);
  for (size_t i = 0; i < p->kernel_count; i++) {
    const kernel_objects *k = &c->kernels[p->kernel_functions[i]];
    instrument_kernel *to = &p->out->kernels[i];
    to->objects = mem_calloc(k->count + 1, sizeof *to->objects);
    to->object_count = k->count;
    to->area = k->area;
    to->total_words = CHECKED_WORDS;
    for (size_t n = 0; n < k->count; n++) fill_object(&k->items[n], &to->objects[n]);
  }
}

static int checked_begin(program *p, void **state, error *e) {
  (void)e;
  checked *c = mem_calloc(1, sizeof *c);
  *state = c;
  c->p = p;
  find_accesses(p, c);
  find_order(p, c);
  find_objects(p, c);
  find_apart(c);
  checked_result(c, p);
  return 0;
}

static void checked_end(void *state) {
  checked *c = state;
  for (size_t i = 0; i < c->p->function_count; i++) free(c->kernels[i].items);
  free(c->kernels);
  free(c->found.items);
  free(c);
}

static const pass checked_pass = {.begin = checked_begin,
                                  .end = checked_end,
                                  .before = checked_before,
                                  .parameters = checked_parameters,
                                  .function = checked_function};

const form_text checked_text = {.title = "/* Checked by cltestcheck. */\n", .passes = {&checked_pass}};
