/* The gate of a gated function: a kernel passes the gate and leaves it, loops and barriers tell that they were seen,
 * and the work-item functions give what the schedule says. */
#include <stdlib.h>
#include <string.h>

#include "frontend/facts/accesses.h"
#include "instrument/forms.h"
#include "instrument/program_internal.h"

/* Embedded: what records in place of coverage; the number of a group that stands for another. */
extern const char instrument_bare[], instrument_gated_group[];

/* The parameters of a gated program's kernels, with their accesses at places of the user's files. */

/* What a pointer to global memory points to; "" for anything else. */
static char *pointee_name(const tree_type *type) {
  const bool global = type != NULL && type->kind == TREE_TYPE_POINTER && type->element->space == TREE_SPACE_GLOBAL;
  return global ? tree_plain_text(type->element) : mem_strdup("");
}

static void take_accesses(program *p, unit *u, const tree_node *kernel, instrument_kernel *to) {
  parameter_accesses all = read_accesses(kernel);
  for (size_t i = 0; i < all.count; i++) {
    instrument_parameter *of = &to->parameters[all.items[i].parameter];
    if (of->type[0] != '\0') {
      const pp_position *at = shown_at(&u->text.tokens[all.items[i].name->token]);
      size_t capacity = of->access_count;
      *ARRAY_ADD(of->accesses, of->access_count, capacity) =
          (instrument_access){file_of(p, u, at->file), at->line, all.items[i].writes};
    }
  }
  for (size_t i = 0; i < to->parameter_count; i++)
    to->parameters[i].escapes = to->parameters[i].type[0] != '\0' && all.escapes[i];
  accesses_free(&all);
}

/* Images are read and written by functions of the language, which get them by name. */
static void take_images(program *p, unit *u, const tree_node *kernel, instrument_kernel *to) {
  for (const tree_node *n = kernel; n != NULL; n = tree_next(kernel, n)) {
    const bool writes = n->kind == TREE_CALL && n->builtin != NULL && n->builtin->kind == TREE_IMAGE_WRITE;
    const bool reads = n->kind == TREE_CALL && n->builtin != NULL && n->builtin->kind == TREE_IMAGE_READ;
    const tree_node *image = (writes || reads) && n->child_count > 0 ? tree_plain(n->children[0]) : NULL;
    for (size_t i = 0; image != NULL && image->kind == TREE_NAME && i < to->parameter_count; i++) {
      if (image->symbol == kernel->children[i]->symbol) {
        const pp_position *at = shown_at(&u->text.tokens[n->token]);
        size_t capacity = to->parameters[i].access_count;
        *ARRAY_ADD(to->parameters[i].accesses, to->parameters[i].access_count, capacity) =
            (instrument_access){file_of(p, u, at->file), at->line, writes};
      }
    }
  }
}

static bool has_atomics(const tree_node *whole) {
  for (const tree_node *n = whole; n != NULL; n = tree_next(whole, n)) {
    const char *name = n->kind == TREE_CALL && n->symbol != NULL ? n->symbol->name : NULL;
    if ((name != NULL && strncmp(name, "atom", 4) == 0) || (n->type != NULL && n->type->kind == TREE_TYPE_ATOMIC))
      return true;
  }
  return false;
}

/* A helper that nobody calls counts, too. */
static bool uses_atomics(const unit *u, const tree_node *kernel) {
  bool uses = false;
  for (size_t i = 0; i < u->tree->function_count && !uses; i++) {
    const tree_node *f = u->tree->functions[i];
    uses = (f == kernel || !f->symbol->kernel) && has_atomics(f);
  }
  return uses;
}

static void take_kernel(program *p, unit *u, const tree_node *from, instrument_kernel *to) {
  to->parameter_count = from->child_count - 1;
  to->parameters = mem_calloc(to->parameter_count + 1, sizeof *to->parameters);
  for (uint32_t i = 0; i < to->parameter_count; i++) {
    const tree_symbol *s = from->children[i]->symbol;
    to->parameters[i] = (instrument_parameter){.name = mem_strdup(s->name), .type = pointee_name(s->type)};
  }
  take_accesses(p, u, from, to);
  take_images(p, u, from, to);
  to->atomics = uses_atomics(u, from);
}

/* The parameters of the kernels and where they are used. */
void list_parameters(program *p) {
  for (size_t k = 0; k < p->kernel_count; k++) {
    const function *f = &p->functions[p->kernel_functions[k]];
    unit *u = &p->units[f->unit];
    for (size_t i = 0; i < u->tree->function_count; i++)
      if (u->tree->functions[i]->token == f->node->token) take_kernel(p, u, u->tree->functions[i], &p->out->kernels[k]);
  }
}

/* What becomes of the functions that tell ids: "cltc_" before the name, the context for the first argument. */
static const char *const renamed[] = {"get_group_id", "get_global_id", "get_global_linear_id"};

static bool is_renamed(const tree_node *n) {
  if (n->kind != TREE_CALL || n->builtin == NULL || n->builtin->kind != TREE_WORK_ITEM) return false;
  bool found = false;
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
    found = found || strcmp(n->symbol->name, renamed[i]) == 0;
  return found;
}

static void tell_seen(const program *p, const function *f, edits *e) {
  for (size_t n = 0; n < f->instance_count; n++) {
    const instance *i = &f->instances[n];
    span looked = {1, 0};
    if (i->kind == SITE_FOR || i->kind == SITE_WHILE || i->kind == SITE_DO) {
      looked = statement_condition(i->node);
      if (span_empty(looked)) { /* for (;;), which has got a condition */
        edit_add(e, i->node->parts->ends[1], EDIT_BEFORE, 2, EDIT_BOTH,
                 text_of(" CLTC_GATE_SEEN(%u)", (unsigned)i->site));
      }
    } else if (i->kind == SITE_BARRIER) {
      looked = (span){i->token, token_parentheses(&p->units[f->unit].text, i->token).last};
    }
    if (!span_empty(looked)) edit_wrap(e, looked, text_of("(CLTC_GATE_SEEN(%u) (", (unsigned)i->site), text_of("))"));
  }
}

/* Whether every work-item of a group meets every barrier of the kernel, as no decision guards one. */
static bool meets_all_barriers(const program *p, uint32_t kernel) {
  size_t count = 0;
  bool all = true;
  uint32_t *reach = reachable_functions(p, kernel, &count);
  for (size_t i = 0; i < count; i++) {
    const function *f = &p->functions[reach[i]];
    for (size_t k = 0; k < f->point_count; k++) all = all && f->points[k].guard_count == 0;
  }
  free(reach);
  return all;
}

/* Around what coverage puts at both ends of a kernel: the context and its macros. */
static void pass_gate(const program *p, uint32_t index, edits *e) {
  const function *f = &p->functions[index];
  const uint32_t start = body_start(&p->units[f->unit].text, f);
  edit_add(e, start, EDIT_AFTER, 0, EDIT_PLAIN, text_of(" __local uint cltc_gate[CLTC_GATE_LOCALS]; CLTC_GATE_ENTER"));
  edit_add(e, start, EDIT_AFTER, 2, EDIT_PLAIN, text_of(" CLTC_GATE_BEGIN"));
  edit_add(e, f->body.last, EDIT_BEFORE, 0, EDIT_PLAIN,
           text_of(meets_all_barriers(p, index) ? "CLTC_GATE_LEAVE " : "CLTC_GATE_LEAVE_EVENLY "));
}

static void gate_function(const void *state, const program *p, uint32_t index, edits *e) {
  (void)state;
  const function *f = &p->functions[index];
  if (f->node->symbol->kernel) pass_gate(p, index, e);
  tell_seen(p, f, e);
  const tree_node *body = tree_body(f->node);
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
    const span around = is_renamed(n) ? token_parentheses(&p->units[f->unit].text, n->token) : (span){1, 0};
    if (!span_empty(around)) {
      edit_add(e, n->token, EDIT_PREFIX, 0, EDIT_BOTH, text_of("cltc_"));
      edit_add(e, around.first, EDIT_AFTER, 0, EDIT_BOTH, text_of(around.last == around.first + 1 ? "cltc" : "cltc, "));
    }
  }
}

/* PoCL 3.1 crashes when it compiles a barrier in front of a loop that is jumped into, the user's own barriers too. */
static int check_loops(const program *p, error *e) {
  for (size_t i = 0; i < p->function_count; i++) {
    const function *f = &p->functions[i];
    for (size_t s = 0; s < f->statements.count; s++) {
      const tree_node *n = f->statements.items[s];
      if (tree_is_loop(n->kind) && jumped_into(&f->statements, statement_body(n))) {
        const pp_token *t = &p->units[f->unit].text.tokens[statement_begin(n)];
        return error_set(e, EXIT_INTERNAL,
                         "function %s jumps into a loop (line %u), which compilers do not take together "
                         "with a gate",
                         f->node->symbol->name, (unsigned)t->expanded.line);
      }
    }
  }
  return 0;
}

static int gate_begin(program *p, void **state, error *e) {
  (void)state;
  if (check_loops(p, e) != 0) return -1;
  list_parameters(p);
  return 0;
}

static void gate_before(const void *state, const program *p, buffer *out) {
  (void)state;
  buffer_printf(out, "#ifndef CLTC_DIRECT\n#define CLTC_DIRECT\n#endif\n%s", p->gate);
}

static void gate_members(const void *state, const program *p, buffer *out) {
  (void)state, (void)p;
  buffer_puts(out, "  CLTC_GATE_FIELDS\n");
}

static void gate_macros(const void *state, const program *p, buffer *out) {
  (void)state, (void)p;
  buffer_puts(out, instrument_gated_group);
}

static const pass gate_pass = {.begin = gate_begin,
                               .before = gate_before,
                               .members = gate_members,
                               .macros = gate_macros,
                               .function = gate_function};

const form_text gated_text = {.title = "/* Instrumented by cltestcheck. */\n",
                              .passes = {&gate_pass, &coverage_pass},
                              .all_guards = true,
                              .counts_ways = true,
                              .bare = instrument_bare};
