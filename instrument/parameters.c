/* The parameters of a gated program's kernels, with their accesses at places of the user's files. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/facts/accesses.h"
#include "instrument/program_internal.h"

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
  for (size_t i = 0; i < to->parameter_count; i++) {
    to->parameters[i].escapes = to->parameters[i].type[0] != '\0' && all.escapes[i];
  }
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
    if ((name != NULL && strncmp(name, "atom", 4) == 0) || (n->type != NULL && n->type->kind == TREE_TYPE_ATOMIC)) {
      return true;
    }
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
