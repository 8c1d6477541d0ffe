/* The parameters of a program's kernels, in one text each. */
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "instrument/program.h"
#include "mutate/digest.h"

static char letter_of(const tree_type *t) {
  switch (t->kind) {
    case TREE_TYPE_INTEGER:
    case TREE_TYPE_ENUM:
      return 'i';
    case TREE_TYPE_FLOAT:
      return 'f';
    default:
      return '-';
  }
}

void list_kernel_parameters(const program *p, mutate_result *r) {
  r->kernel_parameters = mem_calloc(p->kernel_count, sizeof *r->kernel_parameters);
  r->kernel_parameter_count = p->kernel_count;
  for (uint32_t k = 0; k < p->kernel_count; k++) {
    const tree_node *f = p->functions[p->kernel_functions[k]].node;
    buffer text = {0};
    for (uint32_t i = 0; i + 1 < f->child_count; i++) {
      const tree_symbol *symbol = f->children[i]->symbol;
      const char *name = symbol == NULL || symbol->name == NULL ? "" : symbol->name;
      buffer_printf(&text, "%c%s\n", letter_of(f->children[i]->type), name);
    }
    r->kernel_parameters[k] = buffer_take(&text);
  }
}
