/* What a gated function has beyond coverage: a kernel passes the gate and leaves it, loops and barriers tell that they
 * were seen, and the work-item functions that tell ids go through the context. Calls of gated kernels are calls of
 * their twins, which are in their caller's group. */
#include <stdlib.h>
#include <string.h>

#include "instrument/forms.h"
#include "instrument/texts.h"

/* What becomes of the functions that tell ids: "cltc_" before the name, the context for the first argument. */
static const char *const renamed[] = {"get_group_id", "get_global_id", "get_global_linear_id"};

static bool is_renamed(const tree_node *n) {
  if (n->kind != TREE_CALL || n->builtin == NULL || n->builtin->kind != TREE_WORK_ITEM) {
    return false;
  }
  bool found = false;
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
    found = found || strcmp(n->symbol->name, renamed[i]) == 0;
  }
  return found;
}

static void rename_calls(const program *p, const function *f, edits *e) {
  const tree_node *body = tree_body(f->node);
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
    const span around = is_renamed(n) ? token_parentheses(&p->units[f->unit].text, n->token) : (span){1, 0};
    if (!span_empty(around)) {
      edit_add(e, n->token, EDIT_PREFIX, 0, EDIT_BOTH, text_of("cltc_"));
      edit_add(e, around.first, EDIT_AFTER, 0, EDIT_BOTH, text_of(around.last == around.first + 1 ? "cltc" : "cltc, "));
    }
  }
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
    if (!span_empty(looked)) {
      edit_wrap(e, looked, text_of("(CLTC_GATE_SEEN(%u) (", (unsigned)i->site), text_of("))"));
    }
  }
}

/* Whether every work-item of a group meets every barrier of the kernel, as no decision guards one. */
static bool meets_all_barriers(const program *p, uint32_t kernel) {
  size_t count = 0;
  bool all = true;
  uint32_t *reach = reachable_functions(p, kernel, &count);
  for (size_t i = 0; i < count; i++) {
    const function *f = &p->functions[reach[i]];
    for (size_t k = 0; k < f->point_count; k++) {
      all = all && f->points[k].guard_count == 0;
    }
  }
  free(reach);
  return all;
}

/* Around what rewrite.c puts at both ends of a kernel: the context and its macros. */
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
  if (f->node->symbol->kernel) {
    pass_gate(p, index, e);
  }
  tell_seen(p, f, e);
  rename_calls(p, f, e);
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
  if (check_loops(p, e) != 0) {
    return -1;
  }
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

const pass gate_pass = {.begin = gate_begin,
                        .before = gate_before,
                        .members = gate_members,
                        .macros = gate_macros,
                        .function = gate_function};
