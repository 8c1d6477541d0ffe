/* The parameters of a gated program's kernels, with their accesses at places of the user's files. */
#include <stdlib.h>

#include "base/memory.h"
#include "frontend/accesses.h"
#include "instrument/program.h"

/* Where a person sees a token: at the use of the macro that brought it. */
static const pp_position *shown_at(const pp_token *t) { return t->in_macro_body ? &t->expanded : &t->spelled; }

static void take_parameter(program *p, unit *u, front_parameter *from, instrument_parameter *to) {
  *to = (instrument_parameter){.name = from->name, .type = from->type, .escapes = from->escapes};
  from->name = from->type = NULL;
  to->accesses = mem_calloc(from->access_count + 1, sizeof *to->accesses);
  to->access_count = from->access_count;
  for (size_t i = 0; i < from->access_count; i++) {
    const pp_position *at = shown_at(&u->text.tokens[from->accesses[i].token]);
    to->accesses[i] = (instrument_access){file_of(p, u, at->file), at->line, from->accesses[i].writes};
  }
}

static void take_kernel(program *p, unit *u, const front_kernel *from, instrument_kernel *to) {
  to->parameters = mem_calloc(from->parameter_count + 1, sizeof *to->parameters);
  to->parameter_count = from->parameter_count;
  for (size_t i = 0; i < from->parameter_count; i++) {
    take_parameter(p, u, &from->parameters[i], &to->parameters[i]);
  }
}

int list_parameters(program *p, error *e) {
  int result = 0;
  for (uint32_t n = 0; n < p->unit_count && result == 0; n++) {
    unit *u = &p->units[n];
    front_kernels found;
    result = front_kernels_read(&u->text, u->text.other_options, &found, e);
    for (size_t k = 0; k < p->kernel_count; k++) {
      const function *f = &p->functions[p->kernel_functions[k]];
      for (size_t i = 0; i < found.count && f->unit == n; i++) {
        if (found.items[i].name_token == f->front->name_token) {
          take_kernel(p, u, &found.items[i], &p->out->kernels[k]);
        }
      }
    }
    front_kernels_free(&found);
  }
  return result;
}
