/* Edits around functions: parameters, qualifiers, calls. */
#include <string.h>

#include "instrument/edit.h"

#define CONTEXT_PARAMETER "__private cltc_context *cltc"
#define KERNEL_PARAMETERS                                                                       \
  "__global uint *restrict cltc_flags, __global uchar *restrict cltc_slots, ulong cltc_first, " \
  "__global uint *restrict cltc_planes, uint cltc_capacity"

/* The hidden parameters of a kernel, the context parameter of other functions and of twins. */
static void edit_parameters(edits *e, const pp_result *text, const tree_node *declared) {
  const span all = tree_parameters(text, declared);
  const bool none = declared->child_count == 1; /* the body alone */
  if (none && all.last == all.first + 2) {      /* (void) */
    edit_add(e, all.first + 1, EDIT_REPLACE, 0, EDIT_BOTH, text_of(" "));
  }
  const char *comma = none ? "" : ", ";
  if (declared->symbol->kernel) {
    edit_add(e, all.last, EDIT_BEFORE, 1, EDIT_PLAIN, text_of("%s" KERNEL_PARAMETERS, comma));
    edit_add(e, all.last, EDIT_BEFORE, 1, EDIT_TWIN, text_of("%s" CONTEXT_PARAMETER, comma));
    edit_add(e, declared->token, EDIT_SUFFIX, 0, EDIT_TWIN, text_of(TWIN_SUFFIX));
  } else {
    edit_add(e, all.last, EDIT_BEFORE, 1, EDIT_BOTH, text_of("%s" CONTEXT_PARAMETER, comma));
  }
}

/* The callable twin of a kernel has neither the kernel qualifier nor attributes. */
static void edit_qualifiers(edits *e, const pp_result *text, const tree_node *declared) {
  for (span q = tree_next_qualifier(text, declared, 0); !span_empty(q);
       q = tree_next_qualifier(text, declared, q.last + 1)) {
    for (uint32_t t = q.first; t <= q.last; t++) {
      edit_add(e, t, EDIT_REPLACE, 0, EDIT_TWIN, text_of(" "));
    }
  }
}

void edit_declared(edits *e, const pp_result *text, const tree_node *declared) {
  edit_parameters(e, text, declared);
  if (declared->symbol->kernel) {
    edit_qualifiers(e, text, declared);
  }
}

uint32_t body_start(const pp_result *text, const function *f) {
  uint32_t t = f->body.first;
  for (uint32_t behind; (behind = token_behind_pragma(text, t + 1)) > t + 1; t = behind - 1) {
    if (memmem(text->text + text->tokens[t + 1].begin, text->tokens[behind - 1].end - text->tokens[t + 1].begin,
               "unroll", 6) != NULL) {
      return t; /* belongs to the loop after it */
    }
  }
  return t;
}

/* Overloads appear several times in `calls`; one edit serves them all. */
void edit_calls(const program *p, const function *f, edits *e) {
  const pp_result *text = &p->units[f->unit].text;
  for (size_t i = 0; i < f->call_count; i++) {
    uint32_t name = f->calls[i].token;
    if (i > 0 && f->calls[i - 1].token == name) {
      continue;
    }
    const span around = token_parentheses(text, name);
    if (span_empty(around)) {
      continue;
    }
    edit_add(e, around.last, EDIT_BEFORE, 1, EDIT_BOTH, text_of(around.last == around.first + 1 ? "cltc" : ", cltc"));
    if (p->functions[f->calls[i].callee].node->symbol->kernel) {
      edit_add(e, name, EDIT_SUFFIX, 0, EDIT_BOTH, text_of(TWIN_SUFFIX));
    }
  }
}

const function *defined_elsewhere(const program *p, const tree_node *declaration) {
  for (size_t i = 0; i < p->function_count; i++) {
    if (strcmp(p->functions[i].node->symbol->name, declaration->symbol->name) == 0) {
      return &p->functions[i];
    }
  }
  return NULL;
}
