/* What is to be proved: sources, and the signatures of their kernels. */
#include "proofs/sources/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/opencl_compiler.h"
#include "frontend/facts/accesses.h"
#include "frontend/facts/launch.h"
#include "frontend/frontend.h"
#include "runner/isolate.h"
#include "wire/fields.h"

void observed_launch_free(observed_launch *l) {
  for (size_t i = 0; i < l->argument_count; i++) free(l->arguments[i].bytes);
  free(l->arguments);
  *l = (observed_launch){0};
}

static void free_kernel(asked_kernel *k) {
  for (size_t i = 0; i < k->launch_count; i++) observed_launch_free(&k->launches[i]);
  host_ways_free(k);
  free(k->launches);
  free(k->name);
}

void asked_source_init(asked_source *s, const char *text, size_t length, const char *options, const char *directory,
                       const char *root) {
  *s = (asked_source){0};
  request_of_text(&s->request, "kernel.cl", text, strnlen(text, length), options, directory, root);
}

void asked_source_on(asked_source *s, const char *device) {
  request_source *t = &s->request.sources[0];
  const bool asks = opencl_asks_device(t->text) || opencl_asks_device(t->options);
  char *defined = opencl_device_options(asks ? device : ""); /* else a proof holds on every device */
  buffer options = {0};
  buffer_printf(&options, "%s%s%s", defined, *defined == '\0' || *t->options == '\0' ? "" : " ", t->options);
  free(defined);
  free(s->request.device);
  free(s->read_options);
  s->request.device = mem_strdup(device);
  s->read_options = buffer_take(&options);
  t->input.options = s->read_options;
}

void asked_source_add_header(asked_source *s, const char *name, const char *text) {
  request_source *t = &s->request.sources[0];
  t->headers = mem_realloc(t->headers, (t->header_count + 1) * sizeof *t->headers);
  t->headers[t->header_count++] = (pp_header){mem_strdup(name), mem_strdup(text), strlen(text)};
  t->input.headers = t->headers;
  t->input.header_count = t->header_count;
}

const request_source *asked_text(const asked_source *s) { return &s->request.sources[0]; }

int asked_source_read(asked_source *s, error *e) {
  pp_input input = asked_text(s)->input;
  char *options = annotated_options(asked_text(s)->text, input.options);
  input.options = options;
  const int result = signatures_read(&input, false, &s->signatures, &s->signature_count, &s->digests, e);
  free(options);
  s->every = result != 0;
  return result;
}

void asked_source_choose(asked_source *s, const kernel_choice *which) {
  for (size_t i = 0; i < s->signature_count && !s->observed; i++) (void)asked_kernel_add(s, s->signatures[i].kernel);
  size_t kept = 0;
  for (size_t i = 0; i < s->kernel_count; i++)
    if (kernel_chosen(which, s->kernels[i].name))
      s->kernels[kept++] = s->kernels[i];
    else
      free_kernel(&s->kernels[i]);
  s->kernel_count = kept;
}

const signature *asked_signature(const asked_source *s, const char *kernel) {
  return NAMED(s->signatures, s->signature_count, kernel, kernel);
}

asked_kernel *asked_kernel_find(const asked_source *s, const char *name) {
  return NAMED(s->kernels, s->kernel_count, name, name);
}

asked_kernel *asked_kernel_add(asked_source *s, const char *name) {
  asked_kernel *k = ARRAY_ADD(s->kernels, s->kernel_count, s->kernel_capacity);
  k->name = mem_strdup(name);
  return k;
}

void asked_source_free(asked_source *s) {
  for (size_t i = 0; i < s->kernel_count; i++) free_kernel(&s->kernels[i]);
  free(s->kernels);
  signatures_free(s->signatures, s->signature_count);
  request_free(&s->request);
  free(s->read_options);
  free(s->search);
  free(s->problem);
  *s = (asked_source){0};
}

/* What each is in C. What only stands inside of others goes with them. */
static const struct {
  const char *name, *parameters, *is;
} annotations[] = {
    {"__requires", "(...)", "((void)0)"},
    {"__global_requires", "(...)", "((void)0)"},
    {"__ensures", "(...)", "((void)0)"},
    {"__global_ensures", "(...)", "((void)0)"},
    {"__assume", "(...)", "((void)0)"},
    {"__assert", "(...)", "((void)0)"},
    {"__global_assert", "(...)", "((void)0)"},
    {"__invariant", "(...)", "1"},
    {"__global_invariant", "(...)", "1"},
    {"__candidate_invariant", "(...)", "1"},
    {"__candidate_global_invariant", "(...)", "1"},
    {"__function_wide_invariant", "(...)", "((void)0)"},
    {"__function_wide_candidate_invariant", "(...)", "((void)0)"},
    {"__reads_from", "(...)", "((void)0)"},
    {"__reads_from_local", "(...)", "((void)0)"},
    {"__writes_to", "(...)", "((void)0)"},
    {"__writes_to_local", "(...)", "((void)0)"},
    {"__read_permission", "(...)", "((void)0)"},
    {"__write_permission", "(...)", "((void)0)"},
    {"__requires_fresh_array", "(...)", "((void)0)"},
    {"__global_requires_fresh_array", "(...)", "((void)0)"},
    {"__array_snapshot", "(...)", "((void)0)"},
    {"__non_temporal_loads_begin", "()", "((void)0)"},
    {"__non_temporal_loads_end", "()", "((void)0)"},
    {"__non_temporal_stores_begin", "()", "((void)0)"},
    {"__non_temporal_stores_end", "()", "((void)0)"},
    {"__implies", "(a,b)", "(!(a)||(b))"},
    {"__ite", "(c,a,b)", "((c)?(a):(b))"},
    {"__add_noovfl_unsigned_int", "(a,b)", "((a)+(b))"},
    {"__add_noovfl_int", "(a,b)", "((a)+(b))"},
    {"__add_noovfl", "(...)", "1"},
    {"__mod_pow2", "(a,b)", "((a)&((b)-1))"},
};

static bool is_in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Whether the text uses the name and does not say itself what it is. */
static bool is_used(const char *text, const char *name) {
  const size_t length = strlen(name);
  bool used = false;
  for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
    if (is_in_name(at[length]) || (at > text && is_in_name(at[-1]))) continue;
    const char *line = at;
    while (line > text && line[-1] != '\n') line--;
    if (strncmp(line + strspn(line, " \t"), "#", 1) == 0) return false;
    used = true;
  }
  return used;
}

char *annotated_options(const char *text, const char *options) {
  buffer out = {0};
  buffer_puts(&out, options == NULL ? "" : options);
  for (size_t i = 0; strstr(text, "__") != NULL && i < sizeof annotations / sizeof annotations[0]; i++) {
    if (is_used(text, annotations[i].name)) {
      buffer_printf(&out, "%s-D%s%s=%s", out.length == 0 ? "" : " ", annotations[i].name, annotations[i].parameters,
                    annotations[i].is);
    }
  }
  static const char barriers[] = "__barrier_invariant_";
  for (const char *at = strstr(text, barriers); at != NULL; at = strstr(at + 1, barriers)) {
    const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
    buffer_printf(&out, "%s-D%.*s(...)=((void)0)", out.length == 0 ? "" : " ", (int)length, at);
  }
  return buffer_take(&out);
}

void host_way_free(struct host_way *w) {
  for (size_t i = 0; i < w->fact_count; i++) {
    free(w->facts[i].text);
    free(w->facts[i].from);
  }
  free(w->facts);
  free(w->memory);
  free(w->unsure);
  free(w->ends);
  free(w->from);
}

void host_ways_free(asked_kernel *k) {
  for (size_t i = 0; i < k->way_count; i++) host_way_free(&k->ways[i]);
  free(k->ways);
  free(k->host);
  k->ways = NULL;
  k->host = NULL;
  k->way_count = k->way_capacity = 0;
}

/* --- signatures: from the typed tree to a list of parameters, by way of a process that may crash ------------------ */

enum { KERNELS_MOST = 100000, PARAMETERS_MOST = 4096 };

typedef struct reading {
  pp_input input;
  bool reach;
  signature *signatures;
  size_t count, capacity;
  source_digests digests;
} reading;

/* --- in the process of its own ------------------------------------------------------------------------------------ */

static parameter_kind kind_of(const tree_type *t) {
  switch (t->kind) {
    case TREE_TYPE_POINTER: return t->element->space == TREE_SPACE_LOCAL ? PARAMETER_LOCAL : PARAMETER_GLOBAL;
    case TREE_TYPE_IMAGE: return PARAMETER_IMAGE;
    case TREE_TYPE_PIPE:
    case TREE_TYPE_OPAQUE: return PARAMETER_OTHER;
    default: return PARAMETER_VALUE;
  }
}

static uint64_t reach_of(const parameter_touches *touched) {
  int64_t reach = 0;
  for (int k = 0; k < TOUCH_KINDS; k++) {
    const touch *t = &touched->by[k];
    if (t->may && !t->bounded) return 0;
    reach = t->may && t->high > reach ? t->high : reach;
  }
  return (uint64_t)reach;
}

/* As a case that is printed for the kernel launches it (cases/suite.c). */
static parameter_touches *touches_of(const tree_node *kernel, uint32_t dimensions) {
  const uint32_t count = kernel->child_count - 1, side = dimensions < 2 ? SIGNATURE_LINE : SIGNATURE_SIDE;
  facts_argument *arguments = mem_calloc(count + 1, sizeof *arguments);
  for (uint32_t i = 0; i < count; i++) {
    arguments[i] = (facts_argument){
        .known = kernel->children[i]->type->kind == TREE_TYPE_INTEGER, .value = side, .buffer = FACTS_NO_BUFFER};
  }
  facts_launch launch = {.dimensions = dimensions, .arguments = arguments, .argument_count = count};
  for (uint32_t d = 0; d < 3; d++) launch.global[d] = launch.local[d] = d < dimensions ? side : 1;
  parameter_touches *all = read_footprint(kernel, &launch);
  free(arguments);
  return all;
}

/* A pointer, or what may hold one. */
static bool may_point(const tree_type *t) {
  return t == NULL || t->kind == TREE_TYPE_POINTER || t->kind == TREE_TYPE_RECORD || t->kind == TREE_TYPE_ARRAY;
}

/* Whether a pointer to const may become one that is written through. */
static bool drops_const(const tree_node *n) {
  const tree_type *to = n->type, *from = n->child_count > 0 && n->children[0] != NULL ? n->children[0]->type : NULL;
  switch (n->kind) {
    case TREE_FIELD: return may_point(to) && to->kind == TREE_TYPE_POINTER;
    case TREE_REINTERPRET: return may_point(to) || may_point(from);
    case TREE_CAST:
    case TREE_CONVERT:
      if (n->conversion == TREE_POINTER_TO_POINTER && to->kind == TREE_TYPE_POINTER && may_point(from)) {
        return from == NULL || from->kind != TREE_TYPE_POINTER || (from->element->is_const && !to->element->is_const) ||
               may_point(to->element) || may_point(from->element);
      }
      return n->conversion == TREE_POINTER_TO_INTEGER || n->conversion == TREE_POINTER_TO_POINTER;
    case TREE_CALL: /* of another source */
      return n->builtin == NULL && n->symbol != NULL && n->symbol->kind == TREE_SYMBOL_FUNCTION &&
             tree_body(n->symbol->declaration) == NULL;
    default:
      return n->kind == TREE_UNKNOWN_EXPRESSION || n->kind == TREE_UNKNOWN_STATEMENT ||
             n->kind == TREE_UNKNOWN_DECLARATION;
  }
}

/* Whether something may be stored through a parameter, as far as its uses are followed. */
static bool is_written(const parameter_accesses *a, uint32_t index) {
  bool written = a->escapes[index];
  for (size_t i = 0; i < a->count; i++) written = written || (a->items[i].parameter == index && a->items[i].writes);
  return written;
}

static bool is_qualifier(const char *word, size_t length) {
  static const char *const words[] = {"const",     "__const",    "volatile", "__volatile__", "__global",
                                      "global",    "__constant", "constant", "__local",      "local",
                                      "__private", "private",    "restrict", "__restrict"};
  bool is = false;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    is = is || (strlen(words[i]) == length && strncmp(words[i], word, length) == 0);
  return is;
}

/* The type in the words of the source; of a pointer that of what it points to, if the star is written there, too. */
static void put_written(const tree_node *n, buffer *out) {
  const char *text = n->symbol == NULL || n->symbol->type_text == NULL ? "" : n->symbol->type_text;
  const size_t stars = strlen(text) - strcspn(text, "*");
  buffer words = {0};
  for (size_t length = 0; *text != '\0' && *text != '*'; text += length + strspn(text + length, " ")) {
    length = strcspn(text, " *");
    if (!is_qualifier(text, length)) buffer_printf(&words, "%s%.*s", words.length == 0 ? "" : " ", (int)length, text);
  }
  const bool whole = stars == (n->type->kind == TREE_TYPE_POINTER ? 1 : 0);
  wire_put_string(out, whole ? buffer_text(&words) : "", whole ? words.length : 0);
  buffer_free(&words);
}

/* `touched`: NULL: it is not asked for. */
static void put_parameter(const tree_node *n, bool written, const parameter_touches *touched, buffer *out) {
  const tree_type *t = n->type;
  const tree_type *value = t->kind == TREE_TYPE_POINTER ? t->element : t;
  const char *name = n->symbol == NULL || n->symbol->name == NULL ? "" : n->symbol->name;
  const bool integer = value->kind == TREE_TYPE_INTEGER || value->kind == TREE_TYPE_ENUM;
  const bool read_only = (value->is_const && !written) || value->space == TREE_SPACE_CONSTANT;
  char *type = tree_value_text(value->plain);
  wire_put_string(out, name, strlen(name));
  wire_put_string(out, type, strlen(type));
  put_written(n, out);
  wire_put_u32(out, (uint32_t)kind_of(t));
  wire_put_u32(out, value->size <= UINT32_MAX ? (uint32_t)value->size : 0);
  wire_put_u32(out, (integer ? 1u : 0u) | (value->is_unsigned ? 2u : 0u) | (read_only ? 4u : 0u) |
                        (touched != NULL && touched->by[TOUCH_ATOMIC].may ? 8u : 0u));
  wire_put_u64(out, touched == NULL ? 0 : reach_of(touched));
  free(type);
}

static void put_digest(const pp_result *text, bool names, buffer *out) {
  digester d;
  char digest[65];
  digest_begin(&d);
  for (size_t i = 0; i < text->file_count; i++) {
    digest_text(&d, names ? text->files[i].name : "");
    digest_bytes(&d, text->files[i].text, text->files[i].length);
  }
  digest_end(&d, digest);
  wire_put_string(out, digest, strlen(digest));
}

/* What a function asks about: for ids and sizes in dimension 1, two dimensions; where it is no constant, three. */
static void look_at_dimensions(const tree_node *function, uint32_t *dimensions, bool *asks) {
  for (const tree_node *n = function; n != NULL; n = tree_next(function, n)) {
    if (n->kind != TREE_CALL || n->symbol == NULL || n->builtin == NULL || n->builtin->kind != TREE_WORK_ITEM) continue;
    if (n->child_count == 1) {
      const tree_constant *c = &n->children[0]->constant;
      const int64_t d = c->kind == TREE_INTEGER_CONSTANT ? c->integer : 2;
      *dimensions = d >= (int64_t)*dimensions && d <= 2 ? (uint32_t)d + 1 : *dimensions;
    }
    *asks = *asks || strcmp(n->symbol->name, "get_work_dim") == 0;
    *dimensions = strstr(n->symbol->name, "linear") != NULL ? 3 : *dimensions;
  }
}

static void put_kernel(const tree *t, const tree_node *f, bool keeps, bool reach, buffer *out) {
  uint32_t dimensions = 1;
  bool asks = false;
  look_at_dimensions(f, &dimensions, &asks);
  for (size_t k = 0; k < t->function_count; k++)
    if (!t->functions[k]->symbol->kernel) look_at_dimensions(t->functions[k], &dimensions, &asks);
  wire_put_string(out, f->symbol->name, strlen(f->symbol->name));
  wire_put_u32(out, dimensions);
  wire_put_u32(out, asks ? 1 : 0);
  wire_put_u32(out, f->child_count - 1);
  parameter_touches *touched = reach ? touches_of(f, dimensions) : NULL;
  parameter_accesses a = read_accesses(f);
  for (uint32_t p = 0; p + 1 < f->child_count; p++)
    put_parameter(f->children[p], !keeps && is_written(&a, p), touched == NULL ? NULL : &touched[p], out);
  accesses_free(&a);
  free(touched);
}

static int make(void *context, buffer *out, error *e) {
  const reading *r = context;
  pp_result text;
  tree *t = NULL;
  const int result = front_source(&r->input, &text, &t, e);
  if (result == 0) {
    put_digest(&text, true, out);
    put_digest(&text, false, out);
    bool keeps = true;
    for (const tree_node *n = t->unit; n != NULL && keeps; n = tree_next(t->unit, n)) keeps = !drops_const(n);
    uint32_t kernels = 0;
    for (size_t i = 0; i < t->function_count; i++) kernels += t->functions[i]->symbol->kernel ? 1 : 0;
    wire_put_u32(out, kernels);
    for (size_t i = 0; i < t->function_count; i++)
      if (t->functions[i]->symbol->kernel) put_kernel(t, t->functions[i], keeps, r->reach, out);
  }
  tree_free(t);
  pp_result_free(&text);
  return result;
}

/* --- here --------------------------------------------------------------------------------------------------------- */

static void take_parameter(wire_reader *in, parameter *p) {
  p->name = wire_string(in, NULL);
  p->type = wire_string(in, NULL);
  p->written = wire_string(in, NULL);
  const uint32_t kind = wire_u32(in);
  p->kind = kind <= PARAMETER_OTHER ? (parameter_kind)kind : PARAMETER_OTHER;
  p->size = wire_u32(in);
  const uint32_t flags = wire_u32(in);
  p->integer = (flags & 1) != 0;
  p->is_unsigned = (flags & 2) != 0;
  p->read_only = (flags & 4) != 0;
  p->atomic = (flags & 8) != 0;
  p->reach = wire_u64(in);
}

static void take_digest(wire_reader *in, char out[65]) {
  char *text = wire_string(in, NULL);
  (void)snprintf(out, 65, "%s", text);
  free(text);
}

static int take(void *context, const void *bytes, size_t length) {
  reading *r = context;
  wire_reader in = {.at = bytes, .left = length};
  take_digest(&in, r->digests.files);
  take_digest(&in, r->digests.texts);
  const uint32_t kernels = wire_u32(&in);
  for (uint32_t i = 0; i < kernels && kernels <= KERNELS_MOST && !in.failed; i++) {
    signature *s = ARRAY_ADD(r->signatures, r->count, r->capacity);
    s->kernel = wire_string(&in, NULL);
    s->dimensions = wire_u32(&in);
    s->asks_dimensions = wire_u32(&in) != 0;
    const uint32_t count = wire_u32(&in);
    if (in.failed || count > PARAMETERS_MOST) return -1;
    s->parameters = mem_calloc(count + 1, sizeof *s->parameters);
    for (s->count = 0; s->count < count && !in.failed; s->count++) take_parameter(&in, &s->parameters[s->count]);
  }
  return in.failed || kernels > KERNELS_MOST ? -1 : 0;
}

int signatures_read(const pp_input *in, bool reach, signature **out, size_t *count, source_digests *digests, error *e) {
  reading r = {.input = *in, .reach = reach};
  const isolated_work work = {&r, make, take};
  const int result = isolated(&work, e);
  *out = r.signatures;
  *count = r.count;
  *digests = r.digests;
  return result;
}

void signatures_free(signature *s, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (size_t p = 0; p < s[i].count; p++) {
      free(s[i].parameters[p].name);
      free(s[i].parameters[p].type);
      free(s[i].parameters[p].written);
    }
    free(s[i].parameters);
    free(s[i].kernel);
  }
  free(s);
}
