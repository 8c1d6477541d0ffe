#include "tests/detectors/newcomer/pass.h"

#include "base/memory.h"

static bool is_global(const tree_node *parameter) {
  const tree_type *type = parameter->symbol->type;
  return type->kind == TREE_TYPE_POINTER && type->element->space == TREE_SPACE_GLOBAL;
}

static void find_objects(const tree_node *kernel, instrument_kernel *k) {
  k->flag_words = k->total_words = 1;
  k->objects = mem_calloc(kernel->child_count, sizeof *k->objects);
  for (uint32_t n = 0; n + 1 < kernel->child_count; n++) {
    if (is_global(kernel->children[n])) {
      k->objects[k->object_count++] =
          (instrument_object){.name = mem_strdup(kernel->children[n]->symbol->name), .parameter = n};
    }
  }
}

static int begin(program *p, void **state, error *e) {
  (void)state, (void)e;
  for (size_t k = 0; k < p->kernel_count; k++)
    find_objects(p->functions[p->kernel_functions[k]].node, &p->out->kernels[k]);
  return 0;
}

static void add_parameters(const void *state, const pp_result *text, const tree_node *declared, edits *e) {
  (void)state;
  buffer out = {0};
  for (uint32_t n = 0; n + 1 < declared->child_count; n++)
    if (is_global(declared->children[n])) buffer_printf(&out, ", ulong2 lengths_%u", (unsigned)n);
  edit_add(e, tree_parameters(text, declared).last, EDIT_BEFORE, 1, EDIT_PLAIN, buffer_take(&out));
}

static void compare(const void *state, const program *p, uint32_t index, edits *e) {
  (void)state;
  const function *f = &p->functions[index];
  buffer out = {0};
  for (uint32_t n = 0; f->node->symbol->kernel && n + 1 < f->node->child_count; n++) {
    if (is_global(f->node->children[n])) {
      buffer_printf(&out, " if (lengths_%u.y / sizeof *%s < get_global_size(0)) { atomic_or(cltc_flags, 1u << %u); }",
                    (unsigned)n, f->node->children[n]->symbol->name, (unsigned)n);
    }
  }
  edit_add(e, body_start(&p->units[f->unit].text, f), EDIT_AFTER, 1, EDIT_PLAIN, buffer_take(&out));
}

static const pass lengths_pass = {.begin = begin, .parameters = add_parameters, .function = compare};

const form_text lengths_form = {.title = "/* With lengths. */\n", .passes = {&lengths_pass}};
