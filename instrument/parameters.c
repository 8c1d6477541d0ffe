/* The parameters of a gated program's kernels, with their accesses at places of the user's files. */
#include <stdlib.h>

#include "base/memory.h"
#include "instrument/program.h"

/* What a pointer to global memory points to; "" for anything else. */
static char *pointee_name(const tree_type *type) {
  const bool global = type != NULL && type->kind == TREE_TYPE_POINTER && type->element->space == TREE_SPACE_GLOBAL;
  return global ? tree_plain_text(type->element) : mem_strdup("");
}

static void take_kernel(program *p, unit *u, const tree_node *from, instrument_kernel *to) {
  to->parameter_count = from->child_count - 1;
  to->parameters = mem_calloc(to->parameter_count + 1, sizeof *to->parameters);
  for (uint32_t i = 0; i < to->parameter_count; i++) {
    const tree_symbol *s = from->children[i]->symbol;
    to->parameters[i] = (instrument_parameter){.name = mem_strdup(s->name), .type = pointee_name(s->type)};
  }
  list_accesses(p, u, from, to->parameters);
}

void list_parameters(program *p) {
  for (size_t k = 0; k < p->kernel_count; k++) {
    const function *f = &p->functions[p->kernel_functions[k]];
    unit *u = &p->units[f->unit];
    for (size_t i = 0; i < u->tree->function_count; i++) {
      if (u->tree->functions[i]->token == f->node->token) {
        take_kernel(p, u, u->tree->functions[i], &p->out->kernels[k]);
      }
    }
  }
}
